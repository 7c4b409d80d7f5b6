// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clipping by a common norm in any decomposition.
//
// The sum of squares S is the key of all formulas here: its root is the norm N,
// whether the graph has sqrt(S), rsqrt(S) or a power. A scale is a product with
// one minimum, maximum or select of N, from which 1 or a bound max / (N + eps)
// is chosen.
#include "ClipNorm.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Steps.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

//===-- sums of squares ---------------------------------------------------===//

namespace {
/// A sum of squares, taken apart. O(nodes of the sum).
class SquareFinder {
public:
  SquareFinder(Elements &elements, SmallVectorImpl<ElementId> &sums)
      : elements(elements), sums(sums) {}

  /// Adds the tensors whose squares all elements of the node add up to.
  bool addAll(ElementId id) {
    if (++visited > maxVisited)
      return false;
    const Element &node = elements.at(id);
    // A start of 0 adds nothing.
    if (elements.constantOf(id) == 0.0)
      return true;
    noteRounding(id);
    switch (node.kind) {
    case Element::Add:
      // An operand of another size is broadcast: only 0 may be.
      return llvm::all_of(node.operands, [&](ElementId operand) {
        return elements.at(operand).size == node.size
                   ? addAll(operand)
                   : elements.constantOf(operand) == 0.0;
      });
    case Element::Round:
      return hasSize(node.operands[0], node.size) && addAll(node.operands[0]);
    case Element::SumAll:
      sums.push_back(id);
      return addAll(node.operands[0]);
    case Element::Mul: {
      // A square is a product of equal magnitudes: |x| * x is one, too.
      const Magnitude factor = magnitudeOf(node.operands[0]);
      return factor == magnitudeOf(node.operands[1]) &&
             hasSize(factor.id, node.size) && addSquare(factor.id);
    }
    case Element::Leaf:
      return addLeaf(node);
    default:
      return false;
    }
  }

  SmallVector<ElementId> found;
  SmallVector<ElementId> rounded;

private:
  /// Ops without a formula round what they store, as others do.
  void noteRounding(ElementId id) {
    const Element &node = elements.at(id);
    const bool isSum = isa_and_nonnull<ReduceOp, GemmOp>(node.op);
    if (elements.roundedTo(id, isSum))
      rounded.push_back(id);
  }

  static constexpr unsigned maxVisited = 1 << 16;

  /// A node of fewer elements is one that is broadcast: its square counts as
  /// often as it is read.
  bool hasSize(ElementId id, int64_t size) {
    return elements.at(id).size == size;
  }
  bool holdsAll(ElementId id, Value tensor) {
    return hasSize(id, elementCount(tensor));
  }
  bool addTensor(Value tensor) {
    const ElementId id = elements.of(tensor);
    return holdsAll(id, tensor) && addAll(id);
  }

  /// A node as +-x or +-|x|: the square of x is only a product of equal ones.
  struct Magnitude {
    ElementId id;
    bool isNegative = false, isAbsolute = false;

    bool operator==(const Magnitude &other) const {
      return id == other.id && isNegative == other.isNegative &&
             isAbsolute == other.isAbsolute;
    }
  };
  Magnitude magnitudeOf(ElementId id) {
    Magnitude magnitude{id};
    for (;; magnitude.id = elements.at(magnitude.id).operands[0]) {
      const Element::Kind kind = elements.at(magnitude.id).kind;
      if (kind == Element::Abs)
        magnitude.isAbsolute = true;
      else if (kind != Element::Neg)
        return magnitude;
      else if (!magnitude.isAbsolute)
        magnitude.isNegative = !magnitude.isNegative;
    }
  }

