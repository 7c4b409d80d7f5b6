// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A persistent cache per user: one file per key.
//
// Every process of the user may read and write at any time and be killed at any
// point. A file is written under a temporary name and renamed, so readers see
// it complete or not at all. It is used only if its checksums match, it holds
// exactly the requested key, and only this user can write to it. A full cache
// evicts the least recently used files. A cache that cannot be used is not an
// error: every lookup misses and nothing is stored.
//
// Large values are mapped. They have a checksum per block (1 MiB), so that
// threads can share the work and a caller may verify blocks when it suits.
#ifndef GAUDI_LIB_RUNTIME_CACHE_DISKCACHE_H
#define GAUDI_LIB_RUNTIME_CACHE_DISKCACHE_H

#include "FolderFiles.h"
#include "Gaudi/Recipe/Container.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::runtime {

class ThreadPool;

/// $GAUDI_CACHE_DIR, $XDG_CACHE_HOME/gaudi-mlir or $HOME/.cache/gaudi-mlir;
/// empty (no cache) if GAUDI_CACHE_DIR is empty or none of them is set.
std::string defaultCacheDirectory();

/// A cached value: read-only, valid as long as this lives, even if its file is
/// evicted.
class CachedBytes {
public:
  recipe::ByteSpan bytes() const { return value; }
  const CacheNonce &nonce() const { return fileNonce; }
  std::shared_ptr<const void> owner() const { return storage; }

  /// Blocks with a checksum each, and whether one is as it was written.
  int64_t blocks() const { return int64_t(checksums.size()); }
  bool isIntact(int64_t block) const;

private:
  friend class DiskCache;
  std::shared_ptr<const void> storage;
  recipe::ByteSpan value;
  CacheNonce fileNonce = {};
  std::vector<uint64_t> checksums;
};

class DiskCache {
public:
  /// Files in `root`/`name`, at most `limit` bytes of them, of which at least
  /// `leaveFree` bytes of the file system stay free. An empty root: no cache.
  /// Folders are created by the first put().
  DiskCache(const std::string &root, const std::string &name, uint64_t limit,
            uint64_t leaveFree = 0);
  ~DiskCache();
  DiskCache(const DiskCache &) = delete;
  DiskCache &operator=(const DiskCache &) = delete;

  /// The verified value of a key, page aligned if it is mapped; values of at
  /// least 2 MiB are aligned to that in the file, for huge pages. Thread-safe.
  /// With a pool (the caller must not be one of its workers) all threads verify
  /// a large value.
  std::optional<CachedBytes> get(recipe::ByteSpan key,
                                 ThreadPool *pool = nullptr);

  /// The same, but the value is not verified: the caller verifies its blocks
  /// before it uses them. Length, key and the checksums themselves are.
  std::optional<CachedBytes> open(recipe::ByteSpan key);

  /// Stores a value and returns the nonce of its file; nothing if it could not
  /// (problem() says why). Thread-safe. Gives up soon after `stop` returns
  /// true, leaving neither a file nor a problem.
  std::optional<CacheNonce> put(recipe::ByteSpan key, recipe::ByteSpan value,
                                ThreadPool *pool = nullptr,
                                const std::function<bool()> &stop = nullptr);

  /// Whether a value of `bytes` could be stored now, as far as one can tell
  /// without writing; problem() says why not.
  bool canStore(uint64_t bytes);

  /// Nobody uses it for now: gives the folder's descriptor back, of which a
  /// process has few. The next call opens the folder again.
  void rest();

  const std::string &directory() const { return path; }
  /// The first reason why the cache could not be used; empty if there is none.
  std::string problem() const;

private:
  struct Entry;
  int openDirectory(bool create);
  bool makeRoom(int folder, uint64_t bytes);
  bool diskHasRoom(int folder, uint64_t bytes);
  void adoptCount(int folder);
  void leaveCount(int folder);
  /// Notes the first problem.
  void report(const std::string &what);

  std::string path;
  uint64_t limit, leaveFree;
  mutable std::mutex mutex;
  std::string firstProblem;
  int folder = -1;      // once opened
  bool refused = false; // the folder cannot be opened or trusted
  bool counted = false; // `used` was measured
  uint64_t used = 0;    // bytes of all files, as far as this process knows
  uint64_t added = 0;   // bytes stored since the folder was measured
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_DISKCACHE_H
