// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formatted text on its way to a stream.
#ifndef GAUDI_LIB_RECIPE_TEXT_TEXTWRITER_H
#define GAUDI_LIB_RECIPE_TEXT_TEXTWRITER_H

#include <fmt/format.h>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace gaudi::recipe {

/// Collects text and hands it to the stream in large parts: a recipe's
/// constants may print as gigabytes.
class TextWriter {
public:
  explicit TextWriter(std::ostream &out) : out(out) {}
  ~TextWriter() { flush(); }
  TextWriter(const TextWriter &) = delete;
  TextWriter &operator=(const TextWriter &) = delete;

  void put(std::string_view text) {
    buffer += text;
    if (buffer.size() >= flushBytes)
      flush();
  }

  template <typename First, typename... Rest>
  void put(fmt::format_string<First, Rest...> format, First &&first,
           Rest &&...rest) {
    fmt::format_to(std::back_inserter(buffer), format,
                   std::forward<First>(first), std::forward<Rest>(rest)...);
  }

private:
  static constexpr size_t flushBytes = size_t(1) << 16;

  void flush() {
    out.write(buffer.data(), std::streamsize(buffer.size()));
    buffer.clear();
  }

  std::ostream &out;
  std::string buffer;
};

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_TEXT_TEXTWRITER_H
