// Which way a matrix command takes: tiles, the kernel of depthwise
// convolutions, products for filters of one tap, or oneDNN.
#include "DepthConv.h"
#include "Library.h"
#include "OneDnn.h"
#include "PointwiseConv.h"
#include "TileConv.h"
#include "TileGemm.h"

#include "../Host/Plugin.h"

#include "Gaudi/Recipe/Views.h"

#include <new>
#include <string_view>

namespace gaudi::runtime {
namespace {

Result<const OneDnnApi *> oneDnn() {
  static const Result<const void *> api =
      openPlugin("libGaudiOneDnn.so", "gaudiOneDnn",
                 "runs matrix commands that have no micro kernel");
  if (!api)
    return tl::unexpected<Error>(api.error());
  return static_cast<const OneDnnApi *>(*api);
}

/// Groups of few channels, of which a micro kernel would fill a small part.
bool thinGroups(const recipe::Conv &conv, const BoundTensor &y) {
  const std::string_view layout = recipe::text(conv.output_layout());
  return conv.groups() > 1 && !conv.transposed() &&
         y.layout.sizes[layout.find('C')] / conv.groups() < 8;
}

Prepared tileConv(const MicroKernel &kernel, const recipe::Conv &conv,
                  const BoundTensor &x, const BoundTensor &w,
                  const BoundTensor &y, PrepareContext &context) {
  try {
    if (isPointwiseConv(conv, x, w, y))
      return buildPointwiseConv(kernel, conv, x, w, y, context);
    return buildTileConv(kernel, conv, x, w, y, context);
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this convolution");
  }
}

Prepared prepareGemm(const recipe::Gemm &gemm, const BoundTensor &a,
                     const BoundTensor &b, const BoundTensor &c,
                     PrepareContext &context) {
  if (const MicroKernel *kernel = tileKernel(isNarrow(a.type))) {
    try {
      return buildTileGemm(*kernel, gemm, a, b, c, context);
    } catch (const std::bad_alloc &) {
      return fail("not enough host memory for this product");
    }
  }
  auto library = oneDnn();
  if (!library)
    return tl::unexpected<Error>(library.error());
  return (*library)->gemm(gemm, a, b, c, context);
}

Prepared prepareConv(const recipe::Conv &conv, const BoundTensor &x,
                     const BoundTensor &w, const BoundTensor &y,
                     PrepareContext &context) {
  if (const MicroKernel *wide = tileKernel(false);
      wide && isDepthConv(*wide, conv, x, w, y)) {
    try {
      return buildDepthConv(*wide, conv, x, w, y, context);
    } catch (const std::bad_alloc &) {
      return fail("not enough host memory for this convolution");
    }
  }
  const MicroKernel *kernel = tileKernel(isNarrow(x.type));
  if (kernel && !thinGroups(conv, y))
    return tileConv(*kernel, conv, x, w, y, context);
  auto library = oneDnn();
  if (!library)
    return tl::unexpected<Error>(library.error());
  Prepared command = (*library)->conv(conv, x, w, y, context);
  // Its readable implementations are slower than micro kernels ever are.
  if (!kernel || !command ||
      (*command)->implementation().rfind("onednn:ref", 0) != 0)
    return command;
  context.staging.restart();
  return tileConv(*kernel, conv, x, w, y, context);
}

} // namespace

Prepared prepareMatrixCommand(const recipe::Command &command,
                              const BoundTensors &in, const BoundTensors &out,
                              PrepareContext &context) {
  switch (command.body_type()) {
  case recipe::Body::Gemm:
    return prepareGemm(*command.body_as_Gemm(), in[0], in[1], out[0], context);
  case recipe::Body::Conv:
    return prepareConv(*command.body_as_Conv(), in[0], in[1], out[0], context);
  default:
    return fail("the matrix engine does not know this kind of command");
  }
}

} // namespace gaudi::runtime
