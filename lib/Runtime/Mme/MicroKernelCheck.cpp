// Compares a micro kernel with the portable one.
#include "MicroKernel.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace gaudi::runtime {
namespace {

/// Values of f32 and of pairs of bf16 near 1, both signs.
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

bool near(const std::vector<float> &got, const std::vector<float> &wanted) {
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - wanted[i]) <= 1e-4f))
      return false;
  return true;
}

bool tilesAgree(const MicroKernel &kernel, const MicroKernel &reference) {
  constexpr int64_t steps = 37;
  const std::vector<uint32_t> left = someWords(size_t(kernel.rows) * steps, 1);
  const std::vector<uint32_t> panel =
      someWords(size_t(kernel.columns) * steps, 2);
  const int64_t depth = 0;
  for (int rows = 1; rows <= kernel.rows; ++rows) {
    std::vector<const uint8_t *> pointers;
    for (int r = 0; r < rows; ++r)
      pointers.push_back(
          reinterpret_cast<const uint8_t *>(&left[size_t(r) * steps]));
    std::vector<float> got(size_t(rows * kernel.columns), 0.5f), wanted = got;
    TileCall call{};
    call.rows = pointers.data();
    call.depths = &depth;
    call.segments = call.panels = 1;
    call.steps = steps;
    call.panel = reinterpret_cast<const uint8_t *>(panel.data());
    call.cStride = kernel.columns;
    call.accumulate = true;
    call.c = got.data();
    kernel.functions[rows](call);
    call.c = wanted.data();
    reference.functions[rows](call);
    if (!near(got, wanted))
      return false;
  }
  return true;
}

bool thinAgrees(ThinFunction function, ThinFunction reference) {
  // Two vectors, one, and a part of one, of 16 lanes and of 8.
  constexpr int most = 4;
  constexpr int64_t depth = 37, columns = 59;
  const std::vector<float> left = someFloats(most * depth, 3);
  const std::vector<float> right = someFloats(depth * columns, 4);
  for (int count = 1; count <= most; ++count)
    for (const bool columnsApart : {false, true}) {
      std::vector<float> got(most * columns, 0.5f), wanted = got;
      const float *rows[most];
      float *gotRows[most], *wantedRows[most];
      for (int r = 0; r < count; ++r) {
        rows[r] = &left[size_t(r * depth)];
        gotRows[r] = &got[size_t(r * columns)];
        wantedRows[r] = &wanted[size_t(r * columns)];
      }
      ThinCall call{rows,
                    count,
                    right.data(),
                    columnsApart ? 1 : columns,
                    columnsApart ? depth : 1,
                    depth,
                    columns,
                    gotRows};
      function(call);
      call.c = wantedRows;
      reference(call);
      if (!near(got, wanted))
        return false;
    }
  return true;
}

bool depthAgrees(DepthFunction function, DepthFunction reference) {
  constexpr int64_t channels = 59, lines = 2, taps = 3;
  const std::vector<float> x =
      someFloats(lines * (depthPositions + taps) * channels, 5);
  const std::vector<float> weights = someFloats(lines * taps * channels, 6);
  const float *xLines[lines], *weightLines[lines];
  for (int64_t l = 0; l < lines; ++l) {
    xLines[l] = &x[size_t(l * (depthPositions + taps) * channels)];
    weightLines[l] = &weights[size_t(l * taps * channels)];
  }
  for (int count = 1; count <= depthPositions; ++count) {
    std::vector<float> got(depthPositions * channels, 0.5f), wanted = got;
    DepthCall call{xLines,   weightLines, lines,     taps,
                   channels, channels,    channels,  count,
                   channels, channels,    got.data()};
    function(call);
    call.y = wanted.data();
    reference(call);
    if (!near(got, wanted))
      return false;
  }
  return true;
}

} // namespace

bool agrees(const MicroKernel &kernel) {
  const MicroKernel *reference = portableKernel(kernel.pairs);
  if (kernel.thin && !thinAgrees(kernel.thin, reference->thin))
    return false;
  if (kernel.depth && !depthAgrees(kernel.depth, reference->depth))
    return false;
  if (kernel.half && !agrees(*kernel.half))
    return false;
  while (reference && reference->columns != kernel.columns)
    reference = reference->half;
  // Other tiles are those of hosts that every test runs on.
  return !reference || tilesAgree(kernel, *reference);
}

} // namespace gaudi::runtime
