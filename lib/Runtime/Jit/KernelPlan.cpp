// Loop structure of a kernel on given operands.
#include "KernelPlan.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cstdlib>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// True if offset + sum(c[d] * [0, extent[d])) stays within [0, size).
bool provablyInside(const GuardedDim &dim,
                    const std::vector<int64_t> &extents) {
  if (dim.value >= 0)
    return false;
  __int128 low = dim.offset, high = dim.offset;
  for (size_t d = 0; d < dim.coefficients.size(); ++d) {
    const __int128 reach =
        __int128(dim.coefficients[d]) * (extents[d] > 0 ? extents[d] - 1 : 0);
    (reach < 0 ? low : high) += reach;
  }
  return low >= 0 && high < dim.size;
}

PlannedAccess planAccess(const Access &access, const KernelOperand &operand,
                         const std::vector<int64_t> &extents) {
  PlannedAccess planned;
  planned.operand = access.operand();
  planned.pad = access.pad();
  planned.linear.assign(extents.size(), 0);
  const auto dims = items(access.dims());
  for (uint32_t i = 0; i < dims.size(); ++i) {
    GuardedDim dim{i,
                   dims[i]->boundary(),
                   operand.sizes[i],
                   operand.strides[i],
                   dims[i]->value(),
                   dims[i]->offset(),
                   copyOf(dims[i]->coefficients())};
    if (dim.value < 0)
      dim.coefficients.resize(extents.size(), 0);
    // The index of a dimension of extent 1 is 0, whatever it is multiplied by.
    for (size_t d = 0; d < dim.coefficients.size(); ++d)
      if (extents[d] == 1)
        dim.coefficients[d] = 0;
    if (dim.boundary != Boundary::Inside && !provablyInside(dim, extents)) {
      planned.guarded.push_back(std::move(dim));
      continue;
    }
    planned.fixed += dim.offset * dim.stride;
    for (size_t d = 0; d < extents.size(); ++d)
      planned.linear[d] += dim.coefficients[d] * dim.stride;
  }
  return planned;
}

std::vector<LoopGroup> merge(const std::vector<unsigned> &dims,
                             const KernelPlan &plan,
                             const std::vector<bool> &used) {
  std::vector<LoopGroup> groups;
  for (unsigned dim : dims) {
    if (plan.extents[dim] == 1)
      continue;
    bool joins = !groups.empty() && !plan.pinned[dim] &&
                 !plan.pinned[groups.back().inner];
    for (size_t a = 0; joins && a < plan.accesses.size(); ++a)
      joins = !used[a] || plan.accesses[a].linear[groups.back().inner] ==
                              plan.accesses[a].linear[dim] * plan.extents[dim];
    if (joins) {
      groups.back().extent *= plan.extents[dim];
      groups.back().inner = dim;
    } else {
      groups.push_back({plan.extents[dim], dim});
    }
  }
  return groups;
}

bool overlap(const KernelOperand &a, const KernelOperand &b) {
  return !provablyDisjoint(
      {a.address, a.sizes, a.strides, elementSize(a.type)},
      {b.address, b.sizes, b.strides, elementSize(b.type)});
}

/// Which access indices each kind of use names.
struct Uses {
  std::vector<bool> any, stored;
  std::vector<std::vector<bool>> perStage;
};

Uses usesOf(const Kernel &kernel, size_t accesses) {
  Uses uses{std::vector<bool>(accesses), std::vector<bool>(accesses), {}};
  for (const Stage *stage : items(kernel.stages())) {
    std::vector<bool> used(accesses);
    for (const Inst *inst : items(stage->insts()))
      if (inst->op() == Op::Load)
        used[inst->a()] = uses.any[inst->a()] = true;
    for (const Store *store : items(stage->stores()))
      used[store->access()] = uses.any[store->access()] =
          uses.stored[store->access()] = true;
    uses.perStage.push_back(std::move(used));
  }
  return uses;
}

