// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions and element types.
#include "gaudi-c/Support.h"

#include "Gaudi/Recipe/ElementTypes.h"

using gaudi::recipe::ElementType;

static_assert(GaudiF32 == int(ElementType::F32) &&
                  GaudiBF16 == int(ElementType::BF16) &&
                  GaudiF16 == int(ElementType::F16) &&
                  GaudiF8E4M3FN == int(ElementType::F8E4M3FN) &&
                  GaudiF8E5M2 == int(ElementType::F8E5M2) &&
                  GaudiI8 == int(ElementType::I8) &&
                  GaudiU8 == int(ElementType::U8) &&
                  GaudiI16 == int(ElementType::I16) &&
                  GaudiU16 == int(ElementType::U16) &&
                  GaudiI32 == int(ElementType::I32) &&
                  GaudiU32 == int(ElementType::U32) &&
                  GaudiI64 == int(ElementType::I64) &&
                  GaudiI1 == int(ElementType::I1) &&
                  GaudiI1 == int(ElementType::MAX),
              "the numbers are those of the recipe format");

const char *gaudiVersionText(void) { return "gaudi-mlir " GAUDI_VERSION; }
uint32_t gaudiVersionMajor(void) { return GAUDI_C_VERSION_MAJOR; }
uint32_t gaudiVersionMinor(void) { return GAUDI_C_VERSION_MINOR; }

static ElementType elementTypeOf(GaudiElementType type) {
  // A number out of range must not become one within it.
  return unsigned(type) > unsigned(ElementType::MAX)
             ? ElementType(uint8_t(ElementType::MAX) + 1)
             : ElementType(uint8_t(type));
}

size_t gaudiElementTypeSize(GaudiElementType type) {
  return gaudi::recipe::elementSize(elementTypeOf(type));
}

const char *gaudiElementTypeName(GaudiElementType type) {
  const ElementType element = elementTypeOf(type);
  // Names are string literals.
  return gaudi::recipe::isValid(element)
             ? gaudi::recipe::elementName(element).data()
             : "";
}
