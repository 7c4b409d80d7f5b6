// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
// A round of the search is about quadratic in the cells. A search on the coarse
// grid finds boxes and prices, from which few rounds on the fine one are enough
// for a tight bound.
constexpr size_t coarseCells = 8192, fineCells = size_t(1) << 18;
constexpr double coarseVisits = 1 << 21, fineVisits = 1 << 24;
constexpr unsigned fineShare = 2; // one in so many rounds

/// Their product, or fineCells + 1 if it is larger.
size_t cellsOf(const std::vector<size_t> &extents) {
  size_t cells = 1;
  for (size_t extent : extents)
    cells = extent > fineCells ? fineCells + 1
                               : std::min(cells * extent, fineCells + 1);
  return cells;
}

/// How often an evaluation of all boxes looks at a row of a box.
double visitsOf(const std::vector<size_t> &extents) {
  double visits = double(extents.back());
  for (size_t i = 0; i + 1 < extents.size(); ++i)
    visits *= double(extents[i]) * double(extents[i] + 1) / 2;
  return visits;
}

/// Extents of a grid of at most `maxCells` cells that takes at most `maxVisits`
/// to evaluate: the largest ones shrink first.
std::vector<size_t> shrunk(std::vector<size_t> extents, size_t maxCells,
                           double maxVisits) {
  while (cellsOf(extents) > maxCells || visitsOf(extents) > maxVisits) {
    size_t &most = *std::max_element(extents.begin(), extents.end());
    if (most == 1)
      break; // one cell
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
            const std::vector<Observation> &launches, bool hasCost) {
  std::vector<size_t> multiples;
  for (const Axis &axis : axes)
    multiples.push_back(
        size_t((roundUp(axis.max, axis.grain) - roundUp(axis.min, axis.grain)) /
                   axis.grain +
               1));
  const bool takesAll = hasCost && cellsOf(multiples) <= fineCells;
  std::vector<std::vector<int64_t>> result;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Axis &axis = axes[i];
    const int64_t last = roundUp(axis.max, axis.grain);
    std::set<int64_t> sizes = {last};
    for (const Observation &launch : launches)
      sizes.insert(roundUp(launch.sizes[i], axis.grain));
    if (takesAll)
      for (int64_t size = *sizes.begin(); size < last; size += axis.grain)
        sizes.insert(size);
    result.emplace_back(sizes.begin(), sizes.end());
  }
  return result;
}
} // namespace

Result<BoxGrid>
BoxGrid::create(const std::vector<Axis> &axes,
                const std::vector<std::vector<int64_t>> &coordinates,
                const std::vector<Observation> &launches,
                const CostFunction &cost, size_t maxCells, double maxVisits) {
  BoxGrid grid;
  std::vector<size_t> extents;
  for (const std::vector<int64_t> &sizes : coordinates)
    extents.push_back(sizes.size());
  // Fewer groups than sizes if the search would take too long.
  extents = shrunk(std::move(extents), maxCells, maxVisits);
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::vector<int64_t> &sizes = coordinates[i];
    std::vector<double> weights(sizes.size());
    // Groups of neighbouring sizes with about the same number of launches.
    for (const Observation &launch : launches)
      weights[size_t(
          std::lower_bound(sizes.begin(), sizes.end(), launch.sizes[i]) -
          sizes.begin())] += double(launch.count);
    grid.largest.emplace_back();
    grid.least.emplace_back();
    size_t begin = 0;
    for (size_t end : groupEnds(weights, extents[i])) {
      // A group rounds up to its largest size; its least bounds the cost from
      // below.
      grid.largest[i].push_back(sizes[end]);
      grid.least[i].push_back(sizes[begin]);
      begin = end + 1;
    }
    grid.gridProblem.extents.push_back(grid.largest[i].size());
  }
  grid.gridProblem.weights.resize(cellsOf(grid.gridProblem.extents));
  for (const Observation &launch : launches)
    grid.gridProblem.weights[grid.cellOf(launch.sizes)] += double(launch.count);
  GAUDI_TRY(grid.addCosts(axes, cost));
  return grid;
}

size_t BoxGrid::cellOf(const Sizes &sizes) const {
  size_t cell = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::vector<int64_t> &of = largest[i];
    const auto it = std::lower_bound(of.begin(), of.end(), sizes[i]);
    assert(it != of.end() && "the last box takes all launches");
    cell = cell * of.size() + size_t(it - of.begin());
  }
  return cell;
}

Sizes BoxGrid::sizesOf(size_t cell,
                       const std::vector<std::vector<int64_t>> &of) {
  Sizes sizes(of.size());
  for (size_t i = of.size(); i-- > 0;) {
    sizes[i] = of[i][cell % of[i].size()];
    cell /= of[i].size();
  }
  return sizes;
}

