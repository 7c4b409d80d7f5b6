// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers of the micro kernels as vectors that the compiler maps to the
// instruction set of the file. Included like MicroKernelBody.h. A file for
// NEON, which every aarch64 host has, says so by GAUDI_NEON:
// MicroKernelVector128.cpp rounds products there as well.
#include "MicroKernel.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace gaudi::runtime {
namespace {

/// A vector of the kernel's operands and sums, of four bytes each. `Derived`
/// adds how it multiplies.
template <typename Derived, typename Lane, int Lanes> struct RegisterVector {
  static constexpr int lanes = Lanes;
  static constexpr bool joinsSteps = false;
  using Value = Lane __attribute__((ext_vector_type(Lanes)));
  Value value;

  static Derived zero() { return {}; }
  static Derived load(const float *from) {
    Derived result;
    __builtin_memcpy(&result.value, from, sizeof(Value));
    return result;
  }
  static Derived broadcast(const uint8_t *from) {
    Lane lane;
    __builtin_memcpy(&lane, from, sizeof(lane));
    Derived result;
    result.value = lane;
    return result;
  }
  void add(const Derived &other) { value += other.value; }
  // A register of vectors.
#if defined(__aarch64__)
  void fix() { asm volatile("" : "+w"(value)); }
#else
  void fix() { asm volatile("" : "+v"(value)); }
#endif
  void store(float *to) const { __builtin_memcpy(to, &value, sizeof(Value)); }
};

template <typename T, T... Numbers> struct Sequence {};

/// Of f32, as wide as the registers of the instruction set.
template <int Lanes>
struct FloatVector : RegisterVector<FloatVector<Lanes>, float, Lanes> {
  using Base = RegisterVector<FloatVector<Lanes>, float, Lanes>;
  using Base::load, Base::store, Base::value;
  using typename Base::Value;
  FloatVector() = default;
  FloatVector(Value all) : Base{all} {}

  static FloatVector load(const Bf16 *from) {
    uint16_t bits __attribute__((ext_vector_type(Lanes)));
    __builtin_memcpy(&bits, from, sizeof(bits));
    using Words = uint32_t __attribute__((ext_vector_type(Lanes)));
    return __builtin_bit_cast(Value, __builtin_convertvector(bits, Words)
                                         << 16);
  }
  static FloatVector load(const F16 *from) {
    _Float16 halves __attribute__((ext_vector_type(Lanes)));
    __builtin_memcpy(&halves, from, sizeof(halves));
    return __builtin_convertvector(halves, Value);
  }
  /// One input of each group of channels, for all lanes of the group. Groups
  /// are no larger than a vector (isDepthConv).
  template <int Group, int Input>
  static FloatVector loadInput(const float *from) {
    return spread<Group, Input>(load(from).value,
                                __make_integer_seq<Sequence, int, Lanes>());
  }
  template <int Group, int Input, int... I>
  static FloatVector spread(Value all, Sequence<int, I...>) {
    return __builtin_shufflevector(all, all, (I / Group * Group + Input)...);
  }
  void multiplyAdd(const FloatVector &a, const FloatVector &b) {
#if defined(__FMA__) || defined(GAUDI_NEON)
    value = __builtin_elementwise_fma(a.value, b.value, value);
#else
    value += a.value * b.value;
#endif
  }

  // The first lanes of a vector that is not full.
#if defined(__AVX512F__)
  using Some = __mmask16;
  static Some some(int64_t count) { return Some((1u << count) - 1); }
  static FloatVector load(const float *from, Some some) {
    return Value(_mm512_maskz_loadu_ps(some, from));
  }
  void store(float *to, Some some) const {
    _mm512_mask_storeu_ps(to, some, __m512(value));
  }
#elif defined(__AVX2__)
  using Some = __m256i;
  static Some some(int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(count)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static FloatVector load(const float *from, Some some) {
    return Value(_mm256_maskload_ps(from, some));
  }
  void store(float *to, Some some) const {
    _mm256_maskstore_ps(to, some, __m256(value));
  }
#else
  using Some = int64_t;
  static Some some(int64_t count) { return count; }
  static FloatVector load(const float *from, Some some) {
    Value all = {};
    for (int64_t i = 0; i < some; ++i)
      all[i] = from[i];
    return all;
  }
  void store(float *to, Some some) const {
    for (int64_t i = 0; i < some; ++i)
      to[i] = value[i];
  }
#endif
};

} // namespace
} // namespace gaudi::runtime
