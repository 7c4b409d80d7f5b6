// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of factorizations and equations.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

/// Argument `i` must be matrices of floats.
static Status checkMatrices(Arguments arguments, unsigned i) {
  const TensorType &type = tensorAt(arguments, i);
  if (type.rank() < 2)
    return fail("expected matrices, not a tensor of shape {}",
                text(type.sizes));
  if (!isFloat(type.dtype) && !isComplex(type.dtype))
    return fail("it is defined for floats, not for {}", nameOf(type.dtype));
  return {};
}

static Status checkSquare(Arguments arguments, unsigned i) {
  GAUDI_TRY(checkMatrices(arguments, i));
  const Ints &sizes = tensorAt(arguments, i).sizes;
  if (sizes[sizes.size() - 1] != sizes[sizes.size() - 2])
    return fail("expected square matrices, not a tensor of shape {}",
                text(sizes));
  return {};
}

/// The sizes but the last `count`, and others behind them.
static Ints batchOf(const Ints &sizes, unsigned count) {
  Ints batch;
  for (uint32_t i = 0; i + count < sizes.size(); ++i)
    append(batch, sizes[i]);
  return batch;
}
static Ints with(Ints sizes, std::initializer_list<int64_t> more) {
  for (int64_t size : more)
    append(sizes, size);
  return sizes;
}

/// Square matrices `a` and right sides `y` whose batches broadcast; gives the
/// types of both broadcast.
static Result<Results> broadcastSides(Arguments arguments, unsigned a,
                                      unsigned y, bool isLeft) {
  GAUDI_TRY(checkSquare(arguments, a));
  GAUDI_TRY(checkMatrices(arguments, y));
  const TensorType &matrix = tensorAt(arguments, a),
                   &side = tensorAt(arguments, y);
  if (matrix.dtype != side.dtype)
    return fail("the matrices are of {}, the right sides of {}",
                nameOf(matrix.dtype), nameOf(side.dtype));
  const uint32_t rank = side.sizes.size();
  const int64_t rows = side.sizes[rank - 2], columns = side.sizes[rank - 1];
  const int64_t size = matrix.sizes[matrix.sizes.size() - 1];
  if ((isLeft ? rows : columns) != size)
    return fail("right sides of shape {} do not fit matrices of shape {}",
                text(side.sizes), text(matrix.sizes));
  const Ints batch =
      GAUDI_TRY(broadcast(batchOf(matrix.sizes, 2), batchOf(side.sizes, 2)));
  return Results{{with(batch, {rows, columns}), side.dtype},
                 {with(batch, {size, size}), side.dtype}};
}

Result<Results> rules::squareMatrix(Arguments arguments) {
  GAUDI_TRY(checkSquare(arguments, 0));
  return Results{tensorAt(arguments, 0)};
}

Result<Results> rules::matrixWithInfo(Arguments arguments) {
  GAUDI_TRY(checkSquare(arguments, 0));
  const TensorType &self = tensorAt(arguments, 0);
  return Results{self, {batchOf(self.sizes, 2), ScalarType::Int32}};
}

Result<Results> rules::triangularEquation(Arguments arguments) {
  Results both =
      GAUDI_TRY(broadcastSides(arguments, 0, 1, flagAt(arguments, 3)));
  return Results{both[0]};
}

Result<Results> rules::triangularSolve(Arguments arguments) {
  return broadcastSides(arguments, 1, 0, true);
}

Result<Results> rules::choleskySolve(Arguments arguments) {
  Results both = GAUDI_TRY(broadcastSides(arguments, 1, 0, true));
  return Results{both[0]};
}

/// Sizes of the factors of matrices (.., m, n).
static Results factors(const TensorType &self) {
  const uint32_t rank = self.sizes.size();
  const int64_t m = self.sizes[rank - 2], n = self.sizes[rank - 1];
  const Ints batch = batchOf(self.sizes, 2);
  return {{with(batch, {m, m}), self.dtype},
          {with(batch, {m, std::min(m, n)}), self.dtype},
          {with(batch, {std::min(m, n), n}), self.dtype}};
}

