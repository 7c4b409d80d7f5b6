// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the steps of all optimizers have: accumulated states, gradients and
// weight decay.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Steps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Tensors that are tried as the old value of a state.
static constexpr size_t maxTried = 8;

std::string gaudi::fusion::numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.7g", value);
  return text;
}

double gaudi::fusion::decimalOf(double value) {
  SmallVector<char, 16> text;
  llvm::APFloat(float(value)).toString(text, 7);
  double decimal = 0;
  if (StringRef(text.data(), text.size()).getAsDouble(decimal) ||
      float(decimal) != float(value))
    return value;
  return decimal;
}

bool gaudi::fusion::isClose(const Expression &a, const Expression &b) {
  if (a.terms.size() != b.terms.size())
    return false;
  for (auto [left, right] : llvm::zip(a.terms, b.terms))
    if (left.powers != right.powers ||
        std::fabs(left.coefficient - right.coefficient) >
            1e-6 * std::fabs(right.coefficient))
      return false;
  return true;
}

std::string OptimizerStep::groupKey(const Algebra &algebra) const {
  std::string key = llvm::formatv(
      "{0};{1:e12};{2:e12};{3:e12};{4:e12};{5:e12};{6:e12};{7};{8}", int(kind),
      beta1, beta2, l2, momentum, dampening, weightDecay, isNesterov,
      states.size());
  for (const Expression &scalar : scalars)
    key += ";" + algebra.textOf(scalar);
  if (epsGuard)
    key += ";guard " + algebra.textOf(*epsGuard);
  return key + ";" + algebra.textOf(gradScale);
}

/// Leaves of the node's formula that are tensors of its size, those that an
/// entry gets first.
static SmallVector<ElementId> leavesOf(Elements &elements, ElementId root,
                                       ArrayRef<ElementId> stops) {
  SmallVector<ElementId> arguments, others;
  const int64_t size = elements.at(root).size;
  for (ElementId id : elements.cone(root, stops)) {
    const Element &node = elements.at(id);
    if (node.kind != Element::Leaf || node.size != size || id == root ||
        !elements.hasTensor(id) || llvm::is_contained(stops, id) ||
        !isFloatElement(getElementTypeOrSelf(node.range.tensor)))
      continue;
    const bool isArgument = isa<BlockArgument>(node.range.tensor);
    (isArgument ? arguments : others).push_back(id);
  }
  llvm::append_range(arguments, others);
  if (arguments.size() > maxTried)
    arguments.truncate(maxTried);
  return arguments;
}

SmallVector<Accumulation, 2> gaudi::fusion::accumulationsOf(Algebra &algebra,
                                                            ElementId node) {
  SmallVector<Accumulation, 2> found;
  for (ElementId old : leavesOf(algebra.elements, node, {})) {
    Formula formula(algebra, {old});
    auto parts = formula.partsOf(formula.ofStored(node));
    // Without keys first: what is added, then a constant times the old value.
    if (parts.size() != 2 || !parts[0].keyed.empty())
      continue;
    const Powers &keyed = parts[1].keyed;
    if (keyed.size() == 1 && keyed[0] == Power{{false, old}, 2} &&
        algebra.isUniform(parts[1].factor))
      found.push_back({old, parts[1].factor.constant(), parts[0].factor});
  }
  return found;
}

std::string StepParts::name(ElementId node) {
  Operation *op = algebra.elements.at(node).op;
  return op ? op->getName().getStringRef().str() : "an argument";
}

std::optional<ElementId> StepParts::gradientOf(const Expression &added,
                                               ElementId sum, int64_t size,
                                               Expression &scale) {
  const Monomial *single = added.single();
  if (!single)
    return std::nullopt;
  Elements &elements = algebra.elements;
  std::optional<ElementId> tensor;
  Monomial factor{single->coefficient, {}};
  // One factor is a whole tensor, the others are uniform scales.
  for (const Power &power : single->powers) {
    // Of single elements, the last one is the gradient: factors come earlier.
    const bool isTensor = !power.atom.isSum && power.halves == 2 &&
                          elements.at(power.atom.number).size == size &&
                          (size == 1 || !elements.isUniform(power.atom.number));
    if (isTensor && (!tensor || size == 1)) {
      if (tensor)
        factor = factor * Monomial{1, {{{false, *tensor}, 2}}};
      tensor = power.atom.number;
    } else if (!algebra.isUniform(power.atom)) {
      return std::nullopt;
    } else {
      factor = factor * Monomial{1, {power}};
    }
  }
  if (!tensor)
    return std::nullopt;
  scale = Expression(factor);
  // The gradient may be scaled inside the tensor as well.
  const ElementId gradient = algebra.withoutScale(*tensor, scale);
  if (!elements.hasTensor(gradient) || scale.terms.empty())
    return std::nullopt;
  return gradient;
}

double StepParts::weightDecayOf(ElementId parameter, ElementId &gradient,
                                Expression &scale) {
  std::optional<double> factor = scale.constant();
  if (!factor)
    return 0;
  Formula formula(algebra, {parameter});
  auto parts = formula.partsOf(formula.of(gradient));
  // g + decay * w: one part without the parameter, one with its first power.
  if (parts.size() != 2 || !parts[0].keyed.empty())
    return 0;
  const Powers &keyed = parts[1].keyed;
  std::optional<double> decay = parts[1].factor.constant();
  if (keyed.size() != 1 || !(keyed[0] == Power{{false, parameter}, 2}) ||
      !decay)
    return 0;
  Expression inner;
  auto tensor = gradientOf(parts[0].factor, parameter,
                           algebra.elements.at(parameter).size, inner);
  if (!tensor)
    return 0;
  gradient = *tensor;
  scale = inner * Monomial{*factor, {}};
  return decimalOf(*factor * *decay);
}

SmallVector<ElementId> StepParts::parametersOf(ElementId newParameter,
                                               ArrayRef<ElementId> stops) {
  return leavesOf(algebra.elements, newParameter, stops);
}
