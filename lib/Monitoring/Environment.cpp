// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads flags and the rank.
#include "Environment.h"

#include "Gaudi/Support/Environment.h"

#include <cstdio>
#include <cstdlib>

namespace gaudi::monitoring {

bool isSet(const char *name) noexcept {
  return switchOf(environmentVariable(name).value_or("")).value_or(false);
}

const char *firstSet(const char *name, const char *other) {
  for (const char *each : {name, other})
    if (const char *value = std::getenv(each); value && *value)
      return value;
  return nullptr;
}

std::string rankText() {
  return std::string(
      rankOf("RANK", "OMPI_COMM_WORLD_RANK").value_or(std::string_view()));
}

void warn(const std::string &text) {
  std::fputs(("gaudi-mlir: warning: " + text + "\n").c_str(), stderr);
}

} // namespace gaudi::monitoring
