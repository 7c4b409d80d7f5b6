// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain with a given slice.
#ifndef GAUDI_LIB_TIMING_ATTENTIONSLICES_H
#define GAUDI_LIB_TIMING_ATTENTIONSLICES_H

#include "Gaudi/Timing/Attention.h"

namespace gaudi::timing {

/// Whether the SRAM holds the slices in flight.
bool fitsSram(const AttentionWork &work, const AttentionSlice &slice,
              const device::DeviceSpec &spec);
AttentionChain chainWith(const AttentionWork &work, const AttentionSlice &slice,
                         const device::DeviceSpec &spec);

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_ATTENTIONSLICES_H
