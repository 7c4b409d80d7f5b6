// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of ops that write into a copy of a tensor, and of views by
// strides, which are read and written alike.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

//===----------------------------------------------------------------------===//
// Writes by index
//===----------------------------------------------------------------------===//

Result<Results> rules::scattered(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0),
                   &index = tensorAt(arguments, 2);
  const int64_t dim = GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  const TensorType *source = optionalTensorAt(arguments, 3);
  // An index of nothing may have any type and rank.
  if (elementCount(index.sizes) == 0)
    return Results{self};
  if (index.dtype != ScalarType::Int64 && index.dtype != ScalarType::Int32)
    return fail("the index has type {}; expected si32 or si64",
                nameOf(index.dtype));
  if (source && source->dtype != self.dtype)
    return fail("the operands have types {} and {}", nameOf(self.dtype),
                nameOf(source->dtype));
  // A scalar counts as one element.
  auto rankOf = [](const TensorType &type) {
    return std::max<int64_t>(type.rank(), 1);
  };
  auto sizeOf = [](const TensorType &type, int64_t i) {
    return type.rank() == 0 ? 1 : type.sizes[i];
  };
  if (rankOf(index) != rankOf(self) ||
      (source && rankOf(*source) != rankOf(self)))
    return fail("tensors of {}, {} and {} dimensions; expected as many each",
                self.rank(), index.rank(),
                source ? source->rank() : self.rank());
  for (int64_t i = 0; i < rankOf(self); ++i)
    if ((i != dim && sizeOf(index, i) > sizeOf(self, i)) ||
        (source && sizeOf(index, i) > sizeOf(*source, i)))
      return fail("an index of shape {} is larger than the operand or the "
                  "source in dimension {}",
                  text(index.sizes), i);
  return Results{self};
}

Result<Results> rules::indexPut(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0),
                   &values = tensorAt(arguments, 2);
  if (values.dtype != self.dtype)
    return fail("the operands have types {} and {}", nameOf(self.dtype),
                nameOf(values.dtype));
  const Tensors &indices = tensorsAt(arguments, 1);
  // Masks stand for the positions at which they are true, of which the values
  // say how many there are.
  const TensorType *mask = nullptr;
  int64_t given = 0, at = 0, dims = 0;
  for (const auto &index : indices) {
    if (index) {
      ++given;
      if (isBool(index->dtype) || index->dtype == ScalarType::UInt8) {
        mask = &*index;
        at = dims;
      }
    }
    dims += index && mask == &*index ? index->rank() : 1;
  }
  if (dims > self.rank())
    return fail("{} dimensions are indexed of a tensor of {}", dims,
                self.rank());
  if (mask) {
    if (given > 1)
      return fail("a mask among other indices");
    for (int64_t i = 0; i < mask->rank(); ++i)
      if (mask->sizes[i] != self.sizes[at + i])
        return fail("a mask of shape {} does not fit shape {} from dimension "
                    "{} on",
                    text(mask->sizes), text(self.sizes), at);
    // [before.., positions, after..]; the positions may be any number.
    const int64_t rank = self.rank() - mask->rank() + 1;
    bool fits = values.rank() <= rank;
    for (int64_t i = 0; fits && i < values.rank(); ++i) {
      const int64_t place = rank - values.rank() + i;
      fits = place == at || values.sizes[i] == 1 ||
             values.sizes[i] ==
                 self.sizes[place < at ? place : place - 1 + mask->rank()];
    }
    if (!fits)
      return fail("values of shape {} do not fit a mask of shape {} of a "
                  "tensor of shape {}",
                  text(values.sizes), text(mask->sizes), text(self.sizes));
    return Results{self};
  }
  Results read = GAUDI_TRY(index(arguments));
  if (!(GAUDI_TRY(broadcast(values.sizes, read[0].sizes)) == read[0].sizes))
    return fail("shape {} does not expand to {}", text(values.sizes),
                text(read[0].sizes));
  return Results{self};
}

//===----------------------------------------------------------------------===//
// Windows and views by strides
//===----------------------------------------------------------------------===//

