// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order each tensor of a function is stored: what the placement
// decides, how the function is rewritten to it, and how it is explained.
#ifndef GAUDI_TRANSFORMS_LAYOUT_PLACEMENT_H
#define GAUDI_TRANSFORMS_LAYOUT_PLACEMENT_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace gaudi::layout {

/// The tensor that a value is a transposed form of: the value is the transpose
/// of `root` by `order`. Transposes, and reshapes that only move dimensions of
/// size 1, make one group of all they connect.
struct Member {
  Value root;
  Order order; ///< an identity for the root itself
};

/// Orders in which one op has its tensors, relative to its operands and results
/// as they are written.
struct OpPlacement {
  Orders orders;
  /// The op as it is cannot do so, but the kernel that it builds can.
  bool asKernel = false;
};

/// What the labels of kernels count with. A placement is one of least sum of
/// what all ops count and of the transposes that remain.
enum class Objective {
  Alone, ///< the time of each op that has the device for itself
  /// The same, but no kernel counts as faster than it is as written. What a
  /// small kernel gains alone is that its launch hides less, and is lost where
  /// it is fused: a kernel of one row per engine then has the work of all that
  /// is fused into it.
  Fused
};

/// A transpose that remains: the group of `root` is needed in two orders, both
/// relative to the root.
struct Transposition {
  Value root;
  Order from, to;
  Picoseconds time = 0;
  int64_t bytes = 0;   ///< read and written
  bool isFree = false; ///< a constant, at compile time, or no elements
};

/// A connected part of the function in which orders depend on each other.
struct Region {
  SmallVector<Operation *> ops; ///< that had a choice, or are changed
  SmallVector<Value> roots;     ///< of its groups
  SmallVector<Transposition> transposes;
  unsigned transposesBefore = 0;
  int64_t bytesBefore = 0, bytesAfter = 0;
  /// Of `ops` and the transposes, but for those of constants, which no launch
  /// makes. `before`: the function as written; `lowerBound`: no combination of
  /// the orders that were tried takes less, with a picosecond for each constant
  /// that is rearranged.
  Picoseconds before = 0, after = 0, lowerBound = 0;
  bool isComplete = true; ///< no order was left out
  bool isProven() const { return isComplete && after == lowerBound; }
};

struct Placement {
  /// Ops that are not named stay as they are. Transposes are not named.
  llvm::MapVector<Operation *, OpPlacement> ops;
  /// Orders of arguments and of returned values, where callers allow it.
  llvm::MapVector<unsigned, Order> arguments, results;
  std::vector<Region> regions;
  /// Of all regions, also those in which nothing changes, as the objective
  /// counts, with a picosecond for each constant that is rearranged.
  Picoseconds after = 0, lowerBound = 0;
  Objective objective = Objective::Alone;
};

/// The group of each value that is a member of one with two values or more.
DenseMap<Value, Member> findGroups(func::FuncOp function);

/// Chooses orders for the function that are the least of the objective.
Placement choosePlacement(func::FuncOp function, const DeviceTime &time,
                          Objective objective = Objective::Alone);

/// The placement of the objective that takes less time once kernels are fused:
/// Alone where that is not asked, because both are the same or the function is
/// large. `isEither`: the caller takes either of two placements, which are
/// fused and timed only if it does not.
Placement chooseAfterFusion(
    func::FuncOp function, const DeviceTime &time,
    function_ref<bool(const Placement &, const Placement &)> isEither);

/// Makes the function what the placement says; transposes that it does not need
/// are erased, one that several ops need is shared.
void applyPlacement(func::FuncOp function, const Placement &placement);

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_PLACEMENT_H
