// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as functions of sizes, from what they are at a few sizes.
#ifndef GAUDI_LIB_COMPILER_SIZEFORMS_H
#define GAUDI_LIB_COMPILER_SIZEFORMS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace gaudi {

/// The size of each symbol of a bucket or sample.
using Box = SmallVector<int64_t, 4>;

/// What a number is at some sizes of the symbols, given what it is at others.
///
/// A number has the form `c * m + d` or `a * m + b * n`: m and n are products
/// of symbols, each at most squared, c is rational, the others are integers. So
/// many samples as a form has unknowns determine it; all others confirm it, at
/// least one. Forms with fewer unknowns, which more samples confirm, are tried
/// first. All forms of a kind that agree with every sample must agree here as
/// well, else the number is not known.
class SizeForms {
public:
  /// At least two samples, each with as many sizes as `target`.
  SizeForms(ArrayRef<Box> samples, const Box &target);

  /// The number at the target; `values`: at the samples.
  std::optional<int64_t> at(ArrayRef<int64_t> values) const;

private:
  /// A product of symbols: at the samples, then at the target.
  using Product = SmallVector<int64_t, 4>;

  bool agrees(const Product &product, ArrayRef<int64_t> values) const;
  bool isMultiple(const Product &product, ArrayRef<int64_t> values) const;
  std::optional<int64_t> sumAt(ArrayRef<int64_t> values) const;
  /// By the forms for which `agrees` is true; more than one number is none.
  std::optional<int64_t>
  numberOf(ArrayRef<int64_t> values,
           llvm::function_ref<bool(const Product &)> agrees, bool &isAny) const;

  size_t count; // of samples
  SmallVector<Product, 0> products;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_SIZEFORMS_H
