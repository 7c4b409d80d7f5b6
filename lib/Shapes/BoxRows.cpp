// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders the launches of a box problem.
#include "BoxRows.h"

using namespace gaudi::shapes;

namespace {
/// Whether row `a` is nowhere beyond row `b`; rows are numbered over all axes
/// but the last.
bool isBelow(const std::vector<size_t> &extents, size_t a, size_t b) {
  for (size_t axis = extents.size() - 1; axis-- > 0;) {
    if (a % extents[axis] > b % extents[axis])
      return false;
    a /= extents[axis];
    b /= extents[axis];
  }
  return true;
}
} // namespace

BoxRows::BoxRows(const BoxProblem &problem)
    : of(problem), columns(problem.extents.back()) {
  const size_t rows = problem.weights.size() / columns;
  ends.reserve(problem.weights.size());
  firstOf.push_back(0);
  firstBelow.push_back(0);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t cell = row * columns; cell < (row + 1) * columns; ++cell) {
      if (problem.weights[cell] > 0) {
        cellOfLaunch.push_back(uint32_t(cell));
        launchWeights.push_back(problem.weights[cell]);
      }
      ends.push_back(uint32_t(launchWeights.size()));
    }
    firstOf.push_back(uint32_t(launchWeights.size()));
    // Rows without launches add nothing to any box.
    for (size_t other = 0; other <= row; ++other)
      if (firstOf[other] < firstOf[other + 1] &&
          isBelow(problem.extents, other, row))
        below.push_back(uint32_t(other));
    firstBelow.push_back(below.size());
  }
}

bool BoxRows::takes(size_t cell, size_t launch) const {
  const size_t own = cellOfLaunch[launch];
  return own % columns <= cell % columns &&
         isBelow(of.extents, own / columns, cell / columns);
}

void BoxRows::mostUntil(const std::vector<double> &values,
                        std::vector<double> &most) const {
  most = values;
  for (size_t row = 0; row + 1 < firstOf.size(); ++row)
    for (size_t i = firstOf[row] + 1; i < firstOf[row + 1]; ++i)
      most[i] = std::max(most[i], most[i - 1]);
}
