// The AVX-512 kernels in plain C++, on any host: those are checked against
// these.
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

namespace gaudi::runtime {
namespace {

struct Sums {
  static constexpr int lanes = 16;
  float value[lanes];

  static Sums zero() { return {}; }
  static Sums load(const float *from) {
    Sums result;
    __builtin_memcpy(result.value, from, sizeof(result.value));
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

constexpr MicroKernel half =
    tiles<Sums, 12, 1>("portable", StepFormat::F32, nullptr, runThin<Sums>,
                       runDepth<Sums>, &attentionFunctions, &winogradFunctions);
constexpr MicroKernel kernel =
    tiles<Sums, 14, 2>("portable", StepFormat::F32, &half, runThin<Sums>,
                       runDepth<Sums>, &attentionFunctions, &winogradFunctions);
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
