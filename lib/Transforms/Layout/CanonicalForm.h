// A function as it would be if all of its transposes came as late as they can.
#ifndef GAUDI_TRANSFORMS_LAYOUT_CANONICALFORM_H
#define GAUDI_TRANSFORMS_LAYOUT_CANONICALFORM_H

#include "LayoutProblem.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::gaudi::layout {

/// Where a model has its transposes decides in which orders its ops are
/// written, and so which orders a placement tries. In canonical form each op
/// has the order of what it reads, as far as it commutes with transposes: all
/// functions that differ in the places of transposes alone are one. Placements
/// are chosen for it and translated back.
class CanonicalForm {
public:
  explicit CanonicalForm(func::FuncOp written);

  /// Null if the function has this form as it is written.
  func::FuncOp function() { return canonical ? *canonical : func::FuncOp(); }

  /// A placement of function() as one of the function as written, whose regions
  /// begin with the times and transposes that are written there. `placement`
  /// has all regions, also those in which nothing changes.
  Placement translated(Placement placement, LayoutCosts &costs) const;
  /// Without the regions in which the program has no transposes and nothing
  /// changes. `placement` is one of the function as written.
  Placement withoutIdleRegions(Placement placement) const;

private:
  /// Makes all ops of the copy canonical. False if each is already.
  class Maker;

  /// The order of a tensor of the canonical op, relative to the op as written.
  Order shiftOf(Operation *writtenOp, unsigned tensor) const;
  Order shiftOf(Value writtenRoot) const;
  Value writtenRootOf(Value value) const;
  void translate(Region &region, LayoutCosts &costs) const;
  /// True if the program makes transposes of a root, also of a constant.
  bool hasWrittenMoves(Value root) const;
  /// Adds what they take.
  void addWrittenMoves(Value root, Region &region, LayoutCosts &costs) const;
  std::optional<Region> withoutChoice(ArrayRef<Region> regions,
                                      LayoutCosts &costs) const;

  func::FuncOp written;
  OwningOpRef<func::FuncOp> canonical; // may be null
  DenseMap<Operation *, Operation *> writtenOps, canonicalOps;
  DenseMap<Operation *, Orders> shifts; // by the op as written
  llvm::MapVector<Value, SmallVector<TransposeOp, 1>> moves; // by written root
};

/// The problems of a function as written and of its canonical form.
class BothProblems {
public:
  BothProblems(func::FuncOp function, const DeviceTime &time);

  /// The placement of the function as written, then that of its canonical form
  /// if that one takes less time.
  SmallVector<Placement, 2> solve(Objective objective);
  /// See LayoutProblem::print; nothing of a canonical form that is as written.
  void print(raw_ostream &os, Objective objective, bool isCanonical) {
    if (!isCanonical)
      written.print(os, objective);
    else if (canonical)
      canonical->print(os, objective);
  }

private:
  LayoutCosts costs;
  CanonicalForm form;
  LayoutProblem written;
  std::optional<LayoutProblem> canonical;
};

} // namespace mlir::gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_CANONICALFORM_H
