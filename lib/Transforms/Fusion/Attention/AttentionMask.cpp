// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Causal masks and windows, from index arithmetic or from a constant's data.
#include "Gaudi/Dialect/ConstantValues.h"
#include "KnownValues.h"
#include "Matcher.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// A condition that must hold, or must not, for a key to be visible.
struct Literal {
  NodeId condition;
  bool visibleIf;
};

class MaskReader {
public:
  explicit MaskReader(AttentionMatch &match)
      : match(match), graph(*match.graph), view(graph.dag),
        known(graph, match.rows, match.keys) {}

  void run() {
    readAdded();
    match.hidden = withoutCovered(match.hidden);
    SmallVector<std::pair<HiddenScores, SmallVector<Literal>>> read;
    for (const HiddenScores &hidden : match.hidden) {
      read.push_back({hidden, {}});
      literalsOf(hidden.condition, hidden.visibleIf, read.back().second);
    }
    // A finite value keeps hidden keys in rows where all are hidden: those of
    // one mask only count if no other mask hides the rest.
    const bool isOnlyMask = read.size() == 1 && match.added.empty();
    SmallVector<HiddenScores, 2> rest;
    bool isKept = false; // by a finite value that is selected later
    for (auto &[hidden, literals] : read) {
      isKept |= std::isfinite(hidden.value) || std::isfinite(match.floor);
      const bool isGone = !isKept;
      SmallVector<Literal> unread;
      Band band = total;
      for (const Literal &literal : literals) {
        std::optional<Band> one = bandOf(literal);
        if (!one || !isExpressible(meet(band, *one)))
          unread.push_back(literal);
        else
          band = meet(band, *one);
      }
      hidden.showsEveryRow = unread.empty() && everyRowSeesAKey(band);
      const double value = std::max(hidden.value, match.floor);
      const bool isBand = isOnlyMask && hidden.showsEveryRow;
      if (isBand && value > hiddenLimit && value <= lostLogarithm)
        match.tooHigh = value;
      if (!isGone && !(isBand && value <= hiddenLimit)) {
        rest.push_back(hidden);
        continue;
      }
      total = band;
      if (unread.size() == literals.size())
        rest.push_back(hidden);
      else
        for (const Literal &literal : unread)
          rest.push_back({literal.condition, literal.visibleIf, hidden.value,
                          hidden.depth});
    }
    match.hidden = withoutCovered(rest);
    match.isCausal = total.low == 0;
    if (total.high < match.queryCount - 1)
      match.window = total.high + 1;
  }

private:
  /// Without those whose scores another one replaces later.
  static SmallVector<HiddenScores, 2>
  withoutCovered(ArrayRef<HiddenScores> hidden) {
    SmallVector<HiddenScores, 2> left;
    for (const HiddenScores &mask : hidden)
      if (llvm::none_of(left, [&](const HiddenScores &later) {
            return later.condition == mask.condition &&
                   later.visibleIf == mask.visibleIf;
          }))
        left.push_back(mask);
    return left;
  }
  static Band meet(const Band &a, const Band &b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
  }
  /// True if `causal` and `window` say it.
  bool isExpressible(Band band) const {
    const bool hasLow = band.low > -(match.keyCount - 1);
    const bool hasHigh = band.high < match.queryCount - 1;
    if (!hasLow)
      return !hasHigh;
    return band.low == 0 ? band.high >= 0
                         : hasHigh && band.low == -band.high && band.high > 0;
  }
  bool everyRowSeesAKey(const Band &band) const {
    // Row i sees keys from i - high to i - low.
    return band.low <= 0 &&
           (band.high >= match.queryCount - 1 ||
            match.queryCount - 1 - band.high <= match.keyCount - 1);
  }

  //===--------------------------------------------------------------------===//
  // Conditions
  //===--------------------------------------------------------------------===//

  bool isBoolean(NodeId id) const {
    Type type = view.at(id).type;
    return type && type.isInteger(1);
  }

