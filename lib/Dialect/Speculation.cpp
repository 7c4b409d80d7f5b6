// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops may stop a launch: those whose run-time indices can be out of
// bounds. Every other op of the dialect is always speculatable.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using Speculation::Speculatability;

/// True if every element of `indices` is known to be in [0, size). Follows ops
/// that only move elements.
static bool areInside(Value indices, int64_t size) {
  while (auto moved = indices.getDefiningOp<ReindexOpInterface>()) {
    Value source = moved.getViewSource(cast<OpResult>(indices));
    if (getElementTypeOrSelf(source) != getElementTypeOrSelf(indices))
      return false;
    indices = source;
  }
  Operation *def = indices.getDefiningOp();
  if (auto clamp = dyn_cast_or_null<ClampOp>(def)) {
    auto low = cast<IntegerAttr>(clamp.getMin()).getValue();
    auto high = cast<IntegerAttr>(clamp.getMax()).getValue();
    return !low.isNegative() && low.sle(high) && high.slt(size);
  }
  if (auto iota = dyn_cast_or_null<IotaOp>(def))
    return !iota.getType().isDynamicDim(iota.getDim()) &&
           iota.getType().getDimSize(iota.getDim()) <= size;
  // A constant of a front end's dialect, too: branches are inlined before their
  // constants are converted.
  Attribute constant;
  if (!matchPattern(indices, m_Constant(&constant)))
    return false;
  std::optional<ConstantValues> values = ConstantValues::of(constant);
  if (!values)
    return false;
  // Every element of a splat is its first.
  const int64_t count =
      values->isSplat() ? std::min<int64_t>(1, values->size()) : values->size();
  if (count > maxFoldedElements)
    return false;
  for (int64_t i = 0; i < count; ++i)
    if (values->integer(i) < 0 || values->integer(i) >= size)
      return false;
  return true;
}

static Speculatability speculatabilityOf(IndexedOpInterface op) {
  return areInside(op.getIndicesMutable().get(), op.getIndexedSize())
             ? Speculation::Speculatable
             : Speculation::NotSpeculatable;
}

Speculatability GatherOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculatability GatherElementsOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculatability ScatterOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculatability ScatterElementsOp::getSpeculatability() {
  return speculatabilityOf(*this);
}

Speculatability KernelLoadOp::getSpeculatability() {
  for (unsigned dim = 0; dim < getMap().getNumResults(); ++dim)
    if (getBoundaryOf(dim) == Boundary::Checked)
      return Speculation::NotSpeculatable;
  return Speculation::Speculatable;
}

Speculatability KernelOp::getSpeculatability() {
  WalkResult walked = getBody().walk([](KernelLoadOp load) {
    return load.getSpeculatability() == Speculation::Speculatable
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return walked.wasInterrupted() ? Speculation::NotSpeculatable
                                 : Speculation::Speculatable;
}
