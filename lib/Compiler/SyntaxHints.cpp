// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of MLIR's syntax in words of those who write models.
#include "SyntaxHints.h"
#include "Gaudi/Support/Spelling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The text around the place of an error; empty parts if it is not known.
struct Place {
  StringRef before; ///< All text up to the place.
  StringRef rest;   ///< All text from there on.
  bool isKnown = false;

  Place(Location loc, StringRef source);

  /// What stands at the place, up to a blank or punctuation of types.
  StringRef word() const {
    return rest.ltrim().take_until([](char c) {
      return llvm::isSpace(c) || StringRef("<>(){},:=").contains(c);
    });
  }
  StringRef line() const {
    return before.take_back(before.size() - (before.rfind('\n') + 1));
  }
};

/// A bracket that nothing closes, and its line.
struct OpenBracket {
  char bracket = 0; ///< 0: all are closed
  size_t line = 0;
};
} // namespace

Place::Place(Location loc, StringRef source) {
  auto place = dyn_cast<FileLineColLoc>(loc);
  // Lines of a part of --split-input-file count from its begin.
  if (!place || place.getLine() == 0 || place.getColumn() == 0 ||
      place.getFilename().getValue().starts_with("within split at "))
    return;
  size_t begin = 0;
  for (unsigned line = 1; line < place.getLine(); ++line) {
    begin = source.find('\n', begin);
    if (begin == StringRef::npos)
      return;
    ++begin;
  }
  const size_t at = begin + place.getColumn() - 1;
  if (source.empty() || at > source.size())
    return;
  before = source.take_front(at);
  rest = source.drop_front(at);
  isKnown = true;
}

/// The innermost of the brackets that are open at the end of the text. Strings
/// and comments have none.
static OpenBracket findOpen(StringRef text) {
  SmallVector<OpenBracket> open;
  size_t line = 1;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    line += c == '\n';
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
        at += text[at] == '\\';
      line += at < text.size() && text[at] == '\n';
    } else if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      ++line;
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back({c, line});
    } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
  }
  return open.empty() ? OpenBracket() : open.back();
}

static std::string unclosed(StringRef text) {
  const OpenBracket open = findOpen(text);
  if (!open.bracket)
    return "the text ends here, in the middle of an op; is it cut off?";
  const StringRef closing = open.bracket == '('   ? ")"
                            : open.bracket == '[' ? "]"
                                                  : "}";
  return ("the text ends here, and '" + Twine(open.bracket) + "' of line " +
          Twine(open.line) + " is not closed; write '" + closing + "'")
      .str();
}

/// The names of values ("%x") in a text, once each, as they come first.
static std::vector<std::string> valuesIn(StringRef text) {
  std::vector<std::string> values;
  while (true) {
    text = text.drop_until([](char c) { return c == '%'; });
    if (text.empty())
      return values;
    const StringRef name = text.drop_front().take_while([](char c) {
      return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
    });
    text = text.drop_front(1 + name.size());
    if (const std::string value = ("%" + name).str();
        !llvm::is_contained(values, value))
      values.push_back(value);
  }
}

static std::string undeclared(const Place &place) {
  const std::string name = place.word().str();
  std::string text = "no op or argument before this one gives " +
                     (name.empty() ? "the value" : "'" + name + "'");
  std::vector<std::string> values = valuesIn(place.before);
  if (const std::string near = nearestName(name, values); !near.empty())
    return text + "; did you mean '" + near + "'?";
  constexpr size_t most = 5;
  if (values.size() > most)
    values.erase(values.begin(), values.end() - most);
  return values.empty() ? text + "; write the op that does before it"
                        : text + "; the last values before it are " +
                              llvm::join(values, ", ");
}

static std::string noValue(const Place &place) {
  const std::string word = place.word().str(), value = "%" + word;
  if (!word.empty() && llvm::is_contained(valuesIn(place.before), value))
    return "'" + word + "' is the name of a value without its '%'; write '" +
           value + "'";
  return "expected a value" +
         (word.empty() ? "" : ", and '" + word + "' is none") +
         "; values are written with '%', such as %x";
}