  /// The literals whose conjunction makes a key visible.
  void literalsOf(NodeId id, bool visibleIf, SmallVectorImpl<Literal> &out) {
    id = view.strip(id);
    const Node &node = view.at(id);
    if (node.kind == Node::Scalar && isBoolean(id)) {
      if (isOneOf<arith::AndIOp>(*node.name) && visibleIf) {
        literalsOf(node.operands[0], true, out);
        return literalsOf(node.operands[1], true, out);
      }
      if (isOneOf<arith::OrIOp>(*node.name) && !visibleIf) {
        literalsOf(node.operands[0], false, out);
        return literalsOf(node.operands[1], false, out);
      }
      if (isOneOf<arith::XOrIOp>(*node.name))
        for (unsigned i = 0; i < 2; ++i)
          if (auto number = numberOf(view, node.operands[i]))
            return literalsOf(node.operands[1 - i], visibleIf != (*number != 0),
                              out);
      // x != 0 or x == 0 of a number made of a boolean.
      if (std::optional<std::pair<NodeId, bool>> tested = testedBoolean(node))
        return literalsOf(tested->first, visibleIf == tested->second, out);
    }
    out.push_back({id, visibleIf});
  }

  /// b and true for b != 0, b and false for b == 0, where b was a boolean.
  std::optional<std::pair<NodeId, bool>> testedBoolean(const Node &node) const {
    const std::optional<ComparePredicate> order = orderOf(node);
    if (order != ComparePredicate::EQ && order != ComparePredicate::NE)
      return std::nullopt;
    // The boolean may be on either side of the comparison.
    for (unsigned i = 0; i < 2; ++i) {
      auto number = numberOf(view, node.operands[1 - i]);
      NodeId side = view.strip(node.operands[i]);
      // With 0 or 1 alone, a comparison of a boolean is the boolean or its
      // opposite.
      if (!number || (*number != 0 && *number != 1) ||
          !view.isOp<arith::UIToFPOp, arith::ExtUIOp>(side) ||
          !isBoolean(view.operand(side, 0)))
        continue;
      return std::pair(view.operand(side, 0),
                       (order == ComparePredicate::EQ) == (*number == 1));
    }
    return std::nullopt;
  }

  /// A value that is a linear form of the indices, computed without rounding
  /// or wrapping anywhere.
  std::optional<Affine> linearOf(NodeId id) const {
    std::optional<Affine> form = unboundedLinearOf(id);
    if (!form || !form->isExact())
      return std::nullopt;
    const auto [low, high] = rangeOf(*form, graph.dag.extents);
    return holdsExactly(graph.dag.nodes[id].type, low, high) ? form
                                                             : std::nullopt;
  }

  std::optional<Affine> unboundedLinearOf(NodeId id) const {
    const Node &node = graph.dag.nodes[id]; // casts included
    if (node.kind == Node::Index)
      return Affine::dim(node.number);
    if (auto number = numberOf(view, id)) {
      // Larger numbers are not exact in all types that they may pass.
      if (std::abs(*number) < 1e15 && *number == std::floor(*number))
        return Affine(int64_t(*number));
      return std::nullopt;
    }
    if (node.kind == Node::Load)
      return progressionOf(graph.dag.accesses[node.number]);
    if (node.kind != Node::Scalar || node.operands.empty())
      return std::nullopt;
    auto a = linearOf(node.operands[0]);
    if (!a)
      return std::nullopt;
    // Conversions keep the number, as long as it fits: linearOf() checks that.
    if (isOneOf<arith::ExtSIOp, arith::TruncIOp, arith::SIToFPOp,
                arith::FPToSIOp, arith::IndexCastOp, arith::ExtFOp,
                arith::TruncFOp>(*node.name))
      return a;
    // An unsigned conversion of a negative number is another number.
    if (isOneOf<arith::ExtUIOp, arith::UIToFPOp>(*node.name))
      return rangeOf(*a, graph.dag.extents).low >= 0 ? a : std::nullopt;
    if (node.operands.size() != 2)
      return std::nullopt;
    auto b = linearOf(node.operands[1]);
    if (!b)
      return std::nullopt;
    if (isOneOf<arith::AddIOp, arith::AddFOp>(*node.name))
      return a->add(*b), a;
    if (isOneOf<arith::SubIOp, arith::SubFOp>(*node.name))
      return a->add(*b, -1), a;
    // A product is linear if one factor is constant.
    if (isOneOf<arith::MulIOp, arith::MulFOp>(*node.name)) {
      Affine product;
      if (b->isConstant())
        return product.add(*a, b->getOffset()), product;
      if (a->isConstant())
        return product.add(*b, a->getOffset()), product;
    }
    return std::nullopt;
  }

