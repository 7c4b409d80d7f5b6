// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of scans, histograms and ops on the parts of numbers.
#include "Rules.h"

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
    return fail("there must be a bin or more, not {}", intAt(arguments, 1));
  if (numberAt(arguments, 2) > numberAt(arguments, 3))
    return fail("the range from {} to {} is empty", numberAt(arguments, 2),
                numberAt(arguments, 3));
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
