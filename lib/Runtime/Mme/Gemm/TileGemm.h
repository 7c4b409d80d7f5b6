// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batched matrix products on micro kernels.
#ifndef GAUDI_LIB_RUNTIME_MME_GEMM_TILEGEMM_H
#define GAUDI_LIB_RUNTIME_MME_GEMM_TILEGEMM_H

#include "../Tiles/TileCommand.h"

namespace gaudi::runtime {

std::unique_ptr<TileCommand>
buildTileGemm(const MicroKernel &kernel, const recipe::Gemm &gemm,
              const BoundTensor &a, const BoundTensor &b, const BoundTensor &c,
              PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_GEMM_TILEGEMM_H
