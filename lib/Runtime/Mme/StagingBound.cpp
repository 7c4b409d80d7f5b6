// How much staging memory matrix commands can take.
#include "Library.h"
#include "MicroKernel.h"

#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <string_view>

namespace gaudi::runtime {
namespace {

/// A recipe may state sizes whose products are beyond all numbers here. They
/// stop at this one, which no arena has.
constexpr uint64_t tooMuch = uint64_t(1) << 60;

uint64_t times(uint64_t x, uint64_t y) {
  uint64_t product;
  return __builtin_mul_overflow(x, y, &product) ? tooMuch
                                                : std::min(product, tooMuch);
}
uint64_t plus(uint64_t x, uint64_t y) {
  uint64_t sum;
  return __builtin_add_overflow(x, y, &sum) ? tooMuch : std::min(sum, tooMuch);
}

uint64_t filled(int64_t columns) {
  return uint64_t((columns + maxTileColumns - 1) / maxTileColumns *
                  maxTileColumns);
}

uint64_t elements(const Layout &layout) {
  uint64_t count = 1;
  for (int64_t size : layout.sizes)
    count = times(count, uint64_t(size));
  return count;
}

/// Panels of a matrix operand whose rows or columns are filled up.
uint64_t gemmPanels(const Layout &layout) {
  uint64_t count = 1;
  for (size_t d = 0; d < layout.sizes.size(); ++d)
    count = times(count, d + 2 < layout.sizes.size() ? uint64_t(layout.sizes[d])
                                                     : filled(layout.sizes[d]));
  return count;
}

/// Packed weights, and the input with its border, packed by positions, or the
/// whole scatter of a transposed convolution.
uint64_t convElements(const recipe::Conv &conv,
                      const std::vector<BoundTensor> &operands) {
  const std::string_view layouts[] = {recipe::text(conv.input_layout()),
                                      recipe::text(conv.filter_layout()),
                                      recipe::text(conv.output_layout())};
  auto size = [&](unsigned operand, char letter) {
    return operands[operand].layout.sizes[layouts[operand].find(letter)];
  };
  const int64_t groups = std::max<int64_t>(conv.groups(), 1);
  uint64_t packed = times(filled(size(2, 'C') / groups) * uint64_t(groups),
                          uint64_t(size(0, 'C') / groups) + 1);
  const bool transposed = conv.transposed();
  bool oneTap = true;
  uint64_t spread =
      times(uint64_t(size(0, 'N')), uint64_t(size(transposed ? 2 : 0, 'C')));
  const size_t rank = layouts[0].size() - 2;
  const std::string_view spatial = std::string_view("DHW").substr(3 - rank);
  auto reach = [](int64_t count, int64_t step) {
    return times(uint64_t(std::max<int64_t>(count - 1, 0)), uint64_t(step));
  };
  auto border = [](int64_t pad) { return uint64_t(std::max<int64_t>(pad, 0)); };
  for (unsigned d = 0; d < rank; ++d) {
    const int64_t in = size(0, spatial[d]), k = size(1, spatial[d]);
    packed = times(packed, uint64_t(k));
    oneTap &= k == 1;
    const uint64_t extent =
        transposed ? plus(plus(reach(in, conv.strides()->Get(d)),
                               reach(k, conv.dilations()->Get(d))),
                          1)
                   : plus(plus(uint64_t(in), border(conv.pad_low()->Get(d))),
                          border(conv.pad_high()->Get(d)));
    spread = times(spread, extent);
  }
  // Steps and panels of packed positions are filled up.
  return plus(packed, times(spread, oneTap ? 4 : 1));
}

} // namespace

uint64_t stagingBound(const recipe::Command &command,
                      const std::vector<BoundTensor> &operands) {
  constexpr uint64_t slack = 64;
  uint64_t total = 0;
  auto add = [&](uint64_t count, uint64_t more) {
    total = plus(total, plus(times(count, sizeof(float)), more));
  };
  for (const BoundTensor &operand : operands) {
    add(elements(operand.layout), slack);
    if (command.body_as_Gemm())
      add(gemmPanels(operand.layout), slack);
  }
  if (const recipe::Conv *conv = command.body_as_Conv())
    add(convElements(*conv, operands), 2 * slack);
  return total;
}

} // namespace gaudi::runtime
