// Bytes kept between runs, per user: one file per key.
//
// Every process of the user may read and write at any time and be killed at
// any point. A file appears whole (written beside, then renamed), is believed
// only if it is undamaged, holds exactly the key asked for, and belongs to the
// user alone. The least recently used files go when a cache is full. A cache
// that cannot be used is no error: it finds nothing and keeps nothing.
//
// Large values are mapped. Their checksums are those of pieces, so that threads
// can share the work and a caller may check them when it suits.
#ifndef GAUDI_LIB_RUNTIME_CACHE_DISKCACHE_H
#define GAUDI_LIB_RUNTIME_CACHE_DISKCACHE_H

#include "Gaudi/Recipe/Container.h"

#include <array>
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

/// A random number that each file gets when it is written: two files with one
/// key never have the same.
using CacheNonce = std::array<uint64_t, 2>;

/// A cached value; read-only and valid as long as this lives, also when its
/// file is evicted meanwhile.
class CachedBytes {
public:
  recipe::ByteSpan bytes() const { return value; }
  const CacheNonce &stamp() const { return number; }
  std::shared_ptr<const void> owner() const { return storage; }

  /// Pieces with a checksum of their own, and whether one is as written.
  int64_t pieces() const { return int64_t(checksums.size()); }
  bool pieceIsSound(int64_t piece) const;

private:
  friend class DiskCache;
  std::shared_ptr<const void> storage;
  recipe::ByteSpan value;
  CacheNonce number = {};
  std::vector<uint64_t> checksums;
};

class DiskCache {
public:
  /// Files in `root`/`name`, at most `limit` bytes of them; `leaveFree` bytes
  /// of the file system are never touched. An empty root: no cache. Nothing is
  /// created before something is put in.
  DiskCache(const std::string &root, const std::string &name, uint64_t limit,
            uint64_t leaveFree = 0);
  ~DiskCache();
  DiskCache(const DiskCache &) = delete;
  DiskCache &operator=(const DiskCache &) = delete;

  /// The value of a key: page aligned if it is large, at a multiple of 2 MiB in
  /// its file if it is that large, so that it can be mapped in huge pages. Any
  /// thread. With a pool (the caller must not be one of its workers) a large
  /// value is checked by all threads.
  std::optional<CachedBytes> get(recipe::ByteSpan key,
                                 ThreadPool *pool = nullptr);

  /// The same without a look at the value: the caller checks its pieces before
  /// it uses them. Length, key and the checksums themselves are checked.
  std::optional<CachedBytes> open(recipe::ByteSpan key);

  /// Keeps a value and gives the number of its file; nothing if it could not
  /// (note() says why). Any thread. Once `stop` says so it leaves off, soon and
  /// without a trace or a note.
  std::optional<CacheNonce> put(recipe::ByteSpan key, recipe::ByteSpan value,
                                ThreadPool *pool = nullptr,
                                const std::function<bool()> &stop = nullptr);

  /// Whether `bytes` could be put in now, as far as one can tell without
  /// writing; note() says why not.
  bool canKeep(uint64_t bytes);

  const std::string &directory() const { return path; }
  /// The first reason why the cache could not be used; empty if there is none.
  std::string note() const;

private:
  struct Entry;
  int openDirectory(bool create);
  bool isOurs(int descriptor, bool isDirectory, std::string &why) const;
  bool makeRoom(int folder, uint64_t bytes);
  bool diskHasRoom(int folder, uint64_t bytes);
  void complain(const std::string &what);

  std::string path;
  uint64_t limit, leaveFree;
  mutable std::mutex mutex;
  std::string firstProblem;
  int folder = -1;      // once opened
  bool refused = false; // the directory is somebody else's, or broken
  bool counted = false; // `used` is known
  uint64_t used = 0;    // bytes, as far as this process knows
  uint64_t added = 0;   // since the directory was counted
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_DISKCACHE_H
