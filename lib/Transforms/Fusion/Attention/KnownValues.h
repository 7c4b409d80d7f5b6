// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are known at compile time, query by query and key by key.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_KNOWNVALUES_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_KNOWNVALUES_H

#include "AttentionMatch.h"
#include "Gaudi/Dialect/ConstantValues.h"

namespace gaudi::fusion {

/// The positions with low <= i - j <= high of row i and column j.
struct Band {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();
};

/// The band of all positions of a matrix that are inside, the first one among
/// them. Bounds that the matrix does not reach are the lowest and highest.
/// Nothing for another set, and where it is not known. O(rows * columns).
std::optional<Band>
bandOf(int64_t rows, int64_t columns,
       llvm::function_ref<std::optional<bool>(int64_t, int64_t)> isInside);

class KnownValues {
public:
  /// The dimensions of `rows` are digits of the query, those of `keys` of the
  /// key.
  KnownValues(const ValueDag &graph, const Affine &rows, const Affine &keys)
      : graph(graph), rows(rows), keys(keys) {}

  /// True if the value is computed from constants and indices by few ops.
  bool contains(NodeId id) const;
  /// The value for query i and key j; nothing for ops that masks are not made
  /// of.
  std::optional<double> at(NodeId id, int64_t i, int64_t j);

private:
  std::optional<double> evaluate(NodeId id, int64_t i, int64_t j);
  /// The element that a load of a constant reads.
  double elementAt(NodeId load, int64_t i, int64_t j);
  int64_t indexAt(const Affine &form, int64_t i, int64_t j) const;

  const ValueDag &graph;
  const Affine rows, keys;
  DenseMap<Value, std::optional<ConstantValues>> constants;
  std::optional<NodeId> root;          // of the last call of `at`
  std::optional<NodeId> onlyLoad;      // all that it depends on
  std::optional<uint64_t> lastElement; // its bits
  std::optional<double> lastValue;     // of the root for that element
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_KNOWNVALUES_H
