// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device consists of, and how work is issued to its streams.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_DEVICEIMPL_H
#define GAUDI_LIB_RUNTIME_DEVICE_DEVICEIMPL_H

#include "CardMemory.h"
#include "CardTrace.h"
#include "Executor.h"
#include "Gaudi/Runtime/Device/CardFile.h"
#include "Gaudi/Runtime/Device/Device.h"
#include "Gaudi/Runtime/Device/PinnedMemory.h"
#include "Gaudi/Runtime/Fork.h"
#include "Gaudi/Runtime/LaunchResources.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gaudi::runtime {

struct Capture;

/// A stream as the device sees it.
struct StreamState {
  std::string name;
  uint32_t number = 0; ///< in memory's records
  std::shared_ptr<WorkQueue> queue;
  Picoseconds ready = 0; ///< its work so far has ended
  /// What its next work waits for besides, and until when on the card.
  std::vector<Position> waits;
  Picoseconds waitsUntil = 0;
  std::shared_ptr<Capture> capture; ///< null: work runs
  uint32_t lastNode = 0;            ///< of the capture, counted from 1; 0: none
  std::vector<uint32_t> nodeWaits;  ///< of its next node
};

/// Work before it is issued.
struct Issue {
  std::string_view name; ///< for the trace: the program's, "copy in"
  Lane lane = Lane::Compute;
  const WorkTimes *times = nullptr; ///< null: it takes no time of the card
  HostCall call = HostCall::Launch;
  std::vector<MemoryRange> uses;
  // Of a launch: its prediction, and its addresses for the host's time.
  std::shared_ptr<const prediction::Prediction> prediction = {};
  uint64_t tensors = 0;
  uint64_t draws = 0; ///< blocks of random numbers, of a seed
};

/// Locks the device for a call. What the call takes the thread is no work of
/// the script (HostClockKind::Measured).
class DeviceGuard : public std::unique_lock<std::mutex> {
public:
  explicit DeviceGuard(DeviceImpl &device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;

private:
  DeviceImpl &device;
};

struct DeviceImpl {
  const device::DeviceSpec *spec = nullptr;
  uint32_t forks = forkCount();
  Executor *executor = nullptr;               ///< of the process
  std::shared_ptr<LaunchResources> resources; ///< of the compute lane
  uint64_t capacity = 0;
  uint64_t hostAvailable = 0;   ///< bytes that the host had when it was opened
  std::optional<CardFile> card; ///< set while the device is open
  EventClockKind eventClock = EventClockKind::Card;
  int64_t opened = hostNanoseconds(); ///< times of EventClockKind::Host begin

  std::mutex lock; // of everything below
  std::unique_ptr<CardMemory> memory;
  CardClock clock;
  HostClock host;
  std::unique_ptr<PinnedMemory> pinned;
  Device::RandomState random;
  std::vector<StreamState *> streams; ///< by number; null: it is free
  /// Of streams that are gone, by number. Memory remembers uses by the number
  /// of the stream and that of the work, which the next stream must not repeat.
  std::vector<uint64_t> lastWork;
  std::vector<Picoseconds> lastReady; ///< and the time at which it ended
  std::vector<std::shared_ptr<StreamState>> orphans;
  std::unique_ptr<Stream> defaultStream;
  std::unique_ptr<Stream> loadingStream; ///< null: it has not been needed
  std::shared_ptr<Capture> capture;      ///< at most one at a time
  /// Blocks that belong to graphs.
  std::unordered_map<BlockId, std::weak_ptr<Capture>> graphBlocks;
  std::shared_ptr<CardTrace> trace; ///< null: nothing is recorded
  std::weak_ptr<Device> self;
  uint64_t launches = 0;

  /// The error of a process that fork() made.
  Status check() const;
  /// The same of a call that waits, which work of a stream must not, nor a
  /// capture. `what`: the call, for the error.
  Status checkWait(std::string_view what) const;

  // What follows is called while locked.

