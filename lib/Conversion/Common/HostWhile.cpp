// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While loops that the host runs, of any dialect.
#include "HostLoop.h"

using namespace mlir;
using namespace gaudi;

void gaudi::runWhileOnHost(Operation *op, Block &condition, Block &body,
                           StringRef category, const Twine &why) {
  // Exporters pass what the body only reads, such as weights, through the loop;
  // as state it would be copied.
  SmallVector<unsigned> changed;
  HostLoop loop{op, {}, {}, nullptr, nullptr};
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (body.back().getOperand(i) != body.getArgument(i)) {
      changed.push_back(i);
      loop.inits.push_back(op->getOperand(i));
      loop.results.push_back(op->getResult(i));
      continue;
    }
    for (Value same : {Value(condition.getArgument(i)),
                       Value(body.getArgument(i)), Value(op->getResult(i))})
      same.replaceAllUsesWith(op->getOperand(i));
  }
  // The others take the place of their arguments.
  auto all = [&](ValueRange values) {
    SmallVector<Value> operands(op->getOperands());
    for (auto [i, value] : llvm::zip_equal(changed, values))
      operands[i] = value;
    return operands;
  };
  auto before = [&](OpBuilder &b, ValueRange values) {
    SmallVector<Value> results = cloneBlock(b, condition, all(values));
    llvm::append_range(results, values);
    return results;
  };
  auto after = [&](OpBuilder &b, ValueRange values) {
    const SmallVector<Value> next = cloneBlock(b, body, all(values));
    SmallVector<Value> results;
    for (unsigned i : changed)
      results.push_back(next[i]);
    return results;
  };
  loop.before = before;
  loop.after = after;
  runOnHost(loop, category, why);
}
