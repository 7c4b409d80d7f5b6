// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Graph.h"
#include "Generator.h"
#include "History.h"
#include "Lazy.h"
#include "Program.h"
#include "Tensors.h"

#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <c10/util/Exception.h>

#include <cstring>

using namespace gaudi::bridge;
using at::Tensor;

std::atomic<int> gaudi::bridge::captures{0};
std::atomic<bool> gaudi::bridge::hasCaptured{false};

namespace {

// Of each card; written by the thread that captures.
std::atomic<Graph *> underWay[8];

enum HiddenStream {
  /// Of captures that begin on the default stream, where programs are loaded.
  CAPTURE,
  /// Of memory that no capture takes for something else before it is read.
  KEYS
};

c10::StreamId hiddenStream(const Card &card, HiddenStream which) {
  static std::mutex mutex;
  static c10::StreamId made[8][2] = {};
  const std::lock_guard lock(mutex);
  c10::StreamId &id = made[card.index()][which];
  if (!id)
    id = Card::get(card.index()).newStream(0);
  return id;
}

} // namespace

Graph *gaudi::bridge::capturedBy(const Card &card, c10::StreamId stream) {
  Graph *graph = underWay[card.index()].load(std::memory_order_acquire);
  return graph && graph->hasStream(stream) ? graph : nullptr;
}

void gaudi::bridge::noteRecord(const Card &card, const void *event,
                               c10::StreamId stream) {
  if (captures.load(std::memory_order_relaxed) != 0)
    if (Graph *graph = underWay[card.index()].load(std::memory_order_acquire))
      graph->addEvent(event, stream);
}

void gaudi::bridge::noteWait(const Card &card, const void *event,
                             c10::StreamId stream) {
  if (captures.load(std::memory_order_relaxed) != 0)
    if (Graph *graph = underWay[card.index()].load(std::memory_order_acquire))
      graph->addWait(event, stream);
}

void gaudi::bridge::refuseCapture(const Card &card, const std::string &what) {
  if (C10_LIKELY(!capturedBy(card)))
    return;
  const std::string line = lineOfScript();
  TORCH_CHECK(false, what, " is not supported during HPU Graph capturing",
              line.empty() ? "" : ": ", line,
              "; move it before or after the capture");
}

Graph::~Graph() {
  if (Card::isForked())
    return;
  abandonCapture();
  reset();
}

void Graph::beginCapture() {
  const Card &card = Card::get(-1);
  TORCH_CHECK(!isUnderWay, "capture_begin: this graph is being captured; "
                           "capture_end() ends that first");
  TORCH_CHECK(!handle, "capture_begin: the graph has been captured; reset() "
                       "frees it for another capture");
  lazy::cut("a capture begins", card.index());
  hasCaptured = true;
  const c10::StreamId current = card.currentStream();
  const c10::StreamId on = current ? current : hiddenStream(card, CAPTURE);
  check(gaudiStreamBeginCapture(card.stream(on)));
  this->on = &card;
  before = current, stream = on;
  streams = {on};
  isUnderWay = true;
  card.exchangeStream(on);
  keepsCasts = at::autocast::is_autocast_cache_enabled();
  at::autocast::set_autocast_cache_enabled(false);
  underWay[card.index()].store(this, std::memory_order_release);
  captures.fetch_add(1);
}

void Graph::endCapture() {
  TORCH_CHECK(isUnderWay, "capture_end: the graph is not being captured; "
                          "capture_begin() begins it");
  TORCH_CHECK(on->currentStream() == stream,
              "capture_end: the capture ends on the stream, and in the thread, "
              "where it began");
  lazy::cut("a capture ends", on->index());
  GaudiError *error = gaudiStreamEndCapture(on->stream(stream), &handle);
  isUnderWay = false;
  underWay[on->index()].store(nullptr, std::memory_order_release);
  captures.fetch_sub(1);
  on->exchangeStream(before);
  at::autocast::set_autocast_cache_enabled(keepsCasts);
  streams.clear();
  events.clear();
  owned.clear();
  if (error)
    reset();
  check(error);
}

