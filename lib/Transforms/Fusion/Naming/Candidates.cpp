// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates for named patterns, found by what they compute.
#include "Candidates.h"
#include "Patterns.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// Values of one gate are looked at this deep below its product.
constexpr unsigned maxGateDepth = 12;

/// The first result of a reduction of the graph.
NodeId resultOf(const KernelDag &dag, unsigned loop, unsigned reduction) {
  const unsigned number = dag.resultNumber(loop, reduction);
  for (NodeId id = 0; id < dag.nodes.size(); ++id)
    if (dag.nodes[id].kind == Node::Result && dag.nodes[id].loop == loop &&
        dag.nodes[id].number == number)
      return id;
  return dag.nodes.size();
}

/// The radicand if the value is a square root or the reciprocal of one.
std::optional<NodeId> radicandOf(const PatternView &view, NodeId id) {
  if (view.isOp<math::RsqrtOp, math::SqrtOp>(id))
    return view.operand(id, 0);
  if (view.isOp<math::PowFOp>(id))
    if (auto power = view.constantOf(view.operand(id, 1)))
      if (std::abs(*power) == 0.5)
        return view.operand(id, 0);
  return std::nullopt;
}

/// A square, or a value that another kernel may have squared.
bool maySquare(const PatternView &view, NodeId id) {
  return view.squareOf(id) || view.isLoad(id);
}

/// x - mean(x), or anything from which a mean or a loaded value is subtracted.
bool isCentred(const PatternView &view, NodeId id) {
  Sum sum = view.sumOf(id);
  return sum.terms.size() > 1 &&
         llvm::any_of(sum.terms, [](const Term &t) { return t.isNegative; });
}

/// A mean of squares among the terms below a root; a loaded value that may be
/// one, with its coefficient.
struct Spread {
  bool isCentred = false;
  NodeId statistic;
  std::optional<unsigned> access;
  double coefficient = 1;
};

std::optional<Spread> spreadOf(const PatternView &view, NodeId radicand) {
  SmallVector<NodeId, 4> terms = {radicand};
  std::optional<Spread> loaded;
  for (size_t i = 0; i < terms.size() && i < 8; ++i) {
    Sum sum = view.sumOf(terms[i]);
    // E[x^2] - E[x]^2
    const bool isDifference = sum.terms.size() == 2 && sum.terms[1].isNegative;
    for (const Term &term : sum.terms) {
      // max(value, 0) guards a difference of means.
      if (view.isOp<arith::MaximumFOp, arith::MaxNumFOp>(term.node))
        terms.append({view.operand(term.node, 0), view.operand(term.node, 1)});
      unsigned loop;
      if (auto value = view.meanOf(term.node, loop); value && !term.isNegative)
        if (maySquare(view, *value)) {
          auto root = view.squareOf(*value);
          return Spread{isDifference || (root && isCentred(view, *root)),
                        *view.productOf(term.node).onlyFactor(),
                        {},
                        1};
        }
      const Product product = view.productOf(term.node);
      if (auto only = product.onlyFactor();
          only && view.isLoad(*only) && !term.isNegative)
        loaded = Spread{isDifference, *only, view.at(*only).number,
                        product.coefficient};
    }
  }
  return loaded;
}

/// True if a value below `id` is a gate's function of a multiple of `x`.
bool dependsOnGate(const PatternView &view, NodeId id, NodeId x, bool &isNormal,
                   unsigned depth) {
  id = view.strip(id);
  const Node &node = view.at(id);
  if (depth > maxGateDepth || node.kind != Node::Scalar)
    return false;
  auto isOf = [&](NodeId argument) {
    return view.polynomialOf(argument, x).has_value();
  };
  if (view.isOp<math::ErfOp, math::ErfcOp, math::TanhOp>(id) &&
      isOf(view.operand(id, 0))) {
    const auto argument = view.polynomialOf(view.operand(id, 0), x);
    // A sigmoid may be written by a tanh of a multiple of x.
    isNormal = !view.isOp<math::TanhOp>(id) || (*argument)[3] != 0;
    return true;
  }
  if (view.isOp<arith::AddFOp, arith::SubFOp>(id)) {
    // A distribution function grows: 1 - f(x) is part of a gradient.
    Sum sum = view.sumOf(id);
    auto term = sum.onlyTerm();
    if (!term)
      return false;
    // 1 + exp(..) is the divisor of a sigmoid.
    auto argument = sum.constant == 1 ? view.expOf(*term) : std::nullopt;
    if (argument && isOf(*argument)) {
      isNormal = false;
      return true;
    }
    return *term != id && dependsOnGate(view, *term, x, isNormal, depth + 1);
  }
  if (!view.isOp<arith::MulFOp, arith::DivFOp>(id))
    return false;
  return llvm::any_of(node.operands, [&](NodeId operand) {
    return dependsOnGate(view, operand, x, isNormal, depth + 1);
  });
}

