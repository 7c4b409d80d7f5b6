// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions on a micro kernel.
#ifndef GAUDI_LIB_RUNTIME_MME_CONV_DEPTHCONV_H
#define GAUDI_LIB_RUNTIME_MME_CONV_DEPTHCONV_H

#include "../Kernels/MicroKernel.h"

#include "../../Commands/Command.h"

#include "Gaudi/Recipe/Recipe_generated.h"

#include <memory>

namespace gaudi::runtime {

/// True if every channel has one filter of its own and the kernel takes such
/// convolutions.
bool isDepthConv(const MicroKernel &kernel, const recipe::Conv &conv,
                 const BoundTensor &x, const BoundTensor &w,
                 const BoundTensor &y);

std::unique_ptr<PreparedCommand>
buildDepthConv(const MicroKernel &kernel, const recipe::Conv &conv,
               const BoundTensor &x, const BoundTensor &w, const BoundTensor &y,
               PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_CONV_DEPTHCONV_H
