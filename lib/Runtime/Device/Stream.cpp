// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Issues work to streams, and waits for it.
#include "StreamImpl.h"

#include "Gaudi/Monitoring/Log.h"
#include "Gaudi/Runtime/Device/Program.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <exception>
#include <fmt/format.h>

namespace gaudi::runtime {
namespace {

/// Where captured memory is in this run.
void *movedBy(const std::vector<Work::Moved> &moved, void *captured) {
  auto *const data = static_cast<uint8_t *>(captured);
  for (const Work::Moved &each : moved)
    if (data >= each.from && data < each.from + each.bytes)
      return each.to + (data - each.from);
  return data;
}

/// Memory that work uses: as it was issued or captured, and in the next run.
class Place {
public:
  explicit Place(void *data) : issued(data), current(data) {}
  uint8_t *data() const { return static_cast<uint8_t *>(current); }
  void rebind(const std::vector<Work::Moved> &moved) {
    current = movedBy(moved, issued);
  }

private:
  void *issued, *current;
};

class CopyWork final : public Work {
public:
  CopyWork(void *to, void *from, uint64_t bytes)
      : to(to), from(from), bytes(bytes) {}
  Status run() override {
    if (bytes)
      std::memcpy(to.data(), from.data(), bytes);
    return {};
  }
  void rebind(const std::vector<Moved> &moved, uint8_t *) override {
    to.rebind(moved);
    from.rebind(moved);
  }

private:
  Place to, from;
  uint64_t bytes;
};

/// Copies `count` elements that lie apart.
template <typename Element>
void copyElements(uint8_t *to, const uint8_t *from, const StridedDim &dim) {
  for (uint64_t i = 0; i < dim.size; ++i)
    std::memcpy(to + i * dim.toStride, from + i * dim.fromStride,
                sizeof(Element));
}

struct Wide {
  uint64_t halves[2];
};

/// Dimensions that lie in memory as one are one, those of one element are none,
/// and elements side by side are a wide one: its bytes are the result.
uint64_t collapse(std::vector<StridedDim> &dims, uint64_t elementBytes) {
  std::vector<StridedDim> left;
  for (const StridedDim &dim : dims) {
    if (dim.size == 1)
      continue;
    if (!left.empty() && left.back().toStride == dim.size * dim.toStride &&
        left.back().fromStride == dim.size * dim.fromStride)
      left.back() = {left.back().size * dim.size, dim.toStride, dim.fromStride};
    else
      left.push_back(dim);
  }
  if (!left.empty() && left.back().toStride == elementBytes &&
      left.back().fromStride == elementBytes) {
    elementBytes *= left.back().size;
    left.pop_back();
  }
  dims = std::move(left);
  return elementBytes;
}

class StridedCopyWork final : public Work {
public:
  StridedCopyWork(void *to, void *from, std::vector<StridedDim> given,
                  unsigned elementBytes)
      : to(to), from(from), dims(std::move(given)),
        bytes(collapse(dims, elementBytes)) {}
  Status run() override {
    copy(to.data(), from.data(), 0);
    return {};
  }
  void rebind(const std::vector<Moved> &moved, uint8_t *) override {
    to.rebind(moved);
    from.rebind(moved);
  }

private:
  void copy(uint8_t *into, const uint8_t *at, size_t depth) const {
    if (depth == dims.size()) {
      std::memcpy(into, at, bytes);
      return;
    }
    const StridedDim &dim = dims[depth];
    if (depth + 1 == dims.size())
      switch (bytes) {
      case 1:
        return copyElements<uint8_t>(into, at, dim);
      case 2:
        return copyElements<uint16_t>(into, at, dim);
      case 4:
        return copyElements<uint32_t>(into, at, dim);
      case 8:
        return copyElements<uint64_t>(into, at, dim);
      case 16:
        return copyElements<Wide>(into, at, dim);
      default:
        break;
      }
    for (uint64_t i = 0; i < dim.size; ++i)
      copy(into + i * dim.toStride, at + i * dim.fromStride, depth + 1);
  }

