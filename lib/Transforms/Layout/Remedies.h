// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which freedom that callers could give would remove a transpose.
#ifndef GAUDI_LIB_TRANSFORMS_LAYOUT_REMEDIES_H
#define GAUDI_LIB_TRANSFORMS_LAYOUT_REMEDIES_H

#include "Gaudi/Transforms/Permutations.h"
#include "Reasons.h"
#include <map>

namespace gaudi::layout {

/// Whether a freedom that callers could give removes a transpose.
class Remedies {
public:
  /// Bounds of the placements that are asked for.
  static constexpr unsigned maxAsked = 6, maxOpsToAsk = 2000;
  /// Sides of a function that are named together.
  static constexpr unsigned maxNamed = 3;

  Remedies(PlacedFunction &placed, const DeviceTime &time);

  /// "allow-permutation on argument 'x' removes it", or that nothing does:
  /// that of the writer or the reader, else a few together, else all.
  std::string textOf(const Transposition &transposition,
                     ArrayRef<const Reason *> reasons);

private:
  enum class Verdict { No, Yes, Maybe };

  static size_t countOf(const Placement &placement);
  /// "argument 'x'"
  std::string nameOf(const FunctionSide &side) const;
  const SmallVector<FunctionSide, 0> &permutable();
  SmallVector<FunctionSide, 2> usedBy(const Placement &answer);
  Verdict askOnce(const SmallVector<FunctionSide, 2> &sides,
                  const Transposition &transposition);
  std::optional<Placement> ask(ArrayRef<FunctionSide> sides);

  PlacedFunction &placed;
  const DeviceTime &time;
  unsigned left;     // questions
  size_t transposes; // that remain without more freedom
  std::optional<SmallVector<FunctionSide, 0>> allSides;
  std::map<SmallVector<FunctionSide, 2>, std::optional<Placement>> answers;
};

} // namespace gaudi::layout

#endif // GAUDI_LIB_TRANSFORMS_LAYOUT_REMEDIES_H
