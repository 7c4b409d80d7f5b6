// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of factorizations, equations and what follows from them, in f32.
#include "../Common/LinearAlgebra.h"
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

static StringRef labelOf(TorchCall &c) { return c.op.schema.name; }

/// Rows of the matrices of argument `i` need that many steps.
static LogicalResult checkSteps(TorchCall &c, unsigned i) {
  const torch::TensorType &type = c.type(i);
  const int64_t steps =
      std::max(type.sizes[type.rank() - 2], type.sizes[type.rank() - 1]);
  if (steps <= maxEliminationSteps)
    return success();
  return c.refuse("matrices of " + Twine(steps) +
                  " rows need as many kernels; there are at most " +
                  Twine(maxEliminationSteps));
}

/// Result `i` of matrices.
static Value finish(TorchCall &c, unsigned i, Value x) {
  return c.cast(c.reshape(x, c.result(i).getShape()), c.resultElement(i));
}

/// Argument `i` as matrices; broadcast to the batch of the result.
static Value matrices(TorchCall &c, unsigned i, bool isTransposed = false) {
  Value x = c.operand(i, c.builder.getF32Type());
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  SmallVector<int64_t> whole(c.result().getShape().drop_back(2));
  whole.append(shape.end() - 2, shape.end());
  return asMatrices(c.builder, c.expand(x, whole), isTransposed);
}

/// The unit matrix, of the batch of `like` (batch, n, ..).
static Value identityLike(TorchCall &c, Value like) {
  const int64_t batch = tensorType(like).getDimSize(0),
                size = tensorType(like).getDimSize(1);
  Type f32 = c.builder.getF32Type(), i32 = c.builder.getI32Type();
  if (size == 0)
    return c.expand(c.scalar(0, f32), {batch, size, size});
  Value isDiagonal =
      c.compare(ComparePredicate::EQ, c.positions({size, size}, 0, i32),
                c.positions({size, size}, 1, i32));
  return c.expand(c.cast(isDiagonal, f32), {batch, size, size});
}

static Value transposed(TorchCall &c, Value x) {
  return c.builder.transpose(x, {0, 2, 1});
}

/// A product of matrices (batch, .., ..).
static Value productOfMatrices(TorchCall &c, Value a, Value b) {
  RankedTensorType left = tensorType(a);
  RankedTensorType type = left.clone(
      {left.getDimSize(0), left.getDimSize(1), tensorType(b).getDimSize(2)});
  if (type.getNumElements() == 0 || left.getDimSize(2) == 0)
    return c.expand(c.scalar(0, left.getElementType()), type.getShape());
  return GemmOp::create(c.builder, type, a, b, false, false);
}

//===----------------------------------------------------------------------===//
// Cholesky and triangles
//===----------------------------------------------------------------------===//

Lowered lowerings::cholesky(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  const bool isUpper = c.flag(1);
  Value factor = choleskyFactor(c.builder, labelOf(c), matrices(c, 0, isUpper));
  // The upper factor is the transpose of the lower one.
  Value result = isUpper ? transposed(c, factor) : factor;
  if (c.numResults() == 1)
    return one(finish(c, 0, result));
  Value info =
      firstBadPivot(c.builder, labelOf(c), factor, /*isPositive=*/true);
  return SmallVector<Value>{finish(c, 0, result),
                            c.reshape(info, c.result(1).getShape())};
}

/// x of a x = y, or of x a = y if not `isLeft`, for a triangle.
static Value solve(TorchCall &c, Value a, Value y, bool isUpper, bool isUnit,
                   bool isLeft = true) {
  if (isLeft)
    return solveTriangular(c.builder, labelOf(c), a, y, !isUpper, isUnit);
  // The same with everything transposed.
  return transposed(c, solveTriangular(c.builder, labelOf(c), transposed(c, a),
                                       transposed(c, y), isUpper, isUnit));
}

Lowered lowerings::triangularEquation(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  return one(finish(c, 0,
                    solve(c, matrices(c, 0), matrices(c, 1), c.flag(2),
                          c.flag(4), c.flag(3))));
}