  Place to, from;
  std::vector<StridedDim> dims;
  uint64_t bytes;
};

class FillWork final : public Work {
public:
  FillWork(void *to, uint64_t bytes, uint64_t pattern, unsigned size)
      : to(to), bytes(bytes), pattern(pattern), size(size) {}
  Status run() override {
    std::memcpy(to.data(), &pattern, std::min<uint64_t>(size, bytes));
    // What is written doubles.
    for (uint64_t done = size; done < bytes; done *= 2)
      std::memcpy(to.data() + done, to.data(), std::min(done, bytes - done));
    return {};
  }
  void rebind(const std::vector<Moved> &moved, uint8_t *) override {
    to.rebind(moved);
  }

private:
  Place to;
  uint64_t bytes, pattern;
  unsigned size;
};

class SeedWork final : public Work {
public:
  SeedWork(void *seed, void *offset, Device::RandomState drawn)
      : seed(seed), offset(offset), drawn(drawn) {}
  Status run() override {
    std::memcpy(seed.data(), &drawn.seed, sizeof(drawn.seed));
    std::memcpy(offset.data(), &drawn.offset, sizeof(drawn.offset));
    return {};
  }
  void rebind(const std::vector<Moved> &moved, uint8_t *) override {
    seed.rebind(moved);
    offset.rebind(moved);
  }
  void draw(const Device::RandomState &state) override { drawn = state; }

private:
  Place seed, offset;
  Device::RandomState drawn;
};

class CallWork final : public Work {
public:
  explicit CallWork(std::function<void()> function)
      : function(std::move(function)) {}
  Status run() override {
    try {
      function();
    } catch (const std::exception &problem) {
      return fail("a function that the stream called threw an exception: {}",
                  problem.what());
    } catch (...) {
      return fail("a function that the stream called threw an exception");
    }
    return {};
  }

private:
  std::function<void()> function;
};

class LaunchWork final : public Work {
public:
  LaunchWork(std::shared_ptr<Executable> executable, size_t entry,
             std::vector<void *> tensors, void *workspace)
      : executable(std::move(executable)), entry(entry),
        issued(std::move(tensors)), current(issued), workspace(workspace) {}
  Status run() override {
    GAUDI_TRY(executable->launchChecked(
        {current.data(), current.size(), workspace}, entry));
    return {};
  }
  void rebind(const std::vector<Moved> &moved, uint8_t *elsewhere) override {
    for (size_t i = 0; i < issued.size(); ++i)
      current[i] = movedBy(moved, issued[i]);
    workspace = elsewhere;
  }

private:
  std::shared_ptr<Executable> executable;
  size_t entry;
  std::vector<void *> issued, current; // as of a Place
  void *workspace;
};

} // namespace

// --- streams ----------------------------------------------------------------

Stream::Stream(std::unique_ptr<State> state) : state(std::move(state)) {}

std::unique_ptr<Stream> Stream::make(DeviceImpl &device,
                                     std::shared_ptr<Device> keep,
                                     const StreamOptions &options) {
  auto state = std::make_unique<State>();
  state->device = &device;
  state->keep = std::move(keep);
  DeviceGuard guard(device);
  const auto unused =
      std::find(device.streams.begin(), device.streams.end(), nullptr);
  state->number = uint32_t(unused - device.streams.begin());
  state->name = options.name.empty() ? fmt::format("stream {}", state->number)
                                     : options.name;
  if (unused == device.streams.end()) {
    device.streams.push_back(state.get());
    device.lastWork.push_back(0);
    device.lastReady.push_back(0);
  } else {
    *unused = state.get();
  }
  // Memory takes it for the stream that had the number: it goes on behind that.
  state->ready = device.lastReady[state->number];
  state->queue = device.executor->makeQueue(options.priority,
                                            device.lastWork[state->number]);
  return std::unique_ptr<Stream>(new Stream(std::move(state)));
}

Stream::~Stream() {
  DeviceImpl &device = *state->device;
  if (!device.check())
    return;
  DeviceGuard guard(device);
  if (state->capture)
    abandonCapture(device);
  // A function that the stream calls may be its last owner, and cannot wait.
  if (Executor::isRunningWork())
    device.orphans.push_back(std::move(state));
  else
    device.end(*state, guard);
}

void DeviceImpl::end(StreamState &stream, DeviceGuard &guard) {
  const std::shared_ptr<WorkQueue> queue = stream.queue;
  while (!queue->isDone(queue->issued())) {
    guard.unlock();
    executor->await(*queue, queue->issued());
    guard.lock();
  }
  memory->pool().completed(stream.number, queue->issued());
  streams[stream.number] = nullptr;
  lastWork[stream.number] = queue->issued();
  lastReady[stream.number] = std::max(stream.ready, stream.waitsUntil);
  executor->removeQueue(queue);
}

void DeviceImpl::reap(DeviceGuard &guard) {
  const auto gone = std::move(orphans);
  orphans.clear();
  for (const std::shared_ptr<StreamState> &stream : gone)
    end(*stream, guard);
}

const std::string &Stream::name() const { return state->name; }

Status Stream::checkDevice(const DeviceImpl &device) const {
  if (state->device != &device)
    return fail("\"{}\" is a stream of another device; take one of this device",
                state->name);
  return {};
}

bool Stream::isCapturing() const {
  DeviceGuard guard(*state->device);
  return state->capture != nullptr;
}

/// Waits for what was issued up to `sequence`, the time of whose end is known.
/// `own`: for that alone.
Status Stream::finish(DeviceGuard &guard, uint64_t sequence, Picoseconds end,
                      bool own) {
  DeviceImpl &device = *state->device;
  guard.unlock();
  Status status = device.executor->wait(*state->queue, sequence, own);
  guard.lock();
  device.host.waitUntil(end);
  device.noteCompleted();
  return status;
}

// --- copies -----------------------------------------------------------------

/// Between host memory and the card.
Status Stream::copyHost(DeviceAddress address, void *host, uint64_t bytes,
                        bool isUp, bool blocking) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(blocking ? device.checkWait("a blocking copy") : device.check());
  if (bytes && !host)
    return fail("a copy of {} bytes {} host memory that is null", bytes,
                isUp ? "from" : "to");
  DeviceGuard guard(device);
  GAUDI_TRY(refuseCapture(blocking, "a blocking copy"));
  const MemoryRange range = GAUDI_TRY(device.memory->resolve(address, bytes));
  if (isUp)
    GAUDI_TRY(device.touch(range));
  device.countPageable(host, bytes);
  const WorkTimes times = copyTimes(
      isUp ? CardQueue::CopyUp : CardQueue::CopyDown, bytes, *device.spec);
  const Stamp stamp = GAUDI_TRY(device.issue(
      *state,
      {isUp ? "copy in" : "copy out",
       Lane::Copy,
       &times,
       HostCall::Copy,
       {isUp ? range.written() : range}},
      std::make_unique<CopyWork>(isUp ? range.data : host,
                                 isUp ? host : range.data, bytes)));
  if (blocking)
    return finish(guard, state->queue->issued(), stamp.end, /*own=*/true);
  if (bytes && !state->capture)
    device.pinned->noteUse(
        host, bytes, state->queue.get(),
        [queue = state->queue, number = state->queue->issued()] {
          return queue->isDone(number);
        });
  return {};
}

