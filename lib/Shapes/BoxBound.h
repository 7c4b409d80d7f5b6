// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lower bound of a box problem by Lagrangian relaxation.
#ifndef GAUDI_LIB_SHAPES_BOXBOUND_H
#define GAUDI_LIB_SHAPES_BOXBOUND_H

#include "BoxRows.h"
#include "Cut.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace gaudi::shapes {

/// The problem is a p-median: choose boxes, and let each launch run in the
/// cheapest that takes it. Relaxed, each launch pays its price and gets back
/// what it saves in every chosen box that costs less than the price, so a box
/// earns
///   rho(j) = sum over its launches i of w(i) * max(0, price(i) - cost(j)),
/// and sum of w * price - (the largest rho, one per box of the budget) is a
/// lower bound for any prices (Cornuejols, Fisher and Nemhauser, 1977). Prices
/// rise where no chosen box takes a launch and fall where several do; the
/// direction is averaged over steps as in the volume algorithm (Barahona and
/// Anbil, 2000).
class BoxBound {
public:
  /// `prices`: per launch, not below the bound's cost of its own cell.
  BoxBound(const BoxRows &rows, size_t maxBoxes, std::vector<double> prices,
           Cut &cut);

  /// Some steps that need an upper bound of the optimum, then an evaluation of
  /// all boxes. One that is cut gains nothing.
  void round(double upperBound);

  /// The largest bound so far, and its prices.
  double best() const { return std::max(bestBound, ownBound); }
  const std::vector<double> &bestPrices() const { return pricesOfBest; }
  /// The boxes that earned most at the last evaluation: as many as the budget,
  /// with the last cell.
  const std::vector<size_t> &chosen() const { return selected; }
  /// Those and the next ones, ascending: where good solutions are sought.
  const std::vector<size_t> &promising() const { return active; }
  /// Steps have become too short to matter.
  bool isDone() const { return scale < 1e-4; }

private:
  std::optional<double> evaluate(const std::vector<size_t> &candidates);
  void step(double bound, double upperBound);
  void activate();

  const BoxRows &rows;
  Cut &cut;
  size_t maxBoxes;
  std::vector<double> prices, pricesOfBest, most, direction, earned;
  std::vector<size_t> all, active, selected;
  /// The bound of launches that pay what their own cells cost, in which no box
  /// earns anything.
  double ownBound = 0;
  double bestBound, scale;
  unsigned roundsWithoutGain = 0;
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_BOXBOUND_H
