// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes on disk, in a folder that several processes use.
//
// A key has two files, NAME.recipe and NAME.metadata. The second is an entry of
// the cache's own format (CacheEntry.h): the key, the header of the recipe
// file, whose checksums lead to every byte of it, and the state of that file
// (device, inode, times) when it had been verified and written: as long as that
// holds, a lookup compares checksums, and leaves out the rules of the format.
// Its lock (flock) is that of the pair: exclusive to write or remove it, shared
// to read it. A process that dies loses its locks, so none stays behind.
//
// A writer first makes room under the lock of `eviction.lock`, and gives its
// files their final sizes there. So the sizes in the folder, with those of
// files that are being written, stay within the limit at every moment.
// `eviction.lock` holds their sum, so that only a full folder is listed.
//
// Nothing is flushed to the disk: after a power failure checksums decide.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_RECIPEFOLDER_H
#define GAUDI_LIB_RUNTIME_DEVICE_RECIPEFOLDER_H

#include "../Host/JobThread.h"
#include "Gaudi/Support/Descriptor.h"
#include "RecipeKey.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace gaudi::runtime {

/// A file and its lock, for a scope. Closing it would not be enough where
/// fork() has given children copies: they have the same open file.
class LockedFile {
public:
  explicit LockedFile(Descriptor file) : file(std::move(file)) {}
  LockedFile(LockedFile &&) = default;
  LockedFile &operator=(LockedFile &&) = delete;
  ~LockedFile();
  bool isOpen() const { return file.isOpen(); }
  int get() const { return file.get(); }

private:
  Descriptor file;
};

class RecipeFolder {
public:
  using Say = std::function<void(bool isWarning, std::string text)>;

  /// `version` is part of the names of files.
  RecipeFolder(RecipeFolderConfig config, const std::string &version,
               EvictionLine line, Say say);

  /// What a file of that key is called, without its extension.
  std::string nameOf(const RecipeId &id) const;

  struct Loaded {
    std::shared_ptr<const recipe::RecipeFile> recipe;
    RecipeMiss reason = RecipeMiss::Absent;
    std::string detail;
  };
  /// Waits a tenth of a second at most.
  Loaded load(const RecipeKey &key);

  /// False if it could not be stored, which has been said. For one thread.
  bool store(const RecipeId &id, const StoredKey &key,
             const recipe::RecipeFile &recipe);

  /// Removes all pairs that nobody uses.
  void clear();

  struct Nearest {
    std::string name;
    KeyDistance distance;
    StoredKey key;
  };
  std::optional<Nearest> nearest(const std::vector<PartHead> &head);

  uint64_t evicted() const { return removed; }
  uint64_t evictedBytes() const { return removedBytes; }

private:
  struct Pair;
  struct Listing;
  Descriptor open(bool create);
  int lockToWrite(int descriptor);
  Result<LockedFile> lockSum(int folder, bool create);
  Result<LockedFile> lockPair(int folder, const std::string &name);
  bool isSound(int folder, int metadata, const std::string &name,
               const StoredKey &key, const recipe::RecipeFile &recipe) const;
  Loaded loadLocked(int folder, int metadata, const RecipeKey &key) const;
  Status write(int folder, const RecipeId &id, const StoredKey &key,
               const recipe::RecipeFile &recipe);
  Status reserve(int folder, uint64_t bytes,
                 const std::function<int()> &allocate);
  Status evict(int folder, uint64_t bytes,
               const std::function<int()> &allocate);
  uint64_t most() const { return uint64_t(0.99 * double(config.limitBytes)); }
  Listing list(int folder) const;
  bool remove(int folder, const std::string &name) const;
  void sayOnce(const char *what, std::string text);

  const RecipeFolderConfig config;
  const std::string suffix;
  const EvictionLine line;
  const Say say;
  std::atomic<uint64_t> removed{0}, removedBytes{0};
  std::atomic<bool> waitedInVain{false};
  std::mutex mutex; // of all below
  std::set<std::string> said;
  std::set<RecipeId> damaged;                         // to be written again
  std::map<std::string, std::vector<PartHead>> heads; // of files
  JobThread evictor{JobThread::Priority::Normal};
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_RECIPEFOLDER_H
