// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of few rows with a right side that is read unpacked: packing it
// would take longer than multiplying. Included like MicroKernelBody.h.
#include "MicroKernel.h"

namespace gaudi::runtime {
namespace {

/// Steps of the reduction in one pass over the columns. Each is a stream of its
/// own through the right side; hardware prefetchers follow about as many.
constexpr int64_t thinSteps = 8;

/// c += a * b for `Rows` rows, steps [0, steps) of b and `Count` vectors of its
/// contiguous columns, in c from column n on. `some` is the mask of a vector
/// that is not full, or nothing. Rows * Count sums, Count columns and one
/// broadcast value: 9 registers at most.
template <typename V, int Rows, int Count, typename... Some>
void addVectors(const float *const *a, const float *b, int64_t bStride,
                int64_t steps, bool first, float *const *c, int64_t n,
                Some... some) {
  V sums[Rows][Count];
  // The first steps start the sums; later ones continue those in c.
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Count; ++v)
      sums[r][v] =
          first ? V::zero() : V::load(c[r] + n + v * V::lanes, some...);
  auto step = [&](int64_t k) GAUDI_STEP_INLINE {
    V right[Count];
    for (int v = 0; v < Count; ++v)
      right[v] = V::load(b + k * bStride + v * V::lanes, some...);
    for (int r = 0; r < Rows; ++r) {
      const V left = V::broadcast(reinterpret_cast<const uint8_t *>(a[r] + k));
      for (int v = 0; v < Count; ++v)
        sums[r][v].multiplyAdd(left, right[v]);
    }
  };
  // With a constant count the loop is unrolled.
  if (steps == thinSteps)
    for (int64_t k = 0; k < thinSteps; ++k)
      step(k);
  else
    for (int64_t k = 0; k < steps; ++k)
      step(k);
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Count; ++v)
      sums[r][v].store(c[r] + n + v * V::lanes, some...);
}

/// The same for all columns.
template <typename V, int Rows>
void addSteps(const float *const *a, const float *b, int64_t bStride,
              int64_t steps, int64_t columns, bool first, float *const *c) {
  int64_t n = 0;
  for (; n + 2 * V::lanes <= columns; n += 2 * V::lanes)
    addVectors<V, Rows, 2>(a, b + n, bStride, steps, first, c, n);
  for (; n + V::lanes <= columns; n += V::lanes)
    addVectors<V, Rows, 1>(a, b + n, bStride, steps, first, c, n);
  if (n < columns)
    addVectors<V, Rows, 1>(a, b + n, bStride, steps, first, c, n,
                           V::some(columns - n));
}

/// Dot products with columns whose steps are contiguous. Rows * Columns sums,
/// Rows left values and one right value: 16 registers for 3 by 4. The lanes are
/// added in a tree, so the order depends on the vector's width only.
template <typename V, int Rows, int Columns>
void dots(const float *const *a, const float *b, int64_t bStride, int64_t depth,
          int64_t n, float *const *c) {
  V sums[Rows][Columns];
  for (int r = 0; r < Rows; ++r)
    for (int i = 0; i < Columns; ++i)
      sums[r][i] = V::zero();
  auto step = [&](int64_t k, auto... some) GAUDI_STEP_INLINE {
    V left[Rows];
    for (int r = 0; r < Rows; ++r)
      left[r] = V::load(a[r] + k, some...);
    for (int i = 0; i < Columns; ++i) {
      const V right = V::load(b + i * bStride + k, some...);
      for (int r = 0; r < Rows; ++r)
        sums[r][i].multiplyAdd(left[r], right);
    }
  };
  int64_t k = 0;
  // The last vector is masked: nothing after the last step is read.
  for (; k + V::lanes <= depth; k += V::lanes)
    step(k);
  if (k < depth)
    step(k, V::some(depth - k));
  for (int r = 0; r < Rows; ++r)
    for (int i = 0; i < Columns; ++i) {
      float lane[V::lanes];
      sums[r][i].store(lane);
      for (int width = V::lanes / 2; width > 0; width /= 2)
        for (int l = 0; l < width; ++l)
          lane[l] += lane[l + width];
      c[r][n + i] = lane[0];
    }
}

template <typename V, int Rows>
void runThinRows(const ThinCall &t, const float *const *a, float *const *c) {
  // One column with contiguous steps has both strides 1: dot products.
  if (t.columnStride == 1 && !(t.columns == 1 && t.depthStride == 1)) {
    const float *from[Rows];
    for (int64_t k = 0; k == 0 || k < t.depth; k += thinSteps) {
      for (int r = 0; r < Rows; ++r)
        from[r] = a[r] + k;
      addSteps<V, Rows>(from, t.b + k * t.depthStride, t.depthStride,
                        k + thinSteps < t.depth ? thinSteps : t.depth - k,
                        t.columns, k == 0, c);
    }
    return;
  }
  int64_t n = 0;
  for (; n + 4 <= t.columns; n += 4)
    dots<V, Rows, 4>(a, t.b + n * t.columnStride, t.columnStride, t.depth, n,
                     c);
  for (; n < t.columns; ++n)
    dots<V, Rows, 1>(a, t.b + n * t.columnStride, t.columnStride, t.depth, n,
                     c);
}

/// Three rows at a time: with four columns 12 sums, 3 left values and one right
/// value fill AVX2's 16 registers.
template <typename V> void runThin(const ThinCall &t) {
  for (int r = 0; r < t.count; r += 3)
    switch (t.count - r) {
    case 1:
      runThinRows<V, 1>(t, t.rows + r, t.c + r);
      break;
    case 2:
      runThinRows<V, 2>(t, t.rows + r, t.c + r);
      break;
    default:
      runThinRows<V, 3>(t, t.rows + r, t.c + r);
    }
}

} // namespace
} // namespace gaudi::runtime
