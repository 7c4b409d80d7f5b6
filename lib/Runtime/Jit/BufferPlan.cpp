// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds values that several stages over the same loops compute, by value
// numbering over the whole kernel.
#include "BufferPlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "PlanCosts.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Cost of a store to and a load from a row buffer, with a margin.
constexpr double bufferCost = 5;
/// Most bytes of all row buffers of a kernel: they are on the worker's stack
/// and should stay in L2.
constexpr int64_t bufferBytes = 256 << 10;

/// Linear in the instructions, but for the lookups (a map of value numbers) and
/// the comparison of each stage's loops with those of earlier stages.
class Finder {
public:
  Finder(const Kernel &kernel, const std::vector<KernelOperand> &operands,
         const LoopPlan &loops, const LanePlan &lanes)
      : kernel(kernel), operands(operands), plan(loops), lanes(lanes) {}

  BufferPlan run() {
    numberValues();
    for (uint32_t s = 1; s < first.size() - 1; ++s)
      if (lanes.laneLoops[s])
        findReuse(s);
    std::sort(
        buffers.reused.begin(), buffers.reused.end(),
        [](const RowReuse &x, const RowReuse &y) { return x.value < y.value; });
    return std::move(buffers);
  }

private:
  const Stage &stage(uint32_t number) const {
    return *kernel.stages()->Get(number);
  }

  uint32_t identify(KeyWriter &key) {
    return identities.try_emplace(key.take(), uint32_t(identities.size()))
        .first->second;
  }

  /// Global value numbering: values with equal numbers are equal at equal
  /// indices of the loops. `first[s] + i` is value i of stage s.
  void numberValues() {
    const auto stages = items(kernel.stages());
    bool stored = false; // to memory that an input shares
    for (uint32_t s = 0; s < stages.size(); ++s) {
      first.push_back(uint32_t(identity.size()));
      for (const Inst *inst : items(stages[s]->insts()))
        number(*inst, stored);
      for (const Store *store : items(stages[s]->stores()))
        stored |= !plan.disjoint[plan.accesses[store->access()].operand];
      for (uint32_t results = resultCount(*stages[s]); results-- > 0;)
        unique(0);
    }
    first.push_back(uint32_t(identity.size()));
  }

  /// A value that equals no other.
  void unique(double itsCost) {
    KeyWriter key;
    key.add(~uint64_t(0), identity.size()); // no operation has this number
    identity.push_back(identify(key));
    cost.push_back(itsCost);
  }

  void number(const Inst &inst, bool stored) {
    KeyWriter key;
    key.add(inst.op(), inst.type());
    double total = instructionCount(inst.op());
    switch (inst.op()) {
    case Op::Carry:
      return unique(0);
    case Op::Load: {
      const PlannedAccess &access = plan.accesses[inst.a()];
      bool checked = false;
      key.add(access.operand, access.position, access.pad,
              access.guarded.size());
      for (const GuardedDim &dim : access.guarded) {
        checked |= dim.boundary == Boundary::Checked;
        // Like GuardedDim::key, but equal values are one index.
        key.add(dim.dimension, dim.boundary, dim.size, dim.stride, dim.index,
                dim.value < 0 ? ~uint64_t(0) : identity[size_t(dim.value)]);
        if (dim.value >= 0)
          total += cost[size_t(dim.value)];
        total += 4;
      }
      // A checked load stays where the model has it, since it may fault. A load
      // from memory that a stage has written may give another value.
      if (checked || (stored && !plan.disjoint[access.operand]))
        return unique(0);
      // Narrow floats are decoded: a shift, and a select for NaN.
      if (kernelType(operands[access.operand].type) == ElementType::F32 &&
          operands[access.operand].type != ElementType::F32)
        total += 2;
      break;
    }
    case Op::Index:
      key.add(inst.a());
      break;
    default:
      key.add(inst.imm());
      const uint32_t ids[] = {inst.a(), inst.b(), inst.c()};
      for (unsigned i = 0; i < valueOperands(inst.op()); ++i) {
        key.add(identity[ids[i]]);
        // Values of earlier stages cost nothing here.
        if (ids[i] >= first.back())
          total += cost[ids[i]];
      }
      break;
    }
    identity.push_back(identify(key));
    cost.push_back(total);
  }

