// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot_general and dot: floats on the matrix engine, integers as TPC kernels.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The dimensions of one operand by what they do, each in the order of the
/// result or of the pairing.
struct ProductSide {
  Value value;
  SmallVector<int64_t> batch, contracting, free;

  int64_t sizeOf(ArrayRef<int64_t> dims) const {
    int64_t size = 1;
    for (int64_t dim : dims)
      size *= tensorType(value).getDimSize(dim);
    return size;
  }
};

struct Product {
  ProductSide lhs, rhs;
  RankedTensorType result;

  SmallVector<int64_t> batchSizes() const {
    SmallVector<int64_t> sizes;
    for (int64_t dim : lhs.batch)
      sizes.push_back(tensorType(lhs.value).getDimSize(dim));
    return sizes;
  }
};
} // namespace

/// Puts the operand's dimensions into the order [batch, rows, columns] and
/// merges rows and columns. `isSwapped` is set if the order [batch, columns,
/// rows] takes no transpose but the other one would.
static Value arrange(const ProductSide &side, ArrayRef<int64_t> rows,
                     ArrayRef<int64_t> columns, bool &isSwapped,
                     HloBuilder &b) {
  auto straight =
      llvm::to_vector(llvm::concat<const int64_t>(side.batch, rows, columns));
  auto swapped =
      llvm::to_vector(llvm::concat<const int64_t>(side.batch, columns, rows));
  isSwapped = !llvm::is_sorted(straight) && llvm::is_sorted(swapped);
  Value value = b.transpose(side.value, isSwapped ? swapped : straight);
  SmallVector<int64_t> shape(
      tensorType(value).getShape().take_front(side.batch.size()));
  shape.push_back(side.sizeOf(isSwapped ? columns : rows));
  shape.push_back(side.sizeOf(isSwapped ? rows : columns));
  return b.reshape(value, shape);
}

namespace {
/// Both operands as matrices, [batch, rows, depth] and [batch, depth, columns]
/// unless transposed.
struct Factors {
  Factors(const Product &product, HloBuilder &b)
      : lhs(arrange(product.lhs, product.lhs.free, product.lhs.contracting,
                    transposeA, b)),
        rhs(arrange(product.rhs, product.rhs.contracting, product.rhs.free,
                    transposeB, b)) {}

  bool transposeA = false, transposeB = false;
  Value lhs, rhs;
};
} // namespace

/// A product that sums nothing, of which one factor is a number per batch,
/// scales the other one: vector ops can join its neighbours.
static Value createScaling(const Product &product, const Factors &factors,
                           ArrayRef<int64_t> shape, HloBuilder &b) {
  auto wide = [&](Value value, int64_t rows, int64_t columns) -> Value {
    // A matrix with one row or column is its own transpose.
    SmallVector<int64_t> sizes = product.batchSizes();
    sizes.append({rows, columns});
    value = b.reshape(value, sizes);
    return b.cast(value, b.getF32Type());
  };
  const int64_t rank = shape.size();
  Value scaled = MulOp::create(b, RankedTensorType::get(shape, b.getF32Type()),
                               wide(factors.lhs, shape[rank - 2], 1),
                               wide(factors.rhs, 1, shape[rank - 1]));
  return b.cast(scaled, product.result.getElementType());
}

static Value createGemm(Operation *op, const Product &product, HloBuilder &b) {
  const Factors factors(product, b);
  SmallVector<int64_t> shape = product.batchSizes();
  shape.push_back(product.lhs.sizeOf(product.lhs.free));
  shape.push_back(product.rhs.sizeOf(product.rhs.free));
  if (product.lhs.sizeOf(product.lhs.contracting) == 1 &&
      (shape.back() == 1 || shape[shape.size() - 2] == 1))
    return b.reshape(createScaling(product, factors, shape, b),
                     product.result.getShape());
  Value gemm =
      GemmOp::create(b, product.result.clone(shape), factors.lhs, factors.rhs,
                     factors.transposeA, factors.transposeB);
  return b.reshape(gemm, product.result.getShape());
}

/// Sums run in the result's type, to which the factors are extended first.
static Value createIntegerProduct(Operation *op, const Product &product,
                                  HloBuilder &b) {
  Factors factors(product, b);
  const int64_t batch = product.lhs.sizeOf(product.lhs.batch);
  const int64_t rows = product.lhs.sizeOf(product.lhs.free);
  const int64_t columns = product.rhs.sizeOf(product.rhs.free);
  const int64_t depth = product.lhs.sizeOf(product.lhs.contracting);
  // A sum of no terms.
  if (depth == 0)
    return b.splat(product.result,
                   b.getZeroAttr(product.result.getElementType()));
  // A factor that is transposed is read so, not moved.
  auto flat = [&](Value value, int64_t i, int64_t j, bool isSwapped) {
    SmallVector<int64_t> shape{batch, isSwapped ? j : i, isSwapped ? i : j};
    return b.reshape(value, shape);
  };
  factors.lhs = flat(factors.lhs, rows, depth, factors.transposeA);
  factors.rhs = flat(factors.rhs, depth, columns, factors.transposeB);
  Type element = product.result.getElementType(), acc = kernelType(element);
  Value sum = b.pointKernel(
      op, product.result.clone({batch, rows, columns}),
      {factors.lhs, factors.rhs}, {depth}, [&](KernelBuilder &k) {
        auto load = [&](unsigned input, unsigned i, unsigned j,
                        bool isSwapped) {
          Value value = k.load(input, {k.dim(0), k.dim(isSwapped ? j : i),
                                       k.dim(isSwapped ? i : j)});
          k.setElementType(
              getElementTypeOrSelf(input == 0 ? factors.lhs : factors.rhs));
          return k.cast(value, element, RoundingMode::TowardZero);
        };
        return k
            .loop({3}, KernelReduce::Add, k.intConstant(0, acc),
                  [&](ValueRange) {
                    Value x = load(0, 1, 3, factors.transposeA);
                    Value y = load(1, 3, 2, factors.transposeB);
                    return SmallVector<Value>{k.binary<arith::MulIOp>(x, y)};
                  })
            .front();
      });
  return b.reshape(sum, product.result.getShape());
}

