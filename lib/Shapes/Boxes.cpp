// The grid of candidate boxes: the sizes that launches have, rounded up.
#include "Boxes.h"

#include "Gaudi/Support/Quote.h"
#include "Series.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <set>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
// A round of the search is quadratic in the cells.
constexpr size_t maxCells = 8192;

size_t cellsOf(const std::vector<size_t> &extents) {
  // Each extent was bounded by merging, or is that of a file; it saturates.
  size_t cells = 1;
  for (size_t extent : extents)
    cells = extent > maxCells ? maxCells + 1
                              : std::min(cells * extent, maxCells + 1);
  return cells;
}

/// Extents of a grid of at most maxCells cells: the largest ones shrink first.
std::vector<size_t> shrunk(std::vector<size_t> extents) {
  while (cellsOf(extents) > maxCells) {
    size_t &most = *std::max_element(extents.begin(), extents.end());
    most = most * 7 / 8;
  }
  return extents;
}

/// The numbers of the coordinates, out of those with these launches, that end a
/// group: `groups` of them with about as many launches each.
std::vector<size_t> groupEnds(const std::vector<double> &weights,
                              size_t groups) {
  const size_t n = weights.size();
  double total = 0, sum = 0;
  // Half of the share goes by coordinates, so that rare sizes are not merged
  // too coarsely.
  for (double weight : weights)
    total += weight;
  std::vector<size_t> ends;
  for (size_t i = 0; i < n; ++i) {
    sum += 0.5 * (total > 0 ? weights[i] / total : 0) + 0.5 / double(n);
    const size_t left = n - 1 - i;
    if (i + 1 == n || left < groups - ends.size() ||
        (ends.size() + 1 < groups &&
         sum * double(groups) >= double(ends.size() + 1)))
      ends.push_back(i);
  }
  return ends;
}
/// The sizes of candidates along each axis, ascending: those of launches,
/// rounded up, and the largest one. A cost of its own may be less at a size
/// without launches, so all multiples of the grain are candidates if they are
/// few.
std::vector<std::vector<int64_t>>
coordinates(const std::vector<Axis> &axes,
            const std::vector<const Observation *> &launches, bool hasCost) {
  std::vector<size_t> multiples;
  for (const Axis &axis : axes)
    multiples.push_back(
        size_t((roundUp(axis.max, axis.grain) - roundUp(axis.min, axis.grain)) /
                   axis.grain +
               1));
  const bool takesAll = hasCost && cellsOf(multiples) <= maxCells;
  std::vector<std::vector<int64_t>> result;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Axis &axis = axes[i];
    const int64_t last = roundUp(axis.max, axis.grain);
    std::set<int64_t> sizes = {last};
    for (const Observation *launch : launches)
      sizes.insert(roundUp(launch->sizes[i], axis.grain));
    if (takesAll)
      for (int64_t size = *sizes.begin(); size < last; size += axis.grain)
        sizes.insert(size);
    result.emplace_back(sizes.begin(), sizes.end());
  }
  return result;
}
} // namespace