/// True if no point touches what another point writes.
bool pointsAreIndependent(const Kernel &kernel, const KernelPlan &plan,
                          const std::vector<KernelOperand> &operands,
                          const Uses &uses) {
  for (size_t s = 0; s < plan.accesses.size(); ++s) {
    if (!uses.stored[s])
      continue;
    const PlannedAccess &store = plan.accesses[s];
    // Loops may rewrite their own point; only points must be apart.
    std::vector<int64_t> extents, linear;
    for (size_t d = 0; d < plan.extents.size(); ++d)
      if (kernel.parallel()->Get(d) || store.linear[d] != 0) {
        extents.push_back(plan.extents[d]);
        linear.push_back(std::abs(store.linear[d]));
      }
    if (!isInjective(extents, linear))
      return false;
    for (size_t a = 0; a < plan.accesses.size(); ++a) {
      if (a == s || !uses.any[a])
        continue;
      const PlannedAccess &other = plan.accesses[a];
      if (other.operand != store.operand &&
          !overlap(operands[other.operand], operands[store.operand]))
        continue;
      const bool samePlace =
          operands[other.operand].address == operands[store.operand].address &&
          elementSize(operands[other.operand].type) ==
              elementSize(operands[store.operand].type) &&
          other.guarded.empty() && other.fixed == store.fixed &&
          other.linear == store.linear;
      if (!samePlace)
        return false;
    }
  }
  return true;
}

/// Moves the parallel dimension to the end whose neighbours share vectors at a
/// far lower cost than those of the last group.
void chooseLaneDim(KernelPlan &plan, const Kernel &kernel,
                   const std::vector<unsigned> &order,
                   const std::vector<bool> &used) {
  if (plan.parallel.size() < 2)
    return;
  // Walking along the first store finds the caches warm and its lines whole,
  // which gathers elsewhere have to outweigh.
  constexpr double farLower = 0.5;
  double least = pointCost(plan, kernel, plan.parallel.back()) * farLower;
  for (unsigned dim : order) {
    std::vector<unsigned> turned = order;
    turned.erase(std::find(turned.begin(), turned.end(), dim));
    turned.push_back(dim);
    std::vector<LoopGroup> groups = merge(turned, plan, used);
    const double cost = pointCost(plan, kernel, groups.back());
    if (plan.extents[dim] > 1 && cost < least) {
      least = cost;
      plan.parallel = std::move(groups);
    }
  }
}

} // namespace

KernelPlan planKernel(const Kernel &kernel,
                      const std::vector<KernelOperand> &operands) {
  KernelPlan plan;
  plan.extents = copyOf(kernel.index_space());
  const size_t rank = plan.extents.size();
  plan.pinned.assign(rank, false);
  for (const Access *access : items(kernel.accesses()))
    plan.accesses.push_back(
        planAccess(*access, operands[access->operand()], plan.extents));
  const Uses uses = usesOf(kernel, plan.accesses.size());

  const auto stages = items(kernel.stages());
  for (const Stage *stage : stages)
    for (const Inst *inst : items(stage->insts()))
      if (inst->op() == Op::Index)
        plan.pinned[inst->a()] = true;
  for (const PlannedAccess &access : plan.accesses)
    for (const GuardedDim &dim : access.guarded)
      for (size_t d = 0; d < dim.coefficients.size(); ++d)
        if (dim.coefficients[d] != 0)
          plan.pinned[d] = true;

  const unsigned inputs = items(kernel.inputs()).size();
  for (unsigned o = 0; o < operands.size(); ++o) {
    bool apart = true;
    for (unsigned other = 0; other < operands.size(); ++other)
      if (other != o && (o >= inputs || other >= inputs))
        apart &= !overlap(operands[o], operands[other]);
    plan.disjoint.push_back(apart);
  }
  plan.independent = pointsAreIndependent(kernel, plan, operands, uses);
  if (rank == 0) {
    // A kernel on scalars has one point: a dimension of extent 1 for it.
    plan.extents.push_back(1);
    plan.pinned.push_back(false);
    for (PlannedAccess &access : plan.accesses) {
      access.linear.push_back(0);
      for (GuardedDim &dim : access.guarded)
        dim.coefficients.resize(1, 0);
    }
  }

  std::vector<unsigned> parallel;
  for (unsigned d = 0; d < rank; ++d)
    if (kernel.parallel()->Get(d)) {
      parallel.push_back(d);
      plan.points *= plan.extents[d];
    }
  if (plan.independent)
    // Walk along the memory of the first store.
    for (size_t a = 0; a < plan.accesses.size(); ++a)
      if (uses.stored[a]) {
        const std::vector<int64_t> &linear = plan.accesses[a].linear;
        std::sort(parallel.begin(), parallel.end(),
                  [&](unsigned x, unsigned y) {
                    const int64_t p = std::abs(linear[x]);
                    const int64_t q = std::abs(linear[y]);
                    return p != q ? p > q : x < y;
                  });
        break;
      }
  plan.workPerPoint = 0;
  for (uint32_t s = 0; s < stages.size(); ++s) {
    std::vector<unsigned> dims;
    double iterations = 1;
    for (uint8_t dim : items(stages[s]->loops())) {
      dims.push_back(dim);
      iterations *= double(plan.extents[dim]);
    }
    plan.loops.push_back(merge(dims, plan, uses.perStage[s]));
    double weight = items(stages[s]->stores()).size();
    for (const Inst *inst : items(stages[s]->insts()))
      weight += instructionCost(inst->op());
    plan.workPerPoint += iterations * (weight + 1);
  }
  plan.parallel = merge(parallel, plan, uses.any);
  if (plan.independent)
    chooseLaneDim(plan, kernel, parallel, uses.any);
  if (plan.parallel.empty())
    plan.parallel.push_back({1, parallel.empty() ? 0u : parallel.back()});

  planLanes(plan, kernel, operands);
  planRowBuffers(plan, kernel, operands);
  planPrefetches(plan, kernel, operands);
  return plan;
}