Status Stream::copyIn(DeviceAddress to, const void *from, uint64_t bytes,
                      bool blocking) {
  return copyHost(to, const_cast<void *>(from), bytes, /*isUp=*/true, blocking);
}

Status Stream::copyOut(void *to, DeviceAddress from, uint64_t bytes,
                       bool blocking) {
  return copyHost(from, to, bytes, /*isUp=*/false, blocking);
}

Status Stream::copy(DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  const MemoryRange target = GAUDI_TRY(device.memory->resolve(to, bytes));
  const MemoryRange source = GAUDI_TRY(device.memory->resolve(from, bytes));
  if (target.data < source.data + bytes && source.data < target.data + bytes)
    return fail("a copy of {} bytes from {:#x} to {:#x}, which overlap; copy "
                "by way of other memory",
                bytes, from, to);
  GAUDI_TRY(device.touch(target));
  const WorkTimes times = copyTimes(CardQueue::Dma, bytes, *device.spec);
  GAUDI_TRY(device.issue(
      *state,
      {"copy", Lane::Copy, &times, HostCall::Copy, {target.written(), source}},
      std::make_unique<CopyWork>(target.data, source.data, bytes)));
  return {};
}

Status Stream::copyStrided(DeviceAddress to, DeviceAddress from,
                           const std::vector<StridedDim> &dims,
                           unsigned elementBytes) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  if (!elementBytes || elementBytes > 16 ||
      (elementBytes & (elementBytes - 1)) != 0)
    return fail("an element of a copy has 1, 2, 4, 8 or 16 bytes, not {}",
                elementBytes);
  // The ranges from the first to the last element.
  uint64_t count = 1, toBytes = elementBytes, fromBytes = elementBytes;
  bool isTooLarge = false;
  const auto extend = [&](uint64_t &bytes, uint64_t steps, uint64_t stride) {
    uint64_t product = 0;
    isTooLarge |= __builtin_mul_overflow(steps, stride, &product) ||
                  __builtin_add_overflow(bytes, product, &bytes);
  };
  for (const StridedDim &dim : dims) {
    isTooLarge |= __builtin_mul_overflow(count, dim.size, &count);
    if (dim.size == 0)
      return {};
    extend(toBytes, dim.size - 1, dim.toStride);
    extend(fromBytes, dim.size - 1, dim.fromStride);
  }
  if (isTooLarge || count > device.capacity)
    return fail("a copy of more elements than the card has bytes");
  DeviceGuard guard(device);
  const MemoryRange target = GAUDI_TRY(device.memory->resolve(to, toBytes));
  const MemoryRange source = GAUDI_TRY(device.memory->resolve(from, fromBytes));
  if (target.data < source.data + fromBytes &&
      source.data < target.data + toBytes)
    return fail("a copy of {} elements from {:#x} to {:#x}, whose ranges "
                "overlap",
                count, from, to);
  GAUDI_TRY(device.touch(target));
  const WorkTimes times =
      copyTimes(CardQueue::Dma, count * elementBytes, *device.spec);
  GAUDI_TRY(device.issue(*state,
                         {"strided copy",
                          Lane::Copy,
                          &times,
                          HostCall::Copy,
                          {target.written(), source}},
                         std::make_unique<StridedCopyWork>(
                             target.data, source.data, dims, elementBytes)));
  return {};
}