  /// The calling thread makes a call. Gives its time afterwards.
  Picoseconds call(HostCall call, uint64_t count = 1);
  /// Puts the work onto the card's timeline and into the stream's queue, or
  /// into its graph.
  Result<Stamp> issue(StreamState &stream, const Issue &issue,
                      std::unique_ptr<Work> work);
  /// The part of that which is no call of the host: also of a graph's replay.
  Status enqueue(StreamState &stream, Lane lane, const Stamp &stamp,
                 const std::vector<MemoryRange> &uses,
                 std::unique_ptr<Work> work);
  /// Copies to and from host memory that is not pinned pass through the
  /// driver's.
  void countPageable(const void *memory, uint64_t bytes);
  /// The state of the generator, which goes on by `blocks`.
  Device::RandomState draw(uint64_t blocks);
  /// Where the stream's work begins that is issued at host time `now`.
  static Picoseconds readyAt(const StreamState &stream, Picoseconds now);
  /// Adds what the use of memory by the stream waits for, and marks it as used.
  void use(StreamState &stream, const std::vector<MemoryRange> &ranges,
           uint64_t sequence, Picoseconds end, std::vector<Position> &waits);
  std::vector<std::shared_ptr<WorkQueue>> queues() const;
  /// Waits for all work of all streams. Unlocks meanwhile.
  void settle(std::unique_lock<std::mutex> &guard);
  /// Memory, by waiting and moving if need be.
  Result<DeviceAddress> allocate(std::unique_lock<std::mutex> &guard,
                                 uint64_t bytes, StreamState &stream,
                                 const MemoryOwner &owner);
  Result<MemoryRange> workspace(std::unique_lock<std::mutex> &guard,
                                uint64_t bytes, StreamState &stream);
  /// What `attempt` gives, a Result of an optional, once waiting, if that may
  /// be enough (`fits`), or `move` has made room. `what`: the call, for errors.
  template <typename Attempt, typename Fits, typename Move>
  auto withRoom(std::unique_lock<std::mutex> &guard, uint64_t bytes,
                std::string_view what, Attempt attempt, Fits fits, Move move)
      -> Result<typename decltype(attempt())::value_type::value_type>;
  /// Whether the block belongs to that graph.
  bool isOf(BlockId block, const Capture &graph) const;
  /// Tells memory which work has run.
  void noteCompleted();
  Status touch(const MemoryRange &range);
  /// Ends streams whose last owner was a function that a stream called.
  void reap(DeviceGuard &guard);
  /// Waits for the work of a stream that goes. Unlocks meanwhile.
  void end(StreamState &stream, DeviceGuard &guard);
  void discard(Capture &graph);
  /// Shows counters to other processes.
  void publish();
  /// Tells of an attempt to move blocks, and of one that failed. Unlocks
  /// meanwhile, since others listen.
  Result<bool> tell(std::unique_lock<std::mutex> &guard, Result<bool> moved,
                    double milliseconds);
  tl::unexpected<Error> outOfMemory(std::unique_lock<std::mutex> &guard,
                                    uint64_t bytes);
};

/// What takes the calling thread in this scope is no work of the script.
class EmulationScope {
public:
  explicit EmulationScope(DeviceImpl &device) : device(device) {
    const std::lock_guard<std::mutex> guard(device.lock);
    device.host.beginEmulation();
  }
  ~EmulationScope() {
    const std::lock_guard<std::mutex> guard(device.lock);
    device.host.endEmulation();
  }
  EmulationScope(const EmulationScope &) = delete;
  EmulationScope &operator=(const EmulationScope &) = delete;

private:
  DeviceImpl &device;
};

inline DeviceGuard::DeviceGuard(DeviceImpl &device)
    : std::unique_lock<std::mutex>(device.lock), device(device) {
  device.host.beginEmulation();
}

inline DeviceGuard::~DeviceGuard() {
  if (device.host.isTable())
    return;
  if (!owns_lock())
    lock();
  device.host.endEmulation();
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_DEVICEIMPL_H
