// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of aarch64 that refer to other places of the same code. The bits
// are those of the Arm Architecture Reference Manual (DDI 0487, C6.2); code is
// little-endian words.
#ifndef GAUDI_LIB_RUNTIME_JIT_AARCH64CODE_H
#define GAUDI_LIB_RUNTIME_JIT_AARCH64CODE_H

#include <array>
#include <cstdint>

namespace gaudi::runtime::aarch64 {

/// Of ADRP, whatever pages the system has.
constexpr uint64_t pageBytes = 4096;

/// The instruction with `value` in `width` bits from `first` on.
constexpr uint32_t withBits(uint32_t instruction, unsigned first,
                            unsigned width, uint64_t value) {
  const uint32_t mask = ((uint32_t(1) << width) - 1) << first;
  return (instruction & ~mask) | (uint32_t(value << first) & mask);
}

/// ADR or ADRP with a distance in bytes or pages, which fits 21 bits.
constexpr uint32_t withAddress(uint32_t instruction, int64_t distance) {
  return withBits(withBits(instruction, 29, 2, uint64_t(distance)), 5, 19,
                  uint64_t(distance >> 2));
}

/// Pages from the one of `place` to the one of `target`.
constexpr int64_t pagesBetween(uint64_t place, uint64_t target) {
  return int64_t(target / pageBytes) - int64_t(place / pageBytes);
}

/// adrp x16, slot; ldr x16, [x16, slot in its page]; br x16: at `at` a jump to
/// the address that is stored at `slot`, a multiple of 8 within 2 GiB.
/// Procedures may lose x16 to whoever links them (AAPCS64).
constexpr std::array<uint32_t, 3> jumpThrough(uint64_t at, uint64_t slot) {
  return {withAddress(0x90000010u, pagesBetween(at, slot)),
          withBits(0xf9400210u, 10, 12, slot % pageBytes / 8), 0xd61f0200u};
}

} // namespace gaudi::runtime::aarch64

#endif // GAUDI_LIB_RUNTIME_JIT_AARCH64CODE_H
