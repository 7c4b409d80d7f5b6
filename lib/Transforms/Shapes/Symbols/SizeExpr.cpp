// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normal forms of sizes.
#include "SizeExpr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace gaudi;

/// A total order of expressions that does not depend on addresses.
static int compare(AffineExpr a, AffineExpr b) {
  if (a == b)
    return 0;
  auto order = [](auto x, auto y) { return x < y ? -1 : int(x > y); };
  // Symbols first: they sort by their numbers.
  auto rank = [](AffineExpr e) {
    return e.getKind() == AffineExprKind::SymbolId ? -1 : int(e.getKind());
  };
  if (int c = order(rank(a), rank(b)))
    return c;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(a))
    return order(symbol.getPosition(), cast<AffineSymbolExpr>(b).getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(a))
    return order(constant.getValue(), cast<AffineConstantExpr>(b).getValue());
  auto x = cast<AffineBinaryOpExpr>(a), y = cast<AffineBinaryOpExpr>(b);
  if (int c = compare(x.getLHS(), y.getLHS()))
    return c;
  return compare(x.getRHS(), y.getRHS());
}

/// By degree, then by the atoms: an order that multiplication keeps, as the
/// division of polynomials needs.
bool SizeExprs::Before::operator()(const Product &a, const Product &b) const {
  if (a.size() != b.size())
    return a.size() < b.size();
  for (auto [x, y] : llvm::zip_equal(a, b))
    if (int c = compare(x, y))
      return c < 0;
  return false;
}

bool SizeExprs::isMultiple(const Product &product, int64_t factor,
                           int64_t divisor) const {
  int64_t rest = factor % divisor;
  for (AffineExpr atom : product)
    if (auto symbol = dyn_cast<AffineSymbolExpr>(atom))
      rest =
          int64_t(__int128(rest) *
                  (symbols[symbol.getPosition()].multiple % divisor) % divisor);
  return rest == 0;
}

bool gaudi::isSign(AffineExpr expr) {
  auto division = dyn_cast<AffineBinaryOpExpr>(expr);
  return division && division.getKind() == AffineExprKind::FloorDiv &&
         division.getRHS() ==
             getAffineConstantExpr(signDivisor, expr.getContext());
}

void SizeExprs::accumulate(Polynomial &sum, Product product,
                           int64_t factor) const {
  // s * s is -s where s is -1 or 0. Equal atoms are neighbours.
  for (size_t i = 1; i < product.size();)
    if (product[i] == product[i - 1] && isSign(product[i])) {
      product.erase(product.begin() + i);
      factor = -factor;
    } else {
      ++i;
    }
  // c * (x floordiv c) is x where c divides x.
  for (AffineExpr &atom : product) {
    auto division = dyn_cast<AffineBinaryOpExpr>(atom);
    if (!division || division.getKind() != AffineExprKind::FloorDiv)
      continue;
    auto divisor = dyn_cast<AffineConstantExpr>(division.getRHS());
    // Each term of the dividend must be a multiple, or the quotient loses a
    // remainder.
    if (!divisor || factor % divisor.getValue())
      continue;
    const Polynomial dividend = polynomial(division.getLHS());
    if (!llvm::all_of(dividend, [&](auto &term) {
          return isMultiple(term.first, term.second, divisor.getValue());
        }))
      continue;
    Product others = product;
    others.erase(others.begin() + (&atom - product.begin()));
    // The product with the dividend in place of the division.
    for (auto &[atoms, inner] : dividend) {
      Product whole = others;
      llvm::append_range(whole, atoms);
      llvm::sort(whole, [](auto x, auto y) { return compare(x, y) < 0; });
      accumulate(sum, whole,
                 saturate(__int128(factor / divisor.getValue()) * inner));
    }
    return;
  }
  // Terms with equal atoms are added; those that cancel go.
  auto [it, isNew] = sum.try_emplace(std::move(product), 0);
  it->second = saturate(__int128(it->second) + factor);
  if (it->second == 0)
    sum.erase(it);
}

SizeExprs::Polynomial SizeExprs::multiply(const Polynomial &a,
                                          const Polynomial &b) const {
  Polynomial result;
  for (auto &[x, m] : a)
    for (auto &[y, n] : b) {
      Product product = x;
      llvm::append_range(product, y);
      llvm::sort(product, [](auto p, auto q) { return compare(p, q) < 0; });
      accumulate(result, product, saturate(__int128(m) * n));
    }
  return result;
}