  /// The sum of a tensor's elements does not depend on their order.
  bool addLeaf(const Element &node) {
    if (!node.op || !node.range.isWhole())
      return false;
    if (auto reduce = dyn_cast<ReduceOp>(node.op))
      return reduce.getKind() == ReduceKind::Sum &&
             addTensor(reduce.getOperand());
    if (auto transpose = dyn_cast<TransposeOp>(node.op))
      return addTensor(transpose.getOperand());
    if (isa<ConcatOp>(node.op))
      return llvm::all_of(node.op->getOperands(),
                          [&](Value part) { return addTensor(part); });
    // The product of a vector with itself.
    auto gemm = dyn_cast<GemmOp>(node.op);
    if (!gemm || node.size != 1)
      return false;
    const ElementId lhs = elements.of(gemm.getLhs());
    return lhs == elements.of(gemm.getRhs()) && holdsAll(lhs, gemm.getLhs()) &&
           addSquare(lhs);
  }

  /// Adds what the squares of the node's elements add up to.
  bool addSquare(ElementId id) {
    const Element &node = elements.at(id);
    if (node.kind == Element::Sqrt ||
        (node.kind == Element::Round && node.size == 1))
      noteRounding(id);
    // The square of a root is what is under it.
    if (node.kind == Element::Sqrt)
      return hasSize(node.operands[0], node.size) && addAll(node.operands[0]);
    if (node.kind == Element::Round && node.size == 1)
      return addSquare(node.operands[0]);
    if (node.kind == Element::Leaf && isa_and_nonnull<ConcatOp>(node.op) &&
        node.range.isWhole())
      return llvm::all_of(node.op->getOperands(), [&](Value part) {
        const ElementId member = elements.of(part);
        return holdsAll(member, part) && addSquare(member);
      });
    if (!elements.hasTensor(id) || llvm::is_contained(found, id))
      return false;
    found.push_back(id);
    return true;
  }

  Elements &elements;
  SmallVectorImpl<ElementId> &sums;
  unsigned visited = 0;
};
} // namespace

SmallVector<ElementId>
gaudi::fusion::squaresIn(Elements &elements, ElementId sum,
                         SmallVectorImpl<ElementId> &sums,
                         SmallVectorImpl<ElementId> &rounded) {
  SquareFinder finder(elements, sums);
  if (!finder.addAll(sum))
    return {};
  llvm::append_range(rounded, finder.rounded);
  return finder.found;
}

//===-- scales ------------------------------------------------------------===//

static bool isOne(const Expression &expression) {
  auto number = expression.constant();
  return number && std::fabs(*number - 1) < 1e-6;
}

std::optional<double> ClipMatcher::epsOf(const Expression &norm) {
  double eps = 0;
  bool hasNorm = false;
  for (const Monomial &term : norm.terms) {
    if (term.powers.empty())
      eps = term.coefficient;
    else if (term.coefficient == 1 && term.powers.size() == 1 &&
             term.powers[0] == Power{{false, sum}, 1})
      hasNorm = true;
    else
      return std::nullopt;
  }
  return hasNorm ? std::optional(eps) : std::nullopt;
}

/// bound = max_norm / (norm + eps)
bool ClipMatcher::matchBound(const Expression &bound, ClipScale &scale) {
  auto parts = formula.partsOf(bound);
  if (parts.size() != 1 || parts[0].keyed.size() != 1)
    return false;
  const Power &norm = parts[0].keyed[0];
  scale.maxNorm = parts[0].factor;
  if (norm == Power{{false, sum}, -1})
    return true;
  if (!norm.atom.isSum || norm.halves != -2)
    return false;
  auto eps = epsOf(algebra.sum(norm.atom));
  scale.eps = eps.value_or(0);
  return eps && *eps >= 0;
}

bool ClipMatcher::comparesNorm(ElementId condition) {
  const Element &node = elements.at(elements.beforeRounding(condition));
  return node.kind == Element::Compare && formula.dependsOnKeys(condition) &&
         node.predicate != ComparePredicate::EQ &&
         node.predicate != ComparePredicate::NE;
}

