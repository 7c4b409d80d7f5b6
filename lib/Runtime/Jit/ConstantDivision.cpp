// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions by constants: the reciprocal in two parts, after Brisebarre, Muller
// and Raina, "Accelerating correctly rounded floating-point division when the
// divisor is known in advance" (2004).
//
// Scaling x or the divisor by powers of two changes nothing, so let both be
// integers X and C in [2^23, 2^24). `high` is 1 / C cut to 24 bits: an error
// below 2^-47. `low` is this error, rounded, or a neighbour: at most 2^-70 more
// is left. So X * high + X * low, the second product rounded, is within X *
// 2^-69 of X / C, and its rounding is that of X / C unless the middle of two
// floats lies between them. With X >= C such a middle is M / 2^24 with an odd M
// in (2^24, 2^25), with X < C it is M / 2^25. It is |X 2^s - M C| / (C 2^s)
// from X / C, s being 24 or 25. That is a whole number j over C 2^s, not 0
// because 2^s does not divide C, so
//   |j| < X C 2^(s - 69) < 8 for s = 24, and < 16 for s = 25.
// Few X have such a j: they follow from M C = -j modulo 2^s, and are tried.
#include "ConstantDivision.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace gaudi::runtime {
namespace {

constexpr int64_t least24 = int64_t(1) << 23, end24 = int64_t(1) << 24;
/// Of divisors: those of quantisations, far from where parts are subnormal.
constexpr float leastDivisor = 0x1p-40F, mostDivisor = 0x1p40F;

/// Of an odd number, modulo 2^64: every step doubles the bits that are right.
uint64_t inverse(uint64_t odd) {
  uint64_t result = odd;
  for (int bits = 3; bits < 64; bits *= 2)
    result *= 2 - odd * result;
  return result;
}

float quotient(const Reciprocal &reciprocal, float x) {
  return std::fma(x, reciprocal.high, x * reciprocal.low);
}

/// Tries all X with X 2^s - M C = j.
bool isExactNear(const Reciprocal &reciprocal, int64_t c, int s, int64_t j) {
  int shift = 0;
  while ((c >> shift) % 2 == 0)
    ++shift;
  if (j % (int64_t(1) << shift) != 0)
    return true;
  const uint64_t period = uint64_t(1) << (s - shift);
  const uint64_t first =
      (uint64_t(-(j >> shift)) * inverse(uint64_t(c >> shift))) & (period - 1);
  for (uint64_t m = first; m < 2 * uint64_t(end24); m += period) {
    const int64_t x = (int64_t(m) * c + j) >> s;
    if (m < uint64_t(end24) || x < least24 || x >= end24)
      continue;
    if (quotient(reciprocal, float(x)) != float(x) / float(c))
      return false;
  }
  return true;
}

bool isExact(const Reciprocal &reciprocal, int64_t c) {
  for (int s : {24, 25})
    for (int64_t j = 1; j < 16; ++j)
      if (!isExactNear(reciprocal, c, s, j) ||
          !isExactNear(reciprocal, c, s, -j))
        return false;
  return true;
}

} // namespace

std::optional<Reciprocal> reciprocalOf(float divisor) {
  if (!(std::fabs(divisor) >= leastDivisor &&
        std::fabs(divisor) <= mostDivisor))
    return std::nullopt;
  int exponent = 0;
  const float mantissa = std::frexp(std::fabs(divisor), &exponent);
  const auto c = int64_t(std::ldexp(mantissa, 24));
  if (c == least24) // a power of two: LLVM multiplies
    return std::nullopt;
  // 1 / C is at least unit / C from a multiple of `unit`, far more than the
  // error of a double, so rounding it does not change what `floor` gives.
  const double whole = 1.0 / double(c);
  int place = 0;
  std::frexp(whole, &place);
  const double unit = std::ldexp(1.0, place - 24);
  const double high = std::floor(whole / unit) * unit;
  const auto low = float((1 - high * double(c)) / double(c));
  const float scale = std::copysign(std::ldexp(1.0F, 24 - exponent), divisor);
  for (float part : {low, std::nextafter(low, 0.0F), std::nextafter(low, 1.0F)})
    if (isExact({float(high), part}, c))
      return Reciprocal{float(high) * scale, part * scale};
  return std::nullopt;
}

bool dividesExactly(const Reciprocal &reciprocal, double least, double most) {
  // One bit of room for roundings.
  constexpr double normal = 2.0 * std::numeric_limits<float>::min(),
                   end = std::numeric_limits<float>::max() / 2.0;
  return least * std::fabs(double(reciprocal.low)) >= normal &&
         most * std::fabs(double(reciprocal.high)) <= end;
}

} // namespace gaudi::runtime
