// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the input file and recognises its format.
#include "Source.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
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
constexpr std::string_view recipeMagic = "GAUDIREC";
constexpr std::string_view bytecodeMagic = "ML\xefR";

/// Bytes at a place of the file that only this format has there.
struct ForeignFormat {
  size_t offset;
  std::string_view magic;
  const char *description;
  const char *converter; ///< what helps; docs/getting-started.md has examples
};
constexpr ForeignFormat foreignFormats[] = {
    {0, "PK\x03\x04", "a zip archive, such as torch.export.save writes",
     "convert it: gaudi-import FILE"},
    {0, "\x80\x02", "a pickle, such as torch.save writes",
     "export the model with torch.export, then gaudi-import FILE"},
    {4, "TFL3", "a TensorFlow Lite model", "convert it to TOSA"},
    {0, "GGUF", "a GGUF file of weights",
     "export the model with torch.export, then gaudi-import FILE"},
    {8, "{\"", "a safetensors file of weights",
     "name the model that uses it, or export one with torch.export"},
    {0, "\x89HDF", "an HDF5 file, such as Keras writes",
     "export the model with jax.export, then gaudi-import FILE"},
};

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

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

bool isOnnx(std::string_view head, const std::string &path) {
  // A ModelProto starts with field 1, ir_version, a small number; the next
  // field is one of opset_import, producer_name, ..., all length-delimited.
  const bool modelProto = head.size() > 2 && head[0] == 8 && head[1] > 0 &&
                          head[1] < 32 && (head[2] & 7) == 2;
  return endsWith(path, ".onnx") || (modelProto && !endsWith(path, ".mlir"));
}

/// True for bytes that text does not have; a terminal may act on them.
bool isBinary(std::string_view head) {
  return std::any_of(head.begin(), head.end(), [](unsigned char c) {
    return (c < ' ' && (c < '\t' || c > '\r')) || c == 0x7f;
  });
}

/// What a file that is neither a recipe nor MLIR is, and the next step.
Error foreignFile(std::string_view head, const std::string &path) {
  const char *const see = " (docs/getting-started.md)";
  if (isOnnx(head, path))
    return {fmt::format("{} is an ONNX model; convert it: gaudi-import FILE{}",
                        inQuotes(path), see)};
  for (const ForeignFormat &format : foreignFormats)
    if (head.size() > format.offset &&
        head.substr(format.offset, format.magic.size()) == format.magic)
      return {fmt::format("{} is {}; {}{}", inQuotes(path), format.description,
                          format.converter, see)};
  if (endsWith(path, ".mlir") || endsWith(path, ".mlirbc"))
    return {fmt::format("{} is not MLIR: neither text nor bytecode",
                        inQuotes(path))};
  const bool binary = isBinary(head);
  return {fmt::format(
      "{} is not a recipe (it does not start with \"{}\"){}", inQuotes(path),
      recipeMagic,
      binary ? "" : "; a model in MLIR text must be called NAME.mlir")};
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
  if (startsWith(head, recipeMagic))
    return SourceKind::Recipe;
  if (startsWith(head, bytecodeMagic)) {
    // The version (one byte so far) comes before the producer's name.
    if (startsWith(head.substr(bytecodeMagic.size() + 1), "StableHLO_v"))
      return fail("{} is StableHLO bytecode; convert it: gaudi-import FILE "
                  "(docs/getting-started.md)",
                  inQuotes(path));
    return SourceKind::Model;
  }
  const bool mayBeText = path == standardInput || endsWith(path, ".mlir");
  if (mayBeText && !isBinary(head))
    return SourceKind::Model;
  return tl::unexpected<Error>(foreignFile(head, path));
}

bool FileBytes::isBytecode() const { return startsWith(text(), bytecodeMagic); }

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
