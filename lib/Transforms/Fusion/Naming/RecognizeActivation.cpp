// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations in any decomposition: GELU, SiLU, SwiGLU, hard-swish, ...
#include "Patterns.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
// GELU is x times the normal distribution's function, or its approximation
// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))); Hendrycks and Gimpel,
// "Gaussian Error Linear Units", 2016. With sigmoid(2 y) = (1 + tanh(y)) / 2 it
// is a gate, too.
constexpr double sqrtHalf = 0.70710678118654752;
constexpr double sqrtTwoOverPi = 0.79788456080286536;
constexpr double cubic = 0.044715;

/// y with value = 1 / (1 + exp(-y)), as the argument of exp: exp(argument).
/// Also exp(y) / (1 + exp(y)) is seen by its divisor and factor.
struct Gate {
  NodeId argument; // of the exp
  double sign;     // y = sign * argument
};

/// Matches 1 + exp(argument).
std::optional<NodeId> onePlusExp(const PatternView &view, NodeId id) {
  Sum sum = view.sumOf(id);
  auto exp = sum.onlyTerm();
  return exp && sum.constant == 1 ? view.expOf(*exp) : std::nullopt;
}

/// Takes a sigmoid out of a product.
std::optional<Gate> takeSigmoid(const PatternView &view, Product &product) {
  for (const Factor &factor : product.factors) {
    if (!factor.isDivisor)
      continue;
    auto argument = onePlusExp(view, factor.node);
    if (!argument)
      continue;
    NodeId divisor = factor.node;
    product.take(divisor, true);
    // exp(x) / (1 + exp(x)) is the sigmoid of x, 1 / (1 + exp(x)) that of -x.
    for (const Factor &other : product.factors)
      if (!other.isDivisor && view.expOf(other.node) == argument) {
        NodeId exp = other.node;
        product.take(exp, false);
        return Gate{*argument, 1};
      }
    return Gate{*argument, -1};
  }
  return std::nullopt;
}

bool isLinear(const Polynomial &p, double slope) {
  return p[0] == 0 && isNear(p[1], slope) && p[2] == 0 && p[3] == 0;
}

/// scale * (x + 0.044715 x^3)
bool isGeluCubic(const Polynomial &p, double scale) {
  return p[0] == 0 && isNear(p[1], scale) && p[2] == 0 &&
         isNear(p[3], scale * cubic);
}

/// The same factors, whatever the coefficients.
bool sameFactors(Product a, const Product &b) {
  return a.factors.size() == b.factors.size() && a.take(b);
}

/// Products x * sigmoid(y) [* u].
std::optional<Recognized> gated(const PatternView &view, NodeId id) {
  Product product = view.productOf(id);
  auto gate = takeSigmoid(view, product);
  if (!gate)
    return std::nullopt;
  // x may be a product itself.
  Product argument = view.productOf(gate->argument);
  if (product.factors.size() > 1 && sameFactors(product, argument) &&
      isNear(product.coefficient, argument.coefficient * gate->sign))
    return Recognized{"silu", id, {}};
  // A coefficient of its own belongs to no named function below.
  if (product.coefficient != 1)
    return std::nullopt;
  if (product.factors.empty()) {
    // The argument is usually -x.
    Sum negated = view.sumOf(gate->argument);
    NodeId x = negated.constant == 0 && negated.terms.size() == 1
                   ? negated.terms[0].node
                   : gate->argument;
    return Recognized{"sigmoid", id, {x}};
  }
  // Which factor the gate's argument is a polynomial of decides the name.
  for (const Factor &factor : product.factors) {
    if (factor.isDivisor)
      return std::nullopt;
    auto y = view.polynomialOf(gate->argument, factor.node);
    if (!y)
      continue;
    for (double &c : *y)
      c *= gate->sign;
    // tanh's form of GELU, written by a sigmoid of twice the argument.
    if (isGeluCubic(*y, 2 * sqrtTwoOverPi) && product.factors.size() == 1)
      return Recognized{"gelu", id, {factor.node}};
    if (isLinear(*y, 1) && product.factors.size() == 2) {
      Recognized result{"swiglu", id, {factor.node}};
      for (const Factor &other : product.factors)
        if (other.node != factor.node)
          result.inputs.push_back(other.node);
      return result;
    }
    if (product.factors.size() != 1)
      continue;
    if (isLinear(*y, 1))
      return Recognized{"silu", id, {factor.node}};
    if (isLinear(*y, 1.702))
      return Recognized{"quick_gelu", id, {factor.node}};
  }
  return std::nullopt;
}

