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

/// Argument 0 times beta, and alpha times a product that `multiply` makes of an
/// element type.
static Lowered addedTo(TorchCall &c,
                       llvm::function_ref<Value(Type element)> multiply) {
  if (c.resultElement().isInteger(1))
    return c.refuse("a product of bool is not defined");
  const double beta = c.number(3), alpha = c.number(4);
  Type type = sumType(c, beta != 0 || alpha != 1);
  Value result = multiply(type);
  if (alpha != 1)
    result = c.apply<MulOp>({result, c.operand(4, type)});
  // A beta of 0 leaves NaNs out.
  if (beta != 0) {
    Value added = c.operand(0, type);
    if (beta != 1)
      added = c.apply<MulOp>({added, c.operand(3, type)});
    result = c.apply<AddOp>({added, result});
  }
  return lowerings::one(c.cast(result, c.resultElement()));
}

Lowered lowerings::addedProduct(TorchCall &c) {
  return addedTo(c, [&](Type element) {
    return matrixProduct(c, c.tensor(1), c.tensor(2), element);
  });
}

/// The sum over the batch, which is the product of the wide and the tall
/// matrix.
Lowered lowerings::sumOfProducts(TorchCall &c) {
  return addedTo(c, [&](Type element) {
    Value a = c.builder.transpose(c.tensor(1), {1, 0, 2}), b = c.tensor(2);
    ArrayRef<int64_t> left = tensorType(a).getShape();
    const int64_t depth = left[1] * left[2],
                  columns = tensorType(b).getDimSize(2);
    return matrixProduct(c, c.reshape(a, {left[0], depth}),
                         c.reshape(b, {depth, columns}), element);
  });
}

Lowered lowerings::addedVector(TorchCall &c) {
  return addedTo(c, [&](Type element) {
    const int64_t depth = c.type(2).sizes[0];
    return c.reshape(matrixProduct(c, c.tensor(1),
                                   c.reshape(c.tensor(2), {depth, 1}), element),
                     {c.type(1).sizes[0]});
  });
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
/// The numbers of a convolution per spatial dimension, and the layouts of its
/// tensors. `high` pads are those of the convolution that is not transposed: of
/// a transposed one, whose gradient it is.
struct ConvolutionForm {
  SmallVector<int64_t> strides, low, high, dilations;
  int64_t groups;
  std::string data, filter;

  /// `first` is the argument of the strides. `large` is what the windows move
  /// over, `small` has an element for each.
  ConvolutionForm(TorchCall &c, unsigned first, int64_t groups,
                  RankedTensorType weight, ArrayRef<int64_t> large,
                  ArrayRef<int64_t> small)
      : groups(groups) {
    const int64_t rank = weight.getRank() - 2;
    auto perDim = [&](unsigned i) {
      SmallVector<int64_t> list(c.ints(i));
      if (list.size() == 1)
        list.resize(rank, list.front());
      return list;
    };
    strides = perDim(first);
    low = perDim(first + 1);
    dilations = perDim(first + 2);
    for (int64_t i = 0; i < rank; ++i)
      high.push_back((small[i + 2] - 1) * strides[i] +
                     (weight.getDimSize(i + 2) - 1) * dilations[i] + 1 -
                     low[i] - large[i + 2]);
    data = "NC" + spatialLetters(rank).str();
    filter = "OI" + spatialLetters(rank).str();
  }

  /// From what is moved over to what has an element per window. Pads below 0
  /// cut elements off.
  Value forward(TorchCall &c, RankedTensorType type, Value input,
                Value weight) const {
    SmallVector<int64_t> end(high);
    for (auto [dim, pad] : llvm::enumerate(end))
      if (pad < 0) {
        input = c.slice(input, int64_t(dim) + 2, 0,
                        tensorType(input).getDimSize(dim + 2) + pad);
        pad = 0;
      }
    return ConvOp::create(c.builder, type, input, weight, data, filter, data,
                          strides, dilations, low, end, groups);
  }
  /// The other way.
  Value backward(TorchCall &c, RankedTensorType type, Value input,
                 Value weight) const {
    return ConvInputGradOp::create(c.builder, type, input, weight, data, filter,
                                   data, strides, dilations, low, high, groups);
  }
};
} // namespace