std::optional<SizeExprs::Polynomial>
SizeExprs::exactQuotient(Polynomial a, const Polynomial &b) const {
  Polynomial result;
  if (b.empty())
    return std::nullopt;
  const auto &[leading, leadingFactor] = *b.rbegin();
  while (!a.empty()) {
    const auto &[atoms, factor] = *a.rbegin();
    Product left;
    // Both are sorted: a difference of multisets.
    std::set_difference(atoms.begin(), atoms.end(), leading.begin(),
                        leading.end(), std::back_inserter(left),
                        [](auto x, auto y) { return compare(x, y) < 0; });
    if (left.size() + leading.size() != atoms.size() || factor % leadingFactor)
      return std::nullopt;
    const int64_t times = factor / leadingFactor;
    const Product before = atoms;
    accumulate(result, left, times);
    for (auto &[product, term] : multiply(b, {{left, times}}))
      accumulate(a, product, -term);
    // Each step removes the leading term and adds smaller ones only.
    if (!a.empty() && !Before()(a.rbegin()->first, before))
      return std::nullopt;
  }
  return result;
}

/// Null if a recipe would have too many steps for it.
static AffineExpr ifShort(AffineExpr expr) {
  constexpr unsigned most = 48; // a recipe has 64
  unsigned count = 0;
  expr.walk([&](AffineExpr) { ++count; });
  return count <= most ? expr : AffineExpr();
}

/// The only number of a polynomial, if it is constant.
template <typename Polynomial>
static std::optional<int64_t> constantOf(const Polynomial &sum) {
  if (sum.empty())
    return 0;
  if (sum.size() == 1 && sum.begin()->first.empty())
    return sum.begin()->second;
  return std::nullopt;
}

SizeExprs::Polynomial SizeExprs::sign(Polynomial sum) const {
  const Range bounds = rangeWithin(sum, largestSizes());
  if (bounds.low >= 0)
    return {};
  if (bounds.high < 0)
    return {{{}, -1}};
  // x < 0 if and only if x floordiv g < 0, for the greatest g that divides all
  // of x but its constant; and x < 0 if and only if not -x - 1 < 0.
  int64_t divisor = 0;
  for (auto &[product, factor] : sum)
    if (!product.empty())
      divisor = std::gcd(divisor, factor);
  const bool isOpposite = sum.rbegin()->second < 0;
  Polynomial inner;
  for (auto &[product, factor] : sum)
    if (!product.empty())
      accumulate(inner, product, (isOpposite ? -factor : factor) / divisor);
  auto constant = sum.find({});
  int64_t offset = constant == sum.end() ? 0 : constant->second;
  if (isOpposite)
    offset = -offset - 1;
  offset = llvm::divideFloorSigned(offset, divisor);
  if (offset)
    accumulate(inner, {}, offset);
  const Product atom{expression(inner).floorDiv(signDivisor)};
  if (isOpposite)
    return {{{}, -1}, {atom, -1}};
  return {{atom, 1}};
}

SizeExprs::Polynomial SizeExprs::quotient(const Polynomial &a,
                                          const Polynomial &b) const {
  if (auto exact = exactQuotient(a, b))
    return *exact;
  auto divisor = constantOf(b);
  if (divisor == signDivisor)
    return sign(a);
  if (!divisor || *divisor <= 0)
    return {{{expression(a).floorDiv(expression(b))}, 1}};
  // (c q + r) floordiv c = q + r floordiv c
  Polynomial whole, rest;
  for (auto &[product, factor] : a) {
    const int64_t part = llvm::divideFloorSigned(factor, *divisor);
    const int64_t left = factor - part * *divisor;
    // A constant is split, a product stays whole: floordiv of s by 2 is no
    // polynomial, of 3 s it is s + s floordiv 2.
    if (part)
      accumulate(whole, product, part);
    if (left)
      accumulate(rest, product, left);
  }
  if (rest.empty())
    return whole;
  const Range bounds = rangeWithin(rest, largestSizes());
  if (bounds.low >= 0 && bounds.high < *divisor)
    return whole;
  AffineExpr dividend = expression(rest);
  // (x floordiv m) floordiv n = x floordiv (m n)
  if (auto inner = dyn_cast<AffineBinaryOpExpr>(dividend))
    if (inner.getKind() == AffineExprKind::FloorDiv)
      if (auto first = dyn_cast<AffineConstantExpr>(inner.getRHS())) {
        dividend = inner.getLHS();
        divisor = saturate(__int128(*divisor) * first.getValue());
      }
  accumulate(whole, {dividend.floorDiv(*divisor)}, 1);
  return whole;
}

