// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds packed constants in the cache and writes new ones.
#include "PanelCache.h"

#include "../Host/Background.h"
#include "../Host/BuildId.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <xxhash.h>

namespace gaudi::runtime {

namespace {

/// Bytes of the disk that stay free whatever the limit is.
constexpr uint64_t leftOnDisk = uint64_t(1) << 30;
/// Bytes compared or hashed between two reads of the clock.
constexpr uint64_t atOnce = 4 << 20;

/// The name of a panel file: what packs, the layout, and the fingerprint.
std::vector<uint8_t> keyOf(const PanelCache::Constant &constant) {
  std::vector<uint8_t> key(packingId(), packingId() + std::strlen(packingId()));
  key.insert(key.end(), constant.layout.begin(), constant.layout.end());
  const auto *fingerprint =
      reinterpret_cast<const uint8_t *>(constant.fingerprint.data());
  key.insert(key.end(), fingerprint, fingerprint + sizeof(CacheNonce));
  return key;
}

} // namespace

PanelCache::PanelCache(const std::string &root, uint64_t limit,
                       const recipe::RecipeFile &file,
                       const PanelCacheTimes &times)
    : files(limit ? root : "", "panels", limit, leftOnDisk),
      validated(limit ? root : "", file), limit(limit), times(times) {
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
    // The next process packs again what is not written in time.
    if (started)
      writeQueue(true);
  } catch (const std::exception &) {
    // Out of memory: the rest is not cached.
  }
  if (writer.joinable())
    writer.join();
  try {
    if (started)
      validated.save();
  } catch (const std::exception &) {
  }
}

std::string PanelCache::problem() const {
  const std::string problem = files.problem();
  return problem.empty() ? validated.problem() : problem;
}

bool PanelCache::accepts(const uint8_t *data, uint64_t bytes) const {
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
PanelCache::fingerprintOf(const uint8_t *data,
                          const std::vector<uint8_t> &layout) const {
  const ValidationRecord::Panels *panels = validated.find(nameOf(data, layout));
  return panels ? std::optional(panels->fingerprint) : std::nullopt;
}

std::optional<PanelCache::Found> PanelCache::find(const Constant &constant) {
  const std::vector<uint8_t> key = keyOf(constant);
  auto file = files.open({key.data(), key.size()});
  if (!file || file->bytes().size != constant.bytes)
    return std::nullopt;
  const ValidationRecord::Panels *panels =
      validated.find(nameOf(constant.data, constant.layout));
  const bool recorded = panels && panels->file == file->nonce();
  return Found{std::move(*file), recorded};
}

void PanelCache::recordMatch(const Constant &constant, const CacheNonce &file) {
  const std::lock_guard<std::mutex> lock(mutex);
  validated.add(nameOf(constant.data, constant.layout),
                {constant.fingerprint, file});
}

void PanelCache::enqueue(Constant constant, std::shared_ptr<const void> owner,
                         const uint8_t *panels) {
  // A recipe with more panels than half of the limit caches the first ones up
  // to that half (canStore refuses more): with all, its own panels would evict
  // each other in each run.
  const uint64_t all = claimed + constant.bytes;
  if (!files.canStore(all > limit / 2 ? all : queued + constant.bytes))
    return;
  claimed = all;
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
  for (int64_t block = 0; block < file.blocks() && !isLate(); ++block)
    if (!file.isIntact(block))
      return false;
  return true;
}

/// Compares with the file first: that it is there says nothing about its
/// contents, and neither does the fingerprint in its name.
PanelCache::Place PanelCache::placeOf(const Item &item) {
  const std::vector<uint8_t> key = keyOf(item.constant);
  const auto file = files.open({key.data(), key.size()});
  if (!file)
    return Place::Free;
  if (!isInFile(item, *file))
    return isSound(*file) ? Place::OfAnother : Place::Free;
  recordMatch(item.constant, file->nonce());
  return Place::Done;
}

/// A hash of the panels, chained over blocks so that it can stop in between;
/// the result of one that stopped is not used, since writing stops as well.
CacheNonce PanelCache::hashOf(const Item &item) const {
  XXH128_hash_t hash = {};
  const uint64_t size = item.constant.bytes;
  for (uint64_t at = 0; at < size && !isLate(); at += atOnce)
    hash = XXH3_128bits_withSeed(item.panels + at, std::min(atOnce, size - at),
                                 hash.high64 ^ hash.low64);
  return {hash.high64, hash.low64};
}

void PanelCache::write(Item item) {
  // Another process, or an equal constant of this recipe, may have written it.
  Place place = placeOf(item);
  if (place == Place::OfAnother) {
    // Equal fingerprints. Only the validation record leads to the other name.
    item.constant.fingerprint = hashOf(item);
    place = placeOf(item);
  }
  if (place == Place::Done)
    return;
  const std::vector<uint8_t> key = keyOf(item.constant);
  if (auto nonce = files.put({key.data(), key.size()},
                             {item.panels, item.constant.bytes}, nullptr,
                             [this] { return isLate(); }))
    recordMatch(item.constant, *nonce);
}

void PanelCache::startWriting() {
  started = true;
  if (queue.empty() && !validated.hasUnsaved())
    return;
  try {
    writer = std::thread([this] {
      try {
        writeInBackground();
      } catch (const std::exception &) {
        // Out of memory: the next process packs the rest.
      }
    });
  } catch (const std::exception &) {
    // No thread: the destructor writes what it can.
  }
}

/// Called by the background thread until `ending`, then by the destructor; both
/// may be in here for the length of one write.
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
  lowerPriority();
  {
    std::unique_lock<std::mutex> lock(mutex);
    wake.wait_for(lock, times.writingStarts, [this] { return ending; });
  }
  writeQueue(false);
  const std::lock_guard<std::mutex> lock(mutex);
  if (!ending)
    validated.save();
}

} // namespace gaudi::runtime
