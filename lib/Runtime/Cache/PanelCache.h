// Packed constants ("panels") kept between runs, as one recipe sees them.
//
// Files are named by the layout of the panels and a small sample of the
// constant, or a hash of the panels if the sample is that of another. A sample
// proves nothing, so panels are used only if they are what packing this
// recipe's constant gives: because they were compared with it, or because the
// notes about this recipe file say that they were, in just this panel file. So
// no recipe can make another one use its panels.
//
// New panels are written after the recipe was loaded, by a thread that leaves
// the processor to others, and what is left when this goes, within a second.
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
  /// Launches that follow loading have the machine for themselves.
  std::chrono::milliseconds writingStarts{1000};
  /// How long the end may wait for panels that are not written yet.
  std::chrono::milliseconds longestEnd{1000};
};

class PanelCache {
public:
  /// A file for less saves less than a tenth of a millisecond.
  static constexpr uint64_t leastBytes = 256 << 10;

  PanelCache(const std::string &root, uint64_t limit,
             const recipe::RecipeFile &file, const PanelCacheTimes &times = {});
  ~PanelCache();
  PanelCache(const PanelCache &) = delete;
  PanelCache &operator=(const PanelCache &) = delete;

  ValidationRecord &notes() { return known; }

  /// Panels of a constant. `layout` says all that packing depends on besides
  /// the bytes; `bytes` is how many it gives.
  struct Constant {
    const uint8_t *data;
    std::vector<uint8_t> layout;
    CacheNonce sample;
    uint64_t bytes;
  };

  /// False for constants that are not worth it or not in the recipe file.
  bool takes(const uint8_t *data, uint64_t bytes) const;
  /// The sample of a constant, if notes have it.
  std::optional<CacheNonce> sampleOf(const uint8_t *data,
                                     const std::vector<uint8_t> &layout) const;

  struct Found {
    CachedBytes panels; // not checked
    bool proven;        // the panels of this constant if they are undamaged
  };
  std::optional<Found> find(const Constant &constant);
  /// They are used.
  void uses(const Constant &constant) { counted += constant.bytes; }
  /// The panels in this file turned out to be those of the constant.
  void proved(const Constant &constant, const CacheNonce &file);
  /// Keeps new ones: `panels`, which live as long as `owner`.
  void keep(Constant constant, std::shared_ptr<const void> owner,
            const uint8_t *panels);

  /// From now on what was given to keep() may be written.
  void startWriting();

  const std::string &directory() const { return files.directory(); }
  /// What went wrong until now, in the background too.
  std::string note() const;

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
  enum class Place { Free, Done, OfAnother };
  /// Whether the panels must still be written under their name.
  Place placeOf(const Item &item);
  void write(Item item);
  void writeQueue(bool atEnd);
  void writeInBackground();

  DiskCache files;
  ValidationRecord known;
  recipe::ByteSpan contents; // of the recipe file; none for buffers
  uint64_t limit;
  PanelCacheTimes times;
  uint64_t counted = 0; // bytes of panels of this recipe in the cache, or soon
  uint64_t queued = 0;  // of these, what must be written

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Item> queue;
  bool started = false, ending = false;
  /// Writing stops then, also in the middle of a file.
  std::atomic<std::chrono::steady_clock::time_point> stopAt{
      std::chrono::steady_clock::time_point::max()};
  std::thread writer;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_PANELCACHE_H
