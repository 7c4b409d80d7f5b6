// Finding packed constants in the cache, and writing new ones.
#include "PanelCache.h"

#include "../Host/BuildId.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

namespace gaudi::runtime {

namespace {

/// Left to the disk's owner whatever the limit is.
constexpr uint64_t leftOnDisk = uint64_t(1) << 30;
/// What is compared or written between two looks at the clock.
constexpr uint64_t atOnce = 4 << 20;
/// Nice enough for a thread in the background, which still gets a share of a
/// busy processor, because the end waits for it.
constexpr int niceness = 15;

std::vector<uint8_t> keyOf(const PanelCache::Constant &constant) {
  std::vector<uint8_t> key(packingId(), packingId() + std::strlen(packingId()));
  key.insert(key.end(), constant.layout.begin(), constant.layout.end());
  const auto *sample =
      reinterpret_cast<const uint8_t *>(constant.sample.data());
  key.insert(key.end(), sample, sample + sizeof(CacheNonce));
  return key;
}

} // namespace

PanelCache::PanelCache(const std::string &root, uint64_t limit,
                       const recipe::RecipeFile &file,
                       const PanelCacheTimes &times)
    : files(limit ? root : "", "panels", limit, leftOnDisk),
      known(limit ? root : "", file), limit(limit), times(times) {
  if (file.state())
    contents = file.bytes();
}

PanelCache::~PanelCache() {
  stopAt = std::chrono::steady_clock::now() + times.longestEnd;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ending = true;
  }
  wake.notify_all();
  try {
    // What is not written in time is packed again by the next process.
    if (started)
      writeQueue(true);
  } catch (const std::exception &) {
    // Nor what there is no memory for.
  }
  if (writer.joinable())
    writer.join();
  try {
    if (started)
      known.keep();
  } catch (const std::exception &) {
  }
}

std::string PanelCache::note() const {
  const std::string note = files.note();
  return note.empty() ? known.note() : note;
}

bool PanelCache::takes(const uint8_t *data, uint64_t bytes) const {
  return !files.directory().empty() && bytes >= leastBytes && contents.size &&
         data >= contents.data && data < contents.data + contents.size;
}

ValidationRecord::Name
PanelCache::nameOf(const uint8_t *data,
                   const std::vector<uint8_t> &layout) const {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(
      layout.data(), layout.size(), uint64_t(data - contents.data));
  return {hash.high64, hash.low64};
}

std::optional<CacheNonce>
PanelCache::sampleOf(const uint8_t *data,
                     const std::vector<uint8_t> &layout) const {
  const ValidationRecord::Panels *panels = known.find(nameOf(data, layout));
  return panels ? std::optional(panels->sample) : std::nullopt;
}

std::optional<PanelCache::Found> PanelCache::find(const Constant &constant) {
  const std::vector<uint8_t> key = keyOf(constant);
  auto file = files.open({key.data(), key.size()});
  if (!file || file->bytes().size != constant.bytes)
    return std::nullopt;
  const ValidationRecord::Panels *panels =
      known.find(nameOf(constant.data, constant.layout));
  const bool proven = panels && panels->file == file->stamp();
  return Found{std::move(*file), proven};
}

void PanelCache::proved(const Constant &constant, const CacheNonce &file) {
  const std::lock_guard<std::mutex> lock(mutex);
  known.add(nameOf(constant.data, constant.layout), {constant.sample, file});
}

void PanelCache::keep(Constant constant, std::shared_ptr<const void> owner,
                      const uint8_t *panels) {
  // A recipe that needs more than half of the cache keeps the first half of it
  // there instead of pushing out its own panels again and again.
  const uint64_t all = counted + constant.bytes;
  if (!files.canKeep(all > limit / 2 ? all : queued + constant.bytes))
    return;
  counted = all;
  queued += constant.bytes;
  queue.push_back({std::move(constant), std::move(owner), panels});
}

bool PanelCache::isInFile(const Item &item, const CachedBytes &file) const {
  const uint64_t size = item.constant.bytes;
  if (file.bytes().size != size)
    return false;
  for (uint64_t at = 0; at < size && !isLate(); at += atOnce)
    if (std::memcmp(file.bytes().data + at, item.panels + at,
                    std::min(atOnce, size - at)) != 0)
      return false;
  return !isLate();
}

bool PanelCache::isSound(const CachedBytes &file) const {
  for (int64_t piece = 0; piece < file.pieces() && !isLate(); ++piece)
    if (!file.pieceIsSound(piece))
      return false;
  return true;
}

PanelCache::Place PanelCache::placeOf(const Item &item) {
  const std::vector<uint8_t> key = keyOf(item.constant);
  const auto file = files.open({key.data(), key.size()});
  if (!file)
    return Place::Free;
  if (!isInFile(item, *file))
    return isSound(*file) ? Place::OfAnother : Place::Free;
  proved(item.constant, file->stamp());
  return Place::Done;
}

CacheNonce PanelCache::hashOf(const Item &item) const {
  XXH128_hash_t hash = {};
  const uint64_t size = item.constant.bytes;
  for (uint64_t at = 0; at < size && !isLate(); at += atOnce)
    hash = XXH3_128bits_withSeed(item.panels + at, std::min(atOnce, size - at),
                                 hash.high64 ^ hash.low64);
  return {hash.high64, hash.low64};
}

void PanelCache::write(Item item) {
  // Another process, or another constant of this recipe, may have been faster.
  Place place = placeOf(item);
  if (place == Place::OfAnother) {
    // Equal samples. Only notes lead to the other name.
    item.constant.sample = hashOf(item);
    place = placeOf(item);
  }
  if (place == Place::Done)
    return;
  const std::vector<uint8_t> key = keyOf(item.constant);
  if (auto stamp = files.put({key.data(), key.size()},
                             {item.panels, item.constant.bytes}, nullptr,
                             [this] { return isLate(); }))
    proved(item.constant, *stamp);
}

void PanelCache::startWriting() {
  started = true;
  if (queue.empty() && !known.hasNews())
    return;
  try {
    writer = std::thread([this] {
      try {
        writeInBackground();
      } catch (const std::exception &) {
        // What there is no memory for the next process packs.
      }
    });
  } catch (const std::exception &) {
    // Then all is written at the end.
  }
}

/// The two threads that may do this share the queue.
void PanelCache::writeQueue(bool atEnd) {
  std::unique_lock<std::mutex> lock(mutex);
  while (!queue.empty() && ending == atEnd && !isLate()) {
    Item item = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    write(std::move(item));
    lock.lock();
  }
}

void PanelCache::writeInBackground() {
  // Of this thread alone.
  const id_t self = id_t(::syscall(SYS_gettid));
  errno = 0;
  const int now = ::getpriority(PRIO_PROCESS, self);
  if (errno == 0 && now < niceness)
    (void)::setpriority(PRIO_PROCESS, self, niceness);
  {
    std::unique_lock<std::mutex> lock(mutex);
    wake.wait_for(lock, times.writingStarts, [this] { return ending; });
  }
  writeQueue(false);
  const std::lock_guard<std::mutex> lock(mutex);
  if (!ending)
    known.keep();
}

} // namespace gaudi::runtime
