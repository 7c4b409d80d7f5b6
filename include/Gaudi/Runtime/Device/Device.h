// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An emulated card that outlives a launch: its memory, streams and clock.
//
//   auto device = Device::open({"gaudi2"});
//   auto stream = (*device)->createStream();
//   auto x = (*device)->allocate(bytes, **stream, {"x"});
//   (*stream)->copyIn(*x, data, bytes);
//   auto program = Program::load(*device, file);
//   (*stream)->launch(**program, 0, {*x, *y});
//   (*stream)->copyOut(result, *y, bytes);
//   (*stream)->synchronize();
//
// Calls that issue work return before it has run; its error is that of the next
// call that waits for it. Any thread may call anything; work that several
// threads issue to one stream runs in the order of the calls. Work that the
// stream or events do not order must not share memory that it writes.
#ifndef GAUDI_RUNTIME_DEVICE_DEVICE_H
#define GAUDI_RUNTIME_DEVICE_DEVICE_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Runtime/Device/Clock.h"
#include "Gaudi/Runtime/Device/MemoryPool.h"
#include "Gaudi/Support/Error.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::runtime {

/// Device memory: a handle and an offset within its block, in one number.
/// Blocks may move, handles stay. 0: none.
using DeviceAddress = uint64_t;

struct DeviceOptions {
  std::string kind = "gaudi2"; ///< "gaudi", "gaudi2", "gaudi3"
  /// The card's number; absent: the first one that is free.
  std::optional<unsigned> module;
  uint64_t capacity = 0;   ///< bytes of device memory; 0: the card's
  uint64_t hostMemory = 0; ///< bytes that the emulation may touch; 0: 3/4 of
                           ///< what the host has available
  unsigned threads = 0;    ///< that emulate launches; 0: the host's CPUs
  HostClockKind hostClock = HostClockKind::Table;
  double hostFactor = 1; ///< of measured host time
  EventClockKind eventClock = EventClockKind::Card;
};

/// Whose memory it is, for errors and statistics.
struct MemoryOwner {
  std::string_view name = {};  ///< "weight", "encoder.layer.3.output"
  std::string_view shape = {}; ///< "64x128xbf16"
  std::string_view where = {}; ///< "train.py:31"
};

/// Of the card, and of the emulation: bytes that have host memory.
struct DeviceMemoryStats {
  MemoryStatistics pool;
  uint64_t touchedBytes = 0, hostLimit = 0;
};

/// A range of the card's memory, by the card's own addresses, from 0; texts are
/// the device's.
struct DeviceMemoryBlock {
  MemorySpan span;
  MemoryOwner owner;
};

class Stream;
class Event;
class Graph;
class Program;
struct DeviceImpl;
class DeviceGuard;

struct StreamOptions {
  std::string name = {}; ///< of its track; empty: "stream 3"
  int priority = 0;      ///< of two that are ready, the higher one runs first
};

class Device {
public:
  /// Errors: unknown kind, no such card, the card belongs to another process,
  /// no address space or threads.
  static Result<std::shared_ptr<Device>> open(const DeviceOptions &options);
  ~Device();

  /// The error of a process that fork() made, in which what gives no error
  /// must not be called.
  Status checkProcess() const;

  const device::DeviceSpec &spec() const;
  unsigned module() const;
  uint64_t capacity() const;
  unsigned threads() const;

  // --- memory ---------------------------------------------------------------

  /// Memory for work of `stream`. Errors: none is left, which names who holds
  /// what and what would free it; the host has no memory for it.
  Result<DeviceAddress> allocate(uint64_t bytes, Stream &stream,
                                 const MemoryOwner &owner = {});
  /// At once for the caller; work that was issued before still has it.
  Status free(DeviceAddress address);
  /// `stream` uses the block in a way that the device does not see.
  Status recordStream(DeviceAddress address, Stream &stream);

  /// Host memory that the card's copies reach without a copy of the driver.
  /// Errors: the host has none.
  Result<void *> allocatePinned(uint64_t bytes);
  /// Of which all copies have run. The error: it is no such memory.
  Status freePinned(void *memory);

  DeviceMemoryStats memoryStats();
  /// All of the memory, by address.
  std::vector<DeviceMemoryBlock> memoryBlocks();
  /// The block of an address. The error: it is of no memory.
  Result<DeviceMemoryBlock> memoryBlock(DeviceAddress address);
  void resetPeakMemory();
  void resetAccumulatedMemory();

  // --- streams --------------------------------------------------------------

  Stream &defaultStream();
  /// For memory of programs: the default stream, unless that is captured.
  Result<Stream *> loadingStream();
  Result<std::shared_ptr<Stream>>
  createStream(const StreamOptions &options = {});
  Result<std::shared_ptr<Event>> createEvent();
  /// Waits for all work of all streams. The error of the first that failed.
  Status synchronize();

  // --- clock ----------------------------------------------------------------

  /// The time of the calling thread.
  Picoseconds hostTime();
  /// The script works for so long beside the card.
  /// The error: the clock would overflow.
  Status advanceHost(Picoseconds time);
  struct ClockTimes {
    Picoseconds elapsed = 0; ///< since the card was opened
    std::array<CardClock::QueueTimes, cardQueueCount> queues{};
  };
  ClockTimes clockTimes();

  /// Of the generator of random numbers, whose offset becomes 0.
  void setSeed(int64_t seed);
  struct RandomState {
    int64_t seed = 0;
    int64_t offset = 0; ///< in blocks of Philox
  };
  RandomState randomState();

