// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of attention's row operations, in vectors that the compiler maps to
// the registers of the instruction set. Included by one source file per set,
// which is compiled with its flags: nothing here may be a function that another
// file could share.
#include "AttentionKernel.h"

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
  float most = value[0];
  for (int l = 1; l < 16; ++l)
    most = value[l] > most ? value[l] : most;
  return most;
}

/// e^x for x <= 88, 0 below the smallest normal number; NaN stays. As
/// VectorMath::exp: x = n ln 2 + r by Cody and Waite, then a minimax polynomial
/// in r.
GAUDI_ROW_INLINE Floats exponentialOf(Floats x) {
  constexpr float magic = 0x1.8p23f, least = -87.33654f, most = 88.0f;
  const Ints tiny = x < least;
  Floats inside = tiny ? splat(least) : x;
  inside = inside > most ? splat(most) : inside;
  const Floats shifted = inside * 0x1.715476p+0f + magic;
  const Floats count = shifted - magic;
  const Floats high = count * -0x1.62e4p-1f + inside;
  const Floats r = count * -0x1.7f7d1cp-20f + high;
  Floats core = splat(0x1.6d815ep-10f);
  core = core * r + 0x1.123f9p-7f;
  core = core * r + 0x1.5554bap-5f;
  core = core * r + 0x1.55548ap-3f;
  core = core * r + 0.5f;
  core = core * r + 1.0f;
  core = core * r + 1.0f;
  // The integer is in the low bits of `shifted`: moved to the exponent. Wraps
  // for NaN, whose product stays NaN.
  const Words power = ((Words)shifted + 127u) << 23;
  const Floats result = core * (Floats)power;
  return tiny ? Floats{} : result;
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

float scoreRow(const ScoreCall &call) {
  if (call.bias)
    return call.hide ? scoreOf<true, true>(call) : scoreOf<true, false>(call);
  return call.hide ? scoreOf<false, true>(call) : scoreOf<false, false>(call);
}

float exponentialRow(float *row, int64_t count, float maximum, float factor) {
  Floats sum = Floats{};
  auto add = [&](int64_t i, Floats s) __attribute__((always_inline)) {
    const Floats p = exponentialOf(s - maximum);
    sum += p;
    storeRow(row + i, p * factor);
  };
  forVectors(
      count, [&](int64_t i) { add(i, loadRow(row + i)); },
      [&](int64_t i, int64_t lanes) {
        add(i, firstLanes(loadRow(row + i), lanes, splat(-infinity)));
      });
  return sumLanes(sum);
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
    scoreRow,      exponentialRow, keepRow, scaleRow,  multiplyRow,
    accumulateRow, softmaxGradRow, dotRows, largestOf, fromBf16Row,
};

#undef GAUDI_ROW_INLINE

} // namespace
} // namespace gaudi::runtime
