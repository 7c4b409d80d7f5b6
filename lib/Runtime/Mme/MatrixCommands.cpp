// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of matrix commands, and how each one runs: on tiles, with the
// depthwise kernel, or as a product for filters of one tap.
//
// A new kind is a row of `kinds` below and a file with its builder.
#include "Attention/AttentionCommand.h"
#include "Conv/DepthConv.h"
#include "Conv/DepthWeightGrad.h"
#include "Conv/PointwiseConv.h"
#include "Conv/TileConv.h"
#include "Conv/WeightGrad.h"
#include "Gemm/ChipGemm.h"
#include "Gemm/TileGemm.h"
#include "Kernels/KernelChoice.h"
#include "Library.h"
#include "Packing/StagingBound.h"
#include "Winograd/WinogradConv.h"

#include "Gaudi/Recipe/Views.h"

#include <cassert>
#include <new>
#include <string_view>

namespace gaudi::runtime {
namespace {

Prepared prepareGemm(const recipe::Command &command, const BoundTensors &in,
                     const BoundTensors &out, PrepareContext &context) {
  const BoundTensor &c = out[0];
  const recipe::Gemm &gemm = *command.body_as_Gemm();
  if (const auto chip = chipSumOf(context.chip, in[0].type);
      chip && in[0].type == in[1].type)
    return buildChipGemm(*chip, gemm, in[0], in[1], c, context);
  const MicroKernel *kernel = GAUDI_TRY(microKernel(isNarrow(in[0].type)));
  return buildTileGemm(*kernel, gemm, in[0], in[1], c, context);
}

Prepared prepareConv(const recipe::Command &command, const BoundTensors &in,
                     const BoundTensors &out, PrepareContext &context) {
  const BoundTensor &y = out[0];
  const recipe::Conv &conv = *command.body_as_Conv();
  const BoundTensor &x = in[0], &w = in[1];
  // A group of a depthwise convolution has one output channel, of which a panel
  // would hold one column. Operands become f32, also narrow ones.
  const MicroKernel *wide = GAUDI_TRY(microKernel(false));
  if (isDepthConv(*wide, conv, x, w, y))
    return buildDepthConv(*wide, conv, x, w, y, context);
  const MicroKernel *kernel = GAUDI_TRY(microKernel(isNarrow(x.type)));
  if (isWinogradConv(*kernel, conv, x, w, y)) {
    if (auto squares = buildWinogradConv(*kernel, conv, x, w, y, context))
      return squares;
    auto plain = buildTileConv(*kernel, conv, x, w, y, context);
    plain->addDetail(", plain: weights too unequal or small for winograd");
    return plain;
  }
  if (auto product = buildPointwiseConv(*kernel, conv, x, w, y, context))
    return product;
  return buildTileConv(*kernel, conv, x, w, y, context);
}

Prepared prepareWeightGrad(const recipe::Command &command,
                           const BoundTensors &in, const BoundTensors &out,
                           PrepareContext &context) {
  const recipe::Convolution conv = *recipe::convolutionOf(command);
  const MicroKernel *wide = GAUDI_TRY(microKernel(false));
  if (isDepthWeightGrad(*wide, conv, in[1], out[0]))
    return buildDepthWeightGrad(*wide, conv, in[0], in[1], out[0], context);
  const MicroKernel *kernel = GAUDI_TRY(microKernel(isNarrow(in[0].type)));
  return buildWeightGrad(*kernel, conv, in[0], in[1], out[0], context);
}

/// One kind of matrix command.
struct Kind {
  recipe::Body body;
  const char *noun; // for errors
  Prepared (*prepare)(const recipe::Command &command, const BoundTensors &in,
                      const BoundTensors &out, PrepareContext &context);
  /// Most elements of staging beside one copy of each operand.
  uint64_t (*staging)(const recipe::Command &command,
                      const BoundTensors &operands);
};

constexpr Kind kinds[] = {
    {recipe::Body::Gemm, "product", prepareGemm, gemmStaging},
    {recipe::Body::Conv, "convolution", prepareConv, convStaging},
    {recipe::Body::ConvWeightGrad, "weight gradient", prepareWeightGrad,
     weightGradStaging},
    {recipe::Body::Attention, "attention", prepareAttention, attentionStaging},
    {recipe::Body::AttentionGrad, "gradient of attention", prepareAttentionGrad,
     attentionGradStaging},
};

const Kind *kindOf(const recipe::Command &command) {
  for (const Kind &kind : kinds)
    if (kind.body == command.body_type())
      return &kind;
  return nullptr;
}

} // namespace

Prepared prepareMatrixCommand(const recipe::Command &command,
                              const BoundTensors &in, const BoundTensors &out,
                              PrepareContext &context) {
  assert(in.size() >= 2 && !out.empty() && "checked by the recipe verifier");
  const Kind *kind = kindOf(command);
  if (!kind)
    return fail("the matrix engine does not know this kind of command; rebuild "
                "gaudi-run and its libraries together");
  try {
    return kind->prepare(command, in, out, context);
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this {}", kind->noun);
  }
}

uint64_t stagingBound(const recipe::Command &command,
                      const BoundTensors &operands) {
  const Kind *kind = kindOf(command);
  return stagingBytes(operands, kind ? kind->staging(command, operands) : 0);
}

} // namespace gaudi::runtime
