// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work of a card that is captured, and run again and again.
//
// While a graph is captured, what the streams that take part in it are given is
// not run. The graph keeps what it needs to be run later: memory of tensors
// that were there before, programs, and copies of what the host had for the
// card. Random ops take their keys from memory that each run writes anew.
#ifndef GAUDI_BRIDGE_GRAPH_H
#define GAUDI_BRIDGE_GRAPH_H

#include "Card.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gaudi::bridge {

class Program;

class Graph {
public:
  Graph() = default;
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  /// From now on what this thread gives the current stream of the current card
  /// becomes the graph; of the default stream a hidden one takes the place.
  /// One capture is under way on a card at a time.
  void beginCapture();
  /// By the thread that began it.
  void endCapture();
  /// Leaves it without a graph; nothing if no capture is under way.
  void abandonCapture() noexcept;
  /// Issues its work to the thread's current stream of its card. `bound`: pairs
  /// of a tensor of the capture and the one that takes its place in this run.
  void replay(const std::vector<std::pair<at::Tensor, at::Tensor>> &bound);
  /// Frees all that it has.
  void reset();
  /// Memory that the capture allocated and freed is the card's between runs.
  void freeBetweenReplays();

  /// Whether it uses memory of the tensor, which was there before the capture.
  bool uses(const at::Tensor &tensor) const;

  bool isCaptured() const { return handle != nullptr; }
  /// Pieces of work.
  size_t size() const { return handle ? gaudiGraphSize(handle) : 0; }
  c10::DeviceIndex card() const { return on ? on->index() : -1; }

  // --- what is captured, by any thread --------------------------------------

  bool hasStream(c10::StreamId id) const;
  void addEvent(const void *event, c10::StreamId from);
  void addWait(const void *event, c10::StreamId by);
  /// The capture allocated it.
  void own(GaudiDeviceAddress address);
  /// Memory that was there before the capture; other memory is left out.
  void keep(const c10::Storage &storage);
  void keep(std::shared_ptr<Program> program);
  /// A copy of what the host has now.
  const void *keepHost(const void *data, size_t bytes);
  /// The key of a random op, int64, that each run draws by the generator.
  at::Tensor draw(const at::Generator &generator);

private:
  struct Draw {
    at::Generator generator;
    at::Tensor key;
  };

  const Card *on = nullptr;
  GaudiGraph *handle = nullptr;
  bool isUnderWay = false;
  /// Of the thread before the capture. In it a weight that autocast has cast
  /// before would be a constant.
  bool keepsCasts = true;
  c10::StreamId stream = 0, before = 0; // of the capture, and of the thread

  mutable std::mutex mutex;
  std::set<c10::StreamId> streams;
  std::set<const void *> events;
  std::set<GaudiDeviceAddress> owned;
  std::unordered_map<const c10::StorageImpl *, c10::Storage> storages;
  std::set<std::shared_ptr<Program>> programs;
  std::vector<std::unique_ptr<char[]>> hostData;
  std::vector<Draw> draws;
};

/// How many captures are under way.
extern std::atomic<int> captures;
/// Whether there was one: memory that a graph may use stays that of its
/// storage.
extern std::atomic<bool> hasCaptured;

/// The graph that work of the card's stream becomes; null if it is run.
Graph *capturedBy(const Card &card, c10::StreamId stream);
/// Of the calling thread's current stream.
inline Graph *capturedBy(const Card &card) {
  return C10_LIKELY(captures.load(std::memory_order_relaxed) == 0)
             ? nullptr
             : capturedBy(card, card.currentStream());
}

/// Streams that wait for an event of a capture take part in it from then on.
void noteRecord(const Card &card, const void *event, c10::StreamId stream);
void noteWait(const Card &card, const void *event, c10::StreamId stream);

/// Throws if the thread's work on the card is captured: `what` cannot be.
/// Names the line of the script.
void refuseCapture(const Card &card, const std::string &what);

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_GRAPH_H
