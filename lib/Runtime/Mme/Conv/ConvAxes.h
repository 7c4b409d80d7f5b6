// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of convolutions by the meaning of their dimensions, and which taps
// are in the padding.
#ifndef GAUDI_LIB_RUNTIME_MME_CONV_CONVAXES_H
#define GAUDI_LIB_RUNTIME_MME_CONV_CONVAXES_H

#include "../../Commands/Command.h"

#include "Gaudi/Recipe/Convolution.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gaudi::runtime {

using Triple = std::array<int64_t, 3>; // D H W

struct Axes {
  Triple size{1, 1, 1}, stride{0, 0, 0};
  int64_t batch = 1, batchStride = 0, channels = 1, channelStride = 1;
};

/// `layout` names batch, spatial and channel dimensions as in "NDHWC".
inline Axes axesOf(const BoundTensor &tensor, std::string_view layout,
                   char batch, char channel) {
  Axes axes;
  for (size_t d = 0; d < layout.size(); ++d) {
    const int64_t size = tensor.layout.sizes[d];
    const int64_t stride = tensor.layout.strides[d];
    if (layout[d] == batch) {
      axes.batch = size;
      axes.batchStride = stride;
    } else if (layout[d] == channel) {
      axes.channels = size;
      axes.channelStride = stride;
    } else {
      const size_t at = std::string_view("DHW").find(layout[d]);
      axes.size[at] = size;
      axes.stride[at] = stride;
    }
  }
  return axes;
}

inline Axes inputAxes(const recipe::Conv &conv, const BoundTensor &x) {
  return axesOf(x, recipe::text(conv.input_layout()), 'N', 'C');
}
inline Axes filterAxes(const recipe::Conv &conv, const BoundTensor &w) {
  return axesOf(w, recipe::text(conv.filter_layout()), 'O', 'I');
}
inline Axes outputAxes(const recipe::Conv &conv, const BoundTensor &y) {
  return axesOf(y, recipe::text(conv.output_layout()), 'N', 'C');
}

/// The tensor seen with its dimensions in another order.
inline BoundTensor reordered(const BoundTensor &tensor, std::string_view layout,
                             std::string_view wanted) {
  BoundTensor result = tensor;
  for (size_t d = 0; d < wanted.size(); ++d) {
    const size_t from = layout.find(wanted[d]);
    result.layout.sizes[d] = tensor.layout.sizes[from];
    result.layout.strides[d] = tensor.layout.strides[from];
  }
  return result;
}

inline Triple tripleOf(const flatbuffers::Vector<int64_t> *values,
                       int64_t missing) {
  const std::vector<int64_t> given = recipe::copyOf(values);
  Triple result{missing, missing, missing};
  std::copy(given.begin(), given.end(), result.end() - given.size());
  return result;
}

/// Where the taps of an output are in the input, by dimension.
struct ConvTaps {
  bool transposed;
  Triple stride, dilation, low, inputSize;

  ConvTaps(const recipe::Convolution &conv, const Axes &x)
      : transposed(conv.transposed), stride(tripleOf(conv.strides, 1)),
        dilation(tripleOf(conv.dilations, 1)), low(tripleOf(conv.padLow, 0)),
        inputSize(x.size) {}

  /// Where tap `k` of output `p` reads along dimension d; -1 in the padding
  /// and between the inputs of a transposed convolution.
  int64_t input(size_t d, int64_t p, int64_t k) const {
    int64_t at = p * stride[d] + k * dilation[d] - low[d];
    if (transposed) {
      // Input q reaches output q * stride - low + k * dilation.
      at = p + low[d] - k * dilation[d];
      if (at < 0 || at % stride[d])
        return -1;
      at /= stride[d];
    }
    return at >= 0 && at < inputSize[d] ? at : -1;
  }
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_CONV_CONVAXES_H
