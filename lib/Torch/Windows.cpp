// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of pooling and of norms.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

/// The number that list `i` has for spatial dimension `dim` of two; `absent` if
/// the list is empty.
static int64_t windowAt(Arguments arguments, unsigned i, int64_t dim,
                        int64_t absent) {
  const Ints &list = intsAt(arguments, i);
  if (list.empty())
    return absent;
  return list.size() == 1 ? list[0] : list[dim];
}

/// [batch, channels, H, W], in which the batch may be missing, pooled.
/// `dilation` and `ceil` are arguments; there may be no dilation.
static Result<Results> pooled(Arguments arguments,
                              std::optional<unsigned> dilation, unsigned ceil) {
  TensorType self = tensorAt(arguments, 0);
  if (self.rank() != 3 && self.rank() != 4)
    return fail("expected 3 or 4 dimensions, not {}", self.rank());
  for (unsigned i : {1u, 2u, 3u})
    if (intsAt(arguments, i).size() > 2 ||
        (i == 1 && intsAt(arguments, 1).empty()))
      return fail("{} window sizes, strides or pads for 2 dimensions",
                  intsAt(arguments, i).size());
  if (dilation && intsAt(arguments, *dilation).size() > 2)
    return fail("{} dilations for 2 dimensions",
                intsAt(arguments, *dilation).size());
  for (int64_t dim = 0; dim < 2; ++dim) {
    int64_t &size = self.sizes[self.rank() - 2 + dim];
    const int64_t window = windowAt(arguments, 1, dim, 1);
    const int64_t stride = windowAt(arguments, 2, dim, window);
    const int64_t pad = windowAt(arguments, 3, dim, 0);
    const int64_t spread =
        dilation ? windowAt(arguments, *dilation, dim, 1) : 1;
    if (window < 1 || stride < 1 || spread < 1 || pad < 0 || pad > window / 2 ||
        std::max({window, stride, spread}) > maxWindowNumber)
      return fail("a window of {} with stride {}, pad {} and dilation {}",
                  window, stride, pad, spread);
    const int64_t room = size + 2 * pad - (spread * (window - 1) + 1);
    if (room < 0)
      return fail("dimension {} of size {}, with pads of {}, is smaller than "
                  "the window of {}",
                  self.rank() - 2 + dim, size, pad, window);
    int64_t count = room / stride + 1;
    // A last window that is only in part inside must start inside.
    if (flagAt(arguments, ceil) && room % stride != 0 &&
        count * stride < size + pad)
      ++count;
    size = count;
  }
  return Results{self};
}

Result<Results> rules::maxPool2d(Arguments arguments) {
  return pooled(arguments, 4, 5);
}

Result<Results> rules::maxPool2dIndices(Arguments arguments) {
  Results results = GAUDI_TRY(pooled(arguments, 4, 5));
  results.push_back({results[0].sizes, ScalarType::Int64});
  return results;
}

Result<Results> rules::avgPool2d(Arguments arguments) {
  return pooled(arguments, std::nullopt, 4);
}

Result<Results> rules::adaptivePool2d(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const Ints &sizes = intsAt(arguments, 1);
  if ((self.rank() != 3 && self.rank() != 4) || sizes.size() != 2)
    return fail("{} sizes for a tensor of {} dimensions", sizes.size(),
                self.rank());
  for (uint32_t dim = 0; dim < 2; ++dim) {
    if (sizes[dim] < 0)
      return fail("shape {} has the size {}", text(sizes), sizes[dim]);
    self.sizes[self.sizes.size() - 2 + dim] = sizes[dim];
  }
  return Results{self};
}

/// The last dimensions, which are normalized; the others are statistics.
static Result<Ints> statistics(Arguments arguments) {
  const TensorType &input = tensorAt(arguments, 0);
  const Ints &shape = intsAt(arguments, 1);
  if (shape.empty() || shape.size() > input.sizes.size())
    return fail("{} dimensions are normalized of {}", shape.size(),
                input.rank());
  Ints sizes = input.sizes;
  const uint32_t kept = input.sizes.size() - shape.size();
  for (uint32_t i = 0; i < shape.size(); ++i) {
    if (input.sizes[kept + i] != shape[i])
      return fail("shape {} does not end in {}", text(input.sizes),
                  text(shape));
    sizes[kept + i] = 1;
  }
  for (unsigned i : {2u, 3u})
    if (const TensorType *factor = optionalTensorAt(arguments, i);
        factor && !(factor->sizes == shape))
      return fail("the weight or bias has shape {}; expected {}",
                  text(factor->sizes), text(shape));
  return sizes;
}

Result<Results> rules::layerNorm(Arguments arguments) {
  GAUDI_TRY(statistics(arguments));
  return Results{tensorAt(arguments, 0)};
}

Result<Results> rules::layerNormStatistics(Arguments arguments) {
  const TensorType &input = tensorAt(arguments, 0);
  const TensorType sums{GAUDI_TRY(statistics(arguments)), input.dtype};
  return Results{input, sums, sums};
}

Result<Results> rules::batchNormInference(Arguments arguments) {
  const TensorType &input = tensorAt(arguments, 0);
  if (input.rank() < 2)
    return fail("expected 2 dimensions or more, not {}", input.rank());
  for (unsigned i : {1u, 2u, 3u, 4u})
    if (const TensorType *each = optionalTensorAt(arguments, i);
        each && (each->rank() != 1 || each->sizes[0] != input.sizes[1]))
      return fail("a statistic, weight or bias has shape {}; expected [{}]",
                  text(each->sizes), input.sizes[1]);
  // Statistics are the given ones: none are returned.
  Ints nothing;
  nothing.resize(1);
  const TensorType none{nothing, input.dtype};
  return Results{input, none, none};
}
