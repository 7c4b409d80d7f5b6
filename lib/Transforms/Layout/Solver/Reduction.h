// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact simplification of a problem: variables with at most two neighbours are
// eliminated (reductions R0, R1 and R2 of partitioned Boolean quadratic
// programming), labels that another label dominates are dropped.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SOLVER_REDUCTION_H
#define GAUDI_TRANSFORMS_LAYOUT_SOLVER_REDUCTION_H

#include "Model.h"
#include <unordered_map>

namespace gaudi::layout {

/// A connected component of what is left.
struct Core {
  Model model;
  std::vector<uint32_t> variables;           ///< of the problem
  std::vector<std::vector<uint32_t>> labels; ///< of the problem, per variable
};

class Reduction {
public:
  explicit Reduction(const Problem &problem);

  /// Reduces until nothing changes. Linear in the entries of the tables for
  /// graphs that reduce to nothing, as chains, trees and series-parallel graphs
  /// do.
  void run();

  /// What is left, by components.
  std::vector<Core> cores() const;

  /// The cost of what is gone.
  int64_t constant() const { return base; }

  /// Completes labels of the cores' variables: the best of each variable that
  /// is gone, in the reverse order. Labels are those of the problem.
  void complete(std::vector<uint32_t> &labels) const;

private:
  struct Edge {
    uint32_t a, b; ///< a < b
    std::vector<int64_t> costs;
    bool isAlive = true;
  };
  /// A variable that is gone: its best label for each labels of `neighbours`.
  struct Gone {
    uint32_t variable, neighbours[2], count;
    uint32_t stride; ///< labels of the second neighbour
    std::vector<uint32_t> best;
  };
  /// An edge as one of its ends sees it.
  struct View {
    const int64_t *costs;
    uint32_t other;
    size_t own, others; ///< strides of the two labels
    int64_t at(size_t i, size_t j) const { return costs[i * own + j * others]; }
  };

  size_t labels(uint32_t variable) const { return costs[variable].size(); }
  View view(uint32_t variable, uint32_t edge) const;
  void couple(uint32_t a, uint32_t b, std::vector<int64_t> table);
  bool separate(Edge &edge);
  void detach(uint32_t edge);
  void liveEdges(uint32_t variable);
  void touch(uint32_t variable);
  void eliminate(uint32_t variable);
  void eliminatePath(uint32_t variable, Gone &gone);
  void fix(uint32_t variable, uint32_t label);
  bool dropDominated(uint32_t variable);
  bool dominates(uint32_t variable, uint32_t better, uint32_t worse) const;
  /// Labels that are not forbidden.
  uint32_t allowed(uint32_t variable, uint32_t &last) const;

  std::vector<std::vector<int64_t>> costs;
  std::vector<Edge> edges;
  std::vector<std::vector<uint32_t>> incident; ///< may name dead edges
  std::vector<uint32_t> degree;                ///< live edges
  std::vector<char> isGone, isQueued;
  std::vector<uint32_t> checks; ///< for dominated labels, per variable
  std::unordered_map<uint64_t, uint32_t> edgeOf;
  std::vector<uint32_t> queue, dirty;
  std::vector<Gone> gone;
  int64_t base = 0;
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SOLVER_REDUCTION_H
