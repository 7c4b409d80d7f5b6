// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AVX-512 kernels in plain C++, on any host: those are checked against
// these.
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "PortableLanes.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

#include "Gaudi/Support/FloatFormats.h"

namespace gaudi::runtime {
namespace {

float floatOf(Bf16 value) { return floatOfBits(uint32_t(value.bits) << 16); }

/// By operations on vectors, unlike decodeFloat. Infinities and NaN keep all
/// exponent bits set; what has none is multiples of 2^-24.
float floatOf(F16 value) {
  const uint32_t sign = uint32_t(value.bits & 0x8000u) << 16;
  const uint32_t exponent = value.bits >> 10 & 31u, rest = value.bits & 1023u;
  const uint32_t bits =
      exponent == 0
          ? bitsOf(float(rest) * 0x1p-24f)
          : rest << 13 | (exponent == 31 ? 255 : exponent + 112) << 23;
  // As F16C has it: quiet.
  return floatOfBits(bits | sign | (exponent == 31 && rest ? 1u << 22 : 0));
}

struct Sums : Lanes<Sums, float> {
  using Lanes::load, Lanes::store;
  template <typename P> static Sums load(const P *from) {
    Sums result;
    for (int i = 0; i < lanes; ++i)
      result.value[i] = floatOf(from[i]);
    return result;
  }
  template <int Group, int Input> static Sums loadInput(const float *from) {
    Sums result;
    for (int i = 0; i < lanes; ++i)
      result.value[i] = from[i / Group * Group + Input];
    return result;
  }
  void multiplyAdd(const Sums &a, const Sums &b) {
    for (int i = 0; i < lanes; ++i)
      value[i] += a.value[i] * b.value[i];
  }

  // The first lanes of a vector that is not full: their number.
  using Some = int64_t;
  static Some some(int64_t count) { return count; }
  static Sums load(const float *from, Some some) {
    Sums result = zero();
    for (int64_t i = 0; i < some; ++i)
      result.value[i] = from[i];
    return result;
  }
  void store(float *to, Some some) const {
    for (int64_t i = 0; i < some; ++i)
      to[i] = value[i];
  }
};

/// Lanes hold pairs of bf16 in the operands and f32 sums, as VDPBF16PS has
/// them; the two products are added before the sum, in f32.
struct PairSums : Lanes<PairSums, float> {
  static float half(float pair, bool high) {
    const uint32_t bits = bitsOf(pair);
    return floatOfBits(high ? bits & 0xffff0000u : bits << 16);
  }
  void multiplyAdd(const PairSums &a, const PairSums &b) {
    for (int i = 0; i < lanes; ++i)
      value[i] += half(a.value[i], false) * half(b.value[i], false) +
                  half(a.value[i], true) * half(b.value[i], true);
  }
};

constexpr MicroKernel half = tiles<Sums, 12, 1>(
    "portable", StepFormat::F32, nullptr, runThin<Sums>, runDepth<Sums>,
    &attentionFunctions, &winogradFunctions, wideningOf<Sums, 12, 1>);
constexpr MicroKernel kernel = tiles<Sums, 14, 2>(
    "portable", StepFormat::F32, &half, runThin<Sums>, runDepth<Sums>,
    &attentionFunctions, &winogradFunctions, wideningOf<Sums, 14, 2>);
constexpr MicroKernel halfPairs =
    tiles<PairSums, 12, 1>("portablebf16", StepFormat::Bf16, nullptr, nullptr,
                           nullptr, &attentionFunctions);
constexpr MicroKernel pairs =
    tiles<PairSums, 14, 2>("portablebf16", StepFormat::Bf16, &halfPairs,
                           nullptr, nullptr, &attentionFunctions);

} // namespace

const MicroKernel *portableKernel(bool narrow) {
  return narrow ? &pairs : &kernel;
}

} // namespace gaudi::runtime
