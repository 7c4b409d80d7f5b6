// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of StableHLO whose number of iterations is a size.
//
// A variant is one launch, so its loops are unrolled. They take as many
// iterations as the bucket needs; from that of the real size on, values stay
// what they are.
#include "../Inference/HloShapes.h"
#include "VariantBuilder.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// A loop that goes on while a value that it carries is less than a size.
struct CountedLoop {
  unsigned counter; ///< the number of the value
  AffineExpr limit;
};
} // namespace

/// The size that `value`, which the condition reads, is in all iterations; null
/// if it is none.
static AffineExpr sizeInLoop(Operation *loop, Value value,
                             const SymbolicShapes &shapes) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getParentRegion() != &loop->getRegion(0))
    return shapes.element(value);
  const unsigned number = argument.getArgNumber();
  Block &body = loop->getRegion(1).front();
  return body.back().getOperand(number) == body.getArgument(number)
             ? shapes.element(loop->getOperand(number))
             : AffineExpr();
}

static std::optional<CountedLoop> countedLoop(Operation *loop,
                                              const SymbolicShapes &shapes) {
  Operation &end = loop->getRegion(0).front().back();
  Operation *test =
      end.getNumOperands() == 1 ? end.getOperand(0).getDefiningOp() : nullptr;
  if (directionOf(test) != ComparePredicate::LT || test->getNumOperands() != 2)
    return std::nullopt;
  auto counter = dyn_cast<BlockArgument>(test->getOperand(0));
  // The variant counts on to the size of the bucket, so nobody may read the
  // counter's last value.
  if (!counter || counter.getParentRegion() != &loop->getRegion(0) ||
      !loop->getResult(counter.getArgNumber()).use_empty())
    return std::nullopt;
  AffineExpr limit = sizeInLoop(loop, test->getOperand(1), shapes);
  if (!limit || isa<AffineConstantExpr>(limit))
    return std::nullopt;
  return CountedLoop{counter.getArgNumber(), limit};
}

void VariantBuilder::boundLoop(Operation *loop, Operation *clone) {
  auto counted = countedLoop(loop, shapes);
  if (!counted)
    return;
  OpBuilder::InsertionGuard guard(b);
  Operation *test =
      clone->getRegion(0).front().back().getOperand(0).getDefiningOp();
  b.setInsertionPoint(test);
  // The loop ends at the size of the bucket, so that it can be unrolled.
  auto number = cast<RankedTensorType>(test->getOperand(0).getType());
  test->setOperand(1, scalar(sizes.constant(padded(counted->limit)),
                             number.getElementType()));
  Block &body = clone->getRegion(1).front();
  Operation &end = body.back();
  b.setInsertionPoint(&end);
  Value now = body.getArgument(counted->counter);
  Value limit = scalar(counted->limit, number.getElementType());
  Value goesOn = writer(now).compare(ComparePredicate::LT, now, limit);
  // From the real size on values stay. The counter goes on, or the loop would
  // not end.
  for (OpOperand &next : end.getOpOperands()) {
    Value old = body.getArgument(next.getOperandNumber());
    if (next.getOperandNumber() != counted->counter && next.get() != old)
      next.set(writer(goesOn).select(goesOn, next.get(), old));
  }
}
