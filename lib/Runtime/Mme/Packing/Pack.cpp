// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs the right side of products into panels for the micro kernels.
#include "Pack.h"

#include "../../Commands/Copy.h"
#include "../../Commands/Transpose.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

PanelValue valueOf(const MicroKernel &kernel, const PanelSource &source) {
  if (!kernel.widening || source.winograd)
    return PanelValue::Step;
  switch (source.type) {
  case ElementType::BF16:
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return PanelValue::Bf16;
  case ElementType::F16:
    return PanelValue::F16;
  default:
    return PanelValue::Step;
  }
}

} // namespace

PanelLayout::PanelLayout(const MicroKernel &kernel, const PanelSource &source,
                         bool constant)
    : width(kernel.columns), format(kernel.format),
      value(constant ? valueOf(kernel, source) : PanelValue::Step),
      rowSteps((source.joined * source.depth + valuesPerStep(format) - 1) /
               valuesPerStep(format)),
      steps(wholeGrains(kernel, rowSteps)),
      panels((source.columns + width - 1) / width),
      stepsOfAll(source.packedTaps() / source.joined * steps),
      joins(constant && kernel.small),
      panelBytes(format == StepFormat::Int8
                     ? joinsOffset() + (joins ? stepsOfAll + 1 : 0)
                     : stepsOfAll * stepBytes()) {}

namespace {

/// Rows of prefetch distance. The rows of a panel are too far apart for the
/// hardware prefetcher, which stays within a page.
constexpr int64_t rowsAhead = 12;

/// Transposes `width` columns of `depth` contiguous values each: columns are
/// `columnStride` apart, and each becomes a lane of the panel. Squares of them
/// go through registers; the next columns are prefetched meanwhile.
template <typename T>
void packTransposed(const T *from, int64_t columnStride, int64_t depth,
                    int64_t width, int64_t panelWidth, T *to) {
  constexpr int64_t side = squareSide<T>;
  int64_t c = 0;
  for (; c + side <= width; c += side) {
    const T *column = from + c * columnStride;
    for (int64_t i = side; i < 2 * side; ++i)
      for (int64_t k = 0; k < depth; k += 64 / int64_t(sizeof(T)))
        __builtin_prefetch(column + i * columnStride + k);
    int64_t k = 0;
    for (; k + side <= depth; k += side)
      transposeSquare(column + k, columnStride, to + k * panelWidth + c,
                      panelWidth);
    for (; k < depth; ++k)
      for (int64_t i = 0; i < side; ++i)
        to[k * panelWidth + c + i] = column[i * columnStride + k];
  }
  for (; c < width; ++c)
    for (int64_t k = 0; k < depth; ++k)
      to[k * panelWidth + c] = from[c * columnStride + k];
}

/// One tap of a panel with one value per step, `T` of type `type`: `depth` rows
/// of `width` values and zeros up to the panel's width. The two forms that
/// weights have in models (rows or columns contiguous, of that type) go fast;
/// others are converted row by row or column by column.
template <typename T>
void packTapValues(const PanelSource &s, const uint8_t *from, int64_t width,
                   int64_t panelWidth, ElementType type, T *to) {
  const int64_t size = recipe::elementSize(s.type);
  // Columns after the last: zeros, so that their sums are defined.
  if (width < panelWidth)
    for (int64_t k = 0; k < s.depth; ++k)
      std::memset(to + k * panelWidth + width, 0,
                  size_t(panelWidth - width) * sizeof(T));
  if (s.columnStride == 1 && s.type == type) {
    const T *row = reinterpret_cast<const T *>(from);
    // A constant size becomes moves instead of a call per row.
    auto copyRows = [&](auto constant) {
      for (int64_t k = 0; k < s.depth; ++k, row += s.depthStride) {
        __builtin_prefetch(row + rowsAhead * s.depthStride);
        std::memcpy(to + k * constant, row, constant * sizeof(T));
      }
    };
    if (width == 16 && panelWidth == 16)
      copyRows(std::integral_constant<size_t, 16>());
    else if (width == 32 && panelWidth == 32)
      copyRows(std::integral_constant<size_t, 32>());
    else
      for (int64_t k = 0; k < s.depth; ++k, row += s.depthStride)
        std::memcpy(to + k * panelWidth, row, size_t(width) * sizeof(T));
    return;
  }
  if (s.depthStride == 1 && s.type == type)
    return packTransposed(reinterpret_cast<const T *>(from), s.columnStride,
                          s.depth, width, panelWidth, to);
  if (s.columnStride == 1) {
    for (int64_t k = 0; k < s.depth; ++k)
      convertRow(s.type, from + k * s.depthStride * size, 1, type,
                 reinterpret_cast<uint8_t *>(to + k * panelWidth), 1, width);
    return;
  }
  // Neither columns nor steps are contiguous: one column at a time, scattered
  // to the panel's pitch.
  for (int64_t c = 0; c < width; ++c)
    convertRow(s.type, from + c * s.columnStride * size, s.depthStride, type,
               reinterpret_cast<uint8_t *>(to + c), panelWidth, s.depth);
}

/// Interleaves two rows of bf16 into one row of pairs, the operand form of
/// VDPBF16PS. A null `second` (the odd row at the end) is all zeros.
void interleave(const uint16_t *first, const uint16_t *second, int64_t width,
                uint16_t *to) {
  int64_t c = 0;
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  for (; c + 8 <= width; c += 8) {
    const __m128i low =
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(first + c));
    const __m128i high =
        second ? _mm_loadu_si128(reinterpret_cast<const __m128i *>(second + c))
               : zero;
    __m128i *out = reinterpret_cast<__m128i *>(to + 2 * c);
    _mm_storeu_si128(out, _mm_unpacklo_epi16(low, high));
    _mm_storeu_si128(out + 1, _mm_unpackhi_epi16(low, high));
  }
#endif
  for (; c < width; ++c) {
    to[2 * c] = first[c];
    to[2 * c + 1] = second ? second[c] : 0;
  }
}

