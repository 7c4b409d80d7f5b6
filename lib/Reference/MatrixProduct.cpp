// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product blocked for the caches: small tiles of c stay in registers
// while a panel of b that fits the second-level cache is reused by every row.
#include "MatrixProduct.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace gaudi;

namespace {
constexpr int64_t tileRows = 4, tileColumns = 4;
constexpr int64_t panelDepth = 256, panelColumns = 256;
/// Partial sums that are flushed lose up to the smallest normal number each, at
/// random: a draw has up to so many times the root of their number, five times
/// the standard deviation if half of them are lost, uniformly.
constexpr double lostBySums = 2;

/// A full tile; the constant trip counts let the compiler keep it in registers.
template <typename T>
void addTile(int64_t k, const T *a, int64_t lda, const T *b, int64_t ldb, T *c,
             int64_t ldc) {
  T sum[tileRows][tileColumns] = {};
  for (int64_t p = 0; p < k; ++p)
    for (int64_t i = 0; i < tileRows; ++i)
      for (int64_t j = 0; j < tileColumns; ++j)
        sum[i][j] += a[i * lda + p] * b[p * ldb + j];
  for (int64_t i = 0; i < tileRows; ++i)
    for (int64_t j = 0; j < tileColumns; ++j)
      c[i * ldc + j] += sum[i][j];
}

template <typename T>
void addEdge(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,
             const T *b, int64_t ldb, T *c, int64_t ldc) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p) {
      const T factor = a[i * lda + p];
      for (int64_t j = 0; j < n; ++j)
        c[i * ldc + j] += factor * b[p * ldb + j];
    }
}

template <typename T>
void addProduct(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,
                const T *b, int64_t ldb, T *c, int64_t ldc) {
  for (int64_t j0 = 0; j0 < n; j0 += panelColumns)
    for (int64_t p0 = 0; p0 < k; p0 += panelDepth) {
      const int64_t columns = std::min(panelColumns, n - j0);
      const int64_t depth = std::min(panelDepth, k - p0);
      const T *panel = b + p0 * ldb + j0;
      for (int64_t i = 0; i < m; i += tileRows) {
        const int64_t rows = std::min(tileRows, m - i);
        const T *strip = a + i * lda + p0;
        T *target = c + i * ldc + j0;
        int64_t j = 0;
        if (rows == tileRows)
          for (; j + tileColumns <= columns; j += tileColumns)
            addTile(depth, strip, lda, panel + j, ldb, target + j, ldc);
        addEdge(rows, columns - j, depth, strip, lda, panel + j, ldb,
                target + j, ldc);
      }
    }
}

/// The smallest magnitude that is not zero.
float leastOf(const std::vector<float> &values) {
  float least = std::numeric_limits<float>::infinity();
  for (float value : values)
    if (value != 0)
      least = std::min(least, std::fabs(value));
  return least;
}

/// True if bf16 holds all values: a host may multiply them as such.
bool fitBf16(const std::vector<float> &values) {
  return std::all_of(values.begin(), values.end(), [](float value) {
    return (llvm::bit_cast<uint32_t>(value) & 0xffff) == 0;
  });
}

/// A matrix in float32, dense.
std::vector<float> inFloat32(int64_t rows, int64_t columns, const double *x,
                             int64_t ldx) {
  std::vector<float> values(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    std::copy_n(x + i * ldx, columns, values.begin() + i * columns);
  return values;
}

/// The product in float32. The error of a sum s of k products, added one by
/// one: the partial sums are i/k s, and a random walk beside it, whose steps
/// are the products. With |a| and |b| the Euclidean norms of the row and the
/// column, the root of the sum of squares of the partial sums is that of
/// k/3 s^2 + (|a| |b|)^2 / 2. Each addition is off by u / sqrt(3) of its sum.
void addDisturbed(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,
                  const double *b, int64_t ldb, double *c, int64_t ldc,
                  const Noise &noise) {
  std::vector<float> narrowA = inFloat32(m, k, a, lda),
                     narrowB = inFloat32(k, n, b, ldb);
  std::vector<float> sums(m * n);
  // Instructions for bf16 flush subnormal operands, and each partial sum that
  // is subnormal. Where no product is, sums are not either, but for
  // cancellation.
  const double leastA = leastOf(narrowA), leastB = leastOf(narrowB);
  const bool flushes =
      noise.flushes() &&
      std::min({leastA, leastB, leastA * leastB}) < Noise::leastNormal &&
      fitBf16(narrowA) && fitBf16(narrowB);
  if (flushes)
    for (std::vector<float> *side : {&narrowA, &narrowB})
      for (float &value : *side)
        value = static_cast<float>(noise.flushed(value));
  addProduct(m, n, k, narrowA.data(), k, narrowB.data(), n, sums.data(), n);
  const double lost = flushes
                          ? lostBySums * std::sqrt(double(k - 1)) *
                                Noise::leastNormal / (Noise::units * 0x1p-24)
                          : 0;
  std::vector<double> ofColumn(n);
  for (int64_t p = 0; p < k; ++p)
    for (int64_t j = 0; j < n; ++j)
      ofColumn[j] += b[p * ldb + j] * b[p * ldb + j];
  for (int64_t i = 0; i < m; ++i) {
    double ofRow = 0;
    for (int64_t p = 0; p < k; ++p)
      ofRow += a[i * lda + p] * a[i * lda + p];
    for (int64_t j = 0; j < n; ++j) {
      const double sum = sums[i * n + j];
      // A single product is not added to anything.
      const double walk = k == 1 ? 0 : ofRow * ofColumn[j] / 2;
      const double scale =
          std::sqrt(double(k - 1) / 3 * sum * sum + walk) / Noise::unitsOfOne;
      const double disturbed = noise.disturbed(sum, scale + lost);
      c[i * ldc + j] += flushes ? noise.flushed(disturbed) : disturbed;
    }
  }
}
} // namespace

void gaudi::reference::addMatrixProduct(int64_t m, int64_t n, int64_t k,
                                        const double *a, int64_t lda,
                                        const double *b, int64_t ldb, double *c,
                                        int64_t ldc, const Noise *noise) {
  if (noise)
    addDisturbed(m, n, k, a, lda, b, ldb, c, ldc, *noise);
  else
    addProduct(m, n, k, a, lda, b, ldb, c, ldc);
}
