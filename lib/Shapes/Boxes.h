// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best buckets of several symbols.
#ifndef GAUDI_LIB_SHAPES_BOXES_H
#define GAUDI_LIB_SHAPES_BOXES_H

#include "BoxSearch.h"
#include "Gaudi/Shapes/Planner.h"

#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// A grid of candidates, in which neighbouring sizes may have been merged.
class BoxGrid {
public:
  /// Of the sizes `coordinates` along each axis, merged into at most
  /// `maxCells` cells, and as many as can be evaluated by so many visits of
  /// rows. All launches must be within them. Errors: a bad cost.
  static Result<BoxGrid>
  create(const std::vector<Axis> &axes,
         const std::vector<std::vector<int64_t>> &coordinates,
         const std::vector<Observation> &launches, const CostFunction &cost,
         size_t maxCells, double maxVisits);

  const BoxProblem &problem() const { return gridProblem; }
  const std::vector<std::vector<int64_t>> &coordinates() const {
    return largest;
  }
  /// The sizes of the box to take for cell `cell`: one that is nowhere smaller
  /// and costs no more.
  Sizes boxOf(size_t cell) const { return sizesOf(replacement[cell], largest); }
  /// The first cell that is nowhere smaller than `sizes`.
  size_t cellOf(const Sizes &sizes) const;
  /// Makes lower bounds those of boxes in this grid alone, whose prices are
  /// closer to those of the grid without merging.
  void dropBound() { gridProblem.boundCosts = gridProblem.costs; }
  /// The largest sizes of a cell.
  Sizes sizesOf(size_t cell) const { return sizesOf(cell, largest); }

private:
  Status addCosts(const std::vector<Axis> &axes, const CostFunction &cost);
  static Sizes sizesOf(size_t cell,
                       const std::vector<std::vector<int64_t>> &of);

  // Per axis and coordinate: the size of the box, and the least size of a
  // bucket that it stands for. They differ where sizes were merged.
  std::vector<std::vector<int64_t>> largest, least;
  BoxProblem gridProblem;
  std::vector<size_t> replacement; // per cell: the cell that it costs as
};

class Boxes {
public:
  /// For the launches of `observed` within the bounds of `axes`. Errors: a bad
  /// cost.
  static Result<Boxes> create(const std::vector<Axis> &axes,
                              const Histogram &observed,
                              const CostFunction &cost);

  /// At most `count` boxes. Searches of descending counts help each other.
  BoxSolution search(size_t count, unsigned rounds, Cut &cut);
  /// The sizes of the boxes of a solution.
  std::vector<Sizes> boxes(const BoxSolution &solution) const;

private:
  /// Sizes in the order of the axes as given.
  Sizes given(const Sizes &ordered) const;

  std::vector<size_t> order; // of the axes in the grids
  // From coarse to fine: one, or two if the sizes are many.
  std::vector<BoxGrid> grids;
  BoxSolution start; // prices of the search before
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_BOXES_H