/// One tap of a panel in pairs: step k holds values 2k and 2k + 1 of each
/// column. Cleared first where something is filled up: the last columns, or the
/// second half of the last pair.
void packTapPairs(const PanelSource &s, const uint8_t *from, int64_t width,
                  int64_t panelWidth, uint16_t *to) {
  const int64_t size = recipe::elementSize(s.type);
  const int64_t steps = (s.depth + 1) / 2;
  if (width < panelWidth || s.depth % 2)
    std::memset(to, 0, size_t(steps * panelWidth) * 4);
  if (s.columnStride == 1 && s.type == ElementType::BF16) {
    const uint16_t *row = reinterpret_cast<const uint16_t *>(from);
    for (int64_t k = 0; k < s.depth; k += 2, row += 2 * s.depthStride) {
      __builtin_prefetch(row + rowsAhead * s.depthStride);
      __builtin_prefetch(row + (rowsAhead + 1) * s.depthStride);
      interleave(row, k + 1 < s.depth ? row + s.depthStride : nullptr, width,
                 to + k * panelWidth);
    }
    return;
  }
  // Pairs are contiguous already: transpose them as 32-bit words.
  if (s.depthStride == 1 && s.type == ElementType::BF16 && s.depth % 2 == 0 &&
      s.columnStride % 2 == 0)
    return packTransposed(reinterpret_cast<const float *>(from),
                          s.columnStride / 2, steps, width, panelWidth,
                          reinterpret_cast<float *>(to));
  // Any other form: the even and the odd values of each column by themselves.
  for (int64_t c = 0; c < width; ++c)
    for (int64_t odd = 0; odd < 2; ++odd)
      convertRow(s.type,
                 from + (c * s.columnStride + odd * s.depthStride) * size,
                 s.depthStride * 2, ElementType::BF16,
                 reinterpret_cast<uint8_t *>(to + c * 2 + odd), panelWidth * 2,
                 (s.depth + 1 - odd) / 2);
}

/// G g G^T of `count` filters of 3 x 3, which are the last 9 of the 16 values:
/// each is `count` from the next.
void transformFilters(int64_t count, float *values) {
  constexpr int64_t most = 64;
  // In place: the nine taps are in the last nine of sixteen slots, and results
  // overwrite them. A chunk of columns is saved first.
  float taps[9][most];
  for (int64_t begin = 0; begin < count; begin += most) {
    const int64_t size = std::min(most, count - begin);
    float *const to = values + begin;
    for (int64_t tap = 0; tap < 9; ++tap)
      std::memcpy(taps[tap], to + (7 + tap) * count,
                  size_t(size) * sizeof(float));
    // G g G^T: lines first, then the columns of the result.
    for (int64_t i = 0; i < size; ++i) {
      float lines[4][3]; // G g
      for (int64_t w = 0; w < 3; ++w) {
        const float first = taps[w][i], last = taps[6 + w][i];
        const float middle = taps[3 + w][i];
        lines[0][w] = first;
        lines[1][w] = ((first + last) + middle) * 0.5f;
        lines[2][w] = ((first + last) - middle) * 0.5f;
        lines[3][w] = last;
      }
      for (int64_t h = 0; h < 4; ++h) {
        const float *g = lines[h];
        const float outer = g[0] + g[2];
        to[(h * 4 + 0) * count + i] = g[0];
        to[(h * 4 + 1) * count + i] = (outer + g[1]) * 0.5f;
        to[(h * 4 + 2) * count + i] = (outer - g[1]) * 0.5f;
        to[(h * 4 + 3) * count + i] = g[2];
      }
    }
  }
}

