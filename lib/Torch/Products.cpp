// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of matrix products, convolutions and attention.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

static Status checkRank(const TensorType &tensor, int64_t rank,
                        std::string_view what) {
  if (tensor.rank() == rank)
    return {};
  return fail("{} must have {} dimensions, not {}", what, rank, tensor.rank());
}

static Status checkSameType(const TensorType &a, const TensorType &b) {
  if (a.dtype == b.dtype)
    return {};
  return fail("the operands have types {} and {}", nameOf(a.dtype),
              nameOf(b.dtype));
}

/// [batch.., rows, depth] times [batch.., depth, columns].
static Result<Results> product(const TensorType &a, const TensorType &b,
                               int64_t rank) {
  GAUDI_TRY(checkRank(a, rank, "the left operand"));
  GAUDI_TRY(checkRank(b, rank, "the right operand"));
  GAUDI_TRY(checkSameType(a, b));
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    if (a.sizes[dim] != b.sizes[dim])
      return fail("shapes {} and {} have different batches", text(a.sizes),
                  text(b.sizes));
  if (a.sizes[rank - 1] != b.sizes[rank - 2])
    return fail("shapes {} and {} cannot be multiplied: {} columns, {} rows",
                text(a.sizes), text(b.sizes), a.sizes[rank - 1],
                b.sizes[rank - 2]);
  Ints sizes = a.sizes;
  sizes[rank - 1] = b.sizes[rank - 1];
  return one(sizes, a.dtype);
}

Result<Results> rules::mm(Arguments arguments) {
  return product(tensorAt(arguments, 0), tensorAt(arguments, 1), 2);
}

Result<Results> rules::bmm(Arguments arguments) {
  return product(tensorAt(arguments, 0), tensorAt(arguments, 1), 3);
}

/// The type of a product to which argument 0 is added.
static Result<Results> addedTo(Arguments arguments, const TensorType &product) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(checkSameType(self, product));
  if (!(GAUDI_TRY(broadcast(self.sizes, product.sizes)) == product.sizes))
    return fail("shape {} does not expand to {}", text(self.sizes),
                text(product.sizes));
  return Results{product};
}

Result<Results> rules::addmm(Arguments arguments) {
  const Results results =
      GAUDI_TRY(product(tensorAt(arguments, 1), tensorAt(arguments, 2), 2));
  return addedTo(arguments, results[0]);
}

Result<Results> rules::baddbmm(Arguments arguments) {
  const Results results =
      GAUDI_TRY(product(tensorAt(arguments, 1), tensorAt(arguments, 2), 3));
  return addedTo(arguments, results[0]);
}

Result<Results> rules::addbmm(Arguments arguments) {
  const Results results =
      GAUDI_TRY(product(tensorAt(arguments, 1), tensorAt(arguments, 2), 3));
  Ints sizes;
  append(sizes, results[0].sizes[1]);
  append(sizes, results[0].sizes[2]);
  return addedTo(arguments, {sizes, results[0].dtype});
}

/// A matrix times a vector.
static Result<Results> matrixVector(const TensorType &matrix,
                                    const TensorType &vector) {
  GAUDI_TRY(checkRank(matrix, 2, "the matrix"));
  GAUDI_TRY(checkRank(vector, 1, "the vector"));
  const Argument operands[] = {matrix, vector};
  return rules::matmul(operands);
}

Result<Results> rules::mv(Arguments arguments) {
  return matrixVector(tensorAt(arguments, 0), tensorAt(arguments, 1));
}

Result<Results> rules::addmv(Arguments arguments) {
  const Results results =
      GAUDI_TRY(matrixVector(tensorAt(arguments, 1), tensorAt(arguments, 2)));
  return addedTo(arguments, results[0]);
}

Result<Results> rules::dot(Arguments arguments) {
  GAUDI_TRY(checkRank(tensorAt(arguments, 0), 1, "the left operand"));
  GAUDI_TRY(checkRank(tensorAt(arguments, 1), 1, "the right operand"));
  return matmul(arguments);
}

