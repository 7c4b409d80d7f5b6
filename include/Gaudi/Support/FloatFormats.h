// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The narrow floating-point formats, bit for bit, without the compiler.
//
// Conversions to a narrow format round to nearest, ties to even. A value that
// rounds past the largest finite one becomes infinity (bf16, f16, f8E5M2) or
// NaN (f8E4M3FN has no infinity), as MLIR's arith.truncf does.
#ifndef GAUDI_SUPPORT_FLOATFORMATS_H
#define GAUDI_SUPPORT_FLOATFORMATS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace gaudi {

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// A binary format with `exponentBits` and `mantissaBits` under one sign bit.
/// `finiteOnly`: no infinity, all ones is NaN (the "FN" formats).
struct FloatFormat {
  unsigned exponentBits;
  unsigned mantissaBits;
  bool finiteOnly;

  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  constexpr unsigned width() const { return 1 + exponentBits + mantissaBits; }
  /// The largest finite number.
  double largest() const {
    const int exponent = (1 << exponentBits) - (finiteOnly ? 1 : 2) - bias();
    return std::ldexp(
        2 - std::ldexp(finiteOnly ? 2.0 : 1.0, -int(mantissaBits)), exponent);
  }
};

constexpr FloatFormat formatBF16{8, 7, false};
constexpr FloatFormat formatF16{5, 10, false};
constexpr FloatFormat formatF8E4M3FN{4, 3, true};
constexpr FloatFormat formatF8E5M2{5, 2, false};

/// The value of a bit pattern, exact in double.
inline double decodeFloat(uint32_t bits, FloatFormat format) {
  const uint32_t mantissaMask = (1u << format.mantissaBits) - 1;
  const uint32_t exponentMask = (1u << format.exponentBits) - 1;
  const uint32_t mantissa = bits & mantissaMask;
  const uint32_t exponent = (bits >> format.mantissaBits) & exponentMask;
  const double sign =
      (bits >> (format.exponentBits + format.mantissaBits)) & 1 ? -1.0 : 1.0;
  if (exponent == exponentMask) {
    if (!format.finiteOnly)
      return mantissa ? std::numeric_limits<double>::quiet_NaN()
                      : sign * std::numeric_limits<double>::infinity();
    if (mantissa == mantissaMask)
      return std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0)
    return sign *
           std::ldexp(mantissa, 1 - format.bias() - int(format.mantissaBits));
  return sign *
         std::ldexp(mantissa + (1u << format.mantissaBits),
                    int(exponent) - format.bias() - int(format.mantissaBits));
}

/// The bit pattern nearest to `value`, ties to even.
inline uint32_t encodeFloat(double value, FloatFormat format) {
  const uint32_t mantissaMask = (1u << format.mantissaBits) - 1;
  const uint32_t exponentMask = (1u << format.exponentBits) - 1;
  const uint32_t sign = std::signbit(value)
                            ? 1u << (format.exponentBits + format.mantissaBits)
                            : 0;
  const uint32_t infinity = exponentMask << format.mantissaBits;
  const uint32_t nan = format.finiteOnly
                           ? infinity | mantissaMask
                           : infinity | (1u << (format.mantissaBits - 1));
  if (std::isnan(value))
    return sign | nan;
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | (format.finiteOnly ? nan : infinity);
  if (magnitude == 0)
    return sign;
  int exponent = std::ilogb(magnitude);
  if (exponent < 1 - format.bias())
    exponent = 1 - format.bias(); // subnormal: fixed quantum
  // nearbyint rounds ties to even in the default rounding mode.
  const double quanta = std::nearbyint(
      std::ldexp(magnitude, int(format.mantissaBits) - exponent));
  // `quanta` counts units of 2^(exponent - mantissaBits); a carry into the
  // next exponent falls out of the addition below.
  const uint64_t whole = 1ull << format.mantissaBits;
  const uint64_t count = static_cast<uint64_t>(quanta);
  const uint64_t encoded = count < whole ? count
                                         : (uint64_t(exponent + format.bias())
                                            << format.mantissaBits) +
                                               (count - whole);
  const uint64_t limit =
      format.finiteOnly ? (infinity | mantissaMask) : infinity;
  if (encoded >= limit)
    return sign | (format.finiteOnly ? nan : infinity);
  return sign | static_cast<uint32_t>(encoded);
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_FLOATFORMATS_H
