// Packing of buffer lifetimes into one address range. A library of its own:
// it knows sizes and times, not ops.
#ifndef GAUDI_TRANSFORMS_MEMORY_PACKING_H
#define GAUDI_TRANSFORMS_MEMORY_PACKING_H

#include <cstdint>
#include <vector>

namespace gaudi::memory {

/// A buffer that is alive from step `first` to step `last`, both included.
struct Lifetime {
  uint64_t size = 0; // bytes
  uint64_t first = 0;
  uint64_t last = 0;
};

struct Packing {
  std::vector<uint64_t> offsets; // one per lifetime, bytes
  uint64_t peak = 0;             // bytes from 0 to the end of the last buffer
  uint64_t lowerBound = 0;       // most bytes alive at one step
  uint64_t lowerBoundStep = 0;   // a step at which that many are alive
};

/// First fit in order of `first`: each buffer takes the lowest free range that
/// holds it. Lifetimes must be sorted by `first`; offsets are multiples of
/// `alignment`. Runs in O(n log n) for a bounded number of free ranges.
Packing packFirstFit(const std::vector<Lifetime> &lifetimes,
                     uint64_t alignment);

} // namespace gaudi::memory

#endif // GAUDI_TRANSFORMS_MEMORY_PACKING_H
