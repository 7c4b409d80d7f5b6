// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Card.h"
#include "Graph.h"
#include "History.h"
#include "Lazy.h"

#include <ATen/record_function.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/function.h>

#include <pthread.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

using namespace gaudi::bridge;

namespace {

std::string textOf(const GaudiError *error) {
  const GaudiStringRef text = gaudiErrorMessage(error);
  return std::string(text.data, text.length);
}

/// Throws the error with this message, and destroys it.
[[noreturn]] void throwAs(GaudiError *error, const std::string &message) {
  const bool isFull = gaudiErrorCode(error) == GaudiErrorOutOfMemory;
  gaudiErrorDestroy(error);
  if (isFull)
    TORCH_CHECK_WITH(OutOfMemoryError, false, message);
  TORCH_CHECK(false, message);
}

/// Of `index 10 is out of bounds for dimension 1 of "..." (size 10)`.
std::string adviceOfIndex(const std::string &what) {
  const size_t found = what.find("(size ");
  const long size = std::strtol(what.c_str() + found + 6, nullptr, 10);
  if (size <= 0)
    return "the tensor that is read has no elements";
  return "the indices or labels that an op of the script is given (embedding, "
         "gather, cross_entropy) must be 0 to " +
         std::to_string(size - 1);
}

} // namespace

void gaudi::bridge::throwError(GaudiError *error) {
  const std::string text = textOf(error);
  // Launches are asynchronous, and their places are those of a graph's text.
  const size_t place = text.find(" (<module>:"), end = text.find("): ", place);
  const char *const folder = std::getenv("GAUDI_REPLAY_DIR");
  if (place == std::string::npos || end == std::string::npos ||
      (folder && *folder))
    throwAs(error, text);
  // "...: command 0 "tpc.gather" (<module>:5:6): index 9 ...": the command
  // last.
  const size_t command = text.rfind("command ", place);
  const size_t begin = command == std::string::npos ? place : command;
  const std::string what = text.substr(end + 3);
  const std::string next = "; run the script with GAUDI_REPLAY_DIR=replays, "
                           "which names its line";
  // Names of commands and of their operands are the compiler's.
  const size_t of = what.find(" of \""), size = what.find(" (size ");
  if (what.rfind("index ", 0) == 0 && of < size)
    throwAs(error, text.substr(0, begin) + what.substr(0, of) +
                       what.substr(size) + ": " + adviceOfIndex(what) + next);
  throwAs(error, text.substr(0, begin) + what + " (" +
                     text.substr(begin, place - begin) + ")" + next);
}

c10::ScalarType gaudi::bridge::storedType(c10::ScalarType type) {
  switch (type) {
  case c10::ScalarType::Double:
    return c10::ScalarType::Float;
  case c10::ScalarType::ComplexDouble:
    return c10::ScalarType::ComplexFloat;
  default:
    return type;
  }
}

// --- cards -------------------------------------------------------------------

namespace {

constexpr c10::DeviceIndex MAX_CARDS = 8; // of a server

std::atomic<Card *>
    cards[MAX_CARDS]; // never destroyed: tensors may outlive main
std::mutex opening;
std::atomic<bool> forked{false};
std::atomic<c10::DeviceIndex> limitOfCards{MAX_CARDS};
thread_local c10::DeviceIndex currentCard = 0;
thread_local c10::StreamId currentStreams[MAX_CARDS] = {};

/// From the environment: what the times of the script and of events are.
void readClocks(GaudiDeviceOptions &options) {
  const auto valueOf = [](const char *name) -> std::string_view {
    const char *value = std::getenv(name);
    return value ? value : "";
  };
  const std::string_view host = valueOf("GAUDI_HOST_CLOCK");
  constexpr std::string_view measured = "measured";
  options.measureHost = host.substr(0, measured.size()) == measured;
  bool isRead = host.empty() || host == "table" || host == measured;
  if (options.measureHost && host.substr(measured.size(), 1) == ",") {
    const char *const stop = host.data() + host.size();
    const auto [end, error] = std::from_chars(host.data() + measured.size() + 1,
                                              stop, options.hostFactor);
    isRead = error == std::errc() && end == stop && options.hostFactor > 0 &&
             options.hostFactor <= 1e6; // of gaudiDeviceOpen
  }
  TORCH_CHECK(isRead, "GAUDI_HOST_CLOCK is '", host, "'; expected table, ",
              "measured, or measured,FACTOR with a factor above 0 and at most ",
              "1e6");
  const std::string_view events = valueOf("GAUDI_EVENT_CLOCK");
  options.hostEvents = events == "host";
  TORCH_CHECK(events.empty() || events == "card" || options.hostEvents,
              "GAUDI_EVENT_CLOCK is '", events, "'; expected card or host");
}

} // namespace

