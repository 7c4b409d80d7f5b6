// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar arithmetic shared by the models: rounding to an element type and the
// integer edge cases that docs/kernel-semantics.md settles.
#ifndef GAUDI_LIB_REFERENCE_SCALARS_H
#define GAUDI_LIB_REFERENCE_SCALARS_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Reference/Noise.h"
#include "Gaudi/Support/FloatFormats.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

namespace gaudi::reference {

/// The format of a float type of the device; f32 has the mantissa of float.
FloatFormat formatOf(Type type);

/// Rounds to one float type, after the error of `noise` unless it is null;
/// resolves the type once for many elements.
class FloatRounder {
public:
  explicit FloatRounder(Type type, const Noise *noise = nullptr)
      : isF32(type.isF32()), noise(noise), format(formatOf(type)) {
    minExponent = 1 - format.bias();
    maxExponent = (1 << format.exponentBits) - 1 - format.bias() -
                  (format.finiteOnly ? 0 : 1);
  }
  double operator()(double value) const {
    if (noise)
      value = disturbed(value);
    if (isF32)
      return static_cast<float>(value);
    uint64_t bits = llvm::bit_cast<uint64_t>(value);
    const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
    if (exponent < minExponent || exponent >= maxExponent)
      // A NaN that overflow makes keeps its sign, which its bits show.
      return std::copysign(decodeFloat(encodeFloat(value, format), format),
                           value);
    // Nearest even on the bit pattern: no subnormal, no overflow here.
    const unsigned dropped = 52 - format.mantissaBits;
    bits += (uint64_t(1) << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
    bits &= ~((uint64_t(1) << dropped) - 1);
    return llvm::bit_cast<double>(bits);
  }

private:
  double disturbed(double value) const {
    value = noise->disturbed(value);
    if (isF32 || !noise->hasFreeRounding() || value == 0 ||
        !std::isfinite(value) || FloatRounder(*this, nullptr)(value) == value)
      return value;
    const int exponent = std::max(std::ilogb(value), minExponent);
    return noise->movedBy(value,
                          std::ldexp(1.0, exponent - int(format.mantissaBits)));
  }
  FloatRounder(const FloatRounder &other, const Noise *noise)
      : FloatRounder(other) {
    this->noise = noise;
  }

  bool isF32;
  const Noise *noise;
  FloatFormat format;
  int minExponent, maxExponent;
};

/// Rounds as gaudi.tpc.round_to and gaudi.kernel.round_to say, after the error
/// of `noise` unless it is null.
class RuleRounder {
public:
  /// `limit`: what values saturate at; infinity: nothing.
  RuleRounder(Type type, FloatRounding rounding, bool flush, double limit,
              const Noise *noise)
      : format(formatOf(type)), rule(kernel::Rounding(rounding)), flush(flush),
        limit(limit), noise(noise) {}

  double operator()(double value, uint32_t word) const {
    if (noise)
      value = noise->disturbed(value);
    if (std::fabs(value) > limit)
      value = std::copysign(limit, value);
    return kernel::roundBy(value, format, rule, flush, word);
  }

private:
  FloatFormat format;
  kernel::Rounding rule;
  bool flush;
  double limit;
  const Noise *noise;
};

/// Width and reading of an integer type. The canonical value of an element is
/// zero-extended for unsigned kinds (i1 among them), else sign-extended.
struct IntKind {
  unsigned width;
  bool isUnsigned;

