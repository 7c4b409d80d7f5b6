// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads environment variables; makes folders.
#include "Gaudi/Support/Environment.h"

#include "Gaudi/Support/Quote.h"

#include <cerrno>
#include <cstdlib>
#include <strings.h>
#include <sys/stat.h>

namespace gaudi {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<std::string_view> environmentVariable(const char *name) {
  const char *value = std::getenv(name);
  return value ? std::optional(trimmed(value)) : std::nullopt;
}

Result<bool> switchOf(std::string_view text) {
  const std::string given(text);
  for (const char *on : {"true", "1", "on", "yes", "y", "t"})
    if (::strcasecmp(given.c_str(), on) == 0)
      return true;
  for (const char *off : {"", "false", "0", "off", "no", "n", "f"})
    if (::strcasecmp(given.c_str(), off) == 0)
      return false;
  return fail("expected true or false but got {}", inQuotes(text));
}

Result<std::string_view> rankOf(const char *name, const char *openMpiName) {
  for (const char *each : {name, openMpiName})
    if (const auto value = environmentVariable(each);
        value && !value->empty()) {
      if (value->find_first_not_of("0123456789") != value->npos)
        return fail("{}: expected a number but got {}; write 0 for the first "
                    "process, or unset it",
                    each, inQuotes(*value));
      return *value;
    }
  return "";
}

bool makeFolders(const std::string &path, mode_t mode) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (::mkdir(path.substr(0, slash).c_str(), mode) != 0 && errno != EEXIST)
      return false;
    if (slash == std::string::npos)
      return true;
  }
}

} // namespace gaudi
