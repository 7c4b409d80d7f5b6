// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates masks of constants and index arithmetic.
#include "KnownValues.h"
#include "Gaudi/Reference/Tensor.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

// The ends of the band show in the first row and in the first column.
std::optional<Band> gaudi::fusion::bandOf(
    int64_t rows, int64_t columns,
    llvm::function_ref<std::optional<bool>(int64_t, int64_t)> isInside) {
  Band band;
  int64_t right = 0, below = 0;
  while (right < columns && isInside(0, right).value_or(false))
    ++right;
  if (right == 0)
    return std::nullopt;
  if (right < columns)
    band.low = 1 - right;
  while (below < rows && isInside(below, 0).value_or(false))
    ++below;
  if (below < rows)
    band.high = below - 1;
  // Then all positions are compared with the band.
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (isInside(i, j) != (i - j >= band.low && i - j <= band.high))
        return std::nullopt;
  return band;
}

bool KnownValues::contains(NodeId id) const {
  SmallVector<NodeId> closure = graph.dag.closureOf(id);
  return closure.size() <= 16 && llvm::all_of(closure, [&](NodeId part) {
           const Node &node = graph.dag.nodes[part];
           if (node.kind == Node::Result || node.kind == Node::Carry)
             return false;
           return node.kind != Node::Load ||
                  (graph.dag.accesses[node.number].isInside() &&
                   ConstantValues::of(graph.dag.accesses[node.number].tensor));
         });
}

// Masks repeat few numbers: a value that depends on one element only is
// computed again where that element differs from the one before.
std::optional<double> KnownValues::at(NodeId id, int64_t i, int64_t j) {
  if (root != id) {
    root = id;
    onlyLoad.reset();
    lastElement.reset();
    // Of one load and no index, a value depends on that element alone.
    bool isSingle = true;
    for (NodeId part : graph.dag.closureOf(id)) {
      const Node::Kind kind = graph.dag.nodes[part].kind;
      isSingle &= kind != Node::Index && !(kind == Node::Load && onlyLoad);
      if (kind == Node::Load)
        onlyLoad = part;
    }
    if (!isSingle)
      onlyLoad.reset();
  }
  if (!onlyLoad)
    return evaluate(id, i, j);
  const uint64_t element = llvm::bit_cast<uint64_t>(elementAt(*onlyLoad, i, j));
  if (lastElement != element) {
    lastElement = element;
    lastValue = evaluate(id, i, j);
  }
  return lastValue;
}

double KnownValues::elementAt(NodeId load, int64_t i, int64_t j) {
  const Access &access = graph.dag.accesses[graph.dag.nodes[load].number];
  auto [it, isNew] = constants.try_emplace(access.tensor);
  if (isNew)
    it->second = ConstantValues::of(access.tensor);
  const ConstantValues &values = *it->second;
  int64_t element = 0;
  for (auto [d, form] : llvm::enumerate(access.position))
    element = element * values.getType().getDimSize(d) + indexAt(form, i, j);
  return values.at(element);
}

std::optional<double> KnownValues::evaluate(NodeId id, int64_t i, int64_t j) {
  const Node &node = graph.dag.nodes[id];
  switch (node.kind) {
  case Node::Constant:
    return numberOf(cast<TypedAttr>(node.attr));
  case Node::Index:
    return double(indexAt(Affine::dim(node.number), i, j));
  case Node::Load:
    return elementAt(id, i, j);
  default:
    break;
  }
  SmallVector<double, 3> in;
  for (NodeId operand : node.operands) {
    auto value = evaluate(operand, i, j);
    if (!value)
      return std::nullopt;
    in.push_back(*value);
  }
  const std::optional<double> value =
      isArithmetic(node) ? graph.dag.evaluate(node, in) : std::nullopt;
  return value && isa_and_nonnull<FloatType>(node.type)
             ? roundTo(node.type, *value)
             : value;
}

// The dimensions of a form are digits of i and j.
int64_t KnownValues::indexAt(const Affine &form, int64_t i, int64_t j) const {
  int64_t value = form.getOffset();
  for (unsigned d = 0; d < form.size(); ++d)
    if (form[d] != 0) {
      const bool isRow = rows[d] != 0;
      const int64_t stride = isRow ? rows[d] : keys[d];
      value += form[d] * ((isRow ? i : j) / stride % graph.dag.extents[d]);
    }
  return value;
}
