// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest weights of a filter by tap and output channel.
#include "WinogradFilter.h"

#include "../../Commands/Copy.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// A tap's largest weight is at least this share of the channel's.
constexpr float leastShare = 1.0f / 64;
/// Halves and quarters of 2^-126 lose bits: far more than a rounding of the
/// channel's largest weight only if that is not far above.
constexpr float leastWeight = 0x1p-100f;
/// Weights that a thread reads at once.
constexpr int64_t grainWeights = 64 << 10;

/// Magnitudes as integers: ordered like the numbers, NaN above all, and faster
/// to compare.
uint32_t magnitude(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits & 0x7fffffff;
}

float valueOf(uint32_t magnitude) {
  float value;
  std::memcpy(&value, &magnitude, sizeof(value));
  return value;
}

/// The largest weights of some output channels, one per tap and channel.
class LargestWeights {
public:
  LargestWeights(const PanelSource &filter, int64_t begin, int64_t end)
      : filter(filter), begin(begin), columns(end - begin),
        largest(filter.taps.size() * size_t(columns), 0),
        line(size_t(std::max(filter.depth, columns))) {
    for (size_t tap = 0; tap < filter.taps.size(); ++tap)
      if (filter.columnStride < filter.depthStride)
        readAcross(filter.taps[tap], &largest[tap * size_t(columns)]);
      else
        readAlong(filter.taps[tap], &largest[tap * size_t(columns)]);
  }

  bool suit() const {
    for (int64_t c = 0; c < columns; ++c) {
      uint32_t least = ~uint32_t(0), most = 0;
      for (size_t tap = 0; tap < filter.taps.size(); ++tap) {
        const uint32_t weight = largest[tap * size_t(columns) + size_t(c)];
        least = std::min(least, weight);
        most = std::max(most, weight);
      }
      const float weight = valueOf(most);
      if (most != 0 && !(std::isfinite(weight) && weight >= leastWeight &&
                         valueOf(least) >= weight * leastShare))
        return false;
    }
    return true;
  }

private:
  void read(int64_t element, int64_t stride, int64_t count) {
    convertRow(filter.type,
               filter.data + element * recipe::elementSize(filter.type), stride,
               ElementType::F32, reinterpret_cast<uint8_t *>(line.data()), 1,
               count);
  }

  /// Lines of neighbouring output channels.
  void readAcross(int64_t tap, uint32_t *to) {
    for (int64_t k = 0; k < filter.depth; ++k) {
      read(tap + k * filter.depthStride + begin * filter.columnStride,
           filter.columnStride, columns);
      for (int64_t c = 0; c < columns; ++c)
        to[c] = std::max(to[c], magnitude(line[size_t(c)]));
    }
  }
  /// Lines of an output channel.
  void readAlong(int64_t tap, uint32_t *to) {
    for (int64_t c = 0; c < columns; ++c) {
      read(tap + (begin + c) * filter.columnStride, filter.depthStride,
           filter.depth);
      uint32_t most = 0;
      for (int64_t k = 0; k < filter.depth; ++k)
        most = std::max(most, magnitude(line[size_t(k)]));
      to[c] = most;
    }
  }

  const PanelSource &filter;
  const int64_t begin, columns;
  std::vector<uint32_t> largest;
  std::vector<float> line;
};

} // namespace

bool suitsWinograd(const PanelSource &filter, ThreadPool &pool) {
  const int64_t perColumn = filter.depth * int64_t(filter.taps.size());
  std::atomic<bool> suits{true};
  pool.parallelFor(filter.columns,
                   std::max<int64_t>(grainWeights / perColumn, 16),
                   [&](int64_t begin, int64_t end, unsigned) {
                     if (suits && !LargestWeights(filter, begin, end).suit())
                       suits = false;
                   });
  return suits;
}

} // namespace gaudi::runtime
