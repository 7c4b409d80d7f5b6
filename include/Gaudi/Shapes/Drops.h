// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which buckets to go without if not all fit.
#ifndef GAUDI_SHAPES_DROPS_H
#define GAUDI_SHAPES_DROPS_H

#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Shapes/Histogram.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// A bucket to go without, after those before it.
struct Drop {
  size_t bucket = 0;
  /// What the launches that still have a bucket take without it, and how many
  /// have none.
  double padded = 0;
  uint64_t misses = 0;
};

/// All buckets in the order in which to drop them: first the one without which
/// fewest launches lose their last bucket, and of those the one whose launches
/// take least more in their next bucket. To keep k buckets, drop all but the
/// last k. The columns of `histogram` are the symbols of the buckets.
std::vector<Drop> dropOrder(const Buckets &buckets, const Histogram &histogram);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_DROPS_H
