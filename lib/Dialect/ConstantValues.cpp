// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decoding of constant attributes.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

ConstantValues::ConstantValues(RankedTensorType type, ArrayRef<char> data,
                               bool isSplat)
    : type(type), data(data), width(elementBytes(type.getElementType())),
      step(isSplat ? 0 : width) {}

std::optional<ConstantValues> ConstantValues::of(Attribute attribute,
                                                 EmitError emitError) {
  auto elements = dyn_cast_or_null<ElementsAttr>(attribute);
  auto type = elements ? dyn_cast<RankedTensorType>(elements.getShapedType())
                       : RankedTensorType();
  // Types of ops that can report an error are checked before their verifiers.
  if (!type || !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() > 64)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attribute)) {
    const bool isBool = type.getElementType().isInteger(1);
    ConstantValues values(type, isBool ? ArrayRef<char>() : dense.getRawData(),
                          dense.isSplat());
    if (isBool)
      values.booleans = dense;
    return values;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource) {
    if (emitError)
      emitError() << "value must be a dense or dense_resource attribute";
    return std::nullopt;
  }
  // A resource without its blob names weights that are not in the file.
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob) {
    if (emitError)
      emitError() << "refers to resource '" << resource.getRawHandle().getKey()
                  << "', whose data is not in the file; make it an argument "
                     "(gaudi-run --lift-elided does)";
    return std::nullopt;
  }
  // Nobody has compared these bytes with the type before.
  ConstantValues values(type, blob->getData(), /*isSplat=*/false);
  const int64_t stored = int64_t(values.data.size());
  if (stored == values.size() * values.width)
    return values;
  const int64_t packedBytes = int64_t(llvm::divideCeil(values.size(), 8));
  const bool isBool = type.getElementType().isInteger(1);
  if (isBool && stored == packedBytes) {
    values.packed = values.data;
    values.data = {};
    return values;
  }
  if (emitError)
    emitError() << "resource '" << resource.getRawHandle().getKey() << "' has "
                << stored << " bytes but " << type << " needs "
                << (isBool ? packedBytes : values.size() * values.width);
  return std::nullopt;
}

std::optional<ConstantValues> ConstantValues::of(Value tensor) {
  auto constant = tensor.getDefiningOp<ConstantOp>();
  return constant ? of(Attribute(constant.getValue())) : std::nullopt;
}

// Three forms: MLIR keeps dense booleans in its own way, a resource may pack
// them, everything else is `width` bytes for each element.
uint64_t ConstantValues::bits(int64_t i) const {
  assert(i >= 0 && i < size() && "element of the tensor");
  if (booleans)
    return booleans.getValues<bool>()[i];
  if (!packed.empty())
    return uint8_t(packed[i / 8]) >> (i % 8) & 1;
  uint64_t bits = 0; // hosts are little-endian
  std::memcpy(&bits, data.data() + step * i, width);
  return bits;
}

float ConstantValues::number(int64_t i) const {
  if (type.getElementType().isF32())
    return get<float>(i);
  auto element = cast<FloatType>(type.getElementType());
  APFloat value(element.getFloatSemantics(),
                APInt(element.getWidth(), bits(i)));
  bool inexact = false; // never: the formats are narrower
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToFloat();
}

int64_t ConstantValues::integer(int64_t i) const {
  Type element = type.getElementType();
  return isUnsignedElement(element)
             ? int64_t(bits(i))
             : llvm::SignExtend64(bits(i), element.getIntOrFloatBitWidth());
}

double ConstantValues::at(int64_t i) const {
  return isFloatElement(type.getElementType()) ? double(number(i))
                                               : double(integer(i));
}

SmallVector<int64_t> ConstantValues::integers() const {
  SmallVector<int64_t> numbers;
  numbers.reserve(size());
  for (int64_t i = 0; i < size(); ++i)
    numbers.push_back(integer(i));
  return numbers;
}

bool ConstantValues::isZero() const {
  auto format = dyn_cast<FloatType>(type.getElementType());
  // Every element of a splat is its first.
  const int64_t count = isSplat() ? std::min<int64_t>(1, size()) : size();
  for (int64_t i = 0; i < count; ++i)
    if (const uint64_t value = bits(i))
      if (!format ||
          !APFloat(format.getFloatSemantics(), APInt(format.getWidth(), value))
               .isZero())
        return false;
  return true;
}

DenseElementsAttr ConstantValues::toDense() const {
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, data);
  if (booleans)
    return booleans;
  SmallVector<bool> values;
  for (int64_t i = 0; i < size(); ++i)
    values.push_back(bits(i));
  return DenseElementsAttr::get(type, values);
}