Result<Boxes> Boxes::create(const std::vector<Axis> &axes,
                            const Histogram &observed,
                            const CostFunction &cost) {
  Boxes boxes;
  boxes.axes = axes;
  std::vector<const Observation *> inside;
  for (const Observation &observation : observed.observations) {
    bool isInside = true;
    for (size_t i = 0; i < axes.size(); ++i)
      isInside &= observation.sizes[i] >= axes[i].min &&
                  observation.sizes[i] <= axes[i].max;
    if (isInside)
      inside.push_back(&observation);
  }
  const std::vector<std::vector<int64_t>> all =
      coordinates(axes, inside, cost != nullptr);
  std::vector<size_t> extents;
  for (const std::vector<int64_t> &sizes : all)
    extents.push_back(sizes.size());
  extents = shrunk(std::move(extents));
  for (size_t i = 0; i < axes.size(); ++i) {
    std::vector<double> weights(all[i].size());
    for (const Observation *observation : inside) {
      const int64_t size = roundUp(observation->sizes[i], axes[i].grain);
      weights[size_t(std::lower_bound(all[i].begin(), all[i].end(), size) -
                     all[i].begin())] += double(observation->count);
    }
    boxes.largest.emplace_back();
    boxes.least.emplace_back();
    size_t begin = 0;
    for (size_t end : groupEnds(weights, extents[i])) {
      boxes.largest[i].push_back(all[i][end]);
      boxes.least[i].push_back(all[i][begin]);
      begin = end + 1;
    }
    boxes.problem.extents.push_back(boxes.largest[i].size());
  }
  const size_t cells = cellsOf(boxes.problem.extents);
  boxes.problem.weights.resize(cells);
  for (const Observation *observation : inside) {
    size_t cell = 0;
    for (size_t i = 0; i < axes.size(); ++i) {
      const std::vector<int64_t> &sizes = boxes.largest[i];
      cell = cell * sizes.size() +
             size_t(std::lower_bound(sizes.begin(), sizes.end(),
                                     observation->sizes[i]) -
                    sizes.begin());
    }
    boxes.problem.weights[cell] += double(observation->count);
  }
  GAUDI_TRY(boxes.addCosts(cost));
  return boxes;
}

Sizes Boxes::sizesOf(size_t cell, bool isLeast) const {
  Sizes sizes(axes.size());
  for (size_t i = axes.size(); i-- > 0;) {
    const std::vector<int64_t> &of = isLeast ? least[i] : largest[i];
    sizes[i] = of[cell % of.size()];
    cell /= of.size();
  }
  return sizes;
}

Status Boxes::addCosts(const CostFunction &cost) {
  const size_t cells = problem.weights.size();
  replacement.resize(cells);
  std::iota(replacement.begin(), replacement.end(), 0);
  for (bool isLeast : {false, true}) {
    std::vector<double> &costs = isLeast ? problem.boundCosts : problem.costs;
    costs.resize(cells);
    for (size_t cell = 0; cell < cells; ++cell) {
      const Sizes sizes = sizesOf(cell, isLeast);
      double value = 1;
      for (int64_t size : sizes)
        value *= double(size);
      if (cost)
        value = cost(sizes);
      if (!(value >= 0 && std::isfinite(value))) {
        std::vector<std::string> names;
        for (const Axis &axis : axes)
          names.push_back(axis.name);
        return fail("a launch of {} costs {}; costs must be finite and not "
                    "negative",
                    describeSizes(names, sizes), value);
      }
      costs[cell] = value;
    }
    // A box that a larger and cheaper one could replace takes its cost, one
    // axis after the other: then costs do not fall along any axis.
    size_t stride = 1;
    for (size_t i = axes.size(); i-- > 0; stride *= problem.extents[i])
      for (size_t cell = cells; cell-- > 0;)
        if (cell / stride % problem.extents[i] + 1 < problem.extents[i] &&
            costs[cell + stride] < costs[cell]) {
          costs[cell] = costs[cell + stride];
          if (!isLeast)
            replacement[cell] = replacement[cell + stride];
        }
  }
  for (size_t cell = 0; cell < cells; ++cell)
    problem.boundCosts[cell] =
        std::min(problem.boundCosts[cell], problem.costs[cell]);
  return {};
}

BoxSolution Boxes::search(size_t count, unsigned rounds) {
  BoxSolution solution = searchBoxes(problem, count, rounds, prices);
  prices = solution.prices;
  return solution;
}

std::vector<Sizes> Boxes::boxes(const BoxSolution &solution) const {
  std::set<Sizes> boxes;
  for (size_t cell : solution.boxes)
    boxes.insert(sizesOf(replacement[cell], false));
  return {boxes.begin(), boxes.end()};
}
