// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed constants ("panels") cached between runs, as one recipe sees them.
//
// A panel file is named by the layout of the panels and a fingerprint of the
// constant; a hash of the panels replaces the fingerprint if another constant
// has the same one. A fingerprint proves nothing, so panels are used only if
// they equal what packing this recipe's constant gives: either they were
// compared with it now, or the validation record of this recipe file says that
// they were, naming the panel file by its nonce. So no recipe can make another
// one compute with its panels.
//
// New panels are written after loading, by a thread of low priority; the
// destructor writes the rest, for a second at most.
#ifndef GAUDI_LIB_RUNTIME_CACHE_PANELCACHE_H
#define GAUDI_LIB_RUNTIME_CACHE_PANELCACHE_H

#include "DiskCache.h"
#include "ValidationRecord.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>

namespace gaudi::runtime {

struct PanelCacheTimes {
  /// Pause after loading, so that the first launches have the machine alone.
  std::chrono::milliseconds writingStarts{1000};
  /// How long the destructor may take to write the rest.
  std::chrono::milliseconds longestEnd{1000};
};

class PanelCache {
public:
  /// Caching fewer bytes saves less than 0.1 ms.
  static constexpr uint64_t leastBytes = 256 << 10;

  PanelCache(const std::string &root, uint64_t limit,
             const recipe::RecipeFile &file, const PanelCacheTimes &times = {});
  ~PanelCache();
  PanelCache(const PanelCache &) = delete;
  PanelCache &operator=(const PanelCache &) = delete;

  ValidationRecord &record() { return validated; }

  /// Panels of a constant. `layout` is all that packing depends on besides the
  /// bytes at `data`; `bytes` is the size of the result.
  struct Constant {
    const uint8_t *data;
    std::vector<uint8_t> layout;
    CacheNonce fingerprint;
    uint64_t bytes;
  };

  /// False for constants that are too small or not in the recipe file.
  bool accepts(const uint8_t *data, uint64_t bytes) const;
  /// The fingerprint of a constant, if the validation record has it.
  std::optional<CacheNonce>
  fingerprintOf(const uint8_t *data, const std::vector<uint8_t> &layout) const;

  struct Found {
    CachedBytes panels; // not verified
    bool validated;     // if intact, the panels of this constant
  };
  std::optional<Found> find(const Constant &constant);
  /// Counts panels that came from the cache against its limit.
  void countUsed(const Constant &constant) { claimed += constant.bytes; }
  /// Records that the panel file with this nonce holds the constant's panels.
  void recordMatch(const Constant &constant, const CacheNonce &file);
  /// Queues new panels for writing; `owner` keeps `panels` alive.
  void enqueue(Constant constant, std::shared_ptr<const void> owner,
               const uint8_t *panels);

  /// Starts to write what is queued.
  void startWriting();

  const std::string &directory() const { return files.directory(); }
  /// The first problem so far, of the background thread too; may be empty.
  std::string problem() const;

private:
  struct Item {
    Constant constant;
    std::shared_ptr<const void> owner;
    const uint8_t *panels;
  };
  ValidationRecord::Name nameOf(const uint8_t *data,
                                const std::vector<uint8_t> &layout) const;
  bool isLate() const {
    return std::chrono::steady_clock::now() >= stopAt.load();
  }
  bool isInFile(const Item &item, const CachedBytes &file) const;
  bool isSound(const CachedBytes &file) const;
  CacheNonce hashOf(const Item &item) const;
  /// What the file of an item's name holds: nothing of use, the panels (which
  /// this records), or those of another constant.
  enum class Place { Free, Done, OfAnother };
  Place placeOf(const Item &item);
  void write(Item item);
  void writeQueue(bool atEnd);
  void writeInBackground();

  DiskCache files;
  ValidationRecord validated;
  recipe::ByteSpan contents; // of the recipe file; empty for buffers
  uint64_t limit;
  PanelCacheTimes times;
  uint64_t claimed = 0; // bytes of this recipe's panels, cached or queued
  uint64_t queued = 0;  // bytes of those that were queued

  // `mutex` guards the queue, `ending` and, once `writer` runs, `validated`.
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Item> queue;
  bool started = false, ending = false;
  /// Writing stops at this time, even in the middle of a file.
  std::atomic<std::chrono::steady_clock::time_point> stopAt{
      std::chrono::steady_clock::time_point::max()};
  std::thread writer;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_PANELCACHE_H
