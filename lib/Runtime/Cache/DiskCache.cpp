// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cache files: names, checks, atomic replacement, eviction.
//
// The folder is untrusted until whyNotOurs() says otherwise, and every file in
// it again when it is opened: somebody may own it, link it elsewhere, or
// replace it at any time. So all calls go through the descriptor of the folder
// (openat), follow no links (O_NOFOLLOW), and check what was opened, not what a
// name refers to. No step waits for another process: locks are only tried.
#include "CacheEntry.h"

#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>

namespace gaudi::runtime {

using recipe::ByteSpan;

namespace {

constexpr uint64_t pageBytes = 4096;
/// A use updates the time of a file, but not more often than this.
constexpr int64_t touchSeconds = 600;

/// True for names that fileNameOf makes. The cache neither counts nor removes
/// any other file.
bool isEntryName(const char *name) {
  return std::strlen(name) == 32 && std::strspn(name, "0123456789abcdef") == 32;
}

/// Keys are long and may hold any byte; two with one hash evict each other, and
/// the key in the file tells them apart.
std::string fileNameOf(ByteSpan key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data, key.size);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

std::string defaultCacheDirectory() {
  if (const char *own = std::getenv("GAUDI_CACHE_DIR"))
    return own;
  // The XDG base directory rules: relative paths are ignored.
  const char *xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg && xdg[0] == '/')
    return fmt::format("{}/gaudi-mlir", xdg);
  const char *home = std::getenv("HOME");
  if (home && home[0] == '/')
    return fmt::format("{}/.cache/gaudi-mlir", home);
  return "";
}

DiskCache::DiskCache(const std::string &root, const std::string &name,
                     uint64_t limit, uint64_t leaveFree)
    : path(root.empty() ? "" : root + "/" + name), limit(limit),
      leaveFree(leaveFree) {}

DiskCache::~DiskCache() { rest(); }

void DiskCache::rest() {
  std::lock_guard<std::mutex> lock(mutex);
  if (folder >= 0)
    ::close(folder);
  folder = -1;
}

std::string DiskCache::problem() const {
  std::lock_guard<std::mutex> lock(mutex);
  return firstProblem;
}

void DiskCache::report(const std::string &what) {
  std::lock_guard<std::mutex> lock(mutex);
  if (firstProblem.empty())
    firstProblem = what;
}

/// The descriptor of the folder, or -1. A folder that was refused once is not
/// tried again; one that does not exist yet is.
int DiskCache::openDirectory(bool create) {
  std::string problem;
  // Reported outside the lock: report() takes it as well.
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (folder >= 0 || refused || path.empty())
      return folder;
    const bool made = !create || makeFolders(path, 0700);
    int error = made ? 0 : errno;
    folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 && made)
      error = errno;
    // A reader does not make the folder; without one there is nothing to find,
    // and a later writer may make it.
    if (folder < 0 && error == ENOENT && !create)
      return -1;
    if (folder < 0)
      problem = fmt::format("cannot {} {}: {}", made ? "open" : "make",
                            inQuotes(path), strerror(error));
    else if (const std::string why = whyNotOurs(folder, true); !why.empty()) {
      problem = fmt::format("cannot trust {}: {}", inQuotes(path), why);
      ::close(folder);
      folder = -1;
    }
    refused = folder < 0;
  }
  if (!problem.empty())
    report(problem);
  return folder;
}

bool CachedBytes::isIntact(int64_t block) const {
  assert(block >= 0 && block < blocks() && "a block of the value");
  return blockChecksum(value, uint64_t(block)) == checksums[size_t(block)];
}

std::optional<CachedBytes> DiskCache::get(ByteSpan key, ThreadPool *pool) {
  std::optional<CachedBytes> cached = open(key);
  std::atomic<bool> sound{true};
  if (cached)
    forBlocks(cached->blocks(), pool, [&](int64_t block) {
      if (!cached->isIntact(block))
        sound = false;
    });
  return sound ? cached : std::nullopt;
}

