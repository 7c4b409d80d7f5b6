// Sizes and strides of the operands of convolutions, by what they mean.
#ifndef GAUDI_LIB_RUNTIME_MME_CONVAXES_H
#define GAUDI_LIB_RUNTIME_MME_CONVAXES_H

#include "../Commands/Command.h"

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

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_CONVAXES_H
