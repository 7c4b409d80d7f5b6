// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places work on the timeline of a card.
#include "Gaudi/Runtime/Device/Clock.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <ctime>

namespace gaudi::runtime {

std::string_view nameOf(CardQueue queue) {
  if (unsigned(queue) < timing::queueCount)
    return timing::nameOf(timing::Queue(queue));
  return queue == CardQueue::CopyUp ? "copy up" : "copy down";
}

// --- work -------------------------------------------------------------------

WorkTimes workTimesOf(const timing::Timeline &timeline) {
  WorkTimes times;
  times.duration = timeline.end;
  // Pieces are what engines do without a break; a queue is used from the first
  // to the last one.
  for (const timing::Piece &piece : timeline.pieces) {
    WorkTimes::Use &use = times.queues[unsigned(piece.queue)];
    const bool isFirst = use.released == 0;
    use.first = isFirst ? piece.start : std::min(use.first, piece.start);
    use.released = std::max(use.released, piece.end);
  }
  for (unsigned q = 0; q < timing::queueCount; ++q) {
    WorkTimes::Use &use = times.queues[q];
    use.busy = std::min(timeline.queues[q].busy, use.released - use.first);
  }
  return times;
}

/// A queue that works all the time.
static WorkTimes wholly(CardQueue queue, Picoseconds overhead,
                        Picoseconds transfer) {
  WorkTimes times;
  times.duration = overhead + transfer;
  times.queues[unsigned(queue)] = {0, times.duration, times.duration};
  return times;
}

static Picoseconds picoseconds(double seconds) {
  return Picoseconds(seconds * 1e12);
}

WorkTimes copyTimes(CardQueue queue, uint64_t bytes,
                    const device::DeviceSpec &spec) {
  if (queue == CardQueue::Dma)
    // Each byte is read and written.
    return wholly(queue, picoseconds(spec.dma.overhead),
                  timing::transferTime(2 * bytes, spec.memory.streamBandwidth));
  assert((queue == CardQueue::CopyUp || queue == CardQueue::CopyDown) &&
         "copies have three ways");
  return wholly(queue, picoseconds(spec.hostLink.copyLatency),
                timing::transferTime(bytes, queue == CardQueue::CopyUp
                                                ? spec.hostLink.up
                                                : spec.hostLink.down));
}

WorkTimes fillTimes(uint64_t bytes, const device::DeviceSpec &spec) {
  return wholly(CardQueue::Dma, picoseconds(spec.dma.overhead / 2),
                timing::transferTime(bytes, spec.memory.streamBandwidth));
}

// --- card -------------------------------------------------------------------

Stamp CardClock::place(const WorkTimes &work, Picoseconds ready) {
  Picoseconds start = ready;
  for (unsigned q = 0; q < cardQueueCount; ++q)
    if (work.queues[q].busy)
      start = std::max(start, queues[q].free - work.queues[q].first);
  for (unsigned q = 0; q < cardQueueCount; ++q)
    if (const WorkTimes::Use &use = work.queues[q]; use.busy) {
      queues[q].free = start + use.released;
      queues[q].busy += use.busy;
    }
  const Stamp stamp = {start, start + work.duration};
  latest = std::max(latest, stamp.end);
  return stamp;
}

CardClock::QueueTimes CardClock::timesOf(CardQueue queue,
                                         Picoseconds now) const {
  const Queue &of = queues[unsigned(queue)];
  assert(now >= of.free && "the queue has ended its work");
  return {of.busy, now - of.busy};
}

// --- host -------------------------------------------------------------------

const HostTime &hostTimeOf(HostCall call) {
  static const HostTime times[] = {
#define GAUDI_HOST_TIME(name, nanoseconds, certainty, source)                  \
  {#name, Picoseconds(nanoseconds) * 1000, device::Certainty::certainty,       \
   source},
#include "Gaudi/Runtime/Device/HostTimes.def"
  };
  return times[unsigned(call)];
}

static thread_local int64_t unmeasured = 0;

/// CPU nanoseconds of the calling thread, without its unmeasured scopes.
static int64_t threadCpu() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec - unmeasured;
}

UnmeasuredScope::UnmeasuredScope() : begin(threadCpu()) {}
UnmeasuredScope::~UnmeasuredScope() { unmeasured += threadCpu() - begin; }

/// Of the calling thread, and gone with it. The host's numbers are used again.
static const std::shared_ptr<const uint64_t> &threadNumber() {
  static std::atomic<uint64_t> last{0};
  thread_local const auto number = std::make_shared<const uint64_t>(++last);
  return number;
}

static thread_local uint64_t issuesFor = 0;

uint64_t hostThread() { return *threadNumber(); }
void issueForThread(uint64_t number) { issuesFor = number; }

void HostClock::forgetEnded() {
  for (auto it = threads.begin(); it != threads.end();)
    it = it->second.life.expired() ? threads.erase(it) : std::next(it);
  mostThreads = std::max<size_t>(64, 2 * threads.size());
}

HostClock::Thread &HostClock::thread() {
  const auto &number = threadNumber();
  if (threads.size() >= mostThreads && !threads.count(*number))
    forgetEnded();
  const auto [place, isNew] = threads.try_emplace(*number, Thread{});
  if (isNew)
    place->second.now = latest;
  // One that others have issued for may be here already.
  if (place->second.life.expired()) {
    place->second.life = number;
    if (kind == HostClockKind::Measured)
      place->second.cpu = threadCpu();
  }
  return place->second;
}

Picoseconds &HostClock::time() {
  Thread &own = thread();
  if (issuesFor == 0 || issuesFor == *threadNumber())
    return own.now;
  // The other thread may have issued nothing yet, or have ended.
  const auto [place, isNew] = threads.try_emplace(issuesFor, Thread{});
  if (isNew)
    place->second.now = latest;
  return place->second.now;
}

void HostClock::measure(Thread &own) {
  const int64_t cpu = threadCpu();
  Picoseconds &now = time();
  const double spent = double(cpu - own.cpu) * 1000 * factor;
  now = spent < double(mostTime - now) ? now + Picoseconds(spent)
                                       : std::max(now, mostTime);
  own.cpu = cpu;
  latest = std::max(latest, now);
}

void HostClock::beginEmulation() {
  if (kind != HostClockKind::Measured)
    return;
  Thread &own = thread();
  if (own.depth++ == 0)
    measure(own);
}

void HostClock::endEmulation() {
  if (kind != HostClockKind::Measured)
    return;
  Thread &own = thread();
  if (--own.depth == 0)
    own.cpu = threadCpu();
}

Picoseconds HostClock::issue(HostCall call, uint64_t count) {
  return advance(hostTimeOf(call).time * Picoseconds(count));
}

Picoseconds HostClock::advance(Picoseconds time) {
  Picoseconds &now = this->time();
  now += time;
  latest = std::max(latest, now);
  return now;
}

Picoseconds HostClock::waitUntil(Picoseconds end) {
  Picoseconds &now = time();
  now = std::max(now, end);
  latest = std::max(latest, now);
  return now;
}

Picoseconds HostClock::now() { return time(); }

} // namespace gaudi::runtime