  /// A constant that holds an arithmetic progression (positions 0, 1, 2, ...).
  std::optional<Affine> progressionOf(const Access &access) const {
    auto values = ConstantValues::of(access.tensor);
    if (!values || !access.isInside() || values->size() < 2 ||
        values->size() > maxFoldedElements)
      return std::nullopt;
    std::optional<Affine> index;
    // One dimension has the progression, the others have size 1.
    for (auto [d, form] : llvm::enumerate(access.position)) {
      if (values->getType().getDimSize(d) == 1)
        continue;
      if (index)
        return std::nullopt;
      index = form;
    }
    if (!index)
      return std::nullopt;
    const double first = values->at(0), step = values->at(1) - first;
    // Steps and starts are whole, and exact in float64.
    if (std::abs(first) > 1e15 || std::abs(step) > 1e6 ||
        first != std::floor(first) || step != std::floor(step))
      return std::nullopt;
    // Every element is compared: a constant of positions may have holes.
    for (int64_t i = 0; i < values->size(); ++i)
      if (values->at(i) != first + double(i) * step)
        return std::nullopt;
    Affine form((int64_t(first)));
    form.add(*index, int64_t(step));
    return form;
  }

  /// The band that a literal states, from index arithmetic or from data.
  std::optional<Band> bandOf(const Literal &literal) {
    if (std::optional<Band> band = bandOfComparison(literal))
      return band;
    return bandOfData(literal.condition,
                      [&](int64_t i, int64_t j) -> std::optional<bool> {
                        auto value = known.at(literal.condition, i, j);
                        if (!value)
                          return std::nullopt;
                        return (*value != 0) == literal.visibleIf;
                      });
  }

  std::optional<Band> bandOfComparison(const Literal &literal) const {
    const Node &node = view.at(literal.condition);
    // Equality bounds no band.
    const std::optional<ComparePredicate> order = orderOf(node);
    using P = ComparePredicate;
    if (!order || order == P::EQ || order == P::NE)
      return std::nullopt;
    bool isLess = order == P::LT || order == P::LE;
    bool withEqual = order == P::LE || order == P::GE;
    // Both sides linear in the indices: the difference decides.
    auto a = linearOf(node.operands[0]), b = linearOf(node.operands[1]);
    if (!a || !b)
      return std::nullopt;
    // A literal that hides where it holds is the opposite comparison.
    if (!literal.visibleIf)
      isLess = !isLess, withEqual = !withEqual;
    // a - b = sign * (i - j) + c.
    Affine difference = *a;
    difference.add(*b, -1);
    // The difference must be that of row and key, in either direction.
    for (int sign : {1, -1}) {
      Affine rest = difference;
      rest.add(match.rows, -sign);
      rest.add(match.keys, sign);
      if (!rest.isConstant())
        continue;
      const int64_t c = rest.getOffset();
      // sign * (i - j) <= bound, or >= bound.
      const int64_t bound = (withEqual ? 0 : isLess ? -1 : 1) - c;
      // With sign -1, bounds and directions are those of j - i.
      Band band;
      if (isLess == (sign > 0))
        band.high = sign > 0 ? bound : -bound;
      else
        band.low = sign > 0 ? bound : -bound;
      return band;
    }
    return std::nullopt;
  }

  /// The band of a mask that is known at every position.
  std::optional<Band> bandOfData(
      NodeId id,
      llvm::function_ref<std::optional<bool>(int64_t, int64_t)> visible) {
    const uint64_t inner = match.rows.dims() | match.keys.dims();
    // A mask that varies with images or heads is no band for all.
    if (graph.variesWith(id) & ~inner || !known.contains(id) ||
        match.queryCount >
            maxMaskPositions / std::max<int64_t>(match.keyCount, 1))
      return std::nullopt;
    return gaudi::fusion::bandOf(match.queryCount, match.keyCount, visible);
  }

