// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of views and of ops that move elements.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

Result<Results> rules::view(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  Ints sizes = intsAt(arguments, 1);
  const int64_t count = elementCount(self.sizes);
  int64_t known = 1;
  std::optional<uint32_t> open;
  for (uint32_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] == -1) {
      if (open)
        return fail("shape {} has several sizes of -1", text(sizes));
      open = dim;
    } else if (sizes[dim] < 0) {
      return fail("shape {} has the size {}", text(sizes), sizes[dim]);
    } else {
      if (__builtin_mul_overflow(known, sizes[dim], &known))
        return fail("shape {} has too many elements", text(sizes));
    }
  }
  if (open && known != 0 && count % known == 0)
    sizes[*open] = count / known;
  else if (open || known != count)
    return fail("{} elements of shape {} have no shape {}", count,
                text(self.sizes), text(sizes));
  return one(sizes, self.dtype);
}

Result<Results> rules::permute(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const Ints &dims = intsAt(arguments, 1);
  if (dims.size() != self.sizes.size())
    return fail("{} dimensions are permuted of a tensor of {}", dims.size(),
                self.sizes.size());
  GAUDI_TRY(dimsAt(arguments, 1, self.rank(), /*isEmptyAll=*/false));
  Ints sizes;
  for (int64_t dim : dims)
    append(sizes, self.sizes[GAUDI_TRY(wrapDim(dim, self.rank()))]);
  return one(sizes, self.dtype);
}

Result<Results> rules::transpose(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const int64_t a = GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  const int64_t b = GAUDI_TRY(wrapDim(intAt(arguments, 2), self.rank()));
  if (self.rank() > 0)
    std::swap(self.sizes[a], self.sizes[b]);
  return Results{self};
}

Result<Results> rules::transpose2d(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  if (self.rank() > 2)
    return fail("expected at most 2 dimensions, not {}", self.rank());
  if (self.rank() == 2)
    std::swap(self.sizes[0], self.sizes[1]);
  return Results{self};
}

Result<Results> rules::expand(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  Ints sizes = intsAt(arguments, 1);
  if (sizes.size() < self.sizes.size())
    return fail("shape {} has fewer dimensions than {}", text(sizes),
                text(self.sizes));
  const uint32_t added = sizes.size() - self.sizes.size();
  for (uint32_t dim = 0; dim < sizes.size(); ++dim) {
    const int64_t own = dim < added ? 1 : self.sizes[dim - added];
    if (sizes[dim] == -1 && dim >= added)
      sizes[dim] = own;
    if (sizes[dim] < 0 || (own != 1 && own != sizes[dim]))
      return fail("shape {} does not expand to {}", text(self.sizes),
                  text(intsAt(arguments, 1)));
  }
  return one(sizes, self.dtype);
}

Result<Results> rules::unsqueeze(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const int64_t at = GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank() + 1));
  Ints sizes;
  for (int64_t dim = 0; dim <= self.rank(); ++dim)
    append(sizes, dim < at    ? self.sizes[dim]
                  : dim == at ? 1
                              : self.sizes[dim - 1]);
  return one(sizes, self.dtype);
}

/// Without the marked dimensions of size 1.
static Results squeezed(const TensorType &self,
                        const std::vector<bool> &marks) {
  Ints sizes;
  for (uint32_t dim = 0; dim < self.sizes.size(); ++dim)
    if (!marks[dim] || self.sizes[dim] != 1)
      append(sizes, self.sizes[dim]);
  return one(sizes, self.dtype);
}

Result<Results> rules::squeezeAll(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  return squeezed(self, std::vector<bool>(self.rank(), true));
}

Result<Results> rules::squeezeDim(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  std::vector<bool> marks(std::max<int64_t>(self.rank(), 1), false);
  marks[GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()))] = true;
  return squeezed(self, marks);
}

Result<Results> rules::squeezeDims(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  return squeezed(self, GAUDI_TRY(dimsAt(arguments, 1, self.rank(),
                                         /*isEmptyAll=*/false)));
}

/// The dimension that argument `i` names, which a scalar does not have.
static Result<int64_t> ownDim(Arguments arguments, unsigned i) {
  const TensorType &self = tensorAt(arguments, 0);
  if (self.rank() == 0)
    return fail("a scalar has no dimensions");
  return wrapDim(intAt(arguments, i), self.rank());
}

