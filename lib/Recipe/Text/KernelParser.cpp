// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses kernels from their text form.
#include "Format.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <charconv>
#include <limits>

namespace gaudi::recipe {
namespace {

class KernelParser {
public:
  KernelParser(Lexer &lexer, KernelT &kernel) : lexer(lexer), kernel(kernel) {}

  void parse() {
    kernel.name = lexer.string();
    lexer.expect("{");
    lexer.expect("space");
    lexer.list("[", "]", [&] {
      kernel.index_space.push_back(lexer.integer());
      kernel.parallel.push_back(lexer.accept("parallel"));
    });
    while (!lexer.atEnd() && !lexer.at("}"))
      parseItem();
    lexer.expect("}");
  }

private:
  Lexer &lexer;
  KernelT &kernel;
  uint64_t nextValue = 0;

  void parseItem() {
    if (lexer.accept("stage"))
      return parseStage({});
    if (lexer.accept("loop")) {
      std::vector<uint8_t> loops;
      lexer.list("[", "]",
                 [&] { loops.push_back(uint8_t(lexer.number(UINT8_MAX))); });
      return parseStage(std::move(loops));
    }
    if (lexer.accept("access")) {
      lexer.expect("#");
      const Token start = lexer.peek();
      if (lexer.number() != kernel.accesses.size())
        lexer.error(start, "expected access #{}", kernel.accesses.size());
      parseAccess();
      return;
    }
    parseOperand();
  }

  void parseOperand() {
    const Token start = lexer.peek();
    const std::string_view name =
        lexer.word("an operand, 'access', 'stage', 'loop' or '}'");
    auto declares = [&](const char *prefix, size_t index) {
      return name == fmt::format("{}{}", prefix, index);
    };
    std::vector<uint8_t> *ranks = &kernel.input_ranks;
    std::vector<ElementType> *types = &kernel.inputs;
    // The declared names are the numbers: only the next one may come.
    if (declares("out", kernel.outputs.size())) {
      ranks = &kernel.output_ranks;
      types = &kernel.outputs;
    } else if (!declares("in", kernel.inputs.size()) ||
               !kernel.outputs.empty()) {
      lexer.error(start,
                  "expected the next input or output, 'access', 'stage', "
                  "'loop' or '}}' but got '{}'",
                  name);
    }
    lexer.expect(":");
    types->push_back(parseElementType(lexer));
    lexer.expect("rank");
    ranks->push_back(uint8_t(lexer.number(UINT8_MAX)));
  }

  /// `prefix` followed by a number, in one word ("d3", "in0").
  bool numbered(std::string_view word, std::string_view prefix, uint32_t limit,
                uint32_t &number) const {
    if (word.substr(0, prefix.size()) != prefix)
      return false;
    word.remove_prefix(prefix.size());
    const char *const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, number);
    return error == std::errc() && end == last && number < limit;
  }

  uint32_t dimension() {
    const Token start = lexer.peek();
    uint32_t d = 0;
    if (!numbered(lexer.word("a dimension"), "d",
                  uint32_t(kernel.index_space.size()), d))
      lexer.error(start, "'{}' is no dimension of the index space", start.text);
    return d;
  }

  /// `magnitude` with a sign, if it fits.
  int64_t withSign(const Token &at, uint64_t magnitude, bool negative) {
    const uint64_t largest =
        uint64_t(std::numeric_limits<int64_t>::max()) + (negative ? 1 : 0);
    if (magnitude > largest)
      lexer.error(at, "the number does not fit 64 bits");
    return int64_t(negative ? 0 - magnitude : magnitude);
  }

  void parseAffine(AccessDimT &dim) {
    // Terms "n*dk", "dk" and "n" in any order, the sign of each before it.
    dim.coefficients.assign(kernel.index_space.size(), 0);
    bool hasOffset = false;
    bool negative = lexer.accept("-");
    while (lexer.ok()) {
      const Token start = lexer.peek();
      uint64_t magnitude = 1;
      const bool hasNumber = start.kind == Token::Number;
      if (hasNumber)
        magnitude = lexer.number();
      // Without a number it is a dimension, with one only after a star.
      if (!hasNumber || lexer.accept("*")) {
        const uint32_t d = dimension();
        if (!lexer.ok())
          return;
        if (dim.coefficients[d] != 0)
          lexer.error(start, "d{} appears twice", d);
        dim.coefficients[d] = withSign(start, magnitude, negative);
      } else {
        if (hasOffset)
          lexer.error(start, "this index has two offsets");
        hasOffset = true;
        dim.offset = withSign(start, magnitude, negative);
      }
      // Also the sign of the next term.
      negative = lexer.at("-");
      if (!lexer.accept("+") && !lexer.accept("-"))
        return;
    }
  }

