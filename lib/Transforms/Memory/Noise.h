// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sequence of numbers that is the same on every host.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_NOISE_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_NOISE_H

#include <cstdint>

namespace gaudi::memory {

/// Numbers in [0, 1).
class Noise {
public:
  explicit Noise(uint64_t seed) : state(seed) {}
  /// Steele, Lea and Flood's splitmix64.
  double next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return double((z ^ (z >> 31)) >> 11) / double(uint64_t(1) << 53);
  }

private:
  uint64_t state;
};

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_NOISE_H
