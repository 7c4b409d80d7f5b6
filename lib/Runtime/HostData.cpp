// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host data of a loaded recipe: inputs and states in, outputs and states out.
#include "ExecutableImpl.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "WithMemory.h"

#include <cassert>
#include <cstring>
#include <fmt/format.h>

namespace gaudi::runtime {

using namespace recipe;

namespace {

Status checkBytes(const TensorInfo &info, const Slot &slot, size_t bytes) {
  if (bytes == info.bytes)
    return {};
  std::string shape;
  for (int64_t size : info.shape)
    shape += fmt::format("{}x", size);
  return fail("{} {} \"{}\" is a {}{}: expected {} bytes but got {}", slot.kind,
              slot.index, info.name, shape, elementName(info.type), info.bytes,
              bytes);
}

HostBuffer denseBuffer(const TensorInfo &info, void *data) {
  return {data, info.type, uint32_t(info.shape.size()), info.shape.data(),
          nullptr};
}

} // namespace

Status Executable::Impl::checkEntry(size_t entry) const {
  if (entry < loaded->entries.size())
    return {};
  return fail("there is no entry {}, the recipe has {}", entry,
              loaded->entries.size());
}

std::vector<HostCopy> &Executable::Impl::copiesOf(const Place &place) const {
  if (place.copies.size() != place.infos.size()) {
    std::vector<HostCopy> made;
    made.reserve(place.infos.size());
    for (const TensorInfo &info : place.infos)
      made.emplace_back(
          hostLayout(*loaded->file->recipe().tensors()->Get(info.tensor)),
          info.type, place.direction);
    place.copies = std::move(made);
  }
  return place.copies;
}

Status Executable::Impl::prepare(const Place &place, const HostBuffer &buffer,
                                 const size_t *bytes) {
  if (place.index >= place.infos.size())
    return fail("there is no {} {}, the recipe has {}", place.kind, place.index,
                place.infos.size());
  const TensorInfo &info = place.infos[place.index];
  const Slot slot = {place.kind, place.index, info.name};
  if (place.direction == HostCopy::Direction::In &&
      loaded->moved.of(info.tensor))
    return fail("{} {} \"{}\" is bound to memory of the caller", slot.kind,
                slot.index, slot.name);
  if (bytes)
    GAUDI_TRY(checkBytes(info, slot, *bytes));
  GAUDI_TRY(loaded->checkBound(info.tensor, info.name));
  const HostBuffer given = bytes ? denseBuffer(info, buffer.data) : buffer;
  GAUDI_TRY(checkBuffer(slot, info.type, info.shape, given));
  if (!given.data && info.bytes)
    return fail("{} {} \"{}\": its buffer is null", slot.kind, slot.index,
                slot.name);
  return copiesOf(place)[place.index].prepare(given, slot);
}

void Executable::Impl::copy(const Place &place, void *data) const {
  place.copies[place.index].run(
      loaded->pool, data,
      loaded->tensors[place.infos[place.index].tensor].data);
}

Status Executable::Impl::prepareAndCopy(const Place &place,
                                        const HostBuffer &buffer,
                                        const size_t *bytes) {
  GAUDI_TRY(prepare(place, buffer, bytes));
  copy(place, buffer.data);
  return {};
}

Executable::Impl::Place Executable::Impl::input(size_t entry, size_t index) {
  return {loaded->entries[entry].inputs, "input", index,
          HostCopy::Direction::In, copies[entry].inputs};
}
Executable::Impl::Place Executable::Impl::output(size_t entry, size_t index) {
  return {loaded->entries[entry].outputs, "output", index,
          HostCopy::Direction::Out, copies[entry].outputs};
}
Executable::Impl::Place Executable::Impl::state(size_t index,
                                                HostCopy::Direction direction) {
  return {loaded->states, "state", index, direction,
          direction == HostCopy::Direction::In ? stateCopies.inputs
                                               : stateCopies.outputs};
}

/// The device only reads it.
static HostBuffer readOnly(const void *data) {
  HostBuffer buffer;
  buffer.data = const_cast<void *>(data);
  return buffer;
}

static HostBuffer writable(void *data) {
  HostBuffer buffer;
  buffer.data = data;
  return buffer;
}

Status Executable::setInput(size_t index, const void *data, size_t bytes,
                            size_t entry) {
  return withMemoryFor("set an input", [&]() -> Status {
    GAUDI_TRY(impl->checkEntry(entry));
    return impl->prepareAndCopy(impl->input(entry, index), readOnly(data),
                                &bytes);
  });
}

Status Executable::setInput(std::string_view name, const void *data,
                            size_t bytes, size_t entry) {
  return withMemoryFor("set an input", [&]() -> Status {
    GAUDI_TRY(impl->checkEntry(entry));
    std::string names;
    const std::vector<TensorInfo> &all = inputs(entry);
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name)
        return impl->prepareAndCopy(impl->input(entry, i), readOnly(data),
                                    &bytes);
      names += fmt::format("{}\"{}\"", i ? ", " : "", all[i].name);
    }
    return fail("there is no input \"{}\", the recipe has {}", name,
                names.empty() ? "none" : names);
  });
}

