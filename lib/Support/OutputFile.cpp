// Atomic file output: temporary file, checked writes, rename.
#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gaudi {
namespace {

/// Temporary files alive now, in memory that a signal handler may read.
constexpr int slots = 128;
constexpr size_t slotBytes = 4096;
struct Slot {
  std::atomic<int> used{0}; // 0: free, 1: being filled, 2: names a file
  char path[slotBytes];
};
Slot temporaryFiles[slots];

/// Keeps signals out while a file exists that the list does not name yet.
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
  descriptor = std::exchange(other.descriptor, -1);
  slot = std::exchange(other.slot, -1);
  written = other.written;
  expected = other.expected;
  buffer = std::move(other.buffer);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (descriptor >= 0)
    ::close(std::exchange(descriptor, -1));
  if (!temporary.empty())
    ::unlink(temporary.c_str());
  temporary.clear();
  if (slot >= 0)
    temporaryFiles[std::exchange(slot, -1)].used.store(0);
}

Status OutputFile::failed(int error) const {
  std::string message =
      "cannot write " + inQuotes(target) + ": " + strerror(error);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    message += expected ? "; " + std::to_string(expected) + " bytes are needed"
                        : " after " + std::to_string(written) + " bytes";
  return fail(std::move(message));
}

Result<OutputFile> OutputFile::create(const std::string &path,
                                      uint64_t expectedBytes) {
  if (path.empty())
    return fail("cannot write a file with an empty name");
  OutputFile file;
  file.target = file.resolved = path;
  file.expected = expectedBytes;
  auto refuse = [&](int error) {
    return tl::unexpected<Error>(file.failed(error).error());
  };
  struct stat info;
  mode_t mode;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return refuse(EISDIR);
    if (!S_ISREG(info.st_mode)) {
      file.descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (file.descriptor < 0)
        return refuse(errno);
      return file;
    }
    // A rename would succeed where writing is forbidden.
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      return refuse(errno);
    if (char *real = ::realpath(path.c_str(), nullptr)) {
      file.resolved = real;
      std::free(real);
    }
    mode = info.st_mode & 0777;
  } else if (errno != ENOENT) {
    return refuse(errno);
  } else if (::lstat(path.c_str(), &info) == 0) {
    return fail("cannot write " + inQuotes(path) +
                ": a symbolic link to a file that does not exist");
  } else if (path.back() == '/') {
    return refuse(EISDIR);
  } else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }

  std::string pattern = folderOf(file.resolved) + ".gaudi-XXXXXX";
  if (pattern.size() >= slotBytes)
    return refuse(ENAMETOOLONG);
  const int slot = takeSlot();
  if (slot < 0)
    return fail("cannot write " + inQuotes(path) + ": more than " +
                std::to_string(slots) + " files are being written");
  BlockSignals block;
  file.slot = slot;
  file.descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (file.descriptor < 0)
    return refuse(errno);
  file.temporary = pattern;
  std::memcpy(temporaryFiles[slot].path, pattern.c_str(), pattern.size() + 1);
  temporaryFiles[slot].used.store(2);
  if (::fchmod(file.descriptor, mode) != 0)
    return refuse(errno);
  return file;
}

Status OutputFile::write(const void *data, size_t size) {
  constexpr size_t bufferBytes = size_t(1) << 20;
  const char *bytes = static_cast<const char *>(data);
  if (buffer.size() + size > bufferBytes)
    if (Status status = flush(); !status)
      return status;
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

Status OutputFile::writeNow(const char *bytes, size_t size) {
  // Linux transfers at most about 2 GiB per call.
  constexpr size_t largestWrite = size_t(1) << 30;
  while (size > 0) {
    const ssize_t count =
        ::write(descriptor, bytes, std::min(size, largestWrite));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return failed(count < 0 ? errno : ENOSPC);
    bytes += count;
    size -= size_t(count);
    written += uint64_t(count);
  }
  return {};
}

Status OutputFile::commit() {
  if (Status status = flush(); !status)
    return status;
  // Network file systems report some errors only here.
  if (::close(std::exchange(descriptor, -1)) != 0)
    return failed(errno);
  if (temporary.empty())
    return {};
  BlockSignals block;
  if (::rename(temporary.c_str(), resolved.c_str()) != 0)
    return failed(errno);
  temporary.clear();
  temporaryFiles[std::exchange(slot, -1)].used.store(0);
  return {};
}

} // namespace gaudi
