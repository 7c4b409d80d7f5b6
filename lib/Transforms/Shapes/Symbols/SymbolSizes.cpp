// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on sizes of symbols.
#include "SymbolSizes.h"
#include "Gaudi/Dialect/Symbols.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace gaudi;

FailureOr<SymbolSizes> SymbolSizes::of(func::FuncOp function) {
  auto list = function->getAttrOfType<ArrayAttr>(symbolsAttrName);
  // Else those of the function whose variant it is.
  if (auto name = function->getAttrOfType<FlatSymbolRefAttr>(bucketOfAttrName);
      name && !list)
    if (Operation *source =
            SymbolTable::lookupNearestSymbolFrom(function, name))
      list = source->getAttrOfType<ArrayAttr>(symbolsAttrName);
  auto bucket = function->getAttrOfType<DenseI64ArrayAttr>(bucketAttrName);
  if (!list || !bucket || list.size() != size_t(bucket.size()))
    return function.emitError("a variant needs one size in '")
           << bucketAttrName << "' for each symbol in '" << symbolsAttrName
           << "'";
  SmallVector<Symbol> symbols;
  for (auto [attr, size] : llvm::zip_equal(list, bucket.asArrayRef())) {
    std::optional<Symbol> symbol = symbolOf(attr);
    if (!symbol || size < symbol->min)
      return function.emitError("symbol ")
             << attr << " does not admit the size " << size << " of the bucket";
    symbol->max = size;
    symbols.push_back(std::move(*symbol));
  }
  return SymbolSizes(function.getContext(), symbols);
}

bool SymbolSizes::isOfSymbols(AffineExpr expr) const {
  bool result = true;
  expr.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    result &=
        !isa<AffineDimExpr>(part) && (!symbol || symbol.getPosition() < size());
  });
  return result;
}

std::optional<int64_t> SymbolSizes::at(AffineExpr expr,
                                       ArrayRef<int64_t> sizes) const {
  return isOfSymbols(expr) ? valueAt(expr, sizes) : std::nullopt;
}

std::optional<int64_t> SymbolSizes::atBucket(AffineExpr expr) const {
  return at(expr, largestSizes());
}

SizeExprs::Range SymbolSizes::rangeOf(AffineExpr expr) const {
  return isOfSymbols(expr) ? range(expr)
                           : Range{std::numeric_limits<int64_t>::min(),
                                   std::numeric_limits<int64_t>::max()};
}

bool SymbolSizes::areEqual(AffineExpr a, AffineExpr b) const {
  if (a == b)
    return true;
  const AffineExpr difference = simplify(a - b);
  if (auto constant = dyn_cast<AffineConstantExpr>(difference))
    return constant.getValue() == 0;
  // Differences that do not simplify are tried, if there are few sizes.
  constexpr int64_t most = 4096;
  SmallVector<int64_t> firsts;
  int64_t count = 1;
  const ArrayRef<Symbol> symbols = getSymbols();
  for (const Symbol &symbol : symbols) {
    firsts.push_back(symbol.smallest());
    const int64_t steps =
        std::max<int64_t>(0, symbol.max - firsts.back()) / symbol.multiple + 1;
    // Too many to try: not known to be equal.
    if (steps > most / count)
      return false;
    count *= steps;
  }
  // Counts through all sizes, the last symbol fastest.
  SmallVector<int64_t> sizes = firsts;
  for (int64_t i = 0; i < count; ++i) {
    const auto left = at(a, sizes), right = at(b, sizes);
    if (!left || left != right)
      return false;
    for (size_t s = sizes.size(); s-- > 0;) {
      sizes[s] += symbols[s].multiple;
      if (sizes[s] <= symbols[s].max)
        break;
      sizes[s] = firsts[s];
    }
  }
  return true;
}

bool SymbolSizes::isMultiple(AffineExpr expr, int64_t divisor) const {
  SmallVector<AffineExpr> multiples;
  for (auto [i, bounds] : llvm::enumerate(getSymbols()))
    multiples.push_back(symbol(i) * bounds.multiple);
  return simplify(expr.replaceSymbols(multiples) % divisor) == constant(0);
}
