// Float contractions, named or written as generics, to gaudi.mme.gemm.
#include "Nest.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

/// The block argument behind float casts that lose nothing, or null.
static BlockArgument widenedArgument(Value value, Nest &nest) {
  while (auto cast = value.getDefiningOp<arith::ExtFOp>())
    value = cast.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != nest.body ||
      argument.getArgNumber() >= nest.numInputs())
    return {};
  return argument;
}

std::optional<MultiplyAdd> fromlinalg::matchFloatMultiplyAdd(Nest &nest,
                                                             std::string &why) {
  why = ""; // no contraction at all
  if (nest.numOutputs() != 1)
    return std::nullopt;
  auto sum = matchReduction(nest, 0);
  if (!sum || sum->kind != Combiner::Add)
    return std::nullopt;
  Value product = sum->value;
  while (auto cast = product.getDefiningOp<arith::ExtFOp>())
    product = cast.getIn();
  if (product.getDefiningOp<arith::MulIOp>()) {
    why = "the matrix engine does not multiply integers";
    return std::nullopt;
  }
  auto multiply = product.getDefiningOp<arith::MulFOp>();
  if (!multiply)
    return std::nullopt;
  BlockArgument lhs = widenedArgument(multiply.getLhs(), nest);
  BlockArgument rhs = widenedArgument(multiply.getRhs(), nest);
  if (lhs && lhs == rhs)
    return std::nullopt; // a sum of squares
  why = "the factors are computed or converted from integers first";
  if (!lhs || !rhs)
    return std::nullopt;
  why = "a factor is a scalar";
  for (BlockArgument factor : {lhs, rhs})
    if (!isa<RankedTensorType>(nest.input(factor.getArgNumber()).getType()))
      return std::nullopt;
  return MultiplyAdd{lhs.getArgNumber(), rhs.getArgNumber()};
}

namespace {
/// The loop dimensions of a contraction, sorted into those of a gemm.
struct GemmDims {
  DimList batch, m, n, k;
};
} // namespace

static bool has(ArrayRef<int64_t> dims, int64_t dim) {
  return llvm::is_contained(dims, dim);
}

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

static int64_t product(ArrayRef<int64_t> extents, ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= extents[dim];
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
  transposed = present != joined({ownBatch, rows, columns}) &&
               present == joined({ownBatch, columns, rows});
  const DimList &first = transposed ? columns : rows;
  const DimList &second = transposed ? rows : columns;
  SmallVector<int64_t> shape;
  for (int64_t dim : batch)
    shape.push_back(has(dims, dim) ? nest.extents[dim] : 1);
  shape.push_back(product(nest.extents, first));
  shape.push_back(product(nest.extents, second));
  return relayout(b, nest.op.getLoc(), operand, dims,
                  joined({ownBatch, first, second}), nest.extents, shape);
}

/// Sorts the loop dimensions. `rows` is read by lhs only, `columns` by rhs
/// only. The result's last run of columns is n, the run of rows before it m;
/// what stands before is a batch dimension (repeated in a factor without it).
static std::optional<GemmDims> sortDims(Nest &nest, ArrayRef<int64_t> lhs,
                                        ArrayRef<int64_t> rhs,
                                        ArrayRef<int64_t> out,
                                        bool &swapFactors, std::string &why) {
  GemmDims dims;
  for (int64_t dim : lhs)
    if (dim != unitDim && !has(out, dim)) {
      why = "a reduced dimension is not in both factors";
      if (!has(rhs, dim))
        return std::nullopt;
      dims.k.push_back(dim);
    }
  for (unsigned dim = 0; dim < nest.numLoops(); ++dim) {
    if (nest.isUnit(dim))
      continue;
    bool written = has(out, dim);
    why = "the result misses a parallel dimension or keeps a reduced one";
    if (written == nest.reduction[dim])
      return std::nullopt;
    why = "a dimension is in none or only one of the factors";
    if (!has(lhs, dim) && !has(rhs, dim))
      return std::nullopt;
    if (!written && has(rhs, dim) != has(lhs, dim))
      return std::nullopt;
  }
  DimList order;
  for (int64_t dim : out)
    if (dim != unitDim)
      order.push_back(dim);
  auto isRow = [&](int64_t dim) { return has(lhs, dim) && !has(rhs, dim); };
  auto isColumn = [&](int64_t dim) { return has(rhs, dim) && !has(lhs, dim); };
  // [.., n, m]: the product of the transposed factors in the other order.
  swapFactors = false;
  for (int64_t dim : llvm::reverse(order))
    if (isRow(dim) || isColumn(dim)) {
      bool hasColumn = llvm::any_of(order, isColumn);
      swapFactors = isRow(dim) && hasColumn;
      break;
    }
  auto isLast = [&](int64_t dim) {
    return swapFactors ? isRow(dim) : isColumn(dim);
  };
  auto isMiddle = [&](int64_t dim) {
    return swapFactors ? isColumn(dim) : isRow(dim);
  };
  // A batch dimension inside or behind the matrix is moved to the front.
  DimList rest;
  for (int64_t dim : order)
    if (isLast(dim) || isMiddle(dim))
      rest.push_back(dim);
    else
      dims.batch.push_back(dim);
  while (!rest.empty() && isLast(rest.back()))
    dims.n.insert(dims.n.begin(), rest.pop_back_val());
  while (!rest.empty() && isMiddle(rest.back()))
    dims.m.insert(dims.m.begin(), rest.pop_back_val());
  // Whatever is left alternates; repeat it in the factor that misses it, in
  // the order of the result.
  DimList batch;
  for (int64_t dim : order)
    if (has(dims.batch, dim) || has(rest, dim))
      batch.push_back(dim);
  dims.batch = batch;
  return dims;
}

