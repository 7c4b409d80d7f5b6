// Which values share a vector: neighbouring points or neighbouring iterations.
#include "KernelPlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Costs of one access for a whole vector, an addition on a vector being 1.
constexpr double uniformCost = 0.3;
constexpr double gatherCost = 14;

/// True if an index of the access follows a value that differs from lane to
/// lane, or may.
bool followsValue(const PlannedAccess &access) {
  return std::any_of(access.guarded.begin(), access.guarded.end(),
                     [](const GuardedDim &dim) { return dim.value >= 0; });
}

/// Elements between neighbours along a kernel dimension.
int64_t strideAlong(const PlannedAccess &access, unsigned dim) {
  int64_t stride = access.linear[dim];
  for (const GuardedDim &guarded : access.guarded)
    if (guarded.value < 0)
      stride += guarded.coefficients[dim] * guarded.stride;
  return stride;
}

/// Cost of a stage's iteration when 16 neighbours along `dim` share it.
double vectorCost(const Stage &stage, const KernelPlan &plan, unsigned dim) {
  double cost = 1;
  auto touch = [&](unsigned number) {
    const PlannedAccess &access = plan.accesses[number];
    const int64_t stride = strideAlong(access, dim);
    if (followsValue(access))
      cost += gatherCost;
    else
      cost += stride == 0 ? uniformCost : stride == 1 ? 1 : gatherCost;
  };
  for (const Inst *inst : items(stage.insts()))
    if (inst->op() == Op::Load)
      touch(inst->a());
    else
      cost += instructionCost(inst->op());
  for (const Store *store : items(stage.stores()))
    touch(store->access());
  return cost;
}

double scalarCost(const Stage &stage) {
  double cost = 1 + items(stage.stores()).size();
  for (const Inst *inst : items(stage.insts()))
    cost += instructionCost(inst->op());
  return cost;
}

/// Vectors that cover an extent.
double vectors(int64_t extent) {
  return double((extent + laneCount - 1) / laneCount);
}

/// Lanes of a loop must be combined in the end. The first of equal extremes is
/// found by its position, which therefore has to be the loop's own index.
bool canCombine(const Stage &stage, const LoopGroup &loop, bool onlyLoop,
                uint32_t firstValue) {
  const auto insts = items(stage.insts());
  for (const Inst *inst : insts)
    if (inst->op() == Op::Carry)
      return false;
  for (const Reduction *reduction : items(stage.reductions())) {
    if (reduction->op() == ReduceOp::Custom)
      return false;
    if (reduction->op() != ReduceOp::ArgMax &&
        reduction->op() != ReduceOp::ArgMin)
      continue;
    if (!onlyLoop || reduction->position() < firstValue ||
        reduction->position() - firstValue >= insts.size())
      return false;
    const Inst *position = insts[reduction->position() - firstValue];
    if (position->op() != Op::Index || position->a() != loop.inner)
      return false;
  }
  return true;
}

/// True if the innermost loop of the stage is long enough for lanes, and they
/// can be combined. `firstValue`: the number of its first instruction.
bool isLaneLoop(const Kernel &kernel, const KernelPlan &plan, uint32_t number,
                uint32_t firstValue) {
  const std::vector<LoopGroup> &loops = plan.loops[number];
  return !loops.empty() && loops.back().extent >= int64_t(laneCount) / 2 &&
         canCombine(*kernel.stages()->Get(number), loops.back(),
                    loops.size() == 1, firstValue);
}

uint32_t resultCount(const Stage &stage) {
  uint32_t count = 0;
  for (const Reduction *reduction : items(stage.reductions()))
    count += reduction->op() == ReduceOp::ArgMax ||
                     reduction->op() == ReduceOp::ArgMin
                 ? 2
                 : 1;
  return count;
}

/// True if every full vector of the store starts at a multiple of its size.
bool isAligned(const PlannedAccess &access, const KernelOperand &operand,
               unsigned laneDim) {
  if (operand.address % (laneCount * elementSize(operand.type)) != 0 ||
      access.fixed % int64_t(laneCount) != 0 || access.linear[laneDim] != 1)
    return false;
  for (size_t d = 0; d < access.linear.size(); ++d)
    if (d != laneDim && access.linear[d] % int64_t(laneCount) != 0)
      return false;
  return true;
}

void planStreaming(KernelPlan &plan, const Kernel &kernel,
                   const std::vector<KernelOperand> &operands) {
  const unsigned inputs = items(kernel.inputs()).size();
  uint64_t bytes = 0;
  for (size_t o = inputs; o < operands.size(); ++o)
    bytes += bytesOf(operands[o]);
  if (bytes < streamingBytes)
    return;
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s) {
    const bool points = plan.laneAxis == LaneAxis::Points;
    if (!points && !plan.laneLoops[s])
      continue;
    const unsigned laneDim =
        points ? plan.parallel.back().inner : plan.loops[s].back().inner;
    for (const Store *store : items(stages[s]->stores())) {
      const PlannedAccess &access = plan.accesses[store->access()];
      plan.streaming[store->access()] =
          plan.disjoint[access.operand] &&
          isAligned(access, operands[access.operand], laneDim);
    }
  }
}

} // namespace

double pointCost(const KernelPlan &plan, const Kernel &kernel,
                 const LoopGroup &group) {
  double cost = 0;
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s) {
    double iterations = 1;
    for (const LoopGroup &loop : plan.loops[s])
      iterations *= double(loop.extent);
    cost += iterations * vectorCost(*stages[s], plan, group.inner);
  }
  return cost * vectors(group.extent) /
         double(std::max<int64_t>(group.extent, 1));
}

void planLanes(KernelPlan &plan, const Kernel &kernel,
               const std::vector<KernelOperand> &operands) {
  const auto stages = items(kernel.stages());
  plan.laneLoops.assign(stages.size(), false);
  plan.streaming.assign(plan.accesses.size(), false);

  const LoopGroup &point = plan.parallel.back();
  double scalar = 0, points = 0, loops = 0;
  std::vector<bool> laneLoops(stages.size());
  uint32_t firstValue = 0;
  for (uint32_t s = 0; s < stages.size(); ++s) {
    const Stage &stage = *stages[s];
    double iterations = 1;
    for (const LoopGroup &loop : plan.loops[s])
      iterations *= double(loop.extent);
    const double alone = iterations * scalarCost(stage);
    scalar += alone;
    points += iterations * vectorCost(stage, plan, point.inner);
    if ((laneLoops[s] = isLaneLoop(kernel, plan, s, firstValue))) {
      const LoopGroup &lane = plan.loops[s].back();
      loops += iterations / double(lane.extent) * vectors(lane.extent) *
               vectorCost(stage, plan, lane.inner);
    } else {
      loops += alone;
    }
    firstValue += items(stage.insts()).size() + resultCount(stage);
  }
  // A vector of points serves as many points as it has lanes in use.
  points *= vectors(point.extent) / double(std::max<int64_t>(point.extent, 1));
  if (!plan.independent)
    points = scalar;

  if (points < scalar && points <= loops) {
    plan.laneAxis = LaneAxis::Points;
    plan.lanes = laneCount;
    while (plan.lanes > 4 && point.extent <= int64_t(plan.lanes / 2))
      plan.lanes /= 2;
  } else if (loops < scalar) {
    plan.laneAxis = LaneAxis::Loops;
    plan.lanes = laneCount;
    plan.laneLoops = laneLoops;
  }
  if (plan.laneAxis != LaneAxis::None)
    planStreaming(plan, kernel, operands);
}

} // namespace gaudi::runtime
