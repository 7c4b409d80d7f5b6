// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The softmax of an attention, and what is done to the probabilities.
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Matcher.h"
#include "VisibleRow.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// How near a factor is to log2(e) that a power of 2 has: two roundings of f32.
static constexpr double exactness = 2e-7;

// Reductions are not entered: they read the scores of other rows or keys.
bool AttentionMatcher::findScores(NodeId root) {
  SmallVector<NodeId> exponentials, loads;
  for (NodeId id : operandsBelow(root))
    if (view.isOp<math::ExpOp, math::Exp2Op>(id) && isPerKey(id))
      exponentials.push_back(id);
  for (NodeId exp : exponentials)
    for (NodeId id : operandsBelow(exp))
      if (isPerKey(id) && productOf(id) && !llvm::is_contained(loads, id))
        loads.push_back(id);
  if (loads.empty())
    return refuse(root, "no exponential of a matrix product's result is in the "
                        "operand");
  // A bias may be a product, too; it is none of queries and keys.
  if (loads.size() > 1)
    llvm::erase_if(loads, [&](NodeId id) { return !isScoreShaped(id); });
  if (loads.size() != 1)
    return refuse(root, "the exponentials depend on several matrix products");
  scores = loads[0];
  match.scores = productOf(scores);
  return true;
}

// One index runs over the keys, the other one over the queries.
bool AttentionMatcher::isScoreShaped(NodeId id) const {
  const Access &read = graph.dag.accesses[graph.dag.nodes[id].number];
  ArrayRef<Affine> at = read.position;
  const Affine &m = at[at.size() - 2], &n = at[at.size() - 1];
  const bool columnsAreKeys = n.dims() & keyMask;
  const Affine &ofKey = columnsAreKeys ? n : m;
  const Affine &ofQuery = columnsAreKeys ? m : n;
  for (const Affine &index : at.drop_back(2))
    if (index.dims() & keyMask)
      return false;
  return ofKey.dims() & keyMask && !(ofQuery.dims() & keyMask) &&
         !(ofKey.dims() & rows.dims());
}

SmallVector<NodeId> AttentionMatcher::operandsBelow(NodeId id) const {
  SmallVector<NodeId> all = {id};
  DenseSet<NodeId> seen = {id};
  for (unsigned i = 0; i < all.size(); ++i)
    for (NodeId operand : graph.dag.nodes[all[i]].operands)
      if (seen.insert(operand).second)
        all.push_back(operand);
  return all;
}

GemmOp AttentionMatcher::productOf(NodeId id) const {
  const Node &node = graph.dag.nodes[id];
  auto product =
      node.kind == Node::Load
          ? graph.dag.accesses[node.number].tensor.getDefiningOp<GemmOp>()
          : GemmOp();
  return product && !hasOrders(product) ? product : GemmOp();
}

bool AttentionMatcher::dependsOnScores(NodeId id) {
  auto [it, isNew] = depends.try_emplace(id);
  if (isNew)
    it->second = llvm::is_contained(graph.dag.closureOf(id), scores);
  return it->second;
}

const Reduction *AttentionMatcher::sumOf(NodeId divisor, NodeId &sum) {
  const VisibleRow row(graph, scores, keyMask);
  sum = view.strip(divisor);
  double bound = 0; // the largest that the sum is clamped to or increased by
  // Through clamps, small additions and guards to the sum itself.
  for (unsigned step = 0; step < 4; ++step) {
    if (const Reduction *r = view.reductionOf(sum, KernelReduce::Add)) {
      // A bound below 1 changes nothing if the largest term is 1.
      if (bound == 0 || row.sumsToOneAtLeast(r->value))
        return r;
      isAttention |=
          dependsOnScores(sum) && maskOf(view.loopOf(sum).dims) == keyMask;
      if (readsScores(sum))
        refuse(sum, "the sum that normalises the softmax has a lower bound, "
                    "and the largest score is not subtracted from the scores");
      return nullptr;
    }
    const Node &node = view.at(sum);
    if (node.kind != Node::Scalar)
      return nullptr;
    if (isOneOf<arith::MaximumFOp, arith::MaxNumFOp, arith::AddFOp>(
            *node.name)) {
      std::optional<NodeId> rest;
      for (unsigned i = 0; i < 2; ++i)
        if (auto number = numberOf(view, node.operands[i]);
            // Small enough not to change a sum of at least 1 beyond rounding.
            number && *number >= 0 &&
            *number <= (isOneOf<arith::AddFOp>(*node.name) ? 1e-7 : 1e-6)) {
          rest = view.strip(node.operands[1 - i]);
          bound = std::max(bound, *number);
        }
      if (!rest)
        return nullptr;
      sum = *rest;
      continue;
    }
    if (isOneOf<arith::SelectOp>(*node.name)) {
      // In rows with visible keys it is the sum, else a constant.
      if (!isRowGuard(node.operands[0]))
        return nullptr;
      const unsigned side = *row.truthOf(node.operands[0]) ? 1 : 2;
      if (!numberOf(view, node.operands[3 - side]))
        return nullptr;
      sum = view.strip(node.operands[side]);
      continue;
    }
    return nullptr;
  }
  return nullptr;
}

