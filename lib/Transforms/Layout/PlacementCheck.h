// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text from which another program can tell whether a placement is the best one.
#ifndef GAUDI_TRANSFORMS_LAYOUT_PLACEMENTCHECK_H
#define GAUDI_TRANSFORMS_LAYOUT_PLACEMENTCHECK_H

#include "Placement.h"

namespace gaudi::layout {

/// Made before a function is changed, printed after it is: the problem
/// (LayoutProblem::print), then
///   placed COST BOUND           what all regions take, and no placement beats
///   time BEFORE AFTER CLAIMED   of all ops, and what the regions save
/// in picoseconds. See scripts/placement-judge.py.
class PlacementCheck {
public:
  PlacementCheck(func::FuncOp function, const DeviceTime &time);
  void print(const Placement &placement, raw_ostream &os);

private:
  /// Of all ops, as regions count it: operands are dense or a splat, transposes
  /// that only move dimensions of size 1 are views, and those of constants are
  /// made at compile time.
  Picoseconds timeOf() const;

  func::FuncOp function;
  const DeviceTime &time;
  std::string problems[2]; // by objective
  Picoseconds before;
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_PLACEMENTCHECK_H
