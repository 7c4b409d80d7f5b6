// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes whole files of text.
#include "Gaudi/Support/TextFile.h"

#include "Gaudi/Support/GitLfs.h"
#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Support/Quote.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

using namespace gaudi;

Result<std::string> gaudi::readTextFile(const std::string &path,
                                        std::string_view what) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
      std::fopen(path.c_str(), "rb"), std::fclose);
  std::string text;
  if (file) {
    char chunk[1 << 16];
    errno = 0;
    while (const size_t got = std::fread(chunk, 1, sizeof chunk, file.get()))
      text.append(chunk, got);
  }
  if (!file || std::ferror(file.get()))
    return fail("cannot read {}: {}; name {}", inQuotes(path),
                std::strerror(errno), what);
  if (isLfsPointer(text))
    return fail("cannot read {}: {}", inQuotes(path), lfsAdvice);
  return text;
}

Status gaudi::writeTextFile(const std::string &path, std::string_view text) {
  OutputFile file = GAUDI_TRY(OutputFile::create(path, text.size()));
  GAUDI_TRY(file.write(text.data(), text.size()));
  return file.commit();
}
