// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alternates between the bound and interchanges of boxes.
#include "BoxSearch.h"

#include "BoxBound.h"
#include "Interchange.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace gaudi::shapes;

namespace {
// Rounds of the bound between two searches for boxes, and the most passes of
// one over its candidates.
constexpr unsigned roundsPerSearch = 4, passes = 50;
// Attempts to leave the local optimum that the searches end in.
constexpr unsigned shakes = 24;
// A gap that small cannot be seen in print.
constexpr double smallGap = 1e-5;
} // namespace

namespace {
/// Prices to start with, per launch.
std::vector<double> startPrices(const BoxRows &rows,
                                const Interchange &interchange,
                                const std::vector<double> &given) {
  std::vector<double> prices = interchange.nearest();
  for (size_t i = 0; i < prices.size(); ++i) {
    if (given.empty())
      // A launch pays up to half of the way to its next box.
      prices[i] +=
          0.5 * std::min(interchange.nextNearest()[i] - prices[i], prices[i]);
    else
      prices[i] = std::max(given[rows.cellOf(i)],
                           rows.problem().boundCosts[rows.cellOf(i)]);
  }
  return prices;
}

/// Leaves local optima: boxes next to each other go, and others are sought in
/// their place.
void shake(Interchange &interchange, const std::vector<size_t> &candidates,
           size_t maxBoxes, Cut &cut, BoxSolution &solution) {
  std::minstd_rand random; // the same everywhere
  for (unsigned i = 0; i < shakes && solution.boxes.size() > 2 && !cut.isDue();
       ++i) {
    // Cells are numbered by rows, so neighbours in number are near each other.
    std::vector<size_t> boxes = solution.boxes;
    std::sort(boxes.begin(), boxes.end());
    const size_t others = boxes.size() - 1; // the last one stays
    const size_t count = std::clamp<size_t>(others / 8, 2, others);
    const size_t from = random() % (others - count + 1);
    boxes.erase(boxes.begin() + ptrdiff_t(from),
                boxes.begin() + ptrdiff_t(from + count));
    interchange.grow(boxes, candidates, maxBoxes);
    const double cost = interchange.improve(boxes, candidates, passes);
    if (cost < solution.cost) {
      solution.cost = cost;
      solution.boxes = std::move(boxes);
    }
  }
}
} // namespace

BoxSolution gaudi::shapes::searchBoxes(const BoxProblem &problem,
                                       size_t maxBoxes, unsigned rounds,
                                       const BoxSolution &start, Cut &cut) {
  const BoxRows rows(problem);
  Interchange interchange(rows, cut);
  std::vector<size_t> all;
  BoxSolution solution;
  solution.boxes = start.boxes;
  // Without a start all cells are candidates once, greedily.
  if (start.boxes.empty()) {
    all.resize(rows.cells());
    std::iota(all.begin(), all.end(), 0);
    solution.boxes = {rows.cells() - 1};
    interchange.grow(solution.boxes, all, maxBoxes);
  }
  solution.cost = interchange.cost(solution.boxes);
  BoxBound bound(rows, maxBoxes, startPrices(rows, interchange, start.prices),
                 cut);
  for (unsigned round = 0; round < rounds && !bound.isDone() && !cut.isDue();
       ++round) {
    // A search takes longer than a step of the bound, so it runs every few
    // rounds.
    if (round % roundsPerSearch == 0) {
      std::vector<size_t> boxes = bound.chosen();
      interchange.grow(boxes, bound.promising(), maxBoxes);
      const double cost = interchange.improve(boxes, bound.promising(), passes);
      if (cost < solution.cost) {
        solution.cost = cost;
        solution.boxes = std::move(boxes);
      }
    }
    // Within the gap the two cannot differ by what matters.
    if (solution.cost <= bound.best() * (1 + smallGap))
      break;
    bound.round(solution.cost);
  }
  // Random changes last: they find what exchanges of one box do not.
  shake(interchange, bound.promising(), maxBoxes, cut, solution);
  solution.cost = interchange.improve(
      solution.boxes, all.empty() ? bound.promising() : all, passes);
  solution.lowerBound = std::min(solution.cost, bound.best());
  // Prices are given per cell, so that a search on a finer grid can start from
  // them.
  solution.prices.resize(rows.cells());
  for (size_t i = 0; i < rows.launches(); ++i)
    solution.prices[rows.cellOf(i)] = bound.bestPrices()[i];
  std::sort(solution.boxes.begin(), solution.boxes.end());
  return solution;
}
