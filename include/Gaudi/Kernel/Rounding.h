// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings of floats to narrower formats: by which rule, and what becomes of
// subnormal results. docs/kernel-semantics.md is the specification.
#ifndef GAUDI_KERNEL_ROUNDING_H
#define GAUDI_KERNEL_ROUNDING_H

#include "Gaudi/Kernel/ElementType.h"
#include "Gaudi/Support/FloatFormats.h"

namespace gaudi::kernel {

/// Numbered as in recipes and in the dialect's FloatRounding attribute.
enum class Rounding : uint8_t {
  NearestEven,
  TowardZero,
  Upward,
  Downward,
  NearestAway,     ///< ties away from zero
  Stochastic,      ///< away from zero with the probability of the fraction
  StochasticNormal ///< as Stochastic, subnormal results to nearest even
};
inline constexpr std::string_view roundingNames[] = {
    "nearest_even", "toward_zero", "upward",           "downward",
    "nearest_away", "stochastic",  "stochastic_normal"};
inline constexpr size_t roundingCount =
    sizeof(roundingNames) / sizeof(roundingNames[0]);

/// True for rules that read a random word.
constexpr bool isStochastic(Rounding rule) {
  return rule == Rounding::Stochastic || rule == Rounding::StochasticNormal;
}

/// True for the float types that values of f32 are rounded to.
constexpr bool isNarrowFloat(ElementType type) {
  return isFloat(type) && type != ElementType::F32;
}

/// What the instruction RoundBy does, as the number `imm` of a recipe: the
/// type, from bit 8 the rule, bit 16 `flush`.
struct RoundBy {
  ElementType type;
  Rounding rule;
  bool flush; ///< subnormal results become zeros of their sign

  constexpr uint64_t encoded() const {
    return uint64_t(type) | uint64_t(rule) << 8 | uint64_t(flush) << 16;
  }
  /// Nothing for a number that means no rounding.
  static constexpr std::optional<RoundBy> decoded(uint64_t imm) {
    const RoundBy by{ElementType(imm & 0xff), Rounding(imm >> 8 & 0xff),
                     (imm >> 16 & 1) != 0};
    if (imm >> 17 != 0 || !isNarrowFloat(by.type) ||
        size_t(by.rule) >= roundingCount)
      return std::nullopt;
    return by;
  }
};

/// `value` rounded to the format; NaN stays. `word` counts for stochastic rules
/// alone: the result is the neighbour away from zero if it is below the
/// fraction of the distance between both, in units of 2^-32, rounded down. Past
/// the largest finite number the result is infinite, or NaN where the format
/// has no infinity, unless the rule is toward smaller magnitudes there.
inline double roundBy(double value, FloatFormat format, Rounding rule,
                      bool flush, uint32_t word) {
  if (std::isnan(value))
    return value;
  const double infinite = format.finiteOnly
                              ? std::numeric_limits<double>::quiet_NaN()
                              : std::numeric_limits<double>::infinity();
  const double magnitude = std::fabs(value);
  const bool negative = std::signbit(value);
  if (std::isinf(value))
    return std::copysign(infinite, value);
  const int least = 1 - format.bias();
  const bool subnormal = magnitude < std::ldexp(1.0, least);
  const int quantum =
      (subnormal ? least : std::ilogb(magnitude)) - int(format.mantissaBits);
  // Exact: a change of the exponent, and what a double holds of both parts.
  const double quanta = std::ldexp(magnitude, -quantum);
  const double whole = std::floor(quanta), fraction = quanta - whole;
  const bool odd = std::fmod(whole, 2) != 0;
  const bool nearest = fraction > 0.5 || (fraction == 0.5 && odd);
  const bool random = word < uint64_t(std::ldexp(fraction, 32));
  bool away = nearest;
  bool staysFinite = false;
  switch (rule) {
  case Rounding::NearestEven:
    break;
  case Rounding::TowardZero:
    away = false;
    staysFinite = true;
    break;
  case Rounding::Upward:
  case Rounding::Downward:
    staysFinite = negative == (rule == Rounding::Upward);
    away = fraction > 0 && !staysFinite;
    break;
  case Rounding::NearestAway:
    away = fraction >= 0.5;
    break;
  case Rounding::Stochastic:
    away = random;
    break;
  case Rounding::StochasticNormal:
    away = subnormal ? nearest : random;
    break;
  }
  double result = std::ldexp(whole + away, quantum);
  if (result > format.largest())
    result = staysFinite ? format.largest() : infinite;
  else if (flush && result < std::ldexp(1.0, least))
    result = 0;
  return std::copysign(result, value);
}

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_ROUNDING_H
