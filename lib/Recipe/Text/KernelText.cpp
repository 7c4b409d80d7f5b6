// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in text form, as small programs.
#include "Format.h"
#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "TextForm.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gaudi::recipe {
namespace {

/// Parts without a branch are printed and parsed by the same calls. Others are
/// a function for each.
class KernelText {
public:
  KernelText(TextForm &text, KernelT &kernel)
      : text(text), kernel(kernel), out(text.printed()), lexer(text.parsed()) {}

  void describe() {
    text.field(kernel.name);
    text.put(" {\n  space");
    if (out)
      print();
    else
      parse();
    text.put("}\n");
  }

private:
  TextForm &text;
  KernelT &kernel;
  TextWriter *const out; // one of the two is null
  Lexer *const lexer;
  /// Accesses have lines of their own, and are named by number.
  bool hasTable = false;
  uint32_t nextValue = 0;

  void print() {
    for (size_t d = 0; d < kernel.index_space.size(); ++d)
      out->put("{}{}{}", d ? ", " : " [", kernel.index_space[d],
               kernel.parallel[d] ? " parallel" : "");
    out->put(kernel.index_space.empty() ? " []\n" : "]\n");
    printOperands("in", kernel.inputs, kernel.input_ranks);
    printOperands("out", kernel.outputs, kernel.output_ranks);
    hasTable = !accessesInOrder();
    for (size_t i = 0; hasTable && i < kernel.accesses.size(); ++i) {
      out->put("  access #{} ", i);
      describeAccess(*kernel.accesses[i]);
      out->put("\n");
    }
    for (const auto &stage : kernel.stages) {
      if (stage->loops.empty())
        out->put("  stage");
      else
        out->put("  loop [{}]", fmt::join(stage->loops, ", "));
      describeStage(*stage);
    }
  }

  void printOperands(const char *name, const std::vector<ElementType> &types,
                     const std::vector<uint8_t> &ranks) {
    for (size_t i = 0; i < types.size(); ++i)
      out->put("  {}{} : {} rank {}\n", name, i, elementName(types[i]),
               unsigned(ranks[i]));
  }

  /// True if each access is used once, in the order of the table, so that it
  /// can stand where it is used.
  bool accessesInOrder() const {
    uint32_t next = 0;
    for (const auto &stage : kernel.stages) {
      for (const Inst &inst : stage->insts)
        if (inst.op() == Op::Load && inst.a() != next++)
          return false;
      for (const auto &store : stage->stores)
        if (store->access != next++)
          return false;
    }
    return next == kernel.accesses.size();
  }

  void parse() {
    lexer->list("[", "]", [&] {
      kernel.index_space.push_back(lexer->integer());
      kernel.parallel.push_back(lexer->accept("parallel"));
    });
    while (!lexer->atEnd() && !lexer->at("}")) {
      if (lexer->accept("access"))
        parseTableAccess();
      else if (lexer->accept("stage"))
        describeStage(TextForm::appended(kernel.stages));
      else if (lexer->accept("loop")) {
        StageT &stage = TextForm::appended(kernel.stages);
        text.values("[", stage.loops, "]");
        describeStage(stage);
      } else
        parseOperand();
    }
  }

  void parseOperand() {
    const Token start = lexer->peek();
    const std::string_view name =
        lexer->word("an operand, 'access', 'stage', 'loop' or '}'");
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
      lexer->error(start,
                   "expected the next input or output, 'access', 'stage', "
                   "'loop' or '}}' but got '{}'",
                   name);
    }
    lexer->expect(":");
    text.value(types->emplace_back());
    lexer->expect("rank");
    text.value(ranks->emplace_back());
  }

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  void parseTableAccess() {
    lexer->expect("#");
    const Token start = lexer->peek();
    if (lexer->number() != kernel.accesses.size())
      lexer->error(start, "expected access #{}", kernel.accesses.size());
    describeAccess(TextForm::appended(kernel.accesses));
  }

