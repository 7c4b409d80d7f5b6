// Evaluates both sides of a fusion as two functions of the same arguments.
#include "VerifyFusion.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/Numerics.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

/// A few seconds of the evaluator.
static constexpr int64_t maxVerifiedWork = int64_t(1) << 29;

namespace {
using Ops = SetVector<Operation *>;

/// The ops that `value` is computed by, down to `leaves`, arguments, and ops
/// that the evaluator does not know; leaves that are found are added.
void collect(Value value, Ops &ops, SetVector<Value> &leaves,
             const DenseSet<Value> &stops) {
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || stops.contains(next)) {
      leaves.insert(next);
      continue;
    }
    if (ops.insert(op))
      llvm::append_range(pending, op->getOperands());
  }
}

/// The function that computes `value` by the ops, of the leaves.
OwningOpRef<func::FuncOp> functionOf(Value value, Ops ops,
                                     ArrayRef<Value> leaves) {
  OpBuilder builder(value.getContext());
  Location loc = value.getLoc();
  SmallVector<Type> types;
  for (Value leaf : leaves)
    types.push_back(leaf.getType());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      builder, loc, "side", builder.getFunctionType(types, value.getType()));
  IRMapping mapping;
  builder.setInsertionPointToStart(function->addEntryBlock());
  for (auto [leaf, argument] : llvm::zip(leaves, function->getArguments()))
    mapping.map(leaf, argument);
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : sorted)
    builder.clone(*op, mapping);
  func::ReturnOp::create(builder, loc, mapping.lookupOrDefault(value));
  return function;
}

int64_t workOf(func::FuncOp function) {
  int64_t work = 0;
  for (Operation &op : function.getBody().front())
    if (auto cost = dyn_cast<CostOpInterface>(op))
      work += cost.getArithmeticOps();
  return work;
}
} // namespace

LogicalResult mlir::gaudi::fusion::verifyFusion(StringRef kind, Value before,
                                                Value after,
                                                ArrayRef<Operation *> created,
                                                bool &isVerified) {
  isVerified = false;
  // Both sides read what `before` is computed from. Constants are part of each:
  // masks are recognised by their data.
  Ops made(created.begin(), created.end()), upstream, replaced;
  SetVector<Value> leaves, arguments;
  collect(before, upstream, arguments, {});
  for (unsigned i = 0; i < made.size(); ++i)
    for (Value operand : made[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (op && (!upstream.contains(op) || isa<ConstantOp>(op)))
        made.insert(op);
      else
        leaves.insert(operand);
    }
  DenseSet<Value> stops(leaves.begin(), leaves.end());
  collect(before, replaced, leaves, stops);
  OwningOpRef<func::FuncOp> left =
      functionOf(before, replaced, leaves.getArrayRef());
  OwningOpRef<func::FuncOp> right =
      functionOf(after, made, leaves.getArrayRef());
  if (findNotEvaluable(*left) || findNotEvaluable(*right) ||
      workOf(*left) > maxVerifiedWork || workOf(*right) > maxVerifiedWork)
    return success();
  SmallVector<ReferenceTensor> inputs =
      seededInputs(left->getArgumentTypes(), /*seed=*/7);
  auto expected = evaluateFunction(*left, inputs);
  auto actual = evaluateFunction(*right, inputs);
  if (failed(expected) || failed(actual))
    return failure();
  ReferenceTensor &a = (*expected)[0], &b = (*actual)[0];
  MutableArrayRef<double> fused = b.mutableFloats();
  MutableArrayRef<double> unfused = a.mutableFloats();
  for (int64_t i = 0; i < a.getCount(); ++i)
    if (std::isnan(unfused[i]))
      unfused[i] = fused[i] = 0;
  isVerified = true;
  ComparisonReport report = compareTensors(b, a, NumericsScope::Model);
  if (report.passed)
    return success();
  InFlightDiagnostic error = emitError(before.getLoc())
                             << "verify-fusion: the fused " << kind
                             << " has other numbers: " << report.describe();
  error.attachNote(after.getLoc())
      << "as '" << after.getDefiningOp()->getName() << "'";
  return error;
}