/// True for erf, false for tanh, none for another function.
std::optional<bool> isErf(const PatternView &view, NodeId id) {
  if (view.isOp<math::ErfOp>(id))
    return true;
  return view.isOp<math::TanhOp>(id) ? std::optional(false) : std::nullopt;
}

/// factor = c * (1 + f(y)) with f erf or tanh: gives c and the argument. The
/// normal distribution's function is that of erf at x / sqrt(2); tanh at x / 2
/// gives the sigmoid.
struct Bell {
  double scale;
  NodeId argument;
  bool isErf;
  double sign = 1;
};
std::optional<Bell> bellOf(const PatternView &view, NodeId id) {
  if (view.isOp<math::ErfcOp>(id))
    return Bell{1, view.operand(id, 0), true, -1};
  Sum sum = view.sumOf(id);
  auto scaled = sum.onlyTerm();
  if (!scaled || sum.constant <= 0)
    return std::nullopt;
  Product term = view.productOf(*scaled);
  auto f = term.onlyFactor();
  auto erf = f ? isErf(view, *f) : std::nullopt;
  if (!erf || !isNear(term.coefficient, sum.constant))
    return std::nullopt;
  return Bell{sum.constant, view.operand(*f, 0), *erf};
}

std::optional<Recognized> geluOf(const PatternView &view, NodeId id, NodeId x,
                                 const Bell &bell, double coefficient) {
  if (!isNear(coefficient * bell.scale, 0.5))
    return std::nullopt;
  auto y = view.polynomialOf(bell.argument, x);
  if (!y)
    return std::nullopt;
  for (double &c : *y)
    c *= bell.sign;
  if (bell.isErf ? isLinear(*y, sqrtHalf) : isGeluCubic(*y, sqrtTwoOverPi))
    return Recognized{"gelu", id, {x}};
  if (!bell.isErf && isLinear(*y, 0.5))
    return Recognized{"silu", id, {x}}; // sigmoid by tanh
  return std::nullopt;
}

/// The value with the factors of a product, of which `argument` is a multiple;
/// the factors themselves if there is none.
SmallVector<NodeId, 2> wholeOf(const PatternView &view, NodeId argument,
                               const Product &product) {
  if (view.isOp<arith::MulFOp, arith::DivFOp>(argument))
    for (unsigned i = 0; i < 2; ++i)
      if (NodeId whole = view.operand(argument, i);
          sameFactors(view.productOf(whole), product))
        return {whole};
  SmallVector<NodeId, 2> factors;
  for (const Factor &factor : product.factors)
    factors.push_back(factor.node);
  return factors;
}

std::optional<Recognized> gelu(const PatternView &view, NodeId id) {
  // x times (1 + erf) with a coefficient.
  Product product = view.productOf(id);
  if (product.factors.size() == 2 && !product.factors[0].isDivisor &&
      !product.factors[1].isDivisor)
    for (unsigned i = 0; i < 2; ++i)
      if (auto bell = bellOf(view, product.factors[i].node))
        if (auto found = geluOf(view, id, product.factors[1 - i].node, *bell,
                                product.coefficient))
          return found;
  // x may be a product itself.
  for (const Factor &factor : product.factors) {
    auto bell = factor.isDivisor ? std::nullopt : bellOf(view, factor.node);
    if (!bell || !bell->isErf)
      continue;
    Product rest = product, argument = view.productOf(bell->argument);
    rest.take(factor.node, false);
    if (sameFactors(rest, argument) &&
        isNear(argument.coefficient * bell->sign,
               2 * rest.coefficient * bell->scale * sqrtHalf))
      return Recognized{"gelu", id, wholeOf(view, bell->argument, rest)};
  }
  // 0.5 x + 0.5 x f(y)
  Sum sum = view.sumOf(id);
  if (sum.constant != 0 || sum.terms.size() != 2 || sum.terms[0].isNegative ||
      sum.terms[1].isNegative)
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    Product plain = view.productOf(sum.terms[i].node);
    Product other = view.productOf(sum.terms[1 - i].node);
    auto x = plain.onlyFactor();
    if (!x || !isNear(plain.coefficient, other.coefficient) ||
        !other.take(*x, false))
      continue;
    auto f = other.onlyFactor();
    auto erf = f ? isErf(view, *f) : std::nullopt;
    if (!erf)
      continue;
    if (auto found = geluOf(view, id, *x, {1, view.operand(*f, 0), *erf},
                            plain.coefficient))
      return found;
  }
  return std::nullopt;
}

