// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads recipes onto a card.
#include "Gaudi/Runtime/Device/Program.h"

#include "DeviceImpl.h"
#include "Gaudi/Recipe/Entries.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/Dispatch.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace gaudi::runtime {

using namespace recipe;

/// Bytes of all const sections, which are the card's while the program lives.
static uint64_t constantBytes(const Recipe &recipe) {
  uint64_t bytes = 0;
  for (const Section *section : items(recipe.sections()))
    if (section->kind() == SectionKind::Const)
      bytes += section->size();
  return bytes;
}

Result<std::shared_ptr<Program>>
Program::load(const std::shared_ptr<Device> &device,
              const std::shared_ptr<const RecipeFile> &file,
              const ProgramOptions &options) {
  DeviceImpl &impl = device->impl();
  GAUDI_TRY(impl.check());
  const EmulationScope scope(impl);
  const Recipe &recipe = file->recipe();
  if (text(recipe.target()) != impl.spec->name)
    return fail("the recipe is for {}, the device is a {}; compile the model "
                "with device={}",
                text(recipe.target()), impl.spec->name, impl.spec->name);
  LoadOptions load;
  load.relocatable = true;
  load.sharesKernels = true;
  load.resources = impl.resources;
  // Otherwise each load would ask the host.
  load.deviceMemory = impl.capacity;
  load.hostScratch = impl.hostAvailable;
  load.threads = impl.resources->pool().size();
  load.cacheDirectory = options.cacheDirectory;
  load.quickStart = options.quickStart;
  if (options.maxIterations)
    load.maxIterations = options.maxIterations;
  std::shared_ptr<Program> program(new Program());
  program->device = device;
  program->loaded = GAUDI_TRY(Executable::load(file, load));
  program->programName = !options.name.empty()
                             ? options.name
                             : std::string(program->loaded->entryName(0));
  GAUDI_TRY(program->takeMemory(recipe));
  GAUDI_TRY(program->listEntries(*file));
  return program;
}

/// Constants and states.
Status Program::takeMemory(const Recipe &recipe) {
  Stream &stream = *GAUDI_TRY(device->loadingStream());
  if (const uint64_t bytes = constantBytes(recipe))
    constants = GAUDI_TRY(device->allocate(
        bytes, stream, {fmt::format("constants of {}", programName), "", ""}));
  for (const TensorInfo &state : loaded->states()) {
    // As the device stores it: from the first element to the last one.
    uint64_t bytes = state.bytes;
    for (uint32_t entry = 0; entry < loaded->numEntries(); ++entry)
      for (const LaunchTensor &tensor : loaded->launchTensors(entry))
        if (tensor.tensor == state.tensor)
          bytes = tensor.bytes;
    const DeviceAddress address = GAUDI_TRY(device->allocate(
        bytes, stream, {state.name, fmt::format("{} bytes", bytes), ""}));
    states.push_back(address);
    GAUDI_TRY(resetState(states.size() - 1, bytes));
  }
  return {};
}

Status Program::resetState(size_t index, uint64_t bytes) {
  std::vector<uint8_t> value(bytes);
  GAUDI_TRY(loaded->writeInitialState(index, value.data()));
  Stream &stream = *GAUDI_TRY(device->loadingStream());
  return stream.copyIn(states[index], value.data(), bytes, /*blocking=*/true);
}

Status Program::listEntries(const RecipeFile &file) {
  std::map<uint32_t, size_t> stateOf; // tensor -> number
  for (size_t i = 0; i < loaded->states().size(); ++i)
    stateOf[loaded->states()[i].tensor] = i;
  entries.resize(loaded->numEntries());
  for (uint32_t e : callableEntries(file.recipe())) {
    Entry &entry = entries[e];
    for (const LaunchTensor &tensor : loaded->launchTensors(e)) {
      if (const auto state = stateOf.find(tensor.tensor);
          tensor.isState && state != stateOf.end()) {
        entry.sources.push_back({true, state->second});
        continue;
      }
      entry.sources.push_back({false, entry.tensors.size()});
      entry.tensors.push_back(tensor);
    }
    if (Dispatcher::hasVariants(*loaded, e))
      continue; // its launch is refused
    entry.prediction = std::make_shared<const prediction::Prediction>(
        GAUDI_TRY(prediction::predict(file, e)));
    entry.times = workTimesOf(entry.prediction->timeline);
  }
  return {};
}

Program::~Program() {
  // Launches that were issued keep what they use; who frees twice is told.
  for (DeviceAddress state : states)
    (void)device->free(state);
  if (constants)
    (void)device->free(constants);
}

Result<size_t> Program::findEntry(std::string_view name) const {
  return loaded->findEntry(name);
}

const std::vector<LaunchTensor> &Program::tensors(size_t entry) const {
  return entries[entry].tensors;
}

Status Program::checkLaunchable(size_t entry) const {
  if (entries[entry].prediction)
    return {};
  return fail(
      "entry \"{}\" of \"{}\" cannot be launched by address: it has "
      "variants, or is a part of another one; compile the model for one "
      "size",
      loaded->entryName(entry), programName);
}

Result<const TensorInfo *> Program::infoOf(size_t entry, size_t index,
                                           bool isOutput) const {
  GAUDI_TRY(checkLaunchable(entry));
  const std::vector<TensorInfo> &tensors =
      isOutput ? loaded->outputs(entry) : loaded->inputs(entry);
  if (index >= tensors.size())
    return fail("there is no {} {}, the entry has {}",
                isOutput ? "output" : "input", index, tensors.size());
  return &tensors[index];
}

Result<std::optional<LaunchPlace>> Program::placeOf(size_t number, size_t index,
                                                    bool isOutput) const {
  const TensorInfo *const info = GAUDI_TRY(infoOf(number, index, isOutput));
  std::optional<LaunchPlace> place = loaded->launchPlace(info->tensor, number);
  if (!place)
    return place;
  const Entry::Source &source = entries[number].sources[place->tensor];
  if (source.isState)
    return std::optional<LaunchPlace>();
  place->tensor = source.index;
  return place;
}

Result<bool> Program::mayAlias(size_t number, size_t input,
                               size_t output) const {
  GAUDI_TRY(checkLaunchable(number));
  const Entry &entry = entries[number];
  std::array<size_t, 2> launched{};
  for (size_t tensor : {input, output})
    if (tensor >= entry.tensors.size())
      return fail("there is no launch tensor {}, the entry has {}", tensor,
                  entry.tensors.size());
  for (size_t i = 0; i < entry.sources.size(); ++i)
    if (!entry.sources[i].isState) {
      if (entry.sources[i].index == input)
        launched[0] = i;
      if (entry.sources[i].index == output)
        launched[1] = i;
    }
  return loaded->mayAlias(launched[0], launched[1], number);
}

Result<bool> Program::isDense(size_t number, size_t index,
                              bool isOutput) const {
  const TensorInfo *const info = GAUDI_TRY(infoOf(number, index, isOutput));
  int64_t expected = 1;
  for (size_t d = info->shape.size(); d-- > 0;) {
    if (info->shape[d] != 1 && info->strides[d] != expected)
      return false;
    expected *= info->shape[d];
  }
  return true;
}

Result<DeviceAddress> Program::state(size_t index) const {
  if (index >= states.size())
    return fail("there is no state {}, the program has {}", index,
                states.size());
  return states[index];
}

const prediction::Prediction &Program::prediction(size_t entry) const {
  return *entries[entry].prediction;
}

const WorkTimes &Program::times(size_t entry) const {
  return entries[entry].times;
}

} // namespace gaudi::runtime
