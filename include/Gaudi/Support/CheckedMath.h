// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic that reports overflow instead of wrapping.
//
// Every number of a recipe file may be hostile, so sizes and offsets are only
// combined through these functions: an empty result means the exact value
// does not fit 64 bits.
#ifndef GAUDI_SUPPORT_CHECKEDMATH_H
#define GAUDI_SUPPORT_CHECKEDMATH_H

#include <cstdint>
#include <optional>

namespace gaudi {

template <typename T> std::optional<T> checkedAdd(T a, T b) {
  T result;
  if (__builtin_add_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

template <typename T> std::optional<T> checkedMul(T a, T b) {
  T result;
  if (__builtin_mul_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

/// `value` rounded up to a multiple of `alignment` (a power of two).
inline std::optional<uint64_t> checkedAlignUp(uint64_t value,
                                              uint64_t alignment) {
  std::optional<uint64_t> sum = checkedAdd(value, alignment - 1);
  if (!sum)
    return std::nullopt;
  return *sum & ~(alignment - 1);
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_CHECKEDMATH_H
