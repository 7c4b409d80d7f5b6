// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device bytes of constant attributes.
#include "ConstantBytes.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include <cstring>

using namespace mlir;
using namespace gaudi;

uint64_t gaudi::scalarBits(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}

ArrayRef<uint8_t>
gaudi::constantBytes(ElementsAttr value, bool oneElement,
                     std::deque<std::vector<uint8_t>> &owned) {
  std::optional<ConstantValues> values = ConstantValues::of(value);
  assert(values && "the verifier of gaudi.constant has read it");
  const int64_t width = elementBytes(values->getType().getElementType());
  const int64_t count = oneElement ? 1 : values->size();
  ArrayRef<char> stored = values->bytes();
  if (int64_t(stored.size()) == count * width)
    return {reinterpret_cast<const uint8_t *>(stored.data()), stored.size()};
  // Packed booleans, or a splat that is stored in full.
  std::vector<uint8_t> &bytes = owned.emplace_back(count * width);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = values->bits(i);
    std::memcpy(&bytes[i * width], &bits, width);
  }
  return bytes;
}
