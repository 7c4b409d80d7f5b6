// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rules of result types share.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

double torch::numberAt(Arguments arguments, unsigned i) {
  const Argument &argument = arguments[i];
  if (const auto *flag = std::get_if<bool>(&argument))
    return *flag;
  if (const auto *integer = std::get_if<int64_t>(&argument))
    return static_cast<double>(*integer);
  return std::get<double>(argument);
}

Result<ScalarType> torch::dtypeAt(Arguments arguments, unsigned i,
                                  ScalarType absent) {
  if (isNone(arguments[i]))
    return absent;
  if (auto type = scalarTypeOf(intAt(arguments, i)))
    return *type;
  return fail("there is no element type with the number {}",
              intAt(arguments, i));
}

Result<int64_t> torch::wrapDim(int64_t dim, int64_t rank) {
  const int64_t count = std::max<int64_t>(rank, 1);
  if (dim < -count || dim >= count)
    return fail("dimension {} is out of range; expected {} to {}", dim, -count,
                count - 1);
  return dim < 0 ? dim + count : dim;
}

Result<std::vector<bool>> torch::dimsAt(Arguments arguments, unsigned i,
                                        int64_t rank, bool isEmptyAll) {
  const auto *dims = std::get_if<Ints>(&arguments[i]);
  if (!dims || (dims->empty() && isEmptyAll))
    return std::vector<bool>(rank, true);
  // One mark even for a scalar, whose only dimension may be named.
  std::vector<bool> marks(std::max<int64_t>(rank, 1), false);
  for (int64_t dim : *dims) {
    const int64_t wrapped = GAUDI_TRY(wrapDim(dim, rank));
    if (marks[wrapped])
      return fail("dimension {} is named twice", wrapped);
    marks[wrapped] = true;
  }
  marks.resize(rank);
  return marks;
}

Result<Ints> torch::broadcast(const Ints &a, const Ints &b) {
  Ints result;
  const uint32_t rank = std::max(a.size(), b.size());
  result.resize(rank);
  for (uint32_t i = 0; i < rank; ++i) { // from the last dimension
    const int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1)
      return fail("shapes {} and {} do not broadcast: sizes {} and {} in "
                  "dimension {}",
                  text(a), text(b), left, right, rank - 1 - i);
    result[rank - 1 - i] = left == 1 ? right : left;
  }
  return result;
}

int64_t torch::elementCount(const Ints &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

namespace {
/// The types so far of tensors with dimensions, of scalar tensors, and of
/// numbers: the three are promoted apart.
struct Promotion {
  std::optional<ScalarType> tensors, scalars, numbers;

  static Status add(std::optional<ScalarType> &type, ScalarType next) {
    type = type ? GAUDI_TRY(promote(*type, next)) : next;
    return {};
  }
  Status add(const Argument &argument) {
    if (const auto *tensor = std::get_if<TensorType>(&argument))
      return add(tensor->rank() > 0 ? tensors : scalars, tensor->dtype);
    if (std::holds_alternative<bool>(argument))
      return add(numbers, ScalarType::Bool);
    if (std::holds_alternative<int64_t>(argument))
      return add(numbers, ScalarType::Int64);
    if (std::holds_alternative<double>(argument))
      return add(numbers, ScalarType::Float32);
    return {};
  }
};
} // namespace

/// `low` changes `high` only by a higher category.
static Result<std::optional<ScalarType>>
combine(std::optional<ScalarType> high, std::optional<ScalarType> low) {
  if (!high || !low)
    return high ? high : low;
  if (isComplex(*high) || (isFloat(*high) && !isComplex(*low)))
    return high;
  if (isFloat(*high)) {
    GAUDI_TRY(promote(*high, *low)); // f8 has no complex type
    return std::optional<ScalarType>(complexType(*high));
  }
  if (isBool(*high) || isFloat(*low) || isComplex(*low))
    return std::optional<ScalarType>(GAUDI_TRY(promote(*high, *low)));
  return high;
}

Result<ScalarType> torch::promotedType(Arguments arguments) {
  Promotion promotion;
  for (const Argument &argument : arguments)
    GAUDI_TRY(promotion.add(argument));
  auto low = GAUDI_TRY(combine(promotion.scalars, promotion.numbers));
  auto type = GAUDI_TRY(combine(promotion.tensors, low));
  return type ? *type : ScalarType::Float32;
}
