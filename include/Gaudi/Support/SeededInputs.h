// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reproducible pseudo-random inputs: the same bytes from a seed, an argument
// number and a shape, in the compiler, in the runtime and in any other program
// that follows the formula.
//
// Argument k of a function, flat element i (row-major), all integers mod 2^32:
//
//   x = i + seed * 7919 + k * 104729
//   x ^= x >> 16; x *= 0x7feb352d; x ^= x >> 15; x *= 0x846ca68b; x ^= x >> 16
//   v = (float32(x >> 8) / 2^24 - 0.5) * (2 * a) + offset      (in float32)
//
// Argument 0: a = 1, offset = 0. Another argument whose element count equals
// its largest dimension (a vector; a rank-0 tensor counts as one): a = 0.5,
// offset = 1. Any other: a = sqrt(6 / product(dims[1:])), offset = 0. Integers
// are (x >> 8) mod 16, booleans (x >> 8) mod 2. Narrower floats are v rounded
// to nearest even.
#ifndef GAUDI_SUPPORT_SEEDEDINPUTS_H
#define GAUDI_SUPPORT_SEEDEDINPUTS_H

#include "Gaudi/Support/FloatFormats.h"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gaudi {

/// f32 as a FloatFormat, so that one description covers every float.
constexpr FloatFormat formatF32{8, 23, false};

/// The element type, as far as the values depend on it.
struct SeededElement {
  enum class Kind { Float, Integer, Boolean };
  Kind kind;
  FloatFormat format; ///< of floats
  unsigned bytes;     ///< of one element: 1, 2, 4 or 8

  static constexpr SeededElement floating(FloatFormat format) {
    return {Kind::Float, format, format.width() / 8};
  }
  /// Signed or unsigned: the values are below 16.
  static constexpr SeededElement integer(unsigned bytes) {
    return {Kind::Integer, formatF32, bytes};
  }
  static constexpr SeededElement boolean() {
    return {Kind::Boolean, formatF32, 1};
  }
};

/// The random bits of one element.
inline uint32_t seededBits(uint32_t seed, uint32_t argument, uint32_t index) {
  uint32_t x = index + seed * 7919u + argument * 104729u;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

/// Half the width of the interval of float values, and its middle.
struct SeededRange {
  float amplitude;
  float offset;
};

inline SeededRange seededRange(uint32_t argument, const int64_t *sizes,
                               size_t rank) {
  if (argument == 0)
    return {1.0f, 0.0f};
  int64_t count = 1, largest = 1;
  for (size_t d = 0; d < rank; ++d) {
    count *= sizes[d];
    largest = d == 0 ? sizes[d] : std::max(largest, sizes[d]);
  }
  if (count == largest)
    return {0.5f, 1.0f};
  double fanIn = 1;
  for (size_t d = 1; d < rank; ++d)
    fanIn *= static_cast<double>(sizes[d]);
  return {static_cast<float>(std::sqrt(6.0 / fanIn)), 0.0f};
}

/// The float32 value of one element.
inline float seededFloat(uint32_t bits, SeededRange range) {
  // One operation per statement: no contraction into a fused multiply-add.
  const float unit = static_cast<float>(bits >> 8) / 16777216.0f;
  const float centred = unit - 0.5f;
  const float scaled = centred * (2.0f * range.amplitude);
  return scaled + range.offset;
}

/// Writes the little-endian bytes of all elements (the product of `sizes`,
/// `element.bytes` each) to `out`.
inline void writeSeededInput(uint32_t seed, uint32_t argument,
                             const int64_t *sizes, size_t rank,
                             SeededElement element, void *out) {
  int64_t count = 1;
  for (size_t d = 0; d < rank; ++d)
    count *= sizes[d];
  const SeededRange range = seededRange(argument, sizes, rank);
  auto *bytes = static_cast<unsigned char *>(out);
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t x = seededBits(seed, argument, static_cast<uint32_t>(i));
    uint64_t pattern = 0;
    if (element.kind == SeededElement::Kind::Integer)
      pattern = (x >> 8) % 16;
    else if (element.kind == SeededElement::Kind::Boolean)
      pattern = (x >> 8) % 2;
    else if (element.bytes == 4)
      pattern = bitsOf(seededFloat(x, range));
    else
      pattern = encodeFloat(seededFloat(x, range), element.format);
    for (unsigned b = 0; b < element.bytes; ++b)
      *bytes++ = static_cast<unsigned char>(pattern >> (8 * b));
  }
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_SEEDEDINPUTS_H
