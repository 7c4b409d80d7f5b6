// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Foreign text (file names, names from files) in one-line messages.
#ifndef GAUDI_SUPPORT_QUOTE_H
#define GAUDI_SUPPORT_QUOTE_H

#include <string>
#include <string_view>

namespace gaudi {

/// `text` with control characters as \xNN, so that a message stays one line and
/// cannot drive a terminal. Other bytes are kept, also those that are not
/// UTF-8: a file name must stay recognisable.
inline std::string printable(std::string_view text) {
  static const char digits[] = "0123456789abcdef";
  std::string result;
  for (unsigned char c : text) {
    if (c < 0x20 || c == 0x7f) {
      result += "\\x";
      result += digits[c >> 4];
      result += digits[c & 15];
    } else {
      result += static_cast<char>(c);
    }
  }
  return result;
}

/// The same in single quotes.
inline std::string inQuotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_QUOTE_H