SizeExprs::Polynomial SizeExprs::remainder(const Polynomial &a,
                                           const Polynomial &b) const {
  if (exactQuotient(a, b))
    return {};
  auto divisor = constantOf(b);
  if (!divisor || *divisor <= 0)
    return {{{expression(a) % expression(b)}, 1}};
  Polynomial rest;
  for (auto &[product, factor] : a)
    if (!isMultiple(product, factor, *divisor))
      accumulate(rest, product, llvm::mod(factor, uint64_t(*divisor)));
  const Range bounds = rangeWithin(rest, largestSizes());
  if (bounds.low >= 0 && bounds.high < *divisor)
    return rest;
  return {{{expression(rest) % *divisor}, 1}};
}

std::optional<int64_t> SizeExprs::onlySize(AffineExpr expr) const {
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  if (!symbol || symbol.getPosition() >= symbols.size())
    return std::nullopt;
  const Symbol &bounds = symbols[symbol.getPosition()];
  return bounds.min == bounds.max ? std::optional(bounds.min) : std::nullopt;
}

SizeExprs::Polynomial SizeExprs::polynomial(AffineExpr expr) const {
  Polynomial result;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    accumulate(result, {}, constant.getValue());
    return result;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    // A symbol of one size is that number, so that it equals static sizes.
    if (std::optional<int64_t> size = onlySize(expr))
      accumulate(result, {}, *size);
    else
      accumulate(result, {expr}, 1);
    return result;
  }
  const Polynomial a = polynomial(binary.getLHS()),
                   b = polynomial(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    result = a;
    for (auto &[product, factor] : b)
      accumulate(result, product, factor);
    return result;
  case AffineExprKind::Mul:
    return multiply(a, b);
  case AffineExprKind::FloorDiv:
    return quotient(a, b);
  case AffineExprKind::CeilDiv: {
    // (a + b - 1) floordiv b
    Polynomial raised = a;
    for (auto &[product, factor] : b)
      accumulate(raised, product, factor);
    accumulate(raised, {}, -1);
    // Exact quotients need no rounding.
    if (auto exact = exactQuotient(a, b))
      return *exact;
    return quotient(raised, b);
  }
  case AffineExprKind::Mod:
    return remainder(a, b);
  default:
    llvm_unreachable("sizes have no other ops");
  }
}

AffineExpr SizeExprs::expression(const Polynomial &sum) const {
  AffineExpr result;
  for (auto &[product, factor] : llvm::reverse(sum)) {
    AffineExpr term;
    for (AffineExpr atom : product)
      term = term ? term * atom : atom;
    term = !term ? constant(factor) : factor == 1 ? term : term * factor;
    result = result ? result + term : term;
  }
  return result ? result : constant(0);
}

AffineExpr SizeExprs::normal(AffineExpr expr) const {
  return expression(polynomial(expr));
}
AffineExpr SizeExprs::add(AffineExpr a, AffineExpr b) const {
  return normal(a + b);
}
AffineExpr SizeExprs::sub(AffineExpr a, AffineExpr b) const {
  return normal(a - b);
}
AffineExpr SizeExprs::mul(AffineExpr a, AffineExpr b) const {
  return expression(multiply(polynomial(a), polynomial(b)));
}
AffineExpr SizeExprs::floorDiv(AffineExpr a, AffineExpr b) const {
  return expression(quotient(polynomial(a), polynomial(b)));
}
AffineExpr SizeExprs::ceilDiv(AffineExpr a, AffineExpr b) const {
  const Polynomial x = polynomial(a), y = polynomial(b);
  if (auto exact = exactQuotient(x, y))
    return expression(*exact);
  return expression(quotient(polynomial(a + b - 1), y));
}
AffineExpr SizeExprs::exactQuotient(AffineExpr a, AffineExpr b) const {
  // With a symbol m * u for each multiple of m, parts divide parts.
  SmallVector<Symbol> units = symbols;
  SmallVector<AffineExpr> inUnits, back;
  for (auto [i, unit] : llvm::enumerate(units)) {
    const int64_t multiple = std::exchange(unit.multiple, 1);
    unit.min = llvm::divideCeilSigned(unit.min, multiple);
    unit.max /= multiple;
    inUnits.push_back(symbol(i) * multiple);
    back.push_back(symbol(i).floorDiv(multiple));
  }
  const SizeExprs inner(context, units);
  auto exact = inner.exactQuotient(inner.polynomial(a.replaceSymbols(inUnits)),
                                   inner.polynomial(b.replaceSymbols(inUnits)));
  return exact ? normal(inner.expression(*exact).replaceSymbols(back))
               : AffineExpr();
}
AffineExpr SizeExprs::mod(AffineExpr a, AffineExpr b) const {
  return expression(remainder(polynomial(a), polynomial(b)));
}
AffineExpr SizeExprs::atLeast(AffineExpr a, AffineExpr b) const {
  const AffineExpr difference = sub(a, b);
  const Range bounds = range(difference);
  if (bounds.low >= 0 || bounds.high < 0)
    return constant(bounds.low >= 0 ? 1 : 0);
  if (bounds.low <= -signDivisor / 2 || bounds.high >= signDivisor / 2)
    return {};
  Polynomial result = sign(polynomial(difference));
  accumulate(result, {}, 1);
  return ifShort(expression(result));
}

