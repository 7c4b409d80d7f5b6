// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the input file and recognises its format.
#include "Source.h"
#include "Console.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/GitLfs.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"
#include "Suffixes.h"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
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
    return fail("cannot read {}: {}", inQuotes(path), whyNotOpened(path));
  if (S_ISDIR(info.st_mode))
    return fail(
        "cannot read {}: it is a directory; name a recipe or a model in it",
        inQuotes(path));
  if (!S_ISREG(info.st_mode))
    return fail("cannot read {}: not a regular file; name a recipe or a model, "
                "or give its bytes to standard input: gaudi-run -",
                inQuotes(path));
  if (info.st_size == 0)
    return fail("cannot read {}: the file is empty; name a recipe or a model",
                inQuotes(path));
  return uint64_t(info.st_size);
}

/// All of standard input, which is read once.
Result<std::string_view> wholeInput() {
  static std::string bytes;
  static bool isRead = false;
  // Else it seems to hang.
  if (!isRead && ::isatty(STDIN_FILENO))
    printNote("reading a model or a recipe from the terminal, until Ctrl-D; "
              "name a FILE to read that instead of -");
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
    return fail("cannot read standard input: it is empty; give it the bytes of "
                "a recipe or a model: gaudi-run - < FILE");
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

Status checkDevice(const recipe::Recipe &recipe, const Options &options) {
  const std::string_view target = recipe::text(recipe.target());
  if (options.device && *options.device != target)
    return fail(
        "{} was compiled for {}, not for --device={}; remove the option, or "
        "compile the model for that device",
        inQuotes(options.file), target, *options.device);
  return {};
}

Result<recipe::RecipeFile> openToPlan(const Options &options) {
  GAUDI_TRY(refuseModelOptions(options, /*readsHistogram=*/true));
  recipe::OpenOptions open;
  open.verifyConstants = false;
  auto file = GAUDI_TRY(openRecipe(options.file, open));
  GAUDI_TRY(checkDevice(file.recipe(), options));
  bool isDynamic = false;
  for (const recipe::Entry *entry : recipe::items(file->entries()))
    isDynamic |= entry->dispatch() != nullptr;
  if (!options.bucketHistogram.empty() && !isDynamic)
    return fail("--bucket-histogram: no entry of {} has dynamic sizes; remove "
                "the option",
                inQuotes(options.file));
  return file;
}

bool sameFile(const std::string &a, const std::string &b) {
  // Devices such as /dev/null take any number of outputs.
  std::error_code error;
  if (std::filesystem::exists(a, error) &&
      !std::filesystem::is_regular_file(a, error))
    return false;
  return a == b || std::filesystem::weakly_canonical(a, error) ==
                       std::filesystem::weakly_canonical(b, error);
}

Status checkSave(const Options &options) {
  if (!options.save.empty() && sameFile(options.save, options.file))
    return fail("-o, --save-recipe: {} would replace the model; choose another "
                "name, such as {}",
                inQuotes(options.save),
                std::filesystem::path(options.save)
                    .replace_extension(".recipe")
                    .filename()
                    .string());
  return refuseOtherFormat("-o, --save-recipe", options.save, ".recipe");
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
  if (isLfsPointer(bytes.text()))
    return fail("cannot read {}: {}", inQuotes(path), lfsAdvice);
  return bytes;
}

} // namespace gaudi::run
