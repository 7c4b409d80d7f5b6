// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element types an op takes, and what a refusal says of others.
#ifndef GAUDI_LIB_CONVERSION_COMMON_ELEMENTS_H
#define GAUDI_LIB_CONVERSION_COMMON_ELEMENTS_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

enum class Elements { Any, Number, Float, Int, IntOrBool, Bool };

/// True if `type` is one of `elements`.
inline bool isElementOf(Type type, Elements elements) {
  const bool isFloat = isFloatElement(type), isBool = type.isInteger(1);
  switch (elements) {
  case Elements::Any:
    return true;
  case Elements::Number:
    return !isBool;
  case Elements::Float:
    return isFloat;
  case Elements::Int:
    return !isFloat && !isBool;
  case Elements::IntOrBool:
    return !isFloat;
  case Elements::Bool:
    return isBool;
  }
  llvm_unreachable("all kinds are listed");
}

/// The element types of the device (isDeviceElement).
constexpr llvm::StringLiteral deviceElements =
    "f32, bf16, f16, f8E4M3FN, f8E5M2, i8 to i64, ui8 to ui32, i1";

/// What a refusal says after naming an element type that the device lacks.
inline std::string whyNoElement(Type element) {
  return element.isF64()
             ? "which the device does not have; export the model in f32"
             : ("which the device does not have; it has " + deviceElements)
                   .str();
}

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_ELEMENTS_H
