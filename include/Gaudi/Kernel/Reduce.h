// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a loop of a kernel reduces values to one.
#ifndef GAUDI_KERNEL_REDUCE_H
#define GAUDI_KERNEL_REDUCE_H

#include <cstddef>
#include <cstdint>

namespace gaudi::kernel {

/// Numbered as in recipes and in the dialect's KernelReduce attribute.
enum class ReduceKind : uint8_t {
  Add,
  Mul,
  Max, ///< NaN if any value is NaN
  Min,
  MaxNum, ///< of the values that are not NaN
  MinNum,
  MaxU, ///< of unsigned integers
  MinU,
  And,
  Or,
  Xor,
  ArgMax, ///< the value and its first position
  ArgMin,
  Custom ///< the body computes the next accumulator
};
inline constexpr size_t reduceKindCount = size_t(ReduceKind::Custom) + 1;

/// True for reductions that also give the position of the value they chose.
/// `Kind` is ReduceKind or an enumeration with the same enumerators.
template <typename Kind> constexpr bool hasPosition(Kind kind) {
  return kind == Kind::ArgMax || kind == Kind::ArgMin;
}

/// Results of a reduction: the value and, if it has one, the position.
template <typename Kind> constexpr unsigned resultCount(Kind kind) {
  return hasPosition(kind) ? 2 : 1;
}

/// True if `Kind` has ReduceKind's enumerators under the same numbers.
template <typename Kind> constexpr bool matchesReduceKind() {
  auto same = [](Kind a, ReduceKind b) { return size_t(a) == size_t(b); };
  return same(Kind::Add, ReduceKind::Add) && same(Kind::Mul, ReduceKind::Mul) &&
         same(Kind::Max, ReduceKind::Max) && same(Kind::Min, ReduceKind::Min) &&
         same(Kind::MaxNum, ReduceKind::MaxNum) &&
         same(Kind::MinNum, ReduceKind::MinNum) &&
         same(Kind::MaxU, ReduceKind::MaxU) &&
         same(Kind::MinU, ReduceKind::MinU) &&
         same(Kind::And, ReduceKind::And) && same(Kind::Or, ReduceKind::Or) &&
         same(Kind::Xor, ReduceKind::Xor) &&
         same(Kind::ArgMax, ReduceKind::ArgMax) &&
         same(Kind::ArgMin, ReduceKind::ArgMin) &&
         same(Kind::Custom, ReduceKind::Custom);
}

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_REDUCE_H
