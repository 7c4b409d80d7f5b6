// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are known at compile time, query by query and key by key.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_KNOWNVALUES_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_KNOWNVALUES_H

#include "AttentionMatch.h"
#include "Gaudi/Dialect/ConstantValues.h"

namespace gaudi::fusion {

/// The predicate of a comparison.
template <typename Attr> auto predicateOf(const Node &node) {
  auto attrs = cast<DictionaryAttr>(node.attr);
  return cast<Attr>(attrs.get("predicate")).getValue();
}

class KnownValues {
public:
  /// The dimensions of `rows` are digits of the query, those of `keys` of the
  /// key.
  KnownValues(const ValueDag &graph, const Affine &rows, const Affine &keys)
      : graph(graph), rows(rows), keys(keys), view(graph.dag) {}

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
  PatternView view;
  DenseMap<Value, std::optional<ConstantValues>> constants;
  std::optional<NodeId> root;          // of the last call of `at`
  std::optional<NodeId> onlyLoad;      // all that it depends on
  std::optional<uint64_t> lastElement; // its bits
  std::optional<double> lastValue;     // of the root for that element
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_KNOWNVALUES_H
