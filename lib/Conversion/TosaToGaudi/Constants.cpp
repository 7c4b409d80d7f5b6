// Reads the numbers of constant operands, dense or kept as a resource.
#include "Converter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;

/// The attribute of a constant tensor, with resources turned into dense ones.
static DenseElementsAttr constantElements(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return dense;
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return {};
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isSplat = false;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                    blob->getData(), isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                             blob->getData());
}

std::optional<SmallVector<int64_t>> mlir::gaudi::constantInts(Value value) {
  DenseElementsAttr elements = constantElements(value);
  if (!elements || !isa<IntegerType>(elements.getElementType()))
    return std::nullopt;
  bool isUnsigned = elements.getElementType().isUnsignedInteger();
  SmallVector<int64_t> numbers;
  numbers.reserve(elements.getNumElements());
  for (const APInt &number : elements.getValues<APInt>())
    numbers.push_back(isUnsigned ? int64_t(number.getZExtValue())
                                 : number.getSExtValue());
  return numbers;
}

bool mlir::gaudi::isZeroConstant(Value value) {
  DenseElementsAttr elements = constantElements(value);
  if (!elements)
    return false;
  if (isa<FloatType>(elements.getElementType())) {
    if (elements.isSplat())
      return elements.getSplatValue<APFloat>().isZero();
    return llvm::all_of(elements.getValues<APFloat>(),
                        [](const APFloat &number) { return number.isZero(); });
  }
  if (isa<IntegerType>(elements.getElementType())) {
    if (elements.isSplat())
      return elements.getSplatValue<APInt>().isZero();
    return llvm::all_of(elements.getValues<APInt>(),
                        [](const APInt &number) { return number.isZero(); });
  }
  return false;
}
