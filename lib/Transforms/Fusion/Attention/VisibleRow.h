// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions that are the same in every row of scores in which a key is
// visible.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_VISIBLEROW_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_VISIBLEROW_H

#include "Matcher.h"

namespace gaudi::fusion {

/// What is known of a row in which a key is visible, whatever the scores are.
/// Values that vary with the key are those of the visible key with the largest
/// score: finite, and above `farBelow`.
class VisibleRow {
public:
  VisibleRow(const ValueDag &graph, NodeId scores, uint64_t keyMask)
      : graph(graph), view(graph.dag), scores(scores), keyMask(keyMask) {}

  /// The value of a condition; nothing if it is another one in some rows.
  std::optional<bool> truthOf(NodeId id, unsigned depth = 0) const;

  /// True if the sum of the value over the keys is at least 1: exponentials of
  /// scores from which their largest one is taken.
  bool sumsToOneAtLeast(NodeId value) const;

  /// True for products, quotients and sums of exponentials of scores, also
  /// where a condition makes some of them 0.
  bool isNotNegative(NodeId id, unsigned depth = 0) const;

private:
  struct Range {
    double low, high;
  };
  std::optional<Range> rangeOf(NodeId id, unsigned depth) const;
  bool isScore(NodeId id, unsigned depth = 0) const;
  bool reads(NodeId id) const {
    return llvm::is_contained(graph.dag.closureOf(id), scores);
  }
  /// The only reduction of one of the kinds over the row that the value is.
  const Reduction *reductionOf(NodeId id, ArrayRef<KernelReduce> kinds) const;
  /// The other side of a select, which differs from side `kept` where a key is
  /// hidden.
  static unsigned otherOf(unsigned kept) { return 3 - kept; }

  static constexpr unsigned maxDepth = 12;
  const ValueDag &graph;
  PatternView view;
  NodeId scores;
  uint64_t keyMask;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_VISIBLEROW_H
