// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens cards; their memory and clock.
#include "Gaudi/Runtime/Device/Device.h"

#include "../ErrorPhrases.h"
#include "Capture.h"
#include "DeviceImpl.h"
#include "Gaudi/Monitoring/Events.h"
#include "Gaudi/Monitoring/Log.h"
#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Support/Stopwatch.h"
#include "StreamImpl.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <fmt/format.h>

namespace gaudi::runtime {
namespace {

/// Lanes, threads and memory of launches: one budget for all cards of this
/// process, that of the one which was opened first.
struct HostLanes {
  Executor *executor;
  std::shared_ptr<LaunchResources> resources;
};

Result<HostLanes> hostLanes(unsigned threads) {
  static std::mutex lock;
  // Never destroyed: work may hold the last reference to a device.
  static Executor *executor = nullptr;
  static std::weak_ptr<LaunchResources> resources;
  static uint32_t forks = 0;
  const std::lock_guard<std::mutex> guard(lock);
  // A child of a fork() has none of the parent's threads.
  const bool isNew = !executor || forks != forkCount();
  if (isNew) {
    executor = new Executor();
    forks = forkCount();
    // What runs at exit would use what is destroyed then.
    std::atexit([] {
      if (forks == forkCount()) // else its lock may be held by nobody
        executor->stop();
    });
  }
  HostLanes lanes = {executor, isNew ? nullptr : resources.lock()};
  if (!lanes.resources)
    lanes.resources = GAUDI_TRY(LaunchResources::create(threads));
  resources = lanes.resources;
  return lanes;
}

} // namespace

// --- checks -----------------------------------------------------------------

Status DeviceImpl::check() const {
  if (forks != forkCount())
    return fail("the device{}, which has none of its threads; open one here",
                beforeFork);
  return {};
}

Status DeviceImpl::checkWait(std::string_view what) const {
  GAUDI_TRY(check());
  if (Executor::isRunningWork())
    return fail("{} in a function that a stream calls would wait for itself; "
                "call it outside of the function",
                what);
  return {};
}

// --- memory -----------------------------------------------------------------

void DeviceImpl::settle(std::unique_lock<std::mutex> &guard) {
  const auto isIdle = [&] {
    return std::all_of(streams.begin(), streams.end(), [](StreamState *stream) {
      return !stream || stream->queue->isDone(stream->queue->issued());
    });
  };
  // Other threads may issue work meanwhile.
  while (!isIdle()) {
    const auto waited = queues();
    guard.unlock();
    for (const std::shared_ptr<WorkQueue> &queue : waited)
      executor->await(*queue, queue->issued());
    guard.lock();
  }
  host.waitUntil(clock.end());
  noteCompleted();
  memory->pool().settle();
}

std::vector<std::shared_ptr<WorkQueue>> DeviceImpl::queues() const {
  std::vector<std::shared_ptr<WorkQueue>> all;
  for (const StreamState *stream : streams)
    if (stream)
      all.push_back(stream->queue);
  return all;
}

/// Up the ladder: what is free, then what the card frees when it has run work
/// that was issued, then what moving blocks makes of it.
template <typename Attempt, typename Fits, typename Move>
auto DeviceImpl::withRoom(std::unique_lock<std::mutex> &guard, uint64_t bytes,
                          std::string_view what, Attempt attempt, Fits fits,
                          Move move)
    -> Result<typename decltype(attempt())::value_type::value_type> {
  if (auto found = GAUDI_TRY(attempt()))
    return *found;
  if (fits())
    while (const auto next = memory->pool().nextMaturity()) {
      host.waitUntil(*next);
      if (auto found = GAUDI_TRY(attempt()))
        return *found;
    }
  GAUDI_TRY(checkWait(what));
  // Twice, since others may take the room while this thread tells of it.
  for (bool isSecond : {false, true}) {
    settle(guard);
    const Stopwatch watch;
    auto moved = move(isSecond);
    if (GAUDI_TRY(tell(guard, std::move(moved), watch.milliseconds())))
      if (auto found = GAUDI_TRY(attempt()))
        return *found;
  }
  return outOfMemory(guard, bytes);
}

Result<DeviceAddress> DeviceImpl::allocate(std::unique_lock<std::mutex> &guard,
                                           uint64_t bytes, StreamState &stream,
                                           const MemoryOwner &owner) {
  return withRoom(
      guard, bytes, "allocation from a full device",
      [&] { return memory->allocate(bytes, stream.number, host.now(), owner); },
      [&] { return memory->pool().fitsAfterWaiting(bytes); },
      [&](bool isSecond) {
        if (isSecond)
          memory->pool().shrinkWorkspace(MemoryPool::minWorkspace, host.now());
        return memory->defragment(bytes);
      });
}

Result<MemoryRange> DeviceImpl::workspace(std::unique_lock<std::mutex> &guard,
                                          uint64_t bytes, StreamState &stream) {
  return withRoom(
      guard, bytes, "a launch on a full device",
      [&]() -> Result<std::optional<MemoryRange>> {
        return memory->workspace(bytes, stream.number, host.now());
      },
      [] { return true; },
      [&](bool) { return memory->defragmentForWorkspace(bytes); });
}

Result<bool> DeviceImpl::tell(std::unique_lock<std::mutex> &guard,
                              Result<bool> moved, double milliseconds) {
  guard.unlock();
  monitoring::emitDefragmentation(moved && *moved, milliseconds);
  guard.lock();
  return moved;
}

tl::unexpected<Error>
DeviceImpl::outOfMemory(std::unique_lock<std::mutex> &guard, uint64_t bytes) {
  Error error = {memory->explain(bytes)};
  guard.unlock();
  monitoring::emitOutOfMemory(bytes, error.message);
  guard.lock();
  return tl::unexpected<Error>(std::move(error));
}

// --- issue ------------------------------------------------------------------

Picoseconds DeviceImpl::call(HostCall what, uint64_t count) {
  const Picoseconds before = host.now();
  const Picoseconds now = host.issue(what, count);
  if (trace)
    trace->addCall(what, before, now);
  return now;
}

void DeviceImpl::countPageable(const void *memory, uint64_t bytes) {
  if (bytes && !pinned->contains(memory, bytes))
    call(HostCall::PageableKiB, (bytes + 1023) / 1024);
}

Device::RandomState DeviceImpl::draw(uint64_t blocks) {
  const Device::RandomState state = random;
  random.offset = int64_t(uint64_t(random.offset) + blocks);
  return state;
}

Picoseconds DeviceImpl::readyAt(const StreamState &stream, Picoseconds now) {
  return std::max({stream.ready, stream.waitsUntil, now});
}

void DeviceImpl::use(StreamState &stream,
                     const std::vector<MemoryRange> &ranges, uint64_t sequence,
                     Picoseconds end, std::vector<Position> &waits) {
  std::vector<StreamUse> others;
  for (const MemoryRange &range : ranges) {
    memory->pool().waitsOf(range.block, stream.number, range.isWritten, others);
    memory->pool().recordUse(range.block, {stream.number, sequence, end,
                                           range.isWritten ? sequence : 0});
    for (const StreamUse &other : others) {
      const uint64_t last = range.isWritten ? other.sequence : other.written;
      // A stream that is gone had been waited for.
      if (const StreamState *of = streams[other.stream];
          of && !of->queue->isDone(last))
        waits.push_back({of->queue, last, /*passesFailure=*/false});
    }
  }
}

void DeviceImpl::noteCompleted() {
  for (StreamState *stream : streams)
    if (stream)
      memory->pool().completed(stream->number, stream->queue->finished());
}

Status DeviceImpl::touch(const MemoryRange &range) {
  if (memory->touch(range))
    return {};
  // Pages of memory whose work has ended may go back to the host.
  noteCompleted();
  return memory->touch(range);
}

Result<Stamp> DeviceImpl::issue(StreamState &stream, const Issue &issue,
                                std::unique_ptr<Work> work) {
  Picoseconds now = call(issue.call);
  if (issue.tensors)
    now = call(HostCall::LaunchTensor, issue.tensors);
  if (stream.capture) {
    stream.lastNode =
        stream.capture->add(*this, stream, issue, std::move(work));
    stream.nodeWaits.clear();
    return Stamp{now, now};
  }
  const Picoseconds ready = readyAt(stream, now);
  const Stamp stamp =
      issue.times ? clock.place(*issue.times, ready) : Stamp{ready, ready};
  GAUDI_TRY(enqueue(stream, issue.lane, stamp, issue.uses, std::move(work)));
  if (trace && issue.times)
    trace->addWork(issue.name, stream.number, stamp, *issue.times,
                   issue.prediction);
  return stamp;
}

Status DeviceImpl::enqueue(StreamState &stream, Lane lane, const Stamp &stamp,
                           const std::vector<MemoryRange> &uses,
                           std::unique_ptr<Work> work) {
  const uint64_t sequence = stream.queue->issued() + 1;
  std::vector<Position> waits = std::move(stream.waits);
  stream.waits.clear();
  use(stream, uses, sequence, stamp.end, waits);
  [[maybe_unused]] const uint64_t issued = GAUDI_TRY(executor->issue(
      *stream.queue, lane, stamp.start, std::move(waits), std::move(work)));
  assert(issued == sequence && "the device's lock guards its queues");
  stream.ready = stamp.end;
  stream.waitsUntil = 0;
  publish();
  return {};
}

void DeviceImpl::publish() {
  CardCounters counters;
  counters.memoryLimit = capacity;
  counters.memoryInUse = memory->pool().inUse();
  counters.memoryPeak = memory->pool().maxInUse();
  counters.launches = launches;
  counters.elapsed = std::max(clock.end(), host.latestTime());
  static_assert(cardQueueCount <= shownQueueCount);
  for (unsigned q = 0; q < cardQueueCount; ++q)
    counters.busy[q] = clock.timesOf(CardQueue(q), counters.elapsed).busy;
  card->publish(counters);
}

// --- device -----------------------------------------------------------------

Device::Device(std::unique_ptr<DeviceImpl> own) : own(std::move(own)) {}

Device::~Device() {
  // In a child of a fork() what threads of the parent use stays; in a function
  // that a stream calls, what that stream is.
  if (!own->check() || Executor::isRunningWork()) {
    [[maybe_unused]] const DeviceImpl *const kept = own.release();
    return;
  }
  {
    DeviceGuard guard(*own);
    own->settle(guard);
  }
  own->loadingStream.reset();
  own->defaultStream.reset();
}

Result<std::shared_ptr<Device>> Device::open(const DeviceOptions &options) {
  auto impl = std::make_unique<DeviceImpl>();
  impl->spec = GAUDI_TRY(device::DeviceSpec::lookup(options.kind));
  impl->capacity =
      options.capacity ? options.capacity : impl->spec->memory.dramBytes;
  const uint64_t available = availableHostMemory();
  impl->hostAvailable = available;
  const uint64_t limit =
      options.hostMemory ? options.hostMemory : available / 4 * 3;
  impl->pinned = std::make_unique<PinnedMemory>(limit);
  impl->eventClock = options.eventClock;
  impl->host = HostClock(options.hostClock, options.hostFactor);
  std::vector<std::string_view> queues;
  for (unsigned q = 0; q < cardQueueCount; ++q)
    queues.push_back(nameOf(CardQueue(q)));
  impl->card =
      GAUDI_TRY(CardFile::open(options.module, impl->spec->name, queues));
  impl->memory = std::make_unique<CardMemory>(GAUDI_TRY(CardMemory::create(
      *impl->spec, impl->capacity, limit, impl->card->card())));
  HostLanes lanes = GAUDI_TRY(hostLanes(options.threads));
  impl->executor = lanes.executor;
  impl->resources = std::move(lanes.resources);
  std::shared_ptr<Device> device(new Device(std::move(impl)));
  device->own->self = device;
  device->own->defaultStream =
      Stream::make(*device->own, nullptr, {"default stream", 0});
  {
    DeviceGuard guard(*device->own);
    device->own->publish();
  }
  GAUDI_LOG(Device, Info, "opened card {}, a {} with {} bytes",
            device->module(), device->spec().name, device->capacity());
  monitoring::emitDeviceAcquired(device->spec().name);
  return device;
}

const device::DeviceSpec &Device::spec() const { return *own->spec; }
unsigned Device::module() const { return own->card->card(); }
uint64_t Device::capacity() const { return own->capacity; }
unsigned Device::threads() const { return own->resources->pool().size(); }
Stream &Device::defaultStream() { return *own->defaultStream; }

Result<Stream *> Device::loadingStream() {
  if (!own->defaultStream->isCapturing())
    return own->defaultStream.get();
  {
    DeviceGuard guard(*own);
    if (own->loadingStream)
      return own->loadingStream.get();
  }
  auto made = Stream::make(*own, nullptr, {"loading stream", 0});
  DeviceGuard guard(*own);
  if (!own->loadingStream)
    own->loadingStream = std::move(made);
  return own->loadingStream.get();
}

Result<DeviceAddress> Device::allocate(uint64_t bytes, Stream &stream,
                                       const MemoryOwner &owner) {
  GAUDI_TRY(own->check());
  GAUDI_TRY(stream.checkDevice(*own));
  DeviceGuard guard(*own);
  own->call(HostCall::Allocate);
  const DeviceAddress address =
      GAUDI_TRY(stream.state->capture
                    ? allocateCaptured(guard, bytes, stream, owner)
                    : own->allocate(guard, bytes, *stream.state, owner));
  own->publish();
  GAUDI_LOG(DevMem, Debug, "allocated {} bytes at {:#x} for \"{}\" of {}",
            bytes, address, owner.name, stream.state->name);
  return address;
}

/// Of what the capture has freed, the smallest block that has room; a new one
/// otherwise.
Result<DeviceAddress>
Device::allocateCaptured(std::unique_lock<std::mutex> &guard, uint64_t bytes,
                         Stream &stream, const MemoryOwner &owner) {
  const std::shared_ptr<Capture> capture = stream.state->capture;
  MemoryPool &pool = own->memory->pool();
  auto best = capture->freed.end();
  for (auto it = capture->freed.begin(); it != capture->freed.end(); ++it)
    // Not more than twice what is wanted: others may want that.
    if (pool.bytes(*it) >= bytes && pool.bytes(*it) / 2 <= bytes &&
        (best == capture->freed.end() || pool.bytes(*it) < pool.bytes(*best)))
      best = it;
  if (best != capture->freed.end()) {
    const DeviceAddress address = GAUDI_TRY(own->memory->adopt(*best, owner));
    capture->freed.erase(best);
    return address;
  }
  const DeviceAddress address =
      GAUDI_TRY(own->allocate(guard, bytes, *stream.state, owner));
  own->graphBlocks[GAUDI_TRY(own->memory->resolve(address, 0)).block] = capture;
  return address;
}

Status Device::free(DeviceAddress address) {
  GAUDI_TRY(own->check());
  DeviceGuard guard(*own);
  const Picoseconds now = own->call(HostCall::Free);
  const BlockId block = GAUDI_TRY(own->memory->release(address));
  GAUDI_LOG(DevMem, Debug, "freed {:#x}", address);
  if (const auto graph = own->graphBlocks.find(block);
      graph != own->graphBlocks.end())
    if (const std::shared_ptr<Capture> capture = graph->second.lock()) {
      capture->freed.push_back(block);
      return {};
    }
  GAUDI_TRY(own->memory->pool().free(block, now));
  own->publish();
  return {};
}

Status Device::recordStream(DeviceAddress address, Stream &stream) {
  GAUDI_TRY(own->check());
  GAUDI_TRY(stream.checkDevice(*own));
  DeviceGuard guard(*own);
  const MemoryRange range = GAUDI_TRY(own->memory->resolve(address, 0));
  // Until what has been issued to the stream so far has run. It may write.
  StreamState &state = *stream.state;
  const uint64_t issued = state.queue->issued();
  own->memory->pool().recordUse(range.block,
                                {state.number, issued, state.ready, issued});
  return {};
}

Status Device::checkProcess() const { return own->check(); }

Result<void *> Device::allocatePinned(uint64_t bytes) {
  GAUDI_TRY(own->check());
  DeviceGuard guard(*own);
  auto made = own->pinned->allocate(bytes);
  if (made || !own->pinned->hasLeaving() || Executor::isRunningWork())
    return made;
  own->settle(guard);
  return own->pinned->allocate(bytes);
}

Status Device::freePinned(void *memory) {
  GAUDI_TRY(own->check());
  DeviceGuard guard(*own);
  return own->pinned->free(memory);
}

DeviceMemoryStats Device::memoryStats() {
  DeviceGuard guard(*own);
  return {own->memory->pool().statistics(), own->memory->touchedBytes(),
          own->memory->hostLimit()};
}

std::vector<DeviceMemoryBlock> Device::memoryBlocks() {
  DeviceGuard guard(*own);
  std::vector<DeviceMemoryBlock> blocks;
  for (const MemorySpan &span : own->memory->pool().spans())
    blocks.push_back({span, own->memory->textsOf(span.owner)});
  return blocks;
}

Result<DeviceMemoryBlock> Device::memoryBlock(DeviceAddress address) {
  GAUDI_TRY(own->check());
  DeviceGuard guard(*own);
  const MemoryRange range = GAUDI_TRY(own->memory->resolve(address, 0));
  const MemorySpan span = own->memory->pool().span(range.block);
  return DeviceMemoryBlock{span, own->memory->textsOf(span.owner)};
}

void Device::resetPeakMemory() {
  DeviceGuard guard(*own);
  own->memory->pool().resetPeak();
}

void Device::resetAccumulatedMemory() {
  DeviceGuard guard(*own);
  own->memory->pool().resetAccumulated();
}

Result<std::shared_ptr<Stream>>
Device::createStream(const StreamOptions &options) {
  GAUDI_TRY(own->check());
  return std::shared_ptr<Stream>(Stream::make(*own, own->self.lock(), options));
}

Result<std::shared_ptr<Event>> Device::createEvent() {
  GAUDI_TRY(own->check());
  auto state = std::make_unique<Event::State>();
  state->device = own->self.lock();
  return std::shared_ptr<Event>(new Event(std::move(state)));
}

Status Device::synchronize() {
  GAUDI_TRY(own->checkWait("synchronize()"));
  DeviceGuard guard(*own);
  if (own->capture)
    return fail("a wait for the device cannot be captured, and a capture is "
                "under way; end that first");
  own->reap(guard);
  own->call(HostCall::Synchronize);
  own->settle(guard);
  const auto waited = own->queues();
  guard.unlock();
  Status first;
  for (const std::shared_ptr<WorkQueue> &queue : waited)
    if (Status status = own->executor->wait(*queue, queue->issued());
        !status && first)
      first = std::move(status);
  return first;
}

// --- clock ------------------------------------------------------------------

Picoseconds Device::hostTime() {
  DeviceGuard guard(*own);
  return own->host.now();
}

Status Device::advanceHost(Picoseconds time) {
  DeviceGuard guard(*own);
  const Picoseconds now = own->host.now();
  if (time > HostClock::mostTime - now)
    return fail("the host's clock would go from {} by {} ps to more than 53 "
                "days; advance it by less",
                now, time);
  own->host.advance(time);
  return {};
}

Device::ClockTimes Device::clockTimes() {
  DeviceGuard guard(*own);
  ClockTimes times;
  times.elapsed = std::max(own->clock.end(), own->host.latestTime());
  for (unsigned q = 0; q < cardQueueCount; ++q)
    times.queues[q] = own->clock.timesOf(CardQueue(q), times.elapsed);
  return times;
}

void Device::setSeed(int64_t seed) {
  DeviceGuard guard(*own);
  own->random = {seed, 0};
}

Device::RandomState Device::randomState() {
  DeviceGuard guard(*own);
  return own->random;
}

Status Device::beginTrace() {
  GAUDI_TRY(own->check());
  DeviceGuard guard(*own);
  own->trace = std::make_shared<CardTrace>();
  return {};
}

void Device::setTraceLabel(uint64_t label) { CardTrace::setLabel(label); }

Status Device::writeTrace(const std::string &path) {
  GAUDI_TRY(own->check());
  std::shared_ptr<CardTrace> trace;
  std::vector<std::string> names;
  {
    DeviceGuard guard(*own);
    trace = own->trace;
    for (const StreamState *stream : own->streams)
      names.push_back(stream ? stream->name : "a stream that is gone");
  }
  if (!trace)
    return fail("no trace has begun; begin one first");
  GAUDI_TRY(trace->write(path, *own->spec, names));
  DeviceGuard guard(*own);
  own->trace.reset();
  return {};
}

} // namespace gaudi::runtime
