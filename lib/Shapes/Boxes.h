// The best buckets of several symbols.
#ifndef GAUDI_LIB_SHAPES_BOXES_H
#define GAUDI_LIB_SHAPES_BOXES_H

#include "BoxSearch.h"
#include "Gaudi/Shapes/Planner.h"

#include <cstdint>
#include <vector>

namespace gaudi::shapes {

class Boxes {
public:
  /// For the launches of `observed` within the bounds of `axes`. Errors: a bad
  /// cost.
  static Result<Boxes> create(const std::vector<Axis> &axes,
                              const Histogram &observed,
                              const CostFunction &cost);

  /// At most `count` boxes. Searches of descending counts help each other.
  BoxSolution search(size_t count, unsigned rounds);
  /// The sizes of the cells of a solution.
  std::vector<Sizes> boxes(const BoxSolution &solution) const;

private:
  Status addCosts(const CostFunction &cost);
  Sizes sizesOf(size_t cell, bool isLeast) const;

  std::vector<Axis> axes;
  // Per axis and coordinate: the size of the box, and the least size of a
  // bucket that it stands for. They differ where sizes were merged.
  std::vector<std::vector<int64_t>> largest, least;
  BoxProblem problem;
  std::vector<size_t> replacement; // per cell: the cell that it costs as
  std::vector<double> prices;
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_BOXES_H