Status Stream::fill(DeviceAddress to, uint64_t bytes, uint64_t pattern,
                    unsigned patternBytes) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  if (patternBytes != 1 && patternBytes != 2 && patternBytes != 4 &&
      patternBytes != 8)
    return fail("a pattern has 1, 2, 4 or 8 bytes, not {}", patternBytes);
  if (bytes % patternBytes)
    return fail("{} bytes are no multiple of the pattern's {}", bytes,
                patternBytes);
  DeviceGuard guard(device);
  const MemoryRange range = GAUDI_TRY(device.memory->resolve(to, bytes));
  GAUDI_TRY(device.touch(range));
  const WorkTimes times = fillTimes(bytes, *device.spec);
  GAUDI_TRY(device.issue(
      *state, {"fill", Lane::Copy, &times, HostCall::Fill, {range.written()}},
      std::make_unique<FillWork>(range.data, bytes, pattern, patternBytes)));
  return {};
}

Status Stream::drawSeed(DeviceAddress seed, DeviceAddress offset,
                        uint64_t blocks) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  if (!blocks)
    return fail("a seed is drawn for 0 blocks of random numbers; 1 is the "
                "least");
  constexpr uint64_t bytes = sizeof(int64_t);
  const MemoryRange to = GAUDI_TRY(device.memory->resolve(seed, bytes));
  const MemoryRange behind = GAUDI_TRY(device.memory->resolve(offset, bytes));
  GAUDI_TRY(device.touch(to));
  GAUDI_TRY(device.touch(behind));
  const WorkTimes times = copyTimes(CardQueue::CopyUp, 2 * bytes, *device.spec);
  Issue issue = {"seed",
                 Lane::Copy,
                 &times,
                 HostCall::Copy,
                 {to.written(), behind.written()}};
  issue.draws = blocks;
  // Captured work draws when it is replayed.
  const Device::RandomState drawn =
      state->capture ? Device::RandomState() : device.draw(blocks);
  GAUDI_TRY(device.issue(
      *state, issue, std::make_unique<SeedWork>(to.data, behind.data, drawn)));
  return {};
}

Status Stream::call(std::function<void()> function) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  GAUDI_TRY(refuseCapture(true, "a call of a host function"));
  GAUDI_TRY(device.issue(
      *state, {"call", Lane::Copy, nullptr, HostCall::HostFunction, {}},
      std::make_unique<CallWork>(std::move(function))));
  return {};
}

// --- launches ---------------------------------------------------------------

