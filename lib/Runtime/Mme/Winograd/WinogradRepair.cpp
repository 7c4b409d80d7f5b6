// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of inputs and sums turn infinities into NaN and overflow where the
// definition does not: such outputs are computed again, one by one.
#include "WinogradRepair.h"

#include "../../Commands/Copy.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cmath>
#include <optional>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Calls `visit(input, weight)` for each input that an output sees, with the
/// element of its weight in channel 0, until that returns false.
template <typename Visit>
void forEachInput(const WinogradOperands &conv, const OutputPlace &at,
                  Visit visit) {
  const Axes &x = conv.x, &w = conv.w;
  for (int64_t h = 0; h < 3; ++h)
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t row = at.h + h - conv.low[1];
      const int64_t column = at.w + i - conv.low[2];
      if (row < 0 || row >= x.size[1] || column < 0 || column >= x.size[2])
        continue;
      const float *from = conv.xData + at.n * x.batchStride +
                          row * x.stride[1] + column * x.stride[2];
      const int64_t tap = h * w.stride[1] + i * w.stride[2];
      for (int64_t k = 0; k < x.channels; ++k)
        if (!visit(from[k], tap + k * w.channelStride))
          return;
    }
}

/// Some inputs of an output that are infinite or NaN.
struct Special {
  static constexpr int64_t most = 64;
  int64_t count = 0;
  float inputs[most];
  int64_t weights[most];
};

Special specialInputs(const WinogradOperands &conv, const OutputPlace &at) {
  Special special;
  forEachInput(conv, at, [&](float input, int64_t weight) {
    if (!std::isfinite(input)) {
      special.inputs[special.count] = input;
      special.weights[special.count++] = weight;
    }
    return special.count < Special::most;
  });
  return special;
}

float weightAt(const BoundTensor &filter, int64_t element) {
  if (filter.type == ElementType::F32)
    return reinterpret_cast<const float *>(filter.data)[element];
  float value = 0;
  convertRow(filter.type,
             filter.data + element * recipe::elementSize(filter.type), 1,
             ElementType::F32, reinterpret_cast<uint8_t *>(&value), 1, 1);
  return value;
}

float sumOf(const WinogradOperands &conv, const OutputPlace &at,
            const Special &special, int64_t channel) {
  const int64_t column = channel * conv.w.batchStride;
  float sum = 0;
  auto add = [&](float input, int64_t weight) {
    sum = float(double(sum) +
                double(input) * double(weightAt(conv.filter, column + weight)));
    return !std::isnan(sum); // for good
  };
  // Weights are finite, and finite terms do not change what is infinite.
  for (int64_t i = 0; i < special.count; ++i)
    if (!add(special.inputs[i], special.weights[i]))
      return sum;
  if (special.count == 0 || special.count == Special::most) {
    sum = 0;
    forEachInput(conv, at, add);
  }
  return sum;
}

} // namespace

// A window of many infinities has outputs that are NaN after a few terms of
// different signs: those come first.
void repairOutputs(const WinogradOperands &conv, const OutputPlace &at,
                   int64_t first, int64_t count, float *to) {
  std::optional<Special> special;
  for (int64_t c = 0; c < count; ++c) {
    if (std::isfinite(to[c]))
      continue;
    if (!special)
      special = specialInputs(conv, at);
    to[c] = sumOf(conv, at, *special, first + c);
  }
}

} // namespace gaudi::runtime
