// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares orders by the time of a launch.
#include "OrderTimes.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/FusionRecord.h"
#include "Gaudi/Transforms/MemoryRecord.h"
#include "Gaudi/Transforms/PermutationRecord.h"
#include <cmath>
#include <numeric>

namespace gaudi {
using memory::Fit;

/// What the overlap of engines may lose for a lower peak, as a share of the
/// time of a launch.
constexpr double mostSlower = 0.001;
/// Ops of a function that is played, and of all plays together: an op takes
/// some 40 us.
constexpr uint32_t mostOps = 1500, mostPlayedOps = 4000, mostPlays = 48;
/// Ops that move at once.
constexpr uint32_t mostMoved = 3;
/// Moves that are tried for one that can be played, and plays without success
/// after which the order stays.
constexpr uint32_t mostTried = 32, mostFailures = 24;
constexpr std::optional<Fit> packings[] = {Fit::First, Fit::Best, std::nullopt};

std::optional<PlayedLaunch> OrderTimes::play(ArrayRef<uint32_t> order) const {
  auto source = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(source.getLoc());
  (*module)->setAttr(trialAttrName, UnitAttr::get(source.getContext()));
  for (NamedAttribute attr : source->getAttrs())
    if (!llvm::is_contained(
            {memoryAttrName, fusionsAttrName, permutationsAttrName},
            attr.getName()))
      (*module)->setAttr(attr.getName(), attr.getValue());
  IRMapping copies;
  auto copy = cast<func::FuncOp>(function->clone(copies));
  copy->removeAttr(partOfAttrName); // the module has no other part
  module->push_back(copy);
  SmallVector<Operation *> nodes;
  for (Operation *op : schedule.nodes)
    nodes.push_back(copies.lookup(op));
  applyOrder(nodes, order);
  return player(copy);
}

// The numbers shall be predictable: a recipe is the same on every host.
// NOLINTNEXTLINE(bugprone-random-generator-seed)
OrderTimes::OrderTimes(func::FuncOp function, const ScheduleGraph &schedule,
                       const DeviceTime &time, const LaunchPlayer &player)
    : function(function), schedule(schedule), time(time), player(player) {
  const uint32_t ops = schedule.graph.ops;
  if (player && ops <= mostOps)
    plays = std::min(mostPlays, mostPlayedOps / ops + 2);
}

OrderTimes::Times OrderTimes::timesOf(ArrayRef<uint32_t> order) {
  if (plays > 0) {
    --plays;
    if (auto launch = play(order))
      return {{launch->picoseconds}, launch->workspace};
    if (!program.launch.empty())
      return {}; // this order cannot be compiled
    plays = 0;
  }
  if (program.launch.size() == 1)
    return {}; // what was played is not compared with estimates
  if (!estimates)
    estimates.emplace(schedule, time);
  Times times;
  for (std::optional<Fit> fit : packings)
    times.launch.push_back(estimates->of(order, fit));
  return times;
}

// Long ops decide the time of a launch, but short ones come between them.
uint32_t OrderTimes::pickPosition(ArrayRef<uint32_t> order) {
  uint32_t number =
      random() % std::accumulate(weights.begin(), weights.end() - 1, 0u);
  uint32_t p = 0;
  while (number >= weights[order[p]])
    number -= weights[order[p++]];
  return p;
}

bool OrderTimes::moveSome(std::vector<uint32_t> &order) {
  const auto ops = uint32_t(order.size()) - 1; // but for the return
  const uint32_t begin = pickPosition(order),
                 count = random() % std::min(mostMoved, ops - begin) + 1,
                 end = begin + count;
  std::vector<uint32_t> position(order.size());
  for (uint32_t p = 0; p < order.size(); ++p)
    position[order[p]] = p;
  uint32_t first = 0, last = ops - count; // where they may begin
  for (uint32_t p = begin; p < end; ++p) {
    for (uint32_t op : before[order[p]])
      if (position[op] < begin)
        first = std::max(first, position[op] + 1);
    for (uint32_t op : after[order[p]])
      if (position[op] >= end)
        last = std::min(last, position[op] - count);
  }
  assert(first <= begin && begin <= last && "the order is legal");
  const uint32_t to = first + random() % (last - first + 1);
  const auto at = order.begin();
  if (to < begin)
    std::rotate(at + to, at + begin, at + end);
  else
    std::rotate(at + begin, at + end, at + to + count);
  return to != begin;
}

bool OrderTimes::improve(std::vector<uint32_t> &order, uint64_t limit) {
  // The first call: what is the same for all orders.
  if (program.launch.empty()) {
    std::vector<uint32_t> all(schedule.graph.ops);
    std::iota(all.begin(), all.end(), 0);
    program = timesOf(all);
    before.resize(all.size());
    after.resize(all.size());
    for (const auto &[from, to] : schedule.graph.edges) {
      before[to].push_back(from);
      after[from].push_back(to);
    }
    for (Operation *op : schedule.nodes) {
      const double microseconds = double(time.of(op)) / 1e6;
      // The square root: long ops are moved more often, but short ones still
      // are.
      weights.push_back(1 + uint32_t(std::sqrt(std::min(microseconds, 1e9))));
    }
  }
  Times times = timesOf(order);
  // An order that cannot be played is not accepted.
  if (times.launch.empty())
    return false;
  // Later orders may be better, but each gets less time for that.
  const uint32_t rest = plays / 4;
  for (uint32_t tried = 0, failures = 0;
       plays > rest && tried < mostTried && failures < mostFailures; ++tried) {
    std::vector<uint32_t> moved = order;
    if (!moveSome(moved) ||
        memory::profileOf(schedule.graph, moved).peak > limit)
      continue;
    // Moves that change nothing or exceed the limit count as tried in a row.
    tried = 0;
    ++failures;
    const Times its = timesOf(moved);
    // The first time decides; the workspace must not grow for it.
    if (its.launch.empty() || its.launch[0] > times.launch[0] ||
        its.workspace > times.workspace)
      continue;
    // One that takes as long may lead on.
    order = std::move(moved);
    times = its;
    failures = 0;
  }
  // Estimates are made under several packings: each must hold the bound.
  for (auto [was, is] : llvm::zip_equal(program.launch, times.launch)) {
    change = {was, is};
    if (double(is) > double(was) * (1 + mostSlower))
      return false;
  }
  change = {program.launch[0], times.launch[0]};
  return true;
}

} // namespace gaudi
