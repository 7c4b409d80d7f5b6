// Values that several stages over the same loops compute: kept for a row.
#include "KernelPlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <map>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// A store to and a load from a row buffer, with some margin.
constexpr double keepingCost = 5;
/// Bytes of all row buffers of a kernel; they live on the worker's stack and
/// should stay in the second-level cache.
constexpr int64_t bufferBytes = 256 << 10;

class Finder {
public:
  Finder(KernelPlan &plan, const Kernel &kernel,
         const std::vector<KernelOperand> &operands)
      : plan(plan), kernel(kernel), operands(operands) {}

  void run() {
    numberValues();
    for (uint32_t s = 1; s < first.size() - 1; ++s)
      if (plan.laneLoops[s])
        findReuse(s);
    std::sort(
        plan.reused.begin(), plan.reused.end(),
        [](const RowReuse &x, const RowReuse &y) { return x.value < y.value; });
  }

private:
  using Key = std::vector<uint64_t>;

  const Stage &stage(uint32_t number) const {
    return *kernel.stages()->Get(number);
  }

  uint32_t identify(const Key &key) {
    return identities.try_emplace(key, uint32_t(identities.size()))
        .first->second;
  }

  /// Equal numbers: equal values at equal indices.
  void numberValues() {
    const auto stages = items(kernel.stages());
    bool stored = false; // to memory that an input shares
    for (uint32_t s = 0; s < stages.size(); ++s) {
      first.push_back(uint32_t(identity.size()));
      for (const Inst *inst : items(stages[s]->insts()))
        number(*inst, stored);
      for (const Store *store : items(stages[s]->stores()))
        stored |= !plan.disjoint[plan.accesses[store->access()].operand];
      for (const Reduction *reduction : items(stages[s]->reductions()))
        for (int results = reduction->op() == ReduceOp::ArgMax ||
                                   reduction->op() == ReduceOp::ArgMin
                               ? 2
                               : 1;
             results-- > 0;)
          unique(0);
    }
    first.push_back(uint32_t(identity.size()));
  }

  void unique(double itsCost) {
    identity.push_back(identify({~uint64_t(0), uint64_t(identity.size())}));
    cost.push_back(itsCost);
  }

  void number(const Inst &inst, bool stored) {
    Key key = {uint64_t(inst.op()), uint64_t(inst.type())};
    double total = instructionCost(inst.op());
    switch (inst.op()) {
    case Op::Carry:
      return unique(0);
    case Op::Load: {
      const PlannedAccess &access = plan.accesses[inst.a()];
      bool checked = false;
      key.insert(key.end(), {access.operand, uint64_t(access.fixed), access.pad,
                             access.guarded.size()});
      for (int64_t coefficient : access.linear)
        key.push_back(uint64_t(coefficient));
      for (const GuardedDim &dim : access.guarded) {
        checked |= dim.boundary == Boundary::Checked;
        key.insert(
            key.end(),
            {dim.dimension, uint64_t(dim.boundary), uint64_t(dim.size),
             uint64_t(dim.stride), uint64_t(dim.offset),
             dim.value < 0 ? ~uint64_t(0) : identity[size_t(dim.value)]});
        for (int64_t coefficient : dim.coefficients)
          key.push_back(uint64_t(coefficient));
        if (dim.value >= 0)
          total += cost[size_t(dim.value)];
        total += 4;
      }
      // A fault must be raised where the model has it; memory that a stage
      // has written may have changed.
      if (checked || (stored && !plan.disjoint[access.operand]))
        return unique(0);
      if (kernelType(operands[access.operand].type) == ElementType::F32 &&
          operands[access.operand].type != ElementType::F32)
        total += 2;
      break;
    }
    case Op::Index:
      key.push_back(inst.a());
      break;
    default:
      key.push_back(inst.imm());
      const uint32_t ids[] = {inst.a(), inst.b(), inst.c()};
      for (unsigned i = 0; i < valueOperands(inst.op()); ++i) {
        key.push_back(identity[ids[i]]);
        // Values from before the loops cost nothing inside of them.
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

  /// Walks back from what stage `s` needs to the values an earlier stage has.
  void findReuse(uint32_t s) {
    std::map<uint32_t, std::pair<uint32_t, uint32_t>> known; // stage, value
    for (uint32_t t = 0; t < s; ++t)
      if (!plan.loops[t].empty() && sameLoops(s, t))
        for (uint32_t i = 0; i < items(stage(t).insts()).size(); ++i)
          known.try_emplace(identity[first[t] + i],
                            std::make_pair(t, first[t] + i));
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
      auto found = known.find(identity[value]);
      if (found != known.end() && cost[value] >= keepingCost &&
          inst.type() == ElementType::F32 && keep(found->second, value, s))
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

  /// False if there is no room.
  bool keep(std::pair<uint32_t, uint32_t> source, uint32_t value,
            uint32_t user) {
    uint32_t buffer = 0;
    while (buffer < plan.kept.size() &&
           plan.kept[buffer].value != source.second)
      ++buffer;
    if (buffer == plan.kept.size()) {
      int64_t length = 1;
      for (const LoopGroup &loop : plan.loops[user])
        length *= loop.extent;
      if (length > (bufferBytes - used) / int64_t(sizeof(float)))
        return false;
      used += length * int64_t(sizeof(float));
      plan.kept.push_back({source.first, source.second, length});
    }
    plan.reused.push_back({value, buffer});
    return true;
  }

  KernelPlan &plan;
  const Kernel &kernel;
  const std::vector<KernelOperand> &operands;
  std::map<Key, uint32_t> identities;
  std::vector<uint32_t> first;    // value number per stage, and the end
  std::vector<uint32_t> identity; // per value
  std::vector<double> cost;       // per value, of all it needs in its stage
  int64_t used = 0;
};

} // namespace

void planRowBuffers(KernelPlan &plan, const Kernel &kernel,
                    const std::vector<KernelOperand> &operands) {
  if (plan.laneAxis == LaneAxis::Loops && items(kernel.stages()).size() > 1)
    Finder(plan, kernel, operands).run();
}

} // namespace gaudi::runtime
