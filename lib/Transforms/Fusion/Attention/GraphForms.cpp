// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GraphForms.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Reference/Tensor.h"
#include "KnownValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Values on one path; beyond them a proof is given up.
static constexpr unsigned maxFormDepth = 400;
/// Elements of a constant that is looked at.
static constexpr int64_t maxBandElements = int64_t(1) << 24;

NormalForms::Variables GraphForms::variablesOf(const Affine &axis) const {
  NormalForms::Variables variables;
  for (unsigned d = 0; d < axis.size(); ++d)
    if (axis[d] != 0)
      variables.push_back({d, graph.dag.extents[d]});
  return variables;
}

LinearForm GraphForms::linearOf(const Affine &form) const {
  if (!form.isExact())
    forms.spend();
  LinearForm result{form.getOffset(), {}};
  for (unsigned d = 0; d < form.size(); ++d)
    if (form[d] != 0 && graph.dag.extents[d] != 1)
      result.terms.push_back({d, form[d]});
  return result;
}

int64_t GraphForms::identityOf(const Twine &text) {
  // Numbers of tensors are even, those of functions odd.
  return identities.try_emplace(text.str(), 2 * identities.size() + 1)
      .first->second;
}

std::optional<StringRef> GraphForms::functionIn(Form a, Form b) const {
  const auto known = forms.functionsIn(b);
  for (int64_t identity : forms.functionsIn(a))
    if (!known.count(identity))
      for (const auto &entry : identities)
        if (entry.second == identity)
          return entry.first().split(' ').first;
  return std::nullopt;
}

NormalForms::Form GraphForms::of(NodeId id) {
  if (auto it = known.find(id); it != known.end())
    return it->second;
  if (graph.isToBeSplit() || forms.isSpent() || ++depth > maxFormDepth) {
    forms.spend();
    return NormalForms::zero;
  }
  const Form form = compute(id);
  --depth;
  return known[id] = form;
}

NormalForms::Form GraphForms::compute(NodeId id) {
  // A copy: reading more of the graph moves its nodes.
  const Node node = graph.dag.nodes[id];
  switch (node.kind) {
  case Node::Constant:
    return forms.number(numberOf(cast<TypedAttr>(node.attr)));
  case Node::Index:
    return forms.linear(linearOf(Affine::dim(node.number)));
  case Node::Load:
    return ofLoad(node);
  case Node::Scalar:
    return ofScalar(node);
  case Node::Result:
    return ofReduction(node);
  case Node::Carry:
    forms.spend();
    return NormalForms::zero;
  }
  llvm_unreachable("every kind has a case");
}

//===----------------------------------------------------------------------===//
// Elements and products
//===----------------------------------------------------------------------===//

NormalForms::Form GraphForms::ofLoad(const Node &node) {
  const Access access = graph.dag.accesses[node.number];
  // Products that the proof opens are sums; others are unknown elements.
  if (auto gemm = access.tensor.getDefiningOp<GemmOp>();
      gemm && opened.contains(gemm) && access.isInside())
    return ofProduct(gemm, access.position);
  // Constants of two values along a diagonal are masks.
  if (access.isInside())
    if (std::optional<Form> band = bandOf(access))
      return *band;
  // Even numbers are tensors; forms with a text of their own have other
  // numbers.
  int64_t identity =
      2 * tensors.try_emplace(access.tensor, tensors.size()).first->second;
  if (!access.isInside()) {
    // Another function of the tensor: with these boundaries.
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "load " << identity;
    for (Boundary boundary : access.boundary)
      out << ' ' << int(boundary);
    for (int64_t dim : access.dynamicDims)
      out << " at " << dim;
    if (access.pad)
      out << ' ' << access.pad;
    identity = identityOf(text);
  }
  SmallVector<LinearForm, 4> position;
  for (const Affine &form : access.position)
    position.push_back(linearOf(form));
  SmallVector<Form, 2> operands;
  for (NodeId operand : node.operands)
    operands.push_back(of(operand));
  return forms.element(identity, position,
                       (node.type && node.type.isInteger(1)) ||
                           (access.isInside() && isOfConditions(access.tensor)),
                       operands);
}

