// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a micro kernel with the portable one.
#include "AttentionKernel.h"
#include "MicroKernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace gaudi::runtime {
namespace {

/// Values near 1 of both signs, as f32 and as pairs of bf16 at once: each half
/// of a word has the exponent of a number in [0.5, 1). Sums of 23 products then
/// differ by rounding only, far below the tolerance, while a wrong lane, row or
/// step is off by about 0.5.
std::vector<uint32_t> someWords(size_t count, uint32_t seed) {
  std::vector<uint32_t> words(count);
  for (uint32_t &word : words) {
    seed = seed * 1664525u + 1013904223u;
    word = (seed & 0x807f807fu) | 0x3f003f00u;
  }
  return words;
}

std::vector<float> someFloats(size_t count, uint32_t seed) {
  const std::vector<uint32_t> words = someWords(count, seed);
  std::vector<float> values(count);
  std::memcpy(values.data(), words.data(), count * sizeof(float));
  return values;
}

/// True if the first `count` of `got` are near `wanted`; false for NaN.
bool near(const std::vector<float> &got, const std::vector<float> &wanted,
          size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!(std::fabs(got[i] - wanted[i]) <= 1e-4f))
      return false;
  return true;
}

// The reference is computed once, for all rows or positions: none depends on
// the others, so that every smaller count must give its first results.

/// A product of blocks: two panels with two taps of rows. What a panel is
/// filled up with is zero, what follows the steps of a row NaN.
struct BlockCase {
  static constexpr int64_t taps = 2, panels = 2;
  // One whole matrix tile and each loop of the kernels but that of pairs:
  // 16 + 4 + 1.
  static constexpr int64_t steps = 21, rowSteps = steps + 16;

  BlockCase(const MicroKernel &kernel, bool evenRows)
      : columns(kernel.columns),
        panelSteps((steps + kernel.stepGrain - 1) / kernel.stepGrain *
                   kernel.stepGrain),
        left(someWords(size_t(2 * maxBlockRows * taps * rowSteps), 1)),
        panel(someWords(size_t(panels * taps * panelSteps * columns), 2)) {
    for (int64_t s = 0; s < panels * taps * panelSteps; ++s)
      if (s % panelSteps >= steps)
        std::fill_n(&panel[size_t(s * columns)], columns, 0u);
    for (size_t i = 0; i < left.size(); ++i)
      if (int64_t(i) % rowSteps >= steps)
        left[i] = 0xffffffffu;
    // Rows apart from each other, or at places of their own.
    for (int64_t r = 0; r < maxBlockRows; ++r)
      places[r] = (evenRows ? r : r + r * r % 7 % 2 * maxBlockRows) * taps;
  }

  /// Rows [first, first + count) by `function`, in the same rows of `to`.
  void run(BlockFunction function, int first, int count, bool accumulate,
           std::vector<float> &to) const {
    const int64_t depths[taps] = {0, panelSteps};
    std::vector<const uint8_t *> rows;
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int r = first; r < first + count; ++r)
        rows.push_back(reinterpret_cast<const uint8_t *>(
            &left[size_t((places[r] + tap) * rowSteps)]));
    BlockCall call{};
    call.rows = rows.data();
    call.count = count;
    call.depths = depths;
    call.segments = taps;
    call.steps = steps;
    // A call that keeps widened values takes one panel.
    call.panels = kept ? 1 : panels;
    call.panelBytes = taps * panelSteps * columns * (narrow.empty() ? 4 : 2);
    call.panel = narrow.empty()
                     ? reinterpret_cast<const uint8_t *>(panel.data())
                     : reinterpret_cast<const uint8_t *>(narrow.data());
    float dropped[maxPanelColumns];
    call.kept = kept ? kept : dropped;
    // A stride of 0: what nobody wants overwrites one line, which stays in L1.
    call.keptStride = kept ? columns : 0;
    call.prefetch = call.panel;
    call.cStride = panels * columns;
    call.c = &to[size_t(first * panels * columns)];
    call.accumulate = accumulate;
    function(call);
  }

  const int64_t columns, panelSteps;
  std::vector<uint32_t> left, panel;
  std::vector<uint16_t> narrow; // read instead of `panel`, unless empty
  float *kept = nullptr;
  int64_t places[maxBlockRows];
};