/// True for the patterns that candidates with this sign are.
bool isOfFamily(Candidate::Sign sign, StringRef name) {
  switch (sign) {
  case Candidate::SumOfExps:
    return name == "softmax" || name == "log_softmax" ||
           name == "log_sum_exp" || name == "cross_entropy";
  case Candidate::RootOfMean:
    return name.ends_with("_norm");
  case Candidate::Gate:
    return name.ends_with("gelu") || name.ends_with("glu") || name == "silu";
  case Candidate::Rotation:
    return name == "rope";
  case Candidate::Gradient:
    return name.ends_with("_norm_grad");
  }
  return false;
}

class CandidateFinder {
public:
  CandidateFinder(const PatternView &view,
                  llvm::function_ref<StringRef(NodeId)> covering)
      : view(view), covering(covering) {}

  SmallVector<Candidate, 2> run() {
    const KernelDag &dag = view.dag;
    for (auto [l, loop] : llvm::enumerate(dag.loops))
      for (auto [r, reduction] : llvm::enumerate(loop.reductions))
        if (reduction.kind == KernelReduce::Add)
          addSum(l, r, reduction);
    for (NodeId id = 0; id < dag.nodes.size(); ++id) {
      if (dag.nodes[id].kind != Node::Scalar)
        continue;
      addRoot(id);
      addGate(id);
      if (isRotation(view, id) ||
          (view.isOp<arith::SelectOp>(id) && covering(id) == "rope"))
        add(Candidate::Rotation, "rope", id);
    }
    return std::move(found);
  }

private:
  Candidate &add(Candidate::Sign sign, StringRef kind, NodeId node) {
    StringRef name = covering(node);
    if (!isOfFamily(sign, name))
      name = "";
    found.push_back({sign, name.empty() ? kind : name, !name.empty(), node,
                     node, std::nullopt, 1});
    return found.back();
  }

  /// Adds a norm's gradient with respect to its input: a value of the rows that
  /// depends on the root and on a sum of products over the same rows, which
  /// hold the incoming gradient. False if the kernel has none.
  bool addGradient(NodeId root, StringRef kind, ArrayRef<unsigned> rows) {
    for (auto [l, loop] : llvm::enumerate(view.dag.loops))
      for (auto [r, reduction] : llvm::enumerate(loop.reductions)) {
        if (reduction.kind != KernelReduce::Add ||
            ArrayRef(loop.dims) != rows || !isProduct(reduction.value))
          continue;
        // A sum that the root is made of is a statistic of the forward pass.
        const NodeId sum = resultOf(view.dag, l, r);
        if (sum == view.dag.nodes.size() || dependsOn(root, sum))
          continue;
        const bool isFused =
            llvm::any_of(view.dag.stores, [&](const Store &store) {
              return (view.at(store.value).dims & maskOf(rows)) &&
                     dependsOn(store.value, root) &&
                     dependsOn(store.value, sum);
            });
        found.push_back(
            {Candidate::Gradient, kind, isFused, root, sum, std::nullopt, 1});
        return true;
      }
    return false;
  }

  /// A product of two different values.
  bool isProduct(NodeId id) const {
    const Product product = view.productOf(id);
    return product.factors.size() > 1 &&
           llvm::any_of(product.factors, [&](const Factor &factor) {
             return factor.node != product.factors.front().node;
           });
  }

  /// True if `part` is among what the value is computed from.
  bool dependsOn(NodeId id, NodeId part) const {
    return llvm::is_contained(view.dag.closureOf(id), part);
  }

  void addSum(unsigned loop, unsigned number, const Reduction &reduction) {
    const bool isExp = bool(view.expOf(reduction.value));
    if (!isExp && !view.isLoad(reduction.value))
      return;
    const NodeId sum = resultOf(view.dag, loop, number);
    if (sum == view.dag.nodes.size())
      return;
    Candidate &candidate = add(Candidate::SumOfExps, "softmax", sum);
    if (!isExp)
      candidate.access = view.at(reduction.value).number;
  }

  void addRoot(NodeId id) {
    auto radicand = radicandOf(view, id);
    auto spread = radicand ? spreadOf(view, *radicand) : std::nullopt;
    if (!spread)
      return;
    const Node &statistic = view.at(spread->statistic);
    const bool isGradient =
        statistic.kind == Node::Result &&
        addGradient(id, spread->isCentred ? "layer_norm_grad" : "rms_norm_grad",
                    view.dag.loops[statistic.loop].dims);
    // The forward pass may be in another graph.
    if (isGradient && covering(id).empty())
      return;
    Candidate &candidate =
        add(Candidate::RootOfMean,
            spread->isCentred ? "layer_norm" : "rms_norm", id);
    candidate.statistic = spread->statistic;
    candidate.access = spread->access;
    candidate.coefficient = spread->coefficient;
  }

