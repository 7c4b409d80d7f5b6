// Element-wise comparison under a tolerance.
#include "Compare.h"
#include "Gaudi/Support/Quote.h"
#include "Text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace gaudi::run {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// 0 for equal values, equal infinities and two NaNs; infinite for any other
/// pair with a value that is not finite.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return infinity;
  return std::fabs(a - b);
}

} // namespace

Tolerance toleranceFor(recipe::ElementType type, std::optional<double> atol,
                       std::optional<double> rtol) {
  if (atol || rtol)
    return {rtol.value_or(0), 0, atol.value_or(0)};
  return toleranceRow(recipe::elementName(type)).model;
}

Comparison compare(const HostTensor &got, ExpectedValues expected,
                   Tolerance tolerance, std::string against) {
  Comparison result;
  result.output = got.name;
  result.against = std::move(against);
  result.count = got.type.count();
  assert((expected.floats != nullptr) != (expected.integers != nullptr) &&
         "exactly one kind of expected values");
  for (uint64_t i = 0; i < result.count; ++i) {
    const double value =
        expected.floats ? expected.floats[i] : double(expected.integers[i]);
    if (std::isfinite(value))
      result.largest = std::max(result.largest, std::fabs(value));
  }
  // Errors are ranked by their ratio to what is allowed: the same error counts
  // more where the expected element is small.
  double worstRatio = -1;
  for (uint64_t i = 0; i < result.count; ++i) {
    double actual, wanted, error;
    if (expected.floats) {
      actual = got.floatAt(i);
      wanted = expected.floats[i];
      error = distance(actual, wanted);
    } else {
      const int64_t a = got.intAt(i), b = expected.integers[i];
      actual = double(a);
      wanted = double(b);
      // Different int64 values may be the same double.
      error = a == b ? 0 : std::max(1.0, std::fabs(actual - wanted));
    }
    const double allowed =
        tolerance.absolute + tolerance.ofLargest * result.largest +
        (std::isfinite(wanted) ? tolerance.ofElement * std::fabs(wanted) : 0);
    if (!(error <= allowed))
      ++result.failures;
    const double ratio = error == 0     ? 0
                         : allowed == 0 ? infinity
                                        : error / allowed;
    if (ratio > worstRatio) {
      worstRatio = ratio;
      result.worst = i;
      result.got = actual;
      result.expected = wanted;
      result.error = error;
      result.allowed = allowed;
    }
  }
  result.passed = result.failures == 0;
  if (result.count)
    result.position = positionText(got.type.shape, result.worst);
  return result;
}

Comparison compare(const HostTensor &got, const HostTensor &expected,
                   Tolerance tolerance, std::string against) {
  const uint64_t count = expected.type.count();
  std::vector<double> floats;
  std::vector<int64_t> integers;
  const bool isFloat = recipe::isFloat(expected.type.element);
  for (uint64_t i = 0; i < count; ++i)
    if (isFloat)
      floats.push_back(expected.floatAt(i));
    else
      integers.push_back(expected.intAt(i));
  // A tensor without elements must still say which kind it is.
  floats.reserve(1);
  integers.reserve(1);
  ExpectedValues values;
  if (isFloat)
    values.floats = floats.data();
  else
    values.integers = integers.data();
  return compare(got, values, tolerance, std::move(against));
}

std::string Comparison::text() const {
  std::string line = fmt::format("output {} {} {}: ", inQuotes(output),
                                 passed ? "matches" : "differs from", against);
  auto out = std::back_inserter(line);
  if (count == 0)
    fmt::format_to(out, "no elements");
  else if (passed && error == 0)
    fmt::format_to(
        out, count == 1 ? "the element is equal" : "all {} elements are equal",
        count);
  else if (passed)
    fmt::format_to(out, "{}", countOf(count, "element"));
  else
    fmt::format_to(out, "{} of {} out of tolerance", failures,
                   countOf(count, "element"));
  if (count && (!passed || error != 0))
    fmt::format_to(out,
                   "; worst element {}: got {:.9g}, expected {:.9g} (error "
                   "{:.3g}, allowed {:.3g})",
                   position, got, expected, error, allowed);
  return line;
}

} // namespace gaudi::run
