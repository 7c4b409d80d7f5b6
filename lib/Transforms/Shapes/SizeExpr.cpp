// Normal forms and bounds of sizes.
#include "SizeExpr.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::gaudi;

/// Far beyond all sizes; arithmetic stops there.
static int64_t saturate(__int128 value) {
  constexpr int64_t limit = int64_t(1) << 62;
  return value > limit ? limit : value < -limit ? -limit : int64_t(value);
}

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

void SizeExprs::accumulate(Polynomial &sum, Product product,
                           int64_t factor) const {
  // c * (x floordiv c) is x where c divides x.
  for (AffineExpr &atom : product) {
    auto division = dyn_cast<AffineBinaryOpExpr>(atom);
    if (!division || division.getKind() != AffineExprKind::FloorDiv)
      continue;
    auto divisor = dyn_cast<AffineConstantExpr>(division.getRHS());
    if (!divisor || factor % divisor.getValue())
      continue;
    const Polynomial dividend = polynomial(division.getLHS());
    if (!llvm::all_of(dividend, [&](auto &term) {
          return isMultiple(term.first, term.second, divisor.getValue());
        }))
      continue;
    Product others = product;
    others.erase(others.begin() + (&atom - product.begin()));
    for (auto &[atoms, inner] : dividend) {
      Product whole = others;
      llvm::append_range(whole, atoms);
      llvm::sort(whole, [](auto x, auto y) { return compare(x, y) < 0; });
      accumulate(sum, whole, factor / divisor.getValue() * inner);
    }
    return;
  }
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

/// The only number of a polynomial, if it is constant.
template <typename Polynomial>
static std::optional<int64_t> constantOf(const Polynomial &sum) {
  if (sum.empty())
    return 0;
  if (sum.size() == 1 && sum.begin()->first.empty())
    return sum.begin()->second;
  return std::nullopt;
}

SizeExprs::Polynomial SizeExprs::quotient(const Polynomial &a,
                                          const Polynomial &b) const {
  if (auto exact = exactQuotient(a, b))
    return *exact;
  auto divisor = constantOf(b);
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
  SmallVector<int64_t> highs;
  for (const Symbol &symbol : symbols)
    highs.push_back(symbol.max);
  const Range bounds = rangeWithin(rest, highs);
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
  SmallVector<int64_t> highs;
  for (const Symbol &symbol : symbols)
    highs.push_back(symbol.max);
  const Range bounds = rangeWithin(rest, highs);
  if (bounds.low >= 0 && bounds.high < *divisor)
    return rest;
  return {{{expression(rest) % *divisor}, 1}};
}

SizeExprs::Polynomial SizeExprs::polynomial(AffineExpr expr) const {
  Polynomial result;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    accumulate(result, {}, constant.getValue());
    return result;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
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
  auto exact = exactQuotient(polynomial(a), polynomial(b));
  return exact ? expression(*exact) : AffineExpr();
}
AffineExpr SizeExprs::mod(AffineExpr a, AffineExpr b) const {
  return expression(remainder(polynomial(a), polynomial(b)));
}
AffineExpr SizeExprs::max(AffineExpr a, AffineExpr b) const {
  return isAtLeast(a, b) ? a : isAtLeast(b, a) ? b : AffineExpr();
}
AffineExpr SizeExprs::min(AffineExpr a, AffineExpr b) const {
  return isAtLeast(a, b) ? b : isAtLeast(b, a) ? a : AffineExpr();
}

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

SizeExprs::Range SizeExprs::rangeWithin(const Polynomial &sum,
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

SizeExprs::Range SizeExprs::range(AffineExpr expr) const {
  SmallVector<int64_t> highs;
  for (const Symbol &symbol : symbols)
    highs.push_back(symbol.max);
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

int64_t SizeExprs::largest(AffineExpr expr, ArrayRef<int64_t> bucket) const {
  assert(bucket.size() == symbols.size() && "one size per symbol");
  if (isMonotone(expr))
    if (auto value = valueAt(expr, bucket))
      return *value;
  llvm::SmallBitVector used(symbols.size());
  expr.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      used.set(symbol.getPosition());
  });
  const int64_t bound = rangeWithin(polynomial(expr), bucket).high;
  constexpr int64_t maxTried = 1 << 16;
  if (used.count() != 1)
    return bound;
  const unsigned number = used.find_first();
  const Symbol &symbol = symbols[number];
  if ((bucket[number] - symbol.min) / symbol.multiple > maxTried)
    return bound;
  SmallVector<int64_t> sizes(bucket);
  int64_t result = 0;
  for (int64_t size = symbol.min; size <= bucket[number];
       size += symbol.multiple) {
    sizes[number] = size;
    result = std::max(result, valueAt(expr, sizes).value_or(0));
  }
  return result;
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

std::string SizeExprs::text(AffineExpr expr) const {
  std::string numbered;
  llvm::raw_string_ostream(numbered) << expr;
  std::string result;
  for (StringRef rest = numbered; !rest.empty();) {
    unsigned number = 0;
    StringRef after = rest.drop_front();
    // Numbers of symbols follow an 's', which no other word ends with: "floor",
    // "ceil" and "mod" are the only ones.
    if (rest.front() == 's' && !after.consumeInteger(10, number) &&
        number < symbols.size()) {
      result += symbols[number].name;
      rest = after;
      continue;
    }
    result += rest.front();
    rest = rest.drop_front();
  }
  return result;
}
