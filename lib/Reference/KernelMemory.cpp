// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that move elements between tensors and rows of lanes.
#include "KernelMemory.h"
#include "Indexing.h"
#include "KernelAccess.h"
#include "KernelScalars.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

/// The affine form of one dimension of an access, or an error.
template <typename Op> static FailureOr<Affine> formOf(Op op, unsigned dim) {
  FailureOr<Affine> form = affineOf(op.getMap().getResult(dim));
  if (failed(form))
    return op.emitError() << "expected affine sums in the map but got "
                          << AffineMapAttr::get(op.getMap());
  return form;
}

FailureOr<Step> reference::makeLoad(KernelLoadOp op,
                                    const ReferenceTensor &tensor,
                                    ArrayRef<unsigned> indexRows,
                                    llvm::function_ref<unsigned(Value)> rowOf,
                                    unsigned to) {
  const SmallVector<int64_t> strides = denseStrides(tensor.getShape());
  GuardedAccess access{static_cast<int64_t>(op.getInputNumber()), {}};
  SmallVector<Affine> forms;
  bool guarded = false;
  for (int64_t dim = 0; dim < tensor.getRank(); ++dim) {
    FailureOr<Affine> form = formOf(op, dim);
    if (failed(form))
      return failure();
    std::optional<unsigned> valueRow;
    if (Value index = op.getDynamicIndex(dim))
      valueRow = rowOf(index);
    const Boundary boundary = op.getBoundaryOf(dim);
    guarded |= valueRow.has_value() || boundary != Boundary::Inside;
    forms.push_back(*form);
    access.dims.push_back(
        {*form, valueRow, boundary, tensor.getDim(dim), strides[dim]});
  }
  // Without guards one form gives the position in memory.
  auto find = [=, rows = SmallVector<unsigned>(indexRows),
               flat = flatten(forms, strides)](Lanes &lanes,
                                               int64_t *positions) {
    if (guarded)
      evaluateGuarded(access, rows, lanes, positions);
    else
      evaluateAffine(flat, rows, lanes, positions);
  };
  if (tensor.isFloat()) {
    double pad = 0;
    if (auto attr = dyn_cast_or_null<FloatAttr>(op.getPadAttr()))
      pad = attr.getValueAsDouble();
    return Step([=, data = tensor.floats()](Lanes &lanes) {
      int64_t positions[Lanes::width];
      find(lanes, positions);
      double *out = lanes.floats(to);
      // A position is negative where there is no element: padding, or an index
      // that has been recorded as a fault.
      for (int64_t i = 0; i < lanes.count; ++i)
        out[i] = positions[i] >= 0             ? data[positions[i]]
                 : positions[i] == padPosition ? pad
                                               : 0;
    });
  }
  const IntKind kind = kernelKind(op.getType());
  int64_t pad = 0;
  if (auto attr = dyn_cast_or_null<IntegerAttr>(op.getPadAttr()))
    pad = kind.wrap(attr.getValue().sextOrTrunc(64).getSExtValue());
  return Step([=, data = tensor.ints()](Lanes &lanes) {
    int64_t positions[Lanes::width];
    find(lanes, positions);
    int64_t *out = lanes.ints(to);
    for (int64_t i = 0; i < lanes.count; ++i)
      out[i] = positions[i] >= 0             ? kind.wrap(data[positions[i]])
               : positions[i] == padPosition ? pad
                                             : 0;
  });
}

FailureOr<Step> reference::makeStore(KernelStoreOp op, ReferenceTensor &tensor,
                                     ArrayRef<unsigned> indexRows,
                                     unsigned from) {
  // Stores have no boundary rule and no computed index: one form says it all.
  SmallVector<Affine> forms;
  for (unsigned dim = 0; dim < op.getMap().getNumResults(); ++dim) {
    FailureOr<Affine> form = formOf(op, dim);
    if (failed(form))
      return failure();
    forms.push_back(*form);
  }
  auto find = [rows = SmallVector<unsigned>(indexRows),
               flat = flatten(forms, denseStrides(tensor.getShape()))](
                  Lanes &lanes, int64_t *positions) {
    evaluateAffine(flat, rows, lanes, positions);
  };
  if (tensor.isFloat())
    return Step([=, data = tensor.mutableFloats(),
                 round = FloatRounder(tensor.getElementType())](Lanes &lanes) {
      int64_t positions[Lanes::width];
      find(lanes, positions);
      for (int64_t i = 0; i < lanes.count; ++i)
        data[positions[i]] = round(lanes.floats(from)[i]);
    });
  return Step([=, data = tensor.mutableInts(),
               kind = IntKind::of(tensor.getElementType())](Lanes &lanes) {
    int64_t positions[Lanes::width];
    find(lanes, positions);
    for (int64_t i = 0; i < lanes.count; ++i)
      data[positions[i]] = kind.wrap(lanes.ints(from)[i]);
  });
}
