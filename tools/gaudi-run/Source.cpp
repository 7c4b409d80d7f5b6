// Opens the input file and finds out what it is.
#include "Source.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace gaudi::run {
namespace {

constexpr char recipeMagic[] = "GAUDIREC";
constexpr char bytecodeMagic[] = "ML\xefR";

class Descriptor {
public:
  explicit Descriptor(const std::string &path)
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  const int number;
};

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

/// Opens a regular file and gives its size.
Outcome<uint64_t> sizeOf(const Descriptor &file, const std::string &path) {
  struct stat info;
  if (file.number < 0 || ::fstat(file.number, &info) != 0)
    return badInput("cannot read " + inQuotes(path) + ": " + strerror(errno));
  if (S_ISDIR(info.st_mode))
    return badInput("cannot read " + inQuotes(path) + ": it is a directory");
  if (!S_ISREG(info.st_mode))
    return badInput("cannot read " + inQuotes(path) + ": not a regular file");
  if (info.st_size == 0)
    return badInput("cannot read " + inQuotes(path) + ": the file is empty");
  return uint64_t(info.st_size);
}

Outcome<size_t> readUpTo(const Descriptor &file, const std::string &path,
                         char *data, size_t size) {
  size_t have = 0;
  while (have < size) {
    const ssize_t count = ::read(file.number, data + have,
                                 std::min(size - have, size_t(1) << 30));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return badInput("cannot read " + inQuotes(path) + ": " + strerror(errno));
    if (count == 0)
      break;
    have += size_t(count);
  }
  return have;
}

} // namespace

Outcome<SourceKind> kindOfFile(const std::string &path) {
  Descriptor file(path);
  auto size = sizeOf(file, path);
  if (!size)
    return again(size.error());
  char start[256];
  auto got = readUpTo(file, path, start, sizeof(start));
  if (!got)
    return again(got.error());
  const std::string_view head(start, *got);
  if (head.substr(0, 8) == std::string_view(recipeMagic, 8))
    return SourceKind::Recipe;
  if (head.substr(0, 4) == std::string_view(bytecodeMagic, 4))
    return SourceKind::Model;
  const bool binary = head.find('\0') != std::string_view::npos;
  if (endsWith(path, ".mlir") && !binary)
    return SourceKind::Model;
  if (endsWith(path, ".mlir") || endsWith(path, ".mlirbc"))
    return badInput(inQuotes(path) + " is no MLIR: neither text nor bytecode");
  return badInput(
      inQuotes(path) + " is no recipe (it does not start with \"GAUDIREC\")" +
      (binary ? "" : "; a model in MLIR text must be called NAME.mlir"));
}

Outcome<FileBytes> FileBytes::read(const std::string &path) {
  Descriptor file(path);
  auto size = sizeOf(file, path);
  if (!size)
    return again(size.error());
  // MLIR bytecode aligns its blobs to at most this.
  constexpr size_t alignment = 4096;
  FileBytes bytes;
  const size_t rounded =
      (size_t(*size) + 1 + alignment - 1) / alignment * alignment;
  bytes.data.reset(static_cast<char *>(std::aligned_alloc(alignment, rounded)));
  if (!bytes.data)
    throw std::bad_alloc();
  auto got = readUpTo(file, path, bytes.data.get(), size_t(*size));
  if (!got)
    return again(got.error());
  bytes.size = *got;
  bytes.data.get()[bytes.size] = '\0';
  return bytes;
}

} // namespace gaudi::run
