// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float contractions, named or written as generics, to gaudi.mme.gemm.
//
// Every loop has a role by the operands that vary with it: in both factors and
// the result, batch; in one factor and the result, row or column; in both
// factors only, reduced. Loops of one role are collapsed into one dimension.
#include "Nest.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

/// The block argument before float casts that lose nothing, or null.
static BlockArgument widenedArgument(Value value, Nest &nest) {
  while (auto cast = value.getDefiningOp<arith::ExtFOp>())
    value = cast.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != nest.body ||
      argument.getArgNumber() >= nest.numInputs())
    return {};
  return argument;
}

FailureOr<MultiplyAdd> fromlinalg::matchFloatMultiplyAdd(Nest &nest,
                                                         Matcher &m) {
  if (nest.numOutputs() != 1)
    return failure();
  auto sum = matchReduction(nest, 0);
  if (!sum || sum->kind != KernelReduce::Add)
    return failure();
  Value product = sum->value;
  // Widening the product is exact; the engine accumulates in f32 anyway.
  while (auto cast = product.getDefiningOp<arith::ExtFOp>())
    product = cast.getIn();
  if (product.getDefiningOp<arith::MulIOp>())
    return m.refuse("the matrix engine does not multiply integers");
  auto multiply = product.getDefiningOp<arith::MulFOp>();
  if (!multiply)
    return failure();
  BlockArgument lhs = widenedArgument(multiply.getLhs(), nest);
  BlockArgument rhs = widenedArgument(multiply.getRhs(), nest);
  if (lhs && lhs == rhs)
    return failure(); // a sum of squares
  if (!lhs || !rhs)
    return m.refuse(
        "the factors are computed or converted from integers first");
  for (BlockArgument factor : {lhs, rhs})
    if (!isa<RankedTensorType>(nest.input(factor.getArgNumber()).getType()))
      return m.refuse("a factor is a scalar");
  return MultiplyAdd{lhs.getArgNumber(), rhs.getArgNumber()};
}

namespace {
/// The loop dimensions of a contraction, sorted into those of a gemm.
struct GemmDims {
  DimList batch, m, n, k;
};

/// One factor as it is read.
struct Factor {
  Value operand;
  DimList dims; ///< Per tensor dimension.
};

struct GemmPlan {
  Factor lhs, rhs;
  DimList out;
  GemmDims dims;
};
} // namespace

/// `groups` one after the other.
static DimList joined(ArrayRef<DimList> groups) {
  DimList result;
  for (const DimList &group : groups)
    result.append(group);
  return result;
}

/// The dimensions of `dims` that `tensorDims` has, in the order of `dims`.
static DimList presentIn(ArrayRef<int64_t> tensorDims, ArrayRef<int64_t> dims) {
  DimList result;
  for (int64_t dim : dims)
    if (has(tensorDims, dim))
      result.push_back(dim);
  return result;
}

/// Brings an operand to [batch.., rows, columns], or [batch.., columns, rows]
/// when it is stored so already (`transposed`).
static Value arrangeFactor(OpBuilder &b, Nest &nest, Value operand,
                           ArrayRef<int64_t> dims, ArrayRef<int64_t> batch,
                           const DimList &rows, const DimList &columns,
                           bool &transposed) {
  DimList present;
  for (int64_t dim : dims)
    if (dim != unitDim)
      present.push_back(dim);
  DimList ownBatch = presentIn(dims, batch);
  // The engine reads both orders at full speed; another one needs a transpose.
  transposed = present != joined({ownBatch, rows, columns}) &&
               present == joined({ownBatch, columns, rows});
  const DimList &first = transposed ? columns : rows;
  const DimList &second = transposed ? rows : columns;
  SmallVector<int64_t> shape;
  // A factor without a batch dimension is broadcast along it.
  for (int64_t dim : batch)
    shape.push_back(has(dims, dim) ? nest.extents[dim] : 1);
  shape.push_back(nest.extentOf(first));
  shape.push_back(nest.extentOf(second));
  return relayout(b, nest.op.getLoc(), operand, dims,
                  joined({ownBatch, first, second}), nest.extents, shape);
}

/// Checks that every dimension has a role, and collects the reduced ones.
static FailureOr<DimList> matchRoles(Nest &nest, ArrayRef<int64_t> lhs,
                                     ArrayRef<int64_t> rhs,
                                     ArrayRef<int64_t> out, Matcher &m) {
  DimList reduced;
  for (int64_t dim : lhs)
    if (dim != unitDim && !has(out, dim)) {
      if (!has(rhs, dim))
        return m.refuse("a reduced dimension is not in both factors");
      reduced.push_back(dim);
    }
  for (unsigned dim = 0; dim < nest.numLoops(); ++dim) {
    if (nest.isUnit(dim))
      continue;
    bool written = has(out, dim);
    if (written == nest.reduction[dim])
      return m.refuse(
          "the result misses a parallel dimension or keeps a reduced one");
    if ((!has(lhs, dim) && !has(rhs, dim)) ||
        (!written && has(rhs, dim) != has(lhs, dim)))
      return m.refuse("a dimension is in none or only one of the factors");
  }
  return reduced;
}

