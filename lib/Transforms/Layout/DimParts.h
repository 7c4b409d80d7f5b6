// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of dimensions: how the tensors of an op are split together.
#ifndef GAUDI_TRANSFORMS_LAYOUT_DIMPARTS_H
#define GAUDI_TRANSFORMS_LAYOUT_DIMPARTS_H

#include "Gaudi/Dialect/DimMap.h"

namespace gaudi::layout {

/// For each dimension of a tensor the sizes of its parts in a finer shape.
using Parts = SmallVector<SmallVector<int64_t, 2>, 4>;

/// The finer shape.
SmallVector<int64_t> shapeOf(const Parts &parts);
/// True if a dimension has several parts of more than one element.
bool isSplit(const Parts &parts);
/// The first part of each dimension in the finer shape, and its rank.
SmallVector<int64_t> firstParts(const Parts &parts);

/// Nothing if `fine` does not split the dimensions of `coarse`, or splits none
/// but for dimensions of size 1. O(rank).
std::optional<Parts> partsOf(ArrayRef<int64_t> coarse, ArrayRef<int64_t> fine);

/// True if the parts of each dimension follow each other in `order`, an order
/// of the finer tensor: then the coarse tensor has that order, too.
bool keepsParts(const Parts &parts, ArrayRef<int64_t> order);

/// The parts of all tensors of `op`, operands first, if tensor number `tensor`
/// has `parts` and the op then computes the same elements with no more than
/// other attributes; nothing if it cannot. Only ops with one result are split.
std::optional<SmallVector<Parts, 3>> splitsWith(Operation *op, unsigned tensor,
                                                const Parts &parts);

/// Changes the attributes to those of the split tensors. The types are the
/// caller's to change, and still those before.
void applySplits(Operation *op, ArrayRef<Parts> splits);

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_DIMPARTS_H