void Graph::abandonCapture() noexcept {
  if (!isUnderWay)
    return;
  try {
    on->exchangeStream(stream); // this may be another thread
    endCapture();
  } catch (const std::exception &) {
  }
  reset();
}

void Graph::reset() {
  TORCH_CHECK(!isUnderWay, "reset: the graph is being captured; capture_end() "
                           "ends that first");
  gaudiGraphDestroy(std::exchange(handle, nullptr));
  draws.clear();
  storages.clear();
  programs.clear();
  hostData.clear();
}

void Graph::freeBetweenReplays() {
  if (handle)
    check(gaudiGraphFreeBetweenReplays(handle));
}

void Graph::replay(const std::vector<std::pair<Tensor, Tensor>> &bound) {
  TORCH_CHECK(!isUnderWay, "replay: the capture of the graph has not ended; "
                           "capture_end() ends it");
  TORCH_CHECK(handle, "replay: the graph has not been captured; capture it "
                      "first: with torch.hpu.graph(graph): ...");
  refuseCapture(*on, "a replay");
  lazy::cut("a graph is replayed", on->index());
  RECORD_FUNCTION("HPUGraph.replay", std::vector<c10::IValue>());
  GaudiStream *to = on->stream();
  for (const Draw &each : draws) {
    const int64_t key = drawKey(each.generator);
    uint64_t pattern = 0;
    std::memcpy(&pattern, &key, sizeof(key));
    check(gaudiStreamFill(to, addressOf(*each.key.unsafeGetTensorImpl()),
                          sizeof(key), pattern, sizeof(key)));
  }
  c10::SmallVector<GaudiRebinding, 8> rebindings;
  for (const auto &[from, into] : bound)
    rebindings.push_back({addressOf(*from.unsafeGetTensorImpl()),
                          addressOf(*into.unsafeGetTensorImpl())});
  check(gaudiGraphReplay(handle, to, rebindings.data(), rebindings.size()));
}

// --- what is captured --------------------------------------------------------

bool Graph::hasStream(c10::StreamId id) const {
  const std::lock_guard lock(mutex);
  return streams.count(id) != 0;
}

void Graph::addEvent(const void *event, c10::StreamId from) {
  const std::lock_guard lock(mutex);
  if (streams.count(from))
    events.insert(event);
  else
    events.erase(event);
}

void Graph::addWait(const void *event, c10::StreamId by) {
  const std::lock_guard lock(mutex);
  if (events.count(event))
    streams.insert(by);
}

bool Graph::uses(const Tensor &tensor) const {
  const std::lock_guard lock(mutex);
  return storages.count(tensor.storage().unsafeGetStorageImpl()) != 0;
}

void Graph::own(GaudiDeviceAddress address) {
  const std::lock_guard lock(mutex);
  owned.insert(address);
}

void Graph::keep(const c10::Storage &storage) {
  const std::lock_guard lock(mutex);
  if (!owned.count(reinterpret_cast<GaudiDeviceAddress>(storage.data())))
    storages.emplace(storage.unsafeGetStorageImpl(), storage);
}

void Graph::keep(std::shared_ptr<Program> program) {
  const std::lock_guard lock(mutex);
  programs.insert(std::move(program));
}

const void *Graph::keepHost(const void *data, size_t bytes) {
  auto copy = std::make_unique<char[]>(bytes);
  std::memcpy(copy.get(), data, bytes);
  const std::lock_guard lock(mutex);
  return hostData.emplace_back(std::move(copy)).get();
}

Tensor Graph::draw(const at::Generator &generator) {
  const c10::StreamId captured = on->exchangeStream(hiddenStream(*on, KEYS));
  Tensor key = emptyContiguous({}, at::kLong, on->index());
  on->exchangeStream(captured);
  const std::lock_guard lock(mutex);
  draws.push_back({generator, key});
  return key;
}
