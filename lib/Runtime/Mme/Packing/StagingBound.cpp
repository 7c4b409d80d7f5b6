// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upper bounds of the staging memory that matrix commands take.
#include "StagingBound.h"

#include "../Kernels/MicroKernel.h"

#include "Gaudi/Recipe/Convolution.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <string_view>

namespace gaudi::runtime {
namespace {

/// Whole panels, of the widest kernel, or whole grains of steps: on tiles, 16
/// pairs.
uint64_t filled(int64_t count) {
  static_assert(maxPanelColumns % 32 == 0);
  return uint64_t((count + maxPanelColumns - 1) / maxPanelColumns *
                  maxPanelColumns);
}

uint64_t elements(const Layout &layout) {
  uint64_t count = 1;
  for (int64_t size : layout.sizes)
    count = times(count, uint64_t(size));
  return count;
}

} // namespace

uint64_t gemmStaging(const recipe::Command &, const BoundTensors &operands) {
  // The engine may pack either operand, transposed or not: both matrix
  // dimensions of each are counted in whole panels.
  uint64_t total = 0;
  for (const BoundTensor &operand : operands) {
    const std::vector<int64_t> &sizes = operand.layout.sizes;
    uint64_t count = 1;
    for (size_t d = 0; d < sizes.size(); ++d)
      count = times(count, d + 2 < sizes.size() ? uint64_t(sizes[d])
                                                : filled(sizes[d]));
    total = plus(total, count);
  }
  return total;
}

/// Packed weights, and one of: the padded input, the input packed by positions,
/// the whole scatter of a transposed convolution.
uint64_t convStaging(const recipe::Command &command,
                     const BoundTensors &operands) {
  const recipe::Conv &conv = *command.body_as_Conv();
  const std::string_view layouts[] = {recipe::text(conv.input_layout()),
                                      recipe::text(conv.filter_layout()),
                                      recipe::text(conv.output_layout())};
  auto size = [&](unsigned operand, char letter) {
    return operands[operand].layout.sizes[layouts[operand].find(letter)];
  };
  const int64_t groups = std::max<int64_t>(conv.groups(), 1);
  // Weights: input channels by output channels, both filled up per group.
  uint64_t packed = times(filled(size(2, 'C') / groups) * uint64_t(groups),
                          filled(size(0, 'C') / groups) + 1);
  const bool transposed = conv.transposed();
  bool oneTap = true;
  // The input (or the whole scatter) with padding.
  uint64_t spread =
      times(uint64_t(size(0, 'N')), uint64_t(size(transposed ? 2 : 0, 'C')));
  const size_t rank = layouts[0].size() - 2;
  const std::string_view spatial = std::string_view("DHW").substr(3 - rank);
  auto reach = [](int64_t count, int64_t step) {
    return times(uint64_t(std::max<int64_t>(count - 1, 0)), uint64_t(step));
  };
  auto padding = [](int64_t pad) {
    return uint64_t(std::max<int64_t>(pad, 0));
  };
  for (unsigned d = 0; d < rank; ++d) {
    const int64_t in = size(0, spatial[d]), k = size(1, spatial[d]);
    packed = times(packed, uint64_t(k));
    oneTap &= k == 1;
    // A scatter reaches (in - 1) * stride + (k - 1) * dilation + 1.
    const uint64_t extent =
        transposed ? plus(plus(reach(in, conv.strides()->Get(d)),
                               reach(k, conv.dilations()->Get(d))),
                          1)
                   : plus(plus(uint64_t(in), padding(conv.pad_low()->Get(d))),
                          padding(conv.pad_high()->Get(d)));
    spread = times(spread, extent);
  }
  // Groups may be filled up to eight channels on both sides.
  uint64_t groupsFilled = 0;
  if (groups > 1)
    groupsFilled = plus(times(8, plus(elements(operands[0].layout),
                                      elements(operands[2].layout))),
                        times(64, elements(operands[1].layout)));
  // A filter of one tap may be the left side: then positions are packed, and
  // their steps and panels are filled up to at most four times as many.
  return plus(std::max(packed, groupsFilled), times(spread, oneTap ? 4 : 1));
}

/// Panels of either operand, and one of: the input by positions, in lines for
/// each tap with room for the padding; the input for each output of a group,
/// and partial sums.
uint64_t weightGradStaging(const recipe::Command &command,
                           const BoundTensors &operands) {
  const recipe::Convolution conv = *recipe::convolutionOf(command);
  const std::string_view layouts[] = {recipe::text(conv.inputLayout),
                                      recipe::text(conv.outputLayout),
                                      recipe::text(conv.filterLayout)};
  auto size = [&](unsigned operand, char letter) {
    return operands[operand].layout.sizes[layouts[operand].find(letter)];
  };
  const int64_t groups = std::max<int64_t>(conv.groups, 1);
  uint64_t panels = 0, lines = 0;
  for (unsigned operand : {1, 0}) {
    lines = elements(operands[operand].layout) /
            uint64_t(std::max<int64_t>(size(operand, 'W'), 1));
    const int64_t channels = size(operand, 'C');
    panels = plus(panels,
                  times(times(lines / uint64_t(std::max<int64_t>(channels, 1)),
                              filled(size(operand, 'W'))),
                        times(filled(channels / groups), uint64_t(groups))));
  }
  // Lines of the input, and whole cache lines for each channel and tap.
  const uint64_t taps = uint64_t(size(2, 'W'));
  const uint64_t byPositions =
      plus(times(times(lines, taps),
                 uint64_t(size(0, 'W')) + 2 * uint64_t(size(1, 'W'))),
           times(uint64_t(size(0, 'C')), times(taps, 32)));
  const uint64_t byOutputs =
      plus(times(elements(operands[0].layout), uint64_t(size(1, 'C') / groups)),
           times(elements(operands[2].layout), mostGradParts));
  return plus(panels, std::max(byPositions, byOutputs));
}

uint64_t stagingBytes(const BoundTensors &operands, uint64_t packed) {
  // Each of a few allocations is rounded up to a cache line.
  constexpr uint64_t slack = 64;
  uint64_t total =
      plus(times(packed, sizeof(float)), times(slack, 2 + operands.size()));
  for (const BoundTensor &operand : operands)
    total = plus(total,
                 plus(times(elements(operand.layout), sizeof(float)), slack));
  return total;
}

} // namespace gaudi::runtime
