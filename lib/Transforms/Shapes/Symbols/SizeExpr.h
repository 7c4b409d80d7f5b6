// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes as polynomials over symbols: a normal form in which equal sizes are
// equal expressions, and bounds.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_SIZEEXPR_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_SIZEEXPR_H

#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "mlir/IR/AffineExpr.h"
#include <map>
#include <optional>

namespace gaudi {

/// Far beyond all sizes; arithmetic stops there.
inline int64_t saturate(__int128 value) {
  constexpr int64_t limit = int64_t(1) << 62;
  return value > limit ? limit : value < -limit ? -limit : int64_t(value);
}

/// x floordiv signDivisor is -1 where x < 0, else 0: no size comes near it. As
/// affine expressions have no comparison, one is encoded as this quotient.
constexpr int64_t signDivisor = int64_t(1) << 40;

/// True if the only values of `expr`, a sign, are -1 and 0.
bool isSign(AffineExpr expr);

/// Arithmetic on sizes. All expressions that it returns are in normal form:
/// a sum of products of symbols and of quotients and remainders that do not
/// simplify. Two of them are the same polynomial if and only if they are the
/// same expression. Sizes are 0 or more and divisors 1 or more.
class SizeExprs {
public:
  SizeExprs(MLIRContext *context, ArrayRef<Symbol> symbols)
      : context(context), symbols(symbols) {}

  MLIRContext *getContext() const { return context; }
  ArrayRef<Symbol> getSymbols() const { return symbols; }

  AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }
  AffineExpr symbol(unsigned number) const {
    return getAffineSymbolExpr(number, context);
  }
  AffineExpr normal(AffineExpr expr) const;
  /// The size of a symbol whose bounds are equal.
  std::optional<int64_t> onlySize(AffineExpr expr) const;
  AffineExpr add(AffineExpr a, AffineExpr b) const;
  AffineExpr sub(AffineExpr a, AffineExpr b) const;
  AffineExpr mul(AffineExpr a, AffineExpr b) const;
  AffineExpr floorDiv(AffineExpr a, AffineExpr b) const;
  AffineExpr ceilDiv(AffineExpr a, AffineExpr b) const;
  AffineExpr mod(AffineExpr a, AffineExpr b) const;
  /// a / b if the division leaves nothing for any size; null otherwise.
  AffineExpr exactQuotient(AffineExpr a, AffineExpr b) const;
  /// 1 where a >= b, else 0. Null if the difference may reach signDivisor / 2,
  /// or if the expression would become too long for a recipe.
  AffineExpr atLeast(AffineExpr a, AffineExpr b) const;
  /// By `atLeast` where neither operand is known to be the larger one; null
  /// where that is.
  AffineExpr max(AffineExpr a, AffineExpr b) const;
  AffineExpr min(AffineExpr a, AffineExpr b) const;

  /// Bounds for all sizes of the symbols; saturated, and not always tight.
  struct Range {
    int64_t low, high;
  };
  Range range(AffineExpr expr) const;
  /// True if a >= b for all sizes.
  bool isAtLeast(AffineExpr a, AffineExpr b) const {
    return range(sub(a, b)).low >= 0;
  }

  /// Upper bound over all sizes up to `bucket`: the value at the bucket where
  /// the expression does not fall in any symbol.
  int64_t largest(AffineExpr expr, ArrayRef<int64_t> bucket) const;
  /// The value for these sizes; none if it divides by zero or overflows.
  static std::optional<int64_t> valueAt(AffineExpr expr,
                                        ArrayRef<int64_t> sizes);

  /// True for `c * m + d` and `a * m + b * n`, with m and n products of
  /// symbols: the value at any sizes follows from those at a few. A rounded
  /// size, or the larger one of two, does not.
  bool isSimple(AffineExpr expr) const;

  /// "batch * 2 + 1", a sign as "-[n - 4 < 0]"; "?" for what is no symbol.
  std::string text(AffineExpr expr) const;

protected:
  SmallVector<int64_t> largestSizes() const;

private:
  /// A product of atoms in ascending order: symbols, quotients, remainders.
  using Product = SmallVector<AffineExpr, 2>;
  struct Before {
    bool operator()(const Product &a, const Product &b) const;
  };
  using Polynomial = std::map<Product, int64_t, Before>;

  Polynomial polynomial(AffineExpr expr) const;
  AffineExpr expression(const Polynomial &sum) const;
  void accumulate(Polynomial &sum, Product product, int64_t factor) const;
  Polynomial multiply(const Polynomial &a, const Polynomial &b) const;
  /// a / b if the division leaves nothing.
  std::optional<Polynomial> exactQuotient(Polynomial a,
                                          const Polynomial &b) const;
  Polynomial quotient(const Polynomial &a, const Polynomial &b) const;
  Polynomial remainder(const Polynomial &a, const Polynomial &b) const;
  bool isMultiple(const Product &product, int64_t factor,
                  int64_t divisor) const;
  bool isSimpleProduct(const Product &product) const;
  /// True if the next size of any symbol is known to make nothing smaller.
  bool growsWithAll(AffineExpr expr) const;
  /// The sign of `sum`, in the form that it shares with its multiples and its
  /// opposite.
  Polynomial sign(Polynomial sum) const;
  Range rangeWithin(const Polynomial &sum, ArrayRef<int64_t> highs) const;
  Range rangeOfTerms(const Polynomial &sum, ArrayRef<int64_t> highs) const;
  std::optional<Range> rangeWhere(const Polynomial &sum, AffineExpr sign,
                                  bool isNegative,
                                  ArrayRef<int64_t> highs) const;
  Range rangeOfAtom(AffineExpr atom, ArrayRef<int64_t> highs) const;
  /// Of one symbol with few sizes, up to those of `highs`: exact.
  std::optional<Range> rangeByTrial(AffineExpr expr, int64_t maxTried,
                                    ArrayRef<int64_t> highs) const;

  MLIRContext *context;
  SmallVector<Symbol> symbols;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_SIZEEXPR_H
