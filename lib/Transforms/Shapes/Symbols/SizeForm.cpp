// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sizes are simple functions of the symbols: those that SizeForms of
// lib/Compiler finds again from samples. The limits are the same.
#include "SizeExpr.h"

using namespace mlir;
using namespace gaudi;

bool SizeExprs::isSimpleProduct(const Product &product) const {
  // Of more symbols, variants are derived from products without squares.
  constexpr size_t maxSquared = 3;
  const unsigned most = symbols.size() <= maxSquared ? 2 : 1;
  SmallVector<unsigned> powers(symbols.size(), 0);
  for (AffineExpr atom : product) {
    // A quotient of a multiple is a share of the symbol.
    auto quotient = dyn_cast<AffineBinaryOpExpr>(atom);
    auto divisor = quotient && quotient.getKind() == AffineExprKind::FloorDiv
                       ? dyn_cast<AffineConstantExpr>(quotient.getRHS())
                       : AffineConstantExpr();
    auto symbol =
        dyn_cast<AffineSymbolExpr>(divisor ? quotient.getLHS() : atom);
    if (!symbol || ++powers[symbol.getPosition()] > most ||
        (divisor &&
         symbols[symbol.getPosition()].multiple % divisor.getValue() != 0))
      return false;
  }
  return true;
}

bool SizeExprs::isSimple(AffineExpr expr) const {
  constexpr size_t maxSymbols = 6; // that variants are derived for
  const Polynomial sum = polynomial(expr);
  unsigned products = 0, constants = 0;
  for (auto &[product, factor] : sum) {
    if (!isSimpleProduct(product))
      return false;
    ++(product.empty() ? constants : products);
  }
  return products == 0 ||
         (symbols.size() <= maxSymbols &&
          (products == 1 || (products == 2 && constants == 0)));
}
