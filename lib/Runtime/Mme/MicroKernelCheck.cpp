// Compares a micro kernel with the portable one.
#include "AttentionKernel.h"
#include "MicroKernel.h"

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

bool blocksAgree(const MicroKernel &kernel, const MicroKernel &reference) {
  constexpr int64_t steps =
      21; // 16 + 4 + 1: every loop of the kernel but pairs
  const std::vector<uint32_t> left = someWords(size_t(kernel.rows) * steps, 1);
  const std::vector<uint32_t> panel =
      someWords(size_t(kernel.columns) * steps, 2);
  const int64_t depth = 0;
  std::vector<const uint8_t *> rows;
  for (int r = 0; r < kernel.rows; ++r)
    rows.push_back(reinterpret_cast<const uint8_t *>(&left[size_t(r) * steps]));
  const std::vector<float> before(size_t(kernel.rows * kernel.columns), 0.5f);
  std::vector<float> wanted = before;
  BlockCall call{};
  call.rows = rows.data();
  call.depths = &depth;
  call.segments = call.panels = 1;
  call.steps = steps;
  call.panel = reinterpret_cast<const uint8_t *>(panel.data());
  call.cStride = kernel.columns;
  call.accumulate = true;
  call.c = wanted.data();
  call.count = kernel.rows;
  reference.functions[kernel.rows](call);
  for (int count = 1; count <= kernel.rows; ++count) {
    std::vector<float> got = before;
    call.c = got.data();
    call.count = count;
    kernel.functions[count](call);
    if (!near(got, wanted, size_t(count) * size_t(kernel.columns)))
      return false;
  }
  return true;
}

bool thinAgrees(ThinFunction function, ThinFunction reference) {
  // Columns: two vectors, one, and a part of one, of 16 lanes and of 8. Three
  // rows and one.
  constexpr int most = 4;
  constexpr int64_t depth = 21, columns = 59;
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
    for (int count = 1; count <= most; ++count) {
      std::vector<float> got = before;
      run(function, count, got);
      if (!near(got, wanted, size_t(count * columns)))
        return false;
    }
  }
  return true;
}

bool depthAgrees(DepthFunction function, DepthFunction reference) {
  constexpr int64_t channels = 59, lines = 2, taps = 3;
  const std::vector<float> x =
      someFloats(lines * (depthPositions + taps) * channels, 5);
  const std::vector<float> weights = someFloats(lines * taps * channels, 6);
  const std::vector<float> before(depthPositions * channels, 0.5f);
  const float *xLines[lines], *weightLines[lines];
  for (int64_t l = 0; l < lines; ++l) {
    xLines[l] = &x[size_t(l * (depthPositions + taps) * channels)];
    weightLines[l] = &weights[size_t(l * taps * channels)];
  }
  auto run = [&](DepthFunction run, int count, std::vector<float> &to) {
    run({xLines, weightLines, lines, taps, channels, channels, channels, count,
         channels, channels, to.data()});
  };
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

/// Rows of every function: vectors and a part of one, with and without what is
/// optional. Exponentials differ in their last bits where hosts fuse
/// multiplications and additions.
bool rowsAgree(const AttentionFunctions &functions,
               const AttentionFunctions &reference) {
  constexpr int64_t count = 59, padded = 64 + rowLanes;
  const std::vector<float> a = someFloats(padded, 7), b = someFloats(padded, 8);
  std::vector<float> hide(padded);
  for (size_t i = 0; i < hide.size(); i += 3)
    hide[i] = 1;
  auto both = [&](auto run) {
    std::vector<float> got = a, wanted = a;
    const float result = run(functions, got.data()),
                expected = run(reference, wanted.data());
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
           return f.exponential(row, count, 1, 0.5f);
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

} // namespace

bool agrees(const MicroKernel &kernel) {
  const MicroKernel &portable =
      *portableKernel(kernel.format == StepFormat::Bf16);
  // The kernel and its half; functions that both have are compared once.
  const MicroKernel *before = nullptr;
  for (const MicroKernel *each = &kernel; each;
       before = each, each = each->half) {
    if (each->thin && !(before && each->thin == before->thin) &&
        !thinAgrees(each->thin, portable.thin))
      return false;
    if (each->depth && !(before && each->depth == before->depth) &&
        !depthAgrees(each->depth, portable.depth))
      return false;
    if (each->attention && !(before && each->attention == before->attention) &&
        !rowsAgree(*each->attention, *portable.attention))
      return false;
    const MicroKernel *reference = &portable;
    while (reference && reference->columns != each->columns)
      reference = reference->half;
    if (!reference || each->rows > reference->rows ||
        !blocksAgree(*each, *reference))
      return false;
  }
  return true;
}

} // namespace gaudi::runtime
