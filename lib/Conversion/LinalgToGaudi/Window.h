// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sliding windows: the accesses of convolutions and poolings.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_WINDOW_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_WINDOW_H

#include "Nest.h"

namespace gaudi::fromlinalg {

/// A tensor dimension read at `position * stride + tap * dilation`.
struct Spatial {
  int64_t tensorDim;
  int64_t position;      ///< Parallel loop dimension.
  int64_t tap = unitDim; ///< Reduction loop dimension, or none.
  int64_t stride = 1;
  int64_t dilation = 1;
};

/// The access of the tensor over which a window slides.
struct Window {
  SmallVector<Spatial> spatial;
  /// Per tensor dimension: its loop dimension, or -1 for a spatial one.
  DimList plain;

  /// Per tensor dimension: its loop dimension, of spatial ones the position.
  DimList keys() const {
    DimList result = plain;
    for (const Spatial &dim : spatial)
      result[dim.tensorDim] = dim.position;
    return result;
  }
  /// The layout letters of the spatial dimensions.
  StringRef letters() const {
    return StringRef("DHW").take_back(spatial.size());
  }
};

/// Loop steps of the window along one dimension.
inline int64_t tapCount(const Nest &nest, const Spatial &dim) {
  return dim.tap == unitDim ? 1 : nest.extents[dim.tap];
}

/// Takes the access map apart; fails without a reason if it is not a sliding
/// window, with one if it is not one of the device's. Dimensions are as written
/// (units are not dropped).
FailureOr<Window> matchWindow(Nest &nest, AffineMap map, Matcher &m);

/// The loop dimension of every result of a map of distinct dimensions.
std::optional<DimList> plainDims(AffineMap map);

/// A tensor whose dimensions are merged into groups named by letters.
struct Group {
  char letter;
  DimList dims; ///< Keys of the dimensions, in the order they are merged.
};
/// Stored order of the groups, one letter each, and the merged shape.
struct Arrangement {
  std::string layout;
  DimList order; ///< Keys, one group after the other.
  SmallVector<int64_t> shape;
};
/// Finds the stored order that needs no data movement; else that of `groups`.
/// `keys` and `sizes` are those of the tensor.
Arrangement arrange(ArrayRef<int64_t> keys, ArrayRef<int64_t> sizes,
                    ArrayRef<Group> groups);
/// Cuts the spatial dimensions of `value`, stored as `layout`, to what the
/// window reaches. A rest smaller than one stride may stay, since it gives the
/// same number of positions.
Value cutToReach(OpBuilder &b, Nest &nest, const Window &window,
                 StringRef layout, Value value);

/// Moves `value` from the order of `keys` to the arrangement, and back.
Value toArrangement(OpBuilder &b, Location loc, Value value,
                    ArrayRef<int64_t> keys, const Arrangement &to);
Value fromArrangement(OpBuilder &b, Location loc, Value value,
                      const Arrangement &from, ArrayRef<int64_t> keys,
                      ArrayRef<int64_t> sizes);

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_WINDOW_H
