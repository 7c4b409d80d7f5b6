// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise comparison under a tolerance.
#include "Gaudi/Analysis/Compare.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"

#include <cassert>
#include <fmt/format.h>
#include <iterator>

namespace gaudi::analysis {

Tolerance toleranceFor(recipe::ElementType type, std::optional<double> atol,
                       std::optional<double> rtol) {
  if (atol || rtol)
    return {rtol.value_or(0), 0, atol.value_or(0)};
  return toleranceRow(recipe::elementName(type)).model;
}

/// `Allowed`: a Tolerance or an ExpectedNoise.
template <typename Allowed>
static Comparison compareUnder(const recipe::HostTensor &got,
                               ExpectedValues expected,
                               const Allowed &tolerance, std::string against) {
  assert((expected.floats != nullptr) != (expected.integers != nullptr) &&
         "exactly one kind of expected values");
  const uint64_t count = got.type.count();
  const Deviation found =
      expected.floats
          ? compareElements(
                count, [&](uint64_t i) { return got.floatAt(i); },
                [&](uint64_t i) { return expected.floats[i]; }, tolerance)
          : compareElements(
                count, [&](uint64_t i) { return got.intAt(i); },
                [&](uint64_t i) { return expected.integers[i]; }, tolerance);
  return {found, got.name, std::move(against),
          count ? recipe::positionText(got.type.shape, found.worst)
                : std::string()};
}

Comparison compare(const recipe::HostTensor &got, ExpectedValues expected,
                   Tolerance tolerance, std::string against) {
  return compareUnder(got, expected, tolerance, std::move(against));
}

Comparison compare(const recipe::HostTensor &got, ExpectedValues expected,
                   const ExpectedNoise &noise, std::string against) {
  return compareUnder(got, expected, noise, std::move(against));
}

Comparison compare(const recipe::HostTensor &got,
                   const recipe::HostTensor &expected, Tolerance tolerance,
                   std::string against) {
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
  std::string line =
      fmt::format("output {} {} {}: ", inQuotes(output),
                  passed() ? "matches" : "differs from", against);
  auto out = std::back_inserter(line);
  if (count == 0)
    fmt::format_to(out, "no elements");
  else if (passed() && error == 0)
    fmt::format_to(
        out, count == 1 ? "the element is equal" : "all {} elements are equal",
        count);
  else if (passed())
    fmt::format_to(out, "{}", countOf(count, "element"));
  else
    fmt::format_to(out, "{} of {} out of tolerance", failures,
                   countOf(count, "element"));
  if (count && (!passed() || error != 0)) {
    fmt::format_to(out,
                   "; worst element {}: got {:.9g}, expected {:.9g} (error "
                   "{:.3g}, ",
                   position, actual, reference, error);
    if (hasNoise)
      fmt::format_to(out, "expected noise {:.3g}, ", noise);
    fmt::format_to(out, "allowed {:.3g})", allowed);
  }
  if (spread > allowedSpread)
    fmt::format_to(out,
                   "; root mean square of unexpected errors {:.3g}, allowed "
                   "{:.3g}",
                   spread, allowedSpread);
  return line;
}

} // namespace gaudi::analysis