bool AttentionMatcher::isRowGuard(NodeId condition) {
  return !isPerKey(condition) && dependsOnScores(condition) &&
         VisibleRow(graph, scores, keyMask).truthOf(condition);
}

NodeId AttentionMatcher::withoutSelects(NodeId id) {
  // From outside in: each select that gives 0 is a row guard or dropout.
  for (;;) {
    id = view.strip(id);
    if (!view.isOp<arith::SelectOp>(id))
      return id;
    NodeId condition = view.operand(id, 0);
    std::optional<unsigned> zero;
    for (unsigned i = 1; i < 3; ++i)
      if (auto number = numberOf(view, view.operand(id, i));
          number && *number == 0)
        zero = i;
    if (!zero)
      return id;
    // The condition is one per row: zeros where no key is visible, which is
    // what the op gives.
    if (!isPerKey(condition)) {
      const VisibleRow row(graph, scores, keyMask);
      if (!isRowGuard(condition) || *row.truthOf(condition) != (*zero == 2))
        return id;
      // Numbers as large as a mask's may hide a row as a whole: the guard makes
      // it zeros, and the op attends to all its keys alike.
      for (NodeId part : graph.dag.closureOf(id))
        if (auto number = view.constantOf(part);
            number && std::isfinite(*number) &&
            std::abs(*number) >= -lostLogarithm) {
          isAttention = true;
          refuse(id, "rows that a finite number may hide as a whole are made "
                     "zeros; hide keys by -infinity");
          return id;
        }
    } else {
      // One dropout; a condition on scores is a mask.
      if (match.dropout || dependsOnScores(condition))
        return id;
      match.dropout = condition;
      match.dropoutIfTrue = *zero == 2;
    }
    id = view.strip(view.operand(id, 3 - *zero));
  }
}

std::optional<NodeId> AttentionMatcher::matchSoftmax(NodeId read) {
  NodeId id = withoutSelects(read);
  Product product = view.productOf(id);
  // What the denominator sums is the numerator, even if it is a select.
  SmallVector<NodeId> numerators;
  for (const Factor &factor : product.factors)
    if (NodeId sum; factor.isDivisor)
      if (const Reduction *r = sumOf(factor.node, sum))
        for (const Factor &part : view.productOf(r->value).factors)
          numerators.push_back(part.node);
  // Factors may be selects around parts of the product.
  SmallVector<Factor, 4> flat;
  double coefficient = product.coefficient;
  for (const Factor &factor : product.factors) {
    if (factor.isDivisor || llvm::is_contained(numerators, factor.node)) {
      flat.push_back(factor);
      continue;
    }
    NodeId inner = withoutSelects(factor.node);
    if (inner == view.strip(factor.node)) {
      flat.push_back(factor);
      continue;
    }
    Product part = view.productOf(inner);
    coefficient *= part.coefficient;
    flat.append(part.factors.begin(), part.factors.end());
  }
  product.factors = flat;
  // The divisor that is a sum over the keys of what the numerator is.
  for (const Factor &factor : flat) {
    NodeId sum;
    if (!factor.isDivisor)
      continue;
    const Reduction *r = sumOf(factor.node, sum);
    if (!r || !readsScores(sum))
      continue;
    isAttention = dependsOnScores(sum);
    // A sum over another dimension normalises the other way.
    if (!isAttention || maskOf(view.loopOf(sum).dims) != keyMask) {
      isAttention = false;
      refusal.otherAxisOf = match.scores;
      refuse(sum, "the softmax is normalised over another dimension than "
                  "the product sums over");
      return std::nullopt;
    }
    // Taken away: divisor and numerator. The rest are factors of the output or
    // dropout.
    product.take(factor.node, true);
    Product summed = view.productOf(r->value);
    if (!product.take(summed)) {
      refuse(sum, "the numerator of the softmax is not what its denominator "
                  "sums");
      return std::nullopt;
    }
    match.factor = coefficient / summed.coefficient;
    match.probabilities = id;
    if (!matchFactors(product))
      return std::nullopt;
    return view.strip(r->value);
  }
  // Without a divisor, the exponent may subtract the logarithm of the sum.
  if (auto exp = view.expOf(id, exactness); exp && normalisesInside(*exp)) {
    match.probabilities = id;
    return id;
  }
  // The first reason is kept if this is an attention.
  if (!isAttention || refusal.reason.empty())
    refuse(read, "the exponentials are not divided by their sum");
  return std::nullopt;
}