/// True for a constant of which every element is 0 or 1.
bool GraphForms::isOfConditions(Value tensor) {
  auto [entry, isNew] = ofConditions.try_emplace(tensor, false);
  if (!isNew)
    return entry->second;
  auto values = ConstantValues::of(tensor);
  if (!values || values->size() > maxBandElements ||
      !isFloatElement(values->getType().getElementType()))
    return false;
  for (int64_t i = 0; i < values->size(); ++i)
    if (const double value = values->number(i); value != 0 && value != 1)
      return false;
  return ofConditions[tensor] = true;
}

/// An axis that the position does not vary with; products share theirs.
Affine GraphForms::contracted(int64_t extent, ArrayRef<Affine> position) {
  const uint64_t taken = dimsOf(position);
  for (const auto &[size, axis] : axes)
    if (size == extent && !(axis.dims() & taken))
      return axis;
  axes.push_back({extent, graph.addAxis(extent, /*isParallel=*/true)});
  return axes.back().second;
}

NormalForms::Form GraphForms::ofProduct(Operation *op,
                                        ArrayRef<Affine> position) {
  auto gemm = cast<GemmOp>(op);
  const size_t rank = position.size();
  const int64_t extent =
      tensorType(gemm.getLhs())
          .getShape()[gemm.getTransposeA() ? rank - 2 : rank - 1];
  const Affine k = contracted(extent, position);
  ArrayRef<Affine> batch = position.drop_back(2);
  const Form left =
      at(gemm.getLhs(),
         operandPosition(gemm, /*isLhs=*/true, batch, position[rank - 2], k));
  const Form right =
      at(gemm.getRhs(),
         operandPosition(gemm, /*isLhs=*/false, batch, position[rank - 1], k));
  const Form sum = forms.sum(variablesOf(k), forms.multiply(left, right));
  return rounded(sum, getElementTypeOrSelf(gemm.getResult()));
}

