// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox4x32-10, the counter-based generator of seeded dropout: the words of an
// element depend on its number and the seed alone, so any order of elements and
// any number of threads gives the same ones.
//
// J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
#ifndef GAUDI_SUPPORT_PHILOX_H
#define GAUDI_SUPPORT_PHILOX_H

#include <array>
#include <cstdint>

namespace gaudi {

using PhiloxWords = std::array<uint32_t, 4>;

/// The four words for a counter and a key.
constexpr PhiloxWords philox4x32(PhiloxWords counter, uint32_t key0,
                                 uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t(0xD2511F53u) * counter[0];
    const uint64_t b = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key0, uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key1, uint32_t(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// The words of elements 4 * group to 4 * group + 3 of a tensor.
constexpr PhiloxWords dropoutWords(uint32_t seed, uint64_t group) {
  return philox4x32({uint32_t(group), uint32_t(group >> 32), 0, 0}, seed, 0);
}

/// Elements whose word is at least this are kept under dropout `p`: the
/// integer below p * 2^32, which a float p in [0, 1) gives exactly.
constexpr uint32_t dropoutThreshold(float p) {
  return uint32_t(double(p) * 4294967296.0);
}

/// True if dropout `p` keeps element number `element`, in row-major order.
constexpr bool isKept(uint32_t seed, uint64_t element, float p) {
  return dropoutWords(seed, element / 4)[element % 4] >= dropoutThreshold(p);
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_PHILOX_H
