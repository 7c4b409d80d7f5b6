// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of ops between complex numbers and their parts.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

/// Whether there are complex numbers whose parts have this type.
static bool isPart(ScalarType type) {
  return isFloat(type) && partType(complexType(type)) == type;
}

Result<Results> rules::viewAsReal(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  if (!isComplex(self.dtype))
    return fail("it is defined for complex numbers, not for {}",
                nameOf(self.dtype));
  append(self.sizes, 2);
  return one(self.sizes, partType(self.dtype));
}

Result<Results> rules::viewAsComplex(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const uint32_t rank = self.sizes.size();
  if (!isPart(self.dtype) || rank == 0 || self.sizes[rank - 1] != 2)
    return fail("expected pairs of f16, f32 or f64, not a tensor of type {}",
                text(self));
  Ints sizes;
  for (uint32_t i = 0; i + 1 < rank; ++i)
    append(sizes, self.sizes[i]);
  return one(sizes, complexType(self.dtype));
}

Result<Results> rules::complexOfParts(Arguments arguments) {
  const TensorType &a = tensorAt(arguments, 0), &b = tensorAt(arguments, 1);
  if (!isPart(a.dtype) || a.dtype != b.dtype)
    return fail("its parts must both be of f16, f32 or f64, not of {} and {}",
                nameOf(a.dtype), nameOf(b.dtype));
  return one(GAUDI_TRY(broadcast(a.sizes, b.sizes)), complexType(a.dtype));
}

/// The dimension that argument 1 lists last.
static Result<int64_t> lastDim(Arguments arguments) {
  const Ints &dims = intsAt(arguments, 1);
  const TensorType &self = tensorAt(arguments, 0);
  if (dims.empty() || self.rank() == 0)
    return fail("it transforms along no dimension");
  GAUDI_TRY(dimsAt(arguments, 1, self.rank()));
  return wrapDim(dims[dims.size() - 1], self.rank());
}

Result<Results> rules::fourierFromReal(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  if (!isFloat(self.dtype))
    return fail("it is defined for floats, not for {}", nameOf(self.dtype));
  const int64_t last = GAUDI_TRY(lastDim(arguments));
  if (self.sizes[last] < 1)
    return fail("a transform has a number or more, not {}", self.sizes[last]);
  if (flagAt(arguments, 3))
    self.sizes[last] = self.sizes[last] / 2 + 1;
  return one(self.sizes, complexType(self.dtype));
}

Result<Results> rules::fourierToReal(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  if (!isComplex(self.dtype))
    return fail("it is defined for complex numbers, not for {}",
                nameOf(self.dtype));
  const int64_t last = GAUDI_TRY(lastDim(arguments));
  if (intAt(arguments, 3) < 1)
    return fail("a transform has a number or more, not {}",
                intAt(arguments, 3));
  if (const int64_t half = intAt(arguments, 3) / 2 + 1;
      self.sizes[last] != half)
    return fail("it is given {} numbers along dimension {}; expected {}",
                self.sizes[last], last, half);
  self.sizes[last] = intAt(arguments, 3);
  return one(self.sizes, partType(self.dtype));
}

Result<Results> rules::fourier(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  if (!isComplex(self.dtype))
    return fail("it is defined for complex numbers, not for {}",
                nameOf(self.dtype));
  GAUDI_TRY(lastDim(arguments));
  return Results{self};
}
