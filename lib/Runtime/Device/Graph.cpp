// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captures work, and runs it again.
#include "StreamImpl.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace gaudi::runtime {

/// The block of an intermediate between replays.
static constexpr BlockId nobody = UINT32_MAX;

// --- capture ----------------------------------------------------------------

uint32_t Capture::add(DeviceImpl &device, StreamState &stream,
                      const Issue &issue, std::unique_ptr<Work> work) {
  GraphNode node;
  node.name = issue.name;
  if (issue.times)
    node.times = *issue.times;
  node.prediction = issue.prediction;
  node.work = std::move(work);
  node.stream = stream.number;
  node.draws = issue.draws;
  if (stream.lastNode)
    node.waits.push_back(stream.lastNode - 1);
  for (uint32_t wait : stream.nodeWaits)
    node.waits.push_back(wait - 1);
  for (const MemoryRange &range : issue.uses) {
    // The workspace may be elsewhere when the graph is replayed.
    if (!range.address) {
      workspaceBytes = std::max(workspaceBytes, range.bytes);
      continue;
    }
    const auto known =
        std::find_if(uses.begin(), uses.end(), [&](const MemoryRange &use) {
          return use.block == range.block;
        });
    if (known != uses.end()) {
      known->isWritten |= range.isWritten;
      continue;
    }
    uses.push_back(range);
    device.memory->pin(range);
  }
  nodes.push_back(std::move(node));
  return uint32_t(nodes.size());
}

Status Stream::beginCapture() {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  if (device.capture)
    return fail("a capture is under way: a device has one at a time; end it "
                "first");
  device.capture = state->capture = std::make_shared<Capture>();
  state->capture->streams.push_back(state.get());
  state->lastNode = 0;
  state->nodeWaits.clear();
  return {};
}

/// The stream goes while it is captured: there will be no graph.
void Stream::abandonCapture(DeviceImpl &device) {
  const std::shared_ptr<Capture> capture = std::move(device.capture);
  for (StreamState *stream : capture->streams) {
    stream->capture = nullptr;
    stream->nodeWaits.clear();
  }
  device.discard(*capture);
}

Result<std::shared_ptr<Graph>> Stream::endCapture() {
  DeviceImpl &device = *state->device;
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  if (!state->capture)
    return fail("\"{}\" is not being captured; begin a capture first",
                state->name);
  if (state->capture->streams.front() != state.get())
    return fail("the capture began on \"{}\" and ends there, not on \"{}\"",
                state->capture->streams.front()->name, state->name);
  auto graph = std::make_unique<Graph::State>();
  graph->capture = std::exchange(device.capture, nullptr);
  graph->device = state->keep ? state->keep : device.self.lock();
  for (StreamState *stream : graph->capture->streams) {
    stream->capture = nullptr;
    stream->nodeWaits.clear();
  }
  graph->capture->streams.clear();
  return std::shared_ptr<Graph>(new Graph(std::move(graph)));
}

// --- replay -----------------------------------------------------------------

namespace {

/// The intermediates of a graph for one replay, which are freed at its end.
class ReplayMemory {
public:
  ReplayMemory(DeviceImpl &device, const Capture &capture)
      : device(device), intermediates(capture.intermediates) {}
  ReplayMemory(const ReplayMemory &) = delete;
  ReplayMemory &operator=(const ReplayMemory &) = delete;
  ~ReplayMemory() {
    for (DeviceAddress address : addresses)
      if (auto block = device.memory->release(address))
        (void)device.memory->pool().free(*block, device.host.now());
  }

