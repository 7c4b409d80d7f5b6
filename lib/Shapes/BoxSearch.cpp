// Alternates between the bound and interchanges of boxes.
#include "BoxSearch.h"

#include "BoxBound.h"
#include "Interchange.h"

#include <algorithm>
#include <numeric>

using namespace gaudi::shapes;

namespace {
// Rounds of the bound between two searches for boxes.
constexpr unsigned roundsPerSearch = 4;
// A gap that small cannot be seen in print.
constexpr double smallGap = 1e-5;
} // namespace

BoxSolution gaudi::shapes::searchBoxes(const BoxProblem &problem,
                                       size_t maxBoxes, unsigned rounds,
                                       std::vector<double> prices) {
  const BoxRows rows(problem);
  Interchange interchange(rows);
  const size_t last = rows.cells() - 1;
  std::vector<size_t> all(rows.cells());
  std::iota(all.begin(), all.end(), 0);
  BoxSolution solution;
  solution.boxes = {last};
  interchange.grow(solution.boxes, all, maxBoxes);
  solution.cost = interchange.cost(solution.boxes);
  if (prices.empty()) {
    // A launch pays up to half of the way to its next box.
    prices = interchange.nearest();
    for (size_t i = 0; i < prices.size(); ++i)
      prices[i] +=
          0.5 * std::min(interchange.nextNearest()[i] - prices[i], prices[i]);
  }
  BoxBound bound(rows, maxBoxes, std::move(prices));
  for (unsigned round = 0; round < rounds && !bound.isDone(); ++round) {
    if (round % roundsPerSearch == 0) {
      std::vector<size_t> boxes = bound.chosen();
      interchange.grow(boxes, bound.promising(), maxBoxes);
      const double cost = interchange.improve(boxes, bound.promising(), 100);
      if (cost < solution.cost) {
        solution.cost = cost;
        solution.boxes = std::move(boxes);
      }
    }
    if (solution.cost <= bound.best() * (1 + smallGap))
      break;
    bound.round(solution.cost);
  }
  solution.cost = interchange.improve(solution.boxes, all, 100);
  solution.lowerBound = std::min(solution.cost, bound.best());
  solution.prices = bound.bestPrices();
  std::sort(solution.boxes.begin(), solution.boxes.end());
  return solution;
}
