// The AVX-512 kernels in plain C++, on any host: those are checked against
// these.
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

namespace gaudi::runtime {
namespace {

float floatOf(Bf16 value) {
  const uint32_t bits = uint32_t(value.bits) << 16;
  float result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}

/// Infinities and NaN keep all exponent bits set; what has none is multiples of
/// 2^-24.
float floatOf(F16 value) {
  const uint32_t sign = uint32_t(value.bits & 0x8000u) << 16;
  const uint32_t exponent = value.bits >> 10 & 31u, rest = value.bits & 1023u;
  uint32_t bits = rest << 13 | (exponent == 31 ? 255 : exponent + 112) << 23;
  float result;
  if (exponent == 0)
    result = float(rest) * 0x1p-24f;
  else
    __builtin_memcpy(&result, &bits, sizeof(result));
  __builtin_memcpy(&bits, &result, sizeof(bits));
  // As F16C has it: quiet.
  bits |= sign | (exponent == 31 && rest ? 1u << 22 : 0);
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}

struct Sums {
  static constexpr int lanes = 16;
  float value[lanes];

  static Sums zero() { return {}; }
  static Sums load(const float *from) {
    Sums result;
    __builtin_memcpy(result.value, from, sizeof(result.value));
    return result;
  }
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
  static Sums broadcast(const uint8_t *from) {
    Sums result;
    for (float &lane : result.value)
      __builtin_memcpy(&lane, from, sizeof(lane));
    return result;
  }
  void add(const Sums &other) {
    for (int i = 0; i < lanes; ++i)
      value[i] += other.value[i];
  }
  void multiplyAdd(const Sums &a, const Sums &b) {
    for (int i = 0; i < lanes; ++i)
      value[i] += a.value[i] * b.value[i];
  }
  void fix() {}
  void store(float *to) const { __builtin_memcpy(to, value, sizeof(value)); }

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
struct PairSums : Sums {
  PairSums() = default;
  PairSums(const Sums &sums) : Sums(sums) {}
  static PairSums zero() { return Sums::zero(); }
  static PairSums load(const float *from) { return Sums::load(from); }
  static PairSums broadcast(const uint8_t *from) {
    return Sums::broadcast(from);
  }
  static float half(float pair, bool high) {
    uint32_t bits;
    __builtin_memcpy(&bits, &pair, sizeof(bits));
    bits = high ? bits & 0xffff0000u : bits << 16;
    __builtin_memcpy(&pair, &bits, sizeof(bits));
    return pair;
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
