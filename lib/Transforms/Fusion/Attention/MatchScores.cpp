// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scale and masks of the scores.
#include "KnownValues.h"
#include "Matcher.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

bool AttentionMatcher::keepsPrecision(NodeId root) {
  for (NodeId id : graph.dag.closureOf(root)) {
    const Node &node = graph.dag.nodes[id]; // the view looks through casts
    if (node.kind == Node::Scalar && isOneOf<arith::TruncFOp>(*node.name) &&
        node.type.getIntOrFloatBitWidth() < 16 && readsScores(id))
      return refuse(id, "the scores or probabilities are rounded to fewer than "
                        "16 bits");
  }
  return true;
}

bool AttentionMatcher::matchNumerator(NodeId id) {
  id = view.strip(id);
  if (view.isOp<arith::SelectOp>(id)) {
    // A probability selected to 0 is a key hidden by -infinity.
    for (unsigned i = 1; i < 3; ++i)
      if (auto number = numberOf(view, view.operand(id, i));
          number && *number == 0) {
        if (readsScores(view.operand(id, 0)))
          return refuse(id, "the mask depends on the scores");
        match.hidden.push_back({view.operand(id, 0), i == 2,
                                -std::numeric_limits<double>::infinity(),
                                depth++});
        return matchNumerator(view.operand(id, 3 - i));
      }
    return refuse(id, "the exponentials are selected from two values");
  }
  Product product = view.productOf(id);
  // exp(s) times factors: those that are the same for all keys cancel in the
  // quotient, conditions hide keys.
  std::optional<NodeId> argument;
  for (const Factor &factor : product.factors) {
    if (view.isOp<arith::SelectOp>(factor.node) &&
        dependsOnScores(factor.node) && product.factors.size() == 1 &&
        factor.node != id)
      return matchNumerator(factor.node);
    if (factor.isDivisor || !isPerKey(factor.node)) {
      if (factor.isDivisor && isPerKey(factor.node))
        return refuse(factor.node, "the exponentials are divided by what "
                                   "varies with the key");
      continue; // cancels in the quotient
    }
    if (dependsOnScores(factor.node) && !argument) {
      argument = factor.node;
      continue;
    }
    std::optional<NodeId> condition = booleanOf(factor.node);
    if (!condition)
      return refuse(factor.node, "the exponentials are multiplied by what "
                                 "is not known to be 0 or 1");
    if (readsScores(*condition))
      return refuse(factor.node, "the mask depends on the scores");
    match.hidden.push_back(
        {*condition, true, -std::numeric_limits<double>::infinity(), depth++});
  }
  if (!argument)
    return refuse(id, "no exponential is in the numerator");
  // In an exponential, what does not vary with the key shifts the scores: the
  // softmax does not see it.
  if (view.isOp<math::ExpOp>(*argument))
    return matchScores(view.operand(*argument, 0), 1, /*shifts=*/true);
  if (view.isOp<math::Exp2Op>(*argument))
    return matchScores(view.operand(*argument, 0), M_LN2, /*shifts=*/true);
  return refuse(*argument, "the numerator is no exponential");
}

NodeId AttentionMatcher::negation(NodeId condition) {
  Builder builder(match.scores.getContext());
  return graph.dag.scalar<arith::XOrIOp>(
      {condition, graph.dag.constant(builder.getBoolAttr(true))},
      builder.getI1Type());
}

std::optional<NodeId> AttentionMatcher::booleanOf(NodeId id) {
  id = view.strip(id);
  if (view.isOp<arith::UIToFPOp>(id) &&
      view.at(view.operand(id, 0)).type.isInteger(1))
    return view.operand(id, 0);
  if (view.isOp<arith::SelectOp>(id)) {
    auto yes = numberOf(view, view.operand(id, 1));
    auto no = numberOf(view, view.operand(id, 2));
    if (yes == 1.0 && no == 0.0)
      return view.operand(id, 0);
    if (yes == 0.0 && no == 1.0)
      return negation(view.operand(id, 0));
  }
  // A factor of known zeros and ones is a condition, too.
  auto type = dyn_cast_or_null<FloatType>(view.at(id).type);
  if (!type || !isPerKey(id) || !allKnown({id}, [](ArrayRef<double> value) {
        return value[0] == 0 || value[0] == 1;
      }))
    return std::nullopt;
  Builder builder(match.scores.getContext());
  Attribute predicate = arith::CmpFPredicateAttr::get(
      builder.getContext(), arith::CmpFPredicate::UNE);
  return graph.dag.scalar(
      OperationName(arith::CmpFOp::getOperationName(), builder.getContext()),
      builder.getDictionaryAttr(builder.getNamedAttr("predicate", predicate)),
      {id, graph.dag.constant(builder.getFloatAttr(type, 0))},
      builder.getI1Type());
}