Status Stream::launch(Program &program, size_t number,
                      const Addresses &addresses) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  if (program.device->own.get() != &device)
    return fail("program \"{}\" is loaded on another device than \"{}\" is a "
                "stream of; take a stream of its device",
                program.name(), state->name);
  if (number >= program.entries.size())
    return fail("program \"{}\" has no entry {}, it has {}", program.name(),
                number, program.entries.size());
  Program::Entry &entry = program.entries[number];
  GAUDI_TRY(program.checkLaunchable(number));
  if (addresses.size() != entry.tensors.size())
    return fail("entry \"{}\" of \"{}\" takes {} addresses, got {}",
                program.loaded->entryName(number), program.name(),
                entry.tensors.size(), addresses.size());
  DeviceGuard guard(device);
  const std::vector<LaunchTensor> &tensors =
      program.loaded->launchTensors(number);
  Issue issue = {
      program.name(),   Lane::Compute, &entry.times, HostCall::Launch, {},
      entry.prediction, tensors.size()};
  issue.uses.reserve(tensors.size() + 2);
  std::vector<void *> bound(tensors.size());
  // The workspace first: to make room for it, memory may move.
  MemoryRange workspace;
  if (const uint64_t bytes = program.loaded->workspaceBytes()) {
    workspace = GAUDI_TRY(device.workspace(guard, bytes, *state));
    GAUDI_TRY(device.touch(workspace));
    issue.uses.push_back(workspace);
  }
  if (program.constants)
    issue.uses.push_back(
        GAUDI_TRY(device.memory->resolve(program.constants, 0)));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Program::Entry::Source &source = entry.sources[i];
    const DeviceAddress address =
        source.isState ? program.states[source.index] : addresses[source.index];
    if (!tensors[i].bytes)
      continue;
    auto range = device.memory->resolve(address, tensors[i].bytes);
    if (!range)
      return fail("\"{}\" of \"{}\": {}", tensors[i].name, program.name(),
                  range.error().message);
    if (tensors[i].isWritten)
      GAUDI_TRY(device.touch(*range));
    bound[i] = range->data;
    range->isWritten = tensors[i].isWritten;
    issue.uses.push_back(*range);
  }
  const auto shown = [&](size_t tensor) {
    const Program::Entry::Source &source = entry.sources[tensor];
    return fmt::format("{:#x}", source.isState ? program.states[source.index]
                                               : addresses[source.index]);
  };
  if (Status status = program.loaded->checkAddresses(
          {bound.data(), bound.size(), workspace.data}, number, entry.order,
          shown);
      !status)
    return fail("\"{}\": {}", program.name(), status.error().message);
  GAUDI_TRY(device.issue(*state, issue,
                         std::make_unique<LaunchWork>(program.loaded, number,
                                                      std::move(bound),
                                                      workspace.data)));
  ++device.launches;
  GAUDI_LOG(SynHelper, Debug, "launched \"{}\" on {}", program.name(),
            state->name);
  return {};
}

// --- events -----------------------------------------------------------------

Event::Event(std::unique_ptr<State> state) : state(std::move(state)) {}
Event::~Event() = default;

Status Stream::record(Event &event) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  if (&event.state->device->impl() != &device)
    return fail(
        "an event of another device than \"{}\" is a stream of; take one "
        "of the stream's device",
        state->name);
  DeviceGuard guard(device);
  const Picoseconds now = device.call(HostCall::EventRecord);
  Event::State &to = *event.state;
  to.isRecorded = true;
  to.capture = state->capture;
  to.isCaptured = state->capture != nullptr;
  to.nodes = state->nodeWaits;
  if (state->lastNode)
    to.nodes.push_back(state->lastNode);
  // The stream may only have waited since its last work.
  to.positions = state->waits;
  to.positions.push_back({state->queue, state->queue->issued()});
  to.time = DeviceImpl::readyAt(*state, now);
  to.ends.clear();
  if (device.eventClock == EventClockKind::Host && !state->capture)
    for (const Position &position : to.positions) {
      to.ends.push_back(std::make_shared<std::atomic<int64_t>>(0));
      device.executor->noteEnd(*position.queue, position.sequence,
                               to.ends.back());
    }
  return {};
}

Status Stream::wait(Event &event) {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  if (&event.state->device->impl() != &device)
    return fail(
        "an event of another device than \"{}\" is a stream of; take one "
        "of the stream's device",
        state->name);
  DeviceGuard guard(device);
  device.call(HostCall::EventWait);
  const Event::State &from = *event.state;
  if (!from.isRecorded)
    return fail("\"{}\" would wait for an event that has never been recorded; "
                "record it first",
                state->name);
  if (from.isCaptured) {
    const std::shared_ptr<Capture> capture = from.capture.lock();
    if (!capture || capture != device.capture)
      return fail("\"{}\" would wait for an event that was recorded in a "
                  "capture which has ended; record one in this capture",
                  state->name);
    if (!state->capture) {
      // It takes part from here on.
      state->capture = capture;
      state->lastNode = 0;
      capture->streams.push_back(state.get());
    }
    state->nodeWaits.insert(state->nodeWaits.end(), from.nodes.begin(),
                            from.nodes.end());
    return {};
  }
  if (state->capture)
    return fail("\"{}\" is being captured and would wait for an event that was "
                "recorded outside of the capture; wait for it before the "
                "capture begins",
                state->name);
  for (const Position &position : from.positions)
    if (position.queue != state->queue &&
        position.queue->matters(position.sequence))
      state->waits.push_back(position);
  state->waitsUntil = std::max(state->waitsUntil, from.time);
  return {};
}

