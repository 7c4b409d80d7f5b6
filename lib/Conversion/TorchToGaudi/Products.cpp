// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of matrix products, convolutions and attention.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

/// [batch.., m, k] times [batch.., k, n] of one rank, to `element`. Batches of
/// size 1 are broadcast. The matrix engine has no integers: those are products
/// and sums on the vector cores.
static Value matrixProduct(TorchCall &c, Value a, Value b, Type element,
                           bool transposeB = false) {
  RankedTensorType left = tensorType(a), right = tensorType(b);
  const int64_t rank = left.getRank();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    shape.push_back(left.getDimSize(dim) == 1 ? right.getDimSize(dim)
                                              : left.getDimSize(dim));
  const int64_t rows = left.getDimSize(rank - 2),
                depth = left.getDimSize(rank - 1),
                columns = right.getDimSize(transposeB ? rank - 2 : rank - 1);
  shape.append({rows, columns});
  auto type = RankedTensorType::get(shape, element);
  if (depth == 0 || type.getNumElements() == 0)
    return c.expand(c.scalar(0, element), shape);
  if (isFloatElement(left.getElementType()))
    return GemmOp::create(c.builder, type, a, b, false, transposeB);
  SmallVector<int64_t> wideA(left.getShape()), wideB(right.getShape());
  if (transposeB)
    wideA.insert(wideA.end() - 1, 1);
  else
    wideA.push_back(1);
  wideB.insert(wideB.end() - 2, 1);
  Value products = c.apply<MulOp>({c.reshape(a, wideA), c.reshape(b, wideB)});
  return c.cast(
      c.reduce(ReduceKind::Sum, products, transposeB ? rank : rank - 1, false),
      element);
}

Lowered lowerings::matmul(TorchCall &c) {
  Value a = c.tensor(0), b = c.tensor(1);
  if (c.resultElement().isInteger(1))
    return c.refuse("a product of bool is not defined");
  // A vector is a row on the left, a column on the right.
  if (tensorType(a).getRank() == 1)
    a = c.withRank(a, 2);
  if (tensorType(b).getRank() == 1)
    b = c.reshape(b, {tensorType(b).getDimSize(0), 1});
  const int64_t rank =
      std::max(tensorType(a).getRank(), tensorType(b).getRank());
  // Rows of all batches times one matrix are one product.
  if (tensorType(b).getRank() == 2 && rank > 2) {
    const int64_t depth = tensorType(a).getShape().back();
    const int64_t rows =
        depth == 0 ? 0 : tensorType(a).getNumElements() / depth;
    if (depth > 0)
      a = c.reshape(a, {rows, depth});
    else
      return zeros(c);
    return one(c.reshape(matrixProduct(c, a, b, c.resultElement()),
                         c.result().getShape()));
  }
  Value result = matrixProduct(c, c.withRank(a, rank), c.withRank(b, rank),
                               c.resultElement());
  return one(c.reshape(result, c.result().getShape()));
}

/// What a product is computed in that something is added to: rounded once.
static Type sumType(TorchCall &c, bool isAdded) {
  return isAdded ? c.wideType(c.resultElement()) : c.resultElement();
}

Lowered lowerings::linear(TorchCall &c) {
  if (c.resultElement().isInteger(1))
    return c.refuse("a product of bool is not defined");
  if (c.result().getNumElements() == 0)
    return zeros(c);
  RankedTensorType input = tensorType(c.tensor(0));
  Value weight = c.tensor(1);
  const int64_t depth = input.getShape().back();
  weight = c.withRank(weight, 2);
  const int64_t columns = tensorType(weight).getDimSize(0);
  const int64_t rows = input.getNumElements() / std::max<int64_t>(depth, 1);
  if (depth == 0)
    return c.refuse("a product of no columns is not supported");
  Type type = sumType(c, c.has(2));
  Value result =
      matrixProduct(c, c.reshape(c.tensor(0), {rows, depth}), weight, type,
                    /*transposeB=*/true);
  SmallVector<int64_t> shape(input.getShape().drop_back());
  if (c.type(1).rank() == 2)
    shape.push_back(columns);
  result = c.reshape(result, shape);
  if (c.has(2))
    result = c.apply<AddOp>({result, c.operand(2, type)});
  return one(c.cast(result, c.resultElement()));
}

