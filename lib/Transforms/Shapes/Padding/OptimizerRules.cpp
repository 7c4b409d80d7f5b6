// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of optimizers and of clipped gradients.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace gaudi;

/// The tensors of an entry have one shape. Steps are elementwise, but for norms
/// of whole tensors, to which padding adds zeros: so are the moments of a
/// gradient that is zero, and their quotient.
bool gaudi::addOptimizerRule(PaddingRule &rule) {
  auto op = dyn_cast<MultiTensorOpInterface>(rule.op);
  if (!op)
    return false;
  rule.setSameDims();
  if (!isa<FusedLambOp, FusedClipNormOp>(rule.op))
    return true;
  // The lists come first; scalars after them have no padding.
  const unsigned count = op.getEntries().size();
  for (unsigned entry = 0; entry < count; ++entry)
    for (unsigned operand = entry; operand < op->getNumOperands();
         operand += count)
      rule.require(
          operand,
          llvm::to_vector(llvm::seq<int64_t>(0, rule.in(operand).dims.size())),
          zeroOf(rule.elementOf(operand)), isZero);
  return true;
}
