// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorizations and triangular equations, for the front ends: one kernel per
// column or row, which eliminates it from what is left. Points of a kernel do
// not see each other's results.
//
// Matrices are f32 tensors (batch, rows, columns).
#ifndef GAUDI_LIB_CONVERSION_COMMON_LINEARALGEBRA_H
#define GAUDI_LIB_CONVERSION_COMMON_LINEARALGEBRA_H

#include "PointKernel.h"

namespace gaudi {

/// Steps of one op at most: the rows of a matrix. Each is one kernel or a few.
constexpr int64_t maxEliminationSteps = 1024;

/// As f32 matrices (batch, rows, columns), transposed if asked for.
Value asMatrices(FrontEndBuilder &b, Value x, bool isTransposed = false);

/// l of a = l l^T for symmetric positive definite matrices, column by column.
/// The upper triangle is not read, and zero in the result. NaN from the first
/// minor on that is not positive.
Value choleskyFactor(FrontEndBuilder &b, StringRef label, Value a);

/// x of a x = y for a lower or upper triangle, row by row: from the first row
/// or from the last. The other triangle is not read, nor the diagonal if
/// `isUnit`.
Value solveTriangular(FrontEndBuilder &b, StringRef label, Value a, Value y,
                      bool isLower, bool isUnit);

/// What Gaussian elimination makes of matrices (batch, m, n).
struct LuFactor {
  Value lu;     ///< l below the diagonal, which is 1, and u.
  Value pivots; ///< i64 (batch, min(m, n)): the row that row i changed with.
  Value info;   ///< i32 (batch): the first zero pivot, counted from 1, or 0.
};
/// Takes the largest element of a column as its pivot, the first among equals.
LuFactor luFactor(FrontEndBuilder &b, StringRef label, Value a);
/// i64 (batch, rows): row i of l u is this row of the matrix that had these
/// pivots.
Value orderOfPivots(FrontEndBuilder &b, StringRef label, Value pivots,
                    int64_t rows);

/// i32 (batch): the first number on the diagonal of a factor that is zero, or
/// not above it if `isPositive`, counted from 1; 0 if there is none.
Value firstBadPivot(FrontEndBuilder &b, StringRef label, Value factor,
                    bool isPositive);

/// Rows `order` (i64, batch x rows) of matrices.
Value takeRows(FrontEndBuilder &b, StringRef label, Value x, Value order);
/// The inverse of permutations (batch, rows).
Value invertOrder(FrontEndBuilder &b, StringRef label, Value order);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_LINEARALGEBRA_H