/// A type that the parser could not read, often within "tensor<".
static std::string noType(const Place &place, bool misses) {
  const StringRef line = place.line();
  const StringRef word = place.word();
  const size_t opened = line.rfind('<');
  const bool isShaped = opened != StringRef::npos &&
                        !line.drop_front(opened).contains('>') &&
                        (line.take_front(opened).ends_with("tensor") ||
                         line.take_front(opened).ends_with("vector") ||
                         line.take_front(opened).ends_with("memref"));
  const std::string quoted = "'" + word.str() + "'";
  if (!isShaped)
    return "expected a type" +
           (word.empty() ? "" : ", and " + quoted + " is none") +
           "; a tensor is written tensor<2x3xf32>";
  if (word.starts_with("-"))
    return ("'-" + word.drop_front().take_while(llvm::isDigit) +
            "' is no size of a tensor; a dynamic size is written '?', as in "
            "tensor<?x4xf32>")
        .str();
  if (const auto ours = gaudi::elementNameOf(word, "ui"))
    return quoted + " is no element type of MLIR; write " +
           (ours->empty() ? "f32, the widest float of the device" : *ours);
  if (misses && place.rest.ltrim().starts_with(","))
    return "the sizes of a tensor are separated by 'x', not by ','; write them "
           "as in tensor<2x3xf32>";
  if (misses || word.empty())
    return "the type has no element type; write it after the sizes, as in "
           "tensor<2x3xf32>, or tensor<f32> of a scalar";
  return quoted + " is no size and no element type; a tensor is written "
                  "tensor<2x3xf32>, tensor<?x3xbf16> with a dynamic size";
}

/// Where the form of an op is described; "" if the line has no op.
static std::string formOf(const Place &place) {
  StringRef line = place.line();
  // Behind "%x = ".
  if (const size_t equals = line.find(" = ");
      equals != StringRef::npos && line.ltrim().starts_with("%"))
    line = line.drop_front(equals + 3);
  const StringRef name = line.ltrim(" \"").take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (!name.contains('.'))
    return "";
  if (name.starts_with("gaudi."))
    return ("; docs/reference/ops.md shows how '" + name + "' is written")
        .str();
  if (name == "func.func")
    return "; a function is written func.func @main(%x: tensor<2xf32>) -> "
           "tensor<2xf32> { ... }";
  return ("; if you do not know how '" + name +
          "' is written, its generic form always is \"" + name +
          "\"(%a, %b) : (TYPE, TYPE) -> TYPE")
      .str();
}

/// What stands where an op should.
static std::string noOp(const Place &place) {
  const StringRef rest = place.rest.trim().split('\n').first;
  constexpr size_t most = 20;
  // "-> tensor<2xf32>" behind an op that has no arrow.
  if (const std::string form = formOf(place); !form.empty())
    return ("'" + rest.take_front(most) + (rest.size() > most ? "..." : "") +
            "' does not belong to the op before it" + form)
        .str();
  return "expected an op" +
         (rest.empty() ? ""
                       : ", and '" + rest.take_front(most).str() +
                             (rest.size() > most ? "..." : "") + "' is none") +
         "; one is written as in: %y = math.exp %x : tensor<2xf32>";
}

/// The text between the first `begin` and the next `end`.
static StringRef between(StringRef text, StringRef begin, StringRef end) {
  return text.split(begin).second.split(end).first;
}

/// "custom op 'tosa.add' ...".
static std::string explainForm(StringRef error, const Place &place) {
  const StringRef op = between(error, "'", "'");
  const StringRef problem = error.split("' ").second;
  if (problem.starts_with("expected valid '@'-identifier"))
    return ("the name of a function begins with '@'; write " + op + " @" +
            (place.word().empty() ? "main" : place.word()))
        .str();
  if (problem.starts_with("invalid kind of type specified: expected builtin."
                          "function"))
    return ("'" + op +
            "' is written with the types of its operands and of its "
            "result, as in (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, "
            "but here is " +
            problem.split("but found ").second)
        .str();
  if (problem.starts_with("invalid kind of type specified: expected builtin."
                          "tensor"))
    return ("'" + op +
            "' takes tensors whose rank is known, such as "
            "tensor<2x3xf32>, but here is " +
            problem.split("but found ").second)
        .str();
  if (problem.contains("parseNamedStructuredOpRegion"))
    return ("'" + op +
            "' misses an operand: it has inputs and the output that it writes, "
            "as in ins(%a, %b : TYPE, TYPE) outs(%c : TYPE)")
        .str();
  const std::string form = formOf(place);
  return form.empty() ? "" : error.str() + form;
}

