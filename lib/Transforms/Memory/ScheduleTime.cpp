// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plays orders on the engines.
#include "InPlace.h"
#include "ScheduleGraph.h"

namespace gaudi {
using timing::Cost;
using timing::Dependency;
using timing::Queue;
using timing::Task;

/// Slices of a pair that is long enough for so many launches.
constexpr uint32_t fewestSlices = 4, mostSlices = 32;
constexpr Picoseconds launchesPerSlice = 4;

static Queue queueOf(Operation *op, const timing::Work &work) {
  const auto *transfer = std::get_if<gaudi::timing::TransferWork>(&work);
  const auto *fill = std::get_if<gaudi::timing::FillWork>(&work);
  if (transfer || fill)
    return Queue((transfer ? transfer->engine : fill->engine) ==
                         timing::TransferWork::Engine::Mme
                     ? Queue::Mme
                 : (transfer ? transfer->engine : fill->engine) ==
                         timing::TransferWork::Engine::Tpc
                     ? Queue::Tpc
                     : Queue::Dma);
  auto engine = dyn_cast<EngineOpInterface>(op);
  return engine && engine.getEngine() == Engine::MME ? Queue::Mme : Queue::Tpc;
}

static uint32_t slicesOf(const Cost &cost) {
  const Picoseconds launch =
      std::max<Picoseconds>(cost.launch + cost.fill + cost.drain, 1);
  const Picoseconds slices = cost.total() / (launch * launchesPerSlice);
  return slices < fewestSlices
             ? 1
             : uint32_t(std::min<Picoseconds>(slices, mostSlices));
}

/// True if the kernel can work on the first part of the product before the rest
/// is there.
static bool followsProduct(Operation *op, Operation *matrix) {
  auto kernel = dyn_cast<KernelOp>(op);
  auto engine = dyn_cast<EngineOpInterface>(matrix);
  if (!kernel || !engine || engine.getEngine() != Engine::MME)
    return false;
  const auto stridesOf = [](Value value) {
    return denseStrides(tensorType(value).getShape());
  };
  for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
    Value product = operand;
    while (auto reshape = product.getDefiningOp<ReshapeOp>())
      product = reshape.getOperand();
    if (product.getDefiningOp() == matrix &&
        readsInOrder(kernel, i, stridesOf(operand),
                     stridesOf(kernel->getResult(0))))
      return true;
  }
  return false;
}

ScheduleTime::ScheduleTime(const ScheduleGraph &schedule,
                           const DeviceTime &time)
    : time(time), graph(schedule.graph), nodes(schedule.nodes.size()) {
  for (auto [op, node] : llvm::zip(schedule.nodes, nodes))
    for (const timing::Work &work : time.workOf(op)) {
      Task task;
      task.queue = queueOf(op, work);
      task.cost = timing::costOf(work, time.spec);
      node.tasks.push_back(std::move(task));
    }
  const llvm::DenseSet<std::pair<uint32_t, uint32_t>> neighbours(
      schedule.graph.neighbours.begin(), schedule.graph.neighbours.end());
  for (const auto &[from, to] : schedule.graph.edges) {
    // Whether neighbours work in slices is known only when they have buffers:
    // to part them is assumed to cost it.
    const bool follows =
        nodes[from].tasks.size() == 1 && nodes[to].tasks.size() == 1 &&
        (neighbours.contains({from, to}) ||
         followsProduct(schedule.nodes[to], schedule.nodes[from]));
    if (follows)
      for (uint32_t node : {from, to})
        nodes[node].tasks[0].maxSlices = slicesOf(nodes[node].tasks[0].cost);
    nodes[to].before.push_back({from, follows});
  }
}

Picoseconds ScheduleTime::of(ArrayRef<uint32_t> order,
                             std::optional<gaudi::memory::Fit> fit) const {
  std::vector<Task> tasks;
  // The last task of each node; those of a node without tasks are the ones
  // before it.
  std::vector<SmallVector<uint32_t, 1>> last(nodes.size());
  std::vector<SmallVector<uint32_t, 2>> hazards(nodes.size());
  if (fit)
    for (const auto &[from, to] :
         memory::hazardsOf(graph, {order.begin(), order.end()}, *fit))
      hazards[to].push_back(from);
  for (uint32_t node : order) {
    SmallVector<Dependency> before;
    for (uint32_t from : hazards[node])
      for (uint32_t task : last[from])
        before.push_back({task, false});
    for (const Dependency &dependency : nodes[node].before)
      for (uint32_t task : last[dependency.task])
        before.push_back({task, dependency.sliced});
    for (const Task &task : nodes[node].tasks) {
      tasks.push_back(task);
      tasks.back().dependencies.assign(before.begin(), before.end());
      before = {{uint32_t(tasks.size() - 1), false}};
    }
    if (node + 1 == nodes.size())
      break; // nothing waits for the return
    for (const Dependency &dependency : before)
      last[node].push_back(dependency.task);
  }
  return timing::play(tasks, time.spec).end;
}
} // namespace gaudi