/// coefficient * clamp(a x + b, 0, high) = clamp(a' x + 0.5, 0, 1).
std::optional<Recognized> hard(const PatternView &view, NodeId id) {
  Product product = view.productOf(id);
  if (product.factors.empty() || product.factors.size() > 2)
    return std::nullopt;
  // The bound and the coefficient normalise the clamp to [0, 1].
  for (const Factor &factor : product.factors) {
    if (factor.isDivisor)
      return std::nullopt;
    auto clamp = view.clampOf(factor.node);
    if (!clamp || clamp->low != 0 ||
        !isNear(product.coefficient * clamp->high, 1))
      continue;
    Product rest = product;
    rest.take(factor.node, false);
    std::optional<NodeId> x = rest.onlyFactor();
    if (rest.factors.empty()) {
      // The value inside the clamp without its factor and offset.
      Sum sum = view.sumOf(clamp->x);
      if (sum.terms.size() == 1)
        x = view.productOf(sum.terms[0].node).onlyFactor();
    }
    auto inside = x ? view.polynomialOf(clamp->x, *x) : std::nullopt;
    if (!inside || (*inside)[1] <= 0 || (*inside)[2] != 0 ||
        (*inside)[3] != 0 || !isNear(product.coefficient * (*inside)[0], 0.5))
      continue;
    if (rest.factors.empty())
      return Recognized{"hard_sigmoid", id, {*x}};
    if (isNear(product.coefficient * (*inside)[1], 1.0 / 6))
      return Recognized{"hard_swish", id, {*x}};
  }
  return std::nullopt;
}

/// (x - mean) * scale * rsqrt(variance + epsilon) * gamma + beta, everything
/// but x known per channel.
std::optional<Recognized> batchNorm(const PatternView &view, NodeId id) {
  // A root of sums of loads, or a load, that x's other dimensions share.
  auto isParameter = [&](NodeId node, NodeId x) {
    const Node &n = view.at(node);
    if (view.isOp<math::RsqrtOp, math::SqrtOp>(node)) {
      for (const Term &term : view.sumOf(view.operand(node, 0)).terms)
        if (!view.isLoad(term.node) || !view.isBroadcast(term.node, x))
          return false;
      return true;
    }
    return n.kind == Node::Load && view.isBroadcast(node, x);
  };
  // One product and at most one offset.
  Sum sum = view.sumOf(id);
  for (const Term &scaled : sum.terms) {
    if (scaled.isNegative || sum.terms.size() > 2)
      continue;
    Product product = view.productOf(scaled.node);
    if (product.factors.size() < 2)
      continue;
    // The factor that is x - mean.
    for (const Factor &factor : product.factors) {
      Sum centered = view.sumOf(factor.node);
      if (factor.isDivisor || centered.terms.size() != 2 ||
          centered.constant != 0 || centered.terms[0].isNegative ||
          !centered.terms[1].isNegative)
        continue;
      NodeId x = centered.terms[0].node;
      const NodeId mean = centered.terms[1].node;
      bool fits = isParameter(mean, x) && view.isLoad(mean);
      // A root or an offset distinguishes it from any scaled difference.
      bool normalises = sum.terms.size() == 2;
      for (const Factor &other : product.factors) {
        fits &= other.node == factor.node ||
                (other.node != mean && isParameter(other.node, x));
        normalises |= view.isOp<math::RsqrtOp, math::SqrtOp>(other.node);
      }
      fits &= normalises;
      for (const Term &term : sum.terms)
        fits &= term.node == scaled.node ||
                (view.isLoad(term.node) && isParameter(term.node, x));
      if (fits)
        return Recognized{"batch_norm", id, {x}};
    }
  }
  return std::nullopt;
}
} // namespace

std::optional<Recognized>
gaudi::fusion::recognizeActivation(const PatternView &view, NodeId id) {
  if (auto found = gelu(view, id))
    return found;
  if (auto found = gated(view, id))
    return found;
  if (auto found = hard(view, id))
    return found;
  return batchNorm(view, id);
}
