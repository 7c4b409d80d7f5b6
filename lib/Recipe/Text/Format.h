// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words and values that the printer and the parser must agree on.
#ifndef GAUDI_LIB_RECIPE_TEXT_FORMAT_H
#define GAUDI_LIB_RECIPE_TEXT_FORMAT_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include "Lexer.h"

#include <string>

namespace gaudi::recipe {

/// Names of `CmpPredicate`s as float and as integer comparisons; "" where the
/// predicate is not of that kind.
extern const char *const floatPredicates[size_t(CmpPredicate::MAX) + 1];
extern const char *const integerPredicates[size_t(CmpPredicate::MAX) + 1];

/// Shortest decimals that give the bits back ("1.0", "-inf"), or the bits in
/// hexadecimal for NaNs.
std::string float32Text(uint32_t bits);
std::string float64Text(uint64_t bits);

/// A kernel value of a kernel type, given by its bits.
std::string valueText(uint64_t bits, ElementType type);
uint64_t parseValue(Lexer &lexer, ElementType type);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_TEXT_FORMAT_H
