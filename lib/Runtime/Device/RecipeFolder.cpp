// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files, locks and eviction of recipes on disk.
#include "RecipeFolder.h"

#include "../Cache/CacheEntry.h"
#include "../Cache/FolderFiles.h"
#include "../Host/BuildId.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <xxhash.h>

namespace gaudi::runtime {

using recipe::ByteSpan;
using recipe::RecipeFile;
using std::chrono::milliseconds;

namespace {

constexpr char recipeEnd[] = ".recipe", metadataEnd[] = ".metadata";
constexpr char evictionLock[] = "eviction.lock";
/// How long a lookup waits for a writer, and a writer for other processes.
constexpr milliseconds readerWaits{100}, writerWaits{10000};
/// Of the start of a key, which holds names and digests of its parts.
constexpr uint64_t headBytesRead = 4096;
/// Files that a search reads at most, and bytes of a key that it shows.
constexpr size_t mostHeads = 1000;
constexpr uint64_t mostKeyBytes = uint64_t(64) << 20;
/// Constants of fewer bytes are verified on the calling thread.
constexpr uint64_t manyBytes = uint64_t(16) << 20;

/// What metadata say of the recipe: its header, and the state in which the file
/// was left by a process that had verified it.
struct Record {
  uint8_t header[recipe::headerBytes];
  uint64_t device, inode;
  int64_t changed[2], modified[2];
  RecipeId verifier;
};

RecipeId verifier() {
  const XXH128_hash_t hash =
      XXH3_128bits(verifierId(), std::strlen(verifierId()));
  return {hash.high64, hash.low64};
}

/// `file` holds the recipe and will not be written again.
Record recordOf(const RecipeFile &recipe, const Descriptor &file) {
  const recipe::FileState state = recipe::fileStateOf(file);
  Record record = {{},
                   state.device,
                   state.inode,
                   {state.changed[0], state.changed[1]},
                   {state.modified[0], state.modified[1]},
                   verifier()};
  std::memcpy(record.header, recipe.bytes().data, sizeof(record.header));
  return record;
}

recipe::VerifiedFile verifiedOf(const Record &record) {
  recipe::VerifiedFile file;
  file.state.device = record.device;
  file.state.inode = record.inode;
  file.state.changed = {record.changed[0], record.changed[1]};
  file.state.modified = {record.modified[0], record.modified[1]};
  std::memcpy(file.header.data(), record.header, sizeof(record.header));
  return file;
}

/// Size of a metadata file.
uint64_t metadataBytes(uint64_t keyBytes) {
  return entryValueOffset(keyBytes, sizeof(Record)) + sizeof(Record);
}

/// Never for ever: the owner of the lock may be stopped. 0 or errno.
int lockWithin(int descriptor, int operation, milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (::flock(descriptor, operation | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return errno;
    if (std::chrono::steady_clock::now() > end)
      return EWOULDBLOCK;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return 0;
}

/// Whether a name still means the file that was opened by it.
bool isNamed(int folder, const std::string &name, int descriptor) {
  struct stat named, opened;
  return ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstat(descriptor, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

Descriptor openAt(int folder, const std::string &name, int flags) {
  // O_NONBLOCK: opening a FIFO that somebody put there must not wait.
  return Descriptor(::openat(
      folder, name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
}

/// `size` bytes from an offset; empty if the file has fewer.
std::vector<uint8_t> readAt(int file, uint64_t offset, uint64_t size) {
  std::vector<uint8_t> bytes(size);
  uint64_t have = 0;
  while (have < size) {
    const ssize_t count =
        ::pread(file, bytes.data() + have, size - have, off_t(offset + have));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return {};
    have += uint64_t(count);
  }
  return bytes;
}

/// The first `size` bytes of a file: read, or mapped if they are many.
class FileStart {
public:
  FileStart(int file, uint64_t size) {
    if (size <= largestRead) {
      read = readAt(file, 0, size);
      span = {read.data(), read.size()};
      return;
    }
    void *address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (address != MAP_FAILED)
      span = {static_cast<const uint8_t *>(address), size};
  }
  ~FileStart() {
    if (read.empty() && span.size)
      ::munmap(const_cast<uint8_t *>(span.data), span.size);
  }
  FileStart(const FileStart &) = delete;
  FileStart &operator=(const FileStart &) = delete;

  ByteSpan bytes() const { return span; }

private:
  std::vector<uint8_t> read;
  ByteSpan span;
};

uint64_t sizeOf(int file) {
  struct stat info;
  return ::fstat(file, &info) == 0 && info.st_size > 0 ? uint64_t(info.st_size)
                                                       : 0;
}

/// The name of a pair if this is a file of one: 32 hexadecimal digits, perhaps
/// a suffix that begins with '_', and one of the two extensions.
std::string pairOf(std::string_view file) {
  for (const std::string_view end : {recipeEnd, metadataEnd}) {
    if (file.size() < 32 + end.size() ||
        file.substr(file.size() - end.size()) != end)
      continue;
    const std::string_view name = file.substr(0, file.size() - end.size());
    if (name.substr(0, 32).find_first_not_of("0123456789abcdef") ==
            std::string_view::npos &&
        (name.size() == 32 || name[32] == '_'))
      return std::string(name);
  }
  return {};
}

/// The content of `eviction.lock`: the bytes of all files.
struct Total {
  char magic[8];
  uint64_t bytes, checksum;
};
constexpr char totalMagic[8] = {'G', 'A', 'U', 'D', 'I', 'S', 'U', 'M'};

uint64_t checksumOf(const Total &total) {
  return recipe::checksumOf(reinterpret_cast<const uint8_t *>(&total),
                            offsetof(Total, checksum));
}

std::optional<uint64_t> readTotal(int file) {
  const std::vector<uint8_t> bytes = readAt(file, 0, sizeof(Total));
  Total total;
  if (bytes.empty() || sizeOf(file) != sizeof(total))
    return std::nullopt;
  std::memcpy(&total, bytes.data(), sizeof(total));
  if (std::memcmp(total.magic, totalMagic, sizeof(totalMagic)) != 0 ||
      total.checksum != checksumOf(total))
    return std::nullopt;
  return total.bytes;
}

int writeTotal(int file, uint64_t bytes) {
  Total total;
  std::memcpy(total.magic, totalMagic, sizeof(totalMagic));
  total.bytes = bytes;
  total.checksum = checksumOf(total);
  if (::ftruncate(file, sizeof(total)) != 0)
    return errno;
  return writeAll(file, 0,
                  {reinterpret_cast<const uint8_t *>(&total), sizeof(total)});
}

tl::unexpected<Error> system(int error) { return fail(strerror(error)); }

} // namespace

LockedFile::~LockedFile() {
  if (file.isOpen())
    ::flock(file.get(), LOCK_UN);
}

RecipeFolder::RecipeFolder(RecipeFolderConfig given, const std::string &version,
                           EvictionLine line, Say say)
    : config(std::move(given)),
      suffix(version.empty()
                 ? std::string()
                 : fmt::format("_{:016x}",
                               XXH3_64bits(version.data(), version.size()))),
      line(line), say(std::move(say)) {}

std::string RecipeFolder::nameOf(const RecipeId &id) const {
  return fmt::format("{:016x}{:016x}{}", id[0], id[1], suffix);
}

/// Says a thing once: a full disk would repeat itself with every recipe.
void RecipeFolder::sayOnce(const char *what, std::string text) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!said.insert(what).second)
      return;
  }
  say(true, std::move(text));
}

/// Anew each time, which takes some microseconds: the folder may be removed and
/// made again.
Descriptor RecipeFolder::open(bool create) {
  int error = create && !makeFolders(config.path, 0700) ? errno : 0;
  Descriptor folder(
      ::open(config.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.isOpen() && (create || errno != ENOENT))
    sayOnce("folder",
            fmt::format("recipe cache: cannot {} {}: {}; no recipe is kept: "
                        "name a folder of your own in "
                        "PT_HPU_RECIPE_CACHE_CONFIG",
                        error ? "make" : "open", inQuotes(config.path),
                        strerror(error ? error : errno)));
  // Who owns the folder may exchange files in it.
  struct stat info;
  if (folder.isOpen() &&
      (::fstat(folder.get(), &info) != 0 || info.st_uid != ::geteuid())) {
    sayOnce("owner",
            fmt::format("recipe cache: not used: {} belongs to another user",
                        inQuotes(config.path)));
    return Descriptor();
  }
  return folder;
}

// --- lookups -----------------------------------------------------------------

RecipeFolder::Loaded RecipeFolder::load(const RecipeKey &key) {
  const Descriptor folder = open(false);
  if (!folder.isOpen())
    return {};
  const std::string name = nameOf(key.id()), metadata = name + metadataEnd;
  // Again if it was evicted between open and lock.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const LockedFile file(openAt(folder.get(), metadata, O_RDONLY));
    if (!file.isOpen())
      return errno == ENOENT
                 ? Loaded{}
                 : Loaded{nullptr, RecipeMiss::Foreign,
                          fmt::format("{}: {}", metadata, strerror(errno))};
    if (const std::string why = whyNotOurs(file.get(), false); !why.empty())
      return {nullptr, RecipeMiss::Foreign,
              fmt::format("{}: {}", metadata, why)};
    if (const int error = lockWithin(file.get(), LOCK_SH, readerWaits))
      return {nullptr, RecipeMiss::Busy,
              fmt::format("{}: {}", metadata,
                          error == EWOULDBLOCK ? "another process holds it"
                                               : strerror(error))};
    if (!isNamed(folder.get(), metadata, file.get()))
      continue;
    Loaded loaded = loadLocked(folder.get(), file.get(), key);
    if (loaded.reason == RecipeMiss::Damaged) {
      std::lock_guard<std::mutex> lock(mutex);
      damaged.insert(key.id());
    }
    return loaded;
  }
  return {};
}

RecipeFolder::Loaded RecipeFolder::loadLocked(int folder, int metadata,
                                              const RecipeKey &key) const {
  const std::string name = nameOf(key.id());
  const auto missed = [&](RecipeMiss reason, const char *end,
                          std::string_view why) {
    return Loaded{nullptr, reason, fmt::format("{}{}: {}", name, end, why)};
  };
  const uint64_t size = sizeOf(metadata);
  if (size == 0)
    return {}; // its writer was killed
  const uint64_t expected = metadataBytes(key.storedBytes());
  // Writers hold the lock to shorten it, so a mapping does not lose its file.
  const FileStart file(metadata, size == expected ? size : 0);
  const auto head = parseEntryHeader(file.bytes());
  if (!head || head->value.size != sizeof(Record) ||
      blockChecksum(head->value, 0) != head->checksums[0]) {
    const std::vector<uint8_t> start = readAt(metadata, 0, sizeof(uint64_t));
    return std::all_of(start.begin(), start.end(),
                       [](uint8_t byte) { return byte == 0; })
               ? Loaded{} // allocated by a writer that was killed
               : missed(RecipeMiss::Damaged, metadataEnd,
                        "it is not as it was written");
  }
  if (!key.equals(head->key))
    return {}; // of another key with this hash
  const Descriptor content = openAt(folder, name + recipeEnd, O_RDONLY);
  if (!content.isOpen())
    return missed(errno == ENOENT ? RecipeMiss::Damaged : RecipeMiss::Foreign,
                  recipeEnd, strerror(errno));
  if (const std::string why = whyNotOurs(content.get(), false); !why.empty())
    return missed(RecipeMiss::Foreign, recipeEnd, why);
  Record record;
  std::memcpy(&record, head->value.data, sizeof(record));
  const recipe::VerifiedFile known = verifiedOf(record);
  recipe::OpenOptions options;
  // The file of a folder that was copied has another state, and what another
  // build verified does not count.
  if (record.verifier == verifier())
    options.verified = &known;
  options.threads = sizeOf(content.get()) < manyBytes ? 1 : 0;
  auto opened = RecipeFile::open(content, name + recipeEnd, options);
  if (!opened)
    return {nullptr, RecipeMiss::Damaged, opened.error().message};
  // The header has the checksum of the metadata, and they those of the
  // constants, so it tells this recipe from any other.
  if (std::memcmp(opened->bytes().data, record.header, sizeof(record.header)) !=
      0)
    return missed(RecipeMiss::Damaged, recipeEnd,
                  "it is not the recipe that was stored");
  return {std::make_shared<const RecipeFile>(std::move(*opened)),
          RecipeMiss::None, ""};
}

// --- stores ------------------------------------------------------------------

/// 0 or errno. A process that was stopped may hold a lock for long: who waited
/// in vain waits shorter from then on, so that the end of a process does not
/// wait that long for each of its recipes.
int RecipeFolder::lockToWrite(int descriptor) {
  const int error =
      lockWithin(descriptor, LOCK_EX, waitedInVain ? readerWaits : writerWaits);
  if (error == EWOULDBLOCK)
    waitedInVain = true;
  return error;
}

/// The metadata file, made if there is none, with the lock of the pair.
Result<LockedFile> RecipeFolder::lockPair(int folder, const std::string &name) {
  const std::string metadata = name + metadataEnd;
  for (;;) {
    LockedFile file(openAt(folder, metadata, O_RDWR | O_CREAT));
    if (!file.isOpen())
      return system(errno);
    if (std::string why = whyNotOurs(file.get(), false); !why.empty())
      return fail(std::move(why));
    if (const int error = lockToWrite(file.get()))
      return system(error);
    // Else it was removed meanwhile, and the lock is one of no file.
    if (isNamed(folder, metadata, file.get()))
      return file;
  }
}

/// Whether the pair is complete, without reading the recipe.
bool RecipeFolder::isSound(int folder, int metadata, const std::string &name,
                           const StoredKey &key,
                           const RecipeFile &recipe) const {
  const std::vector<uint8_t> bytes =
      readAt(metadata, 0, metadataBytes(key.size()));
  struct stat info;
  const auto head =
      parseEntryHeader({bytes.data(), bytes.size()}, {key.data(), key.size()});
  return head && head->value.size == sizeof(Record) &&
         ::fstatat(folder, (name + recipeEnd).c_str(), &info,
                   AT_SYMLINK_NOFOLLOW) == 0 &&
         uint64_t(info.st_size) == recipe.fileSize();
}

bool RecipeFolder::store(const RecipeId &id, const StoredKey &key,
                         const RecipeFile &recipe) {
  const Descriptor folder = open(true);
  if (!folder.isOpen())
    return false;
  const Status written = write(folder.get(), id, key, recipe);
  if (!written)
    sayOnce("store", fmt::format("recipe cache: cannot store {}{} in {}: {}",
                                 nameOf(id), recipeEnd, inQuotes(config.path),
                                 written.error().message));
  return written.has_value();
}

Status RecipeFolder::write(int folder, const RecipeId &id, const StoredKey &key,
                           const RecipeFile &recipe) {
  const std::string name = nameOf(id), file = name + recipeEnd;
  const LockedFile metadata = GAUDI_TRY(lockPair(folder, name));
  const bool isDamaged = [&] {
    std::lock_guard<std::mutex> lock(mutex);
    return damaged.count(id) != 0;
  }();
  // Of two processes that compile one thing the first stores it.
  if (!isDamaged && isSound(folder, metadata.get(), name, key, recipe))
    return {};
  const ByteSpan content = recipe.bytes();
  const uint64_t size = metadataBytes(key.size());
  // A reader takes metadata without content for absent. Their recipe is
  // removed, so that what a kill leaves is never half of another pair.
  if (::ftruncate(metadata.get(), 0) != 0)
    return system(errno);
  ::unlinkat(folder, file.c_str(), 0);
  const auto store = [&]() -> Status {
    if (std::max(content.size, size) > fileSizeLimit())
      return system(EFBIG);
    TemporaryFile temporary(folder);
    if (!temporary.file().isOpen())
      return system(errno);
    GAUDI_TRY(reserve(folder, content.size + size, [&] {
      return ::ftruncate(temporary.file().get(), off_t(content.size)) == 0 &&
                     ::ftruncate(metadata.get(), off_t(size)) == 0
                 ? 0
                 : errno;
    }));
    int error = writeAll(temporary.file().get(), 0, content);
    if (!error)
      error = temporary.rename(file);
    if (error)
      return system(error);
    const Record record = recordOf(recipe, temporary.file());
    const ByteSpan value = {reinterpret_cast<const uint8_t *>(&record),
                            sizeof(record)};
    const std::vector<uint8_t> head = makeEntryHeader(
        {key.data(), key.size()}, value, randomNumber(), nullptr, nullptr);
    // Last: they make the pair valid.
    error = writeAll(metadata.get(), size - value.size, value);
    if (!error)
      error = writeAll(metadata.get(), 0, {head.data(), head.size()});
    return error ? Status(system(error)) : Status();
  };
  const Status stored = store();
  if (!stored) {
    ::unlinkat(folder, file.c_str(), 0);
    ::unlinkat(folder, (name + metadataEnd).c_str(), 0);
  }
  std::lock_guard<std::mutex> lock(mutex);
  damaged.erase(id);
  return stored;
}

// --- the limit ---------------------------------------------------------------

/// The file with the sum of the folder's bytes, and its lock. Without `create`
/// it is not open where nobody has a limit.
Result<LockedFile> RecipeFolder::lockSum(int folder, bool create) {
  LockedFile lock(
      openAt(folder, evictionLock, O_RDWR | (create ? O_CREAT : 0)));
  if (!lock.isOpen())
    return create || errno != ENOENT ? Result<LockedFile>(system(errno))
                                     : std::move(lock);
  if (std::string why = whyNotOurs(lock.get(), false); !why.empty())
    return fail("{}: {}", evictionLock, why);
  if (const int error = lockToWrite(lock.get()))
    return system(error);
  return lock;
}

/// Calls `allocate` (0 or errno), which gives files their sizes, when there is
/// room for them.
Status RecipeFolder::reserve(int folder, uint64_t bytes,
                             const std::function<int()> &allocate) {
  const bool isLimited = config.limitBytes != 0;
  if (isLimited && bytes > most())
    return fail("{} bytes are more than the limit of {}", bytes,
                config.limitBytes);
  {
    // Without a limit the sum is kept for those who have one.
    const LockedFile lock = GAUDI_TRY(lockSum(folder, isLimited));
    const auto total = lock.isOpen() ? readTotal(lock.get()) : std::nullopt;
    if (!isLimited || (total && *total <= most() - bytes)) {
      // The sum first: after a kill it may be too large, never too small.
      int error = total ? writeTotal(lock.get(), *total + bytes) : 0;
      if (!error)
        error = allocate();
      return error ? Status(system(error)) : Status();
    }
  }
  Status done = fail("there is no thread to evict");
  const bool added = evictor.add([&] {
    try {
      done = evict(folder, bytes, allocate);
    } catch (const std::bad_alloc &) {
      done = system(ENOMEM);
    }
  });
  if (added)
    evictor.await();
  return done;
}

struct RecipeFolder::Pair {
  std::string name;
  timespec written{};
  uint64_t bytes = 0;
  bool hasRecipe = false;
};

struct RecipeFolder::Listing {
  std::vector<Pair> pairs; // oldest first
  uint64_t bytes = 0;      // with files that are being written
};

/// Also removes what killed writers left.
RecipeFolder::Listing RecipeFolder::list(int folder) const {
  Listing listing;
  std::map<std::string, Pair> pairs;
  forFiles(folder, [&](const char *file) {
    const bool isTemporary = TemporaryFile::isNameOfOne(file);
    const std::string name = isTemporary ? "" : pairOf(file);
    struct stat info;
    if ((!isTemporary && name.empty()) ||
        (isTemporary && TemporaryFile::removeIfLeft(folder, file)) ||
        ::fstatat(folder, file, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode))
      return;
    listing.bytes += uint64_t(info.st_size);
    if (isTemporary)
      return;
    Pair &pair = pairs[name];
    pair.name = name;
    pair.bytes += uint64_t(info.st_size);
    const bool isRecipe =
        std::string_view(file).size() == name.size() + sizeof(recipeEnd) - 1;
    if (isRecipe || !pair.hasRecipe)
      pair.written = info.st_mtim;
    pair.hasRecipe |= isRecipe;
  });
  for (auto &[name, pair] : pairs) {
    if (!pair.hasRecipe && remove(folder, name))
      listing.bytes -= pair.bytes; // of a writer that was killed
    else
      listing.pairs.push_back(std::move(pair));
  }
  std::sort(listing.pairs.begin(), listing.pairs.end(),
            [](const Pair &a, const Pair &b) {
              return std::tie(a.written.tv_sec, a.written.tv_nsec, a.name) <
                     std::tie(b.written.tv_sec, b.written.tv_nsec, b.name);
            });
  return listing;
}

/// Removes a pair unless somebody uses it or it is another user's.
bool RecipeFolder::remove(int folder, const std::string &name) const {
  const std::string metadata = name + metadataEnd;
  const LockedFile lock(openAt(folder, metadata, O_RDWR | O_CREAT));
  if (!lock.isOpen() || !whyNotOurs(lock.get(), false).empty() ||
      lockWithin(lock.get(), LOCK_EX, milliseconds(0)) != 0 ||
      !isNamed(folder, metadata, lock.get()))
    return false;
  const bool gone =
      ::unlinkat(folder, (name + recipeEnd).c_str(), 0) == 0 || errno == ENOENT;
  return ::unlinkat(folder, metadata.c_str(), 0) == 0 && gone;
}

/// On the thread of its own. Oldest first, by the time when the recipe was
/// written, until `bytes` more are within the limit; then allocates them.
Status RecipeFolder::evict(int folder, uint64_t bytes,
                           const std::function<int()> &allocate) {
  const LockedFile lock = GAUDI_TRY(lockSum(folder, /*create=*/true));
  Listing listing = list(folder);
  for (const Pair &pair : listing.pairs) {
    if (listing.bytes <= most() - bytes)
      break;
    if (!remove(folder, pair.name))
      continue;
    listing.bytes -= pair.bytes;
    ++removed;
    removedBytes += pair.bytes;
    say(false, fmt::format("{}Removed {}{}successfully. Disk cache size after "
                           "removal: {}",
                           line == EvictionLine::Bridge ? "[CACHEFILE] " : "",
                           pair.name, line == EvictionLine::Bridge ? "" : " ",
                           listing.bytes));
  }
  const bool fits = listing.bytes <= most() - bytes;
  int error = writeTotal(lock.get(), listing.bytes + (fits ? bytes : 0));
  if (!fits)
    return fail("{} bytes of the limit of {} are in use", listing.bytes,
                config.limitBytes);
  if (!error)
    error = allocate();
  return error ? Status(system(error)) : Status();
}

void RecipeFolder::clear() {
  const Descriptor folder = open(false);
  if (!folder.isOpen())
    return;
  const auto lock = lockSum(folder.get(), /*create=*/true);
  if (!lock) {
    sayOnce("clear", fmt::format("recipe cache: cannot empty {}: {}",
                                 inQuotes(config.path), lock.error().message));
    return;
  }
  Listing listing = list(folder.get());
  for (const Pair &pair : listing.pairs)
    if (remove(folder.get(), pair.name))
      listing.bytes -= pair.bytes;
  (void)writeTotal(lock->get(), listing.bytes);
}

// --- the nearest key ---------------------------------------------------------

/// The whole key of a file; empty if it is damaged or foreign.
static StoredKey keyOf(int folder, const std::string &name) {
  const Descriptor file = openAt(folder, name + metadataEnd, O_RDONLY);
  if (!file.isOpen() || !whyNotOurs(file.get(), false).empty() ||
      sizeOf(file.get()) > mostKeyBytes)
    return {};
  const std::vector<uint8_t> bytes = readAt(file.get(), 0, sizeOf(file.get()));
  const auto head = parseEntryHeader({bytes.data(), bytes.size()});
  return head ? StoredKey(head->key.data, head->key.data + head->key.size)
              : StoredKey();
}

std::optional<RecipeFolder::Nearest>
RecipeFolder::nearest(const std::vector<PartHead> &head) {
  const Descriptor folder = open(false);
  if (!folder.isOpen())
    return std::nullopt;
  std::lock_guard<std::mutex> lock(mutex);
  std::map<std::string, std::vector<PartHead>> there;
  size_t read = 0;
  forFiles(folder.get(), [&](const char *file) {
    const std::string name = pairOf(file);
    if (name.empty() ||
        std::string_view(file).size() != name.size() + sizeof(metadataEnd) - 1)
      return;
    if (const auto known = heads.find(name); known != heads.end()) {
      there.insert(heads.extract(known));
    } else if (read++ < mostHeads) {
      const Descriptor metadata = openAt(folder.get(), file, O_RDONLY);
      const uint64_t size = metadata.isOpen() ? sizeOf(metadata.get()) : 0;
      if (size <= entryKeyOffset)
        return;
      const std::vector<uint8_t> start =
          readAt(metadata.get(), entryKeyOffset,
                 std::min(headBytesRead, size - entryKeyOffset));
      if (auto parts = readHead({start.data(), start.size()}))
        there.emplace(name, std::move(*parts));
    }
  });
  heads = std::move(there);
  // By likeness; the first whose file is sound.
  std::vector<std::pair<size_t, const std::string *>> order;
  for (const auto &[name, parts] : heads)
    if (const KeyDistance far = distance(parts, head); far.hasEqual)
      order.emplace_back(far.differences, &name);
  std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
    return std::tie(a.first, *a.second) < std::tie(b.first, *b.second);
  });
  constexpr size_t attempts = 3;
  for (size_t i = 0; i < std::min(order.size(), attempts); ++i)
    if (StoredKey key = keyOf(folder.get(), *order[i].second); !key.empty())
      return Nearest{*order[i].second, {order[i].first, true}, std::move(key)};
  return std::nullopt;
}

} // namespace gaudi::runtime
