// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of reductions, scans and softmax.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

/// `sizes` without the marked dimensions, or with 1 in their place.
static Ints reduced(const Ints &sizes, const std::vector<bool> &marks,
                    bool keepDims) {
  Ints kept;
  for (uint32_t dim = 0; dim < sizes.size(); ++dim)
    if (!marks[dim])
      append(kept, sizes[dim]);
    else if (keepDims)
      append(kept, 1);
  return kept;
}

static Result<Ints> reducedDim(Arguments arguments, unsigned dim, bool keep) {
  const TensorType &self = tensorAt(arguments, 0);
  std::vector<bool> marks(std::max<int64_t>(self.rank(), 1), false);
  marks[GAUDI_TRY(wrapDim(intAt(arguments, dim), self.rank()))] = true;
  return reduced(self.sizes, marks, keep);
}

Result<Results> rules::sumAll(Arguments arguments) {
  return one({}, GAUDI_TRY(dtypeAt(arguments, 1,
                                   wideOf(tensorAt(arguments, 0).dtype))));
}

Result<Results> rules::sumDims(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  auto marks = GAUDI_TRY(dimsAt(arguments, 1, self.rank()));
  return one(reduced(self.sizes, marks, flagAt(arguments, 2)),
             GAUDI_TRY(dtypeAt(arguments, 3, wideOf(self.dtype))));
}

Result<Results> rules::productDim(Arguments arguments) {
  Ints sizes = GAUDI_TRY(reducedDim(arguments, 1, flagAt(arguments, 2)));
  return one(
      std::move(sizes),
      GAUDI_TRY(dtypeAt(arguments, 3, wideOf(tensorAt(arguments, 0).dtype))));
}

/// The type of a mean, which must be a float.
static Result<ScalarType> meanType(Arguments arguments, unsigned dtype) {
  const ScalarType type =
      GAUDI_TRY(dtypeAt(arguments, dtype, tensorAt(arguments, 0).dtype));
  if (!isFloat(type) && !isComplex(type))
    return fail("a mean is defined for floats, not for {}", nameOf(type));
  return type;
}

Result<Results> rules::meanAll(Arguments arguments) {
  return one({}, GAUDI_TRY(meanType(arguments, 1)));
}

Result<Results> rules::meanDims(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  auto marks = GAUDI_TRY(dimsAt(arguments, 1, self.rank()));
  return one(reduced(self.sizes, marks, flagAt(arguments, 2)),
             GAUDI_TRY(meanType(arguments, 3)));
}

/// The largest element of nothing does not exist.
static Status checkNotEmpty(const TensorType &self,
                            const std::vector<bool> &marks) {
  for (uint32_t dim = 0; dim < self.sizes.size(); ++dim)
    if (marks[dim] && self.sizes[dim] == 0)
      return fail("dimension {} has no elements to choose from", dim);
  return {};
}

Result<Results> rules::extremeAll(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(checkNotEmpty(self, std::vector<bool>(self.rank(), true)));
  return one({}, self.dtype);
}

Result<Results> rules::extremeDims(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  auto marks = GAUDI_TRY(dimsAt(arguments, 1, self.rank()));
  GAUDI_TRY(checkNotEmpty(self, marks));
  return one(reduced(self.sizes, marks, flagAt(arguments, 2)), self.dtype);
}

Result<Results> rules::extremeDim(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  std::vector<bool> marks(std::max<int64_t>(self.rank(), 1), false);
  marks[GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()))] = true;
  GAUDI_TRY(checkNotEmpty(self, marks));
  const Ints sizes = reduced(self.sizes, marks, flagAt(arguments, 2));
  return Results{{sizes, self.dtype}, {sizes, ScalarType::Int64}};
}

/// any and all: bytes stay bytes, all else becomes bool.
static ScalarType truthType(const TensorType &self) {
  return self.dtype == ScalarType::UInt8 ? self.dtype : ScalarType::Bool;
}

Result<Results> rules::anyAll(Arguments arguments) {
  return one({}, truthType(tensorAt(arguments, 0)));
}

Result<Results> rules::anyDim(Arguments arguments) {
  return one(GAUDI_TRY(reducedDim(arguments, 1, flagAt(arguments, 2))),
             truthType(tensorAt(arguments, 0)));
}

Result<Results> rules::anyDims(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  auto marks =
      GAUDI_TRY(dimsAt(arguments, 1, self.rank(), /*isEmptyAll=*/false));
  return one(reduced(self.sizes, marks, flagAt(arguments, 2)), truthType(self));
}

Result<Results> rules::position(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  std::vector<bool> marks(std::max<int64_t>(self.rank(), 1), true);
  if (!isNone(arguments[1])) {
    std::fill(marks.begin(), marks.end(), false);
    marks[GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()))] = true;
  }
  GAUDI_TRY(checkNotEmpty(self, marks));
  return one(reduced(self.sizes, marks, flagAt(arguments, 2)),
             ScalarType::Int64);
}

Result<Results> rules::variance(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  if (!isFloat(self.dtype) && !isComplex(self.dtype))
    return fail("a variance is defined for floats, not for {}",
                nameOf(self.dtype));
  auto marks = GAUDI_TRY(dimsAt(arguments, 1, self.rank()));
  return one(reduced(self.sizes, marks, flagAt(arguments, 3)),
             partType(self.dtype));
}

Result<Results> rules::varianceMean(Arguments arguments) {
  Results results = GAUDI_TRY(variance(arguments));
  results.push_back({results.front().sizes, tensorAt(arguments, 0).dtype});
  return results;
}

Result<Results> rules::logSumExp(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  auto marks = GAUDI_TRY(dimsAt(arguments, 1, self.rank()));
  return one(reduced(self.sizes, marks, flagAt(arguments, 2)),
             floatOf(self.dtype));
}

Result<Results> rules::cumulative(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  return one(self.sizes, GAUDI_TRY(dtypeAt(arguments, 2, wideOf(self.dtype))));
}

Result<Results> rules::softmax(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  if (!isFloat(self.dtype))
    return fail("a softmax is defined for floats, not for {}",
                nameOf(self.dtype));
  if (flagAt(arguments, 2))
    self.dtype = ScalarType::Float32;
  return Results{self};
}

Result<Results> rules::softmaxTyped(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  self.dtype = GAUDI_TRY(dtypeAt(arguments, 2, self.dtype));
  if (!isFloat(self.dtype))
    return fail("a softmax is defined for floats, not for {}",
                nameOf(self.dtype));
  return Results{self};
}

Result<Results> rules::softmaxGradient(Arguments arguments) {
  const TensorType &grad = tensorAt(arguments, 0);
  if (!(grad.sizes == tensorAt(arguments, 1).sizes))
    return fail("gradient and output have shapes {} and {}", text(grad.sizes),
                text(tensorAt(arguments, 1).sizes));
  GAUDI_TRY(wrapDim(intAt(arguments, 2), grad.rank()));
  return one(grad.sizes, GAUDI_TRY(dtypeAt(arguments, 3, grad.dtype)));
}
