// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files whose name is removed as soon as they are open.
#include "Gaudi/Support/TemporaryFile.h"

#include <cstdlib>
#include <unistd.h>

namespace gaudi {

std::string temporaryFolder() {
  const char *given = std::getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

TemporaryFile openTemporaryFile() {
  std::string path = temporaryFolder() + "/gaudi-XXXXXX";
  const int number = ::mkstemp(path.data());
  if (number < 0)
    return nullptr;
  (void)::unlink(path.c_str());
  TemporaryFile file(::fdopen(number, "w+b"));
  if (!file)
    (void)::close(number);
  return file;
}

} // namespace gaudi