std::optional<CachedBytes> DiskCache::open(ByteSpan key) {
  const int directory = openDirectory(false);
  if (directory < 0)
    return std::nullopt;
  // O_NONBLOCK: opening a FIFO that somebody put there must not wait.
  Descriptor file(::openat(directory, fileNameOf(key).c_str(),
                           O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info;
  if (!file.isOpen() || !whyNotOurs(file.get(), false).empty() ||
      ::fstat(file.get(), &info) != 0 || info.st_size <= 0)
    return std::nullopt;
  const size_t size = size_t(info.st_size);
  CachedBytes cached;
  ByteSpan whole;
  // A private copy of a small value is cheaper than a mapping and cannot
  // change.
  if (size <= largestRead) {
    std::shared_ptr<uint8_t> buffer(static_cast<uint8_t *>(std::malloc(size)),
                                    [](uint8_t *p) { std::free(p); });
    if (!buffer || ::pread(file.get(), buffer.get(), size, 0) != ssize_t(size))
      return std::nullopt;
    whole = {buffer.get(), size};
    cached.storage = buffer;
  } else {
    void *address =
        ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (address == MAP_FAILED)
      return std::nullopt;
    // The value begins at a multiple of a huge page if it is that large.
    if (size >= 2 * hugePageBytes)
      (void)::madvise(address, size / hugePageBytes * hugePageBytes,
                      MADV_HUGEPAGE); // only a hint
    cached.storage =
        std::shared_ptr<const void>(address, [size](const void *p) {
          ::munmap(const_cast<void *>(p), size);
        });
    whole = {static_cast<const uint8_t *>(address), size};
  }
  // Everything up to the value is verified here; the value is the caller's.
  auto head = parseEntryHeader(whole, key);
  if (!head)
    return std::nullopt;
  cached.value = head->value;
  cached.fileNonce = head->nonce;
  cached.checksums = std::move(head->checksums);
  // Eviction goes by the time of the last use. A read-only cache has none.
  timespec now;
  if (::clock_gettime(CLOCK_REALTIME, &now) == 0 &&
      now.tv_sec - info.st_mtim.tv_sec > touchSeconds)
    (void)::futimens(file.get(), nullptr);
  return cached;
}

struct DiskCache::Entry {
  std::string name;
  timespec time;
  uint64_t bytes;
};

/// A folder as the process last left it, for the next cache of that folder.
struct LeftFolder {
  timespec changed;
  uint64_t used, added;
};

/// Those of the process, by device and inode.
struct LeftFolders {
  std::mutex mutex;
  std::map<std::pair<dev_t, ino_t>, LeftFolder> folders;
};

static LeftFolders &leftFolders() {
  static LeftFolders &the = *new LeftFolders; // background threads use it
  return the;
}

/// Takes over what another cache of this process has counted, if no file was
/// added or removed since. The caller holds `mutex`.
void DiskCache::adoptCount(int directory) {
  struct stat info;
  if (counted || ::fstat(directory, &info) != 0)
    return;
  LeftFolders &left = leftFolders();
  std::lock_guard<std::mutex> lock(left.mutex);
  auto found = left.folders.find({info.st_dev, info.st_ino});
  if (found == left.folders.end() ||
      found->second.changed.tv_sec != info.st_mtim.tv_sec ||
      found->second.changed.tv_nsec != info.st_mtim.tv_nsec)
    return;
  counted = true;
  used = found->second.used;
  added = found->second.added;
}

/// Leaves the count to other caches of the process.
void DiskCache::leaveCount(int directory) {
  struct stat info;
  if (::fstat(directory, &info) != 0)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  LeftFolders &left = leftFolders();
  std::lock_guard<std::mutex> all(left.mutex);
  left.folders[{info.st_dev, info.st_ino}] = {info.st_mtim, used, added};
}

/// Evicts until `bytes` more fit into the limit; false if they cannot.
///
/// Measuring the folder is linear in its files, so a process does it only after
/// it has stored a sixteenth of the limit; in between it trusts its own count.
/// Processes that store at the same time miss each other's files meanwhile,
/// hence the margin: one that evicts goes on to a quarter below the limit.
bool DiskCache::makeRoom(int directory, uint64_t bytes) {
  if (!diskHasRoom(directory, bytes))
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  // One value of more would evict nearly everything else.
  if (bytes > limit / 2)
    return false;
  adoptCount(directory);
  const bool fresh = counted && added + bytes <= limit / 16;
  if (fresh && used + bytes <= limit) {
    used += bytes;
    added += bytes;
    return true;
  }
  std::vector<Entry> entries;
  used = 0;
  const bool listed = forFiles(directory, [&](const char *name) {
    struct stat info;
    if (::fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode))
      return;
    // Blocks, not bytes: what a file takes on the disk.
    const uint64_t size = uint64_t(info.st_blocks) * 512;
    if (TemporaryFile::isNameOfOne(name)) {
      if (!TemporaryFile::removeIfLeft(directory, name))
        used += size;
    } else if (isEntryName(name)) {
      used += size;
      entries.push_back({name, info.st_mtim, size});
    }
  });
  if (!listed)
    return false;
  counted = true;
  added = 0;
  const uint64_t margin = limit / 8;
  if (used + bytes + margin > limit) {
    // By time of last use, the oldest first.
    std::sort(entries.begin(), entries.end(),
              [](const Entry &a, const Entry &b) {
                return a.time.tv_sec != b.time.tv_sec
                           ? a.time.tv_sec < b.time.tv_sec
                           : a.time.tv_nsec < b.time.tv_nsec;
              });
    for (const Entry &entry : entries) {
      if (used + bytes + 2 * margin <= limit)
        break;
      // Another process may have evicted the file first: its bytes are free
      // too.
      if (::unlinkat(directory, entry.name.c_str(), 0) == 0 || errno == ENOENT)
        used -= entry.bytes;
    }
  }
  if (used + bytes > limit)
    return false;
  used += bytes;
  added += bytes;
  return true;
}

/// False if the file system would have less than `leaveFree` bytes left.
bool DiskCache::diskHasRoom(int directory, uint64_t bytes) {
  struct statvfs disk;
  return leaveFree == 0 || ::fstatvfs(directory, &disk) != 0 ||
         uint64_t(disk.f_bavail) * disk.f_frsize >= bytes + leaveFree;
}

bool DiskCache::canStore(uint64_t bytes) {
  const int directory = openDirectory(true);
  if (directory < 0)
    return false;
  if (::faccessat(directory, ".", W_OK, AT_EACCESS) != 0) {
    report(
        fmt::format("cannot write to {}: {}", inQuotes(path), strerror(errno)));
    return false;
  }
  if (bytes <= limit / 2 && diskHasRoom(directory, bytes))
    return true;
  report(fmt::format("no room in {} for {} bytes", inQuotes(path), bytes));
  return false;
}

std::optional<CacheNonce> DiskCache::put(ByteSpan key, ByteSpan value,
                                         ThreadPool *pool,
                                         const std::function<bool()> &stop) {
  const int directory = openDirectory(true);
  if (directory < 0)
    return std::nullopt;
  // The header is made before there is a file: hashing takes longest, and may
  // stop.
  const CacheNonce nonce = randomNumber();
  const std::vector<uint8_t> head =
      makeEntryHeader(key, value, nonce, pool, stop);
  if (stop && stop())
    return std::nullopt;
  const uint64_t offset = entryValueOffset(key.size, value.size);
  const uint64_t total = (head.size() + pageBytes - 1) / pageBytes * pageBytes +
                         (value.size + pageBytes - 1) / pageBytes * pageBytes;
  if (const uint64_t most = fileSizeLimit(); offset + value.size > most) {
    report(fmt::format("a file of {} bytes is above the file size limit of "
                       "this process, {} bytes",
                       offset + value.size, most));
    return std::nullopt;
  }
  if (!makeRoom(directory, total)) {
    report(fmt::format("no room in {} for {} bytes", inQuotes(path), total));
    return std::nullopt;
  }
  TemporaryFile temporary(directory);
  int error = temporary.file().isOpen() ? 0 : errno;
  const int file = temporary.file().get();
  // There is a hole between header and value, and an empty value ends in one.
  if (!error && ::ftruncate(file, off_t(offset)) != 0)
    error = errno;
  if (!error)
    error = writeAll(file, 0, {head.data(), head.size()}, stop);
  if (!error)
    error = writeAll(file, offset, value, stop);
  if (!error)
    error = temporary.rename(fileNameOf(key));
  if (error) {
    if (error != ECANCELED)
      report(fmt::format("cannot write to {}: {}", inQuotes(path),
                         strerror(error)));
    return std::nullopt;
  }
  leaveCount(directory);
  return nonce;
}

} // namespace gaudi::runtime
