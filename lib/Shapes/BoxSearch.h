// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best boxes of several symbols under a budget, with a lower bound.
#ifndef GAUDI_LIB_SHAPES_BOXSEARCH_H
#define GAUDI_LIB_SHAPES_BOXSEARCH_H

#include "Cut.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// Cells of a dense grid, the last axis fastest. Launches are in cells; a box
/// is a cell, and takes the launches of all cells that are nowhere beyond it.
struct BoxProblem {
  std::vector<size_t> extents; // cells per axis
  std::vector<double> weights; // launches per cell
  /// What a launch in the box costs; does not fall along any axis.
  std::vector<double> costs;
  /// At most `costs`, and as monotone: what the lower bound assumes. Differs
  /// from it where a cell stands for several sizes.
  std::vector<double> boundCosts;
};

struct BoxSolution {
  std::vector<size_t> boxes; // cells, ascending; the last cell is one of them
  double cost = 0;           // of all launches
  double lowerBound = 0;
  /// What launches in each cell would pay; 0 in cells without launches.
  std::vector<double> prices;
};

/// At most `maxBoxes` boxes, one of which is the last cell, that cost little.
/// `rounds` bounds the work. `start` may have prices, of a similar problem, and
/// boxes; with boxes only candidates that look promising are tried. A search
/// that is cut has boxes and a bound that are sound.
BoxSolution searchBoxes(const BoxProblem &problem, size_t maxBoxes,
                        unsigned rounds, const BoxSolution &start, Cut &cut);

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_BOXSEARCH_H
