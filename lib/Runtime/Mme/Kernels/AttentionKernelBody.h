// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of attention's row operations, in vectors that the compiler maps to
// the registers of the instruction set. Included by one source file per set,
// which is compiled with its flags: nothing here may be a function that another
// file could share.
#include "AttentionKernel.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace gaudi::runtime {
namespace {

using Floats = float __attribute__((vector_size(64)));
using Ints = int32_t __attribute__((vector_size(64)));
using Words = uint32_t __attribute__((vector_size(64)));
using DoubleWords = uint64_t __attribute__((vector_size(128)));

#define GAUDI_ROW_INLINE static inline __attribute__((always_inline))

constexpr float infinity = __builtin_inff();

GAUDI_ROW_INLINE Floats splat(float value) { return Floats{} + value; }
GAUDI_ROW_INLINE Floats loadRow(const float *from) {
  Floats value;
  __builtin_memcpy(&value, from, sizeof(value));
  return value;
}
GAUDI_ROW_INLINE void storeRow(float *to, Floats value) {
  __builtin_memcpy(to, &value, sizeof(value));
}
/// Rounds `count` vectors to bf16 as MicroKernel::roundToBf16; NaN may have
/// other bits, and subnormal numbers, which no exponential is, may become 0.
GAUDI_ROW_INLINE void storeNarrow(uint16_t *to, const Floats *values,
                                  int count) {
  int k = 0;
#if defined(__AVX512BF16__)
  for (; k + 1 < count; k += 2)
    _mm512_storeu_si512(
        to + k * rowLanes,
        (__m512i)_mm512_cvtne2ps_pbh((__m512)values[k + 1], (__m512)values[k]));
#endif
  for (; k < count; ++k) {
    using Halves = uint16_t __attribute__((vector_size(32)));
    const Words bits = (Words)values[k];
    const Words rounded = bits + 0x7fffu + (bits >> 16 & 1u);
    const Words quiet = bits | 0x400000u;
    const Halves halves = __builtin_convertvector(
        (values[k] == values[k] ? rounded : quiet) >> 16, Halves);
    __builtin_memcpy(to + k * rowLanes, &halves, sizeof(halves));
  }
}
/// Lanes before `count` of `value`, the others `other`.
GAUDI_ROW_INLINE Floats firstLanes(Floats value, int64_t count, Floats other) {
  const Ints lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return lanes < Ints{} + int32_t(count) ? value : other;
}
/// Adds, or takes the maximum of, the lanes in a tree.
GAUDI_ROW_INLINE float sumLanes(Floats value) {
  for (int width = 8; width > 0; width /= 2)
    for (int l = 0; l < width; ++l)
      value[l] += value[l + width];
  return value[0];
}
GAUDI_ROW_INLINE float maxLanes(Floats value) {
  for (int width = 8; width > 0; width /= 2)
    for (int l = 0; l < width; ++l)
      value[l] = value[l + width] > value[l] ? value[l + width] : value[l];
  return value[0];
}

/// x[k] = e^x[k] of `Vectors` vectors, for x <= 88; 0 below the smallest normal
/// number; NaN stays. As VectorMath::exp: x = n ln 2 + r by Cody and Waite,
/// then a minimax polynomial in r. Several vectors at once hide its
/// latency, which is longer than a core looks ahead.
template <int Vectors> GAUDI_ROW_INLINE void exponentiate(Floats *x) {
  constexpr float magic = 0x1.8p23f, least = -87.33654f;
  Floats shifted[Vectors], count[Vectors], r[Vectors], core[Vectors];
  auto each = [&](auto step) __attribute__((always_inline)) {
    for (int k = 0; k < Vectors; ++k)
      step(k);
  };
  each([&](int k) { shifted[k] = x[k] * 0x1.715476p+0f + magic; });
  each([&](int k) { count[k] = shifted[k] - magic; });
  each([&](int k) { r[k] = count[k] * -0x1.62e4p-1f + x[k]; });
  each([&](int k) { r[k] = count[k] * -0x1.7f7d1cp-20f + r[k]; });
  each([&](int k) { core[k] = splat(0x1.6d815ep-10f); });
  constexpr float terms[] = {0x1.123f9p-7f, 0x1.5554bap-5f, 0x1.55548ap-3f,
                             0.5f,          1.0f,           1.0f};
  for (const float term : terms)
    each([&](int k) { core[k] = core[k] * r[k] + term; });
  each([&](int k) {
#if defined(__AVX512F__)
    core[k] = (Floats)_mm512_scalef_ps((__m512)core[k], (__m512)count[k]);
#else
    // The integer is in the low bits of `shifted`: moved to the exponent. Wraps
    // for NaN, whose product stays NaN.
    core[k] *= (Floats)(((Words)shifted[k] + 127u) << 23);
#endif
    x[k] = x[k] < least ? Floats{} : core[k];
  });
}

/// Calls step(offset) for each whole vector, then last(offset, lanes) for what
/// is left.
template <typename Step, typename Last>
GAUDI_ROW_INLINE void forVectors(int64_t count, Step step, Last last) {
  int64_t i = 0;
  for (; i + rowLanes <= count; i += rowLanes)
    step(i);
  if (i < count)
    last(i, count - i);
}

template <bool HasBias, bool HasHide>
GAUDI_ROW_INLINE float scoreOf(const ScoreCall &call) {
  Floats most = splat(-infinity);
  auto scored = [&](int64_t i) __attribute__((always_inline)) {
    Floats s = loadRow(call.scores + i) * call.scale;
    if (HasBias) {
      const Floats bias = loadRow(call.bias + i);
      // -infinity hides any score, also a NaN or an infinite one.
      s = bias == -infinity ? bias : s + bias;
    }
    if (HasHide)
      s = loadRow(call.hide + i) != 0.0f ? splat(call.hidden) : s;
    return s;
  };
  auto add = [&](int64_t i, Floats s) __attribute__((always_inline)) {
    if (HasBias || HasHide)
      storeRow(call.scores + i, s);
    most = s > most ? s : most;
  };
  forVectors(
      call.count, [&](int64_t i) { add(i, scored(i)); },
      [&](int64_t i, int64_t lanes) {
        // The lanes behind the end are hidden: no maximum is theirs.
        add(i, firstLanes(scored(i), lanes, splat(-infinity)));
      });
  return maxLanes(most);
}

void scoreBlock(const ScoreBlock &block, float scale, float *most) {
  for (int64_t r = 0; r < block.rows; ++r) {
    const ScoreBlock::Span span = block.spans[r];
    most[r] = scoreOf<false, false>({block.sums + r * block.pitch + span.begin,
                                     span.end - span.begin, scale, nullptr,
                                     nullptr, 0.0f});
  }
}

float scoreRow(const ScoreCall &call) {
  if (call.bias)
    return call.hide ? scoreOf<true, true>(call) : scoreOf<true, false>(call);
  return call.hide ? scoreOf<false, true>(call) : scoreOf<false, false>(call);
}

/// Vectors at once: as many as the registers hold.
#if defined(__AVX512F__)
constexpr int sideBySide = 4;
#else
constexpr int sideBySide = 1;
#endif

/// Sums the exponentials of a row, which store(column, vectors, how many) gets.
/// None is above 1 if the maximum is one `OfAll`.
template <bool OfAll, typename Store>
GAUDI_ROW_INLINE float exponentialsOf(const float *row, int64_t count,
                                      float scale, float maximum, Store store) {
  Floats sum = Floats{};
  auto add = [&](int64_t i, Floats *x,
                 int vectors) __attribute__((always_inline)) {
    // Scores were rounded before the maximum, one of them, was found.
    for (int k = 0; k < vectors; ++k)
      x[k] -= maximum;
    if (!OfAll)
      for (int k = 0; k < vectors; ++k)
        x[k] = x[k] > 88.0f ? splat(88.0f) : x[k];
    vectors == 1 ? exponentiate<1>(x) : exponentiate<sideBySide>(x);
    for (int k = 0; k < vectors; ++k)
      sum += x[k];
    store(i, x, vectors);
  };
  int64_t i = 0;
  for (; i + sideBySide * rowLanes <= count; i += sideBySide * rowLanes) {
    Floats x[sideBySide];
    for (int k = 0; k < sideBySide; ++k)
      x[k] = loadRow(row + i + k * rowLanes) * scale;
    add(i, x, sideBySide);
  }
  forVectors(
      count - i,
      [&](int64_t j) {
        Floats x = loadRow(row + i + j) * scale;
        add(i + j, &x, 1);
      },
      [&](int64_t j, int64_t lanes) {
        Floats x =
            firstLanes(loadRow(row + i + j) * scale, lanes, splat(-infinity));
        add(i + j, &x, 1);
      });
  return sumLanes(sum);
}

float exponentialRow(float *row, int64_t count, float scale, float maximum,
                     float factor) {
  return exponentialsOf<false>(
      row, count, scale, maximum, [&](int64_t i, const Floats *p, int vectors) {
        for (int k = 0; k < vectors; ++k)
          storeRow(row + i + k * rowLanes, p[k] * factor);
      });
}

/// Of row `r`; stores whole vectors, into the padding if need be.
template <typename Store>
GAUDI_ROW_INLINE float exponentialsOfSpan(const ScoreBlock &block, int64_t r,
                                          float scale, float maximum,
                                          Store store) {
  const ScoreBlock::Span span = block.spans[r];
  const float *row = block.sums + r * block.pitch + span.begin;
  // No score is above -infinity: nothing may be subtracted from them, and only
  // NaN has an exponential that is not 0.
  const float total = exponentialsOf<true>(
      row, span.end - span.begin, scale, maximum == -infinity ? 0.0f : maximum,
      [&](int64_t i, const Floats *p, int vectors) {
        store(span.begin + i, p, vectors);
      });
  const Floats zero = Floats{};
  for (int64_t i = span.end; i < block.end; i += rowLanes)
    store(i, &zero, 1);
  return total;
}

void exponentialBlock(const ScoreBlock &block, float scale, const float *maxima,
                      float *totals) {
  for (int64_t r = 0; r < block.rows; ++r) {
    const int64_t before = block.spans[r].begin - block.begin;
    if (block.narrow) {
      uint16_t *to = block.narrow + r * block.narrowPitch;
      __builtin_memset(to + block.begin, 0, uint64_t(before) * sizeof(*to));
      totals[r] =
          exponentialsOfSpan(block, r, scale, maxima[r],
                             [&](int64_t i, const Floats *p, int vectors) {
                               storeNarrow(to + i, p, vectors);
                             });
    } else {
      float *to = block.sums + r * block.pitch;
      __builtin_memset(to + block.begin, 0, uint64_t(before) * sizeof(*to));
      totals[r] =
          exponentialsOfSpan(block, r, scale, maxima[r],
                             [&](int64_t i, const Floats *p, int vectors) {
                               for (int k = 0; k < vectors; ++k)
                                 storeRow(to + i + k * rowLanes, p[k]);
                             });
    }
  }
}

GAUDI_ROW_INLINE Words highProduct(Words value, uint32_t factor) {
  const DoubleWords product =
      __builtin_convertvector(value, DoubleWords) * uint64_t(factor);
  return __builtin_convertvector(product >> 32, Words);
}

/// Philox4x32-10 (Gaudi/Support/Philox.h) for 16 counters at once.
void keepRow(const KeepCall &call) {
  const uint64_t group = call.first / 4;
  int64_t done = -int64_t(call.first % 4); // element of the first word
  for (uint64_t g = group; done < call.count; g += 16, done += 64) {
    // One counter per lane; each gives four consecutive words of the stream.
    const Words lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    Words c0 = lanes + uint32_t(g), c2 = Words{}, c3 = Words{};
    // A carry into the high half: true is -1.
    Words c1 = uint32_t(g >> 32) - (Words)(c0 < Words{} + uint32_t(g));
    uint32_t key0 = call.seed, key1 = 0;
    for (int round = 0; round < 10; ++round) {
      const Words high0 = highProduct(c0, 0xD2511F53u), low0 = c0 * 0xD2511F53u;
      const Words high2 = highProduct(c2, 0xCD9E8D57u), low2 = c2 * 0xCD9E8D57u;
      c0 = high2 ^ c1 ^ key0;
      c2 = high0 ^ c3 ^ key1;
      c1 = low2;
      c3 = low0;
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    // Word 4 g + i belongs to element 4 g + i, so the four vectors are
    // interleaved.
    uint32_t words[64];
    for (int l = 0; l < 16; ++l) {
      words[4 * l] = c0[l];
      words[4 * l + 1] = c1[l];
      words[4 * l + 2] = c2[l];
      words[4 * l + 3] = c3[l];
    }
    // The first counter may start before the first element.
    const int64_t skip = done < 0 ? -done : 0;
    const int64_t end = call.count - done < 64 ? call.count - done : 64;
    for (int64_t w = skip; w < end; ++w)
      call.factors[done + w] = words[w] >= call.threshold ? call.kept : 0.0f;
  }
}

/// row[i] = formula(i) for whole vectors, padding included.
template <typename Formula>
GAUDI_ROW_INLINE void mapRow(float *row, int64_t count, Formula formula) {
  for (int64_t i = 0; i < count; i += rowLanes)
    storeRow(row + i, formula(i));
}

void scaleRow(float *row, int64_t count, float factor) {
  mapRow(row, count, [&](int64_t i) { return loadRow(row + i) * factor; });
}

void multiplyRow(float *row, const float *factors, int64_t count) {
  mapRow(row, count,
         [&](int64_t i) { return loadRow(row + i) * loadRow(factors + i); });
}

void accumulateRow(float *to, float factor, const float *row, int64_t count) {
  mapRow(to, count, [&](int64_t i) {
    return loadRow(to + i) * factor + loadRow(row + i);
  });
}

void softmaxGradRow(float *row, const float *p, float mean, int64_t count) {
  mapRow(row, count,
         [&](int64_t i) { return loadRow(p + i) * (loadRow(row + i) - mean); });
}

float dotRows(const float *a, const float *b, int64_t count) {
  Floats sum = Floats{};
  forVectors(
      count, [&](int64_t i) { sum += loadRow(a + i) * loadRow(b + i); },
      [&](int64_t i, int64_t lanes) {
        sum += firstLanes(loadRow(a + i) * loadRow(b + i), lanes, Floats{});
      });
  return sumLanes(sum);
}

float largestOf(const float *row, int64_t count) {
  Floats most = Floats{};
  auto add = [&](Floats value) __attribute__((always_inline)) {
    const Floats magnitude = value < 0.0f ? -value : value;
    most = magnitude > most ? magnitude : most;
  };
  forVectors(
      count, [&](int64_t i) { add(loadRow(row + i)); },
      [&](int64_t i, int64_t lanes) {
        add(firstLanes(loadRow(row + i), lanes, Floats{}));
      });
  return maxLanes(most);
}

void fromBf16Row(const uint16_t *from, float *to, int64_t count) {
  using Halves = uint16_t __attribute__((vector_size(32)));
  int64_t i = 0;
  for (; i + rowLanes <= count; i += rowLanes) {
    Halves halves;
    __builtin_memcpy(&halves, from + i, sizeof(halves));
    const Words words = __builtin_convertvector(halves, Words) << 16;
    __builtin_memcpy(to + i, &words, sizeof(words));
  }
  for (; i < count; ++i) {
    const uint32_t word = uint32_t(from[i]) << 16;
    __builtin_memcpy(to + i, &word, sizeof(word));
  }
}

constexpr AttentionFunctions attentionFunctions = {
    scoreRow,       exponentialRow, scoreBlock,  exponentialBlock,
    keepRow,        scaleRow,       multiplyRow, accumulateRow,
    softmaxGradRow, dotRows,        largestOf,   fromBf16Row,
};

#undef GAUDI_ROW_INLINE

} // namespace
} // namespace gaudi::runtime