bool blocksAgree(const MicroKernel &kernel, const MicroKernel &reference,
                 bool evenRows) {
  constexpr float before = 0.5f;
  const BlockCase blocks(kernel, evenRows);
  const size_t perRow = size_t(blocks.panels * kernel.columns);
  std::vector<float> wanted(size_t(kernel.rows) * perRow, before);
  for (int r = 0; r < kernel.rows; ++r)
    blocks.run(reference.functions[1], r, 1, true, wanted);
  for (int count = 1; count <= kernel.rows; ++count) {
    std::vector<float> got(wanted.size(), before);
    blocks.run(kernel.functions[count], 0, count, true, got);
    const size_t written = size_t(count) * perRow;
    if (!near(got, wanted, written) ||
        std::count(got.begin() + int64_t(written), got.end(), before) !=
            int64_t(got.size() - written))
      return false;
  }
  // Without the sums of earlier ranges.
  std::vector<float> got(wanted.size(), NAN);
  blocks.run(kernel.functions[kernel.rows], 0, kernel.rows, false, got);
  for (float &sum : wanted)
    sum -= before;
  return near(got, wanted, got.size());
}

/// 16-bit values in place of the words they become: the same bits.
bool wideningAgrees(const MicroKernel &kernel, const MicroKernel &reference,
                    PanelValue value) {
  BlockCase words(kernel, false);
  BlockCase halves = words;
  halves.narrow.assign(words.panel.begin(), words.panel.end()); // low halves
  const auto *bits = reinterpret_cast<const uint8_t *>(halves.narrow.data());
  const size_t count = words.panel.size();
  std::vector<float> wide(count), got(count);
  reference.widens(value).widen(bits, wide.data(), int64_t(count));
  kernel.widens(value).widen(bits, got.data(), int64_t(count));
  if (got != wide)
    return false;
  std::memcpy(words.panel.data(), wide.data(), count * sizeof(float));
  // All row counts: each is a function of its own.
  for (int rows = 1; rows <= kernel.rows; ++rows)
    for (const bool keeps : {false, true}) {
      std::vector<float> kept(wide.size(), NAN), sums, wanted;
      sums.assign(size_t(rows * words.panels * words.columns), 0.5f);
      wanted = sums;
      words.kept = halves.kept = keeps ? kept.data() : nullptr;
      words.run(kernel.functions[rows], 0, rows, true, wanted);
      halves.run(kernel.widens(value).blocks[rows], 0, rows, true, sums);
      if (sums != wanted)
        return false;
      // What panels are filled up with is not read.
      for (size_t i = 0; keeps && i < count / size_t(words.panels); ++i)
        if (int64_t(i) / words.columns % words.panelSteps < words.steps &&
            kept[i] != wide[i])
          return false;
    }
  return true;
}

bool thinAgrees(ThinFunction function, ThinFunction reference) {
  // Columns: two vectors, one, and a part of one, of 16, 8 and 4 lanes. Three
  // rows and one.
  constexpr int most = 4;
  constexpr int64_t depth = 21, columns = 63;
  const std::vector<float> left = someFloats(most * depth, 3);
  const std::vector<float> right = someFloats(depth * columns, 4);
  const std::vector<float> before(most * columns, 0.5f);
  for (const bool columnsApart : {false, true}) {
    const float *rows[most];
    float *results[most];
    auto run = [&](ThinFunction run, int count, std::vector<float> &to) {
      for (int r = 0; r < most; ++r) {
        rows[r] = &left[size_t(r * depth)];
        results[r] = &to[size_t(r * columns)];
      }
      run({rows, count, right.data(), columnsApart ? 1 : columns,
           columnsApart ? depth : 1, depth, columns, results});
    };
    std::vector<float> wanted = before;
    run(reference, most, wanted);
    // Fewer rows must not write beyond their own: the others keep 0.5.
    for (int count = 1; count <= most; ++count) {
      std::vector<float> got = before;
      run(function, count, got);
      if (!near(got, wanted, size_t(count * columns)))
        return false;
    }
  }
  return true;
}

bool depthAgrees(DepthFunction function, DepthFunction reference, int group) {
  // The last vector of channels overlaps the one before.
  const int64_t channels = 59 / group * group, lines = 2, taps = 3;
  const std::vector<float> x =
      someFloats(lines * (depthPositions + taps) * channels, 5);
  const std::vector<float> weights =
      someFloats(lines * taps * group * channels, 6);
  const std::vector<float> before(depthPositions * channels, 0.5f);
  std::vector<const float *> xLines(lines), weightLines(lines);
  for (int64_t l = 0; l < lines; ++l) {
    xLines[size_t(l)] = &x[size_t(l * (depthPositions + taps) * channels)];
    weightLines[size_t(l)] = &weights[size_t(l * taps * group * channels)];
  }
  auto run = [&](DepthFunction run, int count, std::vector<float> &to) {
    run({xLines.data(), weightLines.data(), lines, taps, channels, channels,
         group, channels, count, channels, channels, to.data()});
  };
  // Only the largest count runs in the reference; fewer positions are a prefix.
  std::vector<float> wanted = before;
  run(reference, depthPositions, wanted);
  for (int count = 1; count <= depthPositions; ++count) {
    std::vector<float> got = before;
    run(function, count, got);
    if (!near(got, wanted, size_t(count * channels)))
      return false;
  }
  return true;
}