/// Calls `use` with the position in the source of each element, in order.
/// `layout` is that of a tensor of `shape` in the source.
template <typename Use>
static void forEachPosition(const StridedLayout &layout,
                            ArrayRef<int64_t> shape, Use use) {
  SmallVector<int64_t> sizes, strides;
  for (auto [size, stride] : llvm::zip_equal(shape, layout.strides))
    if (size != 1) {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  const int64_t count = ShapedType::getNumElements(shape);
  const int64_t columns = sizes.empty() ? 1 : sizes.pop_back_val();
  const int64_t columnStride = strides.empty() ? 0 : strides.pop_back_val();
  // An odometer of rows: `row` is where that of `index` begins in the source.
  SmallVector<int64_t> index(sizes.size(), 0);
  int64_t row = layout.offset;
  for (int64_t i = 0; i < count; i += columns) {
    for (int64_t column = 0; column < columns; ++column)
      use(row + column * columnStride);
    for (size_t d = sizes.size(); d-- > 0;) {
      row += strides[d];
      if (++index[d] < sizes[d])
        break;
      row -= strides[d] * sizes[d];
      index[d] = 0;
    }
  }
}

SmallVector<float> ConstantValues::numbers(ArrayRef<int64_t> shape,
                                           ArrayRef<StridedIndex> map) const {
  SmallVector<float> result;
  result.reserve(ShapedType::getNumElements(shape));
  forEachPosition(
      layoutThrough(map, {0, denseStrides(type.getShape())}, shape.size()),
      shape, [&](int64_t at) { result.push_back(number(at)); });
  return result;
}

ElementsAttr ConstantValues::rearranged(ArrayRef<int64_t> shape,
                                        ArrayRef<StridedIndex> map) const {
  const StridedLayout layout =
      layoutThrough(map, {0, denseStrides(type.getShape())}, shape.size());
  const RankedTensorType to = type.clone(shape);
  const int64_t count = to.getNumElements();
  // One element stands for all in any order.
  if (isSplat() && count > 0 && type.getElementType().isInteger(1))
    return DenseElementsAttr::get(to, bool(bits(0)));
  if (isSplat() && count > 0)
    return DenseElementsAttr::getFromRawBuffer(to, data);
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> values;
    values.reserve(count);
    forEachPosition(layout, shape,
                    [&](int64_t at) { values.push_back(bits(at)); });
    return DenseElementsAttr::get(to, values);
  }
  auto blob = HeapAsmResourceBlob::allocate(count * width, alignof(int64_t),
                                            /*dataIsMutable=*/true);
  MutableArrayRef<char> bytes = blob.getMutableData();
  char *next = bytes.data();
  // A copy of constant size is one instruction.
  auto copyAll = [&](auto element) {
    forEachPosition(layout, shape, [&](int64_t at) {
      std::memcpy(next, data.data() + step * at, sizeof(element));
      next += sizeof(element);
    });
  };
  switch (width) {
  case 1:
    copyAll(uint8_t());
    break;
  case 2:
    copyAll(uint16_t());
    break;
  case 4:
    copyAll(uint32_t());
    break;
  default:
    assert(width == 8 && "elements have up to 64 bits");
    copyAll(uint64_t());
  }
  // Dense attributes are compared byte by byte, and live as long as the
  // context.
  if (count <= maxFoldedElements)
    return DenseElementsAttr::getFromRawBuffer(to, bytes);
  return DenseResourceElementsAttr::get(to, "rearranged", std::move(blob));
}

bool gaudi::isFoldable(RankedTensorType type) {
  return isa<Float32Type, BFloat16Type, Float16Type>(type.getElementType()) &&
         type.hasStaticShape() && type.getNumElements() > 0 &&
         type.getNumElements() <= maxFoldedElements;
}

DenseElementsAttr gaudi::constantOf(RankedTensorType type,
                                    ArrayRef<float> values) {
  assert(int64_t(values.size()) == type.getNumElements() &&
         "one value per element");
  if (type.getElementType().isF32())
    return DenseElementsAttr::get(type, values);
  // One rounding, to nearest even, as the device stores a float.
  SmallVector<APFloat> rounded;
  auto element = cast<FloatType>(type.getElementType());
  for (float value : values) {
    bool inexact = false;
    rounded.emplace_back(value).convert(element.getFloatSemantics(),
                                        APFloat::rmNearestTiesToEven, &inexact);
  }
  return DenseElementsAttr::get(type, rounded);
}
