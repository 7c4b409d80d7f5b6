// How much staging memory matrix commands can take.
#include "MicroKernel.h"

#include "../Command.h"

#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <string_view>

namespace gaudi::runtime {
namespace {

uint64_t filled(int64_t columns) {
  return uint64_t((columns + maxTileColumns - 1) / maxTileColumns *
                  maxTileColumns);
}

uint64_t elements(const Layout &layout) {
  uint64_t count = 1;
  for (int64_t size : layout.sizes)
    count *= uint64_t(size);
  return count;
}

/// Panels of a matrix operand whose rows or columns are filled up.
uint64_t gemmPanels(const Layout &layout) {
  uint64_t count = 1;
  for (size_t d = 0; d < layout.sizes.size(); ++d)
    count *= d + 2 < layout.sizes.size() ? uint64_t(layout.sizes[d])
                                         : filled(layout.sizes[d]);
  return count;
}

/// Packed weights, and the input with its border or the whole scatter of a
/// transposed convolution.
uint64_t convElements(const recipe::Conv &conv,
                      const std::vector<BoundTensor> &operands) {
  const std::string_view layouts[] = {recipe::text(conv.input_layout()),
                                      recipe::text(conv.filter_layout()),
                                      recipe::text(conv.output_layout())};
  auto size = [&](unsigned operand, char letter) {
    return operands[operand].layout.sizes[layouts[operand].find(letter)];
  };
  const int64_t groups = std::max<int64_t>(conv.groups(), 1);
  uint64_t packed = filled(size(2, 'C') / groups) * uint64_t(groups) *
                    (uint64_t(size(0, 'C') / groups) + 1);
  const bool transposed = conv.transposed();
  uint64_t spread =
      uint64_t(size(0, 'N')) * uint64_t(size(transposed ? 2 : 0, 'C'));
  const size_t rank = layouts[0].size() - 2;
  const std::string_view spatial = std::string_view("DHW").substr(3 - rank);
  for (unsigned d = 0; d < rank; ++d) {
    const int64_t in = size(0, spatial[d]), k = size(1, spatial[d]);
    packed *= uint64_t(k);
    spread *= uint64_t(transposed
                           ? (in - 1) * conv.strides()->Get(d) +
                                 (k - 1) * conv.dilations()->Get(d) + 1
                           : in + std::max<int64_t>(conv.pad_low()->Get(d), 0) +
                                 std::max<int64_t>(conv.pad_high()->Get(d), 0));
  }
  return packed + spread;
}

} // namespace

uint64_t stagingBound(const recipe::Command &command,
                      const std::vector<BoundTensor> &operands) {
  constexpr uint64_t slack = 64;
  uint64_t total = 0;
  for (const BoundTensor &operand : operands) {
    total += elements(operand.layout) * sizeof(float) + slack;
    if (command.body_as_Gemm())
      total += gemmPanels(operand.layout) * sizeof(float) + slack;
  }
  if (const recipe::Conv *conv = command.body_as_Conv())
    total += convElements(*conv, operands) * sizeof(float) + 2 * slack;
  return total;
}

} // namespace gaudi::runtime
