// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bucket elimination with tables of bounded size.
//
// Eliminating a variable replaces the functions that read it, its bucket, by
// the least costs for each labels of their other variables. Where that table
// would be too large the bucket is divided into mini-buckets, which choose the
// label each by itself: then the result is a lower bound.
//
// R. Dechter, "Bucket elimination: a unifying framework for reasoning", 1999;
// R. Dechter and I. Rish, "Mini-buckets: a general scheme for bounded
// inference", 2003.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SOLVER_ELIMINATION_H
#define GAUDI_TRANSFORMS_LAYOUT_SOLVER_ELIMINATION_H

#include "Model.h"

namespace gaudi::layout {

/// What is done when one variable is eliminated. Ids of functions count those
/// of the model first, then results in the order in which they are made.
struct Bucket {
  uint32_t variable = 0;
  struct Part {
    std::vector<uint32_t> functions, scope; ///< scope without the variable
    uint32_t result = 0;
  };
  std::vector<Part> parts;
  /// No part below was divided, so that the best label is known.
  bool isExact = true;
};

/// Buckets in the order of elimination.
struct Plan {
  std::vector<Bucket> buckets;
  uint64_t entries = 0; ///< of all tables
  uint32_t divided = 0; ///< buckets
  bool isExact() const { return divided == 0; }
};

/// A plan in which no result has more entries than `tableEntries`, but that
/// functions of the model are not divided. Of two orders (least table first,
/// fewest new couplings first) the one that divides less, then the cheaper one.
Plan planElimination(const Model &model, uint64_t tableEntries);

/// The functions that elimination by `plan` makes.
class Elimination {
public:
  Elimination(const Model &model, const Plan &plan);

  /// No labels cost less; their least cost if the plan is exact.
  int64_t bound() const { return lowest; }

  /// What the bound grows by if the variable of bucket `at` takes `label`, when
  /// all variables of later buckets have their `labels`. Forbidden if the
  /// labels then cannot be completed.
  int64_t increase(size_t at, const std::vector<uint32_t> &labels,
                   uint32_t label) const;

  /// Labels of the variables from the last bucket on, each the one that raises
  /// the bound least; best ones if the plan is exact.
  std::vector<uint32_t> decode() const;

private:
  size_t index(const Function &function, const std::vector<uint32_t> &labels,
               uint32_t variable, uint32_t label) const;
  void combine(const Bucket &bucket);

  const Model &model;
  const Plan &plan;
  std::vector<Function> results; ///< that plan numbers after the model's
  const Function &function(uint32_t id) const {
    return id < model.functions.size() ? model.functions[id]
                                       : results[id - model.functions.size()];
  }
  int64_t lowest = 0;
};

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SOLVER_ELIMINATION_H