/// Of the parser: passes have other expectations.
static bool isExpectation(StringRef error) {
  if (!error.consume_front("expected "))
    return false;
  if (error.starts_with("'")) {
    const StringRef token = between(error, "'", "'");
    return !token.empty() && llvm::none_of(token, llvm::isAlnum);
  }
  for (StringRef kind :
       {"SSA operand", "attribute value", "attribute name", "valid keyword",
        "valid attribute name", "type after colon", "integer value",
        "integer literal", "operation name in quotes", "non-function type",
        "'x' in dimension list", "element literal"})
    if (error.starts_with(kind))
      return true;
  return false;
}

std::string gaudi::explainSyntax(StringRef error, Location loc,
                                 StringRef source) {
  const Place place(loc, source);
  const bool misses = isExpectation(error);
  if ((misses || error.starts_with("custom op '")) && place.isKnown &&
      place.rest.trim().empty())
    return unclosed(place.before);
  if (error == "use of undeclared SSA value name")
    return undeclared(place);
  if (error == "expected SSA operand")
    return noValue(place);
  if (error == "expected non-function type" ||
      error == "expected 'x' in dimension list")
    return noType(place, /*misses=*/error.contains("'x'"));
  if (error == "expected operation name in quotes")
    return noOp(place);
  if (error == "invalid dimension")
    return (place.isKnown
                ? "'" + place.word().split('x').first.str() + "' is no size"
                : std::string("there is no such size")) +
           " of a tensor: it is too large; write a smaller one";
  if (error.starts_with("redefinition of SSA value"))
    return ("the value '" + between(error, "'", "'") +
            "' is given twice; give each value a name of its own")
        .str();
  if (error.contains("' expects different type than prior uses: ")) {
    const auto [used, is] = error.split("prior uses: ").second.split(" vs ");
    return ("the value '" + between(error, "'", "'") + "' has the type " + is +
            ", but is used as " + used + " here; write " + is +
            ", or convert the value")
        .str();
  }
  // What follows is verified after it was parsed.
  const std::pair<StringRef, StringRef> nextSteps[] = {
      {"inferred shape of elements literal",
       "give as many elements as the type has, or one that fills it: "
       "dense<0.0>"},
      {"block with no terminator",
       "end a function with what it returns, as in: return %y : "
       "tensor<2xf32>"},
      {"empty block: expect at least a terminator",
       "end a function with what it returns, as in: return %y : "
       "tensor<2xf32>"},
      {"type of return operand",
       "change the type after '->' of the function, or return another value"},
      {"redefinition of symbol named", "give each function a name of its own"},
      {"reference to invalid result number",
       "the results of an op are numbered from #0"},
      {"undefined symbol alias id",
       "define it before the functions, as in: #name = ..."},
      {"integer constant out of range", "give it a wider type"}};
  for (const auto &[begin, next] : nextSteps)
    if (error.starts_with(begin))
      return (error.split(", has ").first + "; " + next).str();
  if (error.contains("must be floating-point-like"))
    return (error +
            "; use the op of integers, as arith.addi is, or convert the "
            "operand, as by arith.sitofp")
        .str();
  if (error.contains("must be signless-integer-like"))
    return (error + "; use the op of floats, as arith.addf is, or convert the "
                    "operand, as by arith.fptosi")
        .str();
  if (error.contains(" operands, but found ") ||
      error.contains(" or more operands, but found "))
    return (error +
            (error.starts_with("'tosa.")
                 ? "; since TOSA 1.0 zero points, pads and shapes are operands "
                   "(tosa.const, tosa.const_shape): convert the model again, "
                   "or "
                   "add them"
                 : "; give it that many"))
        .str();
  if (error.contains(" operands, but enclosing function (@"))
    return (error + "; return as many values as the function has types after "
                    "'->'")
        .str();
  if (error.contains("does not dominate this use"))
    return (error + "; move the op that gives it before this one").str();
  if (error.contains("' does not reference a valid function"))
    return (error + "; define that function, or call another one").str();
  if (error.starts_with("custom op '"))
    return explainForm(error, place);
  const std::string form = misses ? formOf(place) : "";
  return form.empty() ? "" : error.str() + form;
}
