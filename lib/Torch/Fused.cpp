// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of the ops that the device has and PyTorch has not: attention
// with what its gradient needs, and steps of optimizers over lists of tensors.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

static bool isEightBit(ScalarType type) {
  return type == ScalarType::Float8E4M3FN || type == ScalarType::Float8E5M2;
}

/// Rounded to a type of eight bits, by words of 32 random bits if there are
/// any.
Result<Results> rules::roundedTo(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const ScalarType type = GAUDI_TRY(dtypeAt(arguments, 2, self.dtype));
  if (!isFloat(self.dtype) || !isEightBit(type))
    return fail("it rounds floats to 8 bits, not {} to {}", nameOf(self.dtype),
                nameOf(type));
  const TensorType wanted{self.sizes, ScalarType::Int32};
  const TensorType *words = optionalTensorAt(arguments, 1);
  if (words && !(*words == wanted))
    return fail("words are {}; expected {}", text(*words), text(wanted));
  return one(self.sizes, type);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static Status checkAttention(const TensorType &query, const TensorType &key,
                             const TensorType &value) {
  const int64_t rank = query.rank();
  const auto fits = [&] {
    if ((rank != 3 && rank != 4) || key.rank() != rank || value.rank() != rank)
      return false;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (query.sizes[dim] == 0 || key.sizes[dim] == 0 || value.sizes[dim] == 0)
        return false;
    return true;
  };
  if (!fits())
    return fail("query, key and value of shapes {}, {} and {}; expected 3 or 4 "
                "dimensions, none of them empty",
                text(query.sizes), text(key.sizes), text(value.sizes));
  if (query.dtype == key.dtype && query.dtype == value.dtype &&
      isFloat(query.dtype) && query.dtype != ScalarType::Float64)
    return {};
  return fail("query, key and value have types {}, {} and {}; expected one of "
              "floats",
              nameOf(query.dtype), nameOf(key.dtype), nameOf(value.dtype));
}

/// Whether the optional operands fit: masks, arguments `mask` and
/// `dropoutMask`, broadcast to the scores, and there is a length for each
/// image.
static Status checkMasks(Arguments arguments, const TensorType &query,
                         const TensorType &key, unsigned mask, unsigned lengths,
                         unsigned dropoutMask) {
  Ints scores = query.sizes;
  scores[query.rank() - 1] = key.sizes[key.rank() - 2];
  for (unsigned i : {mask, dropoutMask}) {
    const TensorType *type = optionalTensorAt(arguments, i);
    if (!type)
      continue;
    if (!(GAUDI_TRY(broadcast(type->sizes, scores)) == scores))
      return fail("a mask of shape {} does not broadcast to scores of shape {}",
                  text(type->sizes), text(scores));
  }
  const TensorType *counts = optionalTensorAt(arguments, lengths);
  if (counts && (counts->rank() != 1 || counts->sizes[0] != query.sizes[0]))
    return fail("lengths of shape {}; expected [{}], one for each of the batch",
                text(counts->sizes), query.sizes[0]);
  return {};
}

/// Whether the scales, arguments 14 to 19, have one element each. Only eight
/// bits have scales, and magnitudes to choose them by.
static Status checkScales(Arguments arguments, const TensorType &query) {
  if (!isEightBit(query.dtype))
    return fail("query has type {}; expected one of 8 bits, which has scales",
                nameOf(query.dtype));
  for (unsigned i = 14; i != 20; ++i) {
    const TensorType *scale = optionalTensorAt(arguments, i);
    if (scale && (scale->dtype != ScalarType::Float32 ||
                  elementCount(scale->sizes) != 1))
      return fail("a scale is {}; expected one f32", text(*scale));
  }
  return {};
}

/// `like` with another last size and type.
static TensorType row(const TensorType &like, int64_t last, ScalarType dtype) {
  TensorType type{like.sizes, dtype};
  type.sizes[type.rank() - 1] = last;
  return type;
}

Result<Results> rules::fusedAttention(Arguments arguments) {
  const TensorType &query = tensorAt(arguments, 0),
                   &key = tensorAt(arguments, 1),
                   &value = tensorAt(arguments, 2);
  GAUDI_TRY(checkAttention(query, key, value));
  GAUDI_TRY(checkMasks(arguments, query, key, 3, 4, 5));
  const double dropout = numberAt(arguments, 11);
  const bool isFast = flagAt(arguments, 12);
  const bool isNarrow = isEightBit(query.dtype);
  // Behind what all attention has: six scales, and which magnitudes to return.
  const bool hasScales = arguments.size() > 14;
  if (hasScales)
    GAUDI_TRY(checkScales(arguments, query));
  const bool isScaled = hasScales && optionalTensorAt(arguments, 18);
  Results results{
      row(query, value.sizes[value.rank() - 1],
          isNarrow && !isScaled ? ScalarType::BFloat16 : query.dtype)};
  switch (intAt(arguments, 13)) {
  case 0:
    break;
  case 1: {
    const bool isShort =
        isNarrow || (isFast && query.dtype == ScalarType::BFloat16);
    results.push_back(
        row(query, 1, isNarrow ? ScalarType::BFloat16 : query.dtype));
    results.push_back(
        row(query, 1, isShort ? ScalarType::BFloat16 : ScalarType::Float32));
    break;
  }
  case 2: {
    const int64_t keys = key.sizes[key.rank() - 2];
    results.push_back(row(query, keys, query.dtype));
    if (dropout > 0)
      results.push_back(row(query, keys, ScalarType::Int8));
    break;
  }
  default:
    return fail("saves is {}; expected 0 (nothing), 1 (statistics) or 2 "
                "(probabilities)",
                intAt(arguments, 13));
  }
  if (hasScales)
    for (unsigned i : {20u, 21u})
      if (flagAt(arguments, i))
        results.push_back({Ints(), ScalarType::Float32});
  return results;
}

Result<Results> rules::fusedAttentionGradient(Arguments arguments) {
  const TensorType &query = tensorAt(arguments, 1),
                   &key = tensorAt(arguments, 2),
                   &value = tensorAt(arguments, 3);
  GAUDI_TRY(checkAttention(query, key, value));
  GAUDI_TRY(checkMasks(arguments, query, key, 5, 6, 7));
  return Results{query, key, value};
}

//===----------------------------------------------------------------------===//
// Lists of tensors
//===----------------------------------------------------------------------===//

/// The tensors of list `i`, which are floats, of the shapes of list 0.
static Result<Results> floatsOf(Arguments arguments, unsigned i) {
  Results types;
  const Tensors &first = tensorsAt(arguments, 0),
                &list = tensorsAt(arguments, i);
  if (first.empty())
    return fail("the lists of tensors are empty");
  if (list.size() != first.size())
    return fail("lists of {} and {} tensors", first.size(), list.size());
  for (size_t place = 0; place != list.size(); ++place) {
    if (!isFloat(list[place]->dtype))
      return fail("tensor {} of a list has type {}; expected floats", place,
                  nameOf(list[place]->dtype));
    if (!(list[place]->sizes == first[place]->sizes))
      return fail("tensors {} of two lists have shapes {} and {}", place,
                  text(first[place]->sizes), text(list[place]->sizes));
    if (elementCount(list[place]->sizes) == 0)
      return fail("tensor {} of a list is empty", place);
    types.push_back(*list[place]);
  }
  return types;
}

/// What replaces lists 1 to `last` of the arguments.
static Result<Results> replaced(Arguments arguments, unsigned last) {
  Results results = GAUDI_TRY(floatsOf(arguments, 0));
  results.clear();
  for (unsigned i = 1; i <= last; ++i) {
    const Results list = GAUDI_TRY(floatsOf(arguments, i));
    results.insert(results.end(), list.begin(), list.end());
  }
  return results;
}

Result<Results> rules::replacedAverages(Arguments arguments) {
  GAUDI_TRY(floatsOf(arguments, 1));
  return floatsOf(arguments, 0);
}

Result<Results> rules::replacedTwo(Arguments arguments) {
  return replaced(arguments, 2);
}

Result<Results> rules::replacedThree(Arguments arguments) {
  return replaced(arguments, 3);
}

/// Of descent, whose buffers of momentum may be left out.
Result<Results> rules::replacedSgd(Arguments arguments) {
  return replaced(arguments, tensorsAt(arguments, 2).empty() ? 1 : 2);
}

Result<Results> rules::clippedNorm(Arguments arguments) {
  Results results = GAUDI_TRY(floatsOf(arguments, 0));
  const TensorType &bound = tensorAt(arguments, 1);
  if (bound.dtype != ScalarType::Float32 || elementCount(bound.sizes) != 1)
    return fail("max_norm is {}; expected one f32", text(bound));
  results.push_back(bound);
  results.push_back(bound);
  return results;
}
