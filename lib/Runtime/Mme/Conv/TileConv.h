// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on micro kernels.
#ifndef GAUDI_LIB_RUNTIME_MME_CONV_TILECONV_H
#define GAUDI_LIB_RUNTIME_MME_CONV_TILECONV_H

#include "../Tiles/TileCommand.h"

namespace gaudi::runtime {

std::unique_ptr<TileCommand>
buildTileConv(const MicroKernel &kernel, const recipe::Conv &conv,
              const BoundTensor &x, const BoundTensor &w, const BoundTensor &y,
              PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_CONV_TILECONV_H
