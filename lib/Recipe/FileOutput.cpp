// Atomic file output: temporary file, checked writes, rename.
#include "FileOutput.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gaudi::recipe {
namespace {

constexpr size_t bufferBytes = size_t(1) << 20;
constexpr uint64_t largestWrite = uint64_t(1) << 30;

} // namespace

FileOutput::FileOutput(std::string path, uint64_t totalBytes)
    : path(std::move(path)), totalBytes(totalBytes) {}

FileOutput::~FileOutput() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

Status FileOutput::failed(const char *step, int error) const {
  std::string message =
      "cannot " + std::string(step) + " '" + path + "': " + strerror(error);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    message += "; " + std::to_string(totalBytes) + " bytes are needed";
  return fail(message);
}

Status FileOutput::open() {
  if (path.empty())
    return fail("cannot write a recipe: the output path is empty");
  struct stat info;
  target = path;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return failed("write", EISDIR);
    // A rename would replace a device or pipe by a file.
    if (!S_ISREG(info.st_mode))
      return fail("cannot write '" + path + "': not a regular file");
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
      return failed("write", errno);
    if (char *real = ::realpath(path.c_str(), nullptr)) {
      target = real;
      std::free(real);
    }
  } else if (errno != ENOENT) {
    return failed("write", errno);
  } else if (::lstat(path.c_str(), &info) == 0) {
    return fail("cannot write '" + path +
                "': a symbolic link to a file that does not exist");
  } else if (path.back() == '/') {
    return failed("write", EISDIR);
  }
  std::string pattern = target + ".XXXXXX";
  descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor < 0)
    return failed("create", errno);
  temporary = pattern;
  // Temporary files are private; the recipe gets the usual permissions, or
  // those of the file that it replaces.
  mode_t mode;
  if (::stat(target.c_str(), &info) == 0) {
    mode = info.st_mode & 0777;
  } else {
    mode = ::umask(0);
    ::umask(mode);
    mode = 0666 & ~mode;
  }
  if (::fchmod(descriptor, mode) != 0)
    return failed("create", errno);
  buffer.reserve(bufferBytes);
  return {};
}

Status FileOutput::flush() {
  const uint8_t *data = buffer.data();
  size_t left = buffer.size();
  while (left > 0) {
    ssize_t written = ::write(descriptor, data, left);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return failed("write", written < 0 ? errno : ENOSPC);
    data += written;
    left -= size_t(written);
  }
  buffer.clear();
  return {};
}

Status FileOutput::write(const uint8_t *data, uint64_t size) {
  if (size < bufferBytes) {
    if (buffer.size() + size > bufferBytes)
      if (Status status = flush(); !status)
        return status;
    buffer.insert(buffer.end(), data, data + size);
    return {};
  }
  if (Status status = flush(); !status)
    return status;
  while (size > 0) {
    ssize_t written = ::write(descriptor, data, std::min(size, largestWrite));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return failed("write", written < 0 ? errno : ENOSPC);
    data += written;
    size -= uint64_t(written);
  }
  return {};
}

Status FileOutput::commit() {
  if (Status status = flush(); !status)
    return status;
  int closing = descriptor;
  descriptor = -1;
  if (::close(closing) != 0)
    return failed("write", errno);
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return failed("rename the finished file to", errno);
  temporary.clear();
  return {};
}

} // namespace gaudi::recipe