Lowered lowerings::triangularSolve(TorchCall &c) {
  if (failed(checkSteps(c, 1)))
    return failure();
  const bool isTransposed = c.flag(3);
  Value a = matrices(c, 1, isTransposed);
  Value x = solve(c, a, matrices(c, 0), c.flag(2) != isTransposed, c.flag(4));
  return SmallVector<Value>{finish(c, 0, x), finish(c, 1, matrices(c, 1))};
}

/// (l l^T)^-1 y, of a factor that may be the upper one.
static Value solveFactored(TorchCall &c, Value factor, Value y, bool isUpper) {
  Value first = isUpper ? transposed(c, factor) : factor;
  Value second = isUpper ? factor : transposed(c, factor);
  return solve(c, second, solve(c, first, y, false, false), true, false);
}

Lowered lowerings::choleskySolve(TorchCall &c) {
  if (failed(checkSteps(c, 1)))
    return failure();
  return one(finish(
      c, 0, solveFactored(c, matrices(c, 1), matrices(c, 0), c.flag(2))));
}

Lowered lowerings::choleskyInverse(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  Value factor = matrices(c, 0);
  return one(finish(
      c, 0, solveFactored(c, factor, identityLike(c, factor), c.flag(1))));
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

/// Pivots as PyTorch numbers them: from 1, in i32.
static Value numbered(TorchCall &c, unsigned i, Value pivots) {
  Type i64 = c.builder.getI64Type();
  Value numbers = c.apply<AddOp>({pivots, c.scalar(1, i64)});
  return c.reshape(c.cast(numbers, c.builder.getI32Type()),
                   c.result(i).getShape());
}

/// The pivots of argument `i` from 0, (batch, count).
static Value givenPivots(TorchCall &c, unsigned i, int64_t batch) {
  Type i64 = c.builder.getI64Type();
  Value pivots = c.cast(c.tensor(i), i64);
  const int64_t count = tensorType(pivots).getShape().back();
  pivots = c.apply<SubOp>({pivots, c.scalar(1, i64)});
  SmallVector<int64_t> whole(c.result().getShape().drop_back(2));
  whole.push_back(count);
  return c.reshape(c.expand(pivots, whole), {batch, count});
}

/// The triangles of l u, (batch, m, k) and (batch, k, n).
static std::pair<Value, Value> triangles(TorchCall &c, Value lu) {
  RankedTensorType type = tensorType(lu);
  const int64_t batch = type.getDimSize(0), rows = type.getDimSize(1),
                columns = type.getDimSize(2), size = std::min(rows, columns);
  auto part = [&](int64_t m, int64_t n, bool isLower) {
    Value x = c.slice(c.slice(lu, 1, 0, m), 2, 0, n);
    if (tensorType(x).getNumElements() == 0)
      return x;
    Type f32 = c.builder.getF32Type(), i32 = c.builder.getI32Type();
    Value row = c.positions({1, m, n}, 1, i32),
          column = c.positions({1, m, n}, 2, i32);
    Value isKept = c.compare(
        isLower ? ComparePredicate::GT : ComparePredicate::LE, row, column);
    Value diagonal =
        isLower ? c.cast(c.compare(ComparePredicate::EQ, row, column), f32)
                : c.scalar(0, f32);
    return c.expand(c.select(isKept, x, diagonal), {batch, m, n});
  };
  return {part(rows, size, true), part(size, columns, false)};
}

/// The matrix that moves row i of l u to where it was.
static Value permutation(TorchCall &c, Value order) {
  RankedTensorType type = tensorType(order);
  const int64_t batch = type.getDimSize(0), rows = type.getDimSize(1);
  if (batch * rows == 0)
    return c.expand(c.scalar(0, c.builder.getF32Type()), {batch, rows, rows});
  Value index = c.positions({1, rows, 1}, 1, c.builder.getI64Type());
  Value own = c.reshape(order, {batch, 1, rows});
  return c.cast(c.compare(ComparePredicate::EQ, index, own),
                c.builder.getF32Type());
}

Lowered lowerings::luDecomposition(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  if (!c.flag(1))
    return c.refuse("pivot must be true, as on PyTorch's CPU");
  Value a = asMatrices(c.builder, c.tensor(0));
  const LuFactor factor = luFactor(c.builder, labelOf(c), a);
  // linalg_lu gives matrices, linalg_lu_factor_ex the factor and its pivots.
  if (c.op.schema.name == "aten.linalg_lu") {
    Value order = orderOfPivots(c.builder, labelOf(c), factor.pivots,
                                tensorType(a).getDimSize(1));
    auto [l, u] = triangles(c, factor.lu);
    return SmallVector<Value>{finish(c, 0, permutation(c, order)),
                              finish(c, 1, l), finish(c, 2, u)};
  }
  return SmallVector<Value>{finish(c, 0, factor.lu),
                            numbered(c, 1, factor.pivots),
                            c.reshape(factor.info, c.result(2).getShape())};
}

Lowered lowerings::unpackLu(TorchCall &c) {
  Value lu = asMatrices(c.builder, c.tensor(0));
  const int64_t batch = tensorType(lu).getDimSize(0),
                rows = tensorType(lu).getDimSize(1);
  auto nothing = [&](unsigned i) {
    return c.expand(c.scalar(0, c.resultElement(i)), c.result(i).getShape());
  };
  SmallVector<Value> results = {nothing(0), nothing(1), nothing(2)};
  if (c.flag(2)) {
    auto [l, u] = triangles(c, lu);
    results[1] = finish(c, 1, l);
    results[2] = finish(c, 2, u);
  }
  if (c.flag(3)) {
    Type i64 = c.builder.getI64Type();
    Value pivots = c.apply<SubOp>({c.cast(c.tensor(1), i64), c.scalar(1, i64)});
    pivots = c.reshape(pivots, {batch, tensorType(pivots).getShape().back()});
    results[0] = finish(
        c, 0,
        permutation(c, orderOfPivots(c.builder, labelOf(c), pivots, rows)));
  }
  return results;
}

/// x of a x = y, or of a^T x = y, for a factor with `pivots` of a.
static Value solveLu(TorchCall &c, Value lu, Value pivots, Value y,
                     bool isTransposed) {
  Value order = orderOfPivots(c.builder, labelOf(c), pivots,
                              tensorType(lu).getDimSize(1));
  if (!isTransposed) {
    y = takeRows(c.builder, labelOf(c), y, order);
    return solve(c, lu, solve(c, lu, y, false, true), true, false);
  }
  Value factor = transposed(c, lu);
  y = solve(c, factor, solve(c, factor, y, false, false), true, true);
  return takeRows(c.builder, labelOf(c), y,
                  invertOrder(c.builder, labelOf(c), order));
}

Lowered lowerings::luSolve(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  const bool isLeft = c.flag(3);
  Value lu = matrices(c, 0), y = matrices(c, 2, !isLeft);
  Value pivots = givenPivots(c, 1, tensorType(lu).getDimSize(0));
  // x a = y is a^T x^T = y^T.
  Value x = solveLu(c, lu, pivots, y, c.flag(4) == isLeft);
  return one(finish(c, 0, isLeft ? x : transposed(c, x)));
}

Lowered lowerings::solveEquation(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  const bool isLeft = c.flag(2);
  Type f32 = c.builder.getF32Type();
  Value y = c.operand(1, f32);
  SmallVector<int64_t> whole(c.result().getShape());
  if (c.result().getRank() < c.type(0).rank()) { // a vector for each matrix
    SmallVector<int64_t> column(tensorType(y).getShape());
    column.push_back(1);
    y = c.reshape(y, column);
    whole.push_back(1);
  } else {
    y = c.expand(y, whole);
  }
  y = asMatrices(c.builder, c.expand(y, whole), !isLeft);
  Value a = c.operand(0, f32);
  ArrayRef<int64_t> shape = tensorType(a).getShape();
  SmallVector<int64_t> square(ArrayRef(whole).drop_back(2));
  square.append(shape.end() - 2, shape.end());
  const LuFactor factor =
      luFactor(c.builder, labelOf(c), asMatrices(c.builder, a));
  // The factors of each matrix once, whatever batch they are read for.
  auto widened = [&](Value x, ArrayRef<int64_t> inner) {
    SmallVector<int64_t> own(shape.drop_back(2)), wide(square);
    wide.resize(wide.size() - 2);
    own.append(inner.begin(), inner.end());
    wide.append(inner.begin(), inner.end());
    x = c.expand(c.reshape(x, own), wide);
    SmallVector<int64_t> flat = {tensorType(y).getDimSize(0)};
    flat.append(inner.begin(), inner.end());
    return c.reshape(x, flat);
  };
  const int64_t size = shape.back();
  Value x = solveLu(c, widened(factor.lu, {size, size}),
                    widened(factor.pivots, {size}), y, !isLeft);
  if (!isLeft)
    x = transposed(c, x);
  return SmallVector<Value>{finish(c, 0, x), finish(c, 1, factor.lu),
                            numbered(c, 2, factor.pivots),
                            c.reshape(factor.info, c.result(3).getShape())};
}

Lowered lowerings::inverse(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  Value a = asMatrices(c.builder, c.tensor(0));
  const LuFactor factor = luFactor(c.builder, labelOf(c), a);
  Value x = solveLu(c, factor.lu, factor.pivots, identityLike(c, a), false);
  return SmallVector<Value>{finish(c, 0, x),
                            c.reshape(factor.info, c.result(1).getShape())};
}

/// (batch): -1 if the exchanges of rows are odd, else 1.
static Value signOfPivots(TorchCall &c, Value pivots) {
  RankedTensorType type = tensorType(pivots);
  Type f32 = c.builder.getF32Type();
  Value index = c.positions({1, type.getDimSize(1)}, 1, type.getElementType());
  Value isMoved = c.compare(ComparePredicate::NE, pivots, index);
  Value signs = c.select(isMoved, c.scalar(-1, f32), c.scalar(1, f32));
  return c.reduce(ReduceKind::Prod, signs, {1}, false);
}

/// The diagonal of matrices, (batch, n).
static Value diagonalOf(TorchCall &c, Value x) {
  RankedTensorType type = tensorType(x);
  const int64_t batch = type.getDimSize(0), size = type.getDimSize(1);
  auto point = [&](KernelBuilder &k) {
    return SmallVector<Value>{k.load(0, {k.dim(0), k.dim(1), k.dim(1)})};
  };
  return pointKernel(c.builder, labelOf(c),
                     TypeRange(type.clone({batch, size})), x, {}, point)
      .front();
}

Lowered lowerings::determinant(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  const bool isLog = c.numResults() == 4;
  const unsigned first = isLog ? 2 : 1;
  Type f32 = c.builder.getF32Type();
  const ArrayRef<int64_t> shape = c.result().getShape();
  if (c.type(0).sizes[c.type(0).rank() - 1] == 0) {
    SmallVector<Value> results = {
        c.cast(c.expand(c.scalar(1, f32), shape), c.resultElement())};
    for (unsigned i = 1; i < c.numResults(); ++i)
      results.push_back(
          c.expand(c.scalar(0, c.resultElement(i)), c.result(i).getShape()));
    return results;
  }
  // PyTorch factors the transposes of contiguous matrices, and what reads the
  // factors, its gradient, knows that.
  Value a = asMatrices(c.builder, c.tensor(0), true);
  const LuFactor factor = luFactor(c.builder, labelOf(c), a);
  Value diagonal = diagonalOf(c, factor.lu);
  Value sign = signOfPivots(c, factor.pivots);
  SmallVector<Value> results;
  if (isLog) {
    Value signs =
        c.reduce(ReduceKind::Prod, c.apply<SignOp>({diagonal}), {1}, false);
    results.push_back(finish(c, 0, c.apply<MulOp>({sign, signs})));
    Value logs = c.apply<LogOp>({c.apply<AbsOp>({diagonal})});
    results.push_back(
        finish(c, 1, c.reduce(ReduceKind::Sum, logs, {1}, false)));
  } else {
    Value size = c.reduce(ReduceKind::Prod, diagonal, {1}, false);
    results.push_back(finish(c, 0, c.apply<MulOp>({size, sign})));
  }
  results.push_back(finish(c, first, factor.lu));
  results.push_back(numbered(c, first + 1, factor.pivots));
  return results;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// By Taylor's series of a / 2^s, squared s times, where s is that of each
/// matrix: its norm over 2^s is at most 1. Norms up to 2^maxSquarings.
Lowered lowerings::matrixExponential(TorchCall &c) {
  static constexpr int64_t degree = 12, maxSquarings = 12;
  if (c.result().getNumElements() == 0)
    return one(c.tensor(0));
  Type f32 = c.builder.getF32Type();
  Value a = asMatrices(c.builder, c.tensor(0));
  // The largest sum of magnitudes of a column.
  Value norm = c.reduce(
      ReduceKind::Max,
      c.reduce(ReduceKind::Sum, c.apply<AbsOp>({a}), {1}, true), {2}, true);
  Value squarings = c.apply<CeilOp>({c.apply<Log2Op>({norm})});
  squarings = c.apply<MaxOp>({squarings, c.scalar(0, f32)});
  Value scaled = c.apply<DivOp>({a, c.apply<Exp2Op>({squarings})});
  // Horner: 1 + a (1 + a/2 (1 + a/3 (...))).
  Value unit = identityLike(c, a), sum = unit;
  for (int64_t i = degree; i >= 1; --i) {
    Value term = c.apply<DivOp>(
        {productOfMatrices(c, scaled, sum), c.scalar(double(i), f32)});
    sum = c.apply<AddOp>({unit, term});
  }
  for (int64_t i = 0; i < maxSquarings; ++i) {
    Value isOpen =
        c.compare(ComparePredicate::LT, c.scalar(double(i), f32), squarings);
    sum = c.select(isOpen, productOfMatrices(c, sum, sum), sum);
  }
  Value isTooLarge = c.compare(ComparePredicate::LT,
                               c.scalar(double(maxSquarings), f32), squarings);
  sum = c.select(isTooLarge,
                 c.scalar(std::numeric_limits<double>::quiet_NaN(), f32), sum);
  return one(finish(c, 0, sum));
}

/// The first columns of the product of reflections 1 - tau v v^T, where v is
/// 1 on the diagonal and a column of the argument below it.
Lowered lowerings::householderProduct(TorchCall &c) {
  if (failed(checkSteps(c, 0)))
    return failure();
  if (c.result().getNumElements() == 0)
    return one(c.tensor(0));
  Value v = asMatrices(c.builder, c.tensor(0));
  RankedTensorType type = tensorType(v);
  const int64_t batch = type.getDimSize(0), rows = type.getDimSize(1),
                columns = type.getDimSize(2);
  Type f32 = c.builder.getF32Type();
  Value taus = c.operand(1, f32);
  const int64_t count = tensorType(taus).getShape().back();
  taus = c.reshape(taus, {batch, count});
  Type i32 = c.builder.getI32Type();
  Value isDiagonal =
      c.compare(ComparePredicate::EQ, c.positions({1, rows, columns}, 1, i32),
                c.positions({1, rows, columns}, 2, i32));
  Value q = c.expand(c.cast(isDiagonal, f32), type.getShape());
  Value row = c.positions({1, rows, 1}, 1, i32);
  for (int64_t i = count - 1; i >= 0; --i) {
    Value own = c.scalar(double(i), c.builder.getI32Type());
    Value column = c.slice(v, 2, i, 1);
    column = c.select(c.compare(ComparePredicate::GT, row, own), column,
                      c.cast(c.compare(ComparePredicate::EQ, row, own), f32));
    Value tau = c.reshape(c.slice(taus, 1, i, 1), {batch, 1, 1});
    Value weights = productOfMatrices(c, transposed(c, column), q);
    Value change = c.apply<MulOp>({column, c.apply<MulOp>({tau, weights})});
    q = c.apply<SubOp>({q, change});
  }
  return one(finish(c, 0, q));
}
