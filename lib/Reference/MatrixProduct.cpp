// A matrix product blocked for the caches: small tiles of c stay in registers
// while a panel of b that fits the second-level cache is reused by every row.
#include "MatrixProduct.h"
#include <algorithm>

namespace {
constexpr int64_t tileRows = 4, tileColumns = 4;
constexpr int64_t panelDepth = 256, panelColumns = 256;

/// A full tile; the constant trip counts let the compiler keep it in registers.
void addTile(int64_t k, const double *a, int64_t lda, const double *b,
             int64_t ldb, double *c, int64_t ldc) {
  double sum[tileRows][tileColumns] = {};
  for (int64_t p = 0; p < k; ++p)
    for (int64_t i = 0; i < tileRows; ++i)
      for (int64_t j = 0; j < tileColumns; ++j)
        sum[i][j] += a[i * lda + p] * b[p * ldb + j];
  for (int64_t i = 0; i < tileRows; ++i)
    for (int64_t j = 0; j < tileColumns; ++j)
      c[i * ldc + j] += sum[i][j];
}

void addEdge(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,
             const double *b, int64_t ldb, double *c, int64_t ldc) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p) {
      const double factor = a[i * lda + p];
      for (int64_t j = 0; j < n; ++j)
        c[i * ldc + j] += factor * b[p * ldb + j];
    }
}
} // namespace

void mlir::gaudi::reference::addMatrixProduct(int64_t m, int64_t n, int64_t k,
                                              const double *a, int64_t lda,
                                              const double *b, int64_t ldb,
                                              double *c, int64_t ldc) {
  for (int64_t j0 = 0; j0 < n; j0 += panelColumns)
    for (int64_t p0 = 0; p0 < k; p0 += panelDepth) {
      const int64_t columns = std::min(panelColumns, n - j0);
      const int64_t depth = std::min(panelDepth, k - p0);
      const double *panel = b + p0 * ldb + j0;
      for (int64_t i = 0; i < m; i += tileRows) {
        const int64_t rows = std::min(tileRows, m - i);
        const double *strip = a + i * lda + p0;
        double *target = c + i * ldc + j0;
        int64_t j = 0;
        if (rows == tileRows)
          for (; j + tileColumns <= columns; j += tileColumns)
            addTile(depth, strip, lda, panel + j, ldb, target + j, ldc);
        addEdge(rows, columns - j, depth, strip, lda, panel + j, ldb,
                target + j, ldc);
      }
    }
}
