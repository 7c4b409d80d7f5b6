// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best boundaries of one symbol, for every budget.
#ifndef GAUDI_LIB_SHAPES_PARTITION_H
#define GAUDI_LIB_SHAPES_PARTITION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// Splits n sizes, in ascending order, into at most k runs. The launches of a
/// run take the cost of its last size.
///
/// The cost of the run from i to j, c(j) * (W(j) - W(i)) with costs c and
/// launches W of the sizes until j, meets the quadrangle inequality because c
/// ascends: exchanging the begins of two runs that nest for two that cross
/// saves (c(j') - c(j)) * (W(i') - W(i)) >= 0. So the best begin of the last
/// run ascends with its end, and divide and conquer finds a layer of all ends
/// in O(n log n).
class Partition {
public:
  /// `costs` must ascend (equal ones are allowed), `weights` are not negative.
  Partition(std::vector<double> costs, const std::vector<double> &weights,
            size_t maxRuns);

  /// Budgets beyond this one change nothing.
  size_t maxRuns() const { return totals.size(); }
  /// The least cost of all launches with at most `runs` runs, from 1.
  double cost(size_t runs) const;
  /// The last sizes of its runs, by number, ascending.
  std::vector<size_t> ends(size_t runs) const;

private:
  void fillLayer(size_t layer);

  std::vector<double> costs;
  std::vector<double> before; // launches of the sizes before i; n + 1 numbers
  // The least costs of the sizes before i in at most `layer` runs, and in the
  // one of the layer before.
  std::vector<double> best, previous;
  // Where the last run of the sizes before i begins; one row per layer.
  std::vector<std::vector<uint32_t>> begins;
  std::vector<double> totals; // per layer, of all sizes
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_PARTITION_H
