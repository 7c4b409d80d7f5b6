// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of scans, histograms and ops on the parts of numbers.
#include "Rules.h"
#include <algorithm>
#include <cmath>

using namespace gaudi;
using namespace gaudi::torch;

Result<Results> rules::cumulativePair(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  return Results{self, {self.sizes, ScalarType::Int64}};
}

Result<Results> rules::cumulativeFloat(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  if (!isFloat(self.dtype) && !isComplex(self.dtype))
    return fail("it is defined for floats, not for {}", nameOf(self.dtype));
  return Results{self};
}

Result<Results> rules::histogram(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  if (!isFloat(self.dtype))
    return fail("it is defined for floats, not for {}", nameOf(self.dtype));
  if (intAt(arguments, 1) <= 0)
    return fail("bins is {}; expected 1 or more", intAt(arguments, 1));
  const double min = numberAt(arguments, 2), max = numberAt(arguments, 3);
  if (!std::isfinite(min) || !std::isfinite(max) || min > max)
    return fail("min is {} and max {}; expected finite numbers, the smaller "
                "one first",
                min, max);
  Ints sizes;
  append(sizes, intAt(arguments, 1));
  return one(sizes, self.dtype);
}

Result<Results> rules::fractionExponent(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  if (!isFloat(self.dtype))
    return fail("it is defined for floats, not for {}", nameOf(self.dtype));
  return Results{self, {self.sizes, ScalarType::Int32}};
}

Result<Results> rules::promotedFloat(Arguments arguments) {
  Results results = GAUDI_TRY(promoted(arguments));
  if (!isFloat(results[0].dtype))
    return fail("it is defined for floats, not for {}",
                nameOf(results[0].dtype));
  return results;
}

Result<Results> rules::promotedInteger(Arguments arguments) {
  Results results = GAUDI_TRY(promoted(arguments));
  if (!isInteger(results[0].dtype))
    return fail("it is defined for integers, not for {}",
                nameOf(results[0].dtype));
  return results;
}

Result<Results> rules::firstNonzeros(Arguments arguments) {
  if (intAt(arguments, 1) < 0)
    return fail("size is {}; expected 0 or more", intAt(arguments, 1));
  Ints sizes;
  append(sizes, intAt(arguments, 1));
  append(sizes, tensorAt(arguments, 0).rank());
  return one(sizes, ScalarType::Int64);
}

/// The most elements of tensors that are made of numbers alone.
static constexpr int64_t maxConstantElements = 1 << 22;

Result<Results> rules::spaced(Arguments arguments) {
  const int64_t steps = intAt(arguments, 2);
  if (steps < 0 || steps > maxConstantElements)
    return fail("steps is {}; expected 0 to {}", steps, maxConstantElements);
  Ints sizes;
  append(sizes, steps);
  return one(sizes, GAUDI_TRY(dtypeAt(arguments, 3, ScalarType::Float32)));
}

/// Positions (row, column) of one side of a diagonal.
static Result<Results> trianglePositions(Arguments arguments, bool isLower) {
  const int64_t rows = intAt(arguments, 0), columns = intAt(arguments, 1),
                offset = intAt(arguments, 2);
  if (rows < 0 || columns < 0 || rows > maxConstantElements ||
      columns > maxConstantElements || offset < -maxConstantElements ||
      offset > maxConstantElements)
    return fail("row is {}, col {} and offset {}; expected 0 to {}, and an "
                "offset of that size at most",
                rows, columns, offset, maxConstantElements);
  int64_t count = 0;
  for (int64_t row = 0; row < rows && count <= maxConstantElements; ++row) {
    const int64_t left = std::min(
        columns, std::max<int64_t>(0, row + offset + (isLower ? 1 : 0)));
    count += isLower ? left : columns - left;
  }
  if (count > maxConstantElements)
    return fail("a triangle has more than {} positions", maxConstantElements);
  Ints sizes;
  append(sizes, 2);
  append(sizes, count);
  return one(sizes, GAUDI_TRY(dtypeAt(arguments, 3, ScalarType::Int64)));
}
Result<Results> rules::lowerPositions(Arguments arguments) {
  return trianglePositions(arguments, true);
}
Result<Results> rules::upperPositions(Arguments arguments) {
  return trianglePositions(arguments, false);
}

/// Checks the arguments of an op that draws: its shape, and seed and offset
/// from argument `seed` on.
static Status checkDraw(Arguments arguments, const Ints &shape, unsigned seed) {
  for (int64_t size : shape)
    if (size < 0)
      return fail("shape {} has the size {}", text(shape), size);
  for (unsigned i : {seed, seed + 1})
    if (const TensorType &word = tensorAt(arguments, i);
        word.rank() != 0 || word.dtype != ScalarType::Int64)
      return fail("seed and offset must be scalars of si64, not {}",
                  text(word));
  return {};
}

Result<Results> rules::philoxBits(Arguments arguments) {
  const Ints &shape = intsAt(arguments, 3);
  GAUDI_TRY(checkDraw(arguments, shape, 0));
  if (const int64_t start = intAt(arguments, 2); start < 0)
    return fail("start must not be negative, but is {}", start);
  return one(shape, ScalarType::Int32);
}

Result<Results> rules::randomFloats(Arguments arguments) {
  GAUDI_TRY(checkDraw(arguments, intsAt(arguments, 0), 1));
  const ScalarType type = GAUDI_TRY(dtypeAt(arguments, 5, ScalarType::Float32));
  if (type != ScalarType::Float32 && type != ScalarType::Float16 &&
      type != ScalarType::BFloat16)
    return fail("random numbers of {} are not supported", nameOf(type));
  return Results{{intsAt(arguments, 0), type}, {{}, ScalarType::Int64}};
}
