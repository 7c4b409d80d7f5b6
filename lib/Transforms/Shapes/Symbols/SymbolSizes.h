// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes that one static variant of a function admits.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSIZES_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSIZES_H

#include "SizeExpr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// The symbols of a variant: the largest size of each is that of the bucket.
/// Expressions are what a program says; `simplify` keeps their form.
class SymbolSizes : public SizeExprs {
public:
  using SizeExprs::SizeExprs;

  /// Fails with an error on the function if its attributes `gaudi.symbols` and
  /// `gaudi.bucket` do not fit each other.
  static FailureOr<SymbolSizes> of(func::FuncOp function);

  /// The value of `expr` for the sizes of the bucket; none if it divides by 0.
  std::optional<int64_t> atBucket(AffineExpr expr) const;
  /// Bounds of the values of `expr`; saturated, and not always tight.
  Range rangeOf(AffineExpr expr) const;
  /// True if the expressions are proven to be equal for all admitted sizes: by
  /// simplification, or by trying them if they are at most 4,096.
  bool areEqual(AffineExpr a, AffineExpr b) const;
  /// True if `expr` is a multiple of `divisor` for all admitted sizes.
  bool isMultiple(AffineExpr expr, int64_t divisor) const;
  AffineExpr simplify(AffineExpr expr) const {
    return simplifyAffineExpr(expr, 0, size());
  }
  unsigned size() const { return getSymbols().size(); }

private:
  bool isOfSymbols(AffineExpr expr) const;
  std::optional<int64_t> at(AffineExpr expr, ArrayRef<int64_t> sizes) const;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSIZES_H