Status Event::checkRecorded() const {
  if (!state->isRecorded)
    return fail("the event has never been recorded; record it first");
  if (state->isCaptured)
    return fail(
        "the event was recorded in a capture, so it has no time; record "
        "it outside of the capture");
  return {};
}

static bool areDone(const std::vector<Position> &positions) {
  return std::all_of(positions.begin(), positions.end(),
                     [](const Position &position) {
                       return position.queue->isDone(position.sequence);
                     });
}

Result<bool> Event::query() {
  DeviceImpl &device = state->device->impl();
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  const Picoseconds now = device.call(HostCall::EventQuery);
  GAUDI_TRY(checkRecorded());
  if (device.eventClock == EventClockKind::Host)
    return areDone(state->positions);
  if (now < state->time)
    return false;
  const std::vector<Position> positions = state->positions;
  GAUDI_TRY(device.checkWait("Event::query"));
  guard.unlock();
  for (const Position &position : positions)
    device.executor->await(*position.queue, position.sequence);
  return true;
}

Status Event::synchronize() {
  DeviceImpl &device = state->device->impl();
  GAUDI_TRY(device.checkWait("Event::synchronize"));
  DeviceGuard guard(device);
  device.call(HostCall::Synchronize);
  GAUDI_TRY(checkRecorded());
  const std::vector<Position> positions = state->positions;
  const Picoseconds time = state->time;
  guard.unlock();
  Status first;
  for (const Position &position : positions)
    if (Status status = device.executor->wait(*position.queue,
                                              position.sequence, /*own=*/true);
        !status && first)
      first = std::move(status);
  guard.lock();
  device.host.waitUntil(time);
  device.noteCompleted();
  return first;
}

Result<Picoseconds> Event::time() const {
  DeviceImpl &device = state->device->impl();
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  GAUDI_TRY(checkRecorded());
  if (device.eventClock == EventClockKind::Card)
    return state->time;
  GAUDI_TRY(device.checkWait("Event::time"));
  const std::vector<Position> positions = state->positions;
  const std::vector<HostEnd> ends = state->ends;
  guard.unlock();
  for (const Position &position : positions)
    device.executor->await(*position.queue, position.sequence);
  int64_t last = 0;
  for (const HostEnd &end : ends)
    last = std::max(last, end->load(std::memory_order_relaxed));
  return (last - device.opened) * 1000;
}

Result<Picoseconds> Event::since(const Event &begin) const {
  if (state->device != begin.state->device)
    return fail("the events are of two devices, which share no clock; take two "
                "events of one device");
  return GAUDI_TRY(time()) - GAUDI_TRY(begin.time());
}

// --- waits ------------------------------------------------------------------

/// Errors of what cannot be captured.
Status Stream::refuseCapture(bool isRefused, std::string_view what) const {
  if (isRefused && state->capture)
    return fail("{} cannot be captured: \"{}\" is being captured; end the "
                "capture first",
                what, state->name);
  return {};
}

Result<bool> Stream::query() {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  GAUDI_TRY(refuseCapture(true, "a query"));
  const Picoseconds now = device.call(HostCall::EventQuery);
  std::vector<Position> positions = state->waits;
  positions.push_back({state->queue, state->queue->issued()});
  if (device.eventClock == EventClockKind::Host)
    return areDone(positions);
  if (now < std::max(state->ready, state->waitsUntil))
    return false;
  GAUDI_TRY(device.checkWait("Stream::query"));
  guard.unlock();
  for (const Position &position : positions)
    device.executor->await(*position.queue, position.sequence);
  return true;
}

Status Stream::synchronize() {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.checkWait("Stream::synchronize"));
  DeviceGuard guard(device);
  GAUDI_TRY(refuseCapture(true, "a wait for the stream"));
  device.call(HostCall::Synchronize);
  const uint64_t sequence = state->queue->issued();
  const Picoseconds end = std::max(state->ready, state->waitsUntil);
  const std::vector<Position> waits = state->waits;
  guard.unlock();
  for (const Position &position : waits)
    device.executor->await(*position.queue, position.sequence);
  guard.lock();
  device.reap(guard);
  return finish(guard, sequence, end, /*own=*/false);
}

} // namespace gaudi::runtime
