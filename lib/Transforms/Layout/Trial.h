// One op of a program as a placement would make it.
#ifndef GAUDI_TRANSFORMS_LAYOUT_TRIAL_H
#define GAUDI_TRANSFORMS_LAYOUT_TRIAL_H

#include "Placement.h"
#include "mlir/IR/Builders.h"

namespace mlir::gaudi::layout {

/// A copy of an op at the end of a block that is not that of the program. What
/// it reads are arguments of that block, but for splat constants, whose strides
/// the time model looks at. At most one at a time has the block.
class Trial {
public:
  Trial(Block &block, Operation *op);
  ~Trial();
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;

  /// False if the op cannot be so, with diagnostics about it.
  bool place(const OpPlacement &how);
  /// Replaces the op by the kernel that it builds in the orders `form`, empty
  /// for those that it has; false if that is not one kernel with the tensors of
  /// the op.
  bool becomeKernel(const Orders &form);
  /// The op, on no operands that live on: it is the caller's.
  Operation *take();

  Operation *op;

private:
  bool apply(const Orders &orders);
  Value standInFor(Value value, RankedTensorType type);

  Block &block;
  DenseMap<std::pair<Value, Type>, Value> standIns;
  OpBuilder builder;
};

} // namespace mlir::gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_TRIAL_H
