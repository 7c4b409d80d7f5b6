// Strided windows and named dimension orders: the arithmetic behind views,
// convolution layouts and permutations. No op is known here.
#ifndef GAUDI_DIALECT_LAYOUT_H
#define GAUDI_DIALECT_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::gaudi {

/// Offset and strides in elements of a window on a buffer.
struct StridedLayout {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// Largest entry of a window attribute (stride, dilation, padding, kernel
/// size): what keeps the arithmetic on them inside of int64_t.
constexpr int64_t maxWindowEntry = (int64_t(1) << 31) - 1;

/// a + b, held at the ends of int64_t where it would overflow.
int64_t saturatingAdd(int64_t a, int64_t b);

/// offset + (size - 1) * stride, held at the ends of int64_t where it would
/// overflow: the last position of a window, for any attribute values.
int64_t lastPosition(int64_t offset, int64_t size, int64_t stride);

/// True if the window lies in [0, extent). A window without elements may stand
/// at any offset from 0 to extent.
bool isWindowInside(int64_t offset, int64_t size, int64_t stride,
                    int64_t extent);

/// Row-major strides of a dense tensor.
llvm::SmallVector<int64_t> denseStrides(llvm::ArrayRef<int64_t> sizes);

/// Strides of the tensor reshaped from `fromSizes` to `toSizes`, or nothing if
/// its elements are not evenly spaced in the new shape.
std::optional<llvm::SmallVector<int64_t>>
reshapeStrides(llvm::ArrayRef<int64_t> fromSizes,
               llvm::ArrayRef<int64_t> fromStrides,
               llvm::ArrayRef<int64_t> toSizes);

/// True if `layout` names each letter of `letters` once and nothing else.
bool isLayoutOf(llvm::StringRef layout, llvm::StringRef letters);

/// The spatial letters of a convolution of the given rank: "W", "HW", "DHW".
llvm::StringRef spatialLetters(unsigned spatialRank);

} // namespace mlir::gaudi

#endif // GAUDI_DIALECT_LAYOUT_H
