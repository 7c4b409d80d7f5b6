// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are not finite, and the range of those that are.
#include "Gaudi/Analysis/Finite.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gaudi::analysis {

std::optional<uint64_t> firstDifference(const recipe::HostTensor &a,
                                        const recipe::HostTensor &b) {
  assert(a.type == b.type && "the same output of two launches");
  if (a.bytes == b.bytes)
    return std::nullopt;
  const uint64_t size = recipe::elementSize(a.type.element);
  const bool isFloat = recipe::isFloat(a.type.element);
  for (uint64_t i = 0, count = a.type.count(); i < count; ++i) {
    const bool isNaN =
        isFloat && std::isnan(a.floatAt(i)) && std::isnan(b.floatAt(i));
    if (!isNaN &&
        std::memcmp(&a.bytes[i * size], &b.bytes[i * size], size) != 0)
      return i;
  }
  return std::nullopt;
}

ValueRange rangeOf(const recipe::HostTensor &tensor) {
  const bool isFloat = recipe::isFloat(tensor.type.element);
  ValueRange range;
  range.count = tensor.type.count();
  bool any = false;
  for (uint64_t i = 0; i < range.count; ++i) {
    const double value = isFloat ? tensor.floatAt(i) : double(tensor.intAt(i));
    if (std::isnan(value)) {
      ++range.nans;
      continue;
    }
    range.smallest = any ? std::min(range.smallest, value) : value;
    range.largest = any ? std::max(range.largest, value) : value;
    any = true;
  }
  return range;
}

bool isAllNaN(const recipe::HostTensor &tensor) {
  const uint64_t count = tensor.type.count();
  if (count == 0 || !recipe::isFloat(tensor.type.element))
    return false;
  for (uint64_t i = 0; i < count; ++i)
    if (!std::isnan(tensor.floatAt(i)))
      return false;
  return true;
}

FiniteCheck checkFinite(const std::vector<recipe::HostTensor> &outputs,
                        const std::vector<recipe::HostTensor> &inputs,
                        const std::string &origin) {
  FiniteCheck check;
  std::string failures;
  for (const recipe::HostTensor &output : outputs) {
    check.outputs += recipe::isFloat(output.type.element);
    if (const auto index = firstNonFinite(output))
      failures += fmt::format("{}output {} is not finite: {}",
                              failures.empty() ? "" : "; ",
                              inQuotes(output.name), elementAt(output, *index));
  }
  check.passed = failures.empty();
  if (check.passed) {
    check.message =
        fmt::format("--check-finite passed: {} without NaN or infinity",
                    countOf(check.outputs, "output"));
    return check;
  }
  check.message = failures;
  for (const recipe::HostTensor &input : inputs)
    if (const auto index = firstNonFinite(input)) {
      check.message +=
          fmt::format("; input {} is not finite: {}", inQuotes(input.name),
                      elementAt(input, *index));
      break;
    }
  if (!origin.empty())
    check.message += "; " + origin;
  return check;
}

} // namespace gaudi::analysis