bool depthsAgree(const MicroKernel &kernel, const MicroKernel &reference) {
  for (int group : {1, 2, 4, 8})
    if (group <= kernel.lanes &&
        !depthAgrees(kernel.depth, reference.depth, group))
      return false;
  return true;
}

bool winogradAgrees(const WinogradFunctions *functions,
                    const WinogradFunctions *reference) {
  constexpr int64_t channels = 59;
  const std::vector<float> from = someFloats(16 * channels, 9);
  const float *lines[16];
  for (int64_t i = 0; i < 16; ++i)
    lines[i] = &from[size_t(i * channels)];
  auto inputs = [&](const WinogradFunctions &f) {
    std::vector<float> to(16 * channels);
    f.inputs(lines, to.data(), channels, channels);
    return to;
  };
  auto outputs = [&](const WinogradFunctions &f) {
    std::vector<float> to(4 * channels);
    float *const y[] = {to.data(), to.data() + channels,
                        to.data() + 2 * channels, to.data() + 3 * channels};
    const bool finite = f.outputs(from.data(), channels, y, channels);
    return finite ? to : std::vector<float>();
  };
  // Additions only, in the same order.
  return inputs(*functions) == inputs(*reference) &&
         outputs(*functions) == outputs(*reference);
}

/// Rows of every function: vectors and a part of one, with and without what is
/// optional. Exponentials differ in their last bits where hosts fuse
/// multiplications and additions.
bool rowsAgree(const AttentionFunctions *functions,
               const AttentionFunctions *reference) {
  constexpr int64_t count = 59, padded = 64 + rowLanes;
  const std::vector<float> a = someFloats(padded, 7), b = someFloats(padded, 8);
  std::vector<float> hide(padded);
  for (size_t i = 0; i < hide.size(); i += 3)
    hide[i] = 1;
  auto both = [&](auto run) {
    std::vector<float> got = a, wanted = a;
    const float result = run(*functions, got.data()),
                expected = run(*reference, wanted.data());
    return std::fabs(result - expected) <= 1e-4f && near(got, wanted, count);
  };
  auto scored = [&](const float *bias, const float *hidden) {
    return both([&](const AttentionFunctions &f, float *row) {
      return f.score({row, count, 1.5f, bias, hidden, -0.25f});
    });
  };
  auto kept = [&](uint64_t first) {
    return both([&](const AttentionFunctions &f, float *row) {
      f.keep({17, first, count, 0x60000000u, 1.25f, row});
      return 0.0f;
    });
  };
  auto changed = [&](auto change) {
    return both([&](const AttentionFunctions &f, float *row) {
      change(f, row);
      // Reductions are compared as well, so that their tails are tested.
      return f.dot(row, b.data(), count) + f.largest(row, count);
    });
  };
  // The second counter carries into its high half.
  return scored(nullptr, nullptr) && scored(b.data(), nullptr) &&
         scored(nullptr, hide.data()) && scored(b.data(), hide.data()) &&
         both([&](const AttentionFunctions &f, float *row) {
           f.fromBf16(reinterpret_cast<const uint16_t *>(b.data()), row, count);
           return 0.0f;
         }) &&
         kept(3) && kept((uint64_t(1) << 34) - 10) &&
         both([&](const AttentionFunctions &f, float *row) {
           return f.exponential(row, count, 0.75f, 1, 0.5f);
         }) &&
         changed([&](const AttentionFunctions &f, float *row) {
           f.scale(row, count, 0.5f);
         }) &&
         changed([&](const AttentionFunctions &f, float *row) {
           f.multiply(row, b.data(), count);
         }) &&
         changed([&](const AttentionFunctions &f, float *row) {
           f.accumulate(row, 0.5f, b.data(), count);
         }) &&
         changed([&](const AttentionFunctions &f, float *row) {
           f.softmaxGrad(row, b.data(), 0.5f, count);
         });
}