/// Four rows of bytes into one row of steps.
void interleaveFour(const uint8_t *const rows[4], int64_t width, uint8_t *to) {
  int64_t c = 0;
#if defined(__SSE2__)
  auto load = [&](int row) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i *>(rows[row] + c));
  };
  for (; c + 16 <= width; c += 16) {
    const __m128i r0 = load(0), r1 = load(1), r2 = load(2), r3 = load(3);
    const __m128i low01 = _mm_unpacklo_epi8(r0, r1),
                  high01 = _mm_unpackhi_epi8(r0, r1),
                  low23 = _mm_unpacklo_epi8(r2, r3),
                  high23 = _mm_unpackhi_epi8(r2, r3);
    __m128i *out = reinterpret_cast<__m128i *>(to + 4 * c);
    _mm_storeu_si128(out, _mm_unpacklo_epi16(low01, low23));
    _mm_storeu_si128(out + 1, _mm_unpackhi_epi16(low01, low23));
    _mm_storeu_si128(out + 2, _mm_unpacklo_epi16(high01, high23));
    _mm_storeu_si128(out + 3, _mm_unpackhi_epi16(high01, high23));
  }
#endif
  for (; c < width; ++c)
    for (int row = 0; row < 4; ++row)
      to[4 * c + row] = rows[row][c];
}

/// One tap of a panel of bytes as they are: step k holds values 4k to 4k + 3 of
/// each column. What is filled up is zero.
void packTapQuads(const PanelSource &s, const uint8_t *from, int64_t width,
                  int64_t panelWidth, uint8_t *to) {
  const int64_t whole = s.depth / 4 * 4;
  // The last step may be partial in all columns.
  if (width < panelWidth || s.depth % 4)
    std::memset(to, 0, size_t((s.depth + 3) / 4 * panelWidth) * 4);
  int64_t done = 0;
  if (s.columnStride == 1) {
    for (; done < whole; done += 4) {
      const uint8_t *const first = from + done * s.depthStride;
      const uint8_t *const rows[4] = {first, first + s.depthStride,
                                      first + 2 * s.depthStride,
                                      first + 3 * s.depthStride};
      for (const uint8_t *row : rows)
        __builtin_prefetch(row + rowsAhead * s.depthStride);
      interleaveFour(rows, width, to + done * panelWidth);
    }
  } else if (s.depthStride == 1) {
    // The four values of a step are contiguous.
    for (int64_t c = 0; c < width; ++c)
      for (int64_t k = 0; k < whole; k += 4)
        std::memcpy(to + k * panelWidth + c * 4, from + c * s.columnStride + k,
                    4);
    done = whole;
  }
  // The last values, less than a step; or all values, if neither stride is 1.
  for (int64_t k = done; k < s.depth; ++k)
    for (int64_t c = 0; c < width; ++c)
      to[k / 4 * 4 * panelWidth + c * 4 + k % 4] =
          from[k * s.depthStride + c * s.columnStride];
}

/// Makes the unsigned values of a tap signed, but not what is filled up.
void flipSigns(const PanelSource &s, int64_t width, int64_t panelWidth,
               uint8_t *to) {
  for (int64_t k = 0; k < s.depth; k += 4) {
    const uint32_t flips =
        s.depth - k >= 4 ? 0x80808080u : 0x80808080u >> 8 * (4 - (s.depth - k));
    for (int64_t c = 0; c < width; ++c) {
      uint32_t word;
      uint8_t *const at = to + k * panelWidth + c * 4;
      std::memcpy(&word, at, sizeof(word));
      word ^= flips;
      std::memcpy(at, &word, sizeof(word));
    }
  }
}

/// Sums of the columns, as signed values, after `steps` steps of a panel.
void addColumns(const uint8_t *panel, int64_t steps, int64_t width,
                uint8_t *to) {
  int32_t sums[maxPanelColumns] = {};
  int64_t first = 0;
#if defined(__SSE2__)
  // Four columns: pairs of bytes as 16 bits, then pairs of those as 32.
  const __m128i ones = _mm_set1_epi16(1);
  for (; first + 4 <= width; first += 4) {
    __m128i sum = _mm_setzero_si128();
    for (int64_t k = 0; k < steps; ++k) {
      const __m128i bytes = _mm_loadu_si128(
          reinterpret_cast<const __m128i *>(panel + (k * width + first) * 4));
      // Sign extension without SSE4.1: shift the low byte up, then both down
      // with the sign.
      const __m128i even = _mm_srai_epi16(_mm_slli_epi16(bytes, 8), 8);
      const __m128i odd = _mm_srai_epi16(bytes, 8);
      sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_add_epi16(even, odd), ones));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i *>(sums + first), sum);
  }
