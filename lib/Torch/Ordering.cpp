// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of sorts and of searches in sorted tensors.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

/// A tensor, and where its elements come from.
static Results withPositions(TensorType type) {
  const TensorType positions{type.sizes, ScalarType::Int64};
  return {std::move(type), positions};
}

Result<Results> rules::sorted(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  return withPositions(self);
}

Result<Results> rules::sortedStable(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(wrapDim(intAt(arguments, 2), self.rank()));
  return withPositions(self);
}

Result<Results> rules::topK(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(wrapDim(intAt(arguments, 2), self.rank()));
  const int64_t count = intAt(arguments, 1);
  const int64_t size = self.rank() > 0 ? self.sizes[dim] : 1;
  if (count < 0 || count > size)
    return fail("{} elements of dimension {} of size {}", count, dim, size);
  if (self.rank() > 0)
    self.sizes[dim] = count;
  return withPositions(self);
}

/// Where `values` go in `sorted`; argument 2 asks for 32 bits.
static Results found(Arguments arguments, const Ints &sizes) {
  return one(sizes,
             flagAt(arguments, 2) ? ScalarType::Int32 : ScalarType::Int64);
}

Result<Results> rules::searched(Arguments arguments) {
  const TensorType &sequence = tensorAt(arguments, 0);
  const TensorType *values = optionalTensorAt(arguments, 1);
  if (sequence.rank() == 0)
    return fail("the sorted sequence must have a dimension");
  if (const TensorType *sorter = optionalTensorAt(arguments, 5);
      sorter && !(sorter->sizes == sequence.sizes))
    return fail("the sorter has shape {}; expected {}", text(sorter->sizes),
                text(sequence.sizes));
  if (!isNone(arguments[4])) {
    const auto &side = std::get<std::string>(arguments[4]);
    if (side != "left" && side != "right")
      return fail("the side is '{}'; expected left or right", side);
    if (side == "left" && flagAt(arguments, 3))
      return fail("the side is left, but right is true");
  }
  if (sequence.rank() == 1)
    return found(arguments, values ? values->sizes : Ints());
  if (!values)
    return fail("a number is searched in a sequence of shape {}; expected one "
                "dimension",
                text(sequence.sizes));
  bool fits = values->rank() == sequence.rank();
  for (int64_t dim = 0; fits && dim + 1 < sequence.rank(); ++dim)
    fits = values->sizes[dim] == sequence.sizes[dim];
  if (!fits)
    return fail("shapes {} and {} differ beyond the last dimension",
                text(sequence.sizes), text(values->sizes));
  return found(arguments, values->sizes);
}

Result<Results> rules::bucketed(Arguments arguments) {
  const TensorType *values = optionalTensorAt(arguments, 0);
  const TensorType &boundaries = tensorAt(arguments, 1);
  if (boundaries.rank() != 1)
    return fail("the boundaries must have 1 dimension, not {}",
                boundaries.rank());
  return found(arguments, values ? values->sizes : Ints());
}
