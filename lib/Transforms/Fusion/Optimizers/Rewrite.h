// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replacing values that many ops compute by the results of one.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_REWRITE_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_REWRITE_H

#include "Formula.h"
#include "Gaudi/Transforms/DeviceTime.h"

namespace gaudi::fusion {

/// The ops that nothing reads once other values replace `replaced`, but for
/// those that compute `kept`.
class DyingOps {
public:
  explicit DyingOps(ArrayRef<Value> replaced, ArrayRef<Value> kept = {});

  bool contains(Operation *op) const { return ops.contains(op); }
  /// True if ops that stay read the value, which is not replaced.
  bool isReadAfterwards(Value value) const;
  /// Erases them; nothing may read the replaced values any more.
  void erase();

  llvm::SetVector<Operation *> ops;

private:
  DenseSet<Value> replaced, kept;
};

/// Where an op that reads `operands` and replaces `replaced` may be.
struct Placement {
  /// After this op; null: at the start of the block.
  Operation *after = nullptr;
  /// Ops before that read a replaced value and move after the new op, in order.
  SmallVector<Operation *> moved;

  OpBuilder builder(Block &block) const;
  /// Moves them to where the builder is, after the new op.
  void moveTo(OpBuilder &builder) const;
};
/// Nothing if an operand depends on a replaced value.
std::optional<Placement> placementOf(ArrayRef<Value> operands,
                                     ArrayRef<Value> replaced,
                                     const DyingOps &dying, Block &block);

/// The tensor cast and reshaped to a type with as many elements.
Value converted(OpBuilder &builder, Value tensor, Type type);

/// Writes uniform expressions as ops on single elements.
class ScalarWriter {
public:
  ScalarWriter(Algebra &algebra, OpBuilder &builder, Location loc)
      : algebra(algebra), builder(builder), loc(loc) {}

  /// A tensor<f32> with the value.
  Value write(const Expression &expression);
  /// `value`, or 0 where the expression is 0.
  Value zeroWhereZero(Value value, const Expression &expression);

private:
  Value atom(Atom atom);
  Value power(const Power &power);
  Value constant(double value);
  template <typename Op> Value combine(Value a, Value b);

  Algebra &algebra;
  OpBuilder &builder;
  const Location loc;
  std::map<Atom, Value> atoms;
};

/// The tensors that a ScalarWriter reads; nothing if one is in no tensor.
std::optional<SmallVector<Value>> scalarsOf(Algebra &algebra,
                                            const Expression &expression);

/// Time and memory traffic of ops; equal ops are asked once.
struct Traffic {
  Picoseconds time = 0;
  int64_t bytes = 0;
};
Traffic trafficOf(ArrayRef<Operation *> ops, const DeviceTime &time);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_REWRITE_H
