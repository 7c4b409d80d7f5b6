// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage, rounding and conversion of reference tensors.
#include "Gaudi/Reference/Tensor.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Models.h"
#include "Scalars.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

gaudi::FloatFormat reference::formatOf(Type type) {
  if (type.isF32())
    return {8, 23, false};
  if (type.isBF16())
    return gaudi::formatBF16;
  if (type.isF16())
    return gaudi::formatF16;
  return isa<Float8E4M3FNType>(type) ? gaudi::formatF8E4M3FN
                                     : gaudi::formatF8E5M2;
}

double gaudi::roundTo(Type type, double value) {
  return FloatRounder(type)(value);
}

int64_t gaudi::wrapTo(Type type, int64_t value) {
  return IntKind::of(type).wrap(value);
}

int64_t gaudi::deviceElementBytes(Type elementType) {
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

ReferenceTensor reference::scalarTensor(Attribute value, Type type) {
  ReferenceTensor result({}, type);
  if (auto number = dyn_cast<FloatAttr>(value)) {
    result.mutableFloats()[0] = roundTo(type, number.getValueAsDouble());
  } else {
    const APInt &bits = cast<IntegerAttr>(value).getValue();
    result.mutableInts()[0] =
        wrapTo(type, static_cast<int64_t>(bits.sextOrTrunc(64).getZExtValue()));
  }
  return result;
}

ReferenceTensor::ReferenceTensor(ArrayRef<int64_t> shape, Type elementType)
    : shape(shape), count(ShapedType::getNumElements(shape)),
      elementType(elementType) {
  if (isFloat())
    floatData = std::make_shared<std::vector<double>>(count);
  else
    intData = std::make_shared<std::vector<int64_t>>(count);
}

ReferenceTensor::ReferenceTensor(RankedTensorType type)
    : ReferenceTensor(type.getShape(), type.getElementType()) {}

template <typename T>
static MutableArrayRef<T> detached(std::shared_ptr<std::vector<T>> &data) {
  if (data.use_count() > 1)
    data = std::make_shared<std::vector<T>>(*data);
  return *data;
}
MutableArrayRef<double> ReferenceTensor::mutableFloats() {
  assert(isFloat() && "elements are integers");
  return detached(floatData);
}
MutableArrayRef<int64_t> ReferenceTensor::mutableInts() {
  assert(!isFloat() && "elements are floats");
  return detached(intData);
}

namespace {
/// Little-endian bytes of one element type to values and back.
struct ElementCodec {
  Type type;
  int64_t bytes;
  gaudi::FloatFormat format;

  explicit ElementCodec(Type type)
      : type(type), bytes(deviceElementBytes(type)),
        format(isa<FloatType>(type) ? formatOf(type) : gaudi::formatBF16) {}

  uint64_t bitsAt(const char *data) const {
    uint64_t bits = 0;
    for (int64_t b = 0; b < bytes; ++b)
      bits |= uint64_t(static_cast<unsigned char>(data[b])) << (8 * b);
    return bits;
  }
  double floatAt(const char *data) const {
    const uint32_t bits = static_cast<uint32_t>(bitsAt(data));
    if (type.isF32())
      return gaudi::floatOfBits(bits);
    if (type.isBF16())
      return gaudi::floatOfBits(bits << 16);
    return gaudi::decodeFloat(bits, format);
  }
  int64_t intAt(const char *data) const {
    const uint64_t bits = bitsAt(data);
    return type.isInteger(1) ? bits != 0 : IntKind::of(type).wrap(bits);
  }
  void put(uint64_t bits, char *data) const {
    for (int64_t b = 0; b < bytes; ++b)
      data[b] = static_cast<char>(bits >> (8 * b));
  }
  void putFloat(double value, char *data) const {
    put(type.isF32() ? gaudi::bitsOf(static_cast<float>(value))
                     : gaudi::encodeFloat(value, format),
        data);
  }
};
} // namespace

/// Reads the elements of `data`, `step` bytes apart (0: a splat).
static ReferenceTensor decode(RankedTensorType type, const char *data,
                              int64_t step) {
  ReferenceTensor tensor(type);
  const ElementCodec codec(type.getElementType());
  if (tensor.isFloat()) {
    for (double &value : tensor.mutableFloats()) {
      value = codec.floatAt(data);
      data += step;
    }
  } else {
    for (int64_t &value : tensor.mutableInts()) {
      value = codec.intAt(data);
      data += step;
    }
  }
  return tensor;
}

FailureOr<ReferenceTensor> ReferenceTensor::fromBytes(RankedTensorType type,
                                                      ArrayRef<char> bytes) {
  const int64_t step = deviceElementBytes(type.getElementType());
  if (static_cast<int64_t>(bytes.size()) != type.getNumElements() * step)
    return failure();
  return decode(type, bytes.data(), step);
}

std::vector<char> ReferenceTensor::toBytes() const {
  const ElementCodec codec(elementType);
  std::vector<char> bytes(count * codec.bytes);
  char *out = bytes.data();
  const auto write = [&](auto values, auto put) {
    for (auto value : values) {
      put(value);
      out += codec.bytes;
    }
  };
  if (isFloat())
    write(floats(), [&](double value) { codec.putFloat(value, out); });
  else
    write(ints(), [&](int64_t value) { codec.put(uint64_t(value), out); });
  return bytes;
}

FailureOr<ReferenceTensor>
ReferenceTensor::fromAttribute(ElementsAttr attribute,
                               function_ref<InFlightDiagnostic()> emitError) {
  std::optional<ConstantValues> values =
      ConstantValues::of(attribute, emitError);
  if (!values)
    return failure();
  RankedTensorType type = values->getType();
  if (!values->bytes().empty())
    return decode(
        type, values->bytes().data(),
        values->isSplat() ? 0 : deviceElementBytes(type.getElementType()));
  // Packed booleans, or no elements at all.
  ReferenceTensor tensor(type);
  if (!tensor.isFloat())
    for (auto [i, value] : llvm::enumerate(tensor.mutableInts()))
      value = values->integer(int64_t(i));
  return tensor;
}

ReferenceTensor ReferenceTensor::reshaped(ArrayRef<int64_t> newShape) const {
  assert(ShapedType::getNumElements(newShape) == count && "same elements");
  ReferenceTensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}

template <typename T>
static void gatherInto(MutableArrayRef<T> to, ArrayRef<T> from,
                       function_ref<int64_t(int64_t)> source) {
  for (int64_t i = 0, e = to.size(); i < e; ++i)
    if (const int64_t position = source(i); position >= 0)
      to[i] = from[position];
}

ReferenceTensor
ReferenceTensor::gathered(ArrayRef<int64_t> newShape,
                          function_ref<int64_t(int64_t)> source) const {
  ReferenceTensor result(newShape, elementType);
  if (isFloat())
    gatherInto<double>(result.mutableFloats(), floats(), source);
  else
    gatherInto<int64_t>(result.mutableInts(), ints(), source);
  return result;
}
