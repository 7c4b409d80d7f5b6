// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element types an op takes.
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

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_ELEMENTS_H
