// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions with respect to their filter, on a micro kernel.
#ifndef GAUDI_LIB_RUNTIME_MME_CONV_WEIGHTGRAD_H
#define GAUDI_LIB_RUNTIME_MME_CONV_WEIGHTGRAD_H

#include "../Tiles/TileCommand.h"

#include "Gaudi/Recipe/Convolution.h"

namespace gaudi::runtime {

/// `conv` is the forward convolution, of input `x` and gradient of the output
/// `dy`. Throws bad_alloc.
std::unique_ptr<TileCommand>
buildWeightGrad(const MicroKernel &kernel, const recipe::Convolution &conv,
                const BoundTensor &x, const BoundTensor &dy,
                const BoundTensor &dw, PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_CONV_WEIGHTGRAD_H
