// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates masks of constants and index arithmetic.
#include "KnownValues.h"
#include "Gaudi/Reference/Tensor.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// The number as the type holds it.
static double rounded(double value, Type type) {
  return isa_and_nonnull<FloatType>(type) ? roundTo(type, value) : value;
}

static std::optional<double> apply(const Node &node, ArrayRef<double> in) {
  OperationName name = *node.name;
  // Of a signed i1, true would be -1.
  if (isOneOf<arith::SIToFPOp>(name) && in[0] == 1)
    return std::nullopt;
  if (isOneOf<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp>(name))
    return rounded(in[0], node.type);
  // A negative number as unsigned would be another one.
  if (isOneOf<arith::UIToFPOp, arith::ExtUIOp>(name)) {
    if (in[0] < 0)
      return std::nullopt;
    return rounded(in[0], node.type);
  }
  if (isOneOf<arith::AddFOp>(name))
    return rounded(in[0] + in[1], node.type);
  if (isOneOf<arith::SubFOp>(name))
    return rounded(in[0] - in[1], node.type);
  if (isOneOf<arith::MulFOp>(name))
    return rounded(in[0] * in[1], node.type);
  if (isOneOf<arith::SelectOp>(name))
    return in[0] != 0 ? in[1] : in[2];
  if (isOneOf<arith::AndIOp>(name) && node.type.isInteger(1))
    return double(in[0] != 0 && in[1] != 0);
  if (isOneOf<arith::OrIOp>(name) && node.type.isInteger(1))
    return double(in[0] != 0 || in[1] != 0);
  if (isOneOf<arith::XOrIOp>(name) && node.type.isInteger(1))
    return double((in[0] != 0) != (in[1] != 0));
  if (isOneOf<arith::CmpIOp>(name)) {
    // Numbers are signed here.
    auto predicate = predicateOf<arith::CmpIPredicateAttr>(node);
    if (predicate >= arith::CmpIPredicate::ult)
      return std::nullopt;
    return double(arith::applyCmpPredicate(predicate,
                                           APInt(64, int64_t(in[0]), true),
                                           APInt(64, int64_t(in[1]), true)));
  }
  if (isOneOf<arith::CmpFOp>(name))
    return double(
        arith::applyCmpPredicate(predicateOf<arith::CmpFPredicateAttr>(node),
                                 APFloat(in[0]), APFloat(in[1])));
  return std::nullopt;
}

bool KnownValues::contains(NodeId id) const {
  SmallVector<NodeId> closure = graph.closureOf(id);
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
    for (NodeId part : graph.closureOf(id)) {
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
  return isFloatElement(values.getType().getElementType())
             ? double(values.number(element))
             : double(values.integer(element));
}

std::optional<double> KnownValues::evaluate(NodeId id, int64_t i, int64_t j) {
  const Node &node = graph.dag.nodes[id];
  switch (node.kind) {
  case Node::Constant:
    return numberOf(view, id);
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
  return apply(node, in);
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