  /// Appends an access; gives its number.
  uint32_t parseAccess() {
    auto access = std::make_unique<AccessT>();
    const Token start = lexer.peek();
    const std::string_view name = lexer.word("an operand");
    const uint32_t inputs = uint32_t(kernel.inputs.size());
    const uint32_t outputs = uint32_t(kernel.outputs.size());
    ElementType type = ElementType::F32;
    uint32_t number = 0;
    if (numbered(name, "in", inputs, number)) {
      access->operand = number;
      type = kernel.inputs[number];
    } else if (numbered(name, "out", outputs, number)) {
      access->operand = inputs + number;
      type = kernel.outputs[number];
    } else {
      lexer.error(start, "'{}' is no operand", name);
    }
    bool pads = false;
    lexer.list("[", "]", [&] {
      auto dim = std::make_unique<AccessDimT>();
      if (lexer.accept("%"))
        dim->value = int32_t(lexer.number(INT32_MAX));
      else
        parseAffine(*dim);
      // Inside has no word.
      if (lexer.peek().kind == Token::Word)
        dim->boundary =
            lexer.enumerator(EnumNamesBoundary(), Boundary::MAX, "boundary");
      pads |= dim->boundary == Boundary::Pad;
      access->dims.push_back(std::move(dim));
    });
    // A pad value is of the type that the load gives.
    if (pads) {
      lexer.expect("else");
      access->pad = parseValue(lexer, kernelType(type));
    }
    kernel.accesses.push_back(std::move(access));
    return uint32_t(kernel.accesses.size() - 1);
  }

  uint32_t parseAccessUse() {
    if (lexer.accept("#"))
      return lexer.id();
    return parseAccess();
  }

  uint32_t value() {
    lexer.expect("%");
    return lexer.id();
  }

  /// `%N`, the next value number.
  void newValue() {
    lexer.expect("%");
    const Token start = lexer.peek();
    if (lexer.number() != nextValue)
      lexer.error(start, "expected the next value, %{}", nextValue);
    ++nextValue;
  }

  uint64_t predicate(const char *const *names) {
    const Token start = lexer.peek();
    const std::string_view word = lexer.word("a predicate");
    for (size_t i = 0; i <= size_t(CmpPredicate::MAX); ++i)
      if (!word.empty() && names[i] == word)
        return i;
    lexer.error(start, "unknown predicate '{}'", word);
    return 0;
  }

  void parseInst(StageT &stage) {
    newValue();
    lexer.expect("=");
    const Op op = lexer.enumerator(EnumNamesOp(), Op::MAX, "instruction");
    const OpFamily family = familyOf(op);
    uint64_t imm = 0;
    uint32_t operands[3] = {0, 0, 0};
    Token constant;
    Lexer atConstant = lexer; // its type comes after it
    switch (family) {
    case OpFamily::Const:
      lexer.accept("-");
      constant = lexer.take();
      break;
    case OpFamily::Index:
      operands[0] = dimension();
      break;
    case OpFamily::Load:
      operands[0] = parseAccessUse();
      break;
    case OpFamily::Carry:
      operands[0] = lexer.id();
      break;
    case OpFamily::CmpF:
      imm = predicate(floatPredicates);
      break;
    case OpFamily::CmpI:
      imm = predicate(integerPredicates);
      break;
    case OpFamily::RoundTo:
      imm = uint64_t(parseElementType(lexer));
      break;
    default:
      break;
    }
    for (unsigned i = 0; i < valueOperands(family); ++i) {
      if (i)
        lexer.expect(",");
      operands[i] = value();
    }
    lexer.expect(":");
    const Token typeStart = lexer.peek();
    const ElementType type = parseElementType(lexer);
    if (lexer.ok() && !isKernelType(type))
      lexer.error(typeStart, "'{}' is no type of kernel values",
                  typeStart.text);
    if (family == OpFamily::Const && lexer.ok()) {
      imm = parseValue(atConstant, type);
      if (!atConstant.ok())
        lexer = atConstant; // carries the error
    }
    stage.insts.emplace_back(imm, operands[0], operands[1], operands[2], op,
                             type);
  }

  void parseReduction(StageT &stage) {
    auto reduction = std::make_unique<ReductionT>();
    reduction->op = lexer.enumerator(EnumNamesReduceOp(), ReduceOp::MAX,
                                     "reduction operator");
    const bool positions = hasPosition(reduction->op);
    reduction->value = value();
    if (positions) {
      lexer.expect("at");
      reduction->position = value();
    }
    lexer.expect("init");
    reduction->init = value();
    lexer.expect("->");
    newValue();
    if (positions) {
      lexer.expect(",");
      newValue();
    }
    stage.reductions.push_back(std::move(reduction));
  }

  void parseStage(std::vector<uint8_t> loops) {
    auto stage = std::make_unique<StageT>();
    stage->loops = std::move(loops);
    lexer.expect("{");
    // The structure holds three lists. A text in another order would not print
    // back as it was.
    while (!lexer.atEnd() && !lexer.at("}")) {
      if (lexer.accept("store")) {
        auto store = std::make_unique<StoreT>();
        store->value = value();
        lexer.expect("->");
        store->access = parseAccessUse();
        stage->stores.push_back(std::move(store));
      } else if (lexer.accept("reduce")) {
        if (!stage->stores.empty())
          lexer.error(lexer.peek(),
                      "reductions come before the stores of their stage");
        parseReduction(*stage);
      } else {
        if (!stage->stores.empty() || !stage->reductions.empty())
          lexer.error(lexer.peek(),
                      "instructions come before the reductions and stores of "
                      "their stage");
        parseInst(*stage);
      }
    }
    lexer.expect("}");
    kernel.stages.push_back(std::move(stage));
  }
};

} // namespace

void parseKernel(Lexer &lexer, KernelT &kernel) {
  KernelParser(lexer, kernel).parse();
}

} // namespace gaudi::recipe
