// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruction sets that plans and emitted code choose between.
#ifndef GAUDI_LIB_RUNTIME_JIT_JITHOST_H
#define GAUDI_LIB_RUNTIME_JIT_JITHOST_H

namespace gaudi::runtime {

struct JitHost {
  /// The processor that code is generated for; null: this one.
  const char *cpu = nullptr;
  /// What GAUDI_JIT_CPU names and this host cannot run; null: nothing.
  const char *refused = nullptr;
  /// GAUDI_JIT_TIER=quick or full: all kernels get that code and keep it.
  bool onlyQuick = false, onlyFull = false;
  /// What GAUDI_JIT_TIER has instead; null: nothing.
  const char *unknownTier = nullptr;
  bool fma = false;         // fused multiply-add
  bool half = false;        // conversions of f16
  bool permute = false;     // any order of 8 lanes of 32 bits
  bool wide = false;        // registers of 16 lanes of 32 bits
  bool bfloat = false;      // conversion to bf16, and classes of floats
  bool bytePermute = false; // tables of 128 bytes
  bool raisesFlags = false; // floating-point flags tell of unusual numbers
};

/// This host, or the part of it that GAUDI_JIT_CPU=haswell (AVX2) or
/// skylake-avx512 leaves: for tests of the code that other hosts get.
const JitHost &jitHost();

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_JITHOST_H
