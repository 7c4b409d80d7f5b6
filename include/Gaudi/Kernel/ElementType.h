// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types of tensors: sizes, names, and the type kernels compute in.
#ifndef GAUDI_KERNEL_ELEMENTTYPE_H
#define GAUDI_KERNEL_ELEMENTTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gaudi::kernel {

/// Numbered as in recipes.
enum class ElementType : uint8_t {
#define GAUDI_ELEMENT_TYPE(enumerator, ...) enumerator,
#include "Gaudi/Kernel/ElementTypes.def"
};

struct ElementTypeInfo {
  std::string_view name;
  unsigned bytes;
  bool isFloat;
  ElementType kernel;
};

/// In the order of the enumeration.
inline constexpr ElementTypeInfo elementTypeTable[] = {
#define GAUDI_ELEMENT_TYPE(enumerator, name, bytes, isFloat, kernel)           \
  {name, bytes, isFloat, ElementType::kernel},
#include "Gaudi/Kernel/ElementTypes.def"
};
inline constexpr size_t elementTypeCount =
    sizeof(elementTypeTable) / sizeof(elementTypeTable[0]);

/// False for a number that names no element type (a damaged recipe).
constexpr bool isValid(ElementType type) {
  return size_t(type) < elementTypeCount;
}

/// Bytes per element in memory; 0 when not valid.
constexpr unsigned elementSize(ElementType type) {
  return isValid(type) ? elementTypeTable[size_t(type)].bytes : 0;
}

/// "f32", "bf16", "f8E4M3FN", "i8", "u8", ...; "?" when not valid.
constexpr std::string_view elementName(ElementType type) {
  return isValid(type) ? elementTypeTable[size_t(type)].name : "?";
}

constexpr std::optional<ElementType> parseElementName(std::string_view name) {
  for (size_t i = 0; i < elementTypeCount; ++i)
    if (elementTypeTable[i].name == name)
      return ElementType(i);
  return std::nullopt;
}

constexpr bool isFloat(ElementType type) {
  return isValid(type) && elementTypeTable[size_t(type)].isFloat;
}

/// The type a kernel computes in after loading `type`: F32 for every float,
/// the signless integer of the same width for every integer.
constexpr ElementType kernelType(ElementType type) {
  return isValid(type) ? elementTypeTable[size_t(type)].kernel : type;
}

/// Types a kernel value may have: F32, I64, I32, I16, I8, I1.
constexpr bool isKernelType(ElementType type) {
  return isValid(type) && kernelType(type) == type;
}

/// Width of a kernel type in bits: 32 for F32, 1 for I1, ...
constexpr unsigned kernelBits(ElementType type) {
  return type == ElementType::I1 ? 1 : 8 * elementSize(type);
}

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_ELEMENTTYPE_H
