// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on parts of dimensions, where transposes move the parts.
#ifndef GAUDI_TRANSFORMS_LAYOUT_HOISTRESHAPES_H
#define GAUDI_TRANSFORMS_LAYOUT_HOISTRESHAPES_H

#include "DimParts.h"
#include "Placement.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace gaudi::layout {

/// A transpose after a reshape that splits dimensions moves parts that are no
/// dimensions before the reshape: no order of the unsplit tensor is the
/// transposed one. Many ops compute the same on split tensors (splitsWith); the
/// loops of a kernel are strip-mined, so that it writes one. Where an order is
/// a candidate that moves parts of dimensions, splitting reshapes move above
/// such ops and merging reshapes below them; these take part in the placement
/// in the split dimensions then.
class HoistedReshapes {
public:
  HoistedReshapes(func::FuncOp function, const DeviceTime &time);
  HoistedReshapes(const HoistedReshapes &) = delete;
  ~HoistedReshapes();

  /// Puts the ops back on the tensors that they had, to which the placement
  /// gives no order that moves parts of their dimensions. False if there are
  /// none: the placement holds. Else another one is to be chosen.
  bool undoUnused(const Placement &placement);
  /// True if undoUnused() would do the same, and not nothing, for both.
  bool undoesSame(const Placement &a, const Placement &b) const;
  /// Remarks of the ops that keep parts of dimensions.
  void explain(const Placement &placement);
  /// Products of several dimensions become products of matrices again; called
  /// after the placement is applied.
  void lower();

private:
  /// An op with what it was.
  struct Refined {
    Operation *op = nullptr;
    SmallVector<RankedTensorType, 3> operands;
    RankedTensorType result;
    /// The op before, without operands: of a product the op itself.
    Operation *before = nullptr;
    /// Of a kernel: where each of the operands is among those now.
    SmallVector<unsigned, 3> operandOf;
  };

  bool refineAroundReshapes(const DeviceTime &time);
  void hoist(ReshapeOp split, ArrayRef<int64_t> order, unsigned depth);
  void sink(ReshapeOp merge, ArrayRef<int64_t> order, unsigned depth);
  void follow(Operation *op, unsigned tensor, ArrayRef<int64_t> order,
              unsigned depth);
  Operation *refine(Operation *op, unsigned tensor, const Parts &parts,
                    ArrayRef<int64_t> order);
  Operation *refineGemm(GemmOp gemm, unsigned tensor, const Parts &parts,
                        ArrayRef<int64_t> order);
  bool stripMine(KernelOp kernel, ReshapeOp split);
  void remember(Refined before);
  SmallVector<bool> findUsed(const Placement &placement) const;
  std::optional<std::pair<RankedTensorType, RankedTensorType>>
  movedTensor(const Refined &entry, const Placement &placement) const;
  remark::RemarkOpts remarkOptions();
  void explainUndo(const Refined &entry);
  void undo(Refined &entry);
  Value reshaped(Value value, RankedTensorType type);
  Value makeReshaped(Value value, RankedTensorType type);
  void setTypes(Operation *op, ArrayRef<RankedTensorType> operands,
                RankedTensorType result);
  void eraseUnused();

  func::FuncOp function;
  std::vector<Refined> refined;
  DenseSet<Operation *> ops; ///< of `refined`
  /// Ops that make views and may have lost their readers.
  llvm::SetVector<Operation *> replaced;
  DenseMap<std::pair<Value, Type>, Value> views;
  /// Constants and transposes in other shapes, and those that they were made
  /// of.
  DenseMap<Value, Value> originals;
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_HOISTRESHAPES_H
