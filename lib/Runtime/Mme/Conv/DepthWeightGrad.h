// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of depthwise convolutions with respect to their filter.
#ifndef GAUDI_LIB_RUNTIME_MME_CONV_DEPTHWEIGHTGRAD_H
#define GAUDI_LIB_RUNTIME_MME_CONV_DEPTHWEIGHTGRAD_H

#include "../Kernels/MicroKernel.h"

#include "../../Commands/Command.h"

#include "Gaudi/Recipe/Convolution.h"

#include <memory>

namespace gaudi::runtime {

/// True if groups have one input and few outputs, and the kernel takes such
/// convolutions.
/// `dw` is the filter's gradient.
bool isDepthWeightGrad(const MicroKernel &kernel,
                       const recipe::Convolution &conv, const BoundTensor &dy,
                       const BoundTensor &dw);

/// Throws bad_alloc.
std::unique_ptr<PreparedCommand>
buildDepthWeightGrad(const MicroKernel &kernel, const recipe::Convolution &conv,
                     const BoundTensor &x, const BoundTensor &dy,
                     const BoundTensor &dw, PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_CONV_DEPTHWEIGHTGRAD_H
