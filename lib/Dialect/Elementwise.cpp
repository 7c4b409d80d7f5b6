// What every elementwise op shares: the broadcast rule and the kernel.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"

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
  if (result.getRank() > maxKernelDims)
    return op->emitOpError("has rank ")
           << result.getRank() << "; a TPC kernel has at most " << maxKernelDims
           << " dimensions";
  SmallVector<bool> parallel = parallelDims(result.getShape());
  KernelBuilder kernel(builder, op->getLoc(), op->getResultTypes(),
                       op->getOperands(), result.getShape(), parallel,
                       op->getName().stripDialect());
  auto emitPoint = [&] {
    SmallVector<Value> in;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      auto type = cast<RankedTensorType>(operand.getType());
      SmallVector<AffineExpr> position;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        position.push_back(type.getDimSize(dim) == result.getDimSize(dim)
                               ? kernel.dim(dim)
                               : kernel.cst(0));
      in.push_back(kernel.load(i, position));
    }
    SmallVector<AffineExpr> position;
    for (int64_t dim = 0; dim < result.getRank(); ++dim)
      position.push_back(kernel.dim(dim));
    kernel.store(elementwise.buildScalar(kernel, in), 0, position);
  };
  SmallVector<int64_t> sequential;
  for (auto [dim, isParallel] : llvm::enumerate(parallel))
    if (!isParallel)
      sequential.push_back(dim);
  if (sequential.empty())
    emitPoint();
  else
    kernel.loop(sequential, {}, {}, [&](ValueRange) -> SmallVector<Value> {
      emitPoint();
      return {};
    });
  return kernel.finish().getOperation();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}
