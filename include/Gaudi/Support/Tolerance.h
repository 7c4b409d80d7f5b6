// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a result may be from the reference, per element type: one table and
// one comparison, used by every test and every check. docs/numerics.md argues
// the numbers.
#ifndef GAUDI_SUPPORT_TOLERANCE_H
#define GAUDI_SUPPORT_TOLERANCE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace gaudi {

/// An element passes if
/// |actual - reference| <= ofLargest * L + ofElement * |reference| + absolute
/// with L the largest finite magnitude in the reference tensor. NaN must meet
/// NaN and an infinity the same infinity. All zero: equal values.
struct Tolerance {
  double ofLargest;
  double ofElement;
  double absolute;
};

/// One row of the table: after one op, and after a whole model.
struct ToleranceRow {
  std::string_view type; ///< "f32", "bf16", ..., "integer"
  Tolerance op;
  Tolerance model;
};

inline constexpr ToleranceRow toleranceTable[] = {
    {"f32", {1e-5, 1e-5, 0x1p-126}, {1e-4, 1e-4, 0x1p-126}},
    {"bf16", {1e-5, 0x1p-7, 0x1p-126}, {0x1p-6, 0x1p-6, 0x1p-126}},
    {"f16", {1e-5, 0x1p-10, 0x1p-24}, {0x1p-9, 0x1p-9, 0x1p-24}},
    {"f8E4M3FN", {1e-5, 0x1p-3, 0x1p-9}, {0x1p-2, 0x1p-2, 0x1p-9}},
    {"f8E5M2", {1e-5, 0x1p-2, 0x1p-16}, {0x1p-1, 0x1p-1, 0x1p-16}},
    {"integer", {0, 0, 0}, {0, 0, 0}},
};

/// The row of an element type by its name; integers share one.
inline const ToleranceRow &toleranceRow(std::string_view elementType) {
  constexpr size_t rows = sizeof(toleranceTable) / sizeof(toleranceTable[0]);
  for (const ToleranceRow &row : toleranceTable)
    if (row.type == elementType)
      return row;
  return toleranceTable[rows - 1];
}

/// The outcome of a comparison, and its worst element: the one with the largest
/// error relative to what is allowed there.
struct Deviation {
  uint64_t count = 0;
  uint64_t failures = 0; ///< elements out of tolerance
  uint64_t worst = 0;    ///< its index; meaningless if there are no elements
  double actual = 0;     ///< its values
  double reference = 0;
  double error = 0; ///< |actual - reference|, infinite for NaN against a number
  double allowed = 0; ///< the tolerance there
  double largest = 0; ///< L: max |reference| over finite elements

  /// Of a comparison under ExpectedNoise: the standard deviation that is
  /// expected at the worst element, and the root mean squares, over all
  /// elements, of errors that no draw made and of what is allowed of them.
  bool hasNoise = false;
  double noise = 0;
  double spread = 0, allowedSpread = 0;

  bool passed() const { return failures == 0 && !(spread > allowedSpread); }
};

/// What is expected of a device, per element: see NoiseEstimate in
/// Gaudi/Reference/Noise.h, whose fields these are.
struct ExpectedNoise {
  const double *noise = nullptr, *allowed = nullptr, *seen = nullptr,
               *reach = nullptr;
  double squares = 0;
  uint64_t strays = 0;
  double strayError = 0;
};

/// |a - b|; 0 for equal infinities and for two NaNs, infinite for any other
/// pair with a value that is not finite.
inline double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return std::numeric_limits<double>::infinity();
  return std::fabs(a - b);
}

/// At least 1 for different integers, which may be the same double.
inline double distance(int64_t a, int64_t b) {
  return a == b ? 0 : std::max(1.0, std::fabs(double(a) - double(b)));
}

/// Compares `count` elements; actual(i) and reference(i) give both values, as
/// double for floats and as int64_t for integers.
template <typename Actual, typename Reference>
Deviation compareElements(uint64_t count, Actual &&actual,
                          Reference &&reference, Tolerance tolerance) {
  static_assert(std::is_same_v<decltype(actual(uint64_t(0))),
                               decltype(reference(uint64_t(0)))>,
                "both sides are floats or both are integers");
  Deviation result;
  result.count = count;
  for (uint64_t i = 0; i < count; ++i)
    if (const double value = double(reference(i)); std::isfinite(value))
      result.largest = std::max(result.largest, std::fabs(value));
  double worstRatio = -1;
  for (uint64_t i = 0; i < count; ++i) {
    const auto a = actual(i), r = reference(i);
    const double error = distance(a, r), expected = double(r);
    // Of an infinite reference nothing is allowed in proportion.
    const double allowed =
        tolerance.absolute + tolerance.ofLargest * result.largest +
        (std::isfinite(expected) ? tolerance.ofElement * std::fabs(expected)
                                 : 0);
    result.failures += !(error <= allowed);
    const double ratio = error == 0 ? 0
                         : allowed == 0
                             ? std::numeric_limits<double>::infinity()
                             : error / allowed;
    if (ratio > worstRatio) {
      worstRatio = ratio;
      result.worst = i;
      result.actual = double(a);
      result.reference = expected;
      result.error = error;
      result.allowed = allowed;
    }
  }
  return result;
}

/// The same under what is expected of each element. The worst element is the
/// one with the largest error relative to what is allowed there.
template <typename Actual, typename Reference>
Deviation compareElements(uint64_t count, Actual &&actual,
                          Reference &&reference, const ExpectedNoise &noise) {
  Deviation result;
  result.count = count;
  result.hasNoise = true;
  double worstRatio = -1, unseen = 0, ofStrays = 0, largestStray = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const auto a = actual(i), r = reference(i);
    const double error = distance(a, r), allowed = noise.allowed[i];
    if (std::isfinite(double(r)))
      result.largest = std::max(result.largest, std::fabs(double(r)));
    const bool overflows =
        std::isinf(error) && noise.reach[i] >= 0 &&
        (!std::isfinite(double(a)) || std::fabs(double(a)) <= noise.reach[i]);
    if (overflows)
      continue;
    const bool isBeyond = !(error <= allowed);
    result.failures += isBeyond;
    if (isBeyond) {
      largestStray = std::max(largestStray, error);
      ofStrays += error * error;
    } else if (error > noise.seen[i]) {
      unseen += error * error;
    }
    const double ratio = error == 0 ? 0
                         : allowed == 0
                             ? std::numeric_limits<double>::infinity()
                             : error / allowed;
    if (ratio > worstRatio) {
      worstRatio = ratio;
      result.worst = i;
      result.actual = double(a);
      result.reference = double(r);
      result.error = error;
      result.allowed = allowed;
      result.noise = noise.noise[i];
    }
  }
  if (result.failures <= noise.strays && largestStray <= noise.strayError)
    result.failures = 0;
  else
    unseen += ofStrays;
  if (count && std::is_floating_point_v<decltype(actual(uint64_t(0)))>) {
    result.spread = std::sqrt(unseen / double(count));
    result.allowedSpread = std::sqrt(noise.squares / double(count));
  }
  return result;
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_TOLERANCE_H
