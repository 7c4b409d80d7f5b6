// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine forms: exact arithmetic, ranges, and solving for indices.
#include "Gaudi/Kernel/Affine.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Support/CheckedMath.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace gaudi::kernel {
namespace {

using Wide = __int128;

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t greatest = std::numeric_limits<int64_t>::max();

int64_t saturated(Wide value) {
  return value < least ? least : value > greatest ? greatest : int64_t(value);
}

/// Adds up reaches of one sign. Beyond 2^64 nothing added to an int64 comes
/// back into int64's range, so that a sum held there saturates rightly, and no
/// number of terms (each below 2^126) overflows.
void addReach(Wide &sum, Wide reach) {
  constexpr Wide end = Wide(1) << 64;
  sum = std::clamp(sum + reach, -end, end);
}

Wide floorDiv(Wide a, Wide b) {
  assert(b > 0 && "divisor of a floor division");
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// The dimensions of the form, by the size of their coefficients.
InlineVector<unsigned, 8> dimsByStride(const Affine &form, bool descending) {
  InlineVector<unsigned, 8> order;
  for (unsigned d = 0; d < form.size(); ++d)
    if (form[d] != 0) {
      order.resize(order.size() + 1);
      order[order.size() - 1] = d;
    }
  std::sort(order.data(), order.data() + order.size(),
            [&](unsigned a, unsigned b) {
              return descending ? form[a] > form[b] : form[a] < form[b];
            });
  return order;
}

/// Product of sizes, each 1 or more; none if it does not fit.
std::optional<int64_t> countOf(Span<const int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 1 || __builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  return count;
}

} // namespace

void Affine::add(unsigned d, int64_t coefficient) {
  assert(d < maxDims && "dimension beyond the bits of dims()");
  if (coefficient == 0 || !exact)
    return;
  if (d >= coefficients.size())
    coefficients.resize(d + 1);
  if (__builtin_add_overflow(coefficients[d], coefficient, &coefficients[d]))
    return becomeInexact();
  while (!coefficients.empty() && coefficients.back() == 0)
    coefficients.pop_back();
}

void Affine::add(const Affine &other, int64_t factor) {
  if (factor == 0 && other.exact)
    return;
  int64_t product;
  if (!exact || !other.exact ||
      __builtin_mul_overflow(other.offset, factor, &product) ||
      __builtin_add_overflow(offset, product, &offset))
    return becomeInexact();
  for (unsigned d = 0; d < other.size(); ++d) {
    if (__builtin_mul_overflow(other[d], factor, &product))
      return becomeInexact();
    add(d, product);
  }
}

std::optional<unsigned> Affine::singleDim() const {
  if (offset != 0 || coefficients.empty() || coefficients.back() != 1)
    return std::nullopt;
  for (unsigned d = 0; d + 1 < coefficients.size(); ++d)
    if (coefficients[d] != 0)
      return std::nullopt;
  return coefficients.size() - 1;
}

uint64_t Affine::dims() const {
  if (!exact)
    return ~uint64_t(0);
  uint64_t bits = 0;
  for (unsigned d = 0; d < coefficients.size(); ++d)
    if (coefficients[d] != 0)
      bits |= uint64_t(1) << d;
  return bits;
}

Affine Affine::substitute(Span<const Affine> forms) const {
  Affine result = exact ? Affine(offset) : *this;
  for (unsigned d = 0; d < coefficients.size(); ++d)
    if (coefficients[d] != 0)
      result.add(forms[d], coefficients[d]);
  return result;
}

Affine Affine::withoutUnitDims(Span<const int64_t> extents) const {
  Affine result = *this;
  for (unsigned d = 0; d < coefficients.size(); ++d)
    if (extents[d] == 1)
      result.coefficients[d] = 0;
  while (!result.coefficients.empty() && result.coefficients.back() == 0)
    result.coefficients.pop_back();
  return result;
}

int64_t Affine::at(Span<const int64_t> index) const {
  // Terms may be as large as 2^126, so a sum of three leaves 128 bits although
  // the others bring it back. Modulo 2^128 the order of the terms does not
  // matter, and a value of 64 bits is its own remainder.
  unsigned __int128 value = Wide(offset);
  for (unsigned d = 0; d < coefficients.size(); ++d)
    value += Wide(coefficients[d]) * index[d];
  assert(exact && saturated(Wide(value)) == Wide(value) && "value of 64 bits");
  return int64_t(value);
}

Range rangeOf(const Affine &form, Span<const int64_t> extents) {
  if (!form.isExact())
    return {least, greatest};
  Wide below = 0, above = 0;
  for (unsigned d = 0; d < form.size(); ++d)
    if (extents[d] > 1)
      addReach(form[d] < 0 ? below : above, Wide(form[d]) * (extents[d] - 1));
  return {saturated(form.getOffset() + below),
          saturated(form.getOffset() + above)};
}

Affine flatten(Span<const Affine> position, Span<const int64_t> strides) {
  assert(position.size() == strides.size() && "one stride per dimension");
  Affine flat;
  for (size_t i = 0; i < position.size(); ++i)
    flat.add(position[i], strides[i]);
  return flat;
}

bool isInjective(const Affine &form, Span<const Walk> walks) {
  if (!form.isExact())
    return false;
  Dims sizes, strides;
  for (const Walk &walk : walks) {
    const int64_t stride = form[walk.dim];
    sizes.push_back(walk.extent);
    // The magnitude of the least int64 does not fit. One less is still more
    // than every reach it is compared with, or the answer is no.
    strides.push_back(stride == least ? greatest : std::abs(stride));
  }
  return isInjective(sizes, strides);
}

int64_t contiguousRun(const Affine &form, Span<const int64_t> extents) {
  if (!form.isExact() || form.getOffset() != 0)
    return 0;
  int64_t stride = 1;
  for (unsigned d : dimsByStride(form, /*descending=*/false))
    if (form[d] != stride ||
        __builtin_mul_overflow(stride, extents[d], &stride))
      return 0;
  return stride;
}

int64_t blockPerPoint(const Affine &form, Span<const Walk> points,
                      Span<const Walk> loops) {
  // From the innermost walk outwards, a step of each is the block times the
  // points of those inside it.
  int64_t block = 0;
  Wide step = 0;
  for (size_t p = points.size(); p-- > 0;) {
    if (points[p].extent == 1)
      continue;
    const int64_t coefficient = form[points[p].dim];
    if (block == 0)
      step = block = coefficient;
    if (block <= 0 || step != coefficient)
      return 0;
    step *= points[p].extent;
  }
  // What the loops add stays inside the block.
  Wide low = form.getOffset(), high = form.getOffset();
  for (const Walk &walk : loops)
    if (walk.extent > 1) {
      const int64_t coefficient = form[walk.dim];
      addReach(coefficient < 0 ? low : high,
               Wide(coefficient) * (walk.extent - 1));
    }
  return form.isExact() && low >= 0 && high < block ? block : 0;
}

Affine stripMined(StripMine at, unsigned inner) {
  Affine form = Affine::dim(at.dim, at.inner);
  form.add(inner, 1);
  return form;
}

Reindexed divide(const Affine &form, int64_t stride,
                 Span<const int64_t> extents, Affine &quotient, Affine &rest) {
  if (stride < 1 || !form.isExact())
    return {};
  // Multiples of the stride go to the quotient; the others, if their sum stays
  // between two multiples, are the rest.
  quotient = Affine();
  rest = Affine(form.getOffset());
  for (unsigned d = 0; d < form.size(); ++d) {
    if (form[d] % stride == 0)
      quotient.add(d, form[d] / stride);
    else
      rest.add(d, form[d]);
  }
  const Range range = rangeOf(rest, extents);
  if (range.low == least || range.high == greatest)
    return {}; // saturated: the true bound is not known
  const Wide whole = floorDiv(range.low, stride), moved = -whole * stride;
  if (range.high + moved < stride) {
    quotient.addOffset(int64_t(whole));
    rest.addOffset(saturated(moved));
    return {moved <= greatest && quotient.isExact() && rest.isExact(),
            std::nullopt};
  }
  // A dimension that crosses the stride, seen as an outer one, whose steps are
  // the stride, and an inner one.
  for (unsigned d = 0; d < rest.size(); ++d) {
    const int64_t c = rest[d];
    if (c <= 0 || c >= stride || stride % c != 0)
      continue;
    const int64_t inner = stride / c;
    if (extents[d] > inner && extents[d] % inner == 0)
      return {false, StripMine{d, inner}};
  }
  return {};
}

Reindexed reshapePosition(Span<const Affine> position, Span<const int64_t> from,
                          Span<const int64_t> to, Span<const int64_t> extents,
                          Span<Affine> result) {
  assert(position.size() == from.size() && result.size() == to.size() &&
         "one form per dimension");
  const std::optional<int64_t> count = countOf(to);
  if (!count || countOf(from) != count)
    return {};
  // Row-major number of the element, then its digits in the new sizes.
  Affine flat;
  int64_t stride = 1;
  for (size_t i = from.size(); i-- > 0; stride *= from[i])
    flat.add(position[i], stride);
  stride = *count;
  for (size_t i = 0; i < to.size(); ++i) {
    result[i] = Affine();
    if (to[i] == 1)
      continue;
    stride /= to[i];
    Affine rest;
    Reindexed divided = divide(flat, stride, extents, result[i], rest);
    if (!divided.ok)
      return divided;
    flat = std::move(rest);
  }
  return {true, std::nullopt};
}

Reindexed invertStore(Span<const Affine> store,
                      Span<const int64_t> storeExtents,
                      Span<const Affine> position, Span<const int64_t> extents,
                      Span<Affine> indices) {
  assert(store.size() == position.size() &&
         indices.size() == storeExtents.size() && "one form per dimension");
  std::fill(indices.begin(), indices.end(), Affine());
  uint64_t known = 0;
  for (size_t t = 0; t < store.size(); ++t) {
    const Affine &form = store[t];
    // Mixed-radix digits: dividing by the largest coefficient first leaves a
    // rest smaller than it for the others. Each index is solved for once.
    for (unsigned d = 0; d < form.size(); ++d)
      if (form[d] < 0)
        return {};
    if (!form.isExact() || form.dims() & known)
      return {};
    known |= form.dims();
    Affine rest = position[t];
    rest.add(Affine(form.getOffset()), -1);
    for (unsigned d : dimsByStride(form, /*descending=*/true)) {
      Affine next;
      Reindexed divided = divide(rest, form[d], extents, indices[d], next);
      if (!divided.ok)
        return divided;
      rest = std::move(next);
    }
    const Range left = rangeOf(rest, extents);
    if (left.low != 0 || left.high != 0)
      return {};
  }
  // The solution must be a point of the storing kernel.
  for (size_t d = 0; d < storeExtents.size(); ++d) {
    if (!(known >> d & 1) && storeExtents[d] != 1)
      return {};
    if (!rangeOf(indices[d], extents).isWithin(storeExtents[d]))
      return {};
  }
  return {true, std::nullopt};
}

int64_t saturatingAdd(int64_t a, int64_t b) { return saturated(Wide(a) + b); }

int64_t lastPosition(int64_t offset, int64_t size, int64_t stride) {
  return saturated(Wide(offset) + (Wide(size) - 1) * stride);
}

} // namespace gaudi::kernel
