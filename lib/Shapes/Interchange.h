// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Improves the boxes of a solution by exchanging one at a time.
#ifndef GAUDI_LIB_SHAPES_INTERCHANGE_H
#define GAUDI_LIB_SHAPES_INTERCHANGE_H

#include "BoxRows.h"
#include "Cut.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// Vertex interchange (Teitz and Bart, 1968) with the gains of all pairs
/// computed from one pass over the launches of each candidate (Whitaker, 1983).
class Interchange {
public:
  Interchange(const BoxRows &rows, Cut &cut) : rows(rows), cut(cut) {}

  /// What all launches cost in `boxes`, which hold the last cell.
  double cost(const std::vector<size_t> &boxes);
  /// Adds those of `candidates` that save most until there are `maxBoxes`, or
  /// none saves anything. Is not cut: without boxes there is no plan.
  void grow(std::vector<size_t> &boxes, const std::vector<size_t> &candidates,
            size_t maxBoxes);
  /// Exchanges boxes for candidates as long as that saves something, in at
  /// most `passes` passes over the candidates, until it is cut. The last cell
  /// stays. Returns the cost.
  double improve(std::vector<size_t> &boxes,
                 const std::vector<size_t> &candidates, unsigned passes);
  /// Per launch the cost of its box, and of the next one, of the last call of
  /// cost().
  const std::vector<double> &nearest() const { return first; }
  const std::vector<double> &nextNearest() const { return second; }

private:
  struct Exchange {
    double gain = 0;
    size_t in = 0, out = 0; // a cell, the number of a box
  };
  /// What all launches cost in their boxes.
  double sum() const;
  /// Offers the launches of `cell` box number `box`, which is that cell.
  void offer(size_t cell, uint32_t box);
  void offerTo(size_t launch, double cost, uint32_t box);
  /// What cost(boxes) would do, if it was called before box number `box` became
  /// another one. Takes time for the launches that had the old one or may take
  /// the new one, not for all boxes.
  double replaceBox(const std::vector<size_t> &boxes, size_t box);
  /// Finds the boxes of a launch anew.
  void findBoxes(size_t launch, const std::vector<size_t> &boxes);
  /// What adding `cell` would save.
  double gainOf(size_t cell) const;
  /// Prepares bestFor() after cost().
  void weighLosses(const std::vector<size_t> &boxes);
  Exchange bestFor(size_t cell, const std::vector<size_t> &boxes);

  const BoxRows &rows;
  Cut &cut;
  // Per launch: the numbers of its box and of the next one, and their costs.
  std::vector<uint32_t> boxOf, nextOf;
  std::vector<double> first, second, most, everything;
  // Per box: what going without it loses, and what a candidate covers of that.
  std::vector<double> loss, covered;
  std::vector<size_t> byLoss; // boxes but the last cell, ascending
  // Boxes of which a candidate covers something.
  std::vector<uint32_t> touched;
  std::vector<char> isTouched;
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_INTERCHANGE_H
