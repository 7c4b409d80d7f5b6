// The softmax of an attention, and what is done to the probabilities.
#include "Gaudi/Dialect/MatrixOrders.h"
#include "KnownValues.h"
#include "Matcher.h"
#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

namespace {

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

private:
  struct Range {
    double low, high;
  };
  std::optional<Range> rangeOf(NodeId id, unsigned depth) const;
  bool isScore(NodeId id, unsigned depth = 0) const;
  bool isPositive(NodeId id, unsigned depth = 0) const;
  bool reads(NodeId id) const {
    return llvm::is_contained(graph.closureOf(id), scores);
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

} // namespace

const Reduction *VisibleRow::reductionOf(NodeId id,
                                         ArrayRef<KernelReduce> kinds) const {
  for (KernelReduce kind : kinds)
    if (const Reduction *r = view.reductionOf(id, kind))
      return maskOf(view.loopOf(id).dims) == keyMask ? r : nullptr;
  return nullptr;
}

// Masks are added, multiplied or selected; they lower scores only.
bool VisibleRow::isScore(NodeId id, unsigned depth) const {
  id = view.strip(id);
  if (id == scores)
    return true;
  if (depth > maxDepth)
    return false;
  auto part = [&](unsigned i) {
    return isScore(view.operand(id, i), depth + 1);
  };
  auto isMask = [&](unsigned i) {
    NodeId other = view.operand(id, i);
    auto number = numberOf(view, other);
    return number ? std::abs(*number) < -farBelow : !reads(other);
  };
  auto isFactor = [&](unsigned i) {
    auto number = numberOf(view, view.operand(id, i));
    return isMask(i) && (!number || *number > 0);
  };
  if (view.isOp<arith::AddFOp>(id))
    return (part(0) && (isMask(1) || part(1))) || (isMask(0) && part(1));
  if (view.isOp<arith::SubFOp>(id))
    return part(0) && isMask(1);
  if (view.isOp<arith::MulFOp>(id))
    return (part(0) && isFactor(1)) || (isFactor(0) && part(1));
  if (view.isOp<arith::DivFOp>(id))
    return part(0) && isFactor(1);
  auto isLow = [&](unsigned i) {
    auto number = numberOf(view, view.operand(id, i));
    return number && *number < -farBelow;
  };
  if (view.isOp<arith::MaximumFOp, arith::MaxNumFOp>(id))
    return (part(0) && isLow(1)) || (isLow(0) && part(1));
  if (view.isOp<arith::SelectOp>(id))
    return !reads(view.operand(id, 0)) &&
           ((part(1) && isLow(2)) || (isLow(1) && part(2)));
  return false;
}

bool VisibleRow::isPositive(NodeId id, unsigned depth) const {
  id = view.strip(id);
  if (depth > maxDepth)
    return false;
  auto part = [&](unsigned i) {
    return isPositive(view.operand(id, i), depth + 1);
  };
  auto isZero = [&](unsigned i) {
    return numberOf(view, view.operand(id, i)) == 0.0;
  };
  auto isBoolean = [&](unsigned i) {
    NodeId b = view.operand(id, i);
    return view.isOp<arith::UIToFPOp>(b) && !reads(b) &&
           view.at(view.operand(b, 0)).type.isInteger(1);
  };
  if (view.isOp<math::ExpOp, math::Exp2Op>(id))
    return reads(id);
  if (view.isOp<arith::MulFOp>(id))
    return (part(0) && (isBoolean(1) || part(1))) || (isBoolean(0) && part(1));
  if (view.isOp<arith::DivFOp>(id))
    return part(0) && part(1);
  if (view.isOp<arith::SelectOp>(id))
    return !reads(view.operand(id, 0)) &&
           ((part(1) && isZero(2)) || (isZero(1) && part(2)));
  const Reduction *r = reductionOf(
      id, {KernelReduce::Add, KernelReduce::Max, KernelReduce::MaxNum});
  return r && isPositive(r->value, depth + 1);
}

std::optional<VisibleRow::Range> VisibleRow::rangeOf(NodeId id,
                                                     unsigned depth) const {
  id = view.strip(id);
  if (depth > maxDepth)
    return std::nullopt;
  if (auto number = numberOf(view, id))
    return Range{*number, *number};
  const Reduction *max =
      reductionOf(id, {KernelReduce::Max, KernelReduce::MaxNum});
  if (isScore(max ? max->value : id))
    return Range{std::nextafter(farBelow, 0), std::nextafter(-farBelow, 0)};
  if (isPositive(id))
    return Range{DBL_TRUE_MIN, DBL_MAX};
  if (view.isOp<math::AbsFOp>(id)) {
    auto inner = rangeOf(view.operand(id, 0), depth + 1);
    if (!inner)
      return std::nullopt;
    return Range{0, std::max(std::abs(inner->low), std::abs(inner->high))};
  }
  if (auto truth = truthOf(id, depth + 1))
    return Range{double(*truth), double(*truth)};
  return std::nullopt;
}

std::optional<bool> VisibleRow::truthOf(NodeId id, unsigned depth) const {
  id = view.strip(id);
  const Node &node = view.at(id);
  if (depth > maxDepth)
    return std::nullopt;
  if (node.kind == Node::Constant && node.type && node.type.isInteger(1))
    return numberOf(view, id) != 0.0;
  // All keys are not if the visible one is not; any key is if it is.
  const bool isBit = node.type && node.type.isInteger(1);
  const bool isUnsigned =
      isBit || reductionOf(id, {KernelReduce::And, KernelReduce::Or});
  auto reduced = [&](KernelReduce kind, KernelReduce other,
                     bool decides) -> std::optional<bool> {
    const Reduction *r =
        isUnsigned ? reductionOf(id, {kind}) : reductionOf(id, {other});
    if (!r || truthOf(r->value, depth + 1) != decides)
      return std::nullopt;
    return decides;
  };
  if (auto all = reduced(KernelReduce::And, KernelReduce::Min, false))
    return all;
  if (auto any = reduced(KernelReduce::Or, KernelReduce::Max, true))
    return any;
  if (node.kind != Node::Scalar)
    return std::nullopt;
  if (isOneOf<arith::UIToFPOp, arith::ExtUIOp>(*node.name) &&
      view.at(node.operands[0]).type.isInteger(1))
    return truthOf(node.operands[0], depth + 1);
  if (isOneOf<arith::CmpFOp, arith::CmpIOp>(*node.name)) {
    auto a = rangeOf(node.operands[0], depth + 1);
    auto b = rangeOf(node.operands[1], depth + 1);
    int sign;
    if (view.strip(node.operands[0]) == view.strip(node.operands[1]))
      sign = 0;
    else if (!a || !b)
      return std::nullopt;
    else if (a->high < b->low)
      sign = -1;
    else if (a->low > b->high)
      sign = 1;
    else if (a->low == b->high && a->high == b->low)
      sign = 0;
    else
      return std::nullopt;
    if (isOneOf<arith::CmpIOp>(*node.name)) {
      switch (predicateOf<arith::CmpIPredicateAttr>(node)) {
      case arith::CmpIPredicate::eq:
        return sign == 0;
      case arith::CmpIPredicate::ne:
        return sign != 0;
      default:
        return std::nullopt;
      }
    }
    switch (predicateOf<arith::CmpFPredicateAttr>(node)) {
    case arith::CmpFPredicate::OEQ:
    case arith::CmpFPredicate::UEQ:
      return sign == 0;
    case arith::CmpFPredicate::ONE:
    case arith::CmpFPredicate::UNE:
      return sign != 0;
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::ULT:
      return sign < 0;
    case arith::CmpFPredicate::OLE:
    case arith::CmpFPredicate::ULE:
      return sign <= 0;
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::UGT:
      return sign > 0;
    case arith::CmpFPredicate::OGE:
    case arith::CmpFPredicate::UGE:
      return sign >= 0;
    case arith::CmpFPredicate::ORD:
      return true;
    case arith::CmpFPredicate::UNO:
      return false;
    default:
      return std::nullopt;
    }
  }
  if (!isBit ||
      !isOneOf<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(*node.name))
    return std::nullopt;
  auto a = truthOf(node.operands[0], depth + 1);
  auto b = truthOf(node.operands[1], depth + 1);
  if (isOneOf<arith::XOrIOp>(*node.name))
    return a && b ? std::optional(*a != *b) : std::nullopt;
  const bool decides = isOneOf<arith::OrIOp>(*node.name);
  if (a == decides || b == decides)
    return decides;
  return a && b ? std::optional(!decides) : std::nullopt;
}

bool VisibleRow::sumsToOneAtLeast(NodeId value) const {
  // Conditions that hide exponentials, and the side of a select that is kept.
  SmallVector<std::pair<NodeId, unsigned>> hidden;
  SmallVector<NodeId> exponentials, left = {view.strip(value)};
  while (!left.empty()) {
    Product product = view.productOf(left.pop_back_val());
    if (product.coefficient != 1)
      return false;
    for (const Factor &factor : product.factors) {
      NodeId id = view.strip(factor.node);
      if (factor.isDivisor)
        return false;
      if (view.isOp<math::ExpOp, math::Exp2Op>(id)) {
        exponentials.push_back(id);
      } else if (view.isOp<arith::UIToFPOp>(id)) {
        hidden.push_back({view.operand(id, 0), 1});
      } else if (view.isOp<arith::SelectOp>(id)) {
        const unsigned kept =
            numberOf(view, view.operand(id, 2)) == 0.0 ? 1 : 2;
        if (numberOf(view, view.operand(id, otherOf(kept))) != 0.0)
          return false;
        hidden.push_back({view.operand(id, 0), kept});
        left.push_back(view.operand(id, kept));
      } else {
        return false;
      }
    }
  }
  if (exponentials.size() != 1)
    return false;
  NodeId argument = view.operand(exponentials[0], 0);
  Product scaled = view.productOf(argument);
  if (auto only = scaled.onlyFactor(); only && scaled.coefficient > 0)
    argument = *only;
  const Sum sum = view.sumOf(argument);
  for (const Term &term : sum.terms) {
    NodeId shift = view.strip(term.node);
    // A guard of the shift, which is finite in rows without keys, too.
    for (unsigned step = 0; step < 3 && view.isOp<arith::SelectOp>(shift);
         ++step) {
      auto truth = truthOf(view.operand(shift, 0));
      if (!truth)
        break;
      shift = view.operand(shift, *truth ? 1 : 2);
    }
    const Reduction *max =
        reductionOf(shift, {KernelReduce::Max, KernelReduce::MaxNum});
    if (!term.isNegative || !max)
      continue;
    Sum rest = sum;
    rest.take(term.node, true);
    if (!view.isSumOf(rest, max->value))
      continue;
    // The largest score may be one whose exponential is hidden.
    NodeId inside = view.strip(max->value);
    SmallVector<std::pair<NodeId, unsigned>> masks;
    while (view.isOp<arith::SelectOp>(inside)) {
      const unsigned kept = reads(view.operand(inside, 1)) ? 1 : 2;
      auto low = numberOf(view, view.operand(inside, otherOf(kept)));
      if (!low || *low > farBelow)
        break;
      masks.push_back({view.operand(inside, 0), kept});
      inside = view.operand(inside, kept);
    }
    return llvm::all_of(
        hidden, [&](auto mask) { return llvm::is_contained(masks, mask); });
  }
  return false;
}

// Reductions are not entered: they read the scores of other rows or keys.
bool Matcher::findScores(NodeId root) {
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
bool Matcher::isScoreShaped(NodeId id) const {
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

SmallVector<NodeId> Matcher::operandsBelow(NodeId id) const {
  SmallVector<NodeId> all = {id};
  DenseSet<NodeId> seen = {id};
  for (unsigned i = 0; i < all.size(); ++i)
    for (NodeId operand : graph.dag.nodes[all[i]].operands)
      if (seen.insert(operand).second)
        all.push_back(operand);
  return all;
}

GemmOp Matcher::productOf(NodeId id) const {
  const Node &node = graph.dag.nodes[id];
  auto product =
      node.kind == Node::Load
          ? graph.dag.accesses[node.number].tensor.getDefiningOp<GemmOp>()
          : GemmOp();
  return product && !hasOrders(product) ? product : GemmOp();
}

bool Matcher::dependsOnScores(NodeId id) {
  auto [it, isNew] = depends.try_emplace(id, false);
  if (isNew) {
    return depends[id] = llvm::is_contained(graph.closureOf(id), scores);
  }
  return it->second;
}

const Reduction *Matcher::sumOf(NodeId divisor, NodeId &sum) {
  const VisibleRow row(graph, scores, keyMask);
  sum = view.strip(divisor);
  double bound = 0; // the largest that the sum is clamped to or increased by
  for (unsigned step = 0; step < 4; ++step) {
    if (const Reduction *r = view.reductionOf(sum, KernelReduce::Add)) {
      // Far less than the sum, or than any sum that is a normal number.
      if (bound <= FLT_MIN || row.sumsToOneAtLeast(r->value))
        return r;
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
            number && *number >= 0 &&
            *number <= (isOneOf<arith::AddFOp>(*node.name) ? 1e-7 : 1e-6)) {
          rest = view.strip(node.operands[1 - i]);
          bound = std::max(bound, *number);
        }
      if (!rest)
        return nullptr;
      match.isGuarded = true;
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
      match.isGuarded = true;
      sum = view.strip(node.operands[side]);
      continue;
    }
    return nullptr;
  }
  return nullptr;
}

bool Matcher::isRowGuard(NodeId condition) {
  return !isPerKey(condition) && dependsOnScores(condition) &&
         VisibleRow(graph, scores, keyMask).truthOf(condition);
}

NodeId Matcher::withoutSelects(NodeId id) {
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
    if (!isPerKey(condition)) {
      const VisibleRow row(graph, scores, keyMask);
      if (!isRowGuard(condition) || *row.truthOf(condition) != (*zero == 2))
        return id;
      match.isGuarded = true;
    } else {
      if (match.dropout || dependsOnScores(condition))
        return id;
      match.dropout = condition;
      match.dropoutIfTrue = *zero == 2;
    }
    id = view.strip(view.operand(id, 3 - *zero));
  }
}

std::optional<NodeId> Matcher::matchSoftmax(NodeId read) {
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
  for (const Factor &factor : flat) {
    NodeId sum;
    if (!factor.isDivisor)
      continue;
    const Reduction *r = sumOf(factor.node, sum);
    if (!r || !readsScores(sum))
      continue;
    isAttention = dependsOnScores(sum);
    if (!isAttention || maskOf(view.loopOf(sum).dims) != keyMask) {
      isAttention = false;
      refusal.otherAxisOf = match.scores;
      refuse(sum, "the softmax is normalised over another dimension than "
                  "the product sums over");
      return std::nullopt;
    }
    product.take(factor.node, true);
    Product summed = view.productOf(r->value);
    bool isWhole = true;
    for (const Factor &part : summed.factors)
      isWhole &= product.take(part.node, part.isDivisor);
    if (!isWhole) {
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
  if (auto exp = view.expOf(id); exp && normalisesInside(*exp)) {
    match.probabilities = id;
    return id;
  }
  refuse(read, "the exponentials are not divided by their sum");
  return std::nullopt;
}

bool Matcher::normalisesInside(NodeId argument) {
  Sum sum = view.sumOf(argument);
  for (const Term &term : sum.terms) {
    auto inside = term.isNegative ? view.logOf(term.node) : std::nullopt;
    const Reduction *r =
        inside ? view.reductionOf(*inside, KernelReduce::Add) : nullptr;
    if (!r || maskOf(view.loopOf(*inside).dims) != keyMask)
      continue;
    auto summed = view.expOf(r->value);
    if (!summed)
      continue;
    isAttention = true;
    // The terms that vary with the key are the same in both; what differs
    // must be the shift that the logarithm lacks.
    Sum rest = sum;
    rest.take(term.node, true);
    if (view.isSumOf(rest, *summed))
      return true;
  }
  return false;
}

bool Matcher::readsOtherProduct(NodeId id) const {
  return llvm::any_of(graph.closureOf(id), [&](NodeId part) {
    GemmOp product = productOf(part);
    return product && product != match.scores;
  });
}

bool Matcher::readsScores(NodeId id) const {
  return llvm::any_of(graph.closureOf(id), [&](NodeId part) {
    return productOf(part) == match.scores;
  });
}

bool Matcher::matchFactors(const Product &rest) {
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

bool Matcher::readDivision() {
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

std::optional<NodeId> Matcher::matchLateSoftmax(NodeId read) {
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
    const bool isOnlyProduct = product.factors.size() == 1 &&
                               !product.factors[0].isDivisor &&
                               view.isLoad(product.factors[0].node);
    if (!isOnlyProduct || maskOf(view.loopOf(sum).dims) != keyMask) {
      refuse(sum, "what normalises the product is not the sum over its keys");
      return std::nullopt;
    }
    Product numerator = view.productOf(read);
    Product summed = view.productOf(r->value);
    bool isWhole = true;
    for (const Factor &part : summed.factors)
      isWhole &= numerator.take(part.node, part.isDivisor);
    if (!isWhole || !matchFactors(numerator)) {
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