// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of ops that make tensors, and of gathers.
#include "Gaudi/Kernel/Limits.h"
#include "Rules.h"
#include <cmath>

using namespace gaudi;
using namespace gaudi::torch;

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// A tensor of the sizes of argument `size` and the type of argument `dtype`.
static Result<Results> made(Arguments arguments, unsigned size, unsigned dtype,
                            ScalarType absent) {
  for (int64_t each : intsAt(arguments, size))
    if (each < 0)
      return fail("shape {} has the size {}", text(intsAt(arguments, size)),
                  each);
  return one(intsAt(arguments, size),
             GAUDI_TRY(dtypeAt(arguments, dtype, absent)));
}

/// The type of tensors that are made of a number.
static ScalarType typeOfNumber(const Argument &number) {
  if (std::holds_alternative<bool>(number))
    return ScalarType::Bool;
  return std::holds_alternative<int64_t>(number) ? ScalarType::Int64
                                                 : ScalarType::Float32;
}

Result<Results> rules::full(Arguments arguments) {
  return made(arguments, 0, 2, typeOfNumber(arguments[1]));
}

Result<Results> rules::created(Arguments arguments) {
  return made(arguments, 0, 1, ScalarType::Float32);
}

Result<Results> rules::createdStrided(Arguments arguments) {
  if (intsAt(arguments, 0).size() != intsAt(arguments, 1).size())
    return fail("{} strides for {} dimensions", intsAt(arguments, 1).size(),
                intsAt(arguments, 0).size());
  return made(arguments, 0, 2, ScalarType::Float32);
}

Result<Results> rules::like(Arguments arguments) {
  return converted(arguments);
}

Result<Results> rules::likeValue(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  return one(self.sizes, GAUDI_TRY(dtypeAt(arguments, 2, self.dtype)));
}

Result<Results> rules::newOf(Arguments arguments) {
  return made(arguments, 1, 2, tensorAt(arguments, 0).dtype);
}

Result<Results> rules::newValue(Arguments arguments) {
  return made(arguments, 1, 3, tensorAt(arguments, 0).dtype);
}

Result<Results> rules::scalarTensor(Arguments arguments) {
  return one({}, GAUDI_TRY(dtypeAt(arguments, 1, ScalarType::Float32)));
}

/// The numbers from `start` to before `end` by `step`.
static Result<Results> rangeOf(Arguments arguments, Argument start,
                               const Argument &end, Argument step,
                               unsigned dtype) {
  const Argument numbers[] = {std::move(start), end, std::move(step)};
  bool isInteger = true;
  for (const Argument &number : numbers)
    isInteger &= !std::holds_alternative<double>(number);
  const ScalarType type = GAUDI_TRY(dtypeAt(
      arguments, dtype, isInteger ? ScalarType::Int64 : ScalarType::Float32));
  // Only si64 is counted by its own numbers.
  auto at = [&](unsigned i) {
    const double number = numberAt(numbers, i);
    return type == ScalarType::Int64 ? std::trunc(number) : number;
  };
  const double from = at(0), to = at(1), by = at(2);
  // Numbers that are no finite range: also NaN.
  if (by == 0 || !(std::abs(to - from) < 1e18) || !std::isfinite(by))
    return fail("there is no range from {} to {} by {}", from, to, by);
  if ((to - from) / by < 0)
    return fail("a range from {} to {} needs a step of the other sign than {}",
                from, to, by);
  const double count = std::ceil((to - from) / by);
  if (count > double(kernel::maxTensorElements))
    return fail("a range from {} to {} by {} has too many elements", from, to,
                by);
  Ints sizes;
  append(sizes, static_cast<int64_t>(count));
  return one(sizes, type);
}

Result<Results> rules::range(Arguments arguments) {
  return rangeOf(arguments, int64_t(0), arguments[0], int64_t(1), 1);
}

Result<Results> rules::rangeFrom(Arguments arguments) {
  return rangeOf(arguments, arguments[0], arguments[1], int64_t(1), 2);
}

Result<Results> rules::rangeStep(Arguments arguments) {
  return rangeOf(arguments, arguments[0], arguments[1], arguments[2], 3);
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

static Status checkIndex(const TensorType &index) {
  if (index.dtype == ScalarType::Int64 || index.dtype == ScalarType::Int32)
    return {};
  return fail("indices must be of si64 or si32, not of {}",
              nameOf(index.dtype));
}

Result<Results> rules::embedding(Arguments arguments) {
  const TensorType &table = tensorAt(arguments, 0),
                   &index = tensorAt(arguments, 1);
  GAUDI_TRY(checkIndex(index));
  if (table.rank() != 2)
    return fail("the table must have 2 dimensions, not {}", table.rank());
  Ints sizes = index.sizes;
  append(sizes, table.sizes[1]);
  return one(sizes, table.dtype);
}

Result<Results> rules::indexSelect(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const TensorType &index = tensorAt(arguments, 2);
  GAUDI_TRY(checkIndex(index));
  if (index.rank() > 1)
    return fail("the index must have 1 dimension, not {}", index.rank());
  const int64_t dim = GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  if (self.rank() > 0)
    self.sizes[dim] = elementCount(index.sizes);
  return Results{self};
}

Result<Results> rules::gather(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0),
                   &index = tensorAt(arguments, 2);
  const int64_t dim = GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  // An index of nothing may have any type and rank.
  if (elementCount(index.sizes) == 0)
    return one(index.sizes, self.dtype);
  GAUDI_TRY(checkIndex(index));
  if (std::max<int64_t>(self.rank(), 1) != std::max<int64_t>(index.rank(), 1))
    return fail("an index of {} dimensions for a tensor of {}", index.rank(),
                self.rank());
  for (int64_t i = 0; i < self.rank() && i < index.rank(); ++i)
    if (i != dim && index.sizes[i] > self.sizes[i])
      return fail("the index of shape {} is larger than {} beyond dimension {}",
                  text(index.sizes), text(self.sizes), dim);
  return one(index.sizes, self.dtype);
}

Result<Results> rules::index(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const Tensors &indices = tensorsAt(arguments, 1);
  if (indices.size() > self.sizes.size())
    return fail("{} indices for {} dimensions", indices.size(), self.rank());
  Ints shape; // to which the indices broadcast
  std::optional<uint32_t> first, last;
  for (uint32_t dim = 0; dim < indices.size(); ++dim) {
    if (!indices[dim])
      continue;
    if (isBool(indices[dim]->dtype) || indices[dim]->dtype == ScalarType::UInt8)
      return fail("the size of the result depends on the values of a mask");
    GAUDI_TRY(checkIndex(*indices[dim]));
    shape = GAUDI_TRY(broadcast(shape, indices[dim]->sizes));
    first = first ? first : dim;
    last = dim;
  }
  if (!first)
    return Results{self};
  // Where they stand, or in front if others stand between them.
  bool areTogether = true;
  for (uint32_t dim = *first; dim <= *last; ++dim)
    areTogether &= indices[dim].has_value();
  Ints sizes;
  auto addIndexed = [&] {
    for (int64_t size : shape)
      append(sizes, size);
  };
  if (!areTogether)
    addIndexed();
  for (uint32_t dim = 0; dim < self.sizes.size(); ++dim) {
    if (areTogether && dim == *first)
      addIndexed();
    if (dim >= indices.size() || !indices[dim])
      append(sizes, self.sizes[dim]);
  }
  return one(sizes, self.dtype);
}
