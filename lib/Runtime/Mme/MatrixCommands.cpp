// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of matrix commands, and how each one runs: on tiles, with the
// depthwise kernel, as a product for filters of one tap, or on oneDNN.
//
// A new kind is a row of `kinds` below and a file with its builder. Kinds that
// only oneDNN runs have their row in OneDnn/OneDnn.cpp.
#include "Attention/AttentionCommand.h"
#include "Conv/DepthConv.h"
#include "Conv/PointwiseConv.h"
#include "Conv/TileConv.h"
#include "Gemm/TileGemm.h"
#include "Kernels/KernelChoice.h"
#include "Library.h"
#include "OneDnn/OneDnn.h"
#include "Packing/StagingBound.h"
#include "Winograd/WinogradConv.h"

#include "../Host/Plugin.h"

#include "Gaudi/Recipe/Views.h"

#include <cassert>
#include <new>
#include <string_view>

namespace gaudi::runtime {
namespace {

Result<const OneDnnApi *> oneDnn() {
  static const Result<const void *> api =
      openPlugin("libGaudiOneDnn.so", "gaudiOneDnn",
                 "runs matrix commands that have no micro kernel");
  return static_cast<const OneDnnApi *>(GAUDI_TRY(api));
}

/// Groups of few channels, which would fill a small part of a panel.
bool hasThinGroups(const recipe::Conv &conv, const BoundTensor &y) {
  const std::string_view layout = recipe::text(conv.output_layout());
  return conv.groups() > 1 &&
         y.layout.sizes[layout.find('C')] / conv.groups() < 8;
}

Prepared prepareGemm(const recipe::Command &command, const BoundTensors &in,
                     const BoundTensors &out, PrepareContext &context) {
  const BoundTensor &c = out[0];
  const recipe::Gemm &gemm = *command.body_as_Gemm();
  const MicroKernel *kernel = GAUDI_TRY(microKernel(isNarrow(in[0].type)));
  if (!kernel)
    return GAUDI_TRY(oneDnn())->gemm(gemm, in[0], in[1], c, context);
  return buildTileGemm(*kernel, gemm, in[0], in[1], c, context);
}

Prepared tileConv(const MicroKernel &kernel, const recipe::Conv &conv,
                  const BoundTensor &x, const BoundTensor &w,
                  const BoundTensor &y, PrepareContext &context) {
  if (auto product = buildPointwiseConv(kernel, conv, x, w, y, context))
    return product;
  return buildTileConv(kernel, conv, x, w, y, context);
}

Prepared prepareConv(const recipe::Command &command, const BoundTensors &in,
                     const BoundTensors &out, PrepareContext &context) {
  const BoundTensor &y = out[0];
  const recipe::Conv &conv = *command.body_as_Conv();
  const BoundTensor &x = in[0], &w = in[1];
  // A group of a depthwise convolution has one output channel, of which a panel
  // would hold one column. Operands become f32, also narrow ones.
  if (const MicroKernel *wide = GAUDI_TRY(microKernel(false));
      wide && isDepthConv(*wide, conv, x, w, y))
    return buildDepthConv(*wide, conv, x, w, y, context);
  const MicroKernel *kernel = GAUDI_TRY(microKernel(isNarrow(x.type)));
  if (kernel && isWinogradConv(*kernel, conv, x, w, y)) {
    if (auto squares = buildWinogradConv(*kernel, conv, x, w, y, context))
      return squares;
    auto plain = buildTileConv(*kernel, conv, x, w, y, context);
    plain->detail += ", plain: weights too unequal or small for winograd";
    return plain;
  }
  if (kernel && !hasThinGroups(conv, y))
    return tileConv(*kernel, conv, x, w, y, context);
  Prepared onLibrary = GAUDI_TRY(oneDnn())->conv(conv, x, w, y, context);
  // oneDNN's reference code is slower than micro kernels ever are.
  if (!kernel || !onLibrary ||
      (*onLibrary)->implementation().rfind("onednn:ref", 0) != 0)
    return onLibrary;
  context.staging.restart();
  return tileConv(*kernel, conv, x, w, y, context);
}

/// A command that only oneDNN runs.
Prepared prepareOther(const recipe::Command &command, const BoundTensors &in,
                      const BoundTensor &out, PrepareContext &context) {
  GAUDI_TRY(microKernel(false)); // an unknown choice is an error here too
  const OneDnnKind *kind = GAUDI_TRY(oneDnn())->kind(command.body_type());
  if (!kind)
    return fail("the matrix engine does not know this kind of command; rebuild "
                "gaudi-run and its libraries together");
  return kind->prepare(command, in, out, context);
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
    return prepareOther(command, in, out[0], context);
  try {
    return kind->prepare(command, in, out, context);
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this {}", kind->noun);
  }
}

uint64_t stagingBound(const recipe::Command &command,
                      const BoundTensors &operands) {
  const Kind *kind = kindOf(command);
  return stagingBytes(operands, kind ? kind->staging(command, operands)
                                     : inputStaging(operands));
}

} // namespace gaudi::runtime
