// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends to the file of the log, and renames full ones.
#include "LogFile.h"

#include "Environment.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Quote.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gaudi::monitoring {

std::string LogFile::path(unsigned number) const {
  return number == 0 ? folder + "/pytorch_log.txt"
                     : fmt::format("{}/pytorch_log.{}.txt", folder, number);
}

tl::unexpected<Error> LogFile::failed(const std::string &what) const {
  return fail("logs cannot be written to {} ({}); they go to standard error, "
              "and HABANA_LOGS names another folder",
              inQuotes(what), std::strerror(errno));
}

Status LogFile::open() {
  if (!makeFolders(folder, 0777))
    return failed(folder);
  // O_NONBLOCK: opening a FIFO that somebody put there must not wait.
  file = Descriptor(
      ::open(path(0).c_str(),
             O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666));
  if (!file.isOpen())
    return failed(path(0));
  return {};
}

Status LogFile::rotate() {
  // The lock ends with its descriptor, also in a process that is killed.
  const Descriptor lock(
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.isOpen())
    return failed(folder);
  // Another process is at it, or was stopped while it was: the next line tries
  // again, and this one makes the file a bit longer.
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK || errno == EINTR ? Status() : failed(folder);
  struct stat ours{};
  struct stat current{};
  if (::fstat(file.get(), &ours) == 0 &&
      ::stat(path(0).c_str(), &current) == 0 && ours.st_ino == current.st_ino &&
      ours.st_dev == current.st_dev) {
    if (amount == 0)
      ::unlink(path(0).c_str());
    for (unsigned number = amount; number > 0; --number)
      if (::rename(path(number - 1).c_str(), path(number).c_str()) != 0 &&
          errno != ENOENT)
        return failed(path(number));
  }
  return open();
}

Status LogFile::append(std::string_view line) {
  if (!file.isOpen())
    GAUDI_TRY(open());
  struct stat status{};
  if (::fstat(file.get(), &status) == 0 && status.st_size > 0 &&
      uint64_t(status.st_size) + line.size() > limit)
    GAUDI_TRY(rotate());
  while (!line.empty()) {
    const ssize_t written = ::write(file.get(), line.data(), line.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return failed(path(0));
    line.remove_prefix(size_t(written));
  }
  return {};
}

} // namespace gaudi::monitoring