  /// The value without constant factors.
  NodeId unscaled(NodeId id) const {
    id = view.strip(id);
    if (view.isOp<arith::MulFOp, arith::DivFOp>(id))
      for (unsigned i = 0; i < 2; ++i)
        if (view.constantOf(view.operand(id, i)))
          return unscaled(view.operand(id, 1 - i));
    return id;
  }

  /// Among the factors of a whole product, which no other product contains; or
  /// x is a product itself.
  void addGate(NodeId id) {
    if (!view.isOp<arith::MulFOp, arith::DivFOp>(id))
      return;
    for (unsigned i = 0; i < 2; ++i) {
      const NodeId x = unscaled(view.operand(id, i));
      bool isNormal = false;
      if (view.isOp<arith::MulFOp, arith::DivFOp>(x) && !holdsFunction(x, 0) &&
          dependsOnGate(view, view.operand(id, 1 - i), x, isNormal, 0)) {
        add(Candidate::Gate, isNormal ? "gelu" : "silu", id);
        return;
      }
    }
    // Seen as part of the whole product, with all its factors.
    if (isInProduct(id))
      return;
    const Product product = view.productOf(id);
    for (const Factor &x : product.factors)
      for (const Factor &gate : product.factors) {
        bool isNormal = false;
        if (x.isDivisor || x.node == gate.node ||
            !dependsOnGate(view, gate.node, x.node, isNormal, 0) ||
            hasOtherFunction(product, x, gate))
          continue;
        add(Candidate::Gate, isNormal ? "gelu" : "silu", id);
        return;
      }
  }

  /// True if a third factor is a function, too, as 1 - f(x) in a gradient.
  bool hasOtherFunction(const Product &product, const Factor &x,
                        const Factor &gate) const {
    return llvm::any_of(product.factors, [&](const Factor &factor) {
      return factor.node != x.node && factor.node != gate.node &&
             holdsFunction(factor.node, 0);
    });
  }

  bool holdsFunction(NodeId id, unsigned depth) const {
    if (view.isOp<math::ExpOp, math::Exp2Op, math::ErfOp, math::ErfcOp,
                  math::TanhOp>(id))
      return true;
    const Node &node = view.at(id);
    return node.kind == Node::Scalar && depth < maxGateDepth &&
           llvm::any_of(
               node.operands,
               [&](NodeId operand) {
                 return holdsFunction(operand, depth + 1);
               });
  }

  bool isInProduct(NodeId id) const {
    for (NodeId user = id + 1; user < view.dag.nodes.size(); ++user)
      if (view.isOp<arith::MulFOp, arith::DivFOp>(user) &&
          llvm::is_contained(view.dag.nodes[user].operands, id))
        return true;
    return false;
  }

  const PatternView &view;
  llvm::function_ref<StringRef(NodeId)> covering;
  SmallVector<Candidate, 2> found;
};
} // namespace

SmallVector<Candidate, 2>
gaudi::fusion::candidatesOf(const PatternView &view,
                            llvm::function_ref<StringRef(NodeId)> covering) {
  return CandidateFinder(view, covering).run();
}

bool gaudi::fusion::isPartOf(Candidate::Sign sign, const PatternView &view,
                             NodeId value, double coefficient) {
  if (sign == Candidate::SumOfExps)
    return bool(view.expOf(value));
  const Product product = view.productOf(value);
  auto total = product.onlyFactor();
  const Reduction *sum =
      total ? view.reductionOf(*total, KernelReduce::Add) : nullptr;
  if (!sum || !maySquare(view, sum->value))
    return false;
  const double count = view.countOf(view.loopOf(*total));
  return isNear(coefficient * product.coefficient * count, 1) ||
         (count > 1 &&
          isNear(coefficient * product.coefficient * (count - 1), 1));
}

bool gaudi::fusion::isUsedAs(Candidate::Sign sign, const PatternView &view,
                             NodeId value) {
  value = view.strip(value);
  const uint64_t own = view.at(value).dims;
  for (NodeId id = 0; id < view.dag.nodes.size(); ++id) {
    if (sign == Candidate::SumOfExps) {
      if (view.isOp<math::LogOp>(id) && view.operand(id, 0) == value)
        return true;
      if (view.isOp<arith::DivFOp>(id) && view.operand(id, 1) == value)
        return true;
      continue;
    }
    if (!view.isOp<arith::MulFOp, arith::DivFOp>(id))
      continue;
    for (unsigned i = 0; i < 2; ++i)
      if (view.operand(id, i) == value &&
          (view.at(view.operand(id, 1 - i)).dims & ~own))
        return true;
  }
  return false;
}