AffineExpr SizeExprs::max(AffineExpr a, AffineExpr b) const {
  if (isAtLeast(a, b))
    return a;
  if (isAtLeast(b, a))
    return b;
  // Of both orders the one whose difference has a positive leading term, so
  // that both give one expression.
  if (polynomial(a - b).rbegin()->second < 0)
    std::swap(a, b);
  AffineExpr isFirst = atLeast(a, b);
  return isFirst ? ifShort(add(b, mul(sub(a, b), isFirst))) : AffineExpr();
}

AffineExpr SizeExprs::min(AffineExpr a, AffineExpr b) const {
  AffineExpr larger = max(a, b);
  return larger ? ifShort(sub(add(a, b), larger)) : AffineExpr();
}

std::optional<int64_t> SizeExprs::valueAt(AffineExpr expr,
                                          ArrayRef<int64_t> sizes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return sizes[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto a = valueAt(binary.getLHS(), sizes), b = valueAt(binary.getRHS(), sizes);
  if (!a || !b)
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return llvm::checkedAdd(*a, *b);
  case AffineExprKind::Mul:
    return llvm::checkedMul(*a, *b);
  default:
    break;
  }
  // Affine quotients and rests are those by positive numbers.
  if (*b <= 0)
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*a, *b);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*a, *b);
  default:
    return llvm::mod(*a, uint64_t(*b));
  }
}

/// As MLIR writes it, with names for the symbols; `isTight`: in parentheses
/// unless it is a single word.
static std::string textOf(AffineExpr expr, ArrayRef<Symbol> symbols,
                          bool isTight = false) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbol.getPosition() < symbols.size()
               ? symbols[symbol.getPosition()].name
               : "?";
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return "?";
  const AffineExpr left = binary.getLHS(), right = binary.getRHS();
  if (isSign(expr))
    return "-[" + textOf(left, symbols) + " < 0]";
  std::string text;
  auto write = [&](AffineExpr lhs, StringRef word, AffineExpr rhs) {
    text = textOf(lhs, symbols, /*isTight=*/true) + word.str() +
           textOf(rhs, symbols, /*isTight=*/true);
  };
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    if (right == getAffineConstantExpr(-1, expr.getContext()))
      text = "-" + textOf(left, symbols, /*isTight=*/true);
    else
      write(left, " * ", right);
    break;
  case AffineExprKind::FloorDiv:
    write(left, " floordiv ", right);
    break;
  case AffineExprKind::CeilDiv:
    write(left, " ceildiv ", right);
    break;
  case AffineExprKind::Mod:
    write(left, " mod ", right);
    break;
  default: {
    text = textOf(left, symbols);
    // A difference is a sum with a negative number or product.
    auto number = dyn_cast<AffineConstantExpr>(right);
    auto product = dyn_cast<AffineBinaryOpExpr>(right);
    auto factor = product && product.getKind() == AffineExprKind::Mul
                      ? dyn_cast<AffineConstantExpr>(product.getRHS())
                      : AffineConstantExpr();
    if (number && number.getValue() < 0)
      text += " - " + std::to_string(-number.getValue());
    else if (factor && factor.getValue() == -1)
      text += " - " + textOf(product.getLHS(), symbols, /*isTight=*/true);
    else if (factor && factor.getValue() < -1)
      text += " - " + textOf(product.getLHS(), symbols, /*isTight=*/true) +
              " * " + std::to_string(-factor.getValue());
    else
      text += " + " + textOf(right, symbols);
  }
  }
  return isTight ? "(" + text + ")" : text;
}

std::string SizeExprs::text(AffineExpr expr) const {
  return textOf(expr, symbols);
}
