// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts single elements and rows between element types.
#include "Copy.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Support/FloatFormats.h"

#include <algorithm>
#include <array>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

template <typename T> T readAs(const uint8_t *src) {
  T value;
  std::memcpy(&value, src, sizeof(T));
  return value;
}
template <typename T> void writeAs(uint8_t *dst, T value) {
  std::memcpy(dst, &value, sizeof(T));
}

std::array<float, 256> tableOf(FloatFormat format) {
  std::array<float, 256> table;
  for (uint32_t bits = 0; bits < 256; ++bits)
    table[bits] = float(decodeFloat(bits, format));
  return table;
}

/// encodeFloat for a float32, by integer arithmetic. The tests compare both
/// over all narrow values and their neighbours.
template <unsigned exponentBits, unsigned mantissaBits, bool finiteOnly>
uint32_t encodeFast(float value) {
  constexpr FloatFormat format{exponentBits, mantissaBits, finiteOnly};
  constexpr uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  constexpr uint32_t allOnes = infinity | ((1u << mantissaBits) - 1);
  constexpr uint32_t nan =
      finiteOnly ? allOnes : infinity | (1u << (mantissaBits - 1));
  constexpr unsigned shift = 23 - mantissaBits;
  const uint32_t bits = bitsOf(value);
  const uint32_t sign = (bits >> 31) << (exponentBits + mantissaBits);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return sign | nan;
  uint32_t result;
  if (exponentBits < 8 && magnitude < uint32_t(127 + 1 - format.bias()) << 23) {
    // Subnormal: `unit` has the format's smallest subnormal as its unit in the
    // last place, so the host rounds the sum to a multiple of that.
    const uint32_t unit =
        uint32_t(127 + 1 - format.bias() - int(mantissaBits) + 23) << 23;
    result = bitsOf(floatOfBits(magnitude) + floatOfBits(unit)) - unit;
  } else {
    // Nearest even: just under half a unit, and one more if odd. A carry out of
    // the mantissa increments the exponent.
    const uint32_t odd = (magnitude >> shift) & 1;
    result = ((magnitude + odd + ((1u << (shift - 1)) - 1)) >> shift) -
             (uint32_t(127 - format.bias()) << mantissaBits);
  }
  if (result >= (finiteOnly ? allOnes : infinity))
    return sign | (finiteOnly ? nan : infinity);
  return sign | result;
}

} // namespace

float loadFloat(ElementType type, const uint8_t *src) {
  static const std::array<float, 256> e4m3 = tableOf(formatF8E4M3FN);
  static const std::array<float, 256> e5m2 = tableOf(formatF8E5M2);
  switch (type) {
  case ElementType::BF16:
    return floatOfBits(uint32_t(readAs<uint16_t>(src)) << 16);
  case ElementType::F16: {
    const uint32_t bits = readAs<uint16_t>(src);
    const uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u)
      return floatOfBits(sign | 0x7f800000u | magnitude << 13);
    const float scaled = floatOfBits(magnitude << 13) * 0x1p112f;
    return floatOfBits(bitsOf(scaled) | sign);
  }
  case ElementType::F8E4M3FN:
    return e4m3[*src];
  case ElementType::F8E5M2:
    return e5m2[*src];
  default:
    return readAs<float>(src);
  }
}

void storeFloat(ElementType type, uint8_t *dst, float value) {
  switch (type) {
  case ElementType::BF16:
    return writeAs(dst, uint16_t(encodeFast<8, 7, false>(value)));
  case ElementType::F16:
    return writeAs(dst, uint16_t(encodeFast<5, 10, false>(value)));
  case ElementType::F8E4M3FN:
    return writeAs(dst, uint8_t(encodeFast<4, 3, true>(value)));
  case ElementType::F8E5M2:
    return writeAs(dst, uint8_t(encodeFast<5, 2, false>(value)));
  default:
    return writeAs(dst, value);
  }
}

int64_t loadInt(ElementType type, const uint8_t *src) {
  switch (type) {
  case ElementType::I8:
    return readAs<int8_t>(src);
  case ElementType::U8:
    return *src;
  case ElementType::I16:
    return readAs<int16_t>(src);
  case ElementType::U16:
    return readAs<uint16_t>(src);
  case ElementType::I32:
    return readAs<int32_t>(src);
  case ElementType::U32:
    return readAs<uint32_t>(src);
  case ElementType::I1:
    return *src != 0;
  default:
    return readAs<int64_t>(src);
  }
}

void storeInt(ElementType type, uint8_t *dst, int64_t value) {
  if (type == ElementType::I1)
    value = value != 0;
  std::memcpy(dst, &value, recipe::elementSize(type)); // little-endian hosts
}

namespace {

#if defined(__x86_64__)
bool hasHalfInstructions() {
  static const bool found =
      __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  return found;
}

/// The bits of the loops over loadFloat and storeFloat, eight elements at a
/// time; returns how many elements it converted. `count` may be anything.
__attribute__((target("avx,f16c"))) int64_t halfToFloat(const uint8_t *src,
                                                        uint8_t *dst,
                                                        int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i bits =
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(src + i * 2));
    _mm256_storeu_ps(reinterpret_cast<float *>(dst + i * 4),
                     _mm256_cvtph_ps(bits));
  }
  return i;
}

