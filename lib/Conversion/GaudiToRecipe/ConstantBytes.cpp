// Device bytes of constant attributes.
#include "ConstantBytes.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include <cstring>

using namespace mlir;
using namespace mlir::gaudi;

uint64_t mlir::gaudi::scalarBits(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(value).getValue().getZExtValue();
}

static ArrayRef<uint8_t> asBytes(ArrayRef<char> data) {
  return {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
}

/// One byte per element from bits packed lowest first.
static void unpackBits(ArrayRef<uint8_t> bits, std::vector<uint8_t> &bytes) {
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = bits[i / 8] >> (i % 8) & 1;
}

ArrayRef<uint8_t>
mlir::gaudi::constantBytes(ElementsAttr value, bool oneElement,
                           std::deque<std::vector<uint8_t>> &owned) {
  auto type = cast<RankedTensorType>(value.getShapedType());
  int64_t count = type.getNumElements();
  int64_t width = elementBytes(type.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    ArrayRef<uint8_t> data = asBytes(resource.getData());
    if (!type.getElementType().isInteger(1) || int64_t(data.size()) == count)
      return data;
    std::vector<uint8_t> &bytes = owned.emplace_back(count);
    unpackBits(data, bytes);
    return bytes;
  }
  auto dense = cast<DenseElementsAttr>(value);
  if (!dense.isSplat() && !type.getElementType().isInteger(1))
    return asBytes(dense.getRawData());
  std::vector<uint8_t> &bytes =
      owned.emplace_back((oneElement ? 1 : count) * width);
  if (type.getElementType().isInteger(1)) {
    size_t i = 0;
    for (bool element : dense.getValues<bool>()) {
      if (i == bytes.size())
        break;
      bytes[i++] = element;
    }
    return bytes;
  }
  ArrayRef<char> element = dense.getRawData();
  for (size_t at = 0; at < bytes.size(); at += width)
    std::memcpy(&bytes[at], element.data(), width);
  return bytes;
}
