// Which inputs are fetched into the caches before they are loaded.
#include "KernelPlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// How far ahead of the lanes along points an input is fetched. The hardware
/// starts anew on every page; nearer or on the next page gained nothing.
constexpr int64_t aheadBytes = 1536;

/// Input bytes from which a row is worth fetching ahead.
constexpr uint64_t rowInputBytes = uint64_t(1) << 20;
/// Iterations of a row that the hardware does not foresee by itself.
constexpr int64_t rowLength = 128;

/// True if neighbouring points, in the order they run, use neighbouring
/// elements, for long enough to fetch ahead.
bool isDense(const PlannedAccess &access, const KernelPlan &plan,
             int64_t ahead) {
  int64_t elements = 1;
  for (size_t g = plan.parallel.size(); g-- > 0;) {
    if (access.linear[plan.parallel[g].inner] != elements)
      return elements >= 8 * ahead;
    elements *= plan.parallel[g].extent;
  }
  return true;
}

/// Inputs that no cache holds, read once from one end to the other.
void planAlongPoints(KernelPlan &plan, const Kernel &kernel,
                     const std::vector<KernelOperand> &operands) {
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s)
    for (const Inst *inst : items(stages[s]->insts())) {
      if (inst->op() != Op::Load || !plan.loops[s].empty())
        continue;
      const PlannedAccess &access = plan.accesses[inst->a()];
      const KernelOperand &operand = operands[access.operand];
      const int64_t ahead = aheadBytes / elementSize(operand.type);
      const bool known = std::any_of(
          plan.prefetches.begin(), plan.prefetches.end(),
          [&](const Prefetch &each) { return each.access == inst->a(); });
      if (!known && access.guarded.empty() && isDense(access, plan, ahead) &&
          bytesOf(operand) >= streamingBytes)
        plan.prefetches.push_back({s, inst->a(), ahead, 0, true});
    }
}

/// What a stage's iteration computes, without what it finds in row buffers.
/// `first`: the number of its first value.
double costOf(const Stage &stage, uint32_t first, const KernelPlan &plan) {
  const auto insts = items(stage.insts());
  uint32_t made = 0;
  for (const RowReuse &reuse : plan.reused)
    if (reuse.value >= first && reuse.value < first + insts.size())
      made = reuse.value + 1 - first;
  double cost = items(stage.stores()).size();
  for (uint32_t i = made; i < insts.size(); ++i)
    cost += instructionCost(insts[i]->op());
  return cost;
}

/// The first stage over a row waits for memory and the later ones do not use
/// it; so these ask for the next row, each for a part, unless it does little.
void planAlongRows(KernelPlan &plan, const Kernel &kernel,
                   const std::vector<KernelOperand> &operands) {
  const auto stages = items(kernel.stages());
  const unsigned pointDim = plan.parallel.back().inner;
  uint32_t leader = 0;
  auto isRow = [&](uint32_t s) {
    return plan.laneLoops[s] && plan.loops[s].size() == 1 &&
           plan.loops[s][0].extent >= rowLength;
  };
  while (leader < stages.size() && !isRow(leader))
    ++leader;
  if (leader == stages.size())
    return;
  const LoopGroup row = plan.loops[leader][0];

  struct Follower {
    uint32_t stage;
    double cost;
  };
  std::vector<Follower> followers;
  double most = 0;
  uint32_t value = 0;
  for (uint32_t s = 0; s < stages.size(); ++s) {
    const double cost = costOf(*stages[s], value, plan);
    if (s > leader && isRow(s) && plan.loops[s][0].extent == row.extent &&
        plan.loops[s][0].inner == row.inner) {
      followers.push_back({s, cost});
      most = std::max(most, cost);
    }
    value += items(stages[s]->insts()).size();
    for (const Reduction *reduction : items(stages[s]->reductions()))
      value += reduction->op() == ReduceOp::ArgMax ||
                       reduction->op() == ReduceOp::ArgMin
                   ? 2
                   : 1;
  }
  followers.erase(
      std::remove_if(followers.begin(), followers.end(),
                     [&](const Follower &f) { return f.cost < most / 3; }),
      followers.end());
  if (followers.empty())
    return;
  const unsigned slowdown = followers.size() > 1 ? 1 : 0;
  followers.resize(size_t(1) << slowdown);

  for (const Inst *inst : items(stages[leader]->insts())) {
    if (inst->op() != Op::Load)
      continue;
    const PlannedAccess &access = plan.accesses[inst->a()];
    if (!access.guarded.empty() || access.linear[pointDim] == 0 ||
        access.linear[row.inner] != 1 ||
        bytesOf(operands[access.operand]) < rowInputBytes)
      continue;
    for (size_t part = 0; part < followers.size(); ++part)
      plan.prefetches.push_back(
          {followers[part].stage, inst->a(),
           access.linear[pointDim] + int64_t(part) * (row.extent >> slowdown),
           slowdown, false});
  }
}

} // namespace

void planPrefetches(KernelPlan &plan, const Kernel &kernel,
                    const std::vector<KernelOperand> &operands) {
  if (plan.laneAxis == LaneAxis::Points)
    planAlongPoints(plan, kernel, operands);
  else if (plan.laneAxis == LaneAxis::Loops)
    planAlongRows(plan, kernel, operands);
}

} // namespace gaudi::runtime
