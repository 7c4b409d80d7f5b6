// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of kernel plans.
#include "PlanCosts.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Costs of one access for a whole vector: a broadcast scalar load, which the
/// code generator folds into the operation that uses it, and a gather or
/// scatter, which touches a cache line per lane.
constexpr double uniformCost = 0.3;
constexpr double gatherCost = 14;

/// True if an index of the access is a value, which may differ between lanes.
bool followsValue(const PlannedAccess &access) {
  return std::any_of(access.guarded.begin(), access.guarded.end(),
                     [](const GuardedDim &dim) { return dim.value >= 0; });
}

/// Elements between neighbours along a kernel dimension.
int64_t strideAlong(const PlannedAccess &access, unsigned dim) {
  int64_t stride = access.position[dim];
  for (const GuardedDim &guarded : access.guarded)
    stride += guarded.index[dim] * guarded.stride;
  return stride;
}

} // namespace

uint64_t bytesOf(const KernelOperand &operand) {
  uint64_t bytes = elementSize(operand.type);
  for (int64_t extent : operand.sizes)
    bytes *= uint64_t(extent);
  return bytes;
}

uint32_t resultCount(const Stage &stage) {
  uint32_t count = 0;
  for (const Reduction *reduction : items(stage.reductions()))
    count += recipe::resultCount(reduction->op());
  return count;
}

double scalarCost(const Stage &stage) {
  double cost = 1 + items(stage.stores()).size();
  for (const Inst *inst : items(stage.insts()))
    cost += instructionCount(inst->op());
  return cost;
}

/// Per instruction as in scalar code; accesses by their stride along `dim`.
double vectorCost(const Stage &stage,
                  const std::vector<PlannedAccess> &accesses, unsigned dim) {
  double cost = 1; // the loop itself
  auto touch = [&](unsigned number) {
    const PlannedAccess &access = accesses[number];
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
      cost += instructionCount(inst->op());
  for (const Store *store : items(stage.stores()))
    touch(store->access());
  return cost;
}

double vectors(int64_t extent) {
  const int64_t count = (extent + laneCount - 1) / laneCount;
  return double(count);
}

double iterationsOf(const std::vector<LoopGroup> &loops) {
  double iterations = 1;
  for (const LoopGroup &loop : loops)
    iterations *= double(loop.extent);
  return iterations;
}

double pointCost(const Kernel &kernel,
                 const std::vector<std::vector<LoopGroup>> &loops,
                 const std::vector<PlannedAccess> &accesses,
                 const LoopGroup &group) {
  double cost = 0;
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s)
    cost +=
        iterationsOf(loops[s]) * vectorCost(*stages[s], accesses, group.inner);
  // A vector serves as many points as it has lanes in use: a short last vector
  // makes each of its points dearer.
  return cost * vectors(group.extent) /
         double(std::max<int64_t>(group.extent, 1));
}

} // namespace gaudi::runtime
