// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic file output: temporary file, checked writes, one system call that
// gives it its name.
#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <optional>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gaudi {
namespace {

/// Named temporary files alive now, in memory that a signal handler may read.
constexpr int slots = 128;
constexpr size_t slotBytes = 4096;
struct Slot {
  std::atomic<int> used{0}; // 0: free, 1: being filled, 2: names a file
  char path[slotBytes];
};
Slot temporaryFiles[slots];

/// Keeps signals from this thread while a file exists that the list does not
/// name yet.
class BlockSignals {
public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

int takeSlot() {
  for (int i = 0; i < slots; ++i) {
    int expected = 0;
    if (temporaryFiles[i].used.compare_exchange_strong(expected, 1))
      return i;
  }
  return -1;
}

std::string folderOf(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

/// The name under which this process reaches an open file. Linking it needs no
/// privilege, unlike AT_EMPTY_PATH.
std::string procPath(const Descriptor &file) {
  return fmt::format("/proc/self/fd/{}", file.get());
}

/// Of a file that replaces none. The system takes the bits of the umask away,
/// which a program can read only by setting it, for all its threads.
constexpr mode_t newFileMode = 0666;

/// What a name of `underTemporaryName` has beyond its folder.
constexpr size_t temporaryNameBytes = sizeof(".gaudi-0123456789abcdef");

/// Calls `use` with names in the folder of `path` until one is not taken
/// (EEXIST). Gives 0 or errno, as `use` does.
template <typename Use>
int underTemporaryName(const std::string &path, Use &&use) {
  for (;;) {
    uint64_t random = 0;
    if (::getrandom(&random, sizeof(random), 0) < 0)
      return errno;
    const int error =
        use(fmt::format("{}.gaudi-{:016x}", folderOf(path), random));
    if (error != EEXIST)
      return error;
  }
}

} // namespace

void removeTemporaryFiles() noexcept {
  for (Slot &slot : temporaryFiles)
    if (slot.used.load() == 2)
      ::unlink(slot.path);
}

OutputFile::OutputFile(OutputFile &&other) noexcept {
  *this = std::move(other);
}

OutputFile &OutputFile::operator=(OutputFile &&other) noexcept {
  if (this == &other)
    return *this;
  discard();
  target = std::move(other.target);
  resolved = std::move(other.resolved);
  temporary = std::exchange(other.temporary, std::string());
  file = std::move(other.file);
  unnamed = other.unnamed;
  finished = other.finished;
  slot = std::exchange(other.slot, -1);
  written = other.written;
  expected = other.expected;
  buffer = std::move(other.buffer);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  file.close();
  if (!temporary.empty())
    ::unlink(temporary.c_str());
  temporary.clear();
  if (slot >= 0)
    temporaryFiles[std::exchange(slot, -1)].used.store(0);
}

tl::unexpected<Error> OutputFile::failed(int error) const {
  if (error == EISDIR)
    return fail("cannot write {}: {}; name a file in it", inQuotes(target),
                strerror(error));
  if (error == ENOTDIR)
    return fail("cannot write {}: {}; what is named as its folder is a file: "
                "name another folder",
                inQuotes(target), strerror(error));
  if (error == EACCES || error == EPERM || error == EROFS)
    return fail("cannot write {}: {}; name a file in a folder that you may "
                "write to",
                inQuotes(target), strerror(error));
  if (error == ENAMETOOLONG)
    return fail("cannot write {}: {}; choose a shorter name", inQuotes(target),
                strerror(error));
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  const std::filesystem::path folder =
      std::filesystem::path(target).parent_path();
  std::error_code ignored;
  const bool noFolder = error == ENOENT && !folder.empty() &&
                        !std::filesystem::exists(folder, ignored);
  const char *const room =
      error == EFBIG ? "raise the limit of the sizes of files (ulimit -f)"
                     : "free some space, or name a file elsewhere";
  const std::string home = noFolder ? homeAdvice(target) : "";
  return fail("cannot write {}: {}{}", inQuotes(target), strerror(error),
              !home.empty() ? home
              : noFolder ? fmt::format("; make its folder first: mkdir -p {}",
                                       inQuotes(folder.string()))
              : error == ENOENT
                  ? std::string("; name a file in a folder that you may write "
                                "to")
              : !full ? std::string()
              : expected
                  ? fmt::format("; {} bytes are needed: {}", expected, room)
                  : fmt::format(" after {} bytes; {}", written, room));
}

Result<OutputFile> OutputFile::create(const std::string &path,
                                      uint64_t expectedBytes, Temporary kind) {
  if (path.empty())
    return fail("cannot write a file with an empty name; name one");
  OutputFile output;
  output.target = output.resolved = path;
  output.expected = expectedBytes;
  struct stat info;
  std::optional<mode_t> mode; // of the file that is replaced
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return output.failed(EISDIR);
    // A device or pipe is written directly: it has no content to replace.
    if (!S_ISREG(info.st_mode)) {
      output.file = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
      if (!output.file.isOpen())
        return output.failed(errno);
      return output;
    }
    // A rename would succeed where writing is forbidden.
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      return output.failed(errno);
    // Through links: the file is replaced, not the link to it.
    if (char *real = ::realpath(path.c_str(), nullptr)) {
      output.resolved = real;
      std::free(real);
    }
    mode = info.st_mode & 0777;
  } else if (errno != ENOENT) {
    return output.failed(errno);
  } else if (::lstat(path.c_str(), &info) == 0) {
    return fail(
        "cannot write {}: a symbolic link to a file that does not exist; "
        "remove the link, or name another file",
        inQuotes(path));
  } else if (path.back() == '/') {
    return output.failed(EISDIR);
  }
  // Not all file systems have unnamed files: then a named one.
  if (kind == Temporary::Unnamed)
    GAUDI_TRY(output.openUnnamed(mode));
  if (!output.file.isOpen())
    GAUDI_TRY(output.openNamed(mode));
  return output;
}

/// Leaves the file closed where the system has no unnamed files.
Status OutputFile::openUnnamed(std::optional<mode_t> mode) {
  const std::string folder = folderOf(resolved);
  Descriptor opened(::open(folder.empty() ? "." : folder.c_str(),
                           O_TMPFILE | O_WRONLY | O_CLOEXEC,
                           mode.value_or(newFileMode)));
  if (!opened.isOpen()) {
    // What kernels and file systems say that do not know the flag.
    if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)
      return {};
    return failed(errno);
  }
  // Without /proc it could never get a name.
  if (::access(procPath(opened).c_str(), F_OK) != 0)
    return {};
  if (mode && ::fchmod(opened.get(), *mode) != 0)
    return failed(errno);
  file = std::move(opened);
  unnamed = true;
  return {};
}