  /// Records what streams do from now on; writeTrace() writes and ends it.
  Status beginTrace();
  /// Of the calling thread: what a trace says of the work that it issues from
  /// now on, so that whoever reads it knows what the work was for; 0: nothing.
  static void setTraceLabel(uint64_t label);
  Status writeTrace(const std::string &path);

  DeviceImpl &impl() { return *own; }

private:
  friend class Stream;
  explicit Device(std::unique_ptr<DeviceImpl> own);
  Result<DeviceAddress> allocateCaptured(std::unique_lock<std::mutex> &guard,
                                         uint64_t bytes, Stream &stream,
                                         const MemoryOwner &owner);
  std::unique_ptr<DeviceImpl> own;
};

/// A dimension of a copy: elements, and bytes from one to the next.
struct StridedDim {
  uint64_t size = 0, toStride = 0, fromStride = 0;
};

/// Device addresses of a launch, in the order of Program::tensors.
using Addresses = std::vector<DeviceAddress>;

class Stream {
public:
  ~Stream();
  const std::string &name() const;

  /// From host memory, which stays as it is until the copy has run: until the
  /// stream has been waited for, or, if `blocking`, until the call returns.
  Status copyIn(DeviceAddress to, const void *from, uint64_t bytes,
                bool blocking = false);
  Status copyOut(void *to, DeviceAddress from, uint64_t bytes,
                 bool blocking = false);
  /// Within the card. The ranges do not overlap.
  Status copy(DeviceAddress to, DeviceAddress from, uint64_t bytes);
  /// The same of elements that lie apart: element (i0, i1, ...) of `sizes` is
  /// at the sum of i times the stride, which counts bytes and is not negative.
  /// Errors: an element of another size than 1, 2, 4, 8 or 16 bytes, ranges
  /// from the first to the last element that overlap.
  Status copyStrided(DeviceAddress to, DeviceAddress from,
                     const std::vector<StridedDim> &dims,
                     unsigned elementBytes);
  /// `pattern` of 1, 2, 4 or 8 bytes, again and again.
  Status fill(DeviceAddress to, uint64_t bytes, uint64_t pattern,
              unsigned patternBytes);
  /// Errors: another number of addresses, memory that is smaller than the
  /// tensor, written memory that two tensors share, an entry that the program
  /// does not have.
  Status launch(Program &program, size_t entry, const Addresses &tensors);
  /// Writes the state of the device's generator, two int64, for work that draws
  /// `blocks` blocks of Philox. A replay of captured work draws others.
  Status drawSeed(DeviceAddress seed, DeviceAddress offset, uint64_t blocks);
  /// Calls `function` once the work before it has run. It takes no time of the
  /// card, and must not wait for the device.
  Status call(std::function<void()> function);

  /// The event is what has been issued to the stream so far.
  Status record(Event &event);
  /// Later work of the stream begins after the event. Errors: it has not been
  /// recorded.
  Status wait(Event &event);
  /// Whether all work has ended at the time of the calling thread; by
  /// EventClockKind::Host, whether this host has run it.
  Result<bool> query();
  Status synchronize();

  /// What is issued from now on to this stream, and to streams that wait for
  /// its events, becomes a graph instead of being run.
  Status beginCapture();
  Result<std::shared_ptr<Graph>> endCapture();
  bool isCapturing() const;

private:
  friend class Device;
  friend class Graph;
  struct State;
  explicit Stream(std::unique_ptr<State> state);
  static std::unique_ptr<Stream> make(DeviceImpl &device,
                                      std::shared_ptr<Device> keep,
                                      const StreamOptions &options);
  Status checkDevice(const DeviceImpl &device) const;
  Status refuseCapture(bool isRefused, std::string_view what) const;
  Status finish(DeviceGuard &guard, uint64_t sequence, Picoseconds end,
                bool own);
  Status copyHost(DeviceAddress address, void *host, uint64_t bytes, bool isUp,
                  bool blocking);
  void abandonCapture(DeviceImpl &device);
  std::unique_ptr<State> state;
};

/// A point in the work of a stream.
class Event {
public:
  ~Event();
  /// Whether its work has ended at the time of the calling thread, which a
  /// query advances; by EventClockKind::Host, whether this host has run it.
  /// Errors: it has not been recorded.
  Result<bool> query();
  Status synchronize();
  /// From `begin` to this event on the card. Errors: one of them has not been
  /// recorded, or belongs to another device.
  Result<Picoseconds> since(const Event &begin) const;
  /// By EventClockKind::Host it waits for the work.
  Result<Picoseconds> time() const;

private:
  friend class Device;
  friend class Stream;
  struct State;
  explicit Event(std::unique_ptr<State> state);
  Status checkRecorded() const;
  std::unique_ptr<State> state;
};

/// Captured work, which may be run again and again.
class Graph {
public:
  ~Graph();
  /// Uses of memory of the capture become uses of other memory.
  struct Rebinding {
    DeviceAddress from = 0, to = 0; ///< of blocks, not within them
  };
  /// Runs it on the stream, after what was issued there before. Errors: the
  /// other memory is smaller.
  Status replay(Stream &stream, const std::vector<Rebinding> &rebindings = {});
  /// From now on, memory that the capture allocated and freed is the device's
  /// between replays, each of which allocates it again and fails if there is no
  /// room.
  Status freeBetweenReplays();
  size_t size() const; ///< pieces of work

private:
  friend class Stream;
  struct State;
  explicit Graph(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_DEVICE_H
