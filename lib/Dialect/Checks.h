// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that verifiers of several ops share.
#ifndef GAUDI_LIB_DIALECT_CHECKS_H
#define GAUDI_LIB_DIALECT_CHECKS_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// Fails, with a note at the definition of `value`, the other party of the
/// error; `what` is its name in the message.
LogicalResult failAt(InFlightDiagnostic &&error, Value value, StringRef what);

/// Random words are there exactly if a stochastic rule reads them.
LogicalResult verifyRandomWords(Operation *op, FloatRounding rounding,
                                Value words);

/// `axis` is a dimension of the tensor.
LogicalResult verifyAxis(Operation *op, int64_t axis, Value tensor,
                         StringRef what);

/// The tensor has the shape `expected`, which follows from `cause`.
LogicalResult verifyShape(Operation *op, Value tensor,
                          ArrayRef<int64_t> expected, StringRef what,
                          Value cause, StringRef causeName);

/// Operand `what` has the element type of the op's first result.
LogicalResult verifySameElement(Operation *op, Value operand, StringRef what);

/// `dims` ascend within [0, rank) of the tensor.
LogicalResult verifyAscending(Operation *op, ArrayRef<int64_t> dims,
                              Value tensor, StringRef what);

/// Indices and data have one rank, and along each dimension but `axis` the
/// indices are no larger: the rule of gather_elements and scatter_elements.
LogicalResult verifyElementIndices(Operation *op, Value data, Value indices,
                                   int64_t axis);

/// `part`, named `what`, is a strided window of `whole`.
LogicalResult verifyStridedWindow(Operation *op, Value whole, Value part,
                                  ArrayRef<int64_t> offsets,
                                  ArrayRef<int64_t> strides,
                                  StringRef wholeName, StringRef partName);

/// The tensors have one shape except along `axis`, where the sizes of `parts`
/// add up to that of `whole`: the rule of concat and split.
LogicalResult verifyConcatenation(Operation *op, Value whole, ValueRange parts,
                                  int64_t axis, StringRef wholeName,
                                  StringRef partName);

/// `values` has one entry per spatial dimension, each from `least` to
/// maxWindowEntry.
LogicalResult verifyWindowEntries(Operation *op, StringRef name,
                                  ArrayRef<int64_t> values, int64_t least,
                                  int64_t spatialRank);

/// What a pooling and its gradient share. `layout` names the dimensions of both
/// tensors, the lists have an entry per spatial dimension.
struct Pooling {
  StringRef layout;
  ArrayRef<int64_t> kernel, strides, dilations, padLow, padHigh;
};

/// `pooling` is one of the tensor `whole` whose positions are the elements
/// of `positions`.
LogicalResult verifyPoolWindow(Operation *op, const Pooling &pooling,
                               Value whole, StringRef wholeName,
                               Value positions, StringRef positionsName);

/// The op writes the rows `updates` [N, W, C] of `data` [N, K, C] that
/// `indices` [N, W] name.
LogicalResult verifyScatteredRows(Operation *op, Value data, Value indices,
                                  Value updates);

/// True if the tensors have one type and it is static: dynamic sizes of equal
/// types may differ at run time.
bool haveOneStaticType(Value a, Value b);

/// True if the strided window `part` of `whole` is all of it, in order.
bool isWholeWindow(Value whole, Value part, ArrayRef<int64_t> offsets);

/// A splat under any movement of its elements is a splat of `type`; null for
/// another attribute.
OpFoldResult foldSplat(Attribute operand, RankedTensorType type);

/// True if only spatial dimensions of `layout` are padded.
bool padsOnlySpatial(StringRef layout, ArrayRef<int64_t> low,
                     ArrayRef<int64_t> high);

/// True if the op can have `low` and `high`, in the order of `layout`, added to
/// its own padding, which has one entry per spatial dimension in the order
/// D, H, W: only those are padded, and the sums are within the attribute's
/// bound.
template <typename Op>
bool canAddPadding(Op op, StringRef layout, ArrayRef<int64_t> low,
                   ArrayRef<int64_t> high) {
  if (!padsOnlySpatial(layout, low, high))
    return false;
  auto fits = [&](ArrayRef<int64_t> own, ArrayRef<int64_t> added) {
    for (auto [pad, letter] : llvm::zip_equal(own, spatialLetters(own.size())))
      if (saturatingAdd(pad, added[layout.find(letter)]) > maxWindowEntry)
        return false;
    return true;
  };
  return fits(op.getPadLow(), low) && fits(op.getPadHigh(), high);
}

/// Adds padding that canAddPadding allows.
template <typename Op>
void addPadding(Op op, StringRef layout, ArrayRef<int64_t> low,
                ArrayRef<int64_t> high) {
  SmallVector<int64_t> padLow(op.getPadLow()), padHigh(op.getPadHigh());
  StringRef letters = spatialLetters(padLow.size());
  for (auto [i, letter] : llvm::enumerate(letters)) {
    padLow[i] += low[layout.find(letter)];
    padHigh[i] += high[layout.find(letter)];
  }
  op.setPadLow(padLow);
  op.setPadHigh(padHigh);
}

} // namespace gaudi

#endif // GAUDI_LIB_DIALECT_CHECKS_H
