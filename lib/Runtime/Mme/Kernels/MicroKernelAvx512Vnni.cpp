// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 14 rows by 32 columns in 512-bit registers, four products of 8-bit integers
// per sum and step. For few columns 12 rows by 16.
//
// VPDPBUSD takes unsigned rows. Of signed ones the sign bit is flipped as they
// are loaded, by VPXORD with a broadcast operand: no more instructions, and on
// processors by AMD operations for pipes that do not multiply. Registers:
// Rows * Vectors sums, Vectors columns, one row and the sign bits, all 32.
#include "MicroKernelBody.h"
#include "RegisterVector.h"

namespace gaudi::runtime {
namespace {

/// Sums, or four integers each.
template <bool FlipsRows>
struct Vector : RegisterVector<Vector<FlipsRows>, uint32_t, 16> {
  using Base = RegisterVector<Vector<FlipsRows>, uint32_t, 16>;
  using typename Base::Value;

  static Vector broadcast(const uint8_t *from) {
    if constexpr (!FlipsRows)
      return Base::broadcast(from);
    // In assembly: the compiler would take two instructions.
    using Word [[gnu::may_alias, gnu::aligned(1)]] = int;
    Vector flipped;
    asm("vpxord %1%{1to16%}, %2, %0"
        : "=v"(flipped.value)
        : "m"(*reinterpret_cast<const Word *>(from)), "v"(Value(0x80808080u)));
    return flipped;
  }
  void multiplyAdd(const Vector &a, const Vector &b) {
    this->value = Value(_mm512_dpbusd_epi32(
        __m512i(this->value), __m512i(a.value), __m512i(b.value)));
  }
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