/// True if the condition holds where 1 must be chosen, or, if 1 is chosen where
/// it does not hold, elsewhere.
bool ClipMatcher::matchCondition(ElementId condition, bool isOneIfTrue,
                                 ClipScale &scale) {
  const Element &node = elements.at(elements.beforeRounding(condition));
  if (node.kind != Element::Compare)
    return false;
  Expression left = formula.of(node.operands[0]);
  Expression right = formula.of(node.operands[1]);
  bool isLess = node.predicate == ComparePredicate::LT ||
                node.predicate == ComparePredicate::LE;
  const bool isGreater = node.predicate == ComparePredicate::GT ||
                         node.predicate == ComparePredicate::GE;
  if (!isLess && !isGreater)
    return false;
  auto dependsOnNorm = [&](const Expression &side) {
    return llvm::any_of(formula.partsOf(side), [](const Formula::Part &part) {
      return !part.keyed.empty();
    });
  };
  // The norm goes to the left side.
  if (!dependsOnNorm(left)) {
    std::swap(left, right);
    isLess = !isLess;
  }
  // norm < max_norm, or max_norm / (norm + eps) > 1.
  ClipScale other;
  if (matchBound(left, other))
    return isOne(right) && isLess != isOneIfTrue && other.eps == scale.eps &&
           isClose(other.maxNorm, scale.maxNorm);
  // A select of the norm itself, with or without eps.
  auto eps = epsOf(left);
  if (!eps || (*eps != 0 && *eps != scale.eps) ||
      !isClose(right, scale.maxNorm) || isLess != isOneIfTrue)
    return false;
  scale.isSelect = *eps != scale.eps;
  return true;
}

std::optional<ClipScale> ClipMatcher::match(const Choice &choice,
                                            std::string &reason) {
  if (choice.condition && !comparesNorm(*choice.condition))
    return std::nullopt; // chosen for another reason
  for (bool isOneIfTrue : {true, false}) {
    const Expression &one = isOneIfTrue ? choice.ifTrue : choice.ifFalse;
    const Expression &bound = isOneIfTrue ? choice.ifFalse : choice.ifTrue;
    if (!isOne(one))
      continue;
    ClipScale scale;
    if (!matchBound(bound, scale)) {
      reason = "the scale of a large norm is not a bound divided by the norm "
               "and a constant eps";
      return std::nullopt;
    }
    if (choice.condition &&
        !matchCondition(*choice.condition, isOneIfTrue, scale)) {
      reason = "the scale of 1 is not chosen where the norm is below the bound";
      return std::nullopt;
    }
    if (!algebra.isUniform(scale.maxNorm) ||
        (scale.maxNorm.constant() && *scale.maxNorm.constant() < 0))
      return std::nullopt;
    return scale;
  }
  reason = "the scale of a small norm is not 1";
  return std::nullopt;
}

/// The scalars of the expression, looked into as far as they depend on the sum.
std::optional<Expression> ClipMatcher::overNorm(const Expression &scale) {
  Expression result;
  for (const Monomial &term : scale.terms) {
    Monomial factor{term.coefficient, {}};
    for (const Power &power : term.powers) {
      if (power.atom.isSum || std::abs(power.halves) != 2) {
        factor = factor * Monomial{1, {power}};
        continue;
      }
      const Expression value = formula.of(power.atom.number);
      const Monomial *single = value.single();
      if (!single)
        return std::nullopt;
      factor = factor * (power.halves > 0 ? *single : inverse(*single));
    }
    result.add(factor);
  }
  return result;
}

std::optional<ClipMatcher::Choice>
ClipMatcher::choiceIn(ElementId id, const Monomial &factor, bool isDivisor) {
  const Element &node = elements.at(id);
  auto value = [&](ElementId operand) -> std::optional<Expression> {
    // A bound from below that the norm always keeps.
    const Element &inner = elements.at(operand);
    if (inner.kind == Element::Max && elements.constantOf(inner.operands[1]) &&
        *elements.constantOf(inner.operands[1]) <= 0)
      operand = inner.operands[0];
    Expression expression = formula.of(operand);
    if (!isDivisor)
      return expression * factor;
    // 1 / (norm + eps) is an atom only a quotient makes.
    const Monomial *single = expression.single();
    return single ? std::optional(Expression(factor * inverse(*single)))
                  : std::nullopt;
  };
  const bool isMinimum = node.kind == (isDivisor ? Element::Max : Element::Min);
  const bool isSelect = node.kind == Element::Select;
  if (!isMinimum && !isSelect)
    return std::nullopt;
  auto first = value(node.operands[isSelect ? 1 : 0]);
  auto second = value(node.operands[isSelect ? 2 : 1]);
  if (!first || !second)
    return std::nullopt;
  Choice choice{*first, *second, std::nullopt};
  if (isSelect)
    choice.condition = node.operands[0];
  return choice;
}

