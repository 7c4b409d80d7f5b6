// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the numbers of constant operands, dense or kept as a resource.
#include "Converter.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;

/// The elements of a constant of TOSA, gaudi or another dialect.
static std::optional<ConstantValues> constantElements(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  return ConstantValues::of(attribute);
}

std::optional<SmallVector<int64_t>> gaudi::constantInts(Value value) {
  std::optional<ConstantValues> elements = constantElements(value);
  if (!elements || !isa<IntegerType>(elements->getType().getElementType()))
    return std::nullopt;
  return elements->integers();
}

bool gaudi::isZeroConstant(Value value) {
  std::optional<ConstantValues> elements = constantElements(value);
  return elements && elements->isZero();
}
