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
  auto symbols = function->getAttrOfType<ArrayAttr>(symbolsAttrName);
  // Else those of the function whose variant it is.
  if (auto name = function->getAttrOfType<FlatSymbolRefAttr>(bucketOfAttrName);
      name && !symbols)
    if (Operation *source =
            SymbolTable::lookupNearestSymbolFrom(function, name))
      symbols = source->getAttrOfType<ArrayAttr>(symbolsAttrName);
  auto bucket = function->getAttrOfType<DenseI64ArrayAttr>(bucketAttrName);
  if (!symbols || !bucket || symbols.size() != size_t(bucket.size()))
    return function.emitError("a variant needs one size in '")
           << bucketAttrName << "' for each symbol in '" << symbolsAttrName
           << "'";
  SymbolSizes sizes;
  sizes.context = function.getContext();
  for (auto [attr, size] : llvm::zip_equal(symbols, bucket.asArrayRef())) {
    auto fields = dyn_cast<DictionaryAttr>(attr);
    auto name = fields ? fields.getAs<StringAttr>("name") : StringAttr();
    auto number = [&](StringRef field, int64_t otherwise) {
      auto value = fields ? fields.getAs<IntegerAttr>(field) : IntegerAttr();
      return value ? value.getInt() : otherwise;
    };
    const int64_t min = number("min", -1), multiple = number("multiple", 1);
    if (!name || min < 0 || multiple < 1 || size < min)
      return function.emitError("symbol ")
             << attr << " does not admit the size " << size << " of the bucket";
    sizes.symbols.push_back({name.str(), min, size, multiple});
  }
  return sizes;
}

bool SymbolSizes::isOfSymbols(AffineExpr expr) const {
  bool result = true;
  expr.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    result &= !isa<AffineDimExpr>(part) &&
              (!symbol || symbol.getPosition() < symbols.size());
  });
  return result;
}

std::optional<int64_t> SymbolSizes::at(AffineExpr expr,
                                       ArrayRef<int64_t> sizes) const {
  return isOfSymbols(expr) ? SizeExprs::valueAt(expr, sizes) : std::nullopt;
}

std::optional<int64_t> SymbolSizes::atBucket(AffineExpr expr) const {
  return at(expr, llvm::map_to_vector(symbols, [](const Symbol &symbol) {
              return symbol.max;
            }));
}

std::pair<int64_t, int64_t> SymbolSizes::rangeOf(AffineExpr expr) const {
  if (!isOfSymbols(expr))
    return {std::numeric_limits<int64_t>::min(),
            std::numeric_limits<int64_t>::max()};
  const SizeExprs::Range range = SizeExprs(context, symbols).range(expr);
  return {range.low, range.high};
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
  for (const Symbol &symbol : symbols) {
    firsts.push_back(llvm::divideCeilSigned(symbol.min, symbol.multiple) *
                     symbol.multiple);
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
  for (auto [i, symbol] : llvm::enumerate(symbols))
    multiples.push_back(getAffineSymbolExpr(i, context) * symbol.multiple);
  return simplify(expr.replaceSymbols(multiples) % divisor) == constant(0);
}

std::string SymbolSizes::text(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbol.getPosition() < symbols.size()
               ? symbols[symbol.getPosition()].name
               : "?";
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return "?";
  auto part = [&](AffineExpr side) {
    const std::string inner = text(side);
    return isa<AffineBinaryOpExpr>(side) ? "(" + inner + ")" : inner;
  };
  const std::string a = part(binary.getLHS()), b = part(binary.getRHS());
  // MLIR writes a difference as a sum with a negative number.
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      if (constant.getValue() < 0)
        return a + " - " + std::to_string(-constant.getValue());
    return a + " + " + b;
  case AffineExprKind::Mul:
    return a + " * " + b;
  case AffineExprKind::FloorDiv:
    return isSign(expr) ? "-[" + a + " < 0]" : a + " / " + b;
  case AffineExprKind::CeilDiv:
    return "ceil(" + a + " / " + b + ")";
  default:
    return a + " mod " + b;
  }
}
