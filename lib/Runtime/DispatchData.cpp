// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of any size to and from the variant that is selected.
#include "DispatchImpl.h"
#include "Garbage.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "WithMemory.h"

#include <fmt/format.h>

namespace gaudi::runtime {

using namespace recipe;

/// Checks a buffer of the caller and prepares its copy. `bytes`: it is dense
/// and has no shape but that many bytes.
Status Dispatcher::Impl::prepare(HostCopy::Direction direction, size_t index,
                                 HostBuffer buffer, const size_t *bytes) {
  if (!isSelected)
    return fail("no variant is selected; give the shapes of all inputs first");
  const bool isInput = direction == HostCopy::Direction::In;
  const char *const kind = isInput ? "input" : "output";
  const std::vector<SizedInfo> &infos = isInput ? inputs : outputs;
  if (index >= infos.size())
    return fail("there is no {} {}, the entry has {}", kind, index,
                infos.size());
  LoadedVariant &chosen = variants[variant];
  const HostView &view = (isInput ? chosen.inputs : chosen.outputs)[index];
  const DynamicShape &dims = (isInput ? inputDims : outputDims)[index];
  shape.resize(dims.size());
  for (size_t d = 0; d < dims.size(); ++d)
    shape[d] = dims[d].at(sizes.data());
  const Slot slot = {kind, index, infos[index].name};
  if (isInput && infos[index].isBound)
    return fail("{} {} \"{}\" is bound to memory of the caller", kind, index,
                slot.name);
  GAUDI_TRY(loaded.checkBound(view.tensor, slot.name));
  // Sizes are within the bounds of the variant, so the count does not overflow;
  // 0 is an empty tensor.
  const uint64_t expected = uint64_t(kernel::elementCount(shape).value_or(0)) *
                            elementSize(view.type);
  if (bytes) {
    if (*bytes != expected)
      return fail("{} {} \"{}\" is {} = {} of {}: expected {} bytes but got {}",
                  kind, index, infos[index].name, infos[index].shape,
                  shapeText(shape), elementName(view.type), expected, *bytes);
    // Bytes without a shape are taken as dense, in the shape of the launch.
    buffer = {buffer.data, view.type, uint32_t(shape.size()), shape.data(),
              nullptr};
  }
  GAUDI_TRY(checkBuffer(slot, view.type, shape, buffer));
  if (!buffer.data && expected)
    return fail("{} {} \"{}\": its buffer is null", kind, index, slot.name);
  return chosen.copies(direction)[index].prepare(buffer, slot);
}

/// Copies what was prepared.
void Dispatcher::Impl::copy(HostCopy::Direction direction, size_t index,
                            void *data) {
  LoadedVariant &chosen = variants[variant];
  const bool isInput = direction == HostCopy::Direction::In;
  const HostView &view = (isInput ? chosen.inputs : chosen.outputs)[index];
  const HostCopy &copy = chosen.copies(direction)[index];
  uint8_t *const at = loaded.tensors[view.tensor].data;
  if (isInput && poisons && copy.preparedShape() != view.layout.sizes)
    fillWithGarbage(at, view.type, view.layout, launches + index);
  copy.run(loaded.pool, data, at);
}

Status Dispatcher::Impl::prepareAndCopy(HostCopy::Direction direction,
                                        size_t index, const HostBuffer &buffer,
                                        const size_t *bytes) {
  GAUDI_TRY(prepare(direction, index, buffer, bytes));
  copy(direction, index, buffer.data);
  return {};
}

Status Dispatcher::prepareInput(size_t index, const HostBuffer &buffer) {
  return withMemoryFor("set an input", [&] {
    return impl->prepare(HostCopy::Direction::In, index, buffer, nullptr);
  });
}
void Dispatcher::copyInput(size_t index, const void *data) {
  impl->copy(HostCopy::Direction::In, index, const_cast<void *>(data));
}
Status Dispatcher::prepareOutput(size_t index, const HostBuffer &buffer) {
  return withMemoryFor("get an output", [&] {
    return impl->prepare(HostCopy::Direction::Out, index, buffer, nullptr);
  });
}
void Dispatcher::copyOutput(size_t index, void *data) const {
  impl->copy(HostCopy::Direction::Out, index, data);
}

Status Dispatcher::setInput(size_t index, const void *data, size_t bytes) {
  return withMemoryFor("set an input", [&] {
    HostBuffer buffer;
    buffer.data = const_cast<void *>(data); // it is only read
    return impl->prepareAndCopy(HostCopy::Direction::In, index, buffer, &bytes);
  });
}

Status Dispatcher::getOutput(size_t index, void *data, size_t bytes) const {
  return withMemoryFor("get an output", [&] {
    HostBuffer buffer;
    buffer.data = data;
    return impl->prepareAndCopy(HostCopy::Direction::Out, index, buffer,
                                &bytes);
  });
}

} // namespace gaudi::runtime
