// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that extend linalg (tm_tensor, iree_linalg_ext), written as nests and
// ops of the device.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_EXTOPS_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_EXTOPS_H

#include "Gaudi/Conversion/LinalgExt.h"
#include "NestBuilder.h"

namespace gaudi::fromlinalg {

/// An op of either dialect. Its form was verified, its shapes are static.
struct ExtOp {
  Operation *op;
  SmallVector<Value> inputs, outputs;
  Region *body; ///< Null if there is none.

  Location loc() const { return op->getLoc(); }
  RankedTensorType resultType(unsigned i) const {
    return tensorType(outputs[i]);
  }
};

/// Each returns the replacements of the results, built at `b`.
SmallVector<Value> expandScan(OpBuilder &b, const ExtOp &op, int64_t dim,
                              bool inclusive);
SmallVector<Value> expandSort(OpBuilder &b, const ExtOp &op, int64_t dim);
SmallVector<Value> expandTopK(OpBuilder &b, const ExtOp &op, int64_t dim);
/// As in PyTorch negative indices count from the end and one outside stops the
/// launch, or as in StableHLO an update outside is left out.
SmallVector<Value> expandScatter(OpBuilder &b, const ExtOp &op,
                                 ArrayRef<int64_t> dimensionMap,
                                 bool ofPyTorch);
SmallVector<Value> expandGather(OpBuilder &b, const ExtOp &op,
                                ArrayRef<int64_t> dimensionMap);
/// Scores are multiplied by the scale operand. Without one they are divided by
/// the root of the head size if `scales`.
SmallVector<Value> expandAttention(OpBuilder &b, const ExtOp &op,
                                   ArrayAttr maps, bool scales);

/// The operands of an attention and the loops that they follow. A map of the
/// mask is there if the mask is.
struct AttentionView {
  AttentionView(const ExtOp &op, ArrayRef<AffineMap> maps);

  Value scale, mask; ///< null if there is none
  AffineMap queryMap, keyMap, valueMap, maskMap, resultMap;
  SmallVector<int64_t> extents; ///< per loop
};

/// The loops that the dimensions of a tensor follow. One of size 1 with a
/// constant index has none.
SmallVector<int64_t> loopsOf(AffineMap map);

/// The attention as gaudi.sdpa; without one `whyNot` is set.
std::optional<Value> buildSdpa(OpBuilder &b, const ExtOp &op,
                               ArrayRef<AffineMap> maps, bool scalesByRoot,
                               std::string &whyNot);

/// Windows of consecutive elements.
Value createSlice(OpBuilder &b, Location loc, RankedTensorType type,
                  Value tensor, ArrayRef<int64_t> offsets,
                  ArrayRef<int64_t> sizes);

/// A tensor of each element's position along `dim`.
Value createIota(OpBuilder &b, Location loc, RankedTensorType type,
                 int64_t dim);

/// The constant that fills `tensor`; null if it is not known.
TypedAttr fillOf(Value tensor);

/// Why no sort has the comparator; empty if there is one.
std::string whyNotSorted(Operation *op, Region &region);

/// Why an op of these dialects stays; empty for ops of others.
std::string whyNotExpanded(Operation *op);
/// Expands what can be. The others stay for the error that names them.
void expandLinalgExt(ModuleOp module);

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_EXTOPS_H