Result<Results> rules::slice(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(ownDim(arguments, 1));
  const int64_t size = self.sizes[dim], step = intAt(arguments, 4);
  if (step < 1)
    return fail("the step of a slice must be 1 or more, not {}", step);
  auto wrapped = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const int64_t start = wrapped(intAt(arguments, 2, 0));
  const int64_t end = std::max(wrapped(intAt(arguments, 3, size)), start);
  // A step may be as large as an integer.
  self.sizes[dim] = (end - start) / step + ((end - start) % step != 0);
  return Results{self};
}

Result<Results> rules::narrow(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(ownDim(arguments, 1));
  const int64_t size = self.sizes[dim], length = intAt(arguments, 3);
  int64_t start = intAt(arguments, 2);
  start += start < 0 ? size : 0;
  if (start < 0 || length < 0 || start > size || length > size - start)
    return fail("{} elements from {} are not inside dimension {} of size {}",
                length, intAt(arguments, 2), dim, size);
  self.sizes[dim] = length;
  return Results{self};
}

Result<Results> rules::select(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(ownDim(arguments, 1));
  const int64_t index = intAt(arguments, 2), size = self.sizes[dim];
  if (index < -size || index >= size)
    return fail("index {} is outside of dimension {} of size {}", index, dim,
                size);
  Ints sizes;
  for (int64_t i = 0; i < self.rank(); ++i)
    if (i != dim)
      append(sizes, self.sizes[i]);
  return one(sizes, self.dtype);
}

/// The type of all tensors of argument 0.
static Result<ScalarType> commonType(const Tensors &tensors) {
  std::vector<Argument> types;
  for (const auto &tensor : tensors)
    types.push_back(*tensor);
  return promotedType(types);
}

Result<Results> rules::cat(Arguments arguments) {
  const Tensors &tensors = tensorsAt(arguments, 0);
  if (tensors.empty())
    return fail("there is nothing to concatenate");
  // Empty vectors go with tensors of any shape.
  auto isNothing = [](const TensorType &type) {
    return type.rank() == 1 && type.sizes[0] == 0;
  };
  const TensorType *shape = nullptr;
  for (const auto &tensor : tensors)
    if (!shape || isNothing(*shape))
      shape = &*tensor;
  if (shape->rank() == 0)
    return fail("scalars cannot be concatenated");
  TensorType result = *shape;
  result.dtype = GAUDI_TRY(commonType(tensors));
  const int64_t dim = GAUDI_TRY(wrapDim(intAt(arguments, 1), result.rank()));
  result.sizes[dim] = 0;
  for (const auto &tensor : tensors) {
    if (isNothing(*tensor))
      continue;
    bool fits = tensor->rank() == result.rank();
    for (int64_t i = 0; fits && i < result.rank(); ++i)
      fits = i == dim || tensor->sizes[i] == result.sizes[i];
    if (!fits)
      return fail("shapes {} and {} differ beyond dimension {}",
                  text(shape->sizes), text(tensor->sizes), dim);
    result.sizes[dim] += tensor->sizes[dim];
  }
  return Results{result};
}

Result<Results> rules::stack(Arguments arguments) {
  const Tensors &tensors = tensorsAt(arguments, 0);
  if (tensors.empty())
    return fail("there is nothing to stack");
  const Ints &first = tensors.front()->sizes;
  for (const auto &tensor : tensors)
    if (!(tensor->sizes == first))
      return fail("shapes {} and {} differ", text(first), text(tensor->sizes));
  const int64_t rank = first.size();
  const int64_t at = GAUDI_TRY(wrapDim(intAt(arguments, 1), rank + 1));
  Ints sizes;
  for (int64_t dim = 0; dim <= rank; ++dim)
    append(sizes, dim < at    ? first[dim]
                  : dim == at ? int64_t(tensors.size())
                              : first[dim - 1]);
  return one(sizes, GAUDI_TRY(commonType(tensors)));
}

/// The most results that one call may have.
static constexpr int64_t maxParts = 1 << 16;

/// Parts of `self` along `dim`.
static Results parts(const TensorType &self, int64_t dim, const Ints &lengths) {
  Results results;
  for (int64_t length : lengths) {
    results.push_back(self);
    results.back().sizes[dim] = length;
  }
  return results;
}