Lowered lowerings::addedProduct(TorchCall &c) {
  if (c.resultElement().isInteger(1))
    return c.refuse("a product of bool is not defined");
  const double beta = c.number(3), alpha = c.number(4);
  Type type = sumType(c, beta != 0 || alpha != 1);
  Value result = matrixProduct(c, c.tensor(1), c.tensor(2), type);
  if (alpha != 1)
    result = c.apply<MulOp>({result, c.operand(4, type)});
  // A beta of 0 leaves NaNs out.
  if (beta != 0) {
    Value added = c.operand(0, type);
    if (beta != 1)
      added = c.apply<MulOp>({added, c.operand(3, type)});
    result = c.apply<AddOp>({added, result});
  }
  return one(c.cast(result, c.resultElement()));
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

Lowered lowerings::convolution(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("convolutions of integers are not supported");
  const int64_t spatial = c.type(1).rank() - 2;
  const bool isGeneral = c.size() == 9;
  const bool isTransposed = isGeneral && c.flag(6);
  const int64_t groups = c.integer(isGeneral ? 8 : 6);
  RankedTensorType whole = c.result();
  if (whole.getNumElements() == 0)
    return zeros(c);
  // A batch of one that is left out.
  Value input = c.withRank(c.tensor(0), spatial + 2);
  SmallVector<int64_t> shape(whole.getShape());
  if (c.type(0).rank() != spatial + 2)
    shape.insert(shape.begin(), 1);
  auto perDim = [&](unsigned i) {
    SmallVector<int64_t> list(c.ints(i));
    if (list.size() == 1)
      list.resize(spatial, list.front());
    return list;
  };
  const SmallVector<int64_t> strides = perDim(3), low = perDim(4),
                             dilations = perDim(5);
  SmallVector<int64_t> high(low);
  const std::string letters = spatialLetters(spatial).str();
  const std::string data = "NC" + letters, filter = "OI" + letters;
  Type type = sumType(c, c.has(2));
  auto resultType = RankedTensorType::get(shape, type);
  Value result;
  if (isTransposed) {
    RankedTensorType given = tensorType(input),
                     weight = tensorType(c.tensor(1));
    for (int64_t i = 0; i < spatial; ++i)
      high[i] = (given.getDimSize(i + 2) - 1) * strides[i] +
                (weight.getDimSize(i + 2) - 1) * dilations[i] + 1 - low[i] -
                shape[i + 2];
    result = ConvInputGradOp::create(c.builder, resultType, input, c.tensor(1),
                                     data, filter, data, strides, dilations,
                                     low, high, groups);
  } else {
    result =
        ConvOp::create(c.builder, resultType, input, c.tensor(1), data, filter,
                       data, strides, dilations, low, high, groups);
  }
  if (c.has(2)) {
    SmallVector<int64_t> perChannel(spatial + 2, 1);
    perChannel[1] = shape[1];
    result =
        c.apply<AddOp>({result, c.reshape(c.operand(2, type), perChannel)});
  }
  result = c.cast(result, c.resultElement());
  return one(c.reshape(result, whole.getShape()));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Leading dimensions beyond those of heads as one, so that the rank is 3 or 4.
static Value withHeads(TorchCall &c, Value x, int64_t rank) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  if (rank == 2)
    return c.withRank(x, 3);
  if (rank <= 4)
    return x;
  SmallVector<int64_t> merged(shape.take_back(3));
  int64_t images = 1;
  for (int64_t size : shape.drop_back(3))
    images *= size;
  merged.insert(merged.begin(), images);
  return c.reshape(x, merged);
}

/// `x` with the leading dimensions of `like`; `except` of them, counted from
/// the matrix, stay.
static Value expandLeading(TorchCall &c, Value x, RankedTensorType like,
                           int64_t except) {
  const int64_t rank = like.getRank();
  x = c.withRank(x, rank);
  SmallVector<int64_t> shape(tensorType(x).getShape());
  for (int64_t dim = 0; dim < rank - 2 - except; ++dim)
    shape[dim] = like.getDimSize(dim);
  return c.expand(x, shape);
}

Lowered lowerings::attention(TorchCall &c) {
  Type element = c.resultElement();
  if (!isFloatElement(element) || element.getIntOrFloatBitWidth() < 16)
    return c.refuse("attention is defined for f32, bf16 and f16 only");
  if (c.number(4) != 0)
    return c.refuse("dropout in an attention is not supported; dropout_p must "
                    "be 0");
  RankedTensorType type = tensorType(c.tensor(0));
  const int64_t rank = type.getRank();
  if (c.result().getNumElements() == 0 || c.type(1).sizes[rank - 2] == 0)
    return zeros(c);
  // Heads of keys may be fewer, each for a group of queries' heads.
  const bool isGrouped = c.flag(7) && rank > 2;
  SdpaOperands operands;
  operands.query = withHeads(c, c.tensor(0), rank);
  operands.key =
      withHeads(c, expandLeading(c, c.tensor(1), type, isGrouped), rank);
  operands.value =
      withHeads(c, expandLeading(c, c.tensor(2), type, isGrouped), rank);
  if (c.has(3)) {
    // Where images are merged, each has a mask of its own.
    Value mask = c.withRank(c.tensor(3), rank);
    operands.mask =
        withHeads(c, rank > 4 ? expandLeading(c, mask, type, 1) : mask, rank);
  }
  SdpaOp::Properties properties;
  properties.scale = c.builder.getF32FloatAttr(
      float(c.number(6, 1 / std::sqrt(double(type.getDimSize(rank - 1))))));
  if (c.flag(5))
    properties.causal = c.builder.getUnitAttr();
  auto sdpa = SdpaOp::create(c.builder, operands, properties);
  return one(c.reshape(sdpa.getOutput(), c.result().getShape()));
}
