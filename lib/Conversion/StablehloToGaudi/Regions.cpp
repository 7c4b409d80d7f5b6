// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The regions of reductions, windows and comparators: scalar arithmetic that
// kernels compute.
#include "Converter.h"
#include "Expand.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gaudi;

Operation *gaudi::combiner(Region &region) {
  if (!region.hasOneBlock() || region.getNumArguments() != 2)
    return nullptr;
  Block &block = region.front();
  if (!llvm::hasNItems(block, 2) || block.back().getNumOperands() != 1)
    return nullptr;
  Operation &op = block.front();
  if (op.getNumOperands() != 2 || op.getNumResults() != 1 ||
      block.back().getOperand(0) != op.getResult(0))
    return nullptr;
  Value a = op.getOperand(0), b = op.getOperand(1);
  const bool inOrder = a == block.getArgument(0) && b == block.getArgument(1);
  const bool swapped = a == block.getArgument(1) && b == block.getArgument(0);
  return inOrder || (swapped && op.hasTrait<OpTrait::IsCommutative>())
             ? &op
             : nullptr;
}

bool gaudi::endsInReturn(Block &block) {
  return !block.empty() && block.back().getNumResults() == 0 &&
         isHlo(&block.back(), Hlo::Return);
}

LogicalResult gaudi::checkScalarRegion(Region &region, HloMatcher &m) {
  if (!region.hasOneBlock())
    return m.refuse("its region must have one block");
  if (!endsInReturn(region.front()))
    return m.refuse("its region must end in a return");
  for (BlockArgument argument : region.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType());
        !type || type.getRank() != 0 || !isDeviceElement(type.getElementType()))
      return m.refuse("its region has an argument of type '" +
                      spelled(argument.getType()) +
                      "'; expected scalars of device types");
  // Ops are converted already, from the inside out: gaudi's elementwise ops are
  // all that may be here.
  for (Operation &op : llvm::drop_end(region.front())) {
    // Scalars make views and broadcasts the identity.
    const bool isScalar =
        isa<ElementwiseOpInterface, gaudi::ConstantOp, ReshapeOp, BroadcastOp>(
            op) &&
        tensorType(op.getResult(0)).getRank() == 0;
    if (!isScalar)
      return m.refuse("its region has an op that is not scalar arithmetic",
                      op.getLoc(), "this op");
    if (auto constant = dyn_cast<gaudi::ConstantOp>(op);
        constant && !splatConstant(constant.getResult()))
      return m.refuse("its region has a constant that is not written out",
                      op.getLoc(), "this op");
    // The kernel has only its own values.
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() != &region)
        return m.refuse("its region reads a value from outside",
                        operand.getLoc(), "the value");
  }
  for (Value operand : region.front().back().getOperands())
    if (operand.getParentRegion() != &region)
      return m.refuse("its region returns a value from outside",
                      operand.getLoc(), "the value");
  return success();
}

/// True if `value` is a scalar that is computed of constants; follows `depth`
/// ops.
static bool isOfConstants(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || depth == 0 || !isStablehlo(op->getName()) || !type ||
      !type.hasStaticShape() || type.getNumElements() != 1 ||
      op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  if (op->getNumOperands() == 0)
    return isHlo(op, Hlo::Constant);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isOfConstants(operand, depth - 1);
  });
}

/// Inserts a copy of a value for which isOfConstants holds.
static Value copyConstant(Value value, OpBuilder &builder, IRMapping &copies) {
  if (Value copy = copies.lookupOrNull(value))
    return copy;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    (void)copyConstant(operand, builder, copies);
  return builder.clone(*op, copies)->getResult(0);
}

void gaudi::copyConstantsIntoRegions(ModuleOp module) {
  constexpr unsigned maxDepth = 8;
  module.walk([&](Operation *op) {
    if (!isStablehlo(op->getName()))
      return;
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
      IRMapping copies;
      region.walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          if (!region.isAncestor(operand.get().getParentRegion()) &&
              isOfConstants(operand.get(), maxDepth))
            operand.set(copyConstant(operand.get(), builder, copies));
      });
    }
  });
}

/// The integers of `totalOrder` for a scalar of a kernel.
static Value emitTotalOrder(KernelBuilder &k, Value x) {
  Type i32 = k.getBuilder().getI32Type();
  Value bits = arith::BitcastOp::create(k.getBuilder(), k.getLoc(), i32, x);
  Value sign = k.binary<arith::ShRSIOp>(bits, k.intConstant(31, i32));
  Value magnitude = k.intConstant(llvm::maxIntN(32), i32);
  return k.binary<arith::XOrIOp>(bits,
                                 k.binary<arith::AndIOp>(sign, magnitude));
}

SmallVector<Value> gaudi::emitScalarRegion(KernelBuilder &k, Region &region,
                                           ValueRange arguments) {
  IRMapping scalars;
  scalars.map(region.getArguments(), arguments);
  for (Operation &op : llvm::drop_end(region.front())) {
    Value result;
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(scalars.lookup(operand));
    // A total order of floats compares their bits.
    if (auto compare = dyn_cast<CompareOp>(op);
        compare && isTotalOrder(compare)) {
      k.setElementType(k.getBuilder().getI32Type());
      result = k.compare(compare.getPredicate(), emitTotalOrder(k, operands[0]),
                         emitTotalOrder(k, operands[1]));
    } else if (auto constant = dyn_cast<gaudi::ConstantOp>(op)) {
      result = k.constant(splatConstant(constant.getResult()));
    } else if (auto elementwise = dyn_cast<ElementwiseOpInterface>(op)) {
      result = elementwise.buildScalar(k, operands);
    } else {
      result = operands.front();
    }
    // A kernel computes in f32; what another op of the region reads is of the
    // type that it has there. What the region returns, a store rounds.
    auto narrow = dyn_cast<FloatType>(getElementTypeOrSelf(op.getResult(0)));
    const bool isRead = llvm::any_of(op.getUsers(), [&](Operation *user) {
      return user != &region.front().back();
    });
    if (narrow && narrow.getWidth() < 32 && isRead && result.getType().isF32())
      result = k.rounded(result, narrow);
    scalars.map(op.getResult(0), result);
  }
  SmallVector<Value> results;
  for (Value operand : region.front().back().getOperands())
    results.push_back(scalars.lookup(operand));
  return results;
}
