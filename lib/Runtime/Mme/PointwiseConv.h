// Convolutions of one tap whose results lie channel by channel.
#ifndef GAUDI_LIB_RUNTIME_MME_POINTWISECONV_H
#define GAUDI_LIB_RUNTIME_MME_POINTWISECONV_H

#include "TileCommand.h"

namespace gaudi::runtime {

/// True for a filter of one tap that is moved by single steps and never leaves
/// the input, with a result whose positions, not channels, are side by side.
bool isPointwiseConv(const recipe::Conv &conv, const BoundTensor &x,
                     const BoundTensor &w, const BoundTensor &y);

/// The product of the filter with the input as a matrix of channels by
/// positions: vectors run along positions, as the result lies.
std::unique_ptr<TileCommand>
buildPointwiseConv(const MicroKernel &kernel, const recipe::Conv &conv,
                   const BoundTensor &x, const BoundTensor &w,
                   const BoundTensor &y, PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_POINTWISECONV_H