/// `self`, into a view of which, of shape `sizes`, argument 1 is written.
static Result<Results> writtenInto(Arguments arguments, const Ints &sizes) {
  const TensorType &source = tensorAt(arguments, 1);
  if (!(source.sizes == sizes))
    return fail("the source has shape {}; expected {}", text(source.sizes),
                text(sizes));
  return Results{tensorAt(arguments, 0)};
}

/// The arguments without the source: those of the view.
static std::vector<Argument> ofView(Arguments arguments) {
  std::vector<Argument> view(arguments.begin(), arguments.end());
  view.erase(view.begin() + 1);
  return view;
}

Result<Results> rules::sliceScatter(Arguments arguments) {
  const Results view = GAUDI_TRY(slice(ofView(arguments)));
  // The source may have to be repeated.
  const TensorType &source = tensorAt(arguments, 1);
  if (!(GAUDI_TRY(broadcast(source.sizes, view[0].sizes)) == view[0].sizes))
    return fail("shape {} does not expand to {}", text(source.sizes),
                text(view[0].sizes));
  return Results{tensorAt(arguments, 0)};
}

Result<Results> rules::selectScatter(Arguments arguments) {
  return writtenInto(arguments, GAUDI_TRY(select(ofView(arguments)))[0].sizes);
}

Result<Results> rules::diagonalScatter(Arguments arguments) {
  return writtenInto(arguments,
                     GAUDI_TRY(diagonal(ofView(arguments)))[0].sizes);
}

Result<Results> rules::stridedScatter(Arguments arguments) {
  return writtenInto(arguments, GAUDI_TRY(strided(ofView(arguments)))[0].sizes);
}

Result<Results> rules::diagonal(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  if (self.rank() < 2)
    return fail("expected 2 dimensions or more, not {}", self.rank());
  const int64_t rows = GAUDI_TRY(wrapDim(intAt(arguments, 2), self.rank()));
  const int64_t columns = GAUDI_TRY(wrapDim(intAt(arguments, 3), self.rank()));
  if (rows == columns)
    return fail("dimension {} is named twice", rows);
  Ints sizes;
  for (int64_t dim = 0; dim < self.rank(); ++dim)
    if (dim != rows && dim != columns)
      append(sizes, self.sizes[dim]);
  // In 128 bits: the offset is any integer.
  const __int128 offset = intAt(arguments, 1);
  const __int128 length =
      std::min<__int128>(self.sizes[rows] + std::min<__int128>(offset, 0),
                         self.sizes[columns] - std::max<__int128>(offset, 0));
  append(sizes, int64_t(std::max<__int128>(length, 0)));
  return one(sizes, self.dtype);
}

Result<Results> rules::unfold(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const int64_t dim = GAUDI_TRY(wrapDim(intAt(arguments, 1), self.rank()));
  const int64_t size = intAt(arguments, 2), step = intAt(arguments, 3);
  const int64_t most = self.rank() > 0 ? self.sizes[dim] : 1;
  if (size < 0 || size > most || step < 1)
    return fail("windows of {} elements, {} apart, of dimension {} of size {}",
                size, step, dim, most);
  if (self.rank() > 0)
    self.sizes[dim] = (most - size) / step + 1;
  append(self.sizes, size);
  return Results{self};
}

Result<Results> rules::strided(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  const Ints &sizes = intsAt(arguments, 1), &strides = intsAt(arguments, 2);
  if (sizes.size() != strides.size())
    return fail("{} sizes and {} strides", sizes.size(), strides.size());
  // Numbers within which 128 bits hold every position.
  constexpr int64_t most = int64_t(1) << 48;
  __int128 last = intAt(arguments, 3, 0);
  bool isEmpty = false, isOutside = last < 0;
  for (uint32_t i = 0; i < sizes.size(); ++i) {
    isOutside |=
        sizes[i] < 0 || strides[i] < 0 || sizes[i] > most || strides[i] > most;
    isEmpty |= sizes[i] == 0;
    last += __int128(sizes[i] - 1) * strides[i];
  }
  if (isOutside)
    return fail("a size, a stride or the offset is below 0 or above {}", most);
  if (!isEmpty && last >= elementCount(self.sizes))
    return fail("sizes {} and strides {} leave the {} elements", text(sizes),
                text(strides), elementCount(self.sizes));
  return one(sizes, self.dtype);
}