/// Zeros between the elements of the spatial dimensions and around them; pads
/// below 0 cut elements off.
static Value spread(TorchCall &c, Value value, ArrayRef<int64_t> steps,
                    ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  for (auto [i, step] : llvm::enumerate(steps)) {
    const int64_t dim = int64_t(i) + 2;
    RankedTensorType type = tensorType(value);
    const int64_t size = type.getDimSize(dim);
    SmallVector<int64_t> shape(type.getShape());
    SmallVector<int64_t> offsets(shape.size(), 0), strides(shape.size(), 1);
    const int64_t whole = (size - 1) * step + 1;
    shape[dim] =
        whole + std::max<int64_t>(low[i], 0) + std::max<int64_t>(high[i], 0);
    offsets[dim] = std::max<int64_t>(low[i], 0);
    strides[dim] = step;
    if (shape[dim] != size)
      value = InsertSliceOp::create(
          c.builder, type.clone(shape), value,
          c.expand(c.scalar(0, type.getElementType()), shape), offsets,
          strides);
    value = c.slice(value, dim, std::max<int64_t>(-low[i], 0),
                    whole + low[i] + high[i]);
  }
  return value;
}

/// Integers, which the matrix engine does not have: for each element of the
/// window, its products with what it meets. `large` has its pads.
static Value integerConvolution(TorchCall &c, const ConvolutionForm &form,
                                RankedTensorType type, Value large,
                                Value weight) {
  RankedTensorType filter = tensorType(weight);
  const int64_t spatial = type.getRank() - 2, batch = type.getDimSize(0);
  const int64_t outputs = filter.getDimSize(0) / form.groups,
                inputs = filter.getDimSize(1);
  const int64_t positions = llvm::product_of(type.getShape().drop_front(2));
  Type element = type.getElementType();
  Value sum;
  SmallVector<int64_t> at(spatial, 0);
  do {
    Value part = large, factor = weight;
    for (int64_t i = 0; i < spatial; ++i) {
      part = c.slice(part, i + 2, at[i] * form.dilations[i],
                     type.getDimSize(i + 2), form.strides[i]);
      factor = c.slice(factor, i + 2, at[i], 1);
    }
    Value product = matrixProduct(
        c, c.reshape(factor, {1, form.groups, outputs, inputs}),
        c.reshape(part, {batch, form.groups, inputs, positions}), element);
    sum = sum ? c.apply<AddOp>({sum, product}) : product;
    // The next element of the window, row-major.
    int64_t dim = spatial - 1;
    while (dim >= 0 && ++at[dim] == filter.getDimSize(dim + 2))
      at[dim--] = 0;
    if (dim < 0)
      break;
  } while (true);
  return c.reshape(sum, type.getShape());
}

/// The same for either kind of convolution; null if its window is too large.
static Value integerConvolution(TorchCall &c, ConvolutionForm form,
                                RankedTensorType type, Value input,
                                Value weight, bool isTransposed) {
  RankedTensorType filter = tensorType(weight);
  const int64_t window = llvm::product_of(filter.getShape().drop_front(2));
  constexpr int64_t most = 256; // each element of a window is ops of its own
  if (window > most || window == 0) {
    (void)c.refuse("a convolution of integers with a window of " +
                   Twine(window) + " elements; at most " + Twine(most) +
                   " are supported");
    return {};
  }
  const size_t spatial = form.strides.size();
  const SmallVector<int64_t> ones(spatial, 1);
  if (!isTransposed)
    return integerConvolution(
        c, form, type, spread(c, input, ones, form.low, form.high), weight);
  // Of the input spread out, with the window reversed; of each group inputs and
  // outputs change places.
  SmallVector<int64_t> low, high, dims;
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t reach = (filter.getDimSize(i + 2) - 1) * form.dilations[i];
    low.push_back(reach - form.low[i]);
    high.push_back(reach - form.high[i]);
    dims.push_back(int64_t(i) + 2);
  }
  input = spread(c, input, form.strides, low, high);
  weight = ReverseOp::create(c.builder, filter, weight, dims);
  SmallVector<int64_t> apart(filter.getShape()), merged(filter.getShape());
  apart[0] /= form.groups;
  apart.insert(apart.begin(), form.groups);
  merged[0] = filter.getDimSize(1) * form.groups;
  merged[1] = filter.getDimSize(0) / form.groups;
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, apart.size()));
  std::swap(order[1], order[2]);
  weight =
      c.reshape(c.builder.transpose(c.reshape(weight, apart), order), merged);
  form.strides = ones;
  return integerConvolution(c, form, type, input, weight);
}

