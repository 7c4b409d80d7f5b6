// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of tensors as functions of the symbols of a dispatching entry.
//
// A size is a program in postfix order. The verifier proves with intervals that
// it is well formed and that no step leaves 48 bits or divides by zero while
// every symbol is inside its range, so that evaluating it needs no checks.
#ifndef GAUDI_RECIPE_SIZES_H
#define GAUDI_RECIPE_SIZES_H

#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::recipe {

/// Limits of the format: they bound the time to verify and to launch.
constexpr uint32_t maxSymbols = 16;
constexpr uint32_t maxSizeSteps = 64;
constexpr uint32_t maxVariants = 1u << 16;

/// All sizes from low to high.
struct SizeRange {
  int64_t low = 0, high = 0;
};

/// A range that holds every value that the program gives while the symbols are
/// in theirs; each step is bounded by itself. Errors go on after the name of
/// the size: not well formed, a step that may leave 48 bits, a divisor that may
/// be less than 1. The number of steps bounds the work.
Result<SizeRange> rangeOf(const Size *size,
                          const std::vector<SizeRange> &symbols);

/// The value for these symbols, each in the range that was verified.
int64_t evaluate(const Size &size, const int64_t *symbols);

/// The infix operator of a step with operands: "+", "floordiv".
const char *sizeOpText(SizeOp op);

/// In infix form: "(seq - 1)". Symbols without names are s0, s1, ...
std::string sizeText(const Size &size,
                     const std::vector<std::string> &names = {});
std::string sizeText(const SizeT &size);

/// A dimension of an input from which a launch computes a symbol, given the
/// symbols before it.
struct SymbolSource {
  uint32_t symbol, input, dimension;
};

/// One source per symbol, in the order in which they can be computed. Symbols
/// that no dimension determines are left out: one does if all its other symbols
/// are known and it is linear in this one.
std::vector<SymbolSource> symbolSources(const Dispatch &dispatch);

/// The symbol `unknown` of such a dimension, given its size and `symbols`,
/// which has the other ones; it may be outside its range. None if no number
/// gives this size. Changes symbols[unknown].
std::optional<int64_t> solve(const Size &size, uint32_t unknown,
                             SizeRange range, int64_t expected,
                             int64_t *symbols);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_SIZES_H