Result<Results> rules::matmul(Arguments arguments) {
  TensorType a = tensorAt(arguments, 0), b = tensorAt(arguments, 1);
  if (a.rank() == 0 || b.rank() == 0)
    return fail("a scalar has no matrix product");
  GAUDI_TRY(checkSameType(a, b));
  // A vector is a row on the left, a column on the right.
  const bool isRow = a.rank() == 1, isColumn = b.rank() == 1;
  const int64_t depth = a.sizes[a.rank() - 1];
  const int64_t rows = isColumn ? b.sizes[0] : b.sizes[b.rank() - 2];
  if (depth != rows)
    return fail("shapes {} and {} cannot be multiplied: {} columns, {} rows",
                text(a.sizes), text(b.sizes), depth, rows);
  auto batch = [](const TensorType &type) {
    Ints sizes = type.sizes;
    sizes.resize(std::max<int64_t>(type.rank() - 2, 0));
    return sizes;
  };
  Ints sizes = GAUDI_TRY(broadcast(batch(a), batch(b)));
  if (!isRow)
    append(sizes, a.sizes[a.rank() - 2]);
  if (!isColumn)
    append(sizes, b.sizes[b.rank() - 1]);
  return one(sizes, a.dtype);
}

Result<Results> rules::linear(Arguments arguments) {
  const TensorType &input = tensorAt(arguments, 0),
                   &weight = tensorAt(arguments, 1);
  if (input.rank() == 0 || weight.rank() < 1 || weight.rank() > 2)
    return fail("shapes {} and {} have no linear map", text(input.sizes),
                text(weight.sizes));
  GAUDI_TRY(checkSameType(input, weight));
  const int64_t depth = weight.sizes[weight.rank() - 1];
  if (input.sizes[input.rank() - 1] != depth)
    return fail("shapes {} and {} cannot be multiplied: {} and {} columns",
                text(input.sizes), text(weight.sizes),
                input.sizes[input.rank() - 1], depth);
  Ints sizes = input.sizes;
  sizes.resize(sizes.size() - 1);
  if (weight.rank() == 2)
    append(sizes, weight.sizes[0]);
  if (const TensorType *bias = optionalTensorAt(arguments, 2))
    sizes = GAUDI_TRY(broadcast(sizes, bias->sizes));
  return one(sizes, input.dtype);
}

Result<Results> rules::convolution(Arguments arguments) {
  const TensorType &input = tensorAt(arguments, 0),
                   &weight = tensorAt(arguments, 1);
  const int64_t spatial = weight.rank() - 2;
  if (spatial < 1 || spatial > 3)
    return fail("the weight must have 3 to 5 dimensions, not {}",
                weight.rank());
  // A batch of one may be left out.
  const bool hasBatch = input.rank() == weight.rank();
  if (!hasBatch)
    GAUDI_TRY(checkRank(input, weight.rank() - 1, "the input"));
  GAUDI_TRY(checkSameType(input, weight));
  // conv2d and its like have no transposed form.
  const bool isGeneral = arguments.size() == 9;
  const bool transposed = isGeneral && flagAt(arguments, 6);
  const int64_t groups = intAt(arguments, isGeneral ? 8 : 6);
  const int64_t channels = input.sizes[hasBatch ? 1 : 0];
  const int64_t inGroup = weight.sizes[transposed ? 0 : 1];
  if (groups < 1 || groups > std::max<int64_t>(channels, 1) ||
      weight.sizes[0] % groups != 0 || channels % groups != 0 ||
      inGroup != (transposed ? channels : channels / groups))
    return fail("an input of {} channels does not fit a weight of shape {} in "
                "{} groups",
                channels, text(weight.sizes), groups);
  auto at = [&](unsigned i, int64_t dim) -> int64_t {
    const Ints &list = intsAt(arguments, i);
    return list.size() == 1 ? list[0] : list[dim];
  };
  const bool hasExtra = isGeneral && !intsAt(arguments, 7).empty();
  for (unsigned i : {3u, 4u, 5u, hasExtra ? 7u : 5u})
    if (intsAt(arguments, i).size() != 1 &&
        intsAt(arguments, i).size() != uint32_t(spatial))
      return fail("{} strides, pads or dilations for {} dimensions",
                  intsAt(arguments, i).size(), spatial);
  const int64_t outputs =
      transposed ? weight.sizes[1] * groups : weight.sizes[0];
  if (const TensorType *bias = optionalTensorAt(arguments, 2);
      bias && (bias->rank() != 1 || bias->sizes[0] != outputs))
    return fail("the bias has shape {}; expected [{}]", text(bias->sizes),
                outputs);
  Ints sizes;
  if (hasBatch)
    append(sizes, input.sizes[0]);
  append(sizes, outputs);
  for (int64_t dim = 0; dim < spatial; ++dim) {
    const int64_t size = input.sizes[dim + (hasBatch ? 2 : 1)];
    const int64_t stride = at(3, dim), pad = at(4, dim), dilation = at(5, dim);
    const int64_t extra = hasExtra ? at(7, dim) : 0;
    // Within limits in which no position overflows.
    if (stride < 1 || pad < 0 || dilation < 1 || extra < 0 ||
        std::max({stride, pad, dilation, extra}) > maxWindowNumber)
      return fail("strides and dilations must be 1 or more, pads 0 or more, "
                  "and none above {}",
                  maxWindowNumber);
    const int64_t reach = dilation * (weight.sizes[dim + 2] - 1) + 1;
    const int64_t result = transposed
                               ? (size - 1) * stride - 2 * pad + reach + extra
                               : (size + 2 * pad - reach) / stride + 1;
    if (transposed ? result < 0 : size + 2 * pad < reach)
      return fail("dimension {} of the input, {} with pads of {}, is smaller "
                  "than the window of {}",
                  dim, size, pad, reach);
    append(sizes, result);
  }
  return one(sizes, input.dtype);
}

