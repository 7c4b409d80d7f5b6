// Improves the boxes of a solution by exchanging one at a time.
#ifndef GAUDI_LIB_SHAPES_INTERCHANGE_H
#define GAUDI_LIB_SHAPES_INTERCHANGE_H

#include "BoxRows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gaudi::shapes {

/// Vertex interchange (Teitz and Bart, 1968) with the gains of all pairs
/// computed from one pass over the launches of each candidate (Whitaker, 1983).
class Interchange {
public:
  explicit Interchange(const BoxRows &rows) : rows(rows) {}

  /// What all launches cost in `boxes`, which hold the last cell.
  double cost(const std::vector<size_t> &boxes);
  /// Adds those of `candidates` that save most until there are `maxBoxes`, or
  /// none saves anything.
  void grow(std::vector<size_t> &boxes, const std::vector<size_t> &candidates,
            size_t maxBoxes);
  /// Exchanges boxes for candidates as long as that saves something, in at
  /// most `passes` passes over the candidates. The last cell stays. Returns the
  /// cost.
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
  /// What adding `cell` would save.
  double gainOf(size_t cell) const;
  /// Prepares bestFor() after cost().
  void weighLosses(size_t boxes);
  Exchange bestFor(size_t cell, const std::vector<size_t> &boxes);

  const BoxRows &rows;
  // Per launch: the number of its box, its cost and that of the next one.
  std::vector<uint32_t> boxOf;
  std::vector<double> first, second, most;
  // Per box: what going without it loses, and what a candidate covers of that.
  std::vector<double> loss, covered;
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_INTERCHANGE_H
