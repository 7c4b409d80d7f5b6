// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints and parses how an entry chooses among its variants.
#include "DispatchText.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Sizes.h"

namespace gaudi::recipe {
namespace {

void printTensors(
    TextWriter &out, const char *kind,
    const flatbuffers::Vector<flatbuffers::Offset<SizedTensor>> *tensors) {
  for (const SizedTensor *tensor : items(tensors)) {
    std::vector<std::string> sizes;
    for (const Size *size : items(tensor->sizes()))
      sizes.push_back(sizeText(*size));
    out.put("  {} {} {}[{}]\n", kind, quoted(text(tensor->name())),
            elementName(tensor->type()), fmt::join(sizes, ", "));
  }
}

class DispatchParser {
public:
  explicit DispatchParser(Lexer &lexer) : lexer(lexer) {}

  std::unique_ptr<DispatchT> parse() {
    auto dispatch = std::make_unique<DispatchT>();
    while (lexer.accept("symbol")) {
      auto symbol = std::make_unique<SymbolT>();
      symbol->name = lexer.string();
      symbol->min = lexer.integer();
      lexer.expect("to");
      symbol->max = lexer.integer();
      if (lexer.accept("multiple"))
        symbol->multiple = lexer.integer();
      dispatch->symbols.push_back(std::move(symbol));
    }
    while (lexer.accept("input"))
      dispatch->inputs.push_back(parseTensor());
    while (lexer.accept("output"))
      dispatch->outputs.push_back(parseTensor());
    while (lexer.accept("variant"))
      dispatch->variants.push_back(parseVariant());
    return dispatch;
  }

private:
  Lexer &lexer;

  std::unique_ptr<SizedTensorT> parseTensor() {
    auto tensor = std::make_unique<SizedTensorT>();
    tensor->name = lexer.string();
    tensor->type = parseElementType(lexer);
    lexer.list("[", "]", [&] { tensor->sizes.push_back(parseSize()); });
    return tensor;
  }

  std::unique_ptr<VariantT> parseVariant() {
    auto variant = std::make_unique<VariantT>();
    variant->entry = lexer.id();
    lexer.expect("sizes");
    variant->sizes = lexer.integers();
    if (lexer.accept("picoseconds"))
      variant->picoseconds = lexer.integer();
    while (lexer.accept("extent")) {
      auto extent = std::make_unique<ExtentT>();
      extent->input = lexer.id();
      lexer.expect("=");
      extent->value = parseSize();
      variant->extents.push_back(std::move(extent));
    }
    return variant;
  }

  std::unique_ptr<SizeT> parseSize() {
    auto size = std::make_unique<SizeT>();
    parseTerm(*size, 0);
    return size;
  }

  /// A number, a symbol, or "(term op term)". The depth bounds the recursion.
  void parseTerm(SizeT &size, uint32_t depth) {
    const Token start = lexer.peek();
    if (!lexer.accept("(")) {
      if (start.kind == Token::Word)
        size.steps.emplace_back(parseSymbol(), SizeOp::Symbol);
      else
        size.steps.emplace_back(lexer.integer(), SizeOp::Const);
      return;
    }
    if (depth == maxSizeSteps)
      return lexer.error(start, "this size is nested too deeply");
    parseTerm(size, depth + 1);
    const SizeOp op = parseOp();
    parseTerm(size, depth + 1);
    lexer.expect(")");
    size.steps.emplace_back(0, op);
  }

  /// "s0", "s1", ...
  int64_t parseSymbol() {
    const Token token = lexer.take();
    int64_t number = 0;
    bool valid =
        token.text.size() > 1 && token.text.size() < 9 && token.text[0] == 's';
    for (const char digit : token.text.substr(1)) {
      valid = valid && digit >= '0' && digit <= '9';
      if (valid)
        number = 10 * number + (digit - '0');
    }
    if (!valid)
      lexer.error(token,
                  "expected a number, a symbol like s0, or '(' but got "
                  "'{}'",
                  token.text.substr(0, 40));
    return number;
  }

  SizeOp parseOp() {
    for (SizeOp op = SizeOp::Add; op <= SizeOp::MAX; op = SizeOp(int(op) + 1))
      if (lexer.accept(sizeOpText(op)))
        return op;
    lexer.expected("'+', '-', '*', 'floordiv', 'ceildiv', 'mod', 'min' or "
                   "'max'");
    return SizeOp::Add;
  }
};

} // namespace

void printDispatch(TextWriter &out, const Dispatch &dispatch) {
  for (const Symbol *symbol : items(dispatch.symbols())) {
    out.put("  symbol {} {} to {}", quoted(text(symbol->name())), symbol->min(),
            symbol->max());
    if (symbol->multiple() != 1)
      out.put(" multiple {}", symbol->multiple());
    out.put("\n");
  }
  printTensors(out, "input", dispatch.inputs());
  printTensors(out, "output", dispatch.outputs());
  for (const Variant *variant : items(dispatch.variants())) {
    out.put("  variant {} sizes [{}]", variant->entry(),
            fmt::join(copyOf(variant->sizes()), ", "));
    if (variant->picoseconds() != -1)
      out.put(" picoseconds {}", variant->picoseconds());
    for (const Extent *extent : items(variant->extents()))
      out.put(" extent {} = {}", extent->input(), sizeText(*extent->value()));
    out.put("\n");
  }
}

std::unique_ptr<DispatchT> parseDispatch(Lexer &lexer) {
  return DispatchParser(lexer).parse();
}

} // namespace gaudi::recipe
