// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in messages and in the text form: lower-case enumerators and quoted
// strings.
#ifndef GAUDI_LIB_RECIPE_NAMES_H
#define GAUDI_LIB_RECIPE_NAMES_H

#include <optional>
#include <string>
#include <string_view>

namespace gaudi::recipe {

std::string lowerCase(std::string_view word);

/// The enumerator's name in lower case; "?" when `value` is none.
template <typename Enum>
std::string wordOf(Enum value, const char *const *names, Enum last) {
  return value <= last ? lowerCase(names[size_t(value)]) : "?";
}

/// The enumerator whose name in lower case is `word`.
template <typename Enum>
std::optional<Enum> enumOf(std::string_view word, const char *const *names,
                           Enum last) {
  for (size_t i = 0; i <= size_t(last); ++i)
    if (lowerCase(names[i]) == word)
      return Enum(i);
  return std::nullopt;
}

/// In double quotes; bytes outside printable ASCII become \xHH unless they
/// form valid UTF-8, which stays as it is.
std::string quoted(std::string_view string);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_NAMES_H