std::optional<ClipMatcher::Choice>
ClipMatcher::choiceOf(const Expression &scale) {
  auto over = overNorm(scale);
  const Monomial *single = over ? over->single() : nullptr;
  if (!single)
    return std::nullopt;
  for (const Power &power : single->powers) {
    if (power.atom.isSum || std::abs(power.halves) != 2 ||
        !formula.dependsOnKeys(power.atom.number) || power.atom.number == sum)
      continue;
    Monomial factor = *single * inverse(Monomial{1, {power}});
    return choiceIn(power.atom.number, factor, power.halves < 0);
  }
  return std::nullopt;
}

std::optional<ClipScale>
ClipMatcher::scaleOf(ElementId node, ElementId gradient, std::string &reason) {
  // The norm of a gradient of one element is a formula of it, too: the sum of
  // squares is a key, so that it is not looked into.
  Formula multiple(algebra, {gradient, sum});
  const Atom key{false, gradient};
  auto factorOf = [&](ElementId id) -> std::optional<Expression> {
    Expression factor;
    for (const Monomial &term : multiple.ofStored(id).terms) {
      factor.add(term * inverse(Monomial{1, {{key, 2}}}));
      if (!llvm::is_contained(term.powers, Power{key, 2}))
        return std::nullopt;
    }
    if (factor.terms.empty() || !algebra.isUniform(factor))
      return std::nullopt;
    return factor;
  };
  const Element &element = elements.at(node);
  // A select of tensors chooses between two scales.
  if (element.kind == Element::Select) {
    auto ifTrue = factorOf(element.operands[1]);
    auto ifFalse = factorOf(element.operands[2]);
    if (!ifTrue || !ifFalse || !formula.dependsOnKeys(element.operands[0]))
      return std::nullopt;
    auto first = overNorm(*ifTrue), second = overNorm(*ifFalse);
    if (!first || !second)
      return std::nullopt;
    return match(Choice{*first, *second, element.operands[0]}, reason);
  }
  auto factor = factorOf(node);
  auto choice = factor ? choiceOf(*factor) : std::nullopt;
  return choice ? match(*choice, reason) : std::nullopt;
}

//===-- clipped gradients -------------------------------------------------===//

static void scaleWhereRead(FusedClipNormOp clip, Value gradient,
                           Value clipped) {
  const bool isElementwise =
      llvm::all_of(clipped.getUsers(), [](Operation *user) {
        return isa<ElementwiseOpInterface, KernelOp>(user);
      });
  if (clipped.use_empty() || !isElementwise)
    return;
  OpBuilder builder(clip->getBlock(), std::next(clip->getIterator()));
  const Location loc = clip.getLoc();
  RankedTensorType type = tensorType(clipped);
  Value scale = clip.getScale();
  if (!type.getElementType().isF32())
    scale = CastOp::create(
        builder, loc, tensorType(scale).clone(type.getElementType()), scale);
  auto ones = RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1),
                                    type.getElementType());
  if (scale.getType() != ones)
    scale = ReshapeOp::create(builder, loc, ones, scale);
  clipped.replaceAllUsesWith(
      MulOp::create(builder, loc, type, gradient, scale));
}

void gaudi::fusion::scaleWhereRead(Block &block) {
  for (auto clip : block.getOps<FusedClipNormOp>())
    for (auto [gradient, clipped] :
         llvm::zip(clip.getGradients(), clip.getClipped()))
      ::scaleWhereRead(clip, gradient, clipped);
}
