// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the axis of vectors and the loops and stores that use them.
#include "LanePlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "JitHost.h"
#include "PlanCosts.h"

#include <algorithm>
#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// True if per-lane partial results of this loop can be reduced. Argmin and
/// argmax break ties by position, so the position must be the loop index.
bool canCombine(const Stage &stage, const LoopGroup &loop, bool onlyLoop,
                uint32_t firstValue) {
  // What reads an accumulator, or computes it by code of its own, sees the
  // iterations in order, so lanes cannot take turns.
  const auto insts = items(stage.insts());
  for (const Inst *inst : insts)
    if (inst->op() == Op::Carry)
      return false;
  for (const Reduction *reduction : items(stage.reductions())) {
    if (reduction->op() == ReduceOp::Custom)
      return false;
    if (!hasPosition(reduction->op()))
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

/// True if the innermost loop of the stage is long enough for vectors, and
/// their lanes can be combined. `firstValue`: the number of its first
/// instruction.
bool isLaneLoop(const Kernel &kernel, const LoopPlan &plan, uint32_t number,
                uint32_t firstValue) {
  const std::vector<LoopGroup> &loops = plan.loops[number];
  return !loops.empty() && loops.back().extent >= int64_t(laneCount) / 2 &&
         canCombine(*kernel.stages()->Get(number), loops.back(),
                    loops.size() == 1, firstValue);
}

/// True if every full vector of the store starts at a multiple of its size, or
/// of a cache line.
bool isAligned(const PlannedAccess &access, const KernelOperand &operand,
               unsigned laneDim, unsigned lanes) {
  lanes = std::min(lanes, 64 / elementSize(operand.type));
  if (operand.address % (lanes * elementSize(operand.type)) != 0 ||
      access.position.getOffset() % int64_t(lanes) != 0 ||
      access.position[laneDim] != 1)
    return false;
  // Vectors begin at multiples of a vector along the lanes; every other
  // dimension moves by whole vectors, so all of them stay aligned.
  for (unsigned d = 0; d < access.position.size(); ++d)
    if (d != laneDim && access.position[d] % int64_t(lanes) != 0)
      return false;
  return true;
}

/// True if lanes should be even points, then odd ones. Two neighbours in bf16
/// are the halves of a 32-bit word, so a shift and a mask then take the place
/// of conversions across a register. Everything that lies along the lanes must
/// be bf16, and rows must be long: their ends cost more.
bool isPaired(const LanePlan &plan, const std::vector<KernelOperand> &operands,
              const LoopPlan &loops) {
  const LoopGroup &point = loops.parallel.back();
  if (plan.lanes != laneCount || (point.extent < 8 * int64_t(laneCount) &&
                                  point.extent % (2 * int64_t(laneCount)) != 0))
    return false;
  bool along = false;
  for (const PlannedAccess &access : loops.accesses) {
    if (!access.guarded.empty())
      return false;
    if (access.position[point.inner] != 1)
      continue;
    if (operands[access.operand].type != ElementType::BF16)
      return false;
    along = true;
  }
  return along;
}

/// The same for iterations. Along the lanes of all stages bf16 is stored, and
/// mostly loaded: two shuffles pair other elements. Loops end at whole vectors
/// unless they are alone, since an inactive lane of a row buffer may be an
/// element of the next row.
bool isPairedAlongLoops(const Kernel &kernel, const LanePlan &plan,
                        const LoopPlan &loops,
                        const std::vector<KernelOperand> &operands) {
  constexpr int64_t width = 2 * int64_t(laneCount);
  int pairs = 0, others = 0;
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s) {
    if (!plan.laneLoops[s])
      continue;
    const LoopGroup &lane = loops.loops[s].back();
    if (lane.extent % width != 0 &&
        (lane.extent < 4 * width || loops.loops[s].size() > 1))
      return false;
    auto fits = [&](uint32_t number, bool stored) {
      // A guard needs a mask per lane, which would have to be paired as well.
      const PlannedAccess &access = loops.accesses[number];
      if (!access.guarded.empty())
        return false;
      // The same element for all lanes: no order.
      if (access.position[lane.inner] == 0)
        return true;
      const ElementType type = operands[access.operand].type;
      (type == ElementType::BF16 ? pairs : others) += 1;
      return access.position[lane.inner] == 1 &&
             (type == ElementType::BF16 ||
              (type == ElementType::F32 && !stored));
    };
    for (const Inst *inst : items(stages[s]->insts()))
      if (inst->op() == Op::Load && !fits(inst->a(), false))
        return false;
    for (const Store *store : items(stages[s]->stores()))
      if (!fits(store->access(), true))
        return false;
  }
  // Shuffles of other elements must not outnumber the conversions saved.
  return pairs > others;
}

/// Vectors of `lanes` that a kernel computes together, up to `most` lanes.
unsigned vectorsAtOnce(const LoopGroup &point, unsigned lanes, unsigned most) {
  if (!jitHost().wide)
    return 1;
  for (unsigned count = most / lanes; count > 1; count /= 2)
    if (point.extent >= 8 * int64_t(lanes * count) ||
        point.extent % int64_t(lanes * count) == 0)
      return count;
  return 1;
}

/// True if the kernel rounds many times. Each operation and its rounding take
/// 11 cycles or more and the next one waits for them, while processors look
/// some 100 operations ahead: of a long chain that is too little unless
/// neighbours in the code are independent.
bool roundsOften(const Kernel &kernel) {
  unsigned roundings = 0;
  for (const Stage *stage : items(kernel.stages()))
    for (const Inst *inst : items(stage->insts()))
      roundings += inst->op() == Op::RoundTo;
  return roundings >= 3;
}

/// True if most bytes along the lanes are f8, of which conversions take whole
/// registers of bytes. Beside larger operands of wider types memory is the
/// limit.
bool isMostlyF8(const std::vector<KernelOperand> &operands,
                const LoopPlan &loops) {
  const unsigned inner = loops.parallel.back().inner;
  uint64_t bytes = 0, others = 0;
  for (const PlannedAccess &access : loops.accesses) {
    const KernelOperand &operand = operands[access.operand];
    if (access.position[inner] == 0)
      continue;
    const bool isF8 = operand.type == ElementType::F8E4M3FN ||
                      operand.type == ElementType::F8E5M2;
    (isF8 ? bytes : others) += bytesOf(operand);
  }
  return bytes > others;
}

/// True if all that the kernel loads and stores is contiguous along the lanes
/// or the same in all of them, and no operand is bf16, of which vectors of
/// other lengths have no conversions.
bool isDenseChain(const std::vector<KernelOperand> &operands,
                  const LoopPlan &loops) {
  const unsigned inner = loops.parallel.back().inner;
  return std::all_of(loops.loops.begin(), loops.loops.end(),
                     [](const auto &stage) { return stage.empty(); }) &&
         std::all_of(loops.accesses.begin(), loops.accesses.end(),
                     [&](const PlannedAccess &access) {
                       const int64_t step = access.position[inner];
                       return access.guarded.empty() &&
                              (step == 0 || step == 1) &&
                              operands[access.operand].type !=
                                  ElementType::BF16;
                     });
}

/// Marks stores of kernels with large outputs whose vectors are aligned, as
/// non-temporal stores have to be, and that nobody reads in this kernel.
void planStreaming(LanePlan &plan, const Kernel &kernel,
                   const std::vector<KernelOperand> &operands,
                   const LoopPlan &loops) {
  const unsigned inputs = items(kernel.inputs()).size();
  uint64_t bytes = 0;
  for (size_t o = inputs; o < operands.size(); ++o)
    bytes += bytesOf(operands[o]);
  // A small output stays in the cache, where its reader finds it.
  if (bytes < streamingBytes)
    return;
  const auto stages = items(kernel.stages());
  for (uint32_t s = 0; s < stages.size(); ++s) {
    const bool points = plan.laneAxis == LaneAxis::Points;
    if (!points && !plan.laneLoops[s])
      continue;
    const unsigned laneDim =
        points ? loops.parallel.back().inner : loops.loops[s].back().inner;
    for (const Store *store : items(stages[s]->stores())) {
      const PlannedAccess &access = loops.accesses[store->access()];
      plan.streaming[store->access()] =
          loops.disjoint[access.operand] &&
          isAligned(access, operands[access.operand], laneDim,
                    std::max(plan.lanes, laneCount));
    }
  }
}

} // namespace

