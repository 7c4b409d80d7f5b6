// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotary position embeddings; Su et al., "RoFormer", 2021.
//
// A pair (a, b) turns to (a cos - b sin, a sin + b cos). Exporters write it as
// x * cos + rotated(x) * sin with rotated(x) = concat(-b, a), or as the
// concatenation of both lines; the concatenation is a selection by then.
#include "Patterns.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// Loads below one value that are compared, at most.
constexpr size_t maxLoads = 8;

/// The tensors that a value is computed from, without reductions, in order.
void collectTensors(const PatternView &view, NodeId id,
                    SmallVectorImpl<Value> &tensors) {
  const Node &node = view.at(id);
  if (node.kind == Node::Load)
    tensors.push_back(view.dag.accesses[node.number].tensor);
  for (NodeId operand : node.operands)
    if (tensors.size() < maxLoads)
      collectTensors(view, operand, tensors);
}

/// True if both values are computed from the same tensors, and from some.
bool areAlike(const PatternView &view, NodeId a, NodeId b) {
  SmallVector<Value> left, right;
  collectTensors(view, a, left);
  collectTensors(view, b, right);
  return !left.empty() && left == right;
}

/// The branches of a selection by a comparison of integers.
std::optional<std::pair<NodeId, NodeId>> piecesOf(const PatternView &view,
                                                  NodeId id) {
  if (!view.isOp<arith::SelectOp>(id) ||
      !view.isOp<arith::CmpIOp>(view.operand(id, 0)))
    return std::nullopt;
  return std::pair(view.operand(id, 1), view.operand(id, 2));
}

/// The only factors of both branches, whose signs differ.
std::optional<std::pair<NodeId, NodeId>> turnedPair(const PatternView &view,
                                                    NodeId id) {
  auto pieces = piecesOf(view, id);
  if (!pieces)
    return std::nullopt;
  const Product first = view.productOf(pieces->first),
                second = view.productOf(pieces->second);
  auto a = first.onlyFactor(), b = second.onlyFactor();
  if (!a || !b || first.coefficient != -second.coefficient ||
      !areAlike(view, *a, *b))
    return std::nullopt;
  return std::pair(*a, *b);
}

/// x * cos + rotated(x) * sin.
std::optional<Recognized> rotated(const PatternView &view, NodeId id) {
  Sum sum = view.sumOf(id);
  if (sum.constant != 0 || sum.terms.size() != 2)
    return std::nullopt;
  // Sums and products commute: either term may be the turned one, and either of
  // its factors the pair.
  for (unsigned i = 0; i < 2; ++i) {
    const Product turned = view.productOf(sum.terms[i].node);
    const Product plain = view.productOf(sum.terms[1 - i].node);
    if (turned.factors.size() != 2 || plain.factors.size() != 2)
      continue;
    for (unsigned t = 0; t < 2; ++t) {
      auto pair = turnedPair(view, turned.factors[t].node);
      if (!pair)
        continue;
      const NodeId sine = turned.factors[1 - t].node;
      for (const Factor &x : plain.factors)
        if (areAlike(view, x.node, pair->first)) {
          const NodeId cosine = plain.factors[0].node == x.node
                                    ? plain.factors[1].node
                                    : plain.factors[0].node;
          return Recognized{
              "rope", id, {x.node, pair->first, pair->second, sine, cosine}};
        }
    }
  }
  return std::nullopt;
}

/// The factors of a product of two values.
std::optional<std::array<NodeId, 2>> factorsOf(const PatternView &view,
                                               NodeId id) {
  const Product product = view.productOf(id);
  if (product.factors.size() != 2 || product.factors[0].isDivisor ||
      product.factors[1].isDivisor || std::abs(product.coefficient) != 1)
    return std::nullopt;
  return std::array{product.factors[0].node, product.factors[1].node};
}

/// One of a cos - b sin and a sin + b cos.
std::optional<Recognized> selected(const PatternView &view, NodeId id) {
  // The selection between the two halves of a pair.
  auto pieces = piecesOf(view, id);
  if (!pieces)
    return std::nullopt;
  Sum first = view.sumOf(pieces->first), second = view.sumOf(pieces->second);
  auto isDifference = [](const Sum &sum) {
    return sum.terms.size() == 2 &&
           sum.terms[0].isNegative != sum.terms[1].isNegative;
  };
  // One line is a sum and one a difference.
  if (first.terms.size() != 2 || second.terms.size() != 2 ||
      first.constant != 0 || second.constant != 0 ||
      isDifference(first) == isDifference(second))
    return std::nullopt;
  auto a = factorsOf(view, first.terms[0].node),
       b = factorsOf(view, first.terms[1].node),
       c = factorsOf(view, second.terms[0].node),
       d = factorsOf(view, second.terms[1].node);
  if (!a || !b || !c || !d)
    return std::nullopt;
  // Each product of one line has a factor of both products of the other.
  auto crosses = [&](const std::array<NodeId, 2> &product) {
    return (llvm::is_contained(*a, product[0]) &&
            llvm::is_contained(*b, product[1])) ||
           (llvm::is_contained(*a, product[1]) &&
            llvm::is_contained(*b, product[0]));
  };
  auto shares = [&](NodeId value) {
    return llvm::is_contained(*c, value) != llvm::is_contained(*d, value);
  };
  if (!crosses(*c) || !crosses(*d) || !shares((*a)[0]) || !shares((*a)[1]))
    return std::nullopt;
  return Recognized{"rope", id, {(*a)[0], (*a)[1], (*b)[0], (*b)[1]}};
}
} // namespace

bool gaudi::fusion::isRotation(const PatternView &view, NodeId id) {
  return turnedPair(view, id).has_value();
}

std::optional<Recognized> gaudi::fusion::recognizeRope(const PatternView &view,
                                                       NodeId id) {
  if (auto found = rotated(view, id))
    return found;
  return selected(view, id);
}
