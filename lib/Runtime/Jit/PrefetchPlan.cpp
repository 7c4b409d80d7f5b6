// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the inputs that are prefetched, how far ahead, and by which stage.
#include "PrefetchPlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "PlanCosts.h"

#include <algorithm>
#include <utility>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Distance of prefetches along points. The hardware prefetcher stops at the
/// end of a page and starts anew on the next; shorter distances and the next
/// page gained nothing (measured).
constexpr int64_t aheadBytes = 1536;

/// Iterations of a row from which prefetching the next one pays; the hardware
/// prefetcher covers shorter ones.
constexpr int64_t rowLength = 128;

/// True if consecutive points use consecutive elements, for at least eight
/// times the prefetch distance.
bool isDense(const PlannedAccess &access, const LoopPlan &plan, int64_t ahead) {
  int64_t elements = 1;
  for (size_t g = plan.parallel.size(); g-- > 0;) {
    if (access.position[plan.parallel[g].inner] != elements)
      return elements >= 8 * ahead;
    elements *= plan.parallel[g].extent;
  }
  return true;
}

/// Inputs that no cache holds and that are read once, from end to end.
void planAlongPoints(PrefetchPlan &plan, const Kernel &kernel,
                     const std::vector<KernelOperand> &operands,
                     const LoopPlan &loops) {
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s)
    for (const Inst *inst : items(stages[s]->insts())) {
      if (inst->op() != Op::Load || !loops.loops[s].empty())
        continue;
      const PlannedAccess &access = loops.accesses[inst->a()];
      const KernelOperand &operand = operands[access.operand];
      const int64_t ahead = aheadBytes / elementSize(operand.type);
      const bool known = std::any_of(
          plan.prefetches.begin(), plan.prefetches.end(),
          [&](const Prefetch &each) { return each.access == inst->a(); });
      if (!known && access.guarded.empty() && isDense(access, loops, ahead) &&
          bytesOf(operand) >= streamingBytes)
        plan.prefetches.push_back({s, inst->a(), ahead, 0, true});
    }
}

/// Cost of an iteration of a stage without what it loads from row buffers.
/// `first`: the number of its first value.
double costOf(const Stage &stage, uint32_t first, const BufferPlan &buffers) {
  const auto insts = items(stage.insts());
  uint32_t made = 0;
  for (const RowReuse &reuse : buffers.reused)
    if (reuse.value >= first && reuse.value < first + insts.size())
      made = reuse.value + 1 - first;
  // Instructions come before their users, so all up to the last value that is
  // loaded serve only values that are loaded, or nearly so.
  double cost = items(stage.stores()).size();
  for (uint32_t i = made; i < insts.size(); ++i)
    cost += instructionCount(insts[i]->op());
  return cost;
}

/// True if the stage is vectorised along one loop that is long enough.
bool isRow(const LoopPlan &loops, const LanePlan &lanes, uint32_t stage) {
  return lanes.laneLoops[stage] && loops.loops[stage].size() == 1 &&
         loops.loops[stage][0].extent >= rowLength;
}

/// The stages after `leader` over the same row with enough work to hide a
/// prefetch: at least a third of the most that one of them does.
std::vector<uint32_t> followersOf(uint32_t leader, const Kernel &kernel,
                                  const LoopPlan &loops, const LanePlan &lanes,
                                  const BufferPlan &buffers) {
  const auto stages = items(kernel.stages());
  const LoopGroup row = loops.loops[leader][0];
  std::vector<std::pair<uint32_t, double>> costs;
  double most = 0;
  uint32_t value = 0;
  for (uint32_t s = 0; s < stages.size(); ++s) {
    if (s > leader && isRow(loops, lanes, s) &&
        loops.loops[s][0].extent == row.extent &&
        loops.loops[s][0].inner == row.inner) {
      costs.push_back({s, costOf(*stages[s], value, buffers)});
      most = std::max(most, costs.back().second);
    }
    // Values are numbered through all stages: instructions, then results.
    value += items(stages[s]->insts()).size() + resultCount(*stages[s]);
  }
  std::vector<uint32_t> followers;
  for (auto [stage, cost] : costs)
    if (cost >= most / 3)
      followers.push_back(stage);
  return followers;
}

/// The first stage over a row is memory bound and later stages leave the bus
/// idle, so each later stage with enough work prefetches a share of the next
/// row.
void planAlongRows(PrefetchPlan &plan, const Kernel &kernel,
                   const std::vector<KernelOperand> &operands,
                   const LoopPlan &loops, const LanePlan &lanes,
                   const BufferPlan &buffers) {
  const auto stages = items(kernel.stages());
  const unsigned pointDim = loops.parallel.back().inner;
  uint32_t leader = 0;
  while (leader < stages.size() && !isRow(loops, lanes, leader))
    ++leader;
  if (leader == stages.size())
    return;
  const LoopGroup row = loops.loops[leader][0];
  std::vector<uint32_t> followers =
      followersOf(leader, kernel, loops, lanes, buffers);
  if (followers.empty())
    return;
  // One stage prefetches the whole row, two prefetch half of it each.
  const unsigned slowdown = followers.size() > 1 ? 1 : 0;
  followers.resize(size_t(1) << slowdown);

  for (const Inst *inst : items(stages[leader]->insts())) {
    if (inst->op() != Op::Load)
      continue;
    const PlannedAccess &access = loops.accesses[inst->a()];
    // Contiguous rows that differ from point to point, of an input that no
    // cache holds: anything else is there already, or not worth its lines.
    if (!access.guarded.empty() || access.position[pointDim] == 0 ||
        access.position[row.inner] != 1 ||
        bytesOf(operands[access.operand]) < rowInputBytes)
      continue;
    for (size_t part = 0; part < followers.size(); ++part)
      plan.prefetches.push_back(
          {followers[part], inst->a(),
           access.position[pointDim] * int64_t(lanes.pointsAtOnce) +
               int64_t(part) * (row.extent >> slowdown),
           slowdown, false});
  }
}

} // namespace

PrefetchPlan planPrefetches(const Kernel &kernel,
                            const std::vector<KernelOperand> &operands,
                            const LoopPlan &loops, const LanePlan &lanes,
                            const BufferPlan &buffers) {
  PrefetchPlan plan;
  if (lanes.laneAxis == LaneAxis::Points)
    planAlongPoints(plan, kernel, operands, loops);
  else if (lanes.laneAxis == LaneAxis::Loops)
    planAlongRows(plan, kernel, operands, loops, lanes, buffers);
  return plan;
}

} // namespace gaudi::runtime
