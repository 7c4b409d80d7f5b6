// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an entry chooses among its variants, in text form.
#include "Gaudi/Recipe/Sizes.h"
#include "TextForm.h"

namespace gaudi::recipe {
namespace {

/// Sizes are programs in postfix order, and infix text.
class SizeParser {
public:
  SizeParser(Lexer &lexer, SizeT &size) : lexer(lexer), size(size) {}

  /// A number, a symbol, or "(term op term)". The depth bounds the recursion.
  void parseTerm(uint32_t depth = 0) {
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
    parseTerm(depth + 1);
    const SizeOp op = parseOp();
    parseTerm(depth + 1);
    lexer.expect(")");
    size.steps.emplace_back(0, op);
  }

private:
  Lexer &lexer;
  SizeT &size;

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

void describeSize(TextForm &text, std::unique_ptr<SizeT> &size) {
  if (TextWriter *out = text.printed())
    return out->put(sizeText(*size));
  size = std::make_unique<SizeT>();
  SizeParser(*text.parsed(), *size).parseTerm();
}

} // namespace

void describeDispatch(TextForm &text, DispatchT &dispatch) {
  text.each("  symbol", dispatch.symbols, [&](SymbolT &symbol) {
    text.field(symbol.name);
    text.field(symbol.min);
    text.put(" to");
    text.field(symbol.max);
    text.optional("multiple", symbol.multiple, 1);
    text.put("\n");
  });
  auto describeTensor = [&](SizedTensorT &tensor) {
    text.field(tensor.name);
    text.field(tensor.type);
    text.list("[", tensor.sizes, "]",
              [&](std::unique_ptr<SizeT> &size) { describeSize(text, size); });
    text.put("\n");
  };
  text.each("  input", dispatch.inputs, describeTensor);
  text.each("  output", dispatch.outputs, describeTensor);
  text.each("  variant", dispatch.variants, [&](VariantT &variant) {
    text.field(variant.entry);
    text.named("sizes", variant.sizes);
    text.optional("picoseconds", variant.picoseconds, -1);
    text.each(" extent", variant.extents, [&](ExtentT &extent) {
      text.field(extent.input);
      text.put(" = ");
      describeSize(text, extent.value);
    });
    text.put("\n");
  });
}

} // namespace gaudi::recipe
