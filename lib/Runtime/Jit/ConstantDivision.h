// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions by constants as multiplications, with the same bits.
#ifndef GAUDI_LIB_RUNTIME_JIT_CONSTANTDIVISION_H
#define GAUDI_LIB_RUNTIME_JIT_CONSTANTDIVISION_H

#include <optional>

namespace gaudi::runtime {

/// 1 / divisor in two parts of one sign.
struct Reciprocal {
  float high = 0, low = 0;
};

/// Parts for which fma(x, high, x * low) is x / divisor, rounded once, zeros
/// with their sign, for all x of which neither the result nor x * low is
/// subnormal or overflows. Nothing for the few divisors that have none, and for
/// those too large, too small, or a power of two.
std::optional<Reciprocal> reciprocalOf(float divisor);

/// Whether this holds for every x that is 0 or in [least, most] without its
/// sign.
bool dividesExactly(const Reciprocal &reciprocal, double least, double most);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_CONSTANTDIVISION_H
