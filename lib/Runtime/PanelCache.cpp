// Finding packed constants in the cache, and writing new ones.
#include "PanelCache.h"

#include "BuildId.h"

#include <chrono>
#include <cstring>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <xxhash.h>

namespace gaudi::runtime {

namespace {

/// Left to the disk's owner whatever the limit is.
constexpr uint64_t leftOnDisk = uint64_t(1) << 30;
/// Launches that follow loading have the machine for themselves.
constexpr std::chrono::milliseconds writingStarts{1000};
/// How long the end may wait for panels that are not written yet.
constexpr std::chrono::milliseconds longestEnd{1000};

std::vector<uint8_t> keyOf(const PanelCache::Constant &constant) {
  std::vector<uint8_t> key(packingId(), packingId() + std::strlen(packingId()));
  key.insert(key.end(), constant.layout.begin(), constant.layout.end());
  const auto *sample =
      reinterpret_cast<const uint8_t *>(constant.sample.data());
  key.insert(key.end(), sample, sample + sizeof(FileStamp));
  return key;
}

} // namespace

PanelCache::PanelCache(const std::string &root, uint64_t limit,
                       const recipe::RecipeFile &file)
    : files(limit ? root : "", "panels", limit, leftOnDisk),
      known(limit ? root : "", file), limit(limit) {
  if (file.state())
    contents = file.bytes();
}

PanelCache::~PanelCache() {
  const auto end = std::chrono::steady_clock::now() + longestEnd;
  std::unique_lock<std::mutex> lock(mutex);
  ending = true;
  wake.notify_all();
  // What is not written in time is packed again by the next process.
  while (started && !queue.empty() && std::chrono::steady_clock::now() < end) {
    const Item item = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    write(item);
    lock.lock();
  }
  queue.clear();
  lock.unlock();
  if (writer.joinable())
    writer.join();
  if (started)
    known.keep();
}

bool PanelCache::takes(const uint8_t *data, uint64_t bytes) const {
  return !files.directory().empty() && bytes >= leastBytes && contents.size &&
         data >= contents.data && data < contents.data + contents.size;
}

RecipeNotes::Name PanelCache::nameOf(const uint8_t *data,
                                     const std::vector<uint8_t> &layout) const {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(
      layout.data(), layout.size(), uint64_t(data - contents.data));
  return {hash.high64, hash.low64};
}

std::optional<FileStamp>
PanelCache::sampleOf(const uint8_t *data,
                     const std::vector<uint8_t> &layout) const {
  const RecipeNotes::Panels *panels = known.find(nameOf(data, layout));
  return panels ? std::optional(panels->sample) : std::nullopt;
}

std::optional<PanelCache::Found> PanelCache::find(const Constant &constant) {
  const std::vector<uint8_t> key = keyOf(constant);
  auto file = files.open({key.data(), key.size()});
  if (!file || file->bytes().size != constant.bytes)
    return std::nullopt;
  counted += constant.bytes;
  const RecipeNotes::Panels *panels =
      known.find(nameOf(constant.data, constant.layout));
  const bool proven = panels && panels->file == file->stamp();
  return Found{std::move(*file), proven};
}

void PanelCache::proved(const Constant &constant, const FileStamp &file) {
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

void PanelCache::write(const Item &item) {
  const std::vector<uint8_t> key = keyOf(item.constant);
  // Another process, or another constant of this recipe, may have been faster.
  if (auto file = files.open({key.data(), key.size()}))
    if (file->bytes().size == item.constant.bytes &&
        std::memcmp(file->bytes().data, item.panels, item.constant.bytes) == 0)
      return proved(item.constant, file->stamp());
  if (auto stamp = files.put({key.data(), key.size()},
                             {item.panels, item.constant.bytes}))
    proved(item.constant, *stamp);
}

void PanelCache::startWriting() {
  started = true;
  if (queue.empty() && !known.hasNews())
    return;
  try {
    writer = std::thread([this] { writeInBackground(); });
  } catch (const std::system_error &) {
    // Then all is written at the end.
  }
}

void PanelCache::writeInBackground() {
  // Of this thread alone. It still gets a share of a busy processor, because
  // the end waits for it.
  (void)::setpriority(PRIO_PROCESS, id_t(::syscall(SYS_gettid)), 15);
  std::unique_lock<std::mutex> lock(mutex);
  wake.wait_for(lock, writingStarts, [this] { return ending; });
  while (!queue.empty() && !ending) {
    const Item item = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    write(item);
    lock.lock();
  }
  if (!ending)
    known.keep();
}

} // namespace gaudi::runtime