bool AttentionMatcher::normalisesInside(NodeId argument) {
  Sum sum = view.sumOf(argument);
  const VisibleRow row(graph, scores, keyMask);
  for (const Term &term : sum.terms) {
    auto inside = term.isNegative ? view.logOf(term.node) : std::nullopt;
    // Exporters take the logarithm of the magnitude, as for signed sums.
    if (inside && view.isOp<math::AbsFOp>(*inside) &&
        row.isNotNegative(view.operand(*inside, 0)))
      inside = view.operand(*inside, 0);
    const Reduction *r =
        inside ? view.reductionOf(*inside, KernelReduce::Add) : nullptr;
    if (!r || maskOf(view.loopOf(*inside).dims) != keyMask)
      continue;
    auto summed = view.expOf(r->value, exactness);
    if (!summed)
      continue;
    isAttention = true;
    // The terms that vary with the key are the same in both; what differs
    // must be the shift that the logarithm lacks.
    Sum rest = sum;
    rest.take(term.node, true);
    if (!view.isSumOf(rest, *summed))
      continue;
    // The logarithm of a sum that overflows is no NaN, which a quotient is.
    if (!row.sumsToOneAtLeast(r->value))
      return refuse(term.node, "the logarithm of a sum is taken, and the "
                               "largest score is not subtracted from the "
                               "scores");
    match.addsLogarithm = !view.isOp<arith::SubFOp>(argument) ||
                          view.operand(argument, 1) != view.strip(term.node);
    return true;
  }
  return false;
}

bool AttentionMatcher::readsOtherProduct(NodeId id) const {
  return llvm::any_of(graph.dag.closureOf(id), [&](NodeId part) {
    GemmOp product = productOf(part);
    return product && product != match.scores;
  });
}

bool AttentionMatcher::readsScores(NodeId id) const {
  return llvm::any_of(graph.dag.closureOf(id), [&](NodeId part) {
    return productOf(part) == match.scores;
  });
}

bool AttentionMatcher::matchFactors(const Product &rest) {
  for (const Factor &factor : rest.factors) {
    if (dependsOnScores(factor.node)) {
      // The scores' gradient is one, too; it belongs to gaudi.sdpa_grad.
      isAttention &= !readsOtherProduct(factor.node);
      return refuse(factor.node,
                    "the probabilities are multiplied by what depends on "
                    "the scores");
    }
    if (factor.isDivisor || match.dropout)
      return refuse(factor.node, "the probabilities have another factor "
                                 "besides one dropout mask");
    match.dropout = factor.node;
    match.dropoutIfTrue = true;
  }
  // A boolean that became a number is read as the boolean.
  while (match.dropout && view.isOp<arith::UIToFPOp>(*match.dropout)) {
    NodeId inner = view.operand(*match.dropout, 0);
    if (!view.at(inner).type || !view.at(inner).type.isInteger(1))
      break;
    match.dropout = inner;
  }
  return true;
}

bool AttentionMatcher::readDivision() {
  // Views from the product to the division, the last one first.
  Operation *division = match.candidate.division;
  TensorElement at = match.output;
  for (unsigned steps = 0; steps < 8; ++steps) {
    Operation *user = nullptr;
    for (Operation *next : at.tensor.getUsers())
      user = next;
    if (user == division)
      break;
    std::optional<TensorElement> next =
        user ? graph.resultOf(user, at) : std::nullopt;
    if (!next)
      return refuse(division, "the division that normalises reads the "
                              "product through an op that is no view");
    at = *next;
  }
  match.output = {division->getResult(0), at.position};
  if (tensorType(match.output.tensor).getShape() !=
      tensorType(at.tensor).getShape())
    return refuse(division, "the division that normalises broadcasts the "
                            "product");
  divided = graph.valueOf(match.output.tensor, match.output.position);
  return true;
}

std::optional<NodeId> AttentionMatcher::matchLateSoftmax(NodeId read) {
  // The output is divided instead of the probabilities.
  Product product = view.productOf(divided);
  for (const Factor &factor : product.factors) {
    NodeId sum;
    if (!factor.isDivisor)
      continue;
    const Reduction *r = sumOf(factor.node, sum);
    if (!r || !dependsOnScores(sum))
      continue;
    isAttention = true;
    product.take(factor.node, true);
    // Nothing else may be between the product and its division.
    const bool isOnlyProduct = product.factors.size() == 1 &&
                               !product.factors[0].isDivisor &&
                               view.isLoad(product.factors[0].node);
    if (!isOnlyProduct || maskOf(view.loopOf(sum).dims) != keyMask) {
      refuse(sum, "what normalises the product is not the sum over its keys");
      return std::nullopt;
    }
    Product numerator = view.productOf(read);
    Product summed = view.productOf(r->value);
    if (!numerator.take(summed) || !matchFactors(numerator)) {
      refuse(sum, "the numerator of the softmax is not what its denominator "
                  "sums");
      return std::nullopt;
    }
    match.factor =
        product.coefficient * numerator.coefficient / summed.coefficient;
    match.probabilities = read;
    return view.strip(r->value);
  }
  refuse(divided, "the exponentials are not divided by their sum");
  return std::nullopt;
}