// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing symbols: attributes, entries of dimensions, the option.
#include "SymbolSyntax.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Shapes/SymbolText.h"
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/Units.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gaudi;

std::optional<Symbol> gaudi::symbolOf(Attribute entry) {
  auto fields = dyn_cast<DictionaryAttr>(entry);
  auto number = [&](StringRef name) {
    auto value = fields ? fields.getAs<IntegerAttr>(name) : IntegerAttr();
    return value ? value.getInt() : -1;
  };
  auto name = fields ? fields.getAs<StringAttr>("name") : StringAttr();
  const int64_t min = number("min"), max = number("max"),
                multiple = number("multiple");
  if (!name || min < 0 || max < min || max > maxSymbolSize || multiple < 1 ||
      multiple > maxSymbolSize)
    return std::nullopt;
  return Symbol{name.str(), min, max, multiple};
}

SmallVector<Symbol> gaudi::symbolsOf(func::FuncOp function) {
  SmallVector<Symbol> symbols;
  if (auto list = function->getAttrOfType<ArrayAttr>(symbolsAttrName))
    for (Attribute entry : list) {
      std::optional<Symbol> symbol = symbolOf(entry);
      if (!symbol)
        return {};
      symbols.push_back(std::move(*symbol));
    }
  return symbols;
}

ArrayAttr gaudi::symbolsAttr(MLIRContext *context, ArrayRef<Symbol> symbols) {
  Builder b(context);
  SmallVector<Attribute> list;
  for (const Symbol &symbol : symbols)
    list.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("name", b.getStringAttr(symbol.name)),
         b.getNamedAttr("min", b.getI64IntegerAttr(symbol.min)),
         b.getNamedAttr("max", b.getI64IntegerAttr(symbol.max)),
         b.getNamedAttr("multiple", b.getI64IntegerAttr(symbol.multiple))}));
  return b.getArrayAttr(list);
}

static_assert(maxSymbolSize == shapes::largestSymbol);

static bool isInName(char c) { return llvm::isAlnum(c) || c == '_'; }

std::string SymbolReader::addBounds(StringRef entry) {
  // A name alone has its bounds elsewhere.
  if (!entry.contains('='))
    return "";
  auto parsed = shapes::parseSymbol(entry);
  if (!parsed)
    return parsed.error().message;
  Symbol &symbol = *parsed;
  // Naming a symbol again with the same bounds is allowed.
  for (const Symbol &other : symbols)
    if (other.name == symbol.name &&
        (other.min != symbol.min || other.max != symbol.max ||
         other.multiple != symbol.multiple))
      return "'" + entry.str() + "': symbol '" + symbol.name +
             "' has the bounds " + std::to_string(other.min) + ".." +
             std::to_string(other.max) + "/" + std::to_string(other.multiple) +
             " already";
  add(std::move(symbol));
  return "";
}

void SymbolReader::add(Symbol symbol) {
  if (llvm::none_of(symbols, [&](const Symbol &other) {
        return other.name == symbol.name;
      }))
    symbols.push_back(std::move(symbol));
}

namespace {
/// Sums of products of names and numbers, with parentheses.
class ExpressionParser {
public:
  ExpressionParser(StringRef text, ArrayRef<Symbol> symbols,
                   MLIRContext *context)
      : text(text), rest(text), symbols(symbols), context(context) {}

  AffineExpr parse() {
    AffineExpr result = sum(0);
    if (result && !rest.empty())
      return refuse("'" + text.str() +
                    "' is not a sum of products of names "
                    "and numbers");
    return result;
  }
  std::string problem;

private:
  /// Parentheses nest no deeper.
  static constexpr unsigned maxDepth = 32;

