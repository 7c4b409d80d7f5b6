// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions by 3 x 3 with fewer products.
#ifndef GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADCONV_H
#define GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADCONV_H

#include "../Kernels/MicroKernel.h"

#include "../../Commands/Command.h"

#include "Gaudi/Recipe/Recipe_generated.h"

#include <memory>

namespace gaudi::runtime {

/// True for convolutions by constant 3 x 3 filters with strides of 1 and
/// contiguous channels whose products, in f32, take longer than the transforms.
bool isWinogradConv(const MicroKernel &kernel, const recipe::Conv &conv,
                    const BoundTensor &x, const BoundTensor &w,
                    const BoundTensor &y);

/// Null if the numbers of the filter do not suit (WinogradFilter.h).
std::unique_ptr<PreparedCommand>
buildWinogradConv(const MicroKernel &kernel, const recipe::Conv &conv,
                  const BoundTensor &x, const BoundTensor &w,
                  const BoundTensor &y, PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADCONV_H