LanePlan planLanes(const Kernel &kernel,
                   const std::vector<KernelOperand> &operands,
                   const LoopPlan &loops) {
  const auto stages = items(kernel.stages());
  assert(!loops.parallel.empty() && loops.loops.size() == stages.size() &&
         "the loops are planned");
  LanePlan plan;
  plan.laneLoops.assign(stages.size(), false);
  plan.streaming.assign(loops.accesses.size(), false);

  // The cost of a point in three forms: scalar, vectors of points, vectors of
  // iterations in the stages that allow it.
  const LoopGroup &point = loops.parallel.back();
  double scalar = 0, alongPoints = 0, alongLoops = 0;
  std::vector<bool> laneLoops(stages.size());
  uint32_t firstValue = 0;
  for (uint32_t s = 0; s < stages.size(); ++s) {
    const Stage &stage = *stages[s];
    const double iterations = iterationsOf(loops.loops[s]);
    const double alone = iterations * scalarCost(stage);
    scalar += alone;
    alongPoints += iterations * vectorCost(stage, loops.accesses, point.inner);
    laneLoops[s] = isLaneLoop(kernel, loops, s, firstValue);
    if (laneLoops[s]) {
      const LoopGroup &lane = loops.loops[s].back();
      alongLoops += iterations / double(lane.extent) * vectors(lane.extent) *
                    vectorCost(stage, loops.accesses, lane.inner);
    } else {
      alongLoops += alone;
    }
    firstValue += items(stage.insts()).size() + resultCount(stage);
  }
  // A vector of points serves as many points as it has lanes in use.
  alongPoints *=
      vectors(point.extent) / double(std::max<int64_t>(point.extent, 1));
  // It runs its points at the same time, so they must be independent.
  if (!loops.independent)
    alongPoints = scalar;

  // Points first where both cost the same: reductions stay in one lane, and
  // need no combination at the end.
  if (alongPoints < scalar && alongPoints <= alongLoops) {
    plan.laneAxis = LaneAxis::Points;
    plan.lanes = laneCount;
    // A row of few points does not fill a vector; four lanes are the least that
    // the narrowest registers (SSE) hold.
    while (plan.lanes > 4 && point.extent <= int64_t(plan.lanes / 2))
      plan.lanes /= 2;
    plan.paired = isPaired(plan, operands, loops);
    if (plan.paired && jitHost().wide)
      plan.lanes *= 2;
    const bool dense = plan.lanes == laneCount && isDenseChain(operands, loops);
    if (roundsOften(kernel) && (plan.paired || dense))
      plan.lanes *= vectorsAtOnce(point, plan.lanes, 8 * laneCount);
    else if (dense && isMostlyF8(operands, loops))
      plan.lanes *= vectorsAtOnce(point, plan.lanes, 4 * laneCount);
  } else if (alongLoops < scalar) {
    plan.laneAxis = LaneAxis::Loops;
    plan.lanes = laneCount;
    plan.laneLoops = laneLoops;
    plan.paired = isPairedAlongLoops(kernel, plan, loops, operands);
    if (plan.paired)
      plan.lanes *= 2;
  }
  if (plan.laneAxis != LaneAxis::None)
    planStreaming(plan, kernel, operands, loops);
  return plan;
}

} // namespace gaudi::runtime
