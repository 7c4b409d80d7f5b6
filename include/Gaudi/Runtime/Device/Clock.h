// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The predicted time of a card over many launches and copies, and of the host
// that issues them.
//
// All times are picoseconds of prediction since the card was opened. They do
// not depend on how fast this host emulates: work is placed on the timeline
// when it is issued, in the order in which it is.
#ifndef GAUDI_RUNTIME_DEVICE_CLOCK_H
#define GAUDI_RUNTIME_DEVICE_CLOCK_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Timing/Timeline.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace gaudi::runtime {

using timing::Picoseconds;

/// What takes work in order: the queues of a launch (timing::Queue, with the
/// same numbers) and the link to the host's memory, one queue per direction.
enum class CardQueue : uint8_t { Mme, Tpc, Dma, Nic, Host, CopyUp, CopyDown };
constexpr unsigned cardQueueCount = timing::queueCount + 2;

/// "MME", "TPC", "DMA", "NIC", "host", "copy up", "copy down".
std::string_view nameOf(CardQueue queue);

/// How one piece of work keeps the queues, from its begin on.
struct WorkTimes {
  struct Use {
    Picoseconds first = 0;    // its engines begin
    Picoseconds released = 0; // they are free for other work
    Picoseconds busy = 0;     // 0: the queue is not used
  };
  Picoseconds duration = 0; // until its last byte has arrived
  std::array<Use, cardQueueCount> queues{};
};

/// Of a launch.
WorkTimes workTimesOf(const timing::Timeline &timeline);
/// Of a copy over the link, or within the card's memory (`CardQueue::Dma`).
WorkTimes copyTimes(CardQueue queue, uint64_t bytes,
                    const device::DeviceSpec &spec);
/// Of setting bytes of the card's memory.
WorkTimes fillTimes(uint64_t bytes, const device::DeviceSpec &spec);

/// A piece of work on the timeline.
struct Stamp {
  Picoseconds start = 0, end = 0;
};

/// The queues of one card. For each of them busy + idle = elapsed.
class CardClock {
public:
  struct QueueTimes {
    Picoseconds busy = 0, idle = 0;
  };

  /// Places work that may begin at `ready`: at the first time from then on at
  /// which each queue that it uses is free when it gets there. Queues take work
  /// in the order of these calls.
  Stamp place(const WorkTimes &work, Picoseconds ready);

  /// The end of the last work.
  Picoseconds end() const { return latest; }
  /// From 0 to `now`, which is not before the queue's last use ends.
  QueueTimes timesOf(CardQueue queue, Picoseconds now) const;

private:
  struct Queue {
    Picoseconds free = 0, busy = 0;
  };
  std::array<Queue, cardQueueCount> queues{};
  Picoseconds latest = 0;
};

/// What the host's thread does to issue work, and how long it takes there
/// (HostTimes.def, which names where each number is from).
enum class HostCall : uint8_t {
#define GAUDI_HOST_TIME(name, nanoseconds, certainty, source) name,
#include "Gaudi/Runtime/Device/HostTimes.def"
};

struct HostTime {
  std::string_view name;
  Picoseconds time;
  device::Certainty certainty;
  std::string_view source;
};
const HostTime &hostTimeOf(HostCall call);

/// Where the host's time comes from.
enum class HostClockKind : uint8_t {
  Table,   // HostTimes.def: the same on every host
  Measured // CPU time of the calling thread less what the emulation and the
           // compiler took
};

/// What the times of events are.
enum class EventClockKind : uint8_t {
  Card, // predicted
  Host  // when this host's threads have run the work
};

/// A number of the calling thread, which no other thread ever has.
uint64_t hostThread();
/// What the calling thread issues from now on is in the time of another thread,
/// which waits for it as if it had called it; 0: in its own time again.
void issueForThread(uint64_t number);

/// What takes the calling thread in this scope is no work of the script, for
/// all cards (HostClockKind::Measured): a compilation.
class UnmeasuredScope {
public:
  UnmeasuredScope();
  ~UnmeasuredScope();
  UnmeasuredScope(const UnmeasuredScope &) = delete;
  UnmeasuredScope &operator=(const UnmeasuredScope &) = delete;

private:
  int64_t begin;
};

/// The time of the threads that issue work. A thread that issues for the first
/// time begins where the latest one is. Locked by its owner.
class HostClock {
public:
  /// The latest time to which a script's own work brings a thread, 53 days: far
  /// below an overflow, since all that the thread issues adds to it.
  static constexpr Picoseconds mostTime = Picoseconds(1) << 62;

  explicit HostClock(HostClockKind kind = HostClockKind::Table,
                     double factor = 1)
      : kind(kind), factor(factor) {}

  /// Adds the time of a call, `count` times its unit, and gives the time after
  /// it.
  Picoseconds issue(HostCall call, uint64_t count = 1);
  /// Adds any time, for example of a script's own work.
  Picoseconds advance(Picoseconds time);
  /// The calling thread waits for `end`.
  Picoseconds waitUntil(Picoseconds end);
  Picoseconds now();
  /// That it has a time of: at most twice those that run.
  size_t numThreads() const { return threads.size(); }
  /// Of all threads.
  Picoseconds latestTime() const { return latest; }
  /// CPU time that the emulation took on this thread does not count.
  bool isTable() const { return kind == HostClockKind::Table; }
  void beginEmulation();
  void endEmulation();

private:
  struct Thread {
    std::weak_ptr<const void> life; // of the thread; none before it issues
    Picoseconds now = 0;
    int64_t cpu = 0;    // nanoseconds of the thread when its time was last read
    unsigned depth = 0; // of emulation within emulation
  };
  Thread &thread();
  /// The time of the thread that the calling one issues for.
  Picoseconds &time();
  void forgetEnded();
  void measure(Thread &own);

  HostClockKind kind;
  double factor; // of measured time
  Picoseconds latest = 0;
  std::unordered_map<uint64_t, Thread> threads; // by a number of each
  size_t mostThreads = 64; // before those that have ended are forgotten
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_CLOCK_H
