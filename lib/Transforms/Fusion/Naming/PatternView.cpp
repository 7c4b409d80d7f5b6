// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, products and polynomials in a kernel's values.
//
// Exporters write one function in many ways; what they share is its algebra.
// Values are equal if they are one node, which equal computations are. The
// time is bounded by the depth to which sums, products and polynomials are
// followed: at most 2^maxViewDepth nodes for each.
#include "PatternView.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Sums and products are followed this deep.
static constexpr unsigned maxViewDepth = 8;

bool gaudi::fusion::isNear(double value, double expected) {
  return std::abs(value - expected) <= nearness * std::abs(expected);
}

bool Sum::take(NodeId node, bool isNegative) {
  auto it = llvm::find_if(terms, [&](const Term &term) {
    return term.node == node && term.isNegative == isNegative;
  });
  if (it == terms.end())
    return false;
  terms.erase(it);
  return true;
}

std::optional<NodeId> Sum::onlyTerm() const {
  if (terms.size() != 1 || terms[0].isNegative)
    return std::nullopt;
  return terms[0].node;
}

bool Product::take(NodeId node, bool isDivisor) {
  auto it = llvm::find_if(factors, [&](const Factor &factor) {
    return factor.node == node && factor.isDivisor == isDivisor;
  });
  if (it == factors.end())
    return false;
  factors.erase(it);
  return true;
}

bool Product::take(const Product &other) {
  bool areWhole = true;
  for (const Factor &factor : other.factors)
    areWhole &= take(factor.node, factor.isDivisor);
  return areWhole;
}

std::optional<NodeId> Product::onlyFactor() const {
  if (factors.size() != 1 || factors[0].isDivisor)
    return std::nullopt;
  return factors[0].node;
}

NodeId PatternView::strip(NodeId id) const {
  while (dag.nodes[id].kind == Node::Scalar &&
         isOneOf<arith::ExtFOp, arith::TruncFOp>(*dag.nodes[id].name))
    id = dag.nodes[id].operands[0];
  return id;
}

std::optional<double> PatternView::constantOf(NodeId id) const {
  const Node &node = at(id);
  if (node.kind == Node::Constant)
    if (auto value = dyn_cast<FloatAttr>(node.attr))
      return value.getValueAsDouble();
  return std::nullopt;
}

bool PatternView::isBroadcast(NodeId id, NodeId whole) const {
  if (constantOf(id))
    return true;
  uint64_t own = at(id).dims, all = at(whole).dims;
  return (own & ~all) == 0 && own != all;
}

Sum PatternView::sumOf(NodeId id) const {
  Sum sum;
  addTerms(id, false, sum, 0);
  return sum;
}

bool PatternView::isSumOf(Sum sum, NodeId x) const {
  Sum expected = sumOf(x);
  if (sum.terms.size() != expected.terms.size() ||
      sum.constant != expected.constant)
    return false;
  return llvm::all_of(expected.terms, [&](const Term &term) {
    return sum.take(term.node, term.isNegative);
  });
}

void PatternView::addTerms(NodeId id, bool negative, Sum &sum,
                           unsigned depth) const {
  id = strip(id);
  if (auto value = constantOf(id)) {
    sum.constant += negative ? -*value : *value;
    return;
  }
  if (depth < maxViewDepth) {
    if (isOp<arith::AddFOp>(id)) {
      addTerms(operand(id, 0), negative, sum, depth + 1);
      return addTerms(operand(id, 1), negative, sum, depth + 1);
    }
    if (isOp<arith::SubFOp>(id)) {
      addTerms(operand(id, 0), negative, sum, depth + 1);
      return addTerms(operand(id, 1), !negative, sum, depth + 1);
    }
    if (isOp<arith::NegFOp>(id))
      return addTerms(operand(id, 0), !negative, sum, depth + 1);
  }
  sum.terms.push_back({id, negative});
}

Product PatternView::productOf(NodeId id) const {
  Product product;
  addFactors(id, false, product, 0);
  return product;
}

void PatternView::addFactors(NodeId id, bool divisor, Product &product,
                             unsigned depth) const {
  id = strip(id);
  if (auto value = constantOf(id)) {
    product.coefficient *= divisor ? 1 / *value : *value;
    return;
  }
  if (depth < maxViewDepth) {
    if (isOp<arith::MulFOp>(id)) {
      addFactors(operand(id, 0), divisor, product, depth + 1);
      return addFactors(operand(id, 1), divisor, product, depth + 1);
    }
    if (isOp<arith::DivFOp>(id)) {
      addFactors(operand(id, 0), divisor, product, depth + 1);
      return addFactors(operand(id, 1), !divisor, product, depth + 1);
    }
    if (isOp<arith::NegFOp>(id)) {
      product.coefficient = -product.coefficient;
      return addFactors(operand(id, 0), divisor, product, depth + 1);
    }
  }
  product.factors.push_back({id, divisor});
}

/// None if the product has a degree above 3.
static std::optional<Polynomial> multiply(const Polynomial &a,
                                          const Polynomial &b) {
  Polynomial result = {0, 0, 0, 0};
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) {
      double term = a[i] * b[j];
      if (term == 0)
        continue;
      if (i + j > 3)
        return std::nullopt;
      result[i + j] += term;
    }
  return result;
}