Raised fromlinalg::raiseContraction(Conversion &c, Nest &nest,
                                    std::string &why) {
  why = "";
  if (!nest.hasReduction())
    return std::nullopt;
  auto factors = matchFloatMultiplyAdd(nest, why);
  if (!factors)
    return std::nullopt;
  why = "an operand is not read whole and without repetition";
  auto lhsDims = nest.inputDims(factors->lhs);
  auto rhsDims = nest.inputDims(factors->rhs);
  auto outDims = nest.outputDims(0);
  if (!lhsDims || !rhsDims || !outDims)
    return std::nullopt;
  bool swapFactors = false;
  auto dims = sortDims(nest, *lhsDims, *rhsDims, *outDims, swapFactors, why);
  if (!dims)
    return std::nullopt;

  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  Value lhs = nest.input(factors->lhs), rhs = nest.input(factors->rhs);
  if (swapFactors) {
    std::swap(lhs, rhs);
    std::swap(lhsDims, rhsDims);
  }
  // The engine multiplies one format; widening is exact.
  Type lhsType = getElementTypeOrSelf(lhs), rhsType = getElementTypeOrSelf(rhs);
  if (lhsType != rhsType) {
    unsigned left = lhsType.getIntOrFloatBitWidth();
    unsigned right = rhsType.getIntOrFloatBitWidth();
    Type wide = left > right ? lhsType : rhsType;
    if (left == right)
      wide = left == 8 ? Type(b.getBF16Type()) : Type(b.getF32Type());
    lhs = castTo(b, loc, lhs, wide);
    rhs = castTo(b, loc, rhs, wide);
  }
  bool transposeLhs = false, storedAsNK = false;
  lhs = arrangeFactor(b, nest, lhs, *lhsDims, dims->batch, dims->m, dims->k,
                      transposeLhs);
  rhs = arrangeFactor(b, nest, rhs, *rhsDims, dims->batch, dims->k, dims->n,
                      storedAsNK);
  auto type = cast<RankedTensorType>(nest.init(0).getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : dims->batch)
    shape.push_back(nest.extents[dim]);
  shape.push_back(product(nest.extents, dims->m));
  shape.push_back(product(nest.extents, dims->n));

  Value init = definedContents(c, nest.op, nest.init(0));
  TypedAttr fill = knownFill(init);
  bool startsFromZero = fill && isIdentity(Combiner::Add, fill);
  Type element = type.getElementType();
  // With an initial value the sum is made in f32 and rounded once.
  Type gemmElement = startsFromZero ? element : Type(b.getF32Type());
  Value result =
      GemmOp::create(b, loc, RankedTensorType::get(shape, gemmElement), lhs,
                     rhs, transposeLhs, storedAsNK);
  result = relayout(b, loc, result, joined({dims->batch, dims->m, dims->n}),
                    *outDims, nest.extents, type.getShape());
  if (!startsFromZero) {
    Value wide = castTo(b, loc, init, b.getF32Type());
    result = AddOp::create(b, loc, result.getType(), result, wide);
    result = castTo(b, loc, result, element);
  }
  return SmallVector<Value>{result};
}
