// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes that one static variant of a function admits.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSIZES_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSIZES_H

#include "SizeExpr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include <optional>
#include <string>

namespace gaudi {

/// The symbols of a variant: each has a size from `min` to that of the bucket,
/// a multiple of `multiple`. Expressions are over these symbols.
class SymbolSizes {
public:
  /// Fails with an error on the function if its attributes `gaudi.symbols` and
  /// `gaudi.bucket` do not fit each other.
  static FailureOr<SymbolSizes> of(func::FuncOp function);

  /// The value of `expr` for the sizes of the bucket; none if it divides by 0.
  std::optional<int64_t> atBucket(AffineExpr expr) const;
  /// Bounds of the values of `expr`; saturated, and not always tight.
  std::pair<int64_t, int64_t> rangeOf(AffineExpr expr) const;
  /// True if the expressions are proven to be equal for all admitted sizes: by
  /// simplification, or by trying them if they are at most 4,096.
  bool areEqual(AffineExpr a, AffineExpr b) const;
  /// True if `expr` is a multiple of `divisor` for all admitted sizes.
  bool isMultiple(AffineExpr expr, int64_t divisor) const;
  AffineExpr simplify(AffineExpr expr) const {
    return simplifyAffineExpr(expr, 0, symbols.size());
  }
  AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }
  /// `expr` with the names of the symbols.
  std::string text(AffineExpr expr) const;
  unsigned size() const { return symbols.size(); }

private:
  bool isOfSymbols(AffineExpr expr) const;
  std::optional<int64_t> at(AffineExpr expr, ArrayRef<int64_t> sizes) const;

  MLIRContext *context = nullptr;
  SmallVector<Symbol> symbols; ///< the bucket is the largest size
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSIZES_H
