// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the input file and recognises its format.
#include "Source.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Quote.h"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace gaudi::run {
namespace {

constexpr std::string_view standardInput = "-";

/// The size of a regular file in bytes.
Result<uint64_t> sizeOf(const Descriptor &file, const std::string &path) {
  struct stat info;
  if (!file.isOpen() || ::fstat(file.get(), &info) != 0)
    return fail("cannot read {}: {}", inQuotes(path), strerror(errno));
  if (S_ISDIR(info.st_mode))
    return fail("cannot read {}: it is a directory", inQuotes(path));
  if (!S_ISREG(info.st_mode))
    return fail("cannot read {}: not a regular file", inQuotes(path));
  if (info.st_size == 0)
    return fail("cannot read {}: the file is empty", inQuotes(path));
  return uint64_t(info.st_size);
}

/// All of standard input, which is read once.
Result<std::string_view> wholeInput() {
  static std::string bytes;
  static bool isRead = false;
  for (char block[1 << 16]; !isRead;) {
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof(block));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail("cannot read standard input: {}", strerror(errno));
    isRead = got == 0;
    bytes.append(block, size_t(got));
  }
  if (bytes.empty())
    return fail("cannot read standard input: it is empty");
  return std::string_view(bytes);
}

Result<size_t> readUpTo(const Descriptor &file, const std::string &path,
                        char *data, size_t size) {
  Result<size_t> got = file.read(data, size);
  if (!got)
    return fail("cannot read {}: {}", inQuotes(path), got.error().message);
  return got;
}

} // namespace

Result<SourceKind> kindOfFile(const std::string &path) {
  char start[256];
  std::string_view head;
  if (path == standardInput) {
    head = GAUDI_TRY(wholeInput()).substr(0, sizeof(start));
  } else {
    const Descriptor file = Descriptor::openToRead(path);
    GAUDI_TRY(sizeOf(file, path));
    head = {start, GAUDI_TRY(readUpTo(file, path, start, sizeof(start)))};
  }
  return recipe::kindOfBytes(head, path, path == standardInput);
}

Result<recipe::RecipeFile> openRecipe(const std::string &path,
                                      const recipe::OpenOptions &options) {
  if (path != standardInput)
    return recipe::RecipeFile::open(path, options);
  const std::string_view input = GAUDI_TRY(wholeInput());
  return recipe::RecipeFile::fromBuffer(
      {reinterpret_cast<const uint8_t *>(input.data()), input.size()},
      "standard input", options);
}

Result<FileBytes> FileBytes::read(const std::string &path) {
  std::string_view input;
  std::optional<Descriptor> file;
  size_t total = 0;
  if (path == standardInput) {
    input = GAUDI_TRY(wholeInput());
    total = input.size();
  } else {
    file.emplace(Descriptor::openToRead(path));
    total = size_t(GAUDI_TRY(sizeOf(*file, path)));
  }
  // MLIR bytecode aligns its blobs to at most this.
  constexpr size_t alignment = 4096;
  FileBytes bytes;
  const size_t rounded = (total + 1 + alignment - 1) / alignment * alignment;
  bytes.data.reset(static_cast<char *>(std::aligned_alloc(alignment, rounded)));
  if (!bytes.data)
    throw std::bad_alloc();
  if (path == standardInput)
    bytes.size = input.copy(bytes.data.get(), total);
  else
    bytes.size = GAUDI_TRY(readUpTo(*file, path, bytes.data.get(), total));
  assert(bytes.size < rounded && "no room for the zero byte");
  bytes.data.get()[bytes.size] = '\0';
  return bytes;
}

} // namespace gaudi::run
