// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which filters convolutions in squares of 2 x 2 outputs multiply well.
#ifndef GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADFILTER_H
#define GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADFILTER_H

#include "../Packing/Pack.h"

#include "Gaudi/Runtime/ThreadPool.h"

namespace gaudi::runtime {

/// False where the factors of F(2 x 2, 3 x 3) would round more than the plain
/// sum does by the tolerances of docs/numerics.md. An output has the error of
/// the largest input of its window times the largest weight of its channel:
/// that is too much where small weights alone meet large inputs. Halves of
/// subnormal weights are lost.
bool suitsWinograd(const PanelSource &filter, ThreadPool &pool);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADFILTER_H