/// The type of the pivots of matrices.
static TensorType pivotsOf(const TensorType &self) {
  const uint32_t rank = self.sizes.size();
  return {with(batchOf(self.sizes, 2),
               {std::min(self.sizes[rank - 2], self.sizes[rank - 1])}),
          ScalarType::Int32};
}

Result<Results> rules::lu(Arguments arguments) {
  GAUDI_TRY(checkMatrices(arguments, 0));
  return factors(tensorAt(arguments, 0));
}

Result<Results> rules::luFactor(Arguments arguments) {
  GAUDI_TRY(checkMatrices(arguments, 0));
  const TensorType &self = tensorAt(arguments, 0);
  return Results{
      self, pivotsOf(self), {batchOf(self.sizes, 2), ScalarType::Int32}};
}

static Status checkPivots(Arguments arguments, unsigned factor,
                          unsigned pivots) {
  if (tensorAt(arguments, pivots) == pivotsOf(tensorAt(arguments, factor)))
    return {};
  return fail("pivots of type {} do not fit factors of shape {}",
              text(tensorAt(arguments, pivots)),
              text(tensorAt(arguments, factor).sizes));
}

Result<Results> rules::unpackLu(Arguments arguments) {
  GAUDI_TRY(checkMatrices(arguments, 0));
  GAUDI_TRY(checkPivots(arguments, 0, 1));
  Results results = factors(tensorAt(arguments, 0));
  // What is not asked for has no elements.
  Ints none;
  append(none, 0);
  if (!flagAt(arguments, 2))
    results[1].sizes = results[2].sizes = none;
  if (!flagAt(arguments, 3))
    results[0].sizes = none;
  return results;
}

Result<Results> rules::luSolve(Arguments arguments) {
  Results both =
      GAUDI_TRY(broadcastSides(arguments, 0, 2, flagAt(arguments, 3)));
  GAUDI_TRY(checkPivots(arguments, 0, 1));
  return Results{both[0]};
}

/// Whether `side` is a vector, or one for each matrix.
static bool isVectorSide(const TensorType &matrix, const TensorType &side) {
  return side.rank() == 1 || (side.rank() == matrix.rank() - 1 &&
                              side.sizes == batchOf(matrix.sizes, 1));
}

Result<Results> rules::solveEquation(Arguments arguments) {
  GAUDI_TRY(checkSquare(arguments, 0));
  const TensorType &self = tensorAt(arguments, 0);
  TensorType side = tensorAt(arguments, 1);
  const bool isVector = isVectorSide(self, side);
  if (isVector && !flagAt(arguments, 2))
    return fail("a vector is a right side of left=True only");
  if (isVector)
    append(side.sizes, 1);
  const Argument given[] = {self, side};
  Results both = GAUDI_TRY(
      broadcastSides(Arguments(given, 2), 0, 1, flagAt(arguments, 2)));
  if (isVector)
    both[0].sizes = batchOf(both[0].sizes, 1);
  return Results{both[0],
                 self,
                 pivotsOf(self),
                 {batchOf(self.sizes, 2), ScalarType::Int32}};
}

Result<Results> rules::determinant(Arguments arguments) {
  GAUDI_TRY(checkSquare(arguments, 0));
  const TensorType &self = tensorAt(arguments, 0);
  return Results{{batchOf(self.sizes, 2), self.dtype}, self, pivotsOf(self)};
}

Result<Results> rules::logDeterminant(Arguments arguments) {
  Results results = GAUDI_TRY(determinant(arguments));
  results.insert(results.begin(), results.front());
  return results;
}

Result<Results> rules::householder(Arguments arguments) {
  GAUDI_TRY(checkMatrices(arguments, 0));
  const TensorType &self = tensorAt(arguments, 0),
                   &tau = tensorAt(arguments, 1);
  const uint32_t rank = self.sizes.size();
  const int64_t count = tau.rank() > 0 ? tau.sizes[tau.sizes.size() - 1] : -1;
  if (!(batchOf(self.sizes, 2) == batchOf(tau.sizes, 1)) ||
      count > self.sizes[rank - 1] || count < 0 ||
      self.sizes[rank - 2] < self.sizes[rank - 1])
    return fail("factors of shape {} do not fit vectors of shape {}",
                text(tau.sizes), text(self.sizes));
  return Results{self};
}
