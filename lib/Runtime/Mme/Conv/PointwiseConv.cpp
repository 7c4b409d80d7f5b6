// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of one tap as products with the filter on the left.
#include "PointwiseConv.h"

#include "../Gemm/TileGemm.h"
#include "ConvAxes.h"

#include <optional>

namespace gaudi::runtime {
namespace {

/// Positions from which on vectors along them are mostly full.
constexpr int64_t fewPositions = 64;

/// An operand as a batch of matrices: channels (`outer`) by positions, the
/// spatial dimensions collapsed.
struct Matrices {
  int64_t batch = 1, batchStride = 0, outer = 1, outerStride = 0;
  int64_t positions = 1, positionStride = 0;
};

/// None if the positions are not evenly spaced.
std::optional<Matrices> matricesOf(const Axes &axes) {
  Matrices result;
  result.batch = axes.batch;
  result.batchStride = axes.batchStride;
  result.outer = axes.channels;
  result.outerStride = axes.channelStride;
  for (size_t d = axes.size.size(); d-- > 0;) {
    if (axes.size[d] == 1)
      continue;
    if (result.positions == 1)
      result.positionStride = axes.stride[d];
    else if (axes.stride[d] != result.positions * result.positionStride)
      return std::nullopt;
    result.positions *= axes.size[d];
  }
  return result;
}

template <typename Values> bool all(const Values *values, int64_t wanted) {
  for (int64_t value : *values)
    if (value != wanted)
      return false;
  return true;
}

BoundTensor arranged(const BoundTensor &tensor, Layout layout) {
  BoundTensor result = tensor;
  result.layout = std::move(layout);
  return result;
}

} // namespace

std::unique_ptr<TileCommand>
buildPointwiseConv(const MicroKernel &kernel, const recipe::Conv &conv,
                   const BoundTensor &x, const BoundTensor &w,
                   const BoundTensor &y, PrepareContext &context) {
  // Without strides and padding, output positions are input positions.
  if (conv.transposed() || conv.groups() != 1 || !all(conv.strides(), 1) ||
      !all(conv.pad_low(), 0) || !all(conv.pad_high(), 0))
    return nullptr;
  // Dimensions that do not collapse to batch, channels and positions have no
  // matrices.
  const auto in = matricesOf(inputAxes(conv, x));
  const auto filter = matricesOf(filterAxes(conv, w));
  const auto out = matricesOf(outputAxes(conv, y));
  // Vectors run along positions: they must be contiguous and enough.
  if (!in || !filter || !out || filter->positions != 1 || out->outer == 1 ||
      out->positions < fewPositions || out->positionStride != 1 ||
      out->outerStride == 1)
    return nullptr;
  // The filter is the left side, the same for all images: batch stride 0.
  // A gemm with default attributes: the operands are arranged as its matrices.
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(recipe::CreateGemm(builder));
  const auto &gemm =
      *flatbuffers::GetRoot<recipe::Gemm>(builder.GetBufferPointer());
  return buildTileGemm(
      kernel, gemm,
      arranged(w, {{in->batch, filter->batch, filter->outer},
                   {0, filter->batchStride, filter->outerStride}}),
      arranged(x, {{in->batch, in->outer, in->positions},
                   {in->batchStride, in->outerStride, in->positionStride}}),
      arranged(y, {{out->batch, out->outer, out->positions},
                   {out->batchStride, out->outerStride, out->positionStride}}),
      context);
}

} // namespace gaudi::runtime