Card::Card(c10::DeviceIndex index) : number(index) {
  GaudiDeviceOptions options;
  gaudiDeviceOptionsInit(&options);
  const char *kind = std::getenv("GAUDI_DEVICE");
  if (kind)
    options.kind = kind;
  readClocks(options);
  GaudiError *error = gaudiDeviceOpen(&options, &handle);
  if (error) {
    const std::string text = textOf(error);
    const bool isKind =
        kind && text.find('"' + std::string(kind) + '"') != std::string::npos;
    throwAs(error, isKind ? text + "; GAUDI_DEVICE is '" + kind +
                                "': set it to one of these, or unset it"
                          : text);
  }
  // A trace of all that the process does, which is written when it ends.
  const char *profile = std::getenv("HABANA_PROFILE");
  const std::string_view wanted = profile ? profile : "";
  if (!wanted.empty() && wanted != "0" && wanted.rfind("profile_api", 0) != 0)
    check(gaudiDeviceBeginTrace(handle));
  GaudiStream *stream = nullptr;
  check(gaudiDeviceDefaultStream(handle, &stream));
  streams.push_back(stream);
}

c10::DeviceIndex Card::indexOf(int index) {
  if (index < 0)
    index = currentCard;
  const char *visible = std::getenv("HABANA_VISIBLE_MODULES");
  TORCH_CHECK_INDEX(
      index < count(), "hpu:", index, " is no card of this process, which has ",
      count() == 1 ? "one, hpu:0"
                   : c10::str(int(count()), ": hpu:0 to hpu:", count() - 1),
      visible && *visible ? c10::str(" (HABANA_VISIBLE_MODULES=", visible,
                                     "; indices count the cards that it lists)")
                          : "",
      "; write \"hpu\" or \"hpu:0\"",
      visible && *visible ? ", or list more cards" : "");
  return c10::DeviceIndex(index);
}