#endif
  for (int64_t k = 0; k < steps; ++k)
    for (int64_t c = first; c < width; ++c) {
      int8_t values[4];
      std::memcpy(values, panel + (k * width + c) * 4, sizeof(values));
      sums[c] += values[0] + values[1] + values[2] + values[3];
    }
  std::memcpy(to, sums, size_t(width) * sizeof(int32_t));
}

/// What PanelLayout::joins adds to a panel.
void addJoins(const uint8_t *panel, int64_t steps, int64_t width, uint8_t *to) {
  // Of both pairs of each column: what is positive and what is negative, of the
  // step before and of this one.
  struct Sums {
    int16_t positive, negative;
  };
  Sums before[2 * maxPanelColumns] = {}, pairs[2 * maxPanelColumns];
  int16_t largest = 0;
  for (int64_t k = 0; k < steps; ++k) {
    int16_t joined = 0;
    for (int64_t i = 0; i < 2 * width; ++i) {
      int8_t pair[2];
      std::memcpy(pair, panel + k * width * 4 + i * 2, sizeof(pair));
      const auto positive =
          int16_t(std::max<int8_t>(pair[0], 0) + std::max<int8_t>(pair[1], 0));
      const auto negative = int16_t(positive - pair[0] - pair[1]);
      largest = std::max({largest, positive, negative});
      joined = std::max({joined, int16_t(before[i].positive + positive),
                         int16_t(before[i].negative + negative)});
      pairs[i] = {positive, negative};
    }
    if (k > 0)
      to[k - 1] = joined <= mostInWord;
    std::copy(pairs, pairs + 2 * width, before);
  }
  if (steps > 0)
    to[steps - 1] = 0;
  to[steps] = largest <= mostInWord;
}

void packFloats(const PanelSource &source, const uint8_t *from, int64_t width,
                const PanelLayout &layout, uint8_t *to) {
  if (layout.value == PanelValue::Step)
    packTapValues(source, from, width, layout.width, ElementType::F32,
                  reinterpret_cast<float *>(to));
  else
    packTapValues(source, from, width, layout.width,
                  layout.value == PanelValue::F16 ? ElementType::F16
                                                  : ElementType::BF16,
                  reinterpret_cast<uint16_t *>(to));
}

void packTaps(const PanelSource &source, const uint8_t *data,
              const PanelLayout &layout, int64_t panel, uint8_t *to) {
  const int64_t first = panel * layout.width;
  const int64_t width = std::min<int64_t>(layout.width, source.columns - first);
  const int64_t size = recipe::elementSize(source.type);
  const int64_t stepBytes = layout.stepBytes();
  uint8_t *const panelStart = to;
  assert(width > 0 && "the panel has columns");
  const int64_t tapSteps = layout.rowSteps / source.joined;
  for (size_t t = 0; t < source.taps.size(); ++t) {
    const uint8_t *from =
        data + (source.taps[t] + first * source.columnStride) * size;
    switch (layout.format) {
    case StepFormat::F32:
      packFloats(source, from, width, layout, to);
      break;
    case StepFormat::Bf16:
      packTapPairs(source, from, width, layout.width,
                   reinterpret_cast<uint16_t *>(to));
      break;
    case StepFormat::Int8:
      packTapQuads(source, from, width, layout.width, to);
      if (source.type == ElementType::U8)
        flipSigns(source, width, layout.width, to);
      break;
    }
    to += tapSteps * stepBytes;
    // Steps of a row's tap are filled up to whole tiles.
    if (int64_t(t + 1) % source.joined != 0)
      continue;
    const int64_t filled = (layout.steps - layout.rowSteps) * stepBytes;
    std::memset(to, 0, size_t(filled));
    to += filled;
  }
  // Behind the panel's steps: zero points of the left side need them.
  if (layout.format == StepFormat::Int8)
    addColumns(panelStart, layout.stepsOfAll, layout.width, to);
  if (layout.joins)
    addJoins(panelStart, layout.stepsOfAll, layout.width,
             panelStart + layout.joinsOffset());
}

} // namespace

void packPanel(const PanelSource &source, const uint8_t *data,
               const PanelLayout &layout, int64_t panel, uint8_t *to) {
  if (!source.winograd)
    return packTaps(source, data, layout, panel, to);
  assert(layout.format == StepFormat::F32 && source.taps.size() == 9 &&
         layout.steps == layout.rowSteps && "a filter of 3 x 3 in f32");
  // In place: threads of the pool must not run out of memory.
  const int64_t count = layout.steps * layout.width;
  auto *const values = reinterpret_cast<float *>(to);
  packTaps(source, data, layout, panel,
           reinterpret_cast<uint8_t *>(values + 7 * count));
  transformFilters(count, values);
}

} // namespace gaudi::runtime
