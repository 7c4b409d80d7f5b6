// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and names of element types, and how kernels compute with them.
#ifndef GAUDI_RECIPE_ELEMENTTYPES_H
#define GAUDI_RECIPE_ELEMENTTYPES_H

#include "Gaudi/Recipe/KernelLanguage.h"
#include "Gaudi/Support/FloatFormats.h"

namespace gaudi::recipe {

/// False for a number that names no element type (a damaged file).
constexpr bool isValid(ElementType type) {
  return kernel::isValid(elementTypeOf(type));
}

/// Bytes per element in memory (i1 takes one byte); 0 when not valid.
constexpr unsigned elementSize(ElementType type) {
  return kernel::elementSize(elementTypeOf(type));
}

/// "f32", "bf16", "f8E4M3FN", "i8", "u8", ...; "?" when not valid.
constexpr std::string_view elementName(ElementType type) {
  return kernel::elementName(elementTypeOf(type));
}
constexpr std::optional<ElementType> parseElementName(std::string_view name) {
  if (const auto type = kernel::parseElementName(name))
    return ElementType(*type);
  return std::nullopt;
}

/// F32, BF16, F16 and the two 8-bit floats.
constexpr bool isFloat(ElementType type) {
  return kernel::isFloat(elementTypeOf(type));
}

/// The format of a float narrower than F32; none for any other type.
constexpr std::optional<FloatFormat> narrowFormat(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return formatBF16;
  case ElementType::F16:
    return formatF16;
  case ElementType::F8E4M3FN:
    return formatF8E4M3FN;
  case ElementType::F8E5M2:
    return formatF8E5M2;
  default:
    return std::nullopt;
  }
}

/// The type a kernel computes in after loading `type`: F32 for every float,
/// and the signless integer of the same width for every integer.
constexpr ElementType kernelType(ElementType type) {
  return ElementType(kernel::kernelType(elementTypeOf(type)));
}

/// Types a kernel value may have: F32, I64, I32, I16, I8, I1.
constexpr bool isKernelType(ElementType type) {
  return kernel::isKernelType(elementTypeOf(type));
}

/// Width of a kernel type in bits: 32 for F32, 1 for I1, ...
constexpr unsigned kernelBits(ElementType type) {
  return kernel::kernelBits(elementTypeOf(type));
}

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_ELEMENTTYPES_H
