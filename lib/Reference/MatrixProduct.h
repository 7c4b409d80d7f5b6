// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one inner loop that gemm and convolution share.
#ifndef GAUDI_LIB_REFERENCE_MATRIXPRODUCT_H
#define GAUDI_LIB_REFERENCE_MATRIXPRODUCT_H

#include "Gaudi/Reference/Noise.h"
#include <cstdint>

namespace gaudi::reference {

/// c[m, n] += sum_k a[m, k] * b[k, n] in float64. Rows of a, b and c lie
/// `lda`, `ldb` and `ldc` elements apart. The order of additions depends on
/// the sizes only. With `noise` the sums are those of float32, and each gets an
/// error as large as the additions of its terms one by one may have.
void addMatrixProduct(int64_t m, int64_t n, int64_t k, const double *a,
                      int64_t lda, const double *b, int64_t ldb, double *c,
                      int64_t ldc, const Noise *noise = nullptr);

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_MATRIXPRODUCT_H
