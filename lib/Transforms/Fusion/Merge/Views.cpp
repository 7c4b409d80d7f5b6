// Positions seen through reshapes, slices, splits, broadcasts and transposes.
#include "Views.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

Value mlir::gaudi::fusion::viewSource(Value tensor) {
  Operation *def = tensor.getDefiningOp();
  if (isa_and_nonnull<ReshapeOp, SliceOp, SplitOp, BroadcastOp>(def))
    return def->getOperand(0);
  return {};
}

Value mlir::gaudi::fusion::moveSource(Value tensor) {
  if (auto transpose = tensor.getDefiningOp<TransposeOp>())
    return transpose.getOperand();
  return viewSource(tensor);
}

Value mlir::gaudi::fusion::rootOf(Value tensor) {
  while (Value source = viewSource(tensor))
    tensor = source;
  return tensor;
}

ValueRange mlir::gaudi::fusion::viewsMadeBy(Operation *user) {
  if (isa<ReshapeOp, SliceOp, SplitOp, BroadcastOp>(user))
    return user->getResults();
  return {};
}

Reindexed
mlir::gaudi::fusion::positionInSource(Value tensor, ArrayRef<Linear> position,
                                      ArrayRef<int64_t> extents,
                                      SmallVectorImpl<Linear> &result) {
  auto sizes = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  result.assign(position.begin(), position.end());
  return llvm::TypeSwitch<Operation *, Reindexed>(tensor.getDefiningOp())
      .Case([&](ReshapeOp op) {
        return reshapePosition(position, sizes(tensor), sizes(op.getOperand()),
                               extents, result);
      })
      .Case([&](SliceOp op) {
        for (auto [form, offset, stride] :
             llvm::zip(result, op.getOffsets(), op.getStrides())) {
          Linear moved(offset);
          moved.add(form, stride);
          form = moved;
        }
        return Reindexed{true, std::nullopt};
      })
      .Case([&](SplitOp op) {
        for (Value part : op.getResults()) {
          if (part == tensor)
            break;
          result[op.getAxis()].addOffset(sizes(part)[op.getAxis()]);
        }
        return Reindexed{true, std::nullopt};
      })
      .Case([&](BroadcastOp op) {
        result.clear();
        for (auto [i, dim] : llvm::enumerate(op.getDims()))
          result.push_back(sizes(op.getOperand())[i] == 1 ? Linear()
                                                          : position[dim]);
        return Reindexed{true, std::nullopt};
      })
      .Case([&](TransposeOp op) {
        for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
          result[dim] = position[i];
        return Reindexed{true, std::nullopt};
      })
      .Default([](Operation *) { return Reindexed(); });
}

Reindexed
mlir::gaudi::fusion::positionInResult(Operation *op, ArrayRef<Linear> position,
                                      ArrayRef<int64_t> extents,
                                      SmallVectorImpl<Linear> &result) {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    result.clear();
    for (int64_t dim : transpose.getPermutation())
      result.push_back(position[dim]);
    return {true, std::nullopt};
  }
  auto reshape = cast<ReshapeOp>(op);
  return reshapePosition(position, reshape.getOperand().getType().getShape(),
                         reshape.getType().getShape(), extents, result);
}
