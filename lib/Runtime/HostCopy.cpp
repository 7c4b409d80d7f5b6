// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks buffers of the caller and prepares their copies.
#include "HostCopy.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <fmt/format.h>

namespace gaudi::runtime {

using namespace recipe;

static std::string typeText(ElementType type, uint32_t rank,
                            const int64_t *shape) {
  std::string text;
  for (uint32_t d = 0; d < rank; ++d)
    text += fmt::format("{}x", shape[d]);
  return text + std::string(elementName(type));
}

Status checkBuffer(const Slot &slot, ElementType type,
                   const std::vector<int64_t> &shape,
                   const HostBuffer &buffer) {
  if (buffer.type == type && buffer.rank == shape.size() &&
      (shape.empty() ||
       (buffer.shape && std::equal(shape.begin(), shape.end(), buffer.shape))))
    return {};
  const std::string expected =
      typeText(type, uint32_t(shape.size()), shape.data());
  if (buffer.rank && !buffer.shape)
    return fail("{} {} \"{}\" is a {}: expected a buffer of that shape but its "
                "shape is null",
                slot.kind, slot.index, slot.name, expected);
  // A rank that no tensor has is shown as a number.
  constexpr uint32_t mostShown = 8;
  return fail(
      "{} {} \"{}\" is a {}: expected a buffer of that shape and type "
      "but got {}; pass the former, or compile the model for the latter",
      slot.kind, slot.index, slot.name, expected,
      buffer.rank > mostShown
          ? fmt::format("one of rank {}", buffer.rank)
          : "a " + typeText(buffer.type, buffer.rank, buffer.shape));
}

static StridedCopy makeCopy(const std::vector<int64_t> &shape,
                            const std::vector<int64_t> &host,
                            const std::vector<int64_t> &device,
                            ElementType type, HostCopy::Direction direction) {
  if (direction == HostCopy::Direction::In)
    return StridedCopy(shape, host, device, type, type);
  return StridedCopy(shape, device, host, type, type);
}

HostCopy::HostCopy(Layout layout, ElementType type, Direction direction)
    : device(std::move(layout)), type(type), direction(direction),
      shape(device.sizes), strides(kernel::denseStrides(device.sizes)),
      copy(makeCopy(shape, strides, device.strides, type, direction)) {}

bool HostCopy::isLike(const HostBuffer &buffer) const {
  if (!std::equal(shape.begin(), shape.end(), buffer.shape))
    return false;
  if (!buffer.strides)
    return isDense;
  return std::equal(strides.begin(), strides.end(), buffer.strides);
}

Status HostCopy::prepare(const HostBuffer &buffer, const Slot &slot) {
  assert(buffer.rank == shape.size() && "the buffer has been checked");
  // The copy of the last launch serves as it is: no allocation.
  if (isLike(buffer))
    return {};
  const std::vector<int64_t> newShape(buffer.shape, buffer.shape + buffer.rank);
  std::vector<int64_t> newStrides = kernel::denseStrides(newShape);
  const bool dense =
      !buffer.strides ||
      std::equal(newStrides.begin(), newStrides.end(), buffer.strides);
  if (!dense)
    newStrides.assign(buffer.strides, buffer.strides + buffer.rank);
  // Two elements in the same place would leave which one is stored to chance.
  if (direction == Direction::Out && !dense) {
    std::vector<int64_t> steps = newStrides;
    // The absolute value of the least number does not exist.
    for (int64_t &step : steps)
      step = step == INT64_MIN ? INT64_MAX : std::abs(step);
    if (!kernel::isInjective(newShape, steps))
      return fail("{} {} \"{}\": elements of its buffer share memory; give it "
                  "strides that keep them apart",
                  slot.kind, slot.index, slot.name);
  }
  copy = makeCopy(newShape, newStrides, device.strides, type, direction);
  shape = newShape;
  strides = std::move(newStrides);
  isDense = dense;
  return {};
}

} // namespace gaudi::runtime
