// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of a function as gaudi-schedule-ops orders them.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_SCHEDULEGRAPH_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_SCHEDULEGRAPH_H

#include "Gaudi/Timing/Timeline.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Memory/Order.h"
#include "Gaudi/Transforms/PlayedLaunch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// Nodes are the ops that become commands, and the return, which is the last.
/// Buffers are those that gaudi-assign-buffers will give the workspace: not
/// those of arguments, constants, outputs and states. A view touches nothing,
/// its readers touch the buffer that it is a window on.
struct ScheduleGraph {
  memory::OrderGraph graph;
  SmallVector<Operation *> nodes;
  SmallVector<Value> buffers; // the value with that buffer

  /// Bytes alive while the ops of the block run in their order.
  memory::OrderProfile profile() const;
};

/// What the operands of concatenations take that gaudi-alias-buffers computes
/// in their slices: nothing beside the result, which is alive from the first of
/// them on, or own buffers.
enum class Slices : uint8_t { InResult, OnTheirOwn };

/// In the present order of the block. Readers of a state precede the op that
/// writes its next value, where they do now.
ScheduleGraph scheduleGraphOf(func::FuncOp function,
                              const device::DeviceSpec &spec,
                              Slices slices = Slices::InResult);

/// Follows views to the value that has the bytes.
Value sourceOf(Value value);

/// Calls `visit` on each op that reads the bytes of `value`: users, and users
/// of views on it. The return reads nothing.
void forEachReader(Value value, llvm::function_ref<void(Operation *)> visit);

/// The time of orders of the nodes on the engines of the device.
class ScheduleTime {
public:
  ScheduleTime(const ScheduleGraph &schedule, const DeviceTime &time);

  /// Of a launch. A matrix op and a kernel after it that reads the product in
  /// order work in slices. Ops wait for those whose bytes they write over, if
  /// buffers are packed by `fit`; without it no two share bytes.
  Picoseconds of(ArrayRef<uint32_t> order,
                 std::optional<gaudi::memory::Fit> fit) const;

private:
  /// The tasks of a node, one after the other.
  struct NodeTasks {
    SmallVector<gaudi::timing::Task, 1> tasks;
    SmallVector<gaudi::timing::Dependency, 2> before; // nodes
  };
  const DeviceTime &time;
  const memory::OrderGraph &graph;
  std::vector<NodeTasks> nodes;
};

/// Gives the ops of the function an order with a low peak of the workspace,
/// unless it would take noticeably longer. A budget (bytes; 0: none) comes
/// before time; where no order keeps to it, ops run again, and where that does
/// not suffice, an error names what is alive at the peak. Times are those of
/// `player`, or estimates if it is null or the function is long.
LogicalResult orderForMemory(func::FuncOp function,
                             const device::DeviceSpec &spec, uint64_t budget,
                             const LaunchPlayer &player);

/// Moves the nodes into this order, with constants before all of them and each
/// view before its first reader.
void applyOrder(ArrayRef<Operation *> ops, ArrayRef<uint32_t> order);

/// Moves each matrix op past small kernels (a per-channel scale, say) to the
/// kernel that reads the product.
void moveToReaders(Block &block, const device::DeviceSpec &spec);

/// Moves each op that makes the next value of a state after the last reader of
/// the old one, so that it can write over it. Where the new value is needed
/// before, the late readers move before the op.
void moveUpdates(func::FuncOp function, const device::DeviceSpec &spec);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_SCHEDULEGRAPH_H
