// Ops on parts of dimensions, where transposes move the parts.
#ifndef GAUDI_TRANSFORMS_LAYOUT_HOISTRESHAPES_H
#define GAUDI_TRANSFORMS_LAYOUT_HOISTRESHAPES_H

#include "Placement.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::gaudi::layout {

/// A transpose behind a reshape that splits dimensions moves what has no name
/// before the reshape: no order of the unsplit tensor is the transposed one.
/// Elementwise ops and the batch of matrix products compute the same on split
/// tensors; the loops of a kernel are strip-mined, so that it writes one. Where
/// an order is asked for that moves parts of dimensions, splitting reshapes
/// move above such ops and merging reshapes below them; these take part in the
/// placement in the split dimensions then.
class HoistedReshapes {
public:
  explicit HoistedReshapes(func::FuncOp function);
  HoistedReshapes(const HoistedReshapes &) = delete;
  ~HoistedReshapes();

  /// Forgets the ops that the placement changes: they stay as they are now.
  void keepWhatIsUsed(const Placement &placement);
  /// Puts the other ops back on the tensors that they had.
  void undo();

private:
  /// An op with what it was.
  struct Refined {
    Operation *op = nullptr;
    SmallVector<RankedTensorType, 3> operands;
    RankedTensorType result;
    /// Of a kernel: a copy that reads nothing, and where each of the operands
    /// is among those now.
    Operation *kernel = nullptr;
    SmallVector<unsigned, 3> operandOf;
  };

  void visit(Operation *op);
  void visit(Value value, ArrayRef<int64_t> order);
  void hoist(ReshapeOp split, unsigned depth);
  void sink(ReshapeOp merge, unsigned depth);
  bool refine(Operation *op, ArrayRef<int64_t> shape);
  bool stripMine(KernelOp kernel, ReshapeOp split);
  void remember(Refined before);
  Value reshaped(Value value, RankedTensorType type);
  void setTypes(Operation *op, ArrayRef<RankedTensorType> operands,
                RankedTensorType result);
  void eraseUnused();

  func::FuncOp function;
  std::vector<Refined> refined;
  DenseSet<Operation *> ops; ///< of `refined`
  /// Reshapes that may have lost their readers.
  llvm::SetVector<ReshapeOp> replaced;
  DenseMap<std::pair<Value, Type>, Value> views;
  /// Constants in other shapes, and those that they were made of.
  llvm::MapVector<Value, Value> originals;
};

} // namespace mlir::gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_HOISTRESHAPES_H