Status OutputFile::openNamed(std::optional<mode_t> mode) {
  if (resolved.size() + temporaryNameBytes >= slotBytes)
    return failed(ENAMETOOLONG);
  slot = takeSlot();
  if (slot < 0)
    return fail("cannot write {}: more than {} files are being written",
                inQuotes(target), slots);
  BlockSignals block;
  const int error = underTemporaryName(resolved, [&](const std::string &name) {
    file =
        Descriptor(::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
                          mode.value_or(newFileMode)));
    if (!file.isOpen())
      return errno;
    temporary = name;
    return 0;
  });
  if (error != 0)
    return failed(error);
  std::memcpy(temporaryFiles[slot].path, temporary.c_str(),
              temporary.size() + 1);
  temporaryFiles[slot].used.store(2);
  if (mode && ::fchmod(file.get(), *mode) != 0)
    return failed(errno);
  return {};
}

Status OutputFile::write(const void *data, size_t size) {
  assert(!finished && "a finished file takes no more bytes");
  constexpr size_t bufferBytes = size_t(1) << 20;
  const char *bytes = static_cast<const char *>(data);
  if (buffer.size() + size > bufferBytes)
    GAUDI_TRY(flush());
  if (size <= bufferBytes) {
    buffer.insert(buffer.end(), bytes, bytes + size);
    return {};
  }
  return writeNow(bytes, size);
}

Status OutputFile::flush() {
  Status status = writeNow(buffer.data(), buffer.size());
  buffer.clear();
  return status;
}

Status OutputFile::writeNow(const char *bytes, size_t size,
                            std::optional<uint64_t> at) {
  // Linux transfers at most about 2 GiB per call.
  constexpr size_t largestWrite = size_t(1) << 30;
  while (size > 0) {
    const size_t next = std::min(size, largestWrite);
    const ssize_t count = at ? ::pwrite(file.get(), bytes, next, off_t(*at))
                             : ::write(file.get(), bytes, next);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return failed(count < 0 ? errno : ENOSPC);
    bytes += count;
    size -= size_t(count);
    (at ? *at : written) += uint64_t(count);
  }
  return {};
}

Status OutputFile::overwrite(uint64_t at, const void *data, size_t size) {
  GAUDI_TRY(flush());
  assert(at + size <= written && "only what was appended is written over");
  return writeNow(static_cast<const char *>(data), size, at);
}

Status OutputFile::finish() {
  GAUDI_TRY(flush());
  finished = true;
  // Network file systems report some errors only when a descriptor is closed.
  // An unnamed file would vanish with its last descriptor, so a copy is closed.
  Descriptor last = unnamed ? Descriptor(::dup(file.get())) : std::move(file);
  if (!last.isOpen() || !last.close())
    return failed(errno);
  return {};
}

/// Links the unnamed file under a name of its own and renames that, because a
/// link cannot replace a file. Only a kill between the two calls leaves a file.
/// Gives 0 or errno.
int OutputFile::linkOverTarget() const {
  const std::string from = procPath(file);
  // A signal between the calls would leave the file.
  BlockSignals block;
  return underTemporaryName(resolved, [&](const std::string &name) {
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(),
                 AT_SYMLINK_FOLLOW) != 0)
      return errno;
    if (::rename(name.c_str(), resolved.c_str()) == 0)
      return 0;
    const int error = errno;
    ::unlink(name.c_str());
    return error;
  });
}

Status OutputFile::publish() {
  assert(finished && "only a finished file may appear");
  if (unnamed) {
    if (::linkat(AT_FDCWD, procPath(file).c_str(), AT_FDCWD, resolved.c_str(),
                 AT_SYMLINK_FOLLOW) == 0) {
      created = true;
    } else {
      const int error = errno == EEXIST ? linkOverTarget() : errno;
      if (error != 0)
        return failed(error);
    }
    file.close();
    return {};
  }
  if (temporary.empty())
    return {};
  BlockSignals block;
  if (::rename(temporary.c_str(), resolved.c_str()) != 0)
    return failed(errno);
  temporary.clear();
  temporaryFiles[std::exchange(slot, -1)].used.store(0);
  return {};
}

void OutputFile::withdraw() {
  if (std::exchange(created, false))
    ::unlink(resolved.c_str());
}

Status OutputFile::commit() {
  GAUDI_TRY(finish());
  return publish();
}

Status commitAll(std::vector<OutputFile> &files) {
  for (OutputFile &file : files)
    GAUDI_TRY(file.finish());
  for (size_t i = 0; i < files.size(); ++i)
    if (Status published = files[i].publish(); !published) {
      for (size_t before = 0; before < i; ++before)
        files[before].withdraw();
      return published;
    }
  return {};
}

} // namespace gaudi
