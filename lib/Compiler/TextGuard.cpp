// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds text that MLIR's parser does not survive.
#include "Gaudi/Compiler/SourceGuards.h"
#include "Gaudi/Recipe/FileKind.h"
#include "Gaudi/Support/GitLfs.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace {
/// Walks over the tokens that matter, once.
class TextGuard {
public:
  explicit TextGuard(StringRef text) : text(text) {}
  std::string run();

private:
  void step();
  void checkArray(StringRef token);
  void checkResultNumber();
  void checkDimensions(StringRef word);
  void refuse(const Twine &found, const Twine &expected);
  void refuseForeign();
  void skipString();
  void skipComment() { at = std::min(text.find('\n', at), text.size()); }
  void skipWord();
  char peek() const { return at + 1 < text.size() ? text[at + 1] : '\0'; }

  StringRef text;
  size_t at = 0;
  unsigned depth = 0;     ///< Open brackets.
  unsigned operators = 0; ///< Of the affine expression around `at`.
  /// Of `array<`, what has been read: nothing, the word, both tokens.
  enum { NoArray, Word, Opened } array = NoArray;
  StringRef operation; ///< The last word with a point.
  std::string problem;
};
} // namespace

void TextGuard::refuse(const Twine &found, const Twine &expected) {
  if (!problem.empty())
    return;
  const size_t line = text.take_front(at).count('\n') + 1;
  problem = (found + " in line " + Twine(line) + "; " + expected).str();
}

/// The parser (LLVM 22) asks the element type of an array attribute for its
/// width, which `index` has not. What an alias stands for is not known here.
void TextGuard::checkArray(StringRef token) {
  if (array == Opened && (token == "index" || token == "!"))
    refuse("the element type of 'array<...>' is " +
               Twine(token == "!" ? "an alias" : "'index'"),
           "expected an integer or float type, written out: 'array<i64: 0>'");
  array = token == "array"                ? Word
          : array == Word && token == "<" ? Opened
                                          : NoArray;
}

/// The parser makes room for as many results as `%name#number` asks for.
void TextGuard::checkResultNumber() {
  const StringRef digits = text.drop_front(at + 1).take_while(
      [](char c) { return llvm::isDigit(c); });
  uint64_t number = 0;
  if (!digits.empty() &&
      (digits.getAsInteger(10, number) || number > gaudi::maxResultNumber))
    refuse("the number of a result is " + digits,
           "at most " + Twine(gaudi::maxResultNumber) + " are read");
}

/// The parser of linalg's ops uses the list of dimensions that it could not
/// read.
void TextGuard::checkDimensions(StringRef word) {
  if ((word != "permutation" && word != "dimensions") ||
      (operation != "linalg.transpose" && operation != "linalg.broadcast" &&
       operation != "linalg.reduce"))
    return;
  StringRef rest = text.drop_front(at).ltrim();
  bool isList = rest.consume_front("=");
  rest = rest.ltrim();
  isList = isList && rest.consume_front("[");
  rest = rest.ltrim();
  if (isList && rest.starts_with("]"))
    return;
  while (isList) {
    int64_t dimension = 0;
    isList = !rest.consumeInteger(10, dimension);
    rest = rest.ltrim();
    if (isList && rest.starts_with("]"))
      return;
    isList = isList && rest.consume_front(",");
    rest = rest.ltrim();
  }
  refuse("the " + word + " of '" + operation + "' are no list of dimensions",
         "expected integers: '" + word + " = [1, 0]'");
}

/// A string ends with its quote or, being an error then, with its line.
void TextGuard::skipString() {
  for (++at; at < text.size(); ++at) {
    at = text.find_first_of("\"\\\n", at);
    if (at == StringRef::npos) {
      at = text.size();
      return;
    }
    if (text[at] != '\\')
      break;
    ++at; // what is escaped
  }
  ++at;
}

/// Words count only if they are operators of affine expressions.
void TextGuard::skipWord() {
  size_t begin = at;
  while (at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_' ||
                              text[at] == '.' || text[at] == '$'))
    ++at;
  StringRef word = text.slice(begin, at);
  checkArray(word);
  checkDimensions(word);
  if (word.contains('.'))
    operation = word;
  if (word == "mod" || word == "floordiv" || word == "ceildiv")
    ++operators;
}

void TextGuard::refuseForeign() {
  const std::string is = gaudi::recipe::describeForeign(text.take_front(256));
  problem = is.empty() ? "it is neither text nor bytecode of MLIR; convert a "
                         "file of a framework: gaudi-import FILE"
                       : "it is " + is;
}

void TextGuard::step() {
  const char c = text[at];
  // The parser would print the line. Comments and strings may have such bytes,
  // and what is wrong after as many of them is wrong in a text.
  if (at < 256 && gaudi::recipe::isBinary(std::string_view(&c, 1)) &&
      problem.empty())
    refuseForeign();
  switch (c) {
  case '"':
    operators = 0;
    return skipString();
  case '[':
  case '(':
  case '{':
  case '<':
    ++depth;
    break;
  case ']':
  case ')':
  case '}':
    depth -= depth > 0;
    break;
  case '>': // also a part of -> and >=, which close nothing
    if (peek() != '=' && (at == 0 || text[at - 1] != '-'))
      depth -= depth > 0;
    break;
  case '-':
    operators += peek() != '>';
    break;
  case '+':
  case '*':
    ++operators;
    break;
  case '/':
    if (peek() == '/')
      return skipComment();
    break;
  case '#':
    operators = 0;
    checkResultNumber();
    break;
  // An affine expression has none of these, so another one begins after them.
  // Without that, the minus signs of unrelated numbers would add up.
  case ',':
  case '=':
  case ':':
  case '@':
  case '!':
    operators = 0;
    break;
  default:
    if (llvm::isAlnum(c) || c == '_')
      return skipWord();
  }
  if (!llvm::isSpace(c))
    checkArray(text.substr(at, 1));
  ++at;
}

std::string TextGuard::run() {
  if (gaudi::isLfsPointer(text))
    refuseForeign();
  while (at < text.size() && problem.empty()) {
    step();
    const bool tooDeep = depth > gaudi::maxSourceDepth;
    if (tooDeep || operators > gaudi::maxSourceDepth)
      refuse(tooDeep ? "brackets nest too deep"
                     : "an expression has too many operators",
             "at most " + Twine(gaudi::maxSourceDepth) + " are read");
  }
  return problem;
}

std::string gaudi::whyNotParsed(StringRef text) {
  if (text.starts_with("ML\xefR"))
    return {};
  if (text.starts_with("GAUDIREC"))
    return "it is a recipe, which is compiled already; print it with gaudi-run "
           "--dump, or name its model";
  return TextGuard(text).run();
}
