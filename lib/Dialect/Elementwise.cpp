// What every elementwise op shares: the broadcast rule and the kernel.
#include "PointwiseKernel.h"

using namespace mlir;
using namespace mlir::gaudi;

LogicalResult mlir::gaudi::verifyElementwise(Operation *op) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getRank() != result.getRank())
      return op->emitOpError("operand ")
             << i << " has type " << type << " but the result has type "
             << result << "; expected equal ranks";
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.getDimSize(dim) != result.getDimSize(dim) &&
          type.getDimSize(dim) != 1)
        return op->emitOpError("operand ")
               << i << " has type " << type << " but the result has type "
               << result << "; expected size " << result.getDimSize(dim)
               << " or 1 in dimension " << dim;
  }
  for (int64_t dim = 0; dim < result.getRank(); ++dim)
    if (result.getDimSize(dim) != 1 && op->getNumOperands() > 0 &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return cast<RankedTensorType>(operand.getType()).getDimSize(dim) == 1;
        }))
      return op->emitOpError("result dimension ")
             << dim << " has size " << result.getDimSize(dim)
             << " but every operand has size 1";
  // Operands that carry values (not the condition of a select) share one type
  // with each other, and with the result unless the op converts.
  ValueRange values = op->getOperands();
  if (isa<SelectOp>(op))
    values = values.drop_front();
  Type element = getElementTypeOrSelf(values.front());
  for (Value value : values)
    if (getElementTypeOrSelf(value) != element)
      return op->emitOpError("operands have element types ")
             << element << " and " << getElementTypeOrSelf(value)
             << "; expected one type";
  if (!isa<CastOp, CompareOp>(op) && result.getElementType() != element)
    return op->emitOpError("operands have element type ")
           << element << " but the result has " << result.getElementType();
  if (auto clamp = dyn_cast<ClampOp>(op)) {
    Type scalar = isFloatElement(element)
                      ? Type(Float32Type::get(op->getContext()))
                      : element;
    for (TypedAttr bound : {clamp.getMin(), clamp.getMax()})
      if (bound.getType() != scalar)
        return op->emitOpError("bounds must have type ")
               << scalar << " but got " << bound.getType();
  }
  return success();
}

FailureOr<Operation *> mlir::gaudi::buildElementwiseKernel(Operation *op,
                                                           OpBuilder &builder) {
  auto elementwise = cast<ElementwiseOpInterface>(op);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  return buildPointwise(op, builder, op->getOperands(), [&](KernelBuilder &k) {
    SmallVector<Value> in;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      SmallVector<AffineExpr> position = resultPosition(k, result.getRank());
      for (int64_t dim = 0; dim < result.getRank(); ++dim)
        if (tensorType(operand).getDimSize(dim) != result.getDimSize(dim))
          position[dim] = k.cst(0);
      in.push_back(k.load(i, position));
    }
    return elementwise.buildScalar(k, in);
  });
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}
