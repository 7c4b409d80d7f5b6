// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are not finite, and the range of those that are.
#include "Gaudi/Analysis/Finite.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "OpText.h"

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

namespace {

/// "-3", or "tensor<4x8xf32> of 0 to 5 and NaN".
std::string operandText(const Json &operand) {
  if (operand.contains("there"))
    return numberText(operand["there"], "{:.9g}");
  return fmt::format("{} of {} to {}{}", operand["type"].get<std::string>(),
                     numberText(operand["least"], "{:.9g}"),
                     numberText(operand["largest"], "{:.9g}"),
                     operand["nan"].get<bool>() ? " and NaN" : "");
}

/// "'tpc.log' at m.mlir:5:8 makes nan at [0, 1] of -3".
std::string madeText(const Json &birth) {
  const std::string value = numberText(birth["value"], "{:.9g}"),
                    element = birth["element"], kind = birth["kind"];
  if (kind != "op")
    return fmt::format("{} {} has {} at {}", kind, opText(birth), value,
                       element);
  std::string operands;
  const Json &all = birth["operands"];
  for (size_t i = 0; i < all.size(); ++i)
    operands += (i == 0                ? ""
                 : i + 1 == all.size() ? " and "
                                       : ", ") +
                operandText(all[i]);
  std::string text = fmt::format("{} makes {} at {} of {}", opText(birth),
                                 value, element, operands);
  if (birth.contains("turned"))
    text += fmt::format(", and {} NaN of that", opText(birth["turned"]));
  return text;
}

} // namespace

std::string textOfBirth(const Json &birth) {
  const std::string origin = birth["origin"];
  if (origin == "model")
    return "the model itself has it: " + madeText(birth["birth"]);
  if (origin == "pass")
    return fmt::format("not in the model, but after pass {}: {}",
                       inQuotes(birth["pass"].get<std::string>()),
                       madeText(birth["birth"]));
  return fmt::format(
      "neither the model nor what {} have it in the reference: "
      "it is of how the device computes",
      countOf(birth["passes"].get<uint64_t>(), "pass leaves", "passes leave"));
}

} // namespace gaudi::analysis
