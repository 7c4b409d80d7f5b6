// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop structure of a kernel on given operands.
#include "LoopPlan.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "PlanCosts.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <optional>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Folds the operand's strides into the access: what provably stays inside
/// becomes part of one affine offset, the rest stays guarded.
PlannedAccess planAccess(const Access &access, const KernelOperand &operand,
                         const std::vector<int64_t> &extents) {
  PlannedAccess planned;
  planned.operand = access.operand();
  planned.pad = access.pad();
  const auto dims = items(access.dims());
  for (uint32_t i = 0; i < dims.size(); ++i) {
    GuardedDim dim{i,
                   dims[i]->boundary(),
                   operand.sizes[i],
                   operand.strides[i],
                   dims[i]->value(),
                   dims[i]->offset()};
    if (dim.value < 0) {
      for (unsigned d = 0; d < extents.size(); ++d)
        dim.index.add(d, dims[i]->coefficients()->Get(d));
      // Equal forms then mean equal elements: a store is seen to be where a
      // load is.
      dim.index = dim.index.withoutUnitDims(extents);
    }
    // The verifier proved `Inside`; a guard that never acts is dropped here.
    if (dim.boundary == Boundary::Inside ||
        (dim.value < 0 && rangeOf(dim.index, extents).isWithin(dim.size)))
      planned.position.add(dim.index, dim.stride);
    else
      planned.guarded.push_back(std::move(dim));
  }
  assert(planned.position.isExact() && "every step stays inside the tensor");
  return planned;
}

/// Collapses neighbouring dimensions, outermost first, into one loop each. Two
/// collapse if in every used access a step of the outer one is as long as all
/// of the inner one: then the address depends on outer * extent + inner only.
/// Dimensions of extent 1 disappear.
std::vector<LoopGroup> collapse(const std::vector<unsigned> &dims,
                                const LoopPlan &plan,
                                const std::vector<bool> &used) {
  std::vector<LoopGroup> groups;
  for (unsigned dim : dims) {
    if (plan.extents[dim] == 1)
      continue;
    bool collapses = !groups.empty() && !plan.pinned[dim] &&
                     !plan.pinned[groups.back().inner];
    for (size_t a = 0; collapses && a < plan.accesses.size(); ++a)
      collapses =
          !used[a] || plan.accesses[a].position[groups.back().inner] ==
                          plan.accesses[a].position[dim] * plan.extents[dim];
    if (collapses) {
      groups.back().extent *= plan.extents[dim];
      groups.back().inner = dim;
    } else {
      groups.push_back({plan.extents[dim], dim});
    }
  }
  return groups;
}

bool overlap(const KernelOperand &a, const KernelOperand &b) {
  return !kernel::provablyDisjoint(
      {a.address, a.sizes, a.strides, elementSize(a.type)},
      {b.address, b.sizes, b.strides, elementSize(b.type)});
}

/// Which accesses are used at all, by a store, and by each stage.
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

/// True if no point touches what another point writes: each store is injective
/// over the points, and everything else that overlaps its operand is the very
/// element that the same point stores.
bool pointsAreIndependent(const Kernel &kernel, const LoopPlan &plan,
                          const std::vector<KernelOperand> &operands,
                          const Uses &uses) {
  for (size_t s = 0; s < plan.accesses.size(); ++s) {
    if (!uses.stored[s])
      continue;
    const PlannedAccess &store = plan.accesses[s];
    // Iterations of a point may store to the same element: loops in which the
    // store does not move are left out. Signs do not matter for whether two
    // indices meet, since a reversed dimension takes the same values.
    std::vector<int64_t> extents, strides;
    for (size_t d = 0; d < plan.extents.size(); ++d)
      if (kernel.parallel()->Get(d) || store.position[d] != 0) {
        extents.push_back(plan.extents[d]);
        strides.push_back(std::abs(store.position[d]));
      }
    if (!kernel::isInjective(extents, strides))
      return false;
    for (size_t a = 0; a < plan.accesses.size(); ++a) {
      if (a == s || !uses.any[a])
        continue;
      // Overlapping operands with another address or element size would need a
      // proof that no two points meet; that is left out, and the kernel runs in
      // order.
      const PlannedAccess &other = plan.accesses[a];
      if (other.operand != store.operand &&
          !overlap(operands[other.operand], operands[store.operand]))
        continue;
      const bool samePlace =
          operands[other.operand].address == operands[store.operand].address &&
          elementSize(operands[other.operand].type) ==
              elementSize(operands[store.operand].type) &&
          other.guarded.empty() && other.position == store.position;
      if (!samePlace)
        return false;
    }
  }
  return true;
}

/// Makes innermost the parallel dimension along which vectorising is much
/// cheaper than along the current one.
void chooseLaneDim(LoopPlan &plan, const Kernel &kernel,
                   const std::vector<unsigned> &order,
                   const std::vector<bool> &used) {
  if (plan.parallel.size() < 2)
    return;
  // Iterating in store order writes full cache lines; only a large saving in
  // gathers justifies another order.
  constexpr double farLower = 0.5;
  double least =
      pointCost(kernel, plan.loops, plan.accesses, plan.parallel.back()) *
      farLower;
  // Each candidate is collapsed and costed anew: at most five dimensions.
  for (unsigned dim : order) {
    std::vector<unsigned> turned = order;
    turned.erase(std::find(turned.begin(), turned.end(), dim));
    turned.push_back(dim);
    std::vector<LoopGroup> groups = collapse(turned, plan, used);
    const double cost =
        pointCost(kernel, plan.loops, plan.accesses, groups.back());
    if (plan.extents[dim] > 1 && cost < least) {
      least = cost;
      plan.parallel = std::move(groups);
    }
  }
}

