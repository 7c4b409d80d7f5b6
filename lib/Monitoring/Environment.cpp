// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads flags and the rank.
#include "Environment.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <strings.h>
#include <sys/stat.h>

namespace gaudi::monitoring {

bool isSet(const char *name) noexcept {
  const char *value = std::getenv(name);
  for (const char *set : {"1", "true", "yes", "on"})
    if (value && ::strcasecmp(value, set) == 0)
      return true;
  return false;
}

const char *firstSet(const char *name, const char *other) {
  for (const char *each : {name, other})
    if (const char *value = std::getenv(each); value && *value)
      return value;
  return nullptr;
}

std::string rankText() {
  const char *rank = firstSet("RANK", "OMPI_COMM_WORLD_RANK");
  // It becomes a part of file names.
  const std::string text = rank ? rank : "";
  return text.find_first_not_of("0123456789") == std::string::npos ? text : "";
}

bool makeFolders(const std::string &path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (::mkdir(path.substr(0, slash).c_str(), 0777) != 0 && errno != EEXIST)
      return false;
    if (slash == std::string::npos)
      return true;
  }
}

void warn(const std::string &text) {
  std::fputs(("gaudi-mlir: warning: " + text + "\n").c_str(), stderr);
}

} // namespace gaudi::monitoring