  bool sameLoops(uint32_t s, uint32_t t) const {
    const std::vector<LoopGroup> &x = plan.loops[s], &y = plan.loops[t];
    if (x.size() != y.size())
      return false;
    for (size_t g = 0; g < x.size(); ++g)
      if (x[g].extent != y[g].extent || x[g].inner != y[g].inner)
        return false;
    return true;
  }

  /// Walks back from the results of stage `s`, over its own values only, and
  /// replaces each value that an earlier stage over the same loops computes by
  /// a load from a row buffer. The walk stops there: operands of a replaced
  /// value are not needed for it.
  void findReuse(uint32_t s) {
    // The first stage that has a value provides it to all later ones.
    std::map<uint32_t, RowBuffer> known; // by identity
    for (uint32_t t = 0; t < s; ++t)
      // Paired lanes are not in the order in which a scalar stage stores.
      if (!plan.loops[t].empty() && sameLoops(s, t) &&
          (lanes.laneLoops[t] || !lanes.paired))
        for (uint32_t i = 0; i < items(stage(t).insts()).size(); ++i)
          known.try_emplace(identity[first[t] + i],
                            RowBuffer{t, first[t] + i, 0});
    if (known.empty())
      return;
    std::vector<uint32_t> wanted;
    for (const Store *store : items(stage(s).stores()))
      wanted.push_back(store->value());
    for (const Reduction *reduction : items(stage(s).reductions()))
      wanted.push_back(reduction->value());
    std::vector<bool> seen(identity.size());
    while (!wanted.empty()) {
      const uint32_t value = wanted.back();
      wanted.pop_back();
      if (value < first[s] || seen[value])
        continue;
      seen[value] = true;
      const Inst &inst = *stage(s).insts()->Get(value - first[s]);
      // Buffers hold floats only, and values cheaper than a store and a load
      // are computed again.
      auto found = known.find(identity[value]);
      if (found != known.end() && cost[value] >= bufferCost &&
          inst.type() == ElementType::F32 && reuse(found->second, value, s))
        continue;
      if (inst.op() == Op::Load)
        for (const GuardedDim &dim : plan.accesses[inst.a()].guarded)
          if (dim.value >= 0)
            wanted.push_back(uint32_t(dim.value));
      const uint32_t ids[] = {inst.a(), inst.b(), inst.c()};
      for (unsigned i = 0; i < valueOperands(inst.op()); ++i)
        wanted.push_back(ids[i]);
    }
  }

  /// Replaces `value` of stage `user` by the value of `source`, which gets a
  /// row buffer if it has none. False if there is no room.
  bool reuse(RowBuffer source, uint32_t value, uint32_t user) {
    const auto isSource = [&](const RowBuffer &buffer) {
      return buffer.value == source.value;
    };
    const auto known =
        std::find_if(buffers.kept.begin(), buffers.kept.end(), isSource);
    const uint32_t number = uint32_t(known - buffers.kept.begin());
    if (known == buffers.kept.end()) {
      // A float for each iteration of the stage's loops.
      source.length = 1;
      for (const LoopGroup &loop : plan.loops[user])
        source.length *= loop.extent;
      if (source.length > (bufferBytes - used) / int64_t(sizeof(float)))
        return false;
      used += source.length * int64_t(sizeof(float));
      assert(used <= bufferBytes && "checked above");
      buffers.kept.push_back(source);
    }
    buffers.reused.push_back({value, number});
    return true;
  }

  const Kernel &kernel;
  const std::vector<KernelOperand> &operands;
  const LoopPlan &plan;
  const LanePlan &lanes;
  BufferPlan buffers;
  std::map<std::string, uint32_t> identities;
  std::vector<uint32_t> first;    // value number per stage, and the end
  std::vector<uint32_t> identity; // per value
  std::vector<double> cost;       // per value, with its operands in the stage
  int64_t used = 0;               // bytes of all buffers
};

} // namespace

BufferPlan planBuffers(const Kernel &kernel,
                       const std::vector<KernelOperand> &operands,
                       const LoopPlan &loops, const LanePlan &lanes) {
  if (lanes.laneAxis != LaneAxis::Loops || items(kernel.stages()).size() < 2)
    return {};
  return Finder(kernel, operands, loops, lanes).run();
}

} // namespace gaudi::runtime
