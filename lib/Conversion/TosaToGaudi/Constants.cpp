// Reads the numbers of constant operands, dense or kept as a resource.
#include "Converter.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;

/// The elements of a constant of TOSA, gaudi or another dialect.
static std::optional<ConstantValues> constantElements(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  return ConstantValues::of(attribute);
}

std::optional<SmallVector<int64_t>> mlir::gaudi::constantInts(Value value) {
  std::optional<ConstantValues> elements = constantElements(value);
  if (!elements || !isa<IntegerType>(elements->getType().getElementType()))
    return std::nullopt;
  SmallVector<int64_t> numbers;
  numbers.reserve(elements->size());
  for (int64_t i = 0; i < elements->size(); ++i)
    numbers.push_back(elements->integer(i));
  return numbers;
}

bool mlir::gaudi::isZeroConstant(Value value) {
  std::optional<ConstantValues> elements = constantElements(value);
  return elements && elements->isZero();
}
