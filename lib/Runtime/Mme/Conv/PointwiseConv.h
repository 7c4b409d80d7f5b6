// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of one tap with channels-first results.
#ifndef GAUDI_LIB_RUNTIME_MME_CONV_POINTWISECONV_H
#define GAUDI_LIB_RUNTIME_MME_CONV_POINTWISECONV_H

#include "../Tiles/TileCommand.h"

namespace gaudi::runtime {

/// The product of the filter with the input as a matrix of channels by
/// positions: vectors run along positions, as the result is stored. Null but
/// for a filter of one tap with stride 1 and no padding whose result has
/// contiguous positions, not channels.
std::unique_ptr<TileCommand>
buildPointwiseConv(const MicroKernel &kernel, const recipe::Conv &conv,
                   const BoundTensor &x, const BoundTensor &w,
                   const BoundTensor &y, PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_CONV_POINTWISECONV_H
