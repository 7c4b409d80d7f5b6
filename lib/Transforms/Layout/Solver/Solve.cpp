// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces a problem and solves what is left, component by component.
#include "../Solver.h"
#include "Cut.h"
#include "Elimination.h"
#include "Reduction.h"
#include "Search.h"

namespace gaudi::layout {
namespace {
/// Entries of all tables of one component, in tables of the largest size.
constexpr uint64_t maxTables = 512;

Plan planWithin(const Model &model, const Limits &limits) {
  const uint64_t most = maxTables * std::max<uint64_t>(limits.tableEntries, 1);
  // Couplings are not divided, so that at some point nothing changes.
  uint64_t entries = limits.tableEntries;
  Plan plan = planElimination(model, entries);
  while (plan.entries > most && entries > 1) {
    entries /= 8;
    plan = planElimination(model, entries);
  }
  return plan;
}

Solution solveCore(const Model &model, const Limits &limits) {
  const Plan plan = planWithin(model, limits);
  Solution solution;
  if (plan.isExact())
    solution.labels = Elimination(model, plan).decode();
  else if (std::optional<std::vector<uint32_t>> labels = solveByCut(model))
    solution.labels = std::move(*labels);
  else
    return search(model, plan, limits.searchSteps);
  solution.cost = solution.lowerBound = model.cost(solution.labels);
  return solution;
}

int64_t costOf(const Problem &problem, const std::vector<uint32_t> &labels) {
  int64_t sum = 0;
  for (size_t v = 0; v < labels.size(); ++v)
    sum = add(sum, std::min(problem.variables[v].costs[labels[v]], forbidden));
  for (const Coupling &coupling : problem.couplings) {
    const size_t count = problem.variables[coupling.b].costs.size();
    const size_t at = labels[coupling.a] * count + labels[coupling.b];
    sum = add(sum, std::min(coupling.costs[at], forbidden));
  }
  return sum;
}
} // namespace

Solution solve(const Problem &problem, const Limits &limits) {
  Reduction reduction(problem);
  reduction.run();
  Solution solution;
  solution.labels.assign(problem.variables.size(), 0);
  solution.lowerBound = reduction.constant();
  for (const Core &core : reduction.cores()) {
    const Solution part = solveCore(core.model, limits);
    solution.lowerBound = add(solution.lowerBound, part.lowerBound);
    for (size_t i = 0; i < core.variables.size(); ++i)
      solution.labels[core.variables[i]] = core.labels[i][part.labels[i]];
  }
  reduction.complete(solution.labels);
  solution.cost = costOf(problem, solution.labels);
  assert(solution.lowerBound <= solution.cost && "the bound is one");
  return solution;
}

} // namespace gaudi::layout