/// Sorts the dimensions of the result. Rows are read by lhs only, columns by
/// rhs only; if the result ends with a row, the factors are exchanged first
/// ([.., n, m] is the product of the transposed factors in the other order).
/// Then the result's last run of columns is n and the run of rows before it m.
/// The rest is batch, also dimensions of one factor only, along which the other
/// is broadcast.
static void sortResultDims(GemmPlan &plan) {
  DimList order;
  for (int64_t dim : plan.out)
    if (dim != unitDim)
      order.push_back(dim);
  auto isRow = [&](int64_t dim) {
    return has(plan.lhs.dims, dim) && !has(plan.rhs.dims, dim);
  };
  auto isColumn = [&](int64_t dim) {
    return has(plan.rhs.dims, dim) && !has(plan.lhs.dims, dim);
  };
  auto reversed = llvm::reverse(order);
  auto last = llvm::find_if(
      reversed, [&](int64_t dim) { return isRow(dim) || isColumn(dim); });
  if (last != reversed.end() && isRow(*last) && llvm::any_of(order, isColumn))
    std::swap(plan.lhs, plan.rhs);
  // From the end of the result, so that it is written as the gemm leaves it:
  // the fewest transposes follow. Shared dimensions in between are batch.
  DimList rest;
  for (int64_t dim : order)
    if (isRow(dim) || isColumn(dim))
      rest.push_back(dim);
  GemmDims &dims = plan.dims;
  while (!rest.empty() && isColumn(rest.back()))
    dims.n.insert(dims.n.begin(), rest.pop_back_val());
  while (!rest.empty() && isRow(rest.back()))
    dims.m.insert(dims.m.begin(), rest.pop_back_val());
  for (int64_t dim : order)
    if (!has(dims.n, dim) && !has(dims.m, dim))
      dims.batch.push_back(dim);
}

/// The engine multiplies one format; widening is exact.
static void widenToCommonType(OpBuilder &b, Location loc, Value &lhs,
                              Value &rhs) {
  Type lhsType = getElementTypeOrSelf(lhs), rhsType = getElementTypeOrSelf(rhs);
  if (lhsType == rhsType)
    return;
  // Of two formats of one width neither holds the other's values: bf16 holds
  // those of both f8 formats, f32 those of bf16 and f16.
  unsigned left = lhsType.getIntOrFloatBitWidth();
  unsigned right = rhsType.getIntOrFloatBitWidth();
  Type wide = left > right ? lhsType : rhsType;
  if (left == right)
    wide = left == 8 ? Type(b.getBF16Type()) : Type(b.getF32Type());
  lhs = castTo(b, loc, lhs, wide);
  rhs = castTo(b, loc, rhs, wide);
}

static Value createGemm(Conversion &c, Nest &nest, const GemmPlan &plan) {
  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  const GemmDims &dims = plan.dims;
  Value lhs = plan.lhs.operand, rhs = plan.rhs.operand;
  widenToCommonType(b, loc, lhs, rhs);
  bool transposeLhs = false, storedAsNK = false;
  lhs = arrangeFactor(b, nest, lhs, plan.lhs.dims, dims.batch, dims.m, dims.k,
                      transposeLhs);
  rhs = arrangeFactor(b, nest, rhs, plan.rhs.dims, dims.batch, dims.k, dims.n,
                      storedAsNK);
  SmallVector<int64_t> shape;
  for (int64_t dim : dims.batch)
    shape.push_back(nest.extents[dim]);
  shape.push_back(nest.extentOf(dims.m));
  shape.push_back(nest.extentOf(dims.n));

  // The product sums in the init's type, or the init is added after it.
  SumInit init(c, nest.op, nest.init(0));
  Value result =
      GemmOp::create(b, loc, RankedTensorType::get(shape, init.sumElement()),
                     lhs, rhs, transposeLhs, storedAsNK);
  auto type = tensorType(nest.init(0));
  result = relayout(b, loc, result, joined({dims.batch, dims.m, dims.n}),
                    plan.out, nest.extents, type.getShape());
  return init.addTo(c, loc, result);
}

LinalgMatch fromlinalg::raiseContraction(Nest &nest, Matcher &m) {
  if (!nest.hasReduction())
    return failure();
  auto factors = matchFloatMultiplyAdd(nest, m);
  if (failed(factors))
    return failure();
  auto lhs = nest.inputDims(factors->lhs), rhs = nest.inputDims(factors->rhs);
  auto out = nest.outputDims(0);
  if (!lhs || !rhs || !out)
    return m.refuse("an operand is not read whole and without repetition");
  auto reduced = matchRoles(nest, *lhs, *rhs, *out, m);
  if (failed(reduced))
    return failure();
  GemmPlan plan{{nest.input(factors->lhs), *lhs},
                {nest.input(factors->rhs), *rhs},
                *out,
                {}};
  plan.dims.k = *reduced;
  sortResultDims(plan);
  return build(
      [&nest, plan](Conversion &c) { return createGemm(c, nest, plan); });
}
