// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boundaries of one symbol that follow from its bounds alone.
#ifndef GAUDI_LIB_SHAPES_SERIES_H
#define GAUDI_LIB_SHAPES_SERIES_H

#include "Gaudi/Shapes/Planner.h"

#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// `size` rounded up to a multiple of `grain`; both at most 2^53.
int64_t roundUp(int64_t size, int64_t grain);

/// The step of a series over `axis`: that of `strategy`, or its default.
int64_t stepOf(const Strategy &strategy, const Axis &axis);

/// At most `count` sizes, evenly spaced.
std::vector<int64_t> linearSeries(const Axis &axis, int64_t step, size_t count);

/// At most `count` sizes by the published formula of Gaudi's serving
/// framework: first * (last / first)^(i / (limit - 1)) for i from 0 until
/// limit, rounded up to the step, duplicates left out. The limit
/// grows from `count` while at most `count` sizes are left.
std::vector<int64_t> exponentialSeries(const Axis &axis, int64_t step,
                                       size_t count);

/// Doubles until the step, then those multiples of the step without which more
/// than `percent` % of the next size could be padding.
std::vector<int64_t> percentSeries(const Axis &axis, int64_t step,
                                   double percent);

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_SERIES_H
