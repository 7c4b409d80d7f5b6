// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VisibleRow.h"
#include "KnownValues.h"
#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

const Reduction *VisibleRow::reductionOf(NodeId id,
                                         ArrayRef<KernelReduce> kinds) const {
  // Exporters take the largest number and -infinity, too.
  while (view.isOp<arith::MaximumFOp, arith::MaxNumFOp>(id)) {
    auto isLeast = [&](unsigned i) {
      return numberOf(view, view.operand(id, i)) ==
             -std::numeric_limits<double>::infinity();
    };
    if (!isLeast(0) && !isLeast(1))
      break;
    id = view.operand(id, isLeast(0) ? 1 : 0);
  }
  for (KernelReduce kind : kinds)
    if (const Reduction *r = view.reductionOf(id, kind))
      return maskOf(view.loopOf(id).dims) == keyMask ? r : nullptr;
  return nullptr;
}

// Masks are added, multiplied or selected. What becomes of the score of a
// visible key is taken to stay within the range of scores (docs/fusion.md);
// numbers that are outside it by themselves refuse.
bool VisibleRow::isScore(NodeId id, unsigned depth) const {
  id = view.strip(id);
  if (id == scores)
    return true;
  // Too deep: not known to be a score.
  if (depth > maxDepth)
    return false;
  auto part = [&](unsigned i) {
    return isScore(view.operand(id, i), depth + 1);
  };
  auto isMask = [&](unsigned i) {
    NodeId other = view.operand(id, i);
    // A number within the range of scores, or what does not depend on them.
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
  // Not above the range. -infinity is, too: a visible key has no such score.
  auto isNotAbove = [&](unsigned i) {
    auto number = numberOf(view, view.operand(id, i));
    return number && *number < -farBelow;
  };
  // The larger one of a score and such a number is within the range.
  if (view.isOp<arith::MaximumFOp, arith::MaxNumFOp>(id))
    return (part(0) && isNotAbove(1)) || (isNotAbove(0) && part(1));
  if (view.isOp<arith::SelectOp>(id))
    return !reads(view.operand(id, 0)) &&
           ((part(1) && isNotAbove(2)) || (isNotAbove(1) && part(2)));
  return false;
}

bool VisibleRow::isNotNegative(NodeId id, unsigned depth) const {
  id = view.strip(id);
  if (depth > maxDepth)
    return false;
  auto part = [&](unsigned i) {
    return isNotNegative(view.operand(id, i), depth + 1);
  };
  auto isZero = [&](unsigned i) {
    return numberOf(view, view.operand(id, i)) == 0.0;
  };
  auto isBoolean = [&](unsigned i) {
    // A condition as a number, 0 or 1.
    NodeId b = view.operand(id, i);
    return view.isOp<arith::UIToFPOp>(b) && !reads(b) &&
           view.at(view.operand(b, 0)).type.isInteger(1);
  };
  // An exponential of scores is positive; 0 if it is hidden.
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
  return r && isNotNegative(r->value, depth + 1);
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
  // The exponential of the largest score is 1, if that was taken from all;
  // others may be too small for f32.
  const Reduction *sum = reductionOf(
      id, {KernelReduce::Add, KernelReduce::Max, KernelReduce::MaxNum});
  if (sumsToOneAtLeast(sum ? sum->value : id))
    return Range{1, DBL_MAX};
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
  // A condition as a number.
  if (isOneOf<arith::UIToFPOp, arith::ExtUIOp>(*node.name) &&
      view.at(node.operands[0]).type.isInteger(1))
    return truthOf(node.operands[0], depth + 1);
  // Comparisons are decided by ranges of the sides that do not overlap.
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
    // Numbers do not say whether the order of integers is signed.
    const std::optional<ComparePredicate> order = orderOf(node);
    if (isOneOf<arith::CmpIOp>(*node.name) && order != ComparePredicate::EQ &&
        order != ComparePredicate::NE)
      return std::nullopt;
    return *graph.dag.evaluate(node, {double(sign), 0.0}) != 0;
  }
  if (!isBit ||
      !isOneOf<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(*node.name))
    return std::nullopt;
  // One side decides: false of "and", true of "or".
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
  // A product of one exponential with conditions; a coefficient could make it
  // smaller than 1.
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
  // One term takes the largest of the others away: then the largest exponent is
  // 0, and the sum at least 1.
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
      // Only a number far below all scores hides one.
      if (!low || *low > farBelow)
        break;
      masks.push_back({view.operand(inside, 0), kept});
      inside = view.operand(inside, kept);
    }
    // So each mask of the exponentials must be one of the maximum.
    return llvm::all_of(
        hidden, [&](auto mask) { return llvm::is_contained(masks, mask); });
  }
  return false;
}
