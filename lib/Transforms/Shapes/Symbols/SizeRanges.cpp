// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of sizes.
#include "SizeExpr.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

SizeExprs::Range SizeExprs::rangeOfAtom(AffineExpr atom,
                                        ArrayRef<int64_t> highs) const {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(atom)) {
    const unsigned number = symbol.getPosition();
    return {symbols[number].min, highs[number]};
  }
  auto binary = cast<AffineBinaryOpExpr>(atom);
  const Range a = rangeWithin(polynomial(binary.getLHS()), highs);
  Range b = rangeWithin(polynomial(binary.getRHS()), highs);
  b.low = std::max<int64_t>(b.low, 1); // divisors are
  b.high = std::max(b.high, b.low);
  if (binary.getKind() == AffineExprKind::Mod)
    return {0, a.low >= 0 ? std::min(a.high, b.high - 1) : b.high - 1};
  assert(binary.getKind() == AffineExprKind::FloorDiv && "an atom");
  auto quotients = {
      llvm::divideFloorSigned(a.low, b.low),
      llvm::divideFloorSigned(a.low, b.high),
      llvm::divideFloorSigned(a.high, b.low),
      llvm::divideFloorSigned(a.high, b.high),
  };
  return {std::min(quotients), std::max(quotients)};
}

SizeExprs::Range SizeExprs::rangeOfTerms(const Polynomial &sum,
                                         ArrayRef<int64_t> highs) const {
  Range result{0, 0};
  for (auto &[product, factor] : sum) {
    Range term{factor, factor};
    for (AffineExpr atom : product) {
      const Range with = rangeOfAtom(atom, highs);
      auto products = {saturate(__int128(term.low) * with.low),
                       saturate(__int128(term.low) * with.high),
                       saturate(__int128(term.high) * with.low),
                       saturate(__int128(term.high) * with.high)};
      term = {std::min(products), std::max(products)};
    }
    result.low = saturate(__int128(result.low) + term.low);
    result.high = saturate(__int128(result.high) + term.high);
  }
  return result;
}

/// `sum` where the sign of x is as `isNegative` says; none if it never is.
std::optional<SizeExprs::Range>
SizeExprs::rangeWhere(const Polynomial &sum, AffineExpr sign, bool isNegative,
                      ArrayRef<int64_t> highs) const {
  // `sign` is -1 where x is negative, else 0: its terms are negated or go.
  const Polynomial x = polynomial(cast<AffineBinaryOpExpr>(sign).getLHS());
  Range side = rangeWithin(x, highs);
  if (isNegative)
    side.high = std::min<int64_t>(side.high, -1);
  else
    side.low = std::max<int64_t>(side.low, 0);
  // The bounds of x exclude this side.
  if (side.low > side.high)
    return std::nullopt;
  Polynomial value;
  for (auto &[product, factor] : sum) {
    Product others = product;
    llvm::erase(others, sign);
    if (others.size() == product.size())
      accumulate(value, others, factor);
    else if (isNegative)
      accumulate(value, others, -factor);
  }
  Range result = rangeWithin(value, highs);
  // As k * x + rest, by the bounds of x on this side.
  // Terms that are a multiple of those of x: x is bounded more tightly here.
  for (auto &[product, factor] : x) {
    auto same = product.empty() ? value.end() : value.find(product);
    if (same == value.end() || same->second % factor)
      continue;
    const int64_t times = same->second / factor;
    Polynomial rest = value;
    for (auto &[inner, other] : x)
      accumulate(rest, inner, -saturate(__int128(other) * times));
    const Range others = rangeWithin(rest, highs);
    const int64_t a = saturate(__int128(side.low) * times),
                  b = saturate(__int128(side.high) * times);
    result.low =
        std::max(result.low, saturate(__int128(others.low) + std::min(a, b)));
    result.high =
        std::min(result.high, saturate(__int128(others.high) + std::max(a, b)));
  }
  // Both bounds hold; no value satisfies both.
  return result.low <= result.high ? std::optional(result) : std::nullopt;
}

/// Terms with a sign are not independent: bounds are those of both cases.
SizeExprs::Range SizeExprs::rangeWithin(const Polynomial &sum,
                                        ArrayRef<int64_t> highs) const {
  constexpr size_t maxSplit = 4; // each doubles the cases
  llvm::SmallSetVector<AffineExpr, 4> signs;
  for (auto &[product, factor] : sum)
    for (AffineExpr atom : product)
      if (isSign(atom))
        signs.insert(atom);
  if (signs.empty() || signs.size() > maxSplit)
    return rangeOfTerms(sum, highs);
  auto below = rangeWhere(sum, signs.front(), /*isNegative=*/true, highs),
       above = rangeWhere(sum, signs.front(), /*isNegative=*/false, highs);
  if (!below && !above) // inside a case that never is
    return rangeOfTerms(sum, highs);
  if (!below || !above)
    return below ? *below : *above;
  return {std::min(below->low, above->low), std::max(below->high, above->high)};
}