  /// May wait and move memory, also its own.
  Status allocate(std::unique_lock<std::mutex> &guard, StreamState &stream) {
    for (const Capture::Intermediate &each : intermediates) {
      device.call(HostCall::Allocate);
      addresses.push_back(GAUDI_TRY(
          device.allocate(guard, each.bytes, stream, {"graph", "", ""})));
    }
    return {};
  }
  /// Where they are now; changes `uses` alike.
  Status place(std::vector<MemoryRange> &uses,
               std::vector<Work::Moved> &moved) const {
    for (size_t i = 0; i < addresses.size(); ++i) {
      const Capture::Intermediate &each = intermediates[i];
      MemoryRange range =
          GAUDI_TRY(device.memory->resolve(addresses[i], each.bytes));
      GAUDI_TRY(device.touch(range));
      moved.push_back({each.data, each.bytes, range.data});
      uses[each.use] = range.written();
    }
    return {};
  }

private:
  DeviceImpl &device;
  const std::vector<Capture::Intermediate> &intermediates;
  std::vector<DeviceAddress> addresses;
};

/// One run of all nodes, in the order of the capture.
class ReplayWork final : public Work {
public:
  /// A state drawn for a node.
  struct Drawn {
    size_t node;
    Device::RandomState state;
  };

  ReplayWork(std::shared_ptr<Capture> capture, std::vector<Moved> moved,
             uint8_t *workspace, std::vector<Drawn> drawn)
      : capture(std::move(capture)), moved(std::move(moved)),
        workspace(workspace), drawn(std::move(drawn)) {}
  Status run() override {
    // Runs of one graph are on one lane, one after the other.
    if (capture->bound != moved || capture->boundWorkspace != workspace) {
      for (GraphNode &node : capture->nodes)
        node.work->rebind(moved, workspace);
      capture->bound = moved;
      capture->boundWorkspace = workspace;
    }
    for (const Drawn &each : drawn)
      capture->nodes[each.node].work->draw(each.state);
    for (GraphNode &node : capture->nodes)
      GAUDI_TRY(node.work->run());
    return {};
  }

private:
  std::shared_ptr<Capture> capture;
  std::vector<Moved> moved;
  uint8_t *workspace;
  std::vector<Drawn> drawn;
};

} // namespace

Graph::Graph(std::unique_ptr<State> state) : state(std::move(state)) {}

Graph::~Graph() {
  DeviceImpl &device = state->device->impl();
  if (!device.check())
    return;
  DeviceGuard guard(device);
  device.discard(*state->capture);
}

/// The memory of a graph that goes.
void DeviceImpl::discard(Capture &graph) {
  for (const MemoryRange &range : graph.uses)
    if (range.block != nobody)
      memory->unpin(range);
  for (BlockId block : graph.freed)
    (void)memory->pool().free(block, host.now());
  graph.freed.clear();
  for (auto it = graphBlocks.begin(); it != graphBlocks.end();)
    it = it->second.lock().get() == &graph ? graphBlocks.erase(it)
                                           : std::next(it);
}

Status Graph::freeBetweenReplays() {
  DeviceImpl &device = state->device->impl();
  GAUDI_TRY(device.check());
  DeviceGuard guard(device);
  Capture &capture = *state->capture;
  for (BlockId block : std::exchange(capture.freed, {})) {
    for (size_t i = 0; i < capture.uses.size(); ++i)
      if (MemoryRange &use = capture.uses[i]; use.block == block) {
        capture.intermediates.push_back({device.memory->data(block),
                                         device.memory->pool().bytes(block),
                                         i});
        device.memory->unpin(use);
        use.block = nobody;
      }
    device.graphBlocks.erase(block);
    GAUDI_TRY(device.memory->pool().free(block, device.host.now()));
  }
  device.publish();
  return {};
}

bool DeviceImpl::isOf(BlockId block, const Capture &graph) const {
  const auto found = graphBlocks.find(block);
  return found != graphBlocks.end() && found->second.lock().get() == &graph;
}

size_t Graph::size() const { return state->capture->nodes.size(); }