// O(queries * keys), up to the positions that other masks are read at.
bool AttentionMatcher::allKnown(
    ArrayRef<NodeId> values, llvm::function_ref<bool(ArrayRef<double>)> visit) {
  KnownValues known(graph, rows, keys);
  int64_t queryCount = 1;
  for (unsigned d : groupOf(rows))
    queryCount *= graph.dag.extents[d];
  if (queryCount > maxMaskPositions / std::max<int64_t>(match.keyCount, 1))
    return false;
  for (NodeId id : values)
    if (graph.variesWith(id) & ~(rows.dims() | keyMask) || !known.contains(id))
      return false;
  // One value after the other: what is known of one load is kept.
  std::vector<double> table(values.size() * queryCount * match.keyCount);
  for (auto [v, id] : llvm::enumerate(values))
    for (int64_t i = 0; i < queryCount; ++i)
      for (int64_t j = 0; j < match.keyCount; ++j) {
        auto number = known.at(id, i, j);
        if (!number)
          return false;
        table[(i * match.keyCount + j) * values.size() + v] = *number;
      }
  for (size_t at = 0; at < table.size(); at += values.size())
    if (!visit(ArrayRef(table).slice(at, values.size())))
      return false;
  return true;
}

bool AttentionMatcher::matchScores(NodeId id, double factor, bool shifts) {
  id = view.strip(id);
  if (id == scores) {
    match.scale = factor;
    return true;
  }
  if (view.isOp<arith::AddFOp, arith::SubFOp, arith::NegFOp>(id))
    return matchSum(id, factor, shifts);
  if (view.isOp<arith::MulFOp, arith::DivFOp>(id))
    return matchProduct(id, factor, shifts);
  if (view.isOp<arith::SelectOp>(id))
    return matchSelect(id, factor, shifts);
  // A bound far below all scores acts on hidden ones only.
  if (view.isOp<arith::MaximumFOp, arith::MaxNumFOp>(id))
    for (unsigned i = 0; i < 2; ++i)
      if (auto bound = numberOf(view, view.operand(id, i));
          bound && *bound <= farBelow && factor > 0) {
        if (!std::isinf(*bound) && depth > 0)
          return refuse(id, "the scores have a lower bound before a mask");
        match.floor = std::max(match.floor, *bound * factor);
        return matchScores(view.operand(id, 1 - i), factor, shifts);
      }
  return refuse(id,
                "the scores pass through '" +
                    (view.at(id).name ? view.at(id).name->getStringRef().str()
                                      : std::string("a reduction")) +
                    "' before the softmax");
}

bool AttentionMatcher::matchSum(NodeId id, double factor, bool shifts) {
  Sum sum = view.sumOf(id);
  // One term comes from the product; others are masks, or shifts of a row.
  std::optional<Term> main;
  SmallVector<AddedMask, 2> added;
  for (const Term &term : sum.terms) {
    const double sign = term.isNegative ? -1 : 1;
    if (!isPerKey(term.node)) {
      if (shifts)
        continue;
      added.push_back({term.node, sign * factor, depth++});
    } else if (!dependsOnScores(term.node)) {
      added.push_back({term.node, sign * factor, depth++});
    } else if (main) {
      return refuse(term.node, "the scores are a sum of two values that "
                               "depend on the matrix product");
    } else {
      main = term;
    }
  }
  if (!main)
    return refuse(id, "the scores do not depend on the matrix product");
  // Once other values replace scores, a shift of the rest counts.
  if (sum.constant != 0 && !shifts)
    return refuse(id, "a constant is added to the scores before others "
                      "replace some of them");
  if (selectsByProduct(*main, added, sum.constant, factor))
    return true;
  llvm::append_range(match.added, added);
  return matchScores(main->node, main->isNegative ? -factor : factor,
                     shifts && added.empty());
}

