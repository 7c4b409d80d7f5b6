// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the values of a kernel that all rows share: operands of a size per
// column, such as a bias or a scale, and what is computed from them alone.
#include "ColumnPlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "PlanCosts.h"

#include <algorithm>
#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Most bytes of all buffers, which should stay in the smallest L1 (32 KiB)
/// beside what streams through it.
constexpr int64_t mostBytes = 16 << 10;
/// Rows per launch that pay for another version of the code.
constexpr int64_t fewestRowsPerLaunch = 64;

class Finder {
public:
  Finder(const Kernel &kernel, const std::vector<KernelOperand> &operands,
         const LoopPlan &loops, const LanePlan &lanes)
      : kernel(kernel), operands(operands), plan(loops), lanes(lanes) {}

  ColumnPlan run() {
    for (const Stage *stage : items(kernel.stages()))
      addStage(*stage);
    ColumnPlan result;
    const int64_t width = lanes.lanes;
    result.columnLength =
        (plan.parallel.back().extent + width - 1) / width * width;
    choose(result);
    if (result.columns.empty())
      return {};
    return result;
  }

private:
  /// What a value depends on.
  enum class Kind { Nothing, Column, Other };

  struct Known {
    const Inst *inst = nullptr; // null: the result of a reduction
    Kind kind = Kind::Other;
    double cost = 0; // of the value and its operands, beyond a load of float32
    bool wanted = false; // by a store, a reduction, or a value of kind Other
  };

  void want(uint32_t value) { known[value].wanted = true; }

  void addStage(const Stage &stage) {
    const bool loops = !items(stage.loops()).empty();
    for (const Inst *inst : items(stage.insts())) {
      // What loops compute is no value per column.
      Known value = loops ? Known{} : classify(*inst);
      value.inst = inst;
      known.push_back(value);
      if (value.kind == Kind::Other)
        wantOperands(*inst);
    }
    known.resize(known.size() + resultCount(stage));
    for (const Store *store : items(stage.stores()))
      want(store->value());
    for (const Reduction *reduction : items(stage.reductions())) {
      want(reduction->init());
      want(reduction->value());
      if (hasPosition(reduction->op()))
        want(reduction->position());
    }
  }

  void wantOperands(const Inst &inst) {
    const uint32_t ids[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < valueOperands(inst.op()); ++i)
      want(ids[i]);
    if (inst.op() == Op::Load)
      for (const GuardedDim &dim : plan.accesses[inst.a()].guarded)
        if (dim.value >= 0)
          want(uint32_t(dim.value));
  }

  Known classify(const Inst &inst) const {
    switch (inst.op()) {
    case Op::Index:
    case Op::Carry:
      return {};
    case Op::Load:
      return classifyLoad(plan.accesses[inst.a()]);
    default:
      break;
    }
    Known result{nullptr, Kind::Nothing, instructionCount(inst.op()), false};
    const uint32_t ids[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < valueOperands(inst.op()); ++i) {
      const Known &operand = known[ids[i]];
      result.kind = std::max(result.kind, operand.kind);
      // Code of the loop has no part in what it does not change.
      if (operand.kind == Kind::Column)
        result.cost += operand.cost;
    }
    return result;
  }

  Known classifyLoad(const PlannedAccess &access) const {
    const KernelOperand &operand = operands[access.operand];
    assert(access.operand < items(kernel.inputs()).size() &&
           "the verifier wants loads of inputs");
    if (!access.guarded.empty() || !plan.disjoint[access.operand])
      return {};
    for (size_t g = 0; g + 1 < plan.parallel.size(); ++g)
      if (access.position[plan.parallel[g].inner] != 0)
        return {};
    const int64_t step = access.position[plan.parallel.back().inner];
    if (step == 0)
      return {nullptr, Kind::Nothing, 0, false};
    // Other steps are gathers; narrow floats are decoded.
    double cost = step == 1 ? 0 : lanes.lanes;
    if (operand.type != kernelType(operand.type))
      ++cost;
    return {nullptr, Kind::Column, cost, false};
  }

  bool isCandidate(const Known &value) const {
    return value.kind == Kind::Column && value.wanted && value.cost >= 1 &&
           value.inst->type() == ElementType::F32;
  }

  /// What is wanted gets a buffer if that saves something, else its operands
  /// are wanted. The dearest values come first where room is short.
  void choose(ColumnPlan &result) {
    // From users to operands: who wants a value is known when it is reached.
    for (size_t value = known.size(); value-- > 0;) {
      const Known &each = known[value];
      assert((each.inst || each.kind == Kind::Other) && "of a reduction");
      if (each.kind == Kind::Column && each.wanted && !isCandidate(each))
        wantOperands(*each.inst);
    }
    std::vector<uint32_t> candidates;
    for (uint32_t value = 0; value < known.size(); ++value) {
      if (known[value].kind == Kind::Column)
        known[value].cost = costBeyondBuffers(*known[value].inst);
      if (isCandidate(known[value]))
        candidates.push_back(value);
    }
    auto isDearer = [&](uint32_t x, uint32_t y) {
      return known[x].cost != known[y].cost ? known[x].cost > known[y].cost
                                            : x < y;
    };
    std::sort(candidates.begin(), candidates.end(), isDearer);
    const int64_t bytes = result.columnLength * int64_t(sizeof(float));
    const size_t room = size_t(mostBytes / bytes);
    candidates.resize(std::min(candidates.size(), room));
    std::sort(candidates.begin(), candidates.end());
    result.columns = std::move(candidates);
  }

  /// The cost of a value if each candidate before it has a buffer.
  double costBeyondBuffers(const Inst &inst) const {
    if (inst.op() == Op::Load)
      return classify(inst).cost;
    double cost = instructionCount(inst.op());
    const uint32_t ids[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < valueOperands(inst.op()); ++i)
      if (known[ids[i]].kind == Kind::Column && !isCandidate(known[ids[i]]))
        cost += known[ids[i]].cost;
    return cost;
  }

  const Kernel &kernel;
  const std::vector<KernelOperand> &operands;
  const LoopPlan &plan;
  const LanePlan &lanes;
  std::vector<Known> known; // per value
};

/// True if the outputs are so large that a launch is worth a further version.
bool storesMuch(const Kernel &kernel,
                const std::vector<KernelOperand> &operands) {
  uint64_t bytes = 0;
  for (size_t o = items(kernel.inputs()).size(); o < operands.size(); ++o)
    bytes += bytesOf(operands[o]);
  return bytes >= streamingBytes;
}

} // namespace

ColumnPlan planColumns(const Kernel &kernel,
                       const std::vector<KernelOperand> &operands,
                       const LoopPlan &loops, const LanePlan &lanes) {
  if (lanes.laneAxis != LaneAxis::Points || loops.parallel.size() < 2 ||
      loops.points < fewestRowsPerLaunch * loops.parallel.back().extent ||
      !storesMuch(kernel, operands))
    return {};
  return Finder(kernel, operands, loops, lanes).run();
}

} // namespace gaudi::runtime
