// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of pooling and of norms.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

/// The number that list `i` has for spatial dimension `dim`; `absent` if the
/// list is empty.
static int64_t windowAt(Arguments arguments, unsigned i, int64_t dim,
                        int64_t absent) {
  const Ints &list = intsAt(arguments, i);
  if (list.empty())
    return absent;
  return list.size() == 1 ? list[0] : list[dim];
}

/// [batch, channels, spatial..], in which the batch may be missing, pooled.
/// `dilation` and `ceil` are arguments; there may be no dilation.
static Result<Results> pooled(Arguments arguments, uint32_t spatial,
                              std::optional<unsigned> dilation, unsigned ceil) {
  TensorType self = tensorAt(arguments, 0);
  if (self.sizes.size() != spatial + 1 && self.sizes.size() != spatial + 2)
    return fail("expected {} or {} dimensions, not {}", spatial + 1,
                spatial + 2, self.rank());
  for (unsigned i : {1u, 2u, 3u, dilation.value_or(3)}) {
    const uint32_t given = intsAt(arguments, i).size();
    if (given > 1 ? given != spatial : given == 0 && i == 1)
      return fail("{} window sizes, strides, pads or dilations for {} "
                  "dimensions",
                  given, spatial);
  }
  for (uint32_t dim = 0; dim < spatial; ++dim) {
    const uint32_t at = self.sizes.size() - spatial + dim;
    int64_t &size = self.sizes[at];
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
                  at, size, pad, window);
    int64_t count = room / stride + 1;
    // A last window that is only in part inside must start inside.
    if (flagAt(arguments, ceil) && room % stride != 0 &&
        count * stride < size + pad)
      ++count;
    size = count;
  }
  return Results{self};
}

/// The same with the positions of what is selected.
static Result<Results> withPositions(Result<Results> values) {
  Results results = GAUDI_TRY(std::move(values));
  results.push_back({results[0].sizes, ScalarType::Int64});
  return results;
}

Result<Results> rules::maxPool1d(Arguments arguments) {
  return pooled(arguments, 1, 4, 5);
}
Result<Results> rules::maxPool2d(Arguments arguments) {
  return pooled(arguments, 2, 4, 5);
}
Result<Results> rules::maxPool3d(Arguments arguments) {
  return pooled(arguments, 3, 4, 5);
}
Result<Results> rules::maxPool2dIndices(Arguments arguments) {
  return withPositions(maxPool2d(arguments));
}
Result<Results> rules::maxPool3dIndices(Arguments arguments) {
  return withPositions(maxPool3d(arguments));
}
Result<Results> rules::avgPool1d(Arguments arguments) {
  return pooled(arguments, 1, std::nullopt, 4);
}
Result<Results> rules::avgPool2d(Arguments arguments) {
  return pooled(arguments, 2, std::nullopt, 4);
}
Result<Results> rules::avgPool3d(Arguments arguments) {
  return pooled(arguments, 3, std::nullopt, 4);
}

/// A pooling of the last dimensions to given sizes.
static Result<Results> adaptive(Arguments arguments, uint32_t spatial) {
  TensorType self = tensorAt(arguments, 0);
  const Ints &sizes = intsAt(arguments, 1);
  if ((self.sizes.size() != spatial + 1 && self.sizes.size() != spatial + 2) ||
      sizes.size() != spatial)
    return fail("{} sizes for a tensor of {} dimensions", sizes.size(),
                self.rank());
  for (uint32_t dim = 0; dim < spatial; ++dim) {
    if (sizes[dim] < 0)
      return fail("shape {} has the size {}", text(sizes), sizes[dim]);
    int64_t &size = self.sizes[self.sizes.size() - spatial + dim];
    if (size == 0)
      return fail("shape {} has no elements to pool", text(self.sizes));
    size = sizes[dim];
  }
  return Results{self};
}

Result<Results> rules::adaptivePool1d(Arguments arguments) {
  return adaptive(arguments, 1);
}
Result<Results> rules::adaptivePool2d(Arguments arguments) {
  return adaptive(arguments, 2);
}
Result<Results> rules::adaptivePool3d(Arguments arguments) {
  return adaptive(arguments, 3);
}
Result<Results> rules::adaptivePool2dIndices(Arguments arguments) {
  return withPositions(adaptive(arguments, 2));
}
Result<Results> rules::adaptivePool3dIndices(Arguments arguments) {
  return withPositions(adaptive(arguments, 3));
}

/// Refuses a gradient whose shape is not that of the result.
static Result<Results> gradientOf(Arguments arguments, const Results &forward) {
  const TensorType &gradient = tensorAt(arguments, 0),
                   &self = tensorAt(arguments, 1);
  const TensorType &result = forward[0];
  if (!(gradient.sizes == result.sizes) || gradient.dtype != self.dtype)
    return fail("the gradient is {}; expected {}", text(gradient),
                text(TensorType{result.sizes, self.dtype}));
  return Results{self};
}

/// The arguments of the op whose gradient it is: those after the gradient.
static Arguments ofForward(Arguments arguments) {
  return Arguments(arguments.begin() + 1, arguments.size() - 1);
}

Result<Results> rules::avgPool2dGradient(Arguments arguments) {
  return gradientOf(arguments, GAUDI_TRY(avgPool2d(ofForward(arguments))));
}
Result<Results> rules::avgPool3dGradient(Arguments arguments) {
  return gradientOf(arguments, GAUDI_TRY(avgPool3d(ofForward(arguments))));
}

/// The last argument is the positions of what the gradient belongs to.
static Status checkPositions(Arguments arguments) {
  const TensorType &positions = tensorAt(arguments, arguments.size() - 1);
  const TensorType expected{tensorAt(arguments, 0).sizes, ScalarType::Int64};
  if (positions == expected)
    return {};
  return fail("the positions are {}; expected {}", text(positions),
              text(expected));
}

Result<Results> rules::maxPool2dGradient(Arguments arguments) {
  GAUDI_TRY(checkPositions(arguments));
  return gradientOf(arguments, GAUDI_TRY(maxPool2d(ofForward(arguments))));
}
Result<Results> rules::maxPool3dGradient(Arguments arguments) {
  GAUDI_TRY(checkPositions(arguments));
  return gradientOf(arguments, GAUDI_TRY(maxPool3d(ofForward(arguments))));
}

Result<Results> rules::adaptiveGradient(Arguments arguments) {
  const TensorType &gradient = tensorAt(arguments, 0),
                   &self = tensorAt(arguments, 1);
  bool fits = gradient.rank() == self.rank() && gradient.dtype == self.dtype;
  for (uint32_t dim = 0; fits && dim < self.sizes.size(); ++dim)
    fits = self.sizes[dim] > 0 || gradient.sizes[dim] == 0;
  if (!fits)
    return fail("a gradient {} of an operand {}", text(gradient), text(self));
  if (arguments.size() > 2) // of maxima
    GAUDI_TRY(checkPositions(arguments));
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