// value where low <= row - column <= high, another one elsewhere, as a function
// of the two.
std::optional<NormalForms::Form> GraphForms::bandOf(const Access &access) {
  auto values = ConstantValues::of(access.tensor);
  if (!values || values->size() > maxBandElements || values->size() < 4)
    return std::nullopt;
  SmallVector<unsigned, 2> dims;
  ArrayRef<int64_t> shape = values->getType().getShape();
  // A matrix of rows and columns, whatever dimensions of size 1 are around it.
  for (auto [d, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(d);
  if (dims.size() != 2)
    return std::nullopt;
  const int64_t rows = shape[dims[0]], columns = shape[dims[1]];
  auto valueAt = [&](int64_t i, int64_t j) {
    return values->at(i * columns + j);
  };
  const double inside = valueAt(0, 0);
  std::optional<double> outside;
  // Written so that NaN refuses.
  const std::optional<Band> band = fusion::bandOf(
      rows, columns, [&](int64_t i, int64_t j) -> std::optional<bool> {
        const double value = valueAt(i, j);
        if (value == inside)
          return true;
        if (!(value == outside.value_or(value)))
          return std::nullopt;
        outside = value;
        return false;
      });
  // An infinity inside would be multiplied by the condition's 0.
  if (!band || !outside || std::isinf(inside))
    return std::nullopt;
  auto isWithin = [&](int64_t sign, int64_t bound) {
    Affine form(bound);
    form.add(access.position[dims[0]], -sign);
    form.add(access.position[dims[1]], sign);
    return forms.isNotNegative(linearOf(form));
  };
  // A condition that is always true is left out.
  Form condition = forms.number(1);
  if (band->high < rows)
    condition = forms.multiply(condition, isWithin(1, band->high));
  if (band->low > -columns)
    condition = forms.multiply(condition, isWithin(-1, -band->low));
  return forms.select(condition, forms.number(inside), forms.number(*outside));
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

bool GraphForms::keeps(Type type) const {
  auto to = dyn_cast<FloatType>(type);
  return to && APFloat::isRepresentableBy(narrowest.getFloatSemantics(),
                                          to.getFloatSemantics());
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

NormalForms::Form GraphForms::rounded(Form value, Type type) {
  if (keeps(type))
    return value;
  return forms.byCases({value}, [&](ArrayRef<Form> in) {
    auto constant = forms.constantOf(in[0]);
    auto to = dyn_cast<FloatType>(type);
    if (!constant || !to)
      return opaque("arith.truncf " + textOf(type), in, type);
    return forms.number(roundTo(to, *constant));
  });
}

NormalForms::Form GraphForms::opaque(const Twine &name, ArrayRef<Form> in,
                                     Type type, bool isCommutative) {
  const int64_t identity = identityOf(name);
  return forms.byCases(in, [&](ArrayRef<Form> decided) {
    SmallVector<Form, 3> operands(decided);
    if (isCommutative)
      llvm::sort(operands);
    return forms.apply(identity, operands, type && type.isInteger(1));
  });
}

/// What the operation does besides its operands, as text.
static std::string nameOf(const Node &node) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << node.name->getStringRef() << ' ' << node.number << ' ' << node.type;
  if (node.attr)
    out << ' ' << node.attr;
  return text;
}

// The reciprocal of a product is the product of reciprocals, also where the
// product is multiplied out.
NormalForms::Form GraphForms::inverseOf(NodeId id) {
  const Node node = graph.dag.nodes[id];
  if (node.kind == Node::Scalar) {
    if (isOneOf<arith::MulFOp>(*node.name))
      return forms.multiply(inverseOf(node.operands[0]),
                            inverseOf(node.operands[1]));
    if (isOneOf<arith::ExtFOp>(*node.name) ||
        (isOneOf<arith::TruncFOp>(*node.name) && keeps(node.type)))
      return inverseOf(node.operands[0]);
  }
  return forms.inverse(of(id));
}

NormalForms::Form GraphForms::ofScalar(const Node &node) {
  const OperationName name = *node.name;
  // Before the operands' forms: a divisor has one of its own.
  if (isOneOf<arith::DivFOp>(name))
    return forms.multiply(of(node.operands[0]), inverseOf(node.operands[1]));
  SmallVector<Form, 3> in;
  for (NodeId operand : node.operands)
    in.push_back(of(operand));
  // Once the budget is spent the proof fails, whatever follows.
  if (forms.isSpent())
    return NormalForms::zero;
  if (isOneOf<arith::AddFOp>(name))
    return forms.add(in[0], in[1]);
  if (isOneOf<arith::SubFOp>(name))
    return forms.add(in[0], in[1], -1);
  if (isOneOf<arith::MulFOp>(name))
    return forms.multiply(in[0], in[1]);
  if (isOneOf<arith::NegFOp>(name))
    return forms.scale(in[0], -1);
  if (isOneOf<arith::ExtFOp>(name))
    return in[0];
  if (isOneOf<arith::TruncFOp>(name))
    return rounded(in[0], node.type);
  if (isOneOf<math::ExpOp>(name))
    return forms.exp(in[0]);
  if (isOneOf<math::Exp2Op>(name))
    return forms.exp(forms.scale(in[0], M_LN2));
  if (isOneOf<math::LogOp>(name))
    return forms.log(in[0]);
  // A sum of exponentials is its own absolute value.
  if (isOneOf<math::AbsFOp>(name))
    return forms.byCases(in, [&](ArrayRef<Form> decided) {
      return forms.isSumOfExponentials(decided[0])
                 ? decided[0]
                 : opaque(nameOf(node), decided, node.type);
    });
  if (isOneOf<arith::SelectOp>(name))
    return forms.select(in[0], in[1], in[2]);
  if (isOneOf<arith::CmpFOp, arith::CmpIOp>(name))
    return ofComparison(node, in[0], in[1]);
  // The least number is a bound of none.
  const bool isMax = isOneOf<arith::MaximumFOp, arith::MaxNumFOp>(name);
  if (isMax || isOneOf<arith::MinimumFOp, arith::MinNumFOp>(name)) {
    const double least = isMax ? -std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < 2; ++i)
      if (forms.constantOf(in[i]) == least)
        return in[1 - i];
    return opaque(nameOf(node), in, node.type, /*isCommutative=*/true);
  }
  return ofInteger(node, in);
}

// Conditions, and integers that are linear in indices and fit the type.
NormalForms::Form GraphForms::ofInteger(const Node &node, ArrayRef<Form> in) {
  const OperationName name = *node.name;
  auto typeOf = [&](unsigned i) {
    return graph.dag.nodes[node.operands[i]].type;
  };
  // Conditions are numbers 0 and 1: a and b is ab, a or b is a + b - ab,
  // exclusive or a + b - 2ab.
  const bool isBit = node.type && node.type.isInteger(1);
  if (isBit && isOneOf<arith::AndIOp>(name))
    return forms.multiply(in[0], in[1]);
  if (isBit && isOneOf<arith::OrIOp>(name))
    return forms.add(forms.add(in[0], in[1]), forms.multiply(in[0], in[1]), -1);
  if (isBit && isOneOf<arith::XOrIOp>(name))
    return forms.add(forms.add(in[0], in[1]), forms.multiply(in[0], in[1]), -2);
  const bool fromBit = in.size() == 1 && typeOf(0) && typeOf(0).isInteger(1);
  if (fromBit && isOneOf<arith::UIToFPOp, arith::ExtUIOp>(name))
    return in[0];
  // A true bit, as a signed number, is -1.
  if (fromBit && isOneOf<arith::SIToFPOp, arith::ExtSIOp>(name))
    return forms.scale(in[0], -1);
  if (isBit && isOneOf<arith::TruncIOp>(name))
    return forms.byCases(in, [&](ArrayRef<Form> decided) {
      if (auto number = forms.constantOf(decided[0]))
        if (auto bit = graph.dag.evaluate(node, *number))
          return forms.number(*bit);
      return opaque(nameOf(node), decided, node.type);
    });
  // Linear integers are exact as long as no value wraps.
  SmallVector<LinearForm, 2> linear;
  for (Form operand : in)
    if (std::optional<LinearForm> form = forms.linearOf(operand))
      linear.push_back(std::move(*form));
  if (linear.size() == in.size() && !in.empty()) {
    std::optional<Form> result;
    if (isOneOf<arith::AddIOp>(name))
      result = forms.add(in[0], in[1]);
    else if (isOneOf<arith::SubIOp>(name))
      result = forms.add(in[0], in[1], -1);
    else if (isOneOf<arith::MulIOp>(name) &&
             (linear[0].terms.empty() || linear[1].terms.empty()))
      result = forms.multiply(in[0], in[1]);
    else if (isOneOf<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
                     arith::IndexCastOp, arith::SIToFPOp, arith::UIToFPOp,
                     arith::FPToSIOp>(name))
      result = in[0];
    const std::optional<LinearForm> made =
        result ? forms.linearOf(*result) : std::nullopt;
    if (made) {
      // In 8 bits no value wraps if all are from -128 to 127, and so on.
      Affine form(made->offset);
      for (auto [variable, coefficient] : made->terms)
        form.add(variable, coefficient);
      const auto [low, high] = rangeOf(form, graph.dag.extents);
      const bool isSigned = !isOneOf<arith::ExtUIOp, arith::UIToFPOp>(name);
      if (form.isExact() && holdsExactly(node.type, low, high) &&
          (isSigned || low >= 0))
        return *result;
    }
  }
  return opaque(nameOf(node), in, node.type);
}

NormalForms::Form GraphForms::ofComparison(const Node &node, Form a, Form b) {
  const bool isFloat = isOneOf<arith::CmpFOp>(*node.name);
  return forms.byCases({a, b}, [&](ArrayRef<Form> in) {
    auto x = forms.constantOf(in[0]), y = forms.constantOf(in[1]);
    // Whole numbers that float64 holds exactly.
    auto isWhole = [](double number) {
      return std::fabs(number) < 0x1p52 && number == std::floor(number);
    };
    if (x && y && isFloat)
      return forms.number(*graph.dag.evaluate(node, {*x, *y}));
    // A sum of exponentials is never negative, and 0 only if it has no term.
    if (isFloat && y == 0.0 && forms.isSumOfExponentials(in[0])) {
      using P = ComparePredicate;
      const std::optional<P> order = orderOf(node);
      if (order == P::GE)
        return forms.number(1);
      if (order == P::LT)
        return NormalForms::zero;
      if (order)
        if (std::optional<Form> empty = forms.isEmpty(in[0]))
          return order == P::EQ || order == P::LE ? *empty
                                                  : forms.negated(*empty);
    }
    auto left = forms.linearOf(in[0]), right = forms.linearOf(in[1]);
    if (!left || !right)
      return opaque(nameOf(node), in, node.type);
    // Indices and constants: no NaN, and numbers that both kinds order alike.
    // As a signed number, a true bit is -1.
    std::optional<ComparePredicate> order = orderOf(node);
    using P = ComparePredicate;
    const Type compared = graph.dag.nodes[node.operands[0]].type;
    if (compared && compared.isInteger(1) && order != P::EQ && order != P::NE)
      order.reset();
    // The conditions below are those of whole numbers.
    if (!order || (x && !isWhole(*x)) || (y && !isWhole(*y)))
      return opaque(nameOf(node), in, node.type);
    // sign * (left - right) + offset >= 0
    auto atLeast = [&](int64_t sign, int64_t offset) {
      auto form = forms.linearOf(
          forms.scale(forms.add(in[0], in[1], -1), double(sign)));
      if (!form) {
        forms.spend();
        return NormalForms::zero;
      }
      form->offset += offset;
      return forms.isNotNegative(*form);
    };
    // Integers: a < b is b - a - 1 >= 0.
    switch (*order) {
    case P::LT:
      return atLeast(-1, -1);
    case P::LE:
      return atLeast(-1, 0);
    case P::GT:
      return atLeast(1, -1);
    case P::GE:
      return atLeast(1, 0);
    case P::EQ:
    case P::NE: {
      // Equal is both at least.
      const Form equal = forms.multiply(atLeast(1, 0), atLeast(-1, 0));
      return *order == P::EQ ? equal : forms.negated(equal);
    }
    }
    llvm_unreachable("every predicate is listed");
  });
}

// Whether any condition, or all, hold: any is the opposite of none.
std::optional<NormalForms::Form>
GraphForms::ofLogic(const Reduction &reduction, Form init,
                    const NormalForms::Variables &variables) {
  const bool isAll = reduction.kind == KernelReduce::And;
  // Another start decides the result by itself.
  if (init != forms.number(isAll))
    return std::nullopt;
  Form value = of(reduction.value);
  const Node node = graph.dag.nodes[reduction.value];
  if (isAll && orderOf(node) == ComparePredicate::EQ &&
      isOneOf<arith::CmpFOp>(*node.name)) {
    // Are all scores hidden? One that is not is a finite number: of NaN the
    // forms say nothing.
    constexpr double hidden = -std::numeric_limits<double>::infinity();
    const Form left = of(node.operands[0]), right = of(node.operands[1]);
    bool areScores = true;
    const Form known = forms.byCases({left, right}, [&](ArrayRef<Form> in) {
      const bool isHidden = forms.constantOf(in[0]) == hidden;
      areScores &= forms.constantOf(in[1]) == hidden &&
                   (isHidden || forms.isOfSums(in[0]));
      return forms.number(isHidden);
    });
    if (areScores)
      value = known;
  }
  // All hold if none fails; none holds if the sum of conditions is empty.
  if (isAll)
    value = forms.negated(value);
  std::optional<Form> none = forms.isEmpty(forms.sum(variables, value));
  if (none && !isAll)
    none = forms.negated(*none);
  return none;
}

NormalForms::Form GraphForms::ofReduction(const Node &node) {
  Affine dims;
  for (unsigned d : graph.dag.loops[node.loop].dims)
    dims.add(d, 1);
  const NormalForms::Variables variables = variablesOf(dims);
  // A copy: reading more of the graph moves its reductions.
  const std::pair<Reduction, unsigned> found = graph.dag.reductionOf(node);
  const auto &[reduction, which] = found;
  const Form init = of(reduction.init), value = of(reduction.value);
  const bool isBit = node.type && node.type.isInteger(1);
  // Only sums of floats are sums: those of integers may wrap.
  if (reduction.kind == KernelReduce::Add && node.type &&
      isa<FloatType>(node.type))
    return forms.add(init, forms.sum(variables, value));
  if (isBit && (reduction.kind == KernelReduce::And ||
                reduction.kind == KernelReduce::Or))
    if (std::optional<Form> logic = ofLogic(reduction, init, variables))
      return *logic;
  // Any other reduction is an unknown function of its operands.
  SmallVector<Form, 3> operands = {init, value};
  if (reduction.position)
    operands.push_back(of(*reduction.position));
  const int64_t identity = identityOf(
      "reduction " + Twine(int(reduction.kind)) + " " + Twine(which));
  return forms.applyOver(identity, variables, operands, isBit);
}