Result<Results> rules::convolutionGradient(Arguments arguments) {
  const TensorType &gradient = tensorAt(arguments, 0),
                   &input = tensorAt(arguments, 1),
                   &weight = tensorAt(arguments, 2);
  // input, weight, bias, stride, padding, dilation, transposed,
  // output_padding, groups: what the convolution took.
  std::vector<Argument> forward = {input, weight, std::monostate()};
  forward.insert(forward.end(), arguments.begin() + 4, arguments.begin() + 10);
  const Results result = GAUDI_TRY(convolution(forward));
  if (!(gradient == result[0]))
    return fail("the gradient is {}; expected {}", text(gradient),
                text(result[0]));
  const Ints &mask = intsAt(arguments, 10);
  if (mask.size() != 3)
    return fail("{} marks of the results; expected 3", mask.size());
  // What is not asked for is None, for which an empty tensor stands.
  Ints nothing, channels;
  append(nothing, 0);
  append(channels, gradient.sizes[gradient.rank() == weight.rank() ? 1 : 0]);
  return Results{mask[0] ? input : TensorType{nothing, input.dtype},
                 mask[1] ? weight : TensorType{nothing, input.dtype},
                 {mask[2] ? channels : nothing, input.dtype}};
}

Result<Results> rules::attention(Arguments arguments) {
  const TensorType &query = tensorAt(arguments, 0),
                   &key = tensorAt(arguments, 1),
                   &value = tensorAt(arguments, 2);
  const int64_t rank = query.rank();
  if (rank < 2 || key.rank() != rank || value.rank() != rank)
    return fail("query, key and value of shapes {}, {} and {}",
                text(query.sizes), text(key.sizes), text(value.sizes));
  GAUDI_TRY(checkSameType(query, key));
  GAUDI_TRY(checkSameType(query, value));
  if (query.sizes[rank - 1] != key.sizes[rank - 1] ||
      key.sizes[rank - 2] != value.sizes[rank - 2])
    return fail("query, key and value of shapes {}, {} and {}",
                text(query.sizes), text(key.sizes), text(value.sizes));
  // Of fewer heads, each serves a group of queries'.
  const bool isGrouped = flagAt(arguments, 7) && rank > 2;
  for (const TensorType *each : {&key, &value})
    for (int64_t dim = 0; dim < rank - 2; ++dim) {
      const int64_t own = each->sizes[dim], wanted = query.sizes[dim];
      const bool fits = isGrouped && dim == rank - 3
                            ? own > 0 && wanted % own == 0
                            : own == wanted || own == 1;
      if (!fits)
        return fail("dimension {} of keys and values of shape {} does not fit "
                    "queries of shape {}",
                    dim, text(each->sizes), text(query.sizes));
    }
  if (isGrouped && key.sizes[rank - 3] != value.sizes[rank - 3])
    return fail("{} heads of keys, {} of values", key.sizes[rank - 3],
                value.sizes[rank - 3]);
  if (const TensorType *mask = optionalTensorAt(arguments, 3)) {
    Ints scores = query.sizes;
    scores[rank - 1] = key.sizes[rank - 2];
    if (!(GAUDI_TRY(broadcast(mask->sizes, scores)) == scores))
      return fail("the mask of shape {} does not expand to {}",
                  text(mask->sizes), text(scores));
  }
  Ints sizes = query.sizes;
  sizes[rank - 1] = value.sizes[rank - 1];
  return one(sizes, query.dtype);
}