/// Marks the dimensions whose own index is needed, by an Index instruction or a
/// guarded dimension.
void findPinned(LoopPlan &plan, const Kernel &kernel) {
  for (const Stage *stage : items(kernel.stages()))
    for (const Inst *inst : items(stage->insts()))
      if (inst->op() == Op::Index)
        plan.pinned[inst->a()] = true;
  for (const PlannedAccess &access : plan.accesses)
    for (const GuardedDim &dim : access.guarded)
      for (unsigned d = 0; d < dim.index.size(); ++d)
        if (dim.index[d] != 0)
          plan.pinned[d] = true;
}

/// Per operand: whether no output, or if it is one, no other operand, overlaps
/// it.
std::vector<bool> findDisjoint(const Kernel &kernel,
                               const std::vector<KernelOperand> &operands) {
  std::vector<bool> disjoint;
  const unsigned inputs = items(kernel.inputs()).size();
  for (unsigned o = 0; o < operands.size(); ++o) {
    bool apart = true;
    for (unsigned other = 0; other < operands.size(); ++other)
      if (other != o && (o >= inputs || other >= inputs))
        apart &= !overlap(operands[o], operands[other]);
    disjoint.push_back(apart);
  }
  return disjoint;
}

/// Sorts dimensions so that the innermost one has the smallest stride in the
/// first store: points then run along its memory.
void sortByFirstStore(std::vector<unsigned> &dims, const LoopPlan &plan,
                      const Uses &uses) {
  const auto first = std::find(uses.stored.begin(), uses.stored.end(), true);
  if (first == uses.stored.end())
    return;
  const kernel::Affine &store =
      plan.accesses[size_t(first - uses.stored.begin())].position;
  // Ties by number: the order, and with it the code, depends on nothing else.
  std::sort(dims.begin(), dims.end(), [&](unsigned x, unsigned y) {
    const int64_t p = std::abs(store[x]), q = std::abs(store[y]);
    return p != q ? p > q : x < y;
  });
}

/// The loops of each stage and the work of a point.
void planStages(LoopPlan &plan, const Kernel &kernel, const Uses &uses) {
  const auto stages = items(kernel.stages());
  plan.workPerPoint = 0;
  for (uint32_t s = 0; s < stages.size(); ++s) {
    std::vector<unsigned> dims;
    double iterations = 1;
    for (uint8_t dim : items(stages[s]->loops())) {
      dims.push_back(dim);
      iterations *= double(plan.extents[dim]);
    }
    plan.loops.push_back(collapse(dims, plan, uses.perStage[s]));
    plan.workPerPoint += iterations * scalarCost(*stages[s]);
  }
}

} // namespace

bool readsWhereItWrites(const Kernel &kernel,
                        const std::vector<KernelOperand> &operands,
                        unsigned input, unsigned output) {
  const std::vector<int64_t> extents = copyOf(kernel.index_space());
  const auto planned = [&](uint32_t access) {
    const Access &of = *kernel.accesses()->Get(access);
    return planAccess(of, operands[of.operand()], extents);
  };
  std::vector<uint32_t> loads;
  std::optional<PlannedAccess> stored;
  for (const Stage *stage : items(kernel.stages())) {
    for (const Inst *inst : items(stage->insts()))
      if (inst->op() == Op::Load &&
          kernel.accesses()->Get(inst->a())->operand() == input) {
        if (stored)
          return false;
        loads.push_back(inst->a());
      }
    // An output has one store.
    for (const Store *store : items(stage->stores()))
      if (kernel.accesses()->Get(store->access())->operand() == output)
        stored = planned(store->access());
  }
  // Stores are injective, so another point loads another element.
  return stored && stored->guarded.empty() &&
         std::all_of(loads.begin(), loads.end(), [&](uint32_t access) {
           const PlannedAccess load = planned(access);
           return load.guarded.empty() && load.position == stored->position;
         });
}

LoopPlan planLoops(const Kernel &kernel,
                   const std::vector<KernelOperand> &operands) {
  LoopPlan plan;
  plan.extents = copyOf(kernel.index_space());
  const size_t rank = plan.extents.size();
  plan.pinned.assign(rank, false);
  for (const Access *access : items(kernel.accesses())) {
    assert(access->operand() < operands.size() && "verified");
    plan.accesses.push_back(
        planAccess(*access, operands[access->operand()], plan.extents));
  }
  const Uses uses = usesOf(kernel, plan.accesses.size());
  findPinned(plan, kernel);
  plan.disjoint = findDisjoint(kernel, operands);
  for (unsigned o = 0; o < operands.size(); ++o)
    for (unsigned output : operands[o].inPlace)
      plan.inPlace.push_back({o, output});
  plan.independent = pointsAreIndependent(kernel, plan, operands, uses);
  if (rank == 0) {
    // A kernel on scalars has one point: a dimension of extent 1 for it.
    plan.extents.push_back(1);
    plan.pinned.push_back(false);
  }

  std::vector<unsigned> parallel;
  for (unsigned d = 0; d < rank; ++d)
    if (kernel.parallel()->Get(d)) {
      parallel.push_back(d);
      plan.points *= plan.extents[d];
    }
  // Dependent points keep their row-major order: a later one may read what an
  // earlier one stored.
  if (plan.independent)
    sortByFirstStore(parallel, plan, uses);
  planStages(plan, kernel, uses);
  plan.parallel = collapse(parallel, plan, uses.any);
  if (plan.independent)
    chooseLaneDim(plan, kernel, parallel, uses.any);
  if (plan.parallel.empty())
    plan.parallel.push_back({1, parallel.empty() ? 0u : parallel.back()});
  return plan;
}

} // namespace gaudi::runtime
