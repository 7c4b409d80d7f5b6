// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between strided tensors, converting float types on the way.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_COPY_H
#define GAUDI_LIB_RUNTIME_COMMANDS_COPY_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Runtime/ThreadPool.h"

#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// Sizes and strides in elements, as in recipes.
struct Layout {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

/// A prepared copy: dst[i] = src[i] for every index. Strides may be negative,
/// those of the source 0. Types must be equal, or both float: then f32 is the
/// step in between, with one rounding (nearest even). The memory must not
/// overlap.
class StridedCopy {
public:
  StridedCopy(std::vector<int64_t> sizes, std::vector<int64_t> srcStrides,
              std::vector<int64_t> dstStrides, recipe::ElementType srcType,
              recipe::ElementType dstType);

  void run(ThreadPool &pool, const void *src, void *dst) const;
  /// On the calling thread.
  void run(const void *src, void *dst) const;

private:
  struct Dim {
    int64_t size, src, dst;
  };
  void runUnits(const uint8_t *src, uint8_t *dst, int64_t begin,
                int64_t end) const;
  template <typename T>
  void copyRow(const uint8_t *src, uint8_t *dst, int64_t count) const;
  template <typename T>
  void transposeTile(const uint8_t *src, uint8_t *dst, int64_t rows) const;

  std::vector<Dim> outer; // slowest first
  Dim column{1, 1, 1};    // innermost in the destination
  Dim row{1, 1, 1};       // tiles: the dimension contiguous in the source
  bool tiled = false;
  int64_t segment = 1, segments = 1, units = 1;
  recipe::ElementType srcType, dstType;
  unsigned srcBytes, dstBytes;
};

/// `count` elements with strides in elements, by the rules above.
void convertRow(recipe::ElementType srcType, const uint8_t *src,
                int64_t srcStride, recipe::ElementType dstType, uint8_t *dst,
                int64_t dstStride, int64_t count);

/// One float element to f32 (exact) and back (one rounding).
float loadFloat(recipe::ElementType type, const uint8_t *src);
void storeFloat(recipe::ElementType type, uint8_t *dst, float value);

/// One integer element, sign or zero extended by its type; i1 gives 0 or 1.
int64_t loadInt(recipe::ElementType type, const uint8_t *src);
void storeInt(recipe::ElementType type, uint8_t *dst, int64_t value);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_COPY_H