Status BoxGrid::addCosts(const std::vector<Axis> &axes,
                         const CostFunction &cost) {
  const size_t cells = gridProblem.weights.size();
  replacement.resize(cells);
  std::iota(replacement.begin(), replacement.end(), 0);
  // Twice: at the largest sizes, which a box has, and at the least, which no
  // launch of it is below.
  for (bool isLeast : {false, true}) {
    std::vector<double> &costs =
        isLeast ? gridProblem.boundCosts : gridProblem.costs;
    costs.resize(cells);
    for (size_t cell = 0; cell < cells; ++cell) {
      const Sizes sizes = sizesOf(cell, isLeast ? least : largest);
      double value = 1;
      // Without a cost function, the volume.
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
    for (size_t i = axes.size(); i-- > 0; stride *= gridProblem.extents[i])
      for (size_t cell = cells; cell-- > 0;)
        if (cell / stride % gridProblem.extents[i] + 1 <
                gridProblem.extents[i] &&
            costs[cell + stride] < costs[cell]) {
          costs[cell] = costs[cell + stride];
          // The box that is cheaper is chosen in its place.
          if (!isLeast)
            replacement[cell] = replacement[cell + stride];
        }
  }
  // A bound may not be above the cost.
  for (size_t cell = 0; cell < cells; ++cell)
    gridProblem.boundCosts[cell] =
        std::min(gridProblem.boundCosts[cell], gridProblem.costs[cell]);
  return {};
}

Result<Boxes> Boxes::create(const std::vector<Axis> &axes,
                            const Histogram &observed,
                            const CostFunction &cost) {
  // Launches outside of the bounds cannot be served, whatever is chosen.
  std::vector<Observation> inside;
  std::vector<std::set<int64_t>> sizes(axes.size());
  for (const Observation &observation : observed.observations) {
    bool isInside = true;
    for (size_t i = 0; i < axes.size(); ++i)
      isInside &= observation.sizes[i] >= axes[i].min &&
                  observation.sizes[i] <= axes[i].max;
    if (!isInside)
      continue;
    inside.push_back(observation);
    for (size_t i = 0; i < axes.size(); ++i)
      sizes[i].insert(observation.sizes[i] / axes[i].grain);
  }
  // The axis with most sizes last: rows of cells are then long.
  Boxes boxes;
  boxes.order.resize(axes.size());
  std::iota(boxes.order.begin(), boxes.order.end(), 0);
  std::sort(boxes.order.begin(), boxes.order.end(), [&](size_t a, size_t b) {
    return sizes[a].size() != sizes[b].size()
               ? sizes[a].size() < sizes[b].size()
               : a < b;
  });
  std::vector<Axis> ordered;
  for (size_t axis : boxes.order)
    ordered.push_back(axes[axis]);
  for (Observation &observation : inside) {
    const Sizes given = observation.sizes;
    for (size_t i = 0; i < axes.size(); ++i)
      observation.sizes[i] = given[boxes.order[i]];
  }
  CostFunction orderedCost;
  if (cost)
    orderedCost = [&](const Sizes &at) { return cost(boxes.given(at)); };
  BoxGrid fine = GAUDI_TRY(
      BoxGrid::create(ordered, coordinates(ordered, inside, cost != nullptr),
                      inside, orderedCost, fineCells, fineVisits));
  // The coarse grid gives the first solution in a fraction of the time.
  // Its coordinates are among those of the fine one, so are its boxes.
  if (fine.problem().weights.size() > coarseCells) {
    boxes.grids.push_back(
        GAUDI_TRY(BoxGrid::create(ordered, fine.coordinates(), inside,
                                  orderedCost, coarseCells, coarseVisits)));
    boxes.grids.back().dropBound();
  }
  boxes.grids.push_back(std::move(fine));
  return boxes;
}

Sizes Boxes::given(const Sizes &ordered) const {
  Sizes sizes(ordered.size());
  for (size_t i = 0; i < ordered.size(); ++i)
    sizes[order[i]] = ordered[i];
  return sizes;
}

BoxSolution Boxes::search(size_t count, unsigned rounds, Cut &cut) {
  const BoxGrid &coarse = grids.front(), &fine = grids.back();
  start = searchBoxes(coarse.problem(), count, rounds, {{}, 0, 0, start.prices},
                      cut);
  if (grids.size() == 1)
    return start;
  BoxSolution refined;
  for (size_t cell : start.boxes)
    refined.boxes.push_back(fine.cellOf(coarse.sizesOf(cell)));
  const std::vector<double> &weights = fine.problem().weights;
  refined.prices.resize(weights.size());
  // Prices follow the costs of the own cells.
  const std::vector<double> &fineCosts = fine.problem().costs;
  const std::vector<double> &coarseCosts = coarse.problem().costs;
  for (size_t cell = 0; cell < weights.size(); ++cell) {
    if (!(weights[cell] > 0))
      continue;
    const size_t from = coarse.cellOf(fine.sizesOf(cell));
    refined.prices[cell] = start.prices[from];
    if (coarseCosts[from] > 0)
      refined.prices[cell] *= fineCosts[cell] / coarseCosts[from];
  }
  return searchBoxes(fine.problem(), count,
                     (rounds + fineShare - 1) / fineShare, refined, cut);
}

std::vector<Sizes> Boxes::boxes(const BoxSolution &solution) const {
  std::set<Sizes> boxes;
  for (size_t cell : solution.boxes)
    boxes.insert(given(grids.back().boxOf(cell)));
  return {boxes.begin(), boxes.end()};
}
