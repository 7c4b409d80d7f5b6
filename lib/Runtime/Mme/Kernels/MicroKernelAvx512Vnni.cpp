// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 14 rows by 32 columns in 512-bit registers, four products of 8-bit integers
// per sum and step. For few columns 12 rows by 16.
//
// VPDPBUSD takes unsigned rows. Of signed ones the sign bit is flipped as they
// are loaded, by VPXORD with a broadcast operand: no more instructions, and on
// processors by AMD operations for pipes that do not multiply. Registers:
// Rows * Vectors sums, Vectors columns, one row and the sign bits, all 32.
#include "MicroKernelBody.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

template <bool FlipsRows> struct Vector {
  static constexpr int lanes = 16;
  __m512i value; // sums, or four integers each

  static Vector zero() { return {_mm512_setzero_si512()}; }
  static Vector load(const float *from) { return {_mm512_loadu_si512(from)}; }
  static Vector broadcast(const uint8_t *from) {
    if constexpr (FlipsRows) {
      // In assembly: the compiler would take two instructions.
      using Word [[gnu::may_alias, gnu::aligned(1)]] = int;
      __m512i flipped;
      asm("vpxord %1%{1to16%}, %2, %0"
          : "=v"(flipped)
          : "m"(*reinterpret_cast<const Word *>(from)),
            "v"(_mm512_set1_epi8(char(0x80))));
      return {flipped};
    } else {
      int bits;
      __builtin_memcpy(&bits, from, sizeof(bits));
      return {_mm512_set1_epi32(bits)};
    }
  }
  void add(const Vector &other) {
    value = _mm512_add_epi32(value, other.value);
  }
  void multiplyAdd(const Vector &a, const Vector &b) {
    value = _mm512_dpbusd_epi32(value, a.value, b.value);
  }
  void fix() { asm volatile("" : "+v"(value)); }
  void store(float *to) const { _mm512_storeu_si512(to, value); }
};

constexpr MicroKernel half =
    tiles<Vector<false>, 12, 1>("avx512vnni", StepFormat::Int8, nullptr);
constexpr MicroKernel kernel =
    tiles<Vector<false>, 14, 2>("avx512vnni", StepFormat::Int8, &half);

/// With functions for signed rows. Its half has none: flipping as many rows as
/// it multiplies would fill the other pipes, which takes it a fifth longer.
constexpr SignedRowFunctions signedRows = {
    Functions<Vector<true>, float, 14, 2>::all, 128};
constexpr MicroKernel withSignedRows() {
  MicroKernel result = kernel;
  result.name = "avx512vnnisigned";
  result.signedRows = &signedRows;
  return result;
}
constexpr MicroKernel signedKernel = withSignedRows();

bool canRun() {
  return __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("avx512f");
}

} // namespace

const MicroKernel *avx512VnniInt8Kernel() {
  return canRun() ? &kernel : nullptr;
}
const MicroKernel *avx512VnniSignedInt8Kernel() {
  return canRun() ? &signedKernel : nullptr;
}

} // namespace gaudi::runtime
