// Reading the buffer attributes of scheduled form.
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::gaudi;

BufferAttr mlir::gaudi::bufferOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (!function)
      return {};
    return function.getArgAttrOfType<BufferAttr>(argument.getArgNumber(),
                                                 bufferAttrName);
  }
  auto result = cast<OpResult>(value);
  auto buffers = result.getOwner()->getAttrOfType<ArrayAttr>(buffersAttrName);
  if (!buffers || result.getResultNumber() >= buffers.size())
    return {};
  return dyn_cast<BufferAttr>(buffers[result.getResultNumber()]);
}

int64_t mlir::gaudi::extentBytes(RankedTensorType type,
                                 ArrayRef<int64_t> strides) {
  assert(int64_t(strides.size()) == type.getRank() && "one per dimension");
  if (type.getNumElements() == 0)
    return 0;
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    last += (size - 1) * stride;
  return (last + 1) * elementBytes(type.getElementType());
}

Value mlir::gaudi::bufferRoot(Value value) {
  while (auto view = value.getDefiningOp<ViewOpInterface>()) {
    auto result = cast<OpResult>(value);
    Value source = view.getViewSource(result);
    // A view that strides cannot express has been copied: it is in another
    // section than its source, or has no layout on it.
    BufferAttr own = bufferOf(value), from = bufferOf(source);
    if (!own || !from || own.getSection() != from.getSection())
      return value;
    std::optional<StridedLayout> layout = view.getViewLayout(
        result, {0, SmallVector<int64_t>(from.getStrides())});
    if (!layout)
      return value;
    value = source;
  }
  return value;
}

Value mlir::gaudi::returnedRoot(Value value) {
  Value root = value;
  while (auto reshape = root.getDefiningOp<ReshapeOp>())
    root = reshape.getOperand();
  return root.getDefiningOp<KernelOp>() ? root : value;
}