bool AttentionMatcher::selectsByProduct(const Term &main,
                                        SmallVectorImpl<AddedMask> &added,
                                        double constant, double factor) {
  // s * b + c * (1 - b) selects between s and c, for a boolean b.
  if (added.size() != 1 || main.isNegative)
    return false;
  Product product = view.productOf(main.node);
  for (const Factor &b : product.factors) {
    std::optional<NodeId> condition = booleanOf(b.node);
    if (b.isDivisor || !condition || dependsOnScores(b.node))
      continue;
    // c * (1 - b), or c - c * b with the constant in the sum.
    Product other = view.productOf(added[0].value);
    const double c = other.coefficient * added[0].factor / factor;
    auto inner = other.onlyFactor();
    double value;
    Sum complement = inner ? view.sumOf(*inner) : Sum();
    if (complement.constant == 1 && complement.terms.size() == 1 &&
        complement.terms[0].isNegative &&
        complement.terms[0].node == view.strip(b.node))
      value = c;
    else if (inner && *inner == view.strip(b.node) && constant == -c)
      value = constant;
    else if (std::optional<double> hidden =
                 complementOf(b.node, added[0], factor))
      value = *hidden;
    else
      continue;
    Product rest = product;
    rest.take(b.node, false);
    double scale = rest.coefficient * factor;
    std::optional<NodeId> x;
    // Of what is left, only the score may depend on the product.
    for (const Factor &f : rest.factors) {
      if (!f.isDivisor && dependsOnScores(f.node) && !x)
        x = f.node;
      else
        return false;
    }
    if (!x)
      return false;
    match.hidden.push_back({*condition, true, value * factor, depth++});
    return matchScores(*x, scale, /*shifts=*/false);
  }
  return false;
}

std::optional<double> AttentionMatcher::complementOf(NodeId b,
                                                     const AddedMask &added,
                                                     double factor) {
  std::optional<double> hidden;
  const bool isComplement =
      allKnown({b, added.value}, [&](ArrayRef<double> at) {
        const double term = at[1] * added.factor / factor;
        if (at[0] == 1)
          return term == 0;
        hidden = hidden.value_or(term);
        return at[0] == 0 && term == *hidden;
      });
  return isComplement ? hidden : std::nullopt;
}

bool AttentionMatcher::matchProduct(NodeId id, double factor, bool shifts) {
  Product product = view.productOf(id);
  std::optional<NodeId> main;
  for (const Factor &f : product.factors) {
    if (!f.isDivisor && !main && isPerKey(f.node) && dependsOnScores(f.node)) {
      main = f.node;
      continue;
    }
    auto number = numberOf(view, f.node);
    if (!number || *number == 0)
      return refuse(f.node,
                    isPerKey(f.node)
                        ? "the scale of the scores varies within a row; fold "
                          "it into the keys, or select -infinity where it "
                          "hides a key"
                        : "the scale of the scores is not constant; fold it "
                          "into the queries");
    factor *= f.isDivisor ? 1 / *number : *number;
  }
  if (!main)
    return refuse(id, "the scores do not depend on the matrix product");
  return matchScores(*main, factor * product.coefficient, shifts);
}

bool AttentionMatcher::matchSelect(NodeId id, double factor, bool shifts) {
  NodeId condition = view.operand(id, 0);
  for (unsigned i = 1; i < 3; ++i) {
    NodeId other = view.operand(id, 3 - i);
    if (!dependsOnScores(view.operand(id, i)) || dependsOnScores(other))
      continue;
    if (dependsOnScores(condition))
      return refuse(id, "the mask depends on the scores");
    auto value = numberOf(view, other);
    if (!value)
      return refuse(other, "a hidden score becomes a value that is not "
                           "constant");
    if (std::isnan(*value) ||
        *value * factor == std::numeric_limits<double>::infinity())
      return refuse(other, "a hidden score becomes infinite, or no number");
    match.hidden.push_back({condition, i == 1, *value * factor, depth++});
    return matchScores(view.operand(id, i), factor,
                       shifts && std::isinf(*value));
  }
  return refuse(id, "the scores are selected from two values that depend on "
                    "the matrix product");
}