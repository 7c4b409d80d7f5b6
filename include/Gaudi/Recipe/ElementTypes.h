// Sizes and names of element types, and how kernels compute with them.
#ifndef GAUDI_RECIPE_ELEMENTTYPES_H
#define GAUDI_RECIPE_ELEMENTTYPES_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gaudi::recipe {

/// False for a number that names no element type (a damaged file).
inline bool isValid(ElementType type) { return type <= ElementType::MAX; }

/// Bytes per element in memory (i1 takes one byte); 0 when not valid.
unsigned elementSize(ElementType type);

/// "f32", "bf16", "f8E4M3FN", "i8", "u8", ...; "?" when not valid.
std::string_view elementName(ElementType type);
std::optional<ElementType> parseElementName(std::string_view name);

/// F32, BF16, F16 and the two 8-bit floats.
bool isFloat(ElementType type);

/// The type a kernel computes in after loading `type`: F32 for every float,
/// and the signless integer of the same width for every integer.
ElementType kernelType(ElementType type);

/// Types a kernel value may have: F32, I64, I32, I16, I8, I1.
bool isKernelType(ElementType type);

/// Width of a kernel type in bits: 32 for F32, 1 for I1, ...
unsigned kernelBits(ElementType type);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_ELEMENTTYPES_H