  AffineExpr refuse(std::string why) {
    if (problem.empty())
      problem = std::move(why);
    return {};
  }
  bool consume(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }
  AffineExpr sum(unsigned depth) {
    AffineExpr result = product(depth);
    while (result) {
      const bool isPlus = consume('+');
      if (!isPlus && !consume('-'))
        return result;
      AffineExpr other = product(depth);
      if (!other)
        return {};
      result = isPlus ? result + other : result - other;
    }
    return {};
  }
  AffineExpr product(unsigned depth) {
    AffineExpr result = factor(depth);
    while (result && consume('*')) {
      AffineExpr other = factor(depth);
      result = other ? result * other : AffineExpr();
    }
    return result;
  }
  AffineExpr factor(unsigned depth) {
    rest = rest.ltrim();
    if (depth < maxDepth && consume('(')) {
      AffineExpr inner = sum(depth + 1);
      if (inner && !consume(')'))
        return refuse("'" + text.str() + "': a parenthesis is not closed");
      return inner;
    }
    int64_t number = 0;
    StringRef name = rest.take_while(isInName);
    if (name.empty())
      return refuse("'" + text.str() +
                    "' is not a sum of products of names "
                    "and numbers");
    rest = rest.drop_front(name.size()).ltrim();
    if (!name.getAsInteger(10, number) && number <= maxSymbolSize)
      return getAffineConstantExpr(number, context);
    for (auto [i, symbol] : llvm::enumerate(symbols))
      if (symbol.name == name)
        return getAffineSymbolExpr(i, context);
    return refuse("symbol '" + name.str() + "' has no bounds; give them as '" +
                  name.str() + "=MIN..MAX' at one of its dimensions");
  }

  StringRef text, rest;
  ArrayRef<Symbol> symbols;
  MLIRContext *context;
};
} // namespace

AffineExpr SymbolReader::sizeOf(StringRef entry, MLIRContext *context,
                                std::string &problem) const {
  ExpressionParser parser(entry.split('=').first.trim(), symbols, context);
  AffineExpr result = parser.parse();
  problem = parser.problem;
  return result;
}

/// One item "x:batch=1..64,seq".
static std::string applyItem(func::FuncOp function, StringRef item) {
  auto [left, right] = item.split(':');
  const StringRef name = left.trim();
  std::optional<unsigned> number;
  std::vector<std::string> names;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    names.push_back(argumentName(function, i));
    if (names.back() == name)
      number = i;
  }
  if (!number)
    return "function '" + function.getName().str() + "' has no argument '" +
           name.str() + "'; " + meantAmong(name, names) + "it has " +
           (names.empty() ? "none" : "'" + llvm::join(names, "', '") + "'") +
           numberedAdvice(names);
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[*number]);
  SmallVector<StringRef> entries;
  right.split(entries, ',');
  // One entry per dynamic dimension, or one per dimension.
  const size_t numDynamic = type ? type.getNumDynamicDims() : 0,
               rank = type ? type.getRank() : 0;
  if (entries.size() != numDynamic && entries.size() != rank)
    return "argument '" + name.str() + "' has " +
           countOf(numDynamic, "dynamic dimension") + " of " +
           std::to_string(rank) + " but got " +
           countOf(entries.size(), "entry", "entries") +
           "; write NAME=MIN..MAX for each dynamic dimension, in order";
  // Nothing that a launch passes would tell the symbol of a static dimension.
  for (size_t dim = 0; entries.size() == rank && dim < rank; ++dim) {
    if (type.isDynamicDim(dim) || !entries[dim].contains('='))
      continue;
    SmallVector<StringRef> dynamic;
    for (auto [i, entry] : llvm::enumerate(entries))
      if (type.isDynamicDim(i))
        dynamic.push_back(entry.trim());
    return "dimension " + std::to_string(dim) + " of argument '" + name.str() +
           "' is " + std::to_string(type.getDimSize(dim)) +
           " in the model, so '" + entries[dim].trim().str() +
           "' cannot bound it; name the dynamic dimensions only: " +
           name.str() + ":" + llvm::join(dynamic, ",");
  }
  SmallVector<Attribute> dims;
  const StringRef *next = entries.begin();
  for (size_t dim = 0; dim < rank; ++dim) {
    const bool hasEntry = entries.size() == rank || type.isDynamicDim(dim);
    dims.push_back(StringAttr::get(function.getContext(),
                                   hasEntry ? (next++)->trim() : ""));
  }
  function.setArgAttr(*number, dimsAttrName,
                      ArrayAttr::get(function.getContext(), dims));
  return "";
}

std::string gaudi::applyShapeOption(func::FuncOp function, StringRef text) {
  SmallVector<StringRef> items;
  text.split(items, ';', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  // First, so that the option is blamed and not the model that gets it.
  if (Status form = shapes::checkShapes(text); !form)
    return form.error().message;
  for (StringRef item : items)
    if (std::string problem = applyItem(function, item.trim());
        !problem.empty())
      return problem;
  return "";
}
