// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine forms over an index space: where a kernel reads and writes.
//
// An index space has one extent per dimension; its points are the index
// vectors with 0 <= index[d] < extents[d]. A form maps a point to
//   offset + sum(coefficients[d] * index[d]).
//
// Overflow, one rule for all: a form is exact or visibly not. If a coefficient
// or the offset of a result does not fit 64 bits, the result is the inexact
// form, which equals no form, varies with every dimension and has the range of
// all int64. Bounds are computed in 128 bits; one that does not fit 64 bits is
// the nearer end of int64. No input is undefined behaviour.
#ifndef GAUDI_KERNEL_AFFINE_H
#define GAUDI_KERNEL_AFFINE_H

#include "Gaudi/Kernel/InlineVector.h"
#include "Gaudi/Kernel/Span.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace gaudi::kernel {

class Affine {
public:
  /// More dimensions than any index space has, strip-mined ones included:
  /// dims() has a bit for each.
  static constexpr unsigned maxDims = 64;

  Affine(int64_t offset = 0) : offset(offset) {}
  /// The index of a dimension, times a coefficient.
  static Affine dim(unsigned d, int64_t coefficient = 1) {
    Affine form;
    form.add(d, coefficient);
    return form;
  }

  bool isExact() const { return exact; }
  int64_t getOffset() const { return offset; }
  /// Dimensions up to the last one with a coefficient.
  unsigned size() const { return coefficients.size(); }
  int64_t operator[](unsigned d) const {
    return d < coefficients.size() ? coefficients[d] : 0;
  }
  void addOffset(int64_t value) {
    if (__builtin_add_overflow(offset, value, &offset))
      becomeInexact();
  }
  void add(unsigned d, int64_t coefficient);
  void add(const Affine &other, int64_t factor = 1);

  bool isConstant() const { return exact && coefficients.empty(); }
  /// The dimension if the form is nothing but its index.
  std::optional<unsigned> singleDim() const;
  /// The dimensions with a coefficient, as bits.
  uint64_t dims() const;
  /// The form with every index replaced by a form of other indices.
  Affine substitute(Span<const Affine> forms) const;
  /// The form without the dimensions of extent 1, whose index is always 0: two
  /// forms are equal at every point if these are equal.
  Affine withoutUnitDims(Span<const int64_t> extents) const;
  /// The value at a point, which must be in int64's range; terms and partial
  /// sums need not be. What does not fit is given modulo 2^64.
  int64_t at(Span<const int64_t> index) const;

  /// False for inexact forms, also of themselves.
  bool operator==(const Affine &other) const {
    return exact && other.exact && offset == other.offset &&
           coefficients == other.coefficients;
  }
  bool operator!=(const Affine &other) const { return !(*this == other); }

private:
  void becomeInexact() {
    coefficients.clear();
    offset = 0;
    exact = false;
  }

  InlineVector<int64_t, 4> coefficients; // the last one is not 0
  int64_t offset;
  bool exact = true;
};

/// Smallest and largest value over an index space, both reached. A dimension
/// without points counts as one of extent 1.
struct Range {
  int64_t low;
  int64_t high;

  bool isWithin(int64_t size) const { return low >= 0 && high < size; }
};
Range rangeOf(const Affine &form, Span<const int64_t> extents);

/// Position in memory of the element at `position`, with one stride per
/// dimension of the tensor.
Affine flatten(Span<const Affine> position, Span<const int64_t> strides);

/// A loop over one dimension of the index space.
struct Walk {
  unsigned dim;
  int64_t extent;
};

/// True if the walks reach no value twice. Sufficient, and exact for nested
/// strides: see isInjective in Geometry.h.
bool isInjective(const Affine &form, Span<const Walk> walks);

/// n if the form takes every value of [0, n) exactly once over its dimensions,
/// fastest first at strides 1, e0, e0 * e1, ...; 0 otherwise.
int64_t contiguousRun(const Affine &form, Span<const int64_t> extents);

/// Elements per point: b if the k-th point in the order of `points` (outermost
/// first) touches only [k * b, (k + 1) * b) in all its `loops`; 0 if there is
/// no such b.
int64_t blockPerPoint(const Affine &form, Span<const Walk> points,
                      Span<const Walk> loops);

/// A dimension to be seen as two, the inner one of extent `inner`, which
/// divides its extent.
struct StripMine {
  unsigned dim;
  int64_t inner;
};

/// The old index in terms of the new ones, `inner` being the new dimension.
Affine stripMined(StripMine at, unsigned inner);

/// What re-indexing gives: success, or the strip-mining that may make it
/// possible, or neither.
struct Reindexed {
  bool ok = false;
  std::optional<StripMine> stripMine;
};

/// form = quotient * stride + rest with rest in [0, stride) at every point.
/// Fails for a stride below 1.
Reindexed divide(const Affine &form, int64_t stride,
                 Span<const int64_t> extents, Affine &quotient, Affine &rest);

/// Position, in a tensor of `to` sizes, of the element that is at `position` in
/// one of `from` sizes with as many elements, both row-major. Writes one form
/// per dimension of `to`.
Reindexed reshapePosition(Span<const Affine> position, Span<const int64_t> from,
                          Span<const int64_t> to, Span<const int64_t> extents,
                          Span<Affine> result);

/// Solves store(indices) = position for the indices of the storing kernel, at
/// every point of `extents`. Its dimensions have sizes `storeExtents`; those
/// that the store does not use must have size 1. Writes one form per index.
Reindexed invertStore(Span<const Affine> store,
                      Span<const int64_t> storeExtents,
                      Span<const Affine> position, Span<const int64_t> extents,
                      Span<Affine> indices);

/// a + b, or the nearer end of int64.
int64_t saturatingAdd(int64_t a, int64_t b);

/// offset + (size - 1) * stride, or the nearer end of int64: the last position
/// of a window, for any attribute values.
int64_t lastPosition(int64_t offset, int64_t size, int64_t stride);

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_AFFINE_H