__attribute__((target("avx,f16c"))) int64_t floatToHalf(const uint8_t *src,
                                                        uint8_t *dst,
                                                        int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 values =
        _mm256_loadu_ps(reinterpret_cast<const float *>(src + i * 4));
    const __m256 isNan = _mm256_cmp_ps(values, values, _CMP_UNORD_Q);
    // The instruction keeps a NaN's payload; the format has one NaN per sign.
    const __m256 quiet =
        _mm256_or_ps(_mm256_and_ps(values, _mm256_set1_ps(-0.0f)),
                     _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000)));
    const __m128i bits = _mm256_cvtps_ph(_mm256_blendv_ps(values, quiet, isNan),
                                         _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(dst + i * 2), bits);
  }
  return i;
}
#else
bool hasHalfInstructions() { return false; }
int64_t halfToFloat(const uint8_t *, uint8_t *, int64_t) { return 0; }
int64_t floatToHalf(const uint8_t *, uint8_t *, int64_t) { return 0; }
#endif

/// Rows between f16 and f32, of any strides: vectors of elements that are
/// gathered first and scattered last where they are not contiguous.
void convertHalfRow(ElementType srcType, const uint8_t *src, int64_t srcStep,
                    uint8_t *dst, int64_t dstStep, int64_t count) {
  const bool widens = srcType == ElementType::F16;
  const int64_t srcSize = widens ? 2 : 4, dstSize = widens ? 4 : 2;
  constexpr int64_t piece = 64;
  alignas(32) uint8_t gathered[piece * 4], converted[piece * 4];
  for (int64_t done = 0; done < count;) {
    // Contiguous rows need no buffers and are converted in one go.
    const int64_t n = srcStep == srcSize && dstStep == dstSize
                          ? count - done
                          : std::min(piece, count - done);
    const uint8_t *from = src + done * srcStep;
    uint8_t *to = dst + done * dstStep;
    if (srcStep != srcSize) {
      for (int64_t i = 0; i < n; ++i)
        std::memcpy(gathered + i * srcSize, from + i * srcStep,
                    size_t(srcSize));
      from = gathered;
    }
    uint8_t *const result = dstStep == dstSize ? to : converted;
    int64_t i = 0;
    if (hasHalfInstructions())
      i = widens ? halfToFloat(from, result, n) : floatToHalf(from, result, n);
    // The rest of a vector, or all of it without F16C.
    for (; i < n; ++i) {
      if (widens)
        writeAs(result + i * 4, loadFloat(ElementType::F16, from + i * 2));
      else
        storeFloat(ElementType::F16, result + i * 2,
                   readAs<float>(from + i * 4));
    }
    if (result != to)
      for (int64_t j = 0; j < n; ++j)
        std::memcpy(to + j * dstStep, converted + j * dstSize, size_t(dstSize));
    done += n;
  }
}

/// Contiguous rows of common pairs of types, in loops that compilers vectorise.
bool convertDense(ElementType srcType, const uint8_t *src, ElementType dstType,
                  uint8_t *dst, int64_t count) {
  if (srcType == dstType) {
    std::memcpy(dst, src, size_t(count) * recipe::elementSize(srcType));
    return true;
  }
  if (srcType == ElementType::BF16 && dstType == ElementType::F32) {
    for (int64_t i = 0; i < count; ++i)
      writeAs(dst + i * 4, uint32_t(readAs<uint16_t>(src + i * 2)) << 16);
    return true;
  }
  if (srcType == ElementType::F32 && dstType == ElementType::BF16) {
    for (int64_t i = 0; i < count; ++i) {
      const uint32_t bits = readAs<uint32_t>(src + i * 4);
      const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
      const uint32_t nan = (bits >> 16 & 0x8000u) | 0x7fc0u;
      writeAs(dst + i * 2,
              uint16_t((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded));
    }
    return true;
  }
  return false;
}

} // namespace

void convertRow(ElementType srcType, const uint8_t *src, int64_t srcStride,
                ElementType dstType, uint8_t *dst, int64_t dstStride,
                int64_t count) {
  const int64_t srcStep = srcStride * recipe::elementSize(srcType);
  const int64_t dstStep = dstStride * recipe::elementSize(dstType);
  if (srcStride == 1 && dstStride == 1 &&
      convertDense(srcType, src, dstType, dst, count))
    return;
  if ((srcType == ElementType::F16 && dstType == ElementType::F32) ||
      (srcType == ElementType::F32 && dstType == ElementType::F16)) {
    convertHalfRow(srcType, src, srcStep, dst, dstStep, count);
    return;
  }
  // The type tests are loop invariant; compilers hoist them poorly, so the
  // common pairs have loops of their own.
  if (srcType == ElementType::BF16 && dstType == ElementType::F32) {
    for (int64_t i = 0; i < count; ++i)
      writeAs(dst + i * dstStep, uint32_t(readAs<uint16_t>(src + i * srcStep))
                                     << 16);
    return;
  }
  if (srcType == ElementType::F32 && dstType == ElementType::BF16) {
    for (int64_t i = 0; i < count; ++i)
      writeAs(dst + i * dstStep, uint16_t(encodeFast<8, 7, false>(
                                     readAs<float>(src + i * srcStep))));
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    storeFloat(dstType, dst + i * dstStep,
               loadFloat(srcType, src + i * srcStep));
}

} // namespace gaudi::runtime
