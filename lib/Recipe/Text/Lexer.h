// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of the text form, read on demand, with errors that know their place.
#ifndef GAUDI_LIB_RECIPE_TEXT_LEXER_H
#define GAUDI_LIB_RECIPE_TEXT_LEXER_H

#include "Gaudi/Support/Error.h"

#include "../Names.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::recipe {

struct Token {
  enum Kind { End, Word, Number, String, Punctuation };
  Kind kind = End;
  std::string_view text; // a string still has its quotes
  size_t offset = 0;
};

/// Its value, or -1.
int hexDigit(char c);

/// A stream with a sticky error: after the first one the stream is at its end
/// and everything read from it is empty, so parsers need not check each step.
class Lexer {
public:
  explicit Lexer(std::string_view input);

  const Token &peek() const { return token; }
  bool atEnd() const { return token.kind == Token::End; }
  bool at(std::string_view text) const;
  /// Moves on; gives what was current.
  Token take();
  /// Takes the word or punctuation if it is next.
  bool accept(std::string_view text);
  void expect(std::string_view text);

  std::string_view word(const char *what);
  std::string string();
  /// Decimal or hexadecimal, at most `limit`.
  uint64_t number(uint64_t limit = UINT64_MAX);
  uint32_t id() { return uint32_t(number(UINT32_MAX)); }
  int64_t integer();
  /// A number, inf or -inf as f32 or f64 bits; hexadecimal numbers are bits.
  uint32_t float32();
  uint64_t float64();

  /// An enumerator by its lower-case name.
  template <typename Enum>
  Enum enumerator(const char *const *names, Enum last, const char *what) {
    Token start = token;
    std::optional<Enum> value = enumOf(word(what), names, last);
    if (!value)
      error(start, "unknown {} '{}'", what, start.text);
    return value.value_or(Enum());
  }

  /// open item, item, ... close.
  template <typename Item>
  void list(std::string_view open, std::string_view close, Item &&item) {
    expect(open);
    while (good && !at(close)) {
      item();
      if (!accept(","))
        break;
    }
    expect(close);
  }
  std::vector<int64_t> integers();

  /// Reports at the given token. Only the first error counts.
  template <typename... Parts>
  void error(const Token &at, fmt::format_string<Parts...> format,
             Parts &&...parts) {
    report(at, fmt::format(format, std::forward<Parts>(parts)...));
  }
  /// Reports at the current token: "expected `what` but got ...".
  void expected(std::string_view what);

  bool ok() const { return good; }
  Status status() const { return good ? Status() : Status(fail(message)); }

private:
  void report(const Token &at, std::string message);

  std::string_view input;
  size_t position = 0;
  Token token;
  bool good = true;
  std::string message;

  void advance();
  void skipBlanks();
  template <typename Float, typename Bits> Bits floatBits();
};

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_TEXT_LEXER_H