  static IntKind of(Type type) {
    return {type.getIntOrFloatBitWidth(),
            type.isUnsignedInteger() || type.isInteger(1)};
  }
  uint64_t mask() const {
    return width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  }
  /// The low bits, without a sign.
  uint64_t bits(int64_t value) const {
    return static_cast<uint64_t>(value) & mask();
  }
  /// The low bits read as two's complement.
  int64_t asSigned(int64_t value) const {
    return static_cast<int64_t>(static_cast<uint64_t>(value) << (64 - width)) >>
           (64 - width);
  }
  int64_t wrap(int64_t value) const {
    return isUnsigned ? static_cast<int64_t>(bits(value)) : asSigned(value);
  }
  int64_t wrap(uint64_t value) const {
    return wrap(static_cast<int64_t>(value));
  }
  int64_t lowest() const {
    return isUnsigned
               ? 0
               : asSigned(static_cast<int64_t>(uint64_t(1) << (width - 1)));
  }
  int64_t highest() const {
    return static_cast<int64_t>(isUnsigned ? mask() : mask() >> 1);
  }
};

// --- integers: canonical values in, canonical values out ---------------------

inline int64_t addInt(int64_t a, int64_t b, IntKind kind) {
  return kind.wrap(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int64_t subInt(int64_t a, int64_t b, IntKind kind) {
  return kind.wrap(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
inline int64_t mulInt(int64_t a, int64_t b, IntKind kind) {
  return kind.wrap(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
/// Toward zero; x / 0 has all bits set; minimum / -1 = minimum.
inline int64_t divInt(int64_t a, int64_t b, IntKind kind) {
  if (b == 0)
    return kind.wrap(int64_t(-1));
  if (kind.isUnsigned)
    return kind.wrap(kind.bits(a) / kind.bits(b));
  return b == -1 ? subInt(0, a, kind) : a / b;
}
/// Sign of the dividend; x rem 0 = x.
inline int64_t remInt(int64_t a, int64_t b, IntKind kind) {
  if (b == 0)
    return a;
  if (kind.isUnsigned)
    return kind.wrap(kind.bits(a) % kind.bits(b));
  return b == -1 ? 0 : a % b;
}
inline int64_t maxInt(int64_t a, int64_t b, IntKind) { return a < b ? b : a; }
inline int64_t minInt(int64_t a, int64_t b, IntKind) { return b < a ? b : a; }
inline int64_t andInt(int64_t a, int64_t b, IntKind kind) {
  return kind.wrap(a & b);
}
inline int64_t orInt(int64_t a, int64_t b, IntKind kind) {
  return kind.wrap(a | b);
}
inline int64_t xorInt(int64_t a, int64_t b, IntKind kind) {
  return kind.wrap(a ^ b);
}
/// Shift amounts are unsigned; the width or more shifts every bit out.
inline int64_t shlInt(int64_t a, int64_t b, IntKind kind) {
  const uint64_t amount = kind.bits(b);
  return amount >= kind.width ? 0 : kind.wrap(kind.bits(a) << amount);
}
inline int64_t shrSignedInt(int64_t a, int64_t b, IntKind kind) {
  const uint64_t amount = std::min<uint64_t>(kind.bits(b), 63);
  return kind.wrap(kind.asSigned(a) >> amount);
}
inline int64_t shrUnsignedInt(int64_t a, int64_t b, IntKind kind) {
  const uint64_t amount = kind.bits(b);
  return amount >= kind.width ? 0 : kind.wrap(kind.bits(a) >> amount);
}
inline int64_t absInt(int64_t a, IntKind kind) {
  return a < 0 ? subInt(0, a, kind) : a;
}
inline int64_t negInt(int64_t a, IntKind kind) { return subInt(0, a, kind); }
inline int64_t signInt(int64_t a, IntKind) { return (a > 0) - (a < 0); }
inline int64_t notInt(int64_t a, IntKind kind) { return kind.wrap(~a); }
inline int64_t clzInt(int64_t a, IntKind kind) {
  return llvm::countl_zero(kind.bits(a)) - (64 - static_cast<int>(kind.width));
}
inline int64_t ctzInt(int64_t a, IntKind kind) {
  return kind.bits(a) ? llvm::countr_zero(kind.bits(a))
                      : static_cast<int>(kind.width);
}
inline int64_t popcountInt(int64_t a, IntKind kind) {
  return llvm::popcount(kind.bits(a));
}

// --- floats
// --------------------------------------------------------------------

/// NaN if either is NaN; -0 is less than +0.
inline double maxFloat(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a == b ? (std::signbit(a) ? b : a) : (a < b ? b : a);
}
inline double minFloat(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a == b ? (std::signbit(a) ? a : b) : (b < a ? b : a);
}
/// The other operand if one is NaN.
inline double maxNumFloat(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : maxFloat(a, b);
}
inline double minNumFloat(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : minFloat(a, b);
}
inline double addFloat(double a, double b) { return a + b; }
inline double subFloat(double a, double b) { return a - b; }
inline double mulFloat(double a, double b) { return a * b; }
inline double divFloat(double a, double b) { return a / b; }
inline double negFloat(double a) { return -a; }
inline double rsqrtFloat(double a) { return 1 / std::sqrt(a); }

// --- conversions
// ---------------------------------------------------------------

/// Toward zero, saturating; NaN gives 0.
inline int64_t floatToInt(double value, IntKind kind) {
  if (std::isnan(value))
    return 0;
  const double whole = std::trunc(value);
  // 2^digits is exact in double, the largest int64 is not.
  const int digits = static_cast<int>(kind.width) - (kind.isUnsigned ? 0 : 1);
  if (whole >= std::ldexp(1.0, digits))
    return kind.highest();
  if (whole <= (kind.isUnsigned ? 0.0 : -std::ldexp(1.0, digits)))
    return kind.lowest();
  if (kind.isUnsigned)
    return static_cast<int64_t>(static_cast<uint64_t>(whole));
  return static_cast<int64_t>(whole);
}

/// A double that rounds to any narrower format as the integer itself does:
/// beyond 53 bits an inexact conversion is made odd, so that it is never
/// mistaken for a tie.
inline double intToFloat(int64_t value) {
  const double nearest = static_cast<double>(value);
  if (std::fabs(nearest) < 9007199254740992.0)
    return nearest;
  // 9.3e18 = 2^63 does not fit; it stands for an integer just below itself.
  const bool tooHigh =
      nearest >= 9223372036854775808.0 || static_cast<int64_t>(nearest) > value;
  if (!tooHigh && static_cast<int64_t>(nearest) == value)
    return nearest;
  const double below = tooHigh ? std::nextafter(nearest, -INFINITY) : nearest;
  const double above = std::nextafter(below, INFINITY);
  return llvm::bit_cast<uint64_t>(below) & 1 ? below : above;
}

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_SCALARS_H