/// Rows with some columns each: none, parts of vectors, and groups of vectors.
/// The others are read as zeros.
bool scoreBlocksAgree(const AttentionFunctions *functions,
                      const AttentionFunctions *reference) {
  constexpr int64_t rows = 4, pitch = 176, begin = 2, end = 156;
  const ScoreBlock::Span spans[rows] = {{2, 156}, {20, 91}, {40, 40}, {7, 120}};
  const std::vector<float> sums = someFloats(rows * pitch, 7);
  /// Maxima, sums and exponentials.
  auto run = [&](const AttentionFunctions &f, bool narrows) {
    std::vector<float> own = sums, maxima(rows), totals(rows);
    std::vector<uint16_t> narrow(rows * pitch);
    const ScoreBlock block = {own.data(),
                              pitch,
                              spans,
                              rows,
                              begin,
                              end,
                              narrows ? narrow.data() : nullptr,
                              pitch};
    f.blockScore(block, 0.75f, maxima.data());
    f.blockExponential(block, 0.75f, maxima.data(), totals.data());
    // The maximum of no columns is -infinity, which has no difference.
    maxima[2] = maxima[2] < -1e30f ? 0.0f : 1e30f;
    std::vector<float> all = maxima;
    all.insert(all.end(), totals.begin(), totals.end());
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = begin; i < end; ++i) {
        const size_t at = size_t(r * pitch + i);
        const uint32_t bits = uint32_t(narrow[at]) << 16;
        float value = own[at];
        if (narrows)
          std::memcpy(&value, &bits, sizeof(value));
        // The last bits of f32 decide to which bf16 a value is rounded.
        all.push_back(narrows ? value * 0x1p-7f : value);
      }
    return all;
  };
  for (const bool narrows : {false, true}) {
    const std::vector<float> got = run(*functions, narrows);
    if (!near(got, run(*reference, narrows), got.size()))
      return false;
  }
  return true;
}

/// Blocks of two taps and two panels, added to what was there: exactly. Bytes
/// of all values, and runs of the largest ones, whose pairs of products do not
/// fit 16 bits.
bool integersAgree(const MicroKernel &kernel,
                   const SignedRowFunctions *signedRows) {
  constexpr int64_t taps = 2, panels = 2;
  // Every loop of the kernel, or whole grains.
  const int64_t steps = 21, grains = (steps + kernel.stepGrain - 1) /
                                     kernel.stepGrain * kernel.stepGrain;
  const int64_t width = kernel.columns, rowBytes = steps * 4;
  const int64_t panelBytes = taps * grains * width * 4;
  auto bytes = [](int64_t count, uint32_t seed, uint8_t largest) {
    std::vector<uint8_t> values(static_cast<size_t>(count));
    for (uint8_t &value : values) {
      seed = seed * 1664525u + 1013904223u;
      // A quarter of the values are the largest: their products overflow 16
      // bits when pairs are added.
      value = seed >> 30 == 0 ? largest : uint8_t(seed >> 16);
    }
    return values;
  };
  auto valueOf = [&](uint8_t byte) {
    return signedRows ? int8_t(byte) + signedRows->added : int32_t(byte);
  };
  const std::vector<uint8_t> left =
      bytes(taps * kernel.rows * rowBytes, 1, signedRows ? 127 : 255);
  std::vector<uint8_t> right = bytes(panels * panelBytes, 2, 128);
  for (int64_t p = 0; p < panels * taps; ++p) // what is filled up
    std::fill(right.begin() + (p * grains + steps) * width * 4,
              right.begin() + (p + 1) * grains * width * 4, uint8_t(0));
  const int64_t depths[taps] = {0, grains};
  const int64_t stride = panels * width + 3;
  // Near the end of int32: sums must wrap, not saturate.
  std::vector<uint32_t> before(size_t(kernel.rows * stride), 0x7fffff00u);
  for (size_t i = 0; i < before.size(); ++i)
    before[i] += uint32_t(i) % uint32_t(stride);
  for (int count = 1; count <= kernel.rows; ++count) {
    std::vector<const uint8_t *> rows;
    for (int64_t r = 0; r < taps * count; ++r)
      rows.push_back(&left[size_t(r * rowBytes)]);
    std::vector<uint32_t> wanted = before, got = before;
    // The definition, on bytes in the panel's order.
    for (int64_t r = 0; r < count; ++r)
      for (int64_t n = 0; n < panels * width; ++n)
        for (int64_t tap = 0; tap < taps; ++tap)
          for (int64_t k = 0; k < rowBytes; ++k)
            wanted[size_t(r * stride + n)] +=
                uint32_t(valueOf(rows[size_t(tap * count + r)][k]) *
                         int32_t(int8_t(right[size_t(
                             n / width * panelBytes +
                             ((tap * grains + k / 4) * width + n % width) * 4 +
                             k % 4)])));
    BlockCall call{};
    call.rows = rows.data();
    call.depths = depths;
    call.segments = taps;
    call.panels = panels;
    call.panelBytes = panelBytes;
    call.steps = steps;
    call.panel = call.prefetch = right.data();
    call.cStride = stride;
    call.accumulate = true;
    call.c = reinterpret_cast<float *>(got.data());
    call.count = count;
    const BlockFunction function =
        (signedRows ? signedRows->blocks : kernel.functions)[count];
    function(call);
    if (got != wanted)
      return false;
    // The same start for all rows, from elsewhere.
    got = before;
    for (int r = 0; r < count; ++r)
      std::fill_n(got.begin() + r * stride, panels * width, 1u);
    call.start = reinterpret_cast<const float *>(before.data());
    function(call);
    if (got != wanted)
      return false;
  }
  return true;
}

