// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the forms of an op take on the device, in each order of its tensors.
#ifndef GAUDI_TRANSFORMS_LAYOUT_LAYOUTCOSTS_H
#define GAUDI_TRANSFORMS_LAYOUT_LAYOUTCOSTS_H

#include "LayoutGraph.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>
#include <unordered_map>

namespace gaudi::layout {

/// A way to place an op.
struct Label {
  OpPlacement placement;
  Picoseconds time = 0;
  /// Per tensor: which of its candidates this needs.
  SmallVector<uint8_t, 4> choices;
};

/// All ways to place an op.
struct LabelSet {
  SmallVector<Label, 1> labels;
  /// The one that leaves the op as it is, if the op may stay so.
  std::optional<unsigned> written;
  /// The one whose lanes are those of weights, if the kernel gains by them.
  std::optional<unsigned> alongWeights;
  Picoseconds timeAsWritten = 0;
  bool isComplete = true; ///< no way was left out
  bool isKernel = false;  ///< the op becomes a kernel, which may be fused

  /// What the objective counts for a label of this set.
  Picoseconds counted(const Label &label, Objective objective) const {
    return objective == Objective::Fused && isKernel
               ? std::max(label.time, timeAsWritten)
               : label.time;
  }
};

/// The candidates of one tensor of an op, relative to the tensor.
struct TensorOrders {
  SmallVector<Order, 2> orders;
  std::optional<Picoseconds> constantTime; ///< see Group::constantTime

  bool operator==(const TensorOrders &other) const {
    return constantTime == other.constantTime && orders == other.orders;
  }
};

/// Asks the time model, once per kind of op, types and orders. Views on the
/// tensors are taken for dense ones.
class LayoutCosts {
public:
  explicit LayoutCosts(const DeviceTime &time) : time(time) {}

  /// What `op` may become. Those that take no less time than another one and
  /// the transposes from one to the other are left out: no placement needs
  /// them.
  const LabelSet &labelsOf(Operation *op, ArrayRef<TensorOrders> tensors);

  /// The orders in which a kernel that sums products takes least time, if it is
  /// less than as it is written: its lanes then lie along other dimensions.
  const std::optional<Orders> &fasterLanes(KernelOp kernel);

  /// The op on tensors in `orders`, or the kernel that it builds; nothing if it
  /// cannot be.
  std::optional<Picoseconds> ofOrders(Operation *op, const Orders &orders,
                                      bool asKernel = false);

  /// A transpose of a tensor of type `type` by `order`; 0 if no bytes move.
  Picoseconds ofTranspose(RankedTensorType type, ArrayRef<int64_t> order);
  /// Of a group's tensor, from one order to another, both relative to the root.
  Picoseconds ofCopy(RankedTensorType type,
                     std::optional<Picoseconds> constantTime,
                     ArrayRef<int64_t> from, ArrayRef<int64_t> to);

private:
  struct Entry {
    Operation *op;
    SmallVector<TensorOrders, 4> tensors;
    std::unique_ptr<LabelSet> labels;
  };
  struct LaneEntry {
    Operation *op;
    SmallVector<Orders, 2> offered;
    std::unique_ptr<std::optional<Orders>> fastest;
  };
  /// The op on tensors that are stored in some orders, outside the program.
  class Trial;

  /// Of the op as it is.
  Picoseconds ofOp(Operation *op);
  LabelSet makeLabels(Operation *op, ArrayRef<TensorOrders> tensors);
  void addFollowing(LayoutOpInterface op, ArrayRef<TensorOrders> tensors,
                    LabelSet &set);
  void addIndependent(LayoutOpInterface op, ArrayRef<TensorOrders> tensors,
                      LabelSet &set);
  void addKernels(Operation *op, ArrayRef<TensorOrders> tensors, LabelSet &set);
  void addLabel(Operation *op, ArrayRef<TensorOrders> tensors, Orders orders,
                bool asKernel, LabelSet &set);
  /// Notes which label has the lanes of weights.
  void findLanes(KernelOp kernel, LabelSet &set);
  void dropDominated(Operation *op, ArrayRef<TensorOrders> tensors,
                     LabelSet &set);

  const DeviceTime &time;
  Block scratch; // of ops that are asked about
  std::unordered_map<size_t, SmallVector<Entry, 1>> entries;   // by hash
  std::unordered_map<size_t, SmallVector<LaneEntry, 1>> lanes; // the same
  DenseMap<std::pair<Type, Attribute>, Picoseconds> transposes;
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_LAYOUTCOSTS_H
