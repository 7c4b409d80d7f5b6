// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse linear maps along one dimension: resampling, averages of windows, and
// their gradients, which are the transposed maps.
#ifndef GAUDI_LIB_CONVERSION_TORCHTOGAUDI_TAPS_H
#define GAUDI_LIB_CONVERSION_TORCHTOGAUDI_TAPS_H

#include "Call.h"

namespace gaudi {

/// An element that an output reads, and the factor it has there.
struct Tap {
  int64_t position;
  double weight;
};
/// Of each output: the sum of its taps.
using Taps = SmallVector<SmallVector<Tap, 4>, 0>;

/// Refuses maps, and gradients of maps, of `size` elements to `outputs` of up
/// to `most` elements each whose tables are too large for a constant.
LogicalResult checkTaps(TorchCall &c, int64_t size, int64_t outputs,
                        int64_t most);

/// The gradient of the map: `size` outputs, one for each input.
Taps transposed(const Taps &taps, int64_t size);

/// The map applied along `dim` of `value`, of f32. Null, with a reason in the
/// call, if the table of the taps is too large after all.
Value applyTaps(TorchCall &c, Value value, int64_t dim, const Taps &taps);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TORCHTOGAUDI_TAPS_H
