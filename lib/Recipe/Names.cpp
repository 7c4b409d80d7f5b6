// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quoting and lower-casing.
#include "Names.h"

namespace gaudi::recipe {
namespace {

/// Length of the valid UTF-8 sequence of two or more bytes at the start of
/// `string`, or 0.
size_t utf8Length(std::string_view string) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(string[i]); };
  size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || string.size() < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Overlong forms, surrogates, C1 controls, and past U+10FFFF.
  if ((byte(0) == 0xe0 && byte(1) < 0xa0) ||
      (byte(0) == 0xed && byte(1) > 0x9f) ||
      (byte(0) == 0xf0 && byte(1) < 0x90) ||
      (byte(0) == 0xf4 && byte(1) > 0x8f) ||
      (byte(0) == 0xc2 && byte(1) < 0xa0))
    return 0;
  return length;
}

} // namespace

std::string lowerCase(std::string_view word) {
  std::string result(word);
  for (char &c : result)
    if (c >= 'A' && c <= 'Z')
      c = char(c - 'A' + 'a');
  return result;
}

std::string quoted(std::string_view string) {
  static const char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (size_t i = 0; i < string.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(string[i]);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += char(c);
    } else if (c >= 0x20 && c < 0x7f) {
      result += char(c);
    } else if (size_t length = c >= 0x80 ? utf8Length(string.substr(i)) : 0) {
      result += string.substr(i, length);
      i += length - 1;
    } else {
      result += "\\x";
      result += digits[c >> 4];
      result += digits[c & 15];
    }
  }
  return result + '"';
}

} // namespace gaudi::recipe
