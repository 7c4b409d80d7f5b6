// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the matrix engines of the chips add products, as the functional model in
// the open-sourced Intel Gaudi software does (coral-sim fs_core and
// mme_reference/chip_fma, MIT licence): facts of that model, no code of it.
// docs/numerics.md lists what is published.
#ifndef GAUDI_LIB_RUNTIME_MME_GEMM_CHIPSUM_H
#define GAUDI_LIB_RUNTIME_MME_GEMM_CHIPSUM_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <optional>
#include <string_view>

namespace gaudi::runtime {

/// The sum of products of one type of operands on one chip.
struct ChipSum {
  /// Terms that one step adds. 1: a fused multiply-add in f32, to one of four
  /// accumulators in turn, which are added in pairs at the end.
  int group;
  /// Of each term of a step, bits from this many below the step's exponent on
  /// are kept, the others dropped. The exponent is that of the largest product;
  /// with `least`, the largest sum of the exponents of two operands, none of
  /// which counts less than it: operands are not normalized.
  int fraction;
  std::optional<int> least;
  /// The accumulator is a term like the others and the step's result is cut to
  /// f32; else it is added to the exact sum of the terms, with one rounding to
  /// nearest even.
  bool cuts;
  /// Subnormal f32, of operands and of results, are zeros of their sign.
  bool flushes;
};

/// None: nothing is published, or not enough (f32 of gaudi2 has three modes;
/// f16 and f32 of gaudi3 are products of parts).
std::optional<ChipSum> chipSumOf(std::string_view target,
                                 recipe::ElementType type);

/// a[0] b[0] + ... + a[count - 1] b[count - 1], of values of that type.
float addProducts(const ChipSum &chip, const float *a, const float *b,
                  int64_t count);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_GEMM_CHIPSUM_H