uint64_t bytesOf(const KernelOperand &operand) {
  uint64_t bytes = elementSize(operand.type);
  for (int64_t extent : operand.sizes)
    bytes *= uint64_t(extent);
  return bytes;
}

unsigned valueOperands(Op op) {
  switch (op) {
  case Op::Const:
  case Op::Index:
  case Op::Load:
  case Op::Carry:
    return 0;
  case Op::Select:
  case Op::FmaF:
    return 3;
  case Op::CopySignF:
    return 2;
  default:
    const bool one = op >= Op::FloatToSI || (op >= Op::Clz && op <= Op::AbsI) ||
                     (op >= Op::NegF && op <= Op::ErfcF);
    return one ? 1 : 2;
  }
}

double instructionCost(Op op) {
  if (op == Op::DivF || op == Op::SqrtF || op == Op::RsqrtF)
    return 6;
  if (op == Op::PowF)
    return 60;
  if (op == Op::RemF || op == Op::Atan2F || (op >= Op::ExpF && op <= Op::ErfcF))
    return 16;
  return 1;
}

std::string kernelKey(const Kernel &kernel, const KernelPlan &plan,
                      const std::vector<KernelOperand> &operands) {
  std::string key;
  auto number = [&](uint64_t value) {
    key.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  auto numbers = [&](const std::vector<int64_t> &values) {
    number(values.size());
    for (int64_t value : values)
      number(uint64_t(value));
  };
  // Every list is led by its length, so that no two kernels have one key.
  numbers(plan.extents);
  number(items(kernel.parallel()).size());
  for (const uint8_t flag : items(kernel.parallel()))
    key += flag ? 'p' : 's';
  number(operands.size());
  for (size_t o = 0; o < operands.size(); ++o) {
    number(uint64_t(operands[o].type));
    number(plan.disjoint[o]);
  }
  number(plan.independent);
  number(uint64_t(plan.laneAxis));
  number(plan.lanes);
  number(plan.prefetches.size());
  for (const Prefetch &each : plan.prefetches) {
    number(each.stage);
    number(each.access);
    number(uint64_t(each.ahead));
    number(each.slowdown);
    number(each.once);
  }
  // Sizes and strides matter only through the planned accesses.
  number(plan.accesses.size());
  for (const PlannedAccess &access : plan.accesses) {
    number(access.operand);
    number(uint64_t(access.fixed));
    number(access.pad);
    number(plan.streaming[size_t(&access - plan.accesses.data())]);
    numbers(access.linear);
    number(access.guarded.size());
    for (const GuardedDim &dim : access.guarded) {
      number(dim.dimension);
      number(uint64_t(dim.boundary));
      number(uint64_t(dim.size));
      number(uint64_t(dim.stride));
      number(uint64_t(dim.value));
      number(uint64_t(dim.offset));
      numbers(dim.coefficients);
    }
  }
  number(items(kernel.stages()).size());
  for (const Stage *stage : items(kernel.stages())) {
    number(items(stage->loops()).size());
    for (uint8_t loop : items(stage->loops()))
      number(loop);
    number(items(stage->insts()).size());
    for (const Inst *inst : items(stage->insts())) {
      number(inst->imm());
      number(inst->a());
      number(inst->b());
      number(inst->c());
      number(uint64_t(inst->op()) << 8 | uint64_t(inst->type()));
    }
    number(items(stage->reductions()).size());
    for (const Reduction *reduction : items(stage->reductions())) {
      number(uint64_t(reduction->op()));
      number(reduction->init());
      number(reduction->value());
      number(reduction->position());
    }
    number(items(stage->stores()).size());
    for (const Store *store : items(stage->stores())) {
      number(store->access());
      number(store->value());
    }
  }
  return key;
}

} // namespace gaudi::runtime
