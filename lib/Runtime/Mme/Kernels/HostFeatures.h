// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a host's processor decides which micro kernels it gets.
#ifndef GAUDI_LIB_RUNTIME_MME_KERNELS_HOSTFEATURES_H
#define GAUDI_LIB_RUNTIME_MME_KERNELS_HOSTFEATURES_H

#include <cstdint>

namespace gaudi::runtime {

enum class Maker : uint8_t { Intel, Amd, Other };

/// Each is what a kernel needs: the instructions by that name with all that its
/// code uses beside them, and registers that the system saves.
enum Feature : uint32_t {
  HasAvx2 = 1,        // with FMA
  HasAvxVnni = 2,     // 8-bit dot products in 256 bits; with AVX2
  HasAvx512 = 4,      // F
  HasAvx512Vnni = 8,  // 8-bit dot products; with F, BW
  HasAvx512Bf16 = 16, // with F, BW
  HasAmxBf16 = 32,    // matrix tiles of bf16; with AVX-512 F, BW
  HasAmxInt8 = 64,    // matrix tiles of 8-bit integers; with AVX-512 F, BW
  HasNeon = 128,      // of aarch64: 128 bits, with multiply-adds
  HasNeonBf16 = 256,  // BFDOT
  HasNeonDot = 512,   // SDOT
  HasNeonI8mm = 1024, // USDOT
};

struct HostFeatures {
  Maker maker = Maker::Other;
  uint32_t features = 0;

  // Not inline: sources with instruction-set flags include this.
  bool has(uint32_t all) const;
};

/// This host. Registers that the system does not save (XCR0) count as missing.
const HostFeatures &hostFeatures();

/// True if the host has `tiles` (HasAmxBf16 or HasAmxInt8) and the process may
/// use them: asks the system, which saves their 8 KiB of state for those who
/// asked only. Once for all threads.
bool tilesPermitted(Feature tiles);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_KERNELS_HOSTFEATURES_H