bool integersAgree(const MicroKernel &kernel) {
  return integersAgree(kernel, nullptr) &&
         (!kernel.signedRows || integersAgree(kernel, kernel.signedRows));
}

/// Every bit: both signs of ties, zero, the largest number, which becomes
/// infinite, infinity, NaN and subnormal numbers, alone among others. Nothing
/// between rows changes.
bool roundsAgree(RoundFunction function, RoundFunction reference) {
  constexpr uint32_t special[] = {0x3f808000u, 0xbf818000u, 0x80000000u,
                                  0x7f7fffffu, 0xff800000u, 0x7fc12345u,
                                  0xff800001u, 0x807fffffu, 0x00008001u};
  constexpr int64_t columns = 64 + 32 + 16 + 5, rows = 3, fromStride = 131,
                    toStride = 119;
  for (const uint32_t value : special) {
    std::vector<float> from = someFloats(rows * fromStride, 9);
    std::memcpy(&from[fromStride + value % columns], &value, sizeof(value));
    std::vector<uint16_t> got(rows * toStride), wanted(rows * toStride);
    function(from.data(), fromStride, got.data(), toStride, rows, columns);
    reference(from.data(), fromStride, wanted.data(), toStride, rows, columns);
    if (got != wanted)
      return false;
  }
  return true;
}

/// A kernel and the portable one, compared by functions that both have.
struct Comparison {
  const MicroKernel &kernel, &portable;
  const MicroKernel *before; // whose functions were compared, or null

  /// True if `agree` says so of what `member` points to, or if the kernel has
  /// nothing there, or nothing new.
  template <typename Pointer, typename Agree>
  bool of(Pointer MicroKernel::*member, Agree agree) const {
    const Pointer own = kernel.*member;
    return !own || (before && before->*member == own) ||
           agree(own, portable.*member);
  }
};

bool functionsAgree(const Comparison &compare) {
  return compare.of(&MicroKernel::thin, thinAgrees) &&
         compare.of(&MicroKernel::depth,
                    [&](auto, auto) {
                      return depthsAgree(compare.kernel, compare.portable);
                    }) &&
         compare.of(&MicroKernel::attention,
                    [&](auto, const AttentionFunctions *reference) {
                      const auto *own = rowFunctions(compare.kernel);
                      return rowsAgree(own, reference) &&
                             scoreBlocksAgree(own, reference);
                    }) &&
         compare.of(&MicroKernel::winograd, winogradAgrees) &&
         compare.of(&MicroKernel::roundRows, roundsAgree) &&
         compare.of(&MicroKernel::widening, [&](auto, auto) {
           return wideningAgrees(compare.kernel, compare.portable,
                                 PanelValue::Bf16) &&
                  wideningAgrees(compare.kernel, compare.portable,
                                 PanelValue::F16);
         });
}

bool allAgree(const MicroKernel &kernel) {
  if (kernel.format == StepFormat::Int8)
    return integersAgree(kernel) &&
           (!kernel.half || integersAgree(*kernel.half));
  const MicroKernel &portable =
      *portableKernel(kernel.format == StepFormat::Bf16);
  const MicroKernel *before = nullptr;
  for (const MicroKernel *each = &kernel; each;
       before = each, each = each->half) {
    if (!functionsAgree({*each, portable, before}))
      return false;
    const MicroKernel *reference = &portable;
    while (reference && reference->columns != each->columns)
      reference = reference->half;
    // No portable tile is as wide: tests of products compare such blocks.
    if (!reference)
      continue;
    // Only tiles are loaded in another way from rows that are evenly spaced.
    if (!blocksAgree(*each, *reference, false) ||
        (each->stepGrain > 1 && !blocksAgree(*each, *reference, true)))
      return false;
  }
  return true;
}

} // namespace

bool agrees(const MicroKernel &kernel) {
  const bool result = allAgree(kernel);
  if (kernel.finish)
    kernel.finish();
  return result;
}

} // namespace gaudi::runtime