Lowered lowerings::convolution(TorchCall &c) {
  if (c.resultElement().isInteger(1))
    return c.refuse("a convolution of bool is not defined");
  const int64_t spatial = c.type(1).rank() - 2;
  const bool isGeneral = c.size() == 9;
  const bool isTransposed = isGeneral && c.flag(6);
  RankedTensorType whole = c.result();
  if (whole.getNumElements() == 0)
    return zeros(c);
  // A batch of one that is left out.
  Value input = c.withRank(c.tensor(0), spatial + 2), weight = c.tensor(1);
  SmallVector<int64_t> shape(whole.getShape());
  if (c.type(0).rank() != spatial + 2)
    shape.insert(shape.begin(), 1);
  Type type = sumType(c, c.has(2));
  auto resultType = RankedTensorType::get(shape, type);
  ArrayRef<int64_t> given = tensorType(input).getShape();
  ConvolutionForm form(c, 3, c.integer(isGeneral ? 8 : 6), tensorType(weight),
                       isTransposed ? ArrayRef(shape) : given,
                       isTransposed ? given : ArrayRef(shape));
  // A forward convolution is given the pads that it has.
  if (!isTransposed)
    form.high = form.low;
  Value result;
  if (!isFloatElement(c.resultElement()))
    result =
        integerConvolution(c, form, resultType, input, weight, isTransposed);
  else if (isTransposed)
    result = form.backward(c, resultType, input, weight);
  else
    result = form.forward(c, resultType, input, weight);
  if (!result)
    return failure();
  if (c.has(2)) {
    SmallVector<int64_t> perChannel(spatial + 2, 1);
    perChannel[1] = shape[1];
    result =
        c.apply<AddOp>({result, c.reshape(c.operand(2, type), perChannel)});
  }
  result = c.cast(result, c.resultElement());
  return one(c.reshape(result, whole.getShape()));
}

Lowered lowerings::convolutionGradient(TorchCall &c) {
  Type element = c.resultElement();
  if (!isFloatElement(element))
    return c.refuse("it is defined for floats only");
  const bool isTransposed = c.flag(7);
  const int64_t rank = c.type(2).rank();
  Value gradient = c.withRank(c.tensor(0), rank),
        input = c.withRank(c.tensor(1), rank), weight = c.tensor(2);
  RankedTensorType dy = tensorType(gradient), x = tensorType(input),
                   w = tensorType(weight);
  SmallVector<Value> results = *zerosOfAll(c);
  if (dy.getNumElements() == 0)
    return results;
  // Of a transposed convolution, the gradient is what the windows move over.
  Value large = isTransposed ? gradient : input,
        small = isTransposed ? input : gradient;
  const ConvolutionForm form(c, 4, c.integer(9), w,
                             tensorType(large).getShape(),
                             tensorType(small).getShape());
  ArrayRef<int64_t> mask = c.ints(10);
  if (mask[0] && x.getNumElements() != 0) {
    Value dx = isTransposed ? form.forward(c, x, gradient, weight)
                            : form.backward(c, x, gradient, weight);
    results[0] = c.reshape(dx, c.result(0).getShape());
  }
  if (mask[1] && w.getNumElements() != 0 && x.getNumElements() != 0)
    results[1] = ConvWeightGradOp::create(
        c.builder, w, large, small, form.data, form.filter, form.data,
        form.strides, form.dilations, form.low, form.high, form.groups);
  if (mask[2]) {
    SmallVector<int64_t> dims = {0};
    dims.append(llvm::to_vector(llvm::seq<int64_t>(2, rank)));
    Type wide = c.wideType(element);
    results[2] =
        c.cast(c.reduce(ReduceKind::Sum, c.cast(gradient, wide), dims, false),
               element);
  }
  return results;
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