  //===--------------------------------------------------------------------===//
  // Added masks
  //===--------------------------------------------------------------------===//

  /// c * b of which b selects: a term that is 0 where a condition holds and a
  /// constant elsewhere.
  std::optional<HiddenScores> hiddenBy(const AddedMask &mask) const {
    NodeId id = view.strip(mask.value);
    double factor = mask.factor;
    Product product = view.productOf(id);
    if (auto only = product.onlyFactor()) {
      factor *= product.coefficient;
      id = *only;
    }
    if (view.isOp<arith::SelectOp>(id))
      for (unsigned i = 1; i < 3; ++i) {
        auto zero = numberOf(view, view.operand(id, i));
        auto other = numberOf(view, view.operand(id, 3 - i));
        if (zero && other && *zero == 0)
          return HiddenScores{view.operand(id, 0), i == 1, *other * factor,
                              mask.depth};
      }
    // (1 - b) * c, and b * c with b true where the key is hidden.
    bool visibleIf = false;
    Sum sum = view.sumOf(id);
    if (sum.constant == 1 && sum.terms.size() == 1 && sum.terms[0].isNegative) {
      id = sum.terms[0].node;
      visibleIf = true;
    }
    if (view.isOp<arith::UIToFPOp>(id) && isBoolean(view.operand(id, 0)))
      return HiddenScores{view.operand(id, 0), visibleIf, factor, mask.depth};
    return std::nullopt;
  }

  /// Masks that are added but hide keys become conditions, if the numbers stay:
  /// s - infinity is -infinity, and where keys are hidden from a query that
  /// sees others, a score of s + c is as good as absent.
  void readAdded() {
    SmallVector<AddedMask, 2> rest;
    // With a second mask, a finite number may not hide.
    const bool isOnlyMask = match.added.size() == 1 && match.hidden.empty();
    for (const AddedMask &mask : match.added) {
      if (std::optional<HiddenScores> hidden = hiddenBy(mask)) {
        SmallVector<Literal> literals;
        literalsOf(hidden->condition, hidden->visibleIf, literals);
        const bool isBand = isOnlyMask && hidden->value <= hiddenLimit &&
                            llvm::all_of(literals, [&](const Literal &l) {
                              return bandOf(l).has_value();
                            });
        if ((std::isinf(hidden->value) && hidden->value < 0) || isBand) {
          // After those that are selected later.
          match.hidden.insert(llvm::find_if(match.hidden,
                                            [&](const HiddenScores &other) {
                                              return other.depth >
                                                     hidden->depth;
                                            }),
                              *hidden);
          continue;
        }
      } else if (std::optional<Band> band = bandOfAdded(mask, isOnlyMask)) {
        total = meet(total, *band);
        continue;
      }
      rest.push_back(mask);
    }
    match.added = rest;
  }

  /// The band of a constant mask of zeros and values that hide.
  std::optional<Band> bandOfAdded(const AddedMask &mask, bool isOnlyMask) {
    bool isFinite = false;
    std::optional<Band> band = bandOfData(
        mask.value, [&](int64_t i, int64_t j) -> std::optional<bool> {
          auto value = known.at(mask.value, i, j);
          if (!value)
            return std::nullopt;
          const double score = *value * mask.factor;
          if (score != 0 && !(score <= hiddenLimit))
            return std::nullopt;
          isFinite |= score != 0 && !std::isinf(score);
          return score == 0;
        });
    // What is selected or bounded later shows in rows whose keys are all
    // hidden.
    const bool isKept =
        std::isfinite(match.floor) ||
        llvm::any_of(match.hidden, [&](const HiddenScores &other) {
          return other.depth < mask.depth && std::isfinite(other.value);
        });
    const bool isSafe = band && ((!isFinite && !isKept) ||
                                 (isOnlyMask && everyRowSeesAKey(*band)));
    return isSafe && isExpressible(meet(total, *band)) ? band : std::nullopt;
  }

  AttentionMatch &match;
  ValueDag &graph;
  PatternView view;
  Band total;
  KnownValues known;
};
} // namespace

void gaudi::fusion::findCausal(AttentionMatch &match) {
  MaskReader(match).run();
}