std::optional<Polynomial> PatternView::polynomialOf(NodeId id, NodeId x,
                                                    unsigned depth) const {
  id = strip(id);
  // Coefficients of 1, x, x^2 and x^3.
  if (id == strip(x))
    return Polynomial{0, 1, 0, 0};
  if (auto value = constantOf(id))
    return Polynomial{*value, 0, 0, 0};
  if (depth > maxViewDepth || at(id).kind != Node::Scalar)
    return std::nullopt;
  auto part = [&](unsigned i) {
    return polynomialOf(operand(id, i), x, depth + 1);
  };
  if (isOp<arith::NegFOp>(id)) {
    auto a = part(0);
    return a ? multiply(*a, {-1, 0, 0, 0}) : a;
  }
  if (at(id).operands.size() != 2)
    return std::nullopt;
  bool isSum = isOp<arith::AddFOp>(id), isDifference = isOp<arith::SubFOp>(id);
  if (!isSum && !isDifference && !isOp<arith::MulFOp>(id) &&
      !isOp<arith::DivFOp>(id) && !isOp<math::PowFOp>(id))
    return std::nullopt;
  auto a = part(0), b = part(1);
  if (!a || !b)
    return std::nullopt;
  if (isSum || isDifference) {
    for (unsigned i = 0; i < 4; ++i)
      (*a)[i] += isSum ? (*b)[i] : -(*b)[i];
    return a;
  }
  // multiply() has no result beyond the third power.
  if (isOp<arith::MulFOp>(id))
    return multiply(*a, *b);
  // Divisors and exponents must be numbers.
  bool isConstant = (*b)[1] == 0 && (*b)[2] == 0 && (*b)[3] == 0;
  if (!isConstant)
    return std::nullopt;
  if (isOp<arith::DivFOp>(id))
    return multiply(*a, {1 / (*b)[0], 0, 0, 0});
  if ((*b)[0] == 2)
    return multiply(*a, *a);
  if ((*b)[0] == 3)
    if (auto square = multiply(*a, *a))
      return multiply(*square, *a);
  return std::nullopt;
}

std::optional<NodeId> PatternView::expOf(NodeId id, double tolerance) const {
  if (isOp<math::ExpOp>(id))
    return operand(id, 0);
  if (!isOp<math::Exp2Op>(id))
    return std::nullopt;
  // exp2(x * log2(e)), the factor outside any sum.
  NodeId argument = operand(id, 0);
  if (!isOp<arith::MulFOp>(argument))
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i)
    if (auto factor = constantOf(operand(argument, i)))
      if (std::abs(*factor / 1.4426950408889634 - 1) <= tolerance)
        return operand(argument, 1 - i);
  return std::nullopt;
}

std::optional<NodeId> PatternView::logOf(NodeId id) const {
  if (isOp<math::LogOp>(id))
    return operand(id, 0);
  return std::nullopt;
}

std::optional<PatternView::Clamp> PatternView::clampOf(NodeId id) const {
  auto bound = [&](NodeId node) -> std::optional<std::pair<NodeId, double>> {
    for (unsigned i = 0; i < 2; ++i)
      if (auto value = constantOf(operand(node, i)))
        return std::pair(operand(node, 1 - i), *value);
    return std::nullopt;
  };
  auto upper = [&](NodeId node) {
    bool isMin = isOp<arith::MinimumFOp, arith::MinNumFOp>(node);
    return isMin ? bound(node) : std::nullopt;
  };
  auto lower = [&](NodeId node) {
    bool isMax = isOp<arith::MaximumFOp, arith::MaxNumFOp>(node);
    return isMax ? bound(node) : std::nullopt;
  };
  // min(max(x, low), high), or the other way round.
  if (auto outer = upper(id))
    if (auto inner = lower(outer->first))
      return Clamp{inner->first, inner->second, outer->second};
  if (auto outer = lower(id))
    if (auto inner = upper(outer->first))
      return Clamp{inner->first, outer->second, inner->second};
  return std::nullopt;
}

const Reduction *PatternView::reductionOf(NodeId id, KernelReduce kind) const {
  const Node &node = at(id);
  if (node.kind != Node::Result)
    return nullptr;
  auto [reduction, which] = dag.reductionOf(node);
  return which == 0 && reduction.kind == kind ? &reduction : nullptr;
}

double PatternView::countOf(const Loop &loop) const {
  return dag.pointsOf(maskOf(loop.dims));
}

std::optional<NodeId> PatternView::meanOf(NodeId id, unsigned &loop) const {
  Product product = productOf(id);
  auto total = product.onlyFactor();
  const Reduction *r = total ? reductionOf(*total, KernelReduce::Add) : nullptr;
  if (!r)
    return std::nullopt;
  double count = countOf(loopOf(*total));
  loop = at(*total).loop;
  NodeId value = strip(r->value);
  // Also sum(x / n), and n - 1 for the unbiased variance.
  double outer = product.coefficient * count;
  if (isNear(outer, 1) ||
      (count > 1 && isNear(product.coefficient * (count - 1), 1)))
    return value;
  Product inner = productOf(value);
  if (product.coefficient == 1 && isNear(inner.coefficient * count, 1))
    return inner.onlyFactor();
  return std::nullopt;
}

std::optional<NodeId> PatternView::squareOf(NodeId id) const {
  if (isOp<arith::MulFOp>(id) && operand(id, 0) == operand(id, 1))
    return operand(id, 0);
  if (isOp<math::PowFOp>(id))
    if (auto power = constantOf(operand(id, 1)))
      if (*power == 2)
        return operand(id, 0);
  return std::nullopt;
}