Card &Card::get(c10::DeviceIndex index) {
  index = indexOf(index);
  TORCH_CHECK(!isForked(),
              "hpu: a process that has opened a card was forked, "
              "and its child cannot use cards; start processes "
              "by 'spawn', or fork before the first tensor of "
              "hpu; of a DataLoader with workers, keep the data on "
              "the CPU, and move each batch: .to(\"hpu\")");
  if (Card *card = cards[index].load(std::memory_order_acquire))
    return *card;
  const std::lock_guard lock(opening);
  [[maybe_unused]] static const int isWatched = pthread_atfork(
      nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
  if (!cards[index])
    cards[index].store(new Card(index), std::memory_order_release);
  return *cards[index];
}

Card *Card::ifOpen(c10::DeviceIndex index) { return cards[indexOf(index)]; }

c10::DeviceIndex Card::count() {
  static const c10::DeviceIndex count = [] {
    const char *modules = std::getenv("HABANA_VISIBLE_MODULES");
    if (!modules || !*modules || std::string_view(modules) == "all")
      return MAX_CARDS;
    c10::DeviceIndex listed = 1;
    for (const char *each = modules; *each; ++each)
      listed += *each == ',';
    return std::min(listed, MAX_CARDS);
  }();
  return std::min(count, limitOfCards.load(std::memory_order_relaxed));
}

void Card::limit(c10::DeviceIndex count) {
  limitOfCards.store(count, std::memory_order_relaxed);
}

bool Card::isForked() { return forked.load(std::memory_order_relaxed); }

c10::DeviceIndex Card::current() { return currentCard; }

c10::DeviceIndex Card::exchange(c10::DeviceIndex index) {
  return std::exchange(currentCard, index);
}

c10::StreamId Card::currentStream() const { return currentStreams[number]; }

c10::StreamId Card::exchangeStream(c10::StreamId id) const {
  stream(id); // it exists
  return std::exchange(currentStreams[number], id);
}

/// A backward pass runs in a thread of autograd while the one that called it
/// waits: the time of its work is that thread's. Autograd's nodes know the
/// thread that made them, by PyTorch's own number.
static void issueForForward() {
  static std::mutex mutex;
  static auto *const threads = new std::unordered_map<uint64_t, uint64_t>;
  thread_local bool isOfScript = false, isOfAutograd = false;
  if (isOfScript)
    return;
  if (const auto node = torch::autograd::get_current_node()) {
    const std::lock_guard lock(mutex);
    const auto found = threads->find(node->thread_id());
    if (found != threads->end())
      gaudiHostIssueForThread(found->second);
    isOfAutograd = true;
  } else if (!isOfAutograd) { // callbacks end a backward pass without a node
    isOfScript = true;
    const std::lock_guard lock(mutex);
    (*threads)[at::RecordFunction::currentThreadId()] = gaudiHostThread();
  }
}

GaudiStream *Card::stream() const { return stream(currentStreams[number]); }

GaudiStream *Card::stream(c10::StreamId id) const {
  issueForForward();
  const std::lock_guard lock(mutex);
  TORCH_CHECK(id >= 0 && size_t(id) < streams.size(), "hpu:", int(number),
              " has no stream ", id, "; torch.hpu.Stream() makes one");
  return streams[id];
}

c10::StreamId Card::newStream(int priority) {
  GaudiStream *stream = nullptr;
  check(gaudiStreamCreate(handle, nullptr, priority, &stream));
  const std::lock_guard lock(mutex);
  streams.push_back(stream);
  return c10::StreamId(streams.size() - 1);
}

void Card::synchronize() const { check(gaudiDeviceSynchronize(handle)); }

GaudiMemoryStats Card::memoryStats() const {
  GaudiMemoryStats stats;
  stats.size = sizeof(stats);
  check(gaudiDeviceMemoryStats(handle, &stats));
  return stats;
}

void Card::recordStream(const c10::DataPtr &memory, c10::Stream stream) {
  const Card &card = get(stream.device_index());
  // A cut gives it memory, unless nothing has written it yet.
  if (lazy::isDeferred(memory.get()))
    lazy::cutAll("another stream uses a tensor", card.index());
  if (memory.get() && !lazy::isDeferred(memory.get()))
    check(gaudiDeviceRecordStream(
        card.device(), reinterpret_cast<GaudiDeviceAddress>(memory.get()),
        card.stream(stream.id())));
}

// --- memory ------------------------------------------------------------------

GaudiDeviceAddress gaudi::bridge::addressOf(const c10::TensorImpl &tensor) {
  if (tensor.numel() == 0)
    return 0;
  if (lazy::mode() != 0)
    lazy::resolve(*tensor.storage().unsafeGetStorageImpl());
  if (C10_UNLIKELY(captures.load(std::memory_order_relaxed) != 0))
    if (Graph *graph = capturedBy(Card::get(tensor.device().index())))
      graph->keep(tensor.storage());
  const auto begin =
      reinterpret_cast<GaudiDeviceAddress>(tensor.storage().data());
  return begin + tensor.storage_offset() *
                     storedSize(c10::typeMetaToScalarType(tensor.dtype()));
}

namespace {

/// What a DataPtr has besides the address.
struct Block {
  const Card &card;
  GaudiDeviceAddress address;
};

void freeBlock(void *context) {
  auto *block = static_cast<Block *>(context);
  // In a child of fork() there is no card to give it back to, and a lock may be
  // that of a thread which is not there.
  if (!Card::isForked())
    freeRecorded(block->card, block->address);
  delete block;
}

class DeviceAllocator final : public c10::DeviceAllocator {
public:
  c10::DataPtr allocate(size_t bytes) override {
    const Card &card = Card::get(-1);
    const c10::Device device(c10::kHPU, card.index());
    if (bytes == 0)
      return {nullptr, nullptr, &freeBlock, device};
    const GaudiDeviceAddress address = allocateRecorded(card, bytes);
    return {reinterpret_cast<void *>(address), new Block{card, address},
            &freeBlock, device};
  }
  void copy_data(void *to, const void *from, size_t bytes) const override {
    check(gaudiStreamCopy(Card::get(-1).stream(),
                          reinterpret_cast<GaudiDeviceAddress>(to),
                          reinterpret_cast<GaudiDeviceAddress>(from), bytes));
  }

  // What torch.accelerator asks for.
  bool initialized() override { return Card::ifOpen(-1) != nullptr; }
  void emptyCache(c10::MempoolId_t) override {} // freed blocks are the pool's
  void recordStream(const c10::DataPtr &data, c10::Stream stream) override {
    Card::recordStream(data, stream);
  }
  c10::CachingDeviceAllocator::DeviceStats
  getDeviceStats(c10::DeviceIndex index) override {
    const GaudiMemoryStats read = Card::get(index).memoryStats();
    c10::CachingDeviceAllocator::DeviceStats stats;
    constexpr auto ALL = size_t(c10::CachingAllocator::StatType::AGGREGATE);
    const auto set = [](c10::CachingAllocator::Stat &stat, uint64_t current,
                        uint64_t peak) {
      stat.current = int64_t(current), stat.peak = int64_t(peak);
    };
    set(stats.allocated_bytes[ALL], read.inUse, read.maxInUse);
    set(stats.active_bytes[ALL], read.inUse, read.maxInUse);
    set(stats.requested_bytes[ALL], read.inUse, read.maxInUse);
    set(stats.reserved_bytes[ALL], read.limit, read.limit);
    set(stats.allocation[ALL], uint64_t(read.activeAllocs),
        uint64_t(read.activeAllocs));
    stats.allocation[ALL].allocated = read.totalAllocs;
    stats.allocation[ALL].freed = read.totalFrees;
    return stats;
  }
  void resetAccumulatedStats(c10::DeviceIndex index) override {
    check(gaudiDeviceResetAccumulatedMemory(Card::get(index).device()));
  }
  void resetPeakStats(c10::DeviceIndex index) override {
    check(gaudiDeviceResetPeakMemory(Card::get(index).device()));
  }
  std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex index) override {
    const GaudiMemoryStats read = Card::get(index).memoryStats();
    return {read.limit - read.inUse, read.limit};
  }
};

struct PinnedBlock {
  size_t bytes;
  GaudiDevice *device; // that of the thread which made it
};

std::mutex pinnedMutex;
std::map<const char *, PinnedBlock> pinned; // by their begin

void freePinned(void *memory) {
  if (!memory || Card::isForked())
    return;
  GaudiDevice *device = nullptr;
  {
    const std::lock_guard lock(pinnedMutex);
    const auto found = pinned.find(static_cast<const char *>(memory));
    device = found->second.device;
    pinned.erase(found);
  }
  gaudiErrorDestroy(gaudiDeviceFreePinned(device, memory));
}

class PinnedAllocator final : public c10::Allocator {
public:
  c10::DataPtr allocate(size_t bytes) override {
    if (bytes == 0)
      return {nullptr, nullptr, &freePinned, c10::kCPU};
    void *memory = nullptr;
    GaudiDevice *device = Card::get(-1).device();
    check(gaudiDeviceAllocatePinned(device, bytes, &memory));
    const std::lock_guard lock(pinnedMutex);
    pinned.emplace(static_cast<const char *>(memory),
                   PinnedBlock{bytes, device});
    return {memory, memory, &freePinned, c10::kCPU};
  }
  void copy_data(void *to, const void *from, size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

DeviceAllocator deviceAllocator;
PinnedAllocator hostAllocator;

REGISTER_ALLOCATOR(c10::kHPU, &deviceAllocator)

} // namespace

c10::Allocator &gaudi::bridge::allocator() { return deviceAllocator; }
c10::Allocator &gaudi::bridge::pinnedAllocator() { return hostAllocator; }

bool gaudi::bridge::isPinned(const void *memory) {
  const std::lock_guard lock(pinnedMutex);
  auto next = pinned.upper_bound(static_cast<const char *>(memory));
  if (next == pinned.begin())
    return false;
  --next;
  return static_cast<const char *>(memory) < next->first + next->second.bytes;
}