/// Parts of `length` elements, of which the last may be shorter.
static Results equalParts(const TensorType &self, int64_t dim, int64_t length) {
  Ints lengths;
  for (int64_t left = self.sizes[dim]; left > 0; left -= length)
    append(lengths, std::min(left, length));
  if (lengths.empty())
    append(lengths, 0);
  return parts(self, dim, lengths);
}

Result<Results> rules::split(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(ownDim(arguments, 2));
  const int64_t length = intAt(arguments, 1);
  if (length < 0 || (length == 0 && self.sizes[dim] != 0))
    return fail("parts of {} elements", length);
  if (length > 0 && self.sizes[dim] / length >= maxParts)
    return fail("{} elements make more than {} parts of {}", self.sizes[dim],
                maxParts, length);
  return equalParts(self, dim, length);
}

Result<Results> rules::splitSizes(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(ownDim(arguments, 2));
  int64_t sum = 0;
  for (int64_t length : intsAt(arguments, 1)) {
    if (length < 0 || length > self.sizes[dim])
      return fail("a part of {} elements of dimension {} of size {}", length,
                  dim, self.sizes[dim]);
    sum += length;
  }
  if (sum != self.sizes[dim])
    return fail("the parts {} do not add up to dimension {} of size {}",
                text(intsAt(arguments, 1)), dim, self.sizes[dim]);
  return parts(self, dim, intsAt(arguments, 1));
}

Result<Results> rules::chunk(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(ownDim(arguments, 2));
  const int64_t count = intAt(arguments, 1), size = self.sizes[dim];
  if (count < 1 || count > maxParts)
    return fail("{} parts; expected 1 to {}", count, maxParts);
  if (size == 0) { // as many empty parts as asked for
    Ints lengths;
    lengths.resize(count);
    return parts(self, dim, lengths);
  }
  return equalParts(self, dim, (size + count - 1) / count);
}

Result<Results> rules::flatten(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const int64_t first = GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  const int64_t last = GAUDI_TRY(wrapDim(intAt(arguments, 2), self.rank()));
  if (first > last)
    return fail("dimension {} comes after {}", first, last);
  Ints sizes;
  if (self.rank() == 0)
    append(sizes, 1);
  for (int64_t dim = 0; dim < self.rank(); ++dim)
    if (dim > first && dim <= last)
      sizes[sizes.size() - 1] *= self.sizes[dim];
    else
      append(sizes, self.sizes[dim]);
  return one(sizes, self.dtype);
}

Result<Results> rules::flip(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  GAUDI_TRY(dimsAt(arguments, 1, self.rank(), /*isEmptyAll=*/false));
  return Results{self};
}

Result<Results> rules::repeat(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  Ints sizes = intsAt(arguments, 1);
  if (sizes.size() < self.sizes.size())
    return fail("{} repetitions of {} dimensions", sizes.size(), self.rank());
  const uint32_t added = sizes.size() - self.sizes.size();
  for (uint32_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] < 0)
      return fail("{} repetitions", sizes[dim]);
    if (dim >= added && __builtin_mul_overflow(
                            sizes[dim], self.sizes[dim - added], &sizes[dim]))
      return fail("the result has too many elements");
  }
  return one(sizes, self.dtype);
}

Result<Results> rules::pad(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const Ints &pads = intsAt(arguments, 1);
  if (pads.size() % 2 != 0 || pads.size() > 2 * self.sizes.size())
    return fail("{} pads of {} dimensions", pads.size(), self.rank());
  // From the last dimension, two numbers each; negative ones cut off.
  for (uint32_t i = 0; 2 * i < pads.size(); ++i) {
    int64_t &size = self.sizes[self.sizes.size() - 1 - i];
    if (__builtin_add_overflow(size, pads[2 * i], &size) ||
        __builtin_add_overflow(size, pads[2 * i + 1], &size) || size < 0)
      return fail("pads {} give dimension {} a size below 0 or above all",
                  text(pads), self.sizes.size() - 1 - i);
  }
  return Results{self};
}

Result<Results> rules::triangle(Arguments arguments) {
  if (tensorAt(arguments, 0).rank() < 2)
    return fail("expected 2 dimensions or more, not {}",
                tensorAt(arguments, 0).rank());
  return same(arguments);
}
