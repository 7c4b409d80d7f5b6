// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values that are not finite come from (--check-finite).
#include "Finite.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gaudi::run {

std::optional<uint64_t> firstNonFinite(const recipe::HostTensor &tensor) {
  if (!recipe::isFloat(tensor.type.element))
    return std::nullopt;
  for (uint64_t i = 0, count = tensor.type.count(); i < count; ++i)
    if (!std::isfinite(tensor.floatAt(i)))
      return i;
  return std::nullopt;
}

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
    if (!isNaN && std::memcmp(&a.bytes[i * size], &b.bytes[i * size], size))
      return i;
  }
  return std::nullopt;
}

std::string elementAt(const recipe::HostTensor &tensor, uint64_t index) {
  return fmt::format("{} at {}", elementText(tensor, index),
                     recipe::positionText(tensor.type.shape, index));
}

const recipe::Command &FiniteObserver::commandAt(size_t command) const {
  const runtime::CommandPlace place = executable.place(entry, command);
  return *recipe::items(recipe::items(recipe.entries())[place.entry]
                            ->commands())[uint32_t(place.command)];
}

std::optional<std::string> FiniteObserver::nonFinite(const Ids *tensors) const {
  for (uint32_t id : recipe::items(tensors)) {
    const runtime::TensorInfo info = executable.tensor(id);
    if (!recipe::isFloat(info.type) || info.bytes == 0)
      continue;
    recipe::HostTensor tensor{
        info.name, {info.type, info.shape}, std::vector<uint8_t>(info.bytes)};
    const Status copied =
        executable.getTensor(id, tensor.bytes.data(), tensor.bytes.size());
    assert(copied && "the buffer has the size that the tensor names");
    if (const auto index = copied ? firstNonFinite(tensor) : std::nullopt)
      return fmt::format("{} of {}", elementAt(tensor, *index),
                         inQuotes(tensor.name));
  }
  return std::nullopt;
}

void FiniteObserver::before(size_t command) {
  if (!text.empty())
    return;
  // A result may overwrite its operand, so operands are read before the run.
  finiteOperands = !nonFinite(commandAt(command).inputs());
}

void FiniteObserver::after(size_t command) {
  if (!text.empty() || !finiteOperands)
    return;
  const auto found = nonFinite(commandAt(command).outputs());
  if (!found)
    return;
  const runtime::CommandInfo &info = executable.commands(entry)[command];
  text =
      fmt::format("command {} {}{}{} makes it of finite operands: {}", command,
                  inQuotes(info.name), info.location.empty() ? "" : " at ",
                  info.location, *found);
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

} // namespace gaudi::run
