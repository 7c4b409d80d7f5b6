// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trust, atomic replacement and listing of the files of a folder.
#include "FolderFiles.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gaudi::runtime {

using recipe::ByteSpan;

static constexpr char temporaryPrefix[] = ".tmp-";

/// Process ids would not do: containers that share a cache have equal ones.
CacheNonce randomNumber() {
  static std::atomic<uint64_t> counter{0};
  CacheNonce random = {};
  if (::getrandom(random.data(), sizeof(random), GRND_NONBLOCK) !=
      ssize_t(sizeof(random))) {
    timespec now = {};
    (void)::clock_gettime(CLOCK_REALTIME, &now);
    random = {uint64_t(::getpid()) << 32 | (counter++ & 0xffffffff),
              uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec)};
  }
  return random;
}

std::string whyNotOurs(int descriptor, bool isDirectory) {
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return strerror(errno);
  if (isDirectory ? !S_ISDIR(info.st_mode) : !S_ISREG(info.st_mode))
    return isDirectory ? "it is not a directory" : "it is not a regular file";
  if (info.st_uid != ::geteuid())
    return "it belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "other users may write to it";
  return "";
}

int writeAll(int descriptor, uint64_t offset, ByteSpan bytes,
             const std::function<bool()> &stop) {
  while (bytes.size) {
    if (stop && stop())
      return ECANCELED;
    const ssize_t count =
        ::pwrite(descriptor, bytes.data,
                 std::min<uint64_t>(bytes.size, 4 << 20), off_t(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count < 0 ? errno : ENOSPC;
    bytes.data += count;
    bytes.size -= uint64_t(count);
    offset += uint64_t(count);
  }
  return 0;
}

uint64_t fileSizeLimit() {
  rlimit most;
  return ::getrlimit(RLIMIT_FSIZE, &most) == 0 ? most.rlim_cur : UINT64_MAX;
}

bool forFiles(int folder, const std::function<void(const char *)> &visit) {
  // A descriptor of its own, since a directory stream moves the offset that all
  // copies of a descriptor share.
  Descriptor copy(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR *list = copy.isOpen() ? ::fdopendir(copy.get()) : nullptr;
  if (!list)
    return false;
  copy.release(); // the list closes it
  while (const dirent *item = ::readdir(list))
    visit(item->d_name);
  ::closedir(list);
  return true;
}

TemporaryFile::TemporaryFile(int folder) : folder(folder) {
  // Again if removeIfLeft came between open and lock, and removed it.
  for (int attempt = 0; attempt < 10; ++attempt) {
    const CacheNonce random = randomNumber();
    name = fmt::format("{}{}-{}", temporaryPrefix, random[0], random[1]);
    descriptor = Descriptor(::openat(
        folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!descriptor.isOpen())
      break;
    // Held until the descriptor is closed, also by the end of the process.
    struct stat info;
    if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) == 0
            ? ::fstat(descriptor.get(), &info) == 0 && info.st_nlink > 0
            : errno != EWOULDBLOCK) // without locks nobody removes it
      return;
    descriptor = Descriptor();
    errno = EAGAIN;
  }
  name.clear();
}

TemporaryFile::~TemporaryFile() {
  if (!name.empty())
    ::unlinkat(folder, name.c_str(), 0);
}

int TemporaryFile::rename(const std::string &to) {
  if (::renameat(folder, name.c_str(), folder, to.c_str()) != 0)
    return errno;
  name.clear();
  return 0;
}

bool TemporaryFile::isNameOfOne(const char *name) {
  return std::strncmp(name, temporaryPrefix, sizeof(temporaryPrefix) - 1) == 0;
}

bool TemporaryFile::removeIfLeft(int folder, const char *name) {
  const Descriptor left(
      ::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return left.isOpen() && ::flock(left.get(), LOCK_EX | LOCK_NB) == 0 &&
         ::unlinkat(folder, name, 0) == 0;
}

} // namespace gaudi::runtime