  /// `prefix` followed by a number, in one word ("d3", "in0").
  static bool numbered(std::string_view word, std::string_view prefix,
                       uint32_t limit, uint32_t &number) {
    if (word.substr(0, prefix.size()) != prefix)
      return false;
    word.remove_prefix(prefix.size());
    const char *const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, number);
    return error == std::errc() && end == last && number < limit;
  }

  void describeDimension(uint32_t &dim) {
    if (out)
      return out->put("d{}", dim);
    const Token start = lexer->peek();
    if (!numbered(lexer->word("a dimension"), "d",
                  uint32_t(kernel.index_space.size()), dim))
      lexer->error(start, "'{}' is no dimension of the index space",
                   start.text);
  }

  void printAffine(const AccessDimT &dim) {
    bool first = true;
    auto sign = [&](bool negative) {
      out->put(first ? (negative ? "-" : "") : (negative ? " - " : " + "));
      first = false;
    };
    auto magnitude = [](int64_t number) {
      // The least number has no positive one: negated as unsigned.
      return number < 0 ? 0 - uint64_t(number) : uint64_t(number);
    };
    for (size_t d = 0; d < dim.coefficients.size(); ++d) {
      const int64_t coefficient = dim.coefficients[d];
      if (coefficient == 0)
        continue;
      sign(coefficient < 0);
      if (magnitude(coefficient) != 1)
        out->put("{}*", magnitude(coefficient));
      out->put("d{}", d);
    }
    // An index without terms is a zero, not nothing.
    if (first || dim.offset != 0) {
      sign(dim.offset < 0);
      out->put("{}", magnitude(dim.offset));
    }
  }

  /// `magnitude` with a sign, if it fits.
  int64_t withSign(const Token &at, uint64_t magnitude, bool negative) {
    const uint64_t largest =
        uint64_t(std::numeric_limits<int64_t>::max()) + (negative ? 1 : 0);
    if (magnitude > largest)
      lexer->error(at, "the number does not fit 64 bits");
    return int64_t(negative ? 0 - magnitude : magnitude);
  }

  void parseAffine(AccessDimT &dim) {
    // Terms "n*dk", "dk" and "n" in any order, the sign of each before it.
    dim.coefficients.assign(kernel.index_space.size(), 0);
    bool hasOffset = false;
    bool negative = lexer->accept("-");
    while (lexer->ok()) {
      const Token start = lexer->peek();
      uint64_t magnitude = 1;
      const bool hasNumber = start.kind == Token::Number;
      if (hasNumber)
        magnitude = lexer->number();
      // Without a number it is a dimension, with one only after a star.
      if (!hasNumber || lexer->accept("*")) {
        uint32_t d = 0;
        describeDimension(d);
        if (!lexer->ok())
          return;
        if (dim.coefficients[d] != 0)
          lexer->error(start, "d{} appears twice", d);
        dim.coefficients[d] = withSign(start, magnitude, negative);
      } else {
        if (hasOffset)
          lexer->error(start, "this index has two offsets");
        hasOffset = true;
        dim.offset = withSign(start, magnitude, negative);
      }
      // Also the sign of the next term.
      negative = lexer->at("-");
      if (!lexer->accept("+") && !lexer->accept("-"))
        return;
    }
  }

  void describeDim(AccessDimT &dim) {
    if (lexer ? lexer->accept("%") : dim.value >= 0) {
      if (out)
        out->put("%");
      text.value(dim.value);
    } else if (out) {
      printAffine(dim);
    } else {
      parseAffine(dim);
    }
    // Inside has no word.
    if (lexer ? lexer->peek().kind == Token::Word
              : dim.boundary != Boundary::Inside)
      text.field(dim.boundary, EnumNamesBoundary(), Boundary::MAX, "boundary");
  }

  void parseOperandOf(AccessT &access) {
    const Token start = lexer->peek();
    const std::string_view name = lexer->word("an operand");
    const uint32_t inputs = uint32_t(kernel.inputs.size());
    uint32_t number = 0;
    if (numbered(name, "in", inputs, number))
      access.operand = number;
    else if (numbered(name, "out", uint32_t(kernel.outputs.size()), number))
      access.operand = inputs + number;
    else
      lexer->error(start, "'{}' is no operand", name);
  }

  void describeAccess(AccessT &access) {
    const size_t inputs = kernel.inputs.size();
    if (lexer)
      parseOperandOf(access);
    else if (access.operand < inputs)
      out->put("in{}", access.operand);
    else
      out->put("out{}", access.operand - inputs);
    bool pads = false;
    text.list("[", access.dims, "]", [&](std::unique_ptr<AccessDimT> &dim) {
      if (!dim)
        dim = std::make_unique<AccessDimT>();
      describeDim(*dim);
      pads |= dim->boundary == Boundary::Pad;
    });
    // A pad value is of the type that the load gives.
    if (!pads)
      return;
    text.put(" else ");
    if (lexer && !lexer->ok())
      return; // the operand may not be there
    describeValue(access.pad,
                  kernelType(access.operand < inputs
                                 ? kernel.inputs[access.operand]
                                 : kernel.outputs[access.operand - inputs]));
  }

  void describeValue(uint64_t &bits, ElementType type) {
    if (out)
      out->put(valueText(bits, type));
    else
      bits = parseValue(*lexer, type);
  }

  /// An access by its number, or where it is used.
  void describeAccessUse(uint32_t &access) {
    if (out ? hasTable : lexer->accept("#")) {
      if (out)
        out->put("#");
      return text.value(access);
    }
    if (lexer) {
      access = uint32_t(kernel.accesses.size());
      TextForm::appended(kernel.accesses);
    }
    describeAccess(*kernel.accesses[access]);
  }

  //===--------------------------------------------------------------------===//
  // Stages
  //===--------------------------------------------------------------------===//

  void describeOperand(uint32_t &value) {
    text.put("%");
    text.value(value);
  }

  /// `%N`, the next value number.
  void describeNewValue() {
    text.put("%");
    if (out)
      return out->put("{}", nextValue++);
    const Token start = lexer->peek();
    if (lexer->number() != nextValue)
      lexer->error(start, "expected the next value, %{}", nextValue);
    ++nextValue;
  }

  void describePredicate(uint64_t &predicate, const char *const *names) {
    if (out)
      return out->put("{} ", names[predicate]);
    const Token start = lexer->peek();
    const std::string_view word = lexer->word("a predicate");
    for (predicate = 0; predicate <= uint64_t(CmpPredicate::MAX); ++predicate)
      if (!word.empty() && names[predicate] == word)
        return;
    lexer->error(start, "unknown predicate '{}'", word);
  }

  /// "f8E5M2 stochastic flush ".
  void describeRounding(uint64_t &imm) {
    kernel::RoundBy by = kernel::RoundBy::decoded(imm).value_or(
        kernel::RoundBy{kernel::ElementType::BF16, {}, false});
    ElementType format = ElementType(by.type);
    text.value(format);
    by.type = elementTypeOf(format);
    if (out)
      return out->put(" {}{} ", kernel::roundingNames[size_t(by.rule)],
                      by.flush ? " flush" : "");
    const Token start = lexer->peek();
    const std::string_view word = lexer->word("a rounding");
    const auto *found = std::find(std::begin(kernel::roundingNames),
                                  std::end(kernel::roundingNames), word);
    if (found == std::end(kernel::roundingNames))
      return lexer->error(start, "unknown rounding '{}'", word);
    by.rule = kernel::Rounding(found - std::begin(kernel::roundingNames));
    by.flush = lexer->accept("flush");
    imm = by.encoded();
  }

  void describeInst(Inst &inst) {
    Op op = inst.op();
    ElementType type = inst.type();
    uint64_t imm = inst.imm();
    uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
    describeNewValue();
    text.put(" =");
    text.field(op, EnumNamesOp(), Op::MAX, "instruction");
    text.put(" ");
    const OpFamily family = familyOf(op);
    // What is no operand comes first: the constant, the predicate, the format.
    // A constant that is parsed is read again after its type is known.
    std::optional<Lexer> atConstant;
    switch (family) {
    case OpFamily::Const:
      if (out) {
        out->put(valueText(imm, type));
      } else {
        atConstant = *lexer;
        lexer->accept("-");
        lexer->take();
      }
      break;
    case OpFamily::Index:
      describeDimension(operands[0]);
      break;
    case OpFamily::Load:
      describeAccessUse(operands[0]);
      break;
    case OpFamily::Carry:
      text.value(operands[0]);
      break;
    case OpFamily::CmpF:
      describePredicate(imm, floatPredicates);
      break;
    case OpFamily::CmpI:
      describePredicate(imm, integerPredicates);
      break;
    case OpFamily::RoundTo: {
      ElementType format = ElementType(imm);
      text.value(format);
      text.put(" ");
      imm = uint64_t(format);
      break;
    }
    case OpFamily::RoundBy:
      describeRounding(imm);
      break;
    default:
      break;
    }
    for (unsigned i = 0; i < valueOperands(family); ++i) {
      text.put(i ? ", " : "");
      describeOperand(operands[i]);
    }
    text.put(" :");
    const Token typeStart = lexer ? lexer->peek() : Token();
    text.field(type);
    text.put("\n");
    if (lexer && lexer->ok() && !isKernelType(type))
      lexer->error(typeStart, "'{}' is no type of kernel values",
                   typeStart.text);
    if (atConstant && lexer->ok()) {
      imm = parseValue(*atConstant, type);
      if (!atConstant->ok())
        *lexer = *atConstant; // carries the error
    }
    inst = Inst(imm, operands[0], operands[1], operands[2], op, type);
  }

  void describeReduction(ReductionT &reduction) {
    text.field(reduction.op, EnumNamesReduceOp(), ReduceOp::MAX,
               "reduction operator");
    const bool positions = hasPosition(reduction.op);
    text.put(" ");
    describeOperand(reduction.value);
    if (positions) {
      text.put(" at ");
      describeOperand(reduction.position);
    }
    text.put(" init ");
    describeOperand(reduction.init);
    text.put(" -> ");
    describeNewValue();
    if (positions) {
      text.put(", ");
      describeNewValue();
    }
    text.put("\n");
  }

  void describeStore(StoreT &store) {
    text.put(" ");
    describeOperand(store.value);
    text.put(" -> ");
    describeAccessUse(store.access);
    text.put("\n");
  }

  void describeStage(StageT &stage) {
    text.put(" {\n");
    if (lexer) {
      parseStage(stage);
    } else {
      for (Inst &inst : stage.insts) {
        out->put("    ");
        describeInst(inst);
      }
      text.each("    reduce", stage.reductions,
                [&](ReductionT &reduction) { describeReduction(reduction); });
      text.each("    store", stage.stores,
                [&](StoreT &store) { describeStore(store); });
      out->put("  ");
    }
    text.put("}\n");
  }

  void parseStage(StageT &stage) {
    // The structure holds three lists. A text in another order would not print
    // back as it was.
    while (!lexer->atEnd() && !lexer->at("}")) {
      if (lexer->accept("store")) {
        describeStore(TextForm::appended(stage.stores));
      } else if (lexer->accept("reduce")) {
        if (!stage.stores.empty())
          lexer->error(lexer->peek(),
                       "reductions come before the stores of their stage");
        describeReduction(TextForm::appended(stage.reductions));
      } else {
        if (!stage.stores.empty() || !stage.reductions.empty())
          lexer->error(lexer->peek(),
                       "instructions come before the reductions and stores of "
                       "their stage");
        describeInst(TextForm::appended(stage.insts));
      }
    }
  }
};

} // namespace

void describeKernel(TextForm &text, KernelT &kernel) {
  KernelText(text, kernel).describe();
}

} // namespace gaudi::recipe
