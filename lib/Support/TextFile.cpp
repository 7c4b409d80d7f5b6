// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes whole files of text.
#include "Gaudi/Support/TextFile.h"

#include "Gaudi/Support/GitLfs.h"
#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"

#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <utility>

using namespace gaudi;

/// What a file is that is no text; empty: it is.
static std::string_view whyNoText(std::string_view bytes) {
  using namespace std::literals;
  constexpr std::pair<std::string_view, std::string_view> formats[] = {
      {"\x93NUMPY"sv, "it is an array of NumPy"},
      {"PK\x03\x04"sv, "it is a zip archive"},
      {"\x1f\x8b"sv, "it is compressed by gzip"},
      {"GAUDIREC"sv, "it is a recipe"},
      {"ML\xefR"sv, "it is bytecode of MLIR"},
      {"\xff\xfe"sv, "it is text in UTF-16, not in UTF-8"},
      {"\xfe\xff"sv, "it is text in UTF-16, not in UTF-8"}};
  for (const auto &[magic, is] : formats)
    if (bytes.substr(0, magic.size()) == magic)
      return is;
  return bytes.substr(0, 4096).find('\0') == bytes.npos ? "" : "it is no text";
}

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
  const std::string next = fmt::format("name {}", what);
  if (!file || std::ferror(file.get()))
    return fail("cannot read {}: {}", inQuotes(path), whyNotOpened(path, next));
  if (isLfsPointer(text))
    return fail("cannot read {}: {}", inQuotes(path), lfsAdvice);
  if (const std::string_view why = whyNoText(text); !why.empty())
    return fail("cannot read {}: {}; {}", inQuotes(path), why, next);
  return text;
}

Status gaudi::writeTextFile(const std::string &path, std::string_view text) {
  OutputFile file = GAUDI_TRY(OutputFile::create(path, text.size()));
  GAUDI_TRY(file.write(text.data(), text.size()));
  return file.commit();
}
