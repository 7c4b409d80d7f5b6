// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What registers of the kernels in plain C++ have in common. Included like
// MicroKernelBody.h.
#include <cstdint>

namespace gaudi::runtime {
namespace {

/// `Derived` adds how it multiplies.
template <typename Derived, typename Value> struct Lanes {
  static constexpr int lanes = 16;
  static constexpr bool joinsSteps = false;
  Value value[lanes];

  static Derived zero() { return {}; }
  static Derived load(const float *from) {
    Derived result;
    __builtin_memcpy(result.value, from, sizeof(result.value));
    return result;
  }
  static Derived broadcast(const uint8_t *from) {
    Derived result;
    for (Value &lane : result.value)
      __builtin_memcpy(&lane, from, sizeof(lane));
    return result;
  }
  void add(const Derived &other) {
    for (int i = 0; i < lanes; ++i)
      value[i] += other.value[i];
  }
  void fix() {}
  void store(float *to) const { __builtin_memcpy(to, value, sizeof(value)); }
};

} // namespace
} // namespace gaudi::runtime
