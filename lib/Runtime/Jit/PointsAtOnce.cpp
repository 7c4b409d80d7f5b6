// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses how many points of a kernel over rows run at the same time.
#include "PointsAtOnce.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "JitHost.h"
#include "PlanCosts.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Points and instructions: fewer points do not pay, and more instructions need
/// more registers than there are.
constexpr int64_t fewestPoints = 8;
constexpr size_t mostInstructions = 64;
/// Most of the smallest L1 (32 KiB): what two rows load, and the next two,
/// which are prefetched, and their row buffers. The rest is for what they store
/// and for operands that all points share.
constexpr int64_t mostBytes = 20 << 10;

/// Operands of which each iteration of each point loads or stores an element.
std::vector<bool> findMoving(const Kernel &kernel, const LoopPlan &loops,
                             const LanePlan &lanes, bool stored) {
  std::vector<bool> moving(loops.disjoint.size());
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s) {
    if (!lanes.laneLoops[s])
      continue;
    auto mark = [&](uint32_t number) {
      const PlannedAccess &access = loops.accesses[number];
      if (access.position[loops.parallel.back().inner] != 0 &&
          access.position[loops.loops[s].back().inner] != 0)
        moving[access.operand] = true;
    };
    if (stored)
      for (const Store *store : items(stages[s]->stores()))
        mark(store->access());
    else
      for (const Inst *inst : items(stages[s]->insts()))
        if (inst->op() == Op::Load)
          mark(inst->a());
  }
  return moving;
}

/// True if memory is the limit, which is faster at one row after the other:
/// f32, or what is as wide, comes from there or goes there, or rows come from
/// there in the only loop, where nothing prefetches them (PrefetchPlan.h).
bool waitsForMemory(const Kernel &kernel, const std::vector<bool> &loaded,
                    const std::vector<bool> &stored,
                    const std::vector<KernelOperand> &operands) {
  unsigned loops = 0;
  for (const Stage *stage : items(kernel.stages()))
    loops += !items(stage->loops()).empty();
  for (size_t o = 0; o < operands.size(); ++o) {
    const uint64_t bytes = bytesOf(operands[o]);
    if ((loaded[o] || stored[o]) && bytes >= streamingBytes &&
        elementSize(operands[o].type) >= sizeof(float))
      return true;
    if (loaded[o] && loops == 1 && bytes >= rowInputBytes)
      return true;
  }
  return false;
}

/// True if all loops are single ones along lanes, of at most so many
/// iterations, and one of them reduces.
bool reducesRows(const Kernel &kernel, const LoopPlan &loops,
                 const LanePlan &lanes, int64_t mostIterations) {
  size_t instructions = 0;
  bool reduces = false;
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s) {
    instructions += items(stages[s]->insts()).size();
    reduces |= !items(stages[s]->reductions()).empty();
    if (!items(stages[s]->loops()).empty() &&
        (!lanes.laneLoops[s] || loops.loops[s].size() != 1 ||
         loops.loops[s][0].extent > mostIterations))
      return false;
  }
  return reduces && instructions <= mostInstructions;
}

/// True if a point that runs twice leaves the same.
bool mayRunTwice(const Kernel &kernel, const LoopPlan &loops) {
  for (const PlannedAccess &access : loops.accesses)
    if (!access.guarded.empty())
      return false;
  for (const Stage *stage : items(kernel.stages()))
    for (const Store *store : items(stage->stores()))
      if (!loops.disjoint[loops.accesses[store->access()].operand])
        return false;
  return loops.independent;
}

} // namespace

unsigned choosePointsAtOnce(const Kernel &kernel,
                            const std::vector<KernelOperand> &operands,
                            const LoopPlan &loops, const LanePlan &lanes,
                            const BufferPlan &buffers) {
  if (lanes.laneAxis != LaneAxis::Loops || !jitHost().wide ||
      loops.parallel.back().extent < fewestPoints ||
      !mayRunTwice(kernel, loops))
    return 1;
  const std::vector<bool> loaded = findMoving(kernel, loops, lanes, false);
  const std::vector<bool> stored = findMoving(kernel, loops, lanes, true);
  if (waitsForMemory(kernel, loaded, stored, operands))
    return 1;
  // Stages mostly load the same elements again.
  int64_t bytes = 2 * int64_t(buffers.kept.size() * sizeof(float));
  for (size_t o = 0; o < operands.size(); ++o)
    bytes += loaded[o] ? 4 * elementSize(operands[o].type) : 0;
  const int64_t most = mostBytes / std::max<int64_t>(bytes, 1);
  return reducesRows(kernel, loops, lanes, most) ? 2 : 1;
}

} // namespace gaudi::runtime
