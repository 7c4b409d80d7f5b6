// Finds text that would overflow the stack of MLIR's parser.
#include "Gaudi/Compiler/SourceGuards.h"
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
  void skipString();
  void skipComment() { at = std::min(text.find('\n', at), text.size()); }
  void skipWord();
  char peek() const { return at + 1 < text.size() ? text[at + 1] : '\0'; }

  StringRef text;
  size_t at = 0;
  unsigned depth = 0;     ///< Open brackets.
  unsigned operators = 0; ///< Of the affine expression around `at`.
};
} // namespace

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
  if (word == "mod" || word == "floordiv" || word == "ceildiv")
    ++operators;
}

void TextGuard::step() {
  const char c = text[at];
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
  // An affine expression has none of these, so another one begins after them.
  // Without that, the minus signs of unrelated numbers would add up.
  case ',':
  case '=':
  case ':':
  case '@':
  case '#':
  case '!':
    operators = 0;
    break;
  default:
    if (llvm::isAlnum(c) || c == '_')
      return skipWord();
  }
  ++at;
}

std::string TextGuard::run() {
  while (at < text.size()) {
    step();
    const bool tooDeep = depth > mlir::gaudi::maxSourceDepth;
    if (!tooDeep && operators <= mlir::gaudi::maxSourceDepth)
      continue;
    const size_t line = text.take_front(at).count('\n') + 1;
    return (Twine(tooDeep ? "brackets nest too deep"
                          : "an expression has too many operators") +
            " in line " + Twine(line) + "; at most " +
            Twine(mlir::gaudi::maxSourceDepth) + " are read")
        .str();
  }
  return "";
}

std::string mlir::gaudi::whyNotParsed(StringRef text) {
  return text.starts_with("ML\xefR") ? std::string() : TextGuard(text).run();
}
