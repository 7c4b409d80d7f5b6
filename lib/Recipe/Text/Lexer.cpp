// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the text form into tokens.
#include "Lexer.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace gaudi::recipe {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isWordPart(char c) { return isWordStart(c) || isDigit(c); }

bool isHex(std::string_view text) {
  return text.size() > 2 && text[0] == '0' &&
         (text[1] == 'x' || text[1] == 'X');
}

/// The number if the whole text is one that fits.
template <typename T, typename... Format>
bool convert(std::string_view text, T &value, Format... format) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, format...);
  return error == std::errc() && end == text.data() + text.size();
}

} // namespace

int hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

Lexer::Lexer(std::string_view input) : input(input) { advance(); }

void Lexer::skipBlanks() {
  while (position < input.size()) {
    char c = input[position];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position;
    } else if (input.substr(position, 2) == "//") {
      position = std::min(input.find('\n', position), input.size());
    } else {
      return;
    }
  }
}

void Lexer::advance() {
  skipBlanks();
  const size_t start = position;
  token = {Token::End, {}, start};
  if (start == input.size())
    return;
  const char c = input[start];
  auto takeWhile = [&](auto &&accepts) {
    while (position < input.size() && accepts(input[position]))
      ++position;
  };
  if (isWordStart(c)) {
    token.kind = Token::Word;
    takeWhile(isWordPart);
  } else if (isDigit(c)) {
    token.kind = Token::Number;
    // In decimal numbers an exponent may have a sign; in hex, e is a digit.
    const bool hex = isHex(input.substr(start, 3));
    takeWhile([&](char d) {
      const char before = position > start ? input[position - 1] : '0';
      return isWordPart(d) || (!hex && d == '.') ||
             (!hex && (d == '+' || d == '-') &&
              (before == 'e' || before == 'E'));
    });
  } else if (c == '"') {
    token.kind = Token::String;
    ++position;
    // A string ends in its line, so that a missing quote is found there.
    while (position < input.size() && input[position] != '"' &&
           input[position] != '\n')
      position += input[position] == '\\' ? 2 : 1;
    if (position >= input.size() || input[position] != '"') {
      position = std::min(position, input.size());
      error(token, "this string has no end");
      return;
    }
    ++position;
  } else {
    token.kind = Token::Punctuation;
    // Two characters for the arrow, else one.
    position += input.substr(start, 2) == "->" ? 2 : 1;
  }
  token.text = input.substr(start, position - start);
}

bool Lexer::at(std::string_view text) const {
  return (token.kind == Token::Word || token.kind == Token::Punctuation) &&
         token.text == text;
}

Token Lexer::take() {
  Token current = token;
  if (good)
    advance();
  return current;
}

bool Lexer::accept(std::string_view text) {
  if (!at(text))
    return false;
  take();
  return true;
}

void Lexer::expected(std::string_view what) {
  error(token, "expected {} but got {}", what,
        atEnd() ? "the end of the text"
                : fmt::format("'{}'", token.text.substr(0, 40)));
}

void Lexer::expect(std::string_view text) {
  if (!accept(text))
    expected(fmt::format("'{}'", text));
}

std::string_view Lexer::word(const char *what) {
  if (token.kind != Token::Word) {
    expected(what);
    return {};
  }
  return take().text;
}

std::string Lexer::string() {
  if (token.kind != Token::String) {
    expected("a string in double quotes");
    return {};
  }
  const Token whole = take();
  std::string_view body = whole.text.substr(1, whole.text.size() - 2);
  std::string result;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\') {
      result += body[i];
      continue;
    }
    // Two escapes: a character that needs one, and any byte in hex.
    const std::string_view rest = body.substr(i + 1);
    if (!rest.empty() && (rest[0] == '"' || rest[0] == '\\')) {
      result += rest[0];
      i += 1;
    } else if (rest.size() >= 3 && rest[0] == 'x' && hexDigit(rest[1]) >= 0 &&
               hexDigit(rest[2]) >= 0) {
      result += char(hexDigit(rest[1]) * 16 + hexDigit(rest[2]));
      i += 3;
    } else {
      error(whole, "unknown escape in this string; expected \\\", \\\\ or "
                   "\\xHH");
      return {};
    }
  }
  return result;
}

uint64_t Lexer::number(uint64_t limit) {
  if (token.kind != Token::Number) {
    expected("a number");
    return 0;
  }
  const Token start = take();
  uint64_t value = 0;
  const bool valid = isHex(start.text)
                         ? convert(start.text.substr(2), value, 16)
                         : convert(start.text, value, 10);
  if (!valid || value > limit) {
    error(start, "'{}' is no whole number from 0 to {}",
          start.text.substr(0, 40), limit);
    return 0;
  }
  return value;
}

int64_t Lexer::integer() {
  const uint64_t largest = uint64_t(std::numeric_limits<int64_t>::max());
  if (accept("-"))
    return int64_t(0 - number(largest + 1));
  return int64_t(number(largest));
}

template <typename Float, typename Bits> Bits Lexer::floatBits() {
  static_assert(sizeof(Float) == sizeof(Bits));
  const bool negative = accept("-");
  // Hexadecimal digits are the bits: the only way to write a NaN.
  if (!negative && token.kind == Token::Number && isHex(token.text))
    return Bits(number(std::numeric_limits<Bits>::max()));
  Float value = 0;
  if (at("inf")) {
    take();
    value = std::numeric_limits<Float>::infinity();
  } else if (token.kind != Token::Number || isHex(token.text) ||
             !convert(token.text, value, std::chars_format::general)) {
    expected("a number that its type can hold");
    return 0;
  } else {
    take();
  }
  if (negative)
    value = -value;
  Bits bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

uint32_t Lexer::float32() { return floatBits<float, uint32_t>(); }
uint64_t Lexer::float64() { return floatBits<double, uint64_t>(); }

std::vector<int64_t> Lexer::integers() {
  std::vector<int64_t> result;
  list("[", "]", [&] { result.push_back(integer()); });
  return result;
}

void Lexer::report(const Token &at, std::string text) {
  if (!good)
    return;
  good = false;
  const std::string_view before = input.substr(0, at.offset);
  const size_t line =
      size_t(std::count(before.begin(), before.end(), '\n')) + 1;
  const size_t lineStart = before.rfind('\n'); // npos + 1 is 0
  message = fmt::format("{}:{}: {}", line, at.offset - lineStart, text);
  position = input.size();
  token = {Token::End, {}, position};
}

} // namespace gaudi::recipe