/// The dimensions of an operand that are neither batch nor contracting.
static void addFreeDims(ProductSide &side) {
  for (int64_t dim = 0; dim < tensorType(side.value).getRank(); ++dim)
    if (!llvm::is_contained(side.batch, dim) &&
        !llvm::is_contained(side.contracting, dim))
      side.free.push_back(dim);
}

static LogicalResult checkPairs(const Product &product, HloMatcher &m,
                                ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs,
                                StringRef what) {
  RankedTensorType a = tensorType(product.lhs.value);
  RankedTensorType b = tensorType(product.rhs.value);
  if (lhs.size() != rhs.size())
    return m.refuse("it names " + Twine(lhs.size()) + " " + what +
                    " dimensions of the left and " + Twine(rhs.size()) +
                    " of the right operand");
  for (auto [i, j] : llvm::zip_equal(lhs, rhs))
    if (a.getDimSize(i) != b.getDimSize(j))
      return m.refuse(
          what + " dimension " + Twine(i) + " of the left operand has size " +
              Twine(a.getDimSize(i)) + " but dimension " + Twine(j) +
              " of the right one has size " + Twine(b.getDimSize(j)),
          product.rhs.value.getLoc(), "the right operand");
  return success();
}

static HloMatch matchProduct(Operation *op, HloMatcher &m, Product product) {
  if (failed(checkPairs(product, m, product.lhs.batch, product.rhs.batch,
                        "batching")) ||
      failed(checkPairs(product, m, product.lhs.contracting,
                        product.rhs.contracting, "contracting")))
    return failure();
  for (ProductSide *side : {&product.lhs, &product.rhs}) {
    for (int64_t dim : side->batch)
      if (llvm::is_contained(side->contracting, dim))
        return m.refuse("dimension " + Twine(dim) +
                        " is both batching and contracting");
    addFreeDims(*side);
  }
  // Batch, then rows, then columns.
  SmallVector<int64_t> shape = product.batchSizes();
  for (const ProductSide *side : {&product.lhs, &product.rhs})
    for (int64_t dim : side->free)
      shape.push_back(tensorType(side->value).getDimSize(dim));
  if (shape != product.result.getShape())
    return m.refuse("the result must have type '" +
                    spelled(product.result.clone(shape)) + "'");
  Type a = getElementTypeOrSelf(product.lhs.value);
  Type b = getElementTypeOrSelf(product.rhs.value);
  Type c = product.result.getElementType();
  const bool isFloat = isFloatElement(a);
  if (isFloat != isFloatElement(b) || isFloat != isFloatElement(c) ||
      a.isInteger(1) || b.isInteger(1) || c.isInteger(1))
    return m.refuse("a product of '" + spelled(a) + "' and '" + spelled(b) +
                    "' to '" + spelled(c) +
                    "' runs on no engine; all must be floats or all integers");
  if (!isFloat)
    return build([op, product](HloBuilder &b) {
      return createIntegerProduct(op, product, b);
    });
  // The engine takes one format; f32 holds the narrower ones exactly.
  return build([op, product, isMixed = a != b](HloBuilder &b) mutable {
    if (isMixed)
      for (ProductSide *side : {&product.lhs, &product.rhs})
        side->value = b.cast(side->value, b.getF32Type());
    return createGemm(op, product, b);
  });
}

HloMatch gaudi::matchDotGeneral(Operation *op, HloMatcher &m) {
  auto numbers = m.fields("dot_dimension_numbers");
  if (failed(numbers))
    return failure();
  Product product{{op->getOperand(0), {}, {}, {}},
                  {op->getOperand(1), {}, {}, {}},
                  tensorType(op->getResult(0))};
  for (auto [side, prefix] :
       {std::pair(&product.lhs, "lhs"), std::pair(&product.rhs, "rhs")}) {
    const size_t rank = tensorType(side->value).getRank();
    auto batch =
        numbers->dims((Twine(prefix) + "_batching_dimensions").str(), rank);
    auto contracting =
        numbers->dims((Twine(prefix) + "_contracting_dimensions").str(), rank);
    if (failed(batch) || failed(contracting))
      return m.refuseAs(*numbers);
    side->batch = *batch;
    side->contracting = *contracting;
  }
  return matchProduct(op, m, product);
}

/// Of vectors and matrices: the last dimension with the first.
HloMatch gaudi::matchDot(Operation *op, HloMatcher &m) {
  const int64_t rank = tensorType(op->getOperand(0)).getRank();
  const int64_t other = tensorType(op->getOperand(1)).getRank();
  if (rank < 1 || rank > 2 || other < 1 || other > 2)
    return m.refuse("expected operands of rank 1 or 2");
  return matchProduct(op, m,
                      {{op->getOperand(0), {}, {rank - 1}, {}},
                       {op->getOperand(1), {}, {0}, {}},
                       tensorType(op->getResult(0))});
}