Status Executable::getOutput(size_t index, void *data, size_t bytes,
                             size_t entry) const {
  return withMemoryFor("get an output", [&]() -> Status {
    GAUDI_TRY(impl->checkEntry(entry));
    return impl->prepareAndCopy(impl->output(entry, index), writable(data),
                                &bytes);
  });
}

Status Executable::prepareInput(size_t index, const HostBuffer &buffer,
                                size_t entry) {
  return withMemoryFor("set an input", [&]() -> Status {
    GAUDI_TRY(impl->checkEntry(entry));
    return impl->prepare(impl->input(entry, index), buffer, nullptr);
  });
}
void Executable::copyInput(size_t index, const void *data, size_t entry) {
  impl->copy(impl->input(entry, index), const_cast<void *>(data));
}

Status Executable::prepareOutput(size_t index, const HostBuffer &buffer,
                                 size_t entry) {
  return withMemoryFor("get an output", [&]() -> Status {
    GAUDI_TRY(impl->checkEntry(entry));
    return impl->prepare(impl->output(entry, index), buffer, nullptr);
  });
}
void Executable::copyOutput(size_t index, void *data, size_t entry) const {
  impl->copy(impl->output(entry, index), data);
}

Status Executable::setState(size_t index, const void *data, size_t bytes) {
  return withMemoryFor("set a state", [&] {
    return impl->prepareAndCopy(impl->state(index, HostCopy::Direction::In),
                                readOnly(data), &bytes);
  });
}

Status Executable::setState(size_t index, const HostBuffer &buffer) {
  return withMemoryFor("set a state", [&] {
    return impl->prepareAndCopy(impl->state(index, HostCopy::Direction::In),
                                buffer, nullptr);
  });
}

Status Executable::getState(size_t index, void *data, size_t bytes) const {
  return withMemoryFor("get a state", [&] {
    return impl->prepareAndCopy(impl->state(index, HostCopy::Direction::Out),
                                writable(data), &bytes);
  });
}

Status Executable::getState(size_t index, const HostBuffer &buffer) const {
  return withMemoryFor("get a state", [&] {
    return impl->prepareAndCopy(impl->state(index, HostCopy::Direction::Out),
                                buffer, nullptr);
  });
}

Status LoadedRecipe::checkBound(uint32_t tensor, std::string_view name) const {
  if (!isLinkAddress(tensors[tensor].data) ||
      tensorBytes(*file->recipe().tensors()->Get(tensor)) == 0)
    return {};
  return fail("\"{}\" has no address: bind those of its entry first", name);
}

Status Executable::Impl::resetStates() {
  for (size_t s = 0; s < loaded->states.size(); ++s) {
    const TensorInfo &state = loaded->states[s];
    const Recipe &recipe = loaded->file->recipe();
    const int32_t initial = recipe.tensors()->Get(state.tensor)->initial();
    if (initial < 0)
      continue;
    GAUDI_TRY(loaded->checkBound(state.tensor, state.name));
    initialize(s, loaded->tensors[state.tensor].data);
  }
  return {};
}

/// On the calling thread: others may launch with the same resources.
void Executable::Impl::initialize(size_t index, uint8_t *to) const {
  const TensorInfo &state = loaded->states[index];
  const int32_t initial =
      loaded->file->recipe().tensors()->Get(state.tensor)->initial();
  const BoundTensor &from = loaded->tensors[uint32_t(initial)];
  const Layout &layout = loaded->tensors[state.tensor].layout;
  StridedCopy(layout.sizes, from.layout.strides, layout.strides, state.type,
              state.type)
      .run(from.data, to);
}

Status Executable::writeInitialState(size_t index, void *to) const {
  return withMemoryFor("write a state", [&]() -> Status {
    const std::vector<TensorInfo> &states = impl->loaded->states;
    if (index >= states.size())
      return fail("there is no state {}, the recipe has {}", index,
                  states.size());
    const Tensor &tensor =
        *impl->loaded->file->recipe().tensors()->Get(states[index].tensor);
    const uint64_t bytes = tensorBytes(tensor);
    if (!to && bytes)
      return fail("the address of state {} \"{}\" is null", index,
                  states[index].name);
    std::memset(to, 0, bytes);
    if (tensor.initial() >= 0)
      impl->initialize(index, static_cast<uint8_t *>(to));
    return {};
  });
}

Status Executable::resetStates() {
  return withMemoryFor("reset the states", [&] { return impl->resetStates(); });
}

TensorInfo Executable::tensor(uint32_t id) const {
  assert(id < impl->loaded->tensors.size() && "not a tensor of the recipe");
  return infoOf(impl->loaded->file->recipe(), id);
}

Status Executable::getTensor(uint32_t id, void *data, size_t bytes) const {
  return withMemoryFor("get a tensor", [&] {
    const std::vector<TensorInfo> infos = {tensor(id)};
    std::vector<HostCopy> copies;
    return impl->prepareAndCopy(
        {infos, "tensor", 0, HostCopy::Direction::Out, copies}, writable(data),
        &bytes);
  });
}

} // namespace gaudi::runtime