/// Where captured memory is in a replay; changes `uses` alike.
static Result<std::vector<Work::Moved>>
rebind(DeviceImpl &device, const Capture &capture,
       const std::vector<Graph::Rebinding> &rebindings,
       std::vector<MemoryRange> &uses) {
  std::vector<Work::Moved> moved;
  for (const Graph::Rebinding &rebinding : rebindings) {
    const MemoryRange from =
        GAUDI_TRY(device.memory->resolve(rebinding.from, 0));
    const MemoryRange first =
        GAUDI_TRY(device.memory->resolve(rebinding.to, 0));
    if (from.address != rebinding.from || first.address != rebinding.to)
      return fail("a replay binds {:#x} to {:#x}, but blocks are bound as a "
                  "whole, by the address of their first byte",
                  rebinding.from, rebinding.to);
    bool isUsed = false;
    const uint64_t bytes = device.memory->pool().bytes(from.block);
    const MemoryRange to =
        GAUDI_TRY(device.memory->resolve(rebinding.to, bytes));
    for (size_t i = 0; i < capture.uses.size(); ++i)
      if (capture.uses[i].block == from.block) {
        uses[i] = to;
        uses[i].isWritten = capture.uses[i].isWritten;
        isUsed = true;
      }
    if (!isUsed)
      return fail(
          "a replay binds {:#x}, which the graph does not use; leave it "
          "out",
          rebinding.from);
    GAUDI_TRY(device.touch(to));
    moved.push_back({from.data, bytes, to.data});
  }
  for (size_t i = 0; i < uses.size() && !moved.empty(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (uses[i].block == uses[j].block && uses[i].block != nobody)
        return fail("a replay binds two uses of memory to {:#x}, which would "
                    "share it",
                    uses[i].address);
  return moved;
}

Status Graph::replay(Stream &stream, const std::vector<Rebinding> &rebindings) {
  DeviceImpl &device = state->device->impl();
  GAUDI_TRY(device.check());
  GAUDI_TRY(stream.checkDevice(device));
  DeviceGuard guard(device);
  StreamState &to = *stream.state;
  if (to.capture)
    return fail("a replay cannot be captured: \"{}\" is being captured; end "
                "the capture first",
                to.name);
  Capture &capture = *state->capture;
  // First what may move memory to make room.
  ReplayMemory intermediates(device, capture);
  GAUDI_TRY(intermediates.allocate(guard, to));
  MemoryRange workspace;
  if (capture.workspaceBytes) {
    workspace = GAUDI_TRY(device.workspace(guard, capture.workspaceBytes, to));
    GAUDI_TRY(device.touch(workspace));
  }
  std::vector<MemoryRange> uses = capture.uses;
  for (const MemoryRange &use : uses)
    if (use.block != nobody && !device.isOf(use.block, capture))
      if (auto range = device.memory->resolve(use.address, 0); !range)
        return fail("the graph uses memory of its capture: {}",
                    range.error().message);
  std::vector<Work::Moved> moved =
      GAUDI_TRY(rebind(device, capture, rebindings, uses));
  GAUDI_TRY(intermediates.place(uses, moved));
  if (workspace.data)
    uses.push_back(workspace);
  device.call(HostCall::GraphReplay);
  const Picoseconds now =
      device.call(HostCall::GraphNode, capture.nodes.size());
  const Picoseconds ready = DeviceImpl::readyAt(to, now);
  // Each node where it would be if it were issued now.
  Picoseconds start = ready, end = ready;
  std::vector<Picoseconds> ends(capture.nodes.size());
  std::vector<ReplayWork::Drawn> drawn;
  for (size_t i = 0; i < capture.nodes.size(); ++i) {
    const GraphNode &node = capture.nodes[i];
    Picoseconds from = ready;
    for (uint32_t wait : node.waits)
      from = std::max(from, ends[wait]);
    const Stamp stamp = device.clock.place(node.times, from);
    ends[i] = stamp.end;
    if (node.draws)
      drawn.push_back({i, device.draw(node.draws)});
    start = i ? std::min(start, stamp.start) : stamp.start;
    end = std::max(end, stamp.end);
    if (device.trace)
      device.trace->addWork(node.name, node.stream, stamp, node.times,
                            node.prediction);
  }
  return device.enqueue(
      to, Lane::Compute, {start, end}, uses,
      std::make_unique<ReplayWork>(state->capture, std::move(moved),
                                   workspace.data, std::move(drawn)));
}

} // namespace gaudi::runtime