SmallVector<int64_t> SizeExprs::largestSizes() const {
  return llvm::map_to_vector(symbols,
                             [](const Symbol &symbol) { return symbol.max; });
}

/// The symbol of an expression with one; none if it has several or none.
static std::optional<unsigned> onlySymbol(AffineExpr expr) {
  std::optional<unsigned> only;
  bool isOne = true;
  expr.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part)) {
      isOne &= !only || *only == symbol.getPosition();
      only = symbol.getPosition();
    }
  });
  return isOne ? only : std::nullopt;
}

std::optional<SizeExprs::Range>
SizeExprs::rangeByTrial(AffineExpr expr, int64_t maxTried,
                        ArrayRef<int64_t> highs) const {
  auto number = onlySymbol(expr);
  if (!number)
    return std::nullopt;
  const Symbol &symbol = symbols[*number];
  if ((highs[*number] - symbol.min) / symbol.multiple > maxTried)
    return std::nullopt;
  SmallVector<int64_t> sizes(highs);
  std::optional<Range> result;
  for (int64_t size = symbol.smallest(); size <= highs[*number];
       size += symbol.multiple) {
    sizes[*number] = size;
    auto value = valueAt(expr, sizes);
    if (!value)
      return std::nullopt;
    result = result ? Range{std::min(result->low, *value),
                            std::max(result->high, *value)}
                    : Range{*value, *value};
  }
  return result;
}

SizeExprs::Range SizeExprs::range(AffineExpr expr) const {
  const SmallVector<int64_t> highs = largestSizes();
  // Of n and n floordiv 2 in one sum the bounds of terms say little.
  bool hasDivision = false;
  expr.walk([&](AffineExpr part) {
    hasDivision |= part.getKind() == AffineExprKind::FloorDiv ||
                   part.getKind() == AffineExprKind::Mod;
  });
  constexpr int64_t maxTried = 4096;
  if (hasDivision && expr.getKind() == AffineExprKind::Add)
    if (auto exact = rangeByTrial(expr, maxTried, highs))
      return *exact;
  return rangeWithin(polynomial(expr), highs);
}

/// True if no larger size of any symbol makes the value smaller.
static bool isMonotone(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  auto isNotNegative = [](AffineExpr e) {
    auto constant = dyn_cast<AffineConstantExpr>(e);
    return !constant || constant.getValue() >= 0;
  };
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return isMonotone(binary.getLHS()) && isMonotone(binary.getRHS());
  case AffineExprKind::Mul:
    // Factors that are sums may be negative.
    return isMonotone(binary.getLHS()) && isMonotone(binary.getRHS()) &&
           isNotNegative(binary.getLHS()) && isNotNegative(binary.getRHS()) &&
           binary.getLHS().getKind() != AffineExprKind::Add;
  case AffineExprKind::FloorDiv:
    return isMonotone(binary.getLHS()) &&
           isa<AffineConstantExpr>(binary.getRHS());
  default:
    return false;
  }
}

bool SizeExprs::growsWithAll(AffineExpr expr) const {
  SmallVector<AffineExpr> same;
  for (unsigned i = 0; i < symbols.size(); ++i)
    same.push_back(symbol(i));
  for (unsigned i = 0; i < symbols.size(); ++i) {
    SmallVector<AffineExpr> next(same);
    next[i] = same[i] + symbols[i].multiple;
    if (range(sub(expr.replaceSymbols(next), expr)).low < 0)
      return false;
  }
  return true;
}

int64_t SizeExprs::largest(AffineExpr expr, ArrayRef<int64_t> bucket) const {
  assert(bucket.size() == symbols.size() && "one size per symbol");
  if (isMonotone(expr))
    if (auto value = valueAt(expr, bucket))
      return *value;
  constexpr int64_t maxTried = 1 << 16;
  if (auto exact = rangeByTrial(expr, maxTried, bucket))
    return std::max<int64_t>(exact->high, 0);
  // b * s - b: the bounds of its terms are not that of their sum.
  if (growsWithAll(expr))
    if (auto value = valueAt(expr, bucket))
      return *value;
  return rangeWithin(polynomial(expr), bucket).high;
}
