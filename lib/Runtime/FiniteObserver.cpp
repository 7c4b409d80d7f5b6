// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values that are not finite come from (--check-finite).
#include "Gaudi/Runtime/FiniteObserver.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"

#include <cassert>
#include <fmt/format.h>

namespace gaudi::runtime {

const recipe::Command &FiniteObserver::commandAt(size_t command) const {
  const CommandPlace place = executable.place(entry, command);
  return *recipe::items(recipe::items(recipe.entries())[place.entry]
                            ->commands())[uint32_t(place.command)];
}

std::optional<std::string> FiniteObserver::nonFinite(const Ids *tensors) const {
  for (uint32_t id : recipe::items(tensors)) {
    const TensorInfo info = executable.tensor(id);
    if (!recipe::isFloat(info.type) || info.bytes == 0)
      continue;
    recipe::HostTensor tensor{
        info.name, {info.type, info.shape}, std::vector<uint8_t>(info.bytes)};
    const Status copied =
        executable.getTensor(id, tensor.bytes.data(), tensor.bytes.size());
    assert(copied && "the buffer has the size that the tensor names");
    if (const auto index =
            copied ? recipe::firstNonFinite(tensor) : std::nullopt)
      return fmt::format("{} of {}", recipe::elementAt(tensor, *index),
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
  const CommandInfo &info = executable.commands(entry)[command];
  text =
      fmt::format("command {} {}{}{} makes it of finite operands: {}", command,
                  inQuotes(info.name), info.location.empty() ? "" : " at ",
                  info.location, *found);
}

} // namespace gaudi::runtime
