// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the results of commands to a file, and finds who wrote what they read.
#include "Gaudi/CApi/CommandTrace.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::capi {

CommandTrace::CommandTrace(const runtime::Executable &executable,
                           const recipe::Recipe &recipe, size_t entry)
    : executable(executable), recipe(recipe), entry(entry),
      file(openTemporaryFile()) {}

CommandTrace::Range CommandTrace::rangeOf(uint32_t id, uint32_t command) const {
  const recipe::Tensor &tensor = *recipe::items(recipe.tensors())[id];
  const auto sizes = recipe::items(tensor.sizes()),
             strides = recipe::items(tensor.strides());
  uint64_t last = 0;
  bool isEmpty = false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    isEmpty |= sizes[d] == 0;
    last += uint64_t(std::max<int64_t>(sizes[d] - 1, 0) * strides[d]);
  }
  const uint64_t element = recipe::elementSize(tensor.type());
  return {tensor.section(), tensor.offset(),
          tensor.offset() + (isEmpty ? 0 : (last + 1) * element), command};
}

/// From the last writer backward, until one has written all of it.
void CommandTrace::addProducers(uint32_t id,
                                std::vector<uint32_t> &producers) const {
  const Range read = rangeOf(id, 0);
  for (size_t w = written.size(); w-- > 0;) {
    const Range &one = written[w];
    if (one.section != read.section || one.begin >= read.end ||
        read.begin >= one.end)
      continue;
    if (std::find(producers.begin(), producers.end(), one.command) ==
        producers.end())
      producers.push_back(one.command);
    if (one.begin <= read.begin && read.end <= one.end)
      return;
  }
}

long CommandTrace::keep(uint32_t id, uint64_t size) {
  std::vector<uint8_t> bytes(size);
  const long place = end;
  isWritten &= bool(executable.getTensor(id, bytes.data(), bytes.size()));
  isWritten &= file && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) ==
                           bytes.size();
  end += long(size);
  return place;
}

void CommandTrace::before(size_t number) {
  const runtime::CommandPlace place = executable.place(entry, number);
  if (place.entry == entry || place.command != 0)
    return;
  CompilerSession::TracedLaunch one;
  one.function = executable.entryName(place.entry);
  one.firstCommand = uint32_t(traced.size());
  std::vector<long> begins;
  for (const runtime::TensorInfo &state : executable.states()) {
    one.variables.push_back({state.name, {state.type, state.shape}, true, {}});
    begins.push_back(keep(state.tensor, state.bytes));
  }
  launched.push_back(std::move(one));
  variablePlaces.push_back(std::move(begins));
}

void CommandTrace::after(size_t number) {
  const runtime::CommandPlace place = executable.place(entry, number);
  const recipe::Command &command =
      *recipe::items(recipe::items(recipe.entries())[uint32_t(place.entry)]
                         ->commands())[uint32_t(place.command)];
  const runtime::CommandInfo &info = executable.commands(entry)[number];
  CompilerSession::TracedCommand one;
  one.name = info.name;
  one.location = info.location;
  for (uint32_t id : recipe::items(command.inputs()))
    addProducers(id, one.producers);
  std::vector<long> begins;
  const auto index = uint32_t(traced.size());
  for (uint32_t id : recipe::items(command.outputs())) {
    const runtime::TensorInfo tensor = executable.tensor(id);
    one.results.push_back({tensor.type, tensor.shape});
    begins.push_back(keep(id, tensor.bytes));
    written.push_back(rangeOf(id, index));
  }
  traced.push_back(std::move(one));
  if (!launched.empty())
    ++launched.back().numCommands;
  places.push_back(std::move(begins));
}

bool CommandTrace::read(long place, uint8_t *bytes, uint64_t size) const {
  return std::fseek(file.get(), place, SEEK_SET) == 0 &&
         std::fread(bytes, 1, size, file.get()) == size;
}

void CommandTrace::fill(CompilerSession::Bisection &request) const {
  request.commands = traced;
  request.launches = launched;
  request.read = [this](uint32_t command, uint32_t result, uint8_t *bytes,
                        uint64_t size) {
    return read(places[command][result], bytes, size);
  };
  request.readVariable = [this](uint32_t launch, uint32_t variable,
                                uint8_t *bytes, uint64_t size) {
    return read(variablePlaces[launch][variable], bytes, size);
  };
}

} // namespace gaudi::capi
