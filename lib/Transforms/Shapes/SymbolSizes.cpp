// Arithmetic on sizes of symbols.
#include "SymbolSizes.h"
#include "Gaudi/Dialect/Symbols.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::gaudi;

using Interval = std::pair<int64_t, int64_t>;

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

std::optional<int64_t> SymbolSizes::at(AffineExpr expr,
                                       ArrayRef<int64_t> sizes) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbol.getPosition() < sizes.size()
               ? std::optional(sizes[symbol.getPosition()])
               : std::nullopt;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  const auto a = at(binary.getLHS(), sizes), b = at(binary.getRHS(), sizes);
  if (!a || !b)
    return std::nullopt;
  int64_t result;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::AddOverflow(*a, *b, result) ? std::nullopt
                                             : std::optional(result);
  case AffineExprKind::Mul:
    return llvm::MulOverflow(*a, *b, result) ? std::nullopt
                                             : std::optional(result);
  case AffineExprKind::FloorDiv:
    return *b > 0 ? std::optional(llvm::divideFloorSigned(*a, *b))
                  : std::nullopt;
  case AffineExprKind::CeilDiv:
    return *b > 0 ? std::optional(llvm::divideCeilSigned(*a, *b))
                  : std::nullopt;
  case AffineExprKind::Mod:
    return *b > 0 ? std::optional(llvm::mod(*a, *b)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> SymbolSizes::atBucket(AffineExpr expr) const {
  return at(expr, llvm::map_to_vector(symbols, [](const Symbol &symbol) {
              return symbol.bucket;
            }));
}

static constexpr Interval everything = {std::numeric_limits<int64_t>::min(),
                                        std::numeric_limits<int64_t>::max()};

/// Bounds of `a op b` from those of a and b, where op is monotone in each:
/// the extremes are at corners.
template <typename Op>
static Interval atCorners(Interval a, Interval b, Op op) {
  Interval result = {everything.second, everything.first};
  for (int64_t x : {a.first, a.second})
    for (int64_t y : {b.first, b.second}) {
      int64_t value;
      if (op(x, y, value))
        return everything;
      result = {std::min(result.first, value), std::max(result.second, value)};
    }
  return result;
}

std::pair<int64_t, int64_t> SymbolSizes::rangeOf(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    if (symbol.getPosition() >= symbols.size())
      return everything;
    const Symbol &range = symbols[symbol.getPosition()];
    return {range.min, range.bucket};
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return everything;
  const Interval a = rangeOf(binary.getLHS()), b = rangeOf(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return atCorners(a, b, [](int64_t x, int64_t y, int64_t &value) {
      return llvm::AddOverflow(x, y, value);
    });
  case AffineExprKind::Mul:
    return atCorners(a, b, [](int64_t x, int64_t y, int64_t &value) {
      return llvm::MulOverflow(x, y, value);
    });
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    if (b.first <= 0 || a == everything)
      return everything;
    return atCorners(a, b, [&](int64_t x, int64_t y, int64_t &value) {
      value = expr.getKind() == AffineExprKind::FloorDiv
                  ? llvm::divideFloorSigned(x, y)
                  : llvm::divideCeilSigned(x, y);
      return false;
    });
  case AffineExprKind::Mod:
    return b.first > 0 ? Interval(0, b.second - 1) : everything;
  default:
    return everything;
  }
}

bool SymbolSizes::areEqual(AffineExpr a, AffineExpr b) const {
  if (a == b)
    return true;
  const AffineExpr difference = simplify(a - b);
  if (auto constant = dyn_cast<AffineConstantExpr>(difference))
    return constant.getValue() == 0;
  constexpr int64_t most = 4096;
  SmallVector<int64_t> firsts;
  int64_t count = 1;
  for (const Symbol &symbol : symbols) {
    firsts.push_back(llvm::divideCeilSigned(symbol.min, symbol.multiple) *
                     symbol.multiple);
    const int64_t steps =
        std::max<int64_t>(0, symbol.bucket - firsts.back()) / symbol.multiple +
        1;
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
      if (sizes[s] <= symbols[s].bucket)
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
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      if (constant.getValue() < 0)
        return a + " - " + std::to_string(-constant.getValue());
    return a + " + " + b;
  case AffineExprKind::Mul:
    return a + " * " + b;
  case AffineExprKind::FloorDiv:
    return a + " / " + b;
  case AffineExprKind::CeilDiv:
    return "ceil(" + a + " / " + b + ")";
  default:
    return a + " mod " + b;
  }
}
