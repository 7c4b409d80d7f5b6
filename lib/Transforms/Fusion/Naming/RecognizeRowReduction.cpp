// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Row-wise reduction kernels in any decomposition: softmax and its kin,
// normalisations.
#include "Patterns.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {

/// e = exp(x - m) with m the maximum of x over some loop, or exp(x).
struct ShiftedExp {
  NodeId x;
  std::optional<NodeId> maximum;
};

std::optional<ShiftedExp> shiftedExpOf(const PatternView &view, NodeId id) {
  auto argument = view.expOf(id);
  if (!argument)
    return std::nullopt;
  Sum sum = view.sumOf(*argument);
  // exp(x - max(x)), as softmax is written lest it overflows.
  for (const Term &m : sum.terms) {
    if (!m.isNegative)
      continue;
    for (KernelReduce kind : {KernelReduce::Max, KernelReduce::MaxNum})
      if (const Reduction *r = view.reductionOf(m.node, kind)) {
        Sum rest = sum;
        rest.take(m.node, true);
        if (view.isSumOf(rest, r->value))
          return ShiftedExp{view.strip(r->value), m.node};
      }
  }
  return ShiftedExp{*argument, std::nullopt};
}

/// The exponential that a sum adds up.
std::optional<NodeId> summedExp(const PatternView &view, NodeId id) {
  const Reduction *r = view.reductionOf(id, KernelReduce::Add);
  if (!r || !view.expOf(r->value))
    return std::nullopt;
  return view.strip(r->value);
}

bool sameLoops(const PatternView &view, NodeId a, NodeId b) {
  return view.loopOf(a).dims == view.loopOf(b).dims;
}

std::optional<Recognized> softmax(const PatternView &view, NodeId id,
                                  std::optional<NearMiss> &miss) {
  Product product = view.productOf(id);
  if (product.coefficient != 1)
    return std::nullopt;
  for (const Factor &factor : product.factors) {
    if (!factor.isDivisor)
      continue;
    auto exp = summedExp(view, factor.node);
    if (!exp || !product.take(*exp, false))
      continue;
    // The shift cancels whatever it is; a maximum over another loop is a sign
    // that something else was meant.
    auto shifted = shiftedExpOf(view, *exp);
    if (shifted->maximum && !sameLoops(view, *shifted->maximum, factor.node)) {
      miss = NearMiss{"softmax", "its maximum and its sum run over different "
                                 "dimensions"};
      return std::nullopt;
    }
    // Other factors make it something else.
    if (product.factors.size() == 1)
      return Recognized{"softmax", id, {shifted->x}};
    return std::nullopt;
  }
  return std::nullopt;
}

/// Takes [max +] log(sum(exp(x - max))) with the given sign out of a sum and
/// gives x.
std::optional<NodeId> takeLogSumExp(const PatternView &view, Sum &sum,
                                    bool negative,
                                    std::optional<NearMiss> &miss) {
  for (unsigned i = 0; i < sum.terms.size(); ++i) {
    if (sum.terms[i].isNegative != negative)
      continue;
    auto inside = view.logOf(sum.terms[i].node);
    auto exp = inside ? summedExp(view, *inside) : std::nullopt;
    if (!exp)
      continue;
    auto shifted = shiftedExpOf(view, *exp);
    // Without a maximum there is nothing to add again.
    if (!shifted->maximum) {
      sum.terms.erase(sum.terms.begin() + i);
      return shifted->x;
    }
    if (!sameLoops(view, *shifted->maximum, *inside)) {
      miss = NearMiss{"log_sum_exp", "its maximum and its sum run over "
                                     "different dimensions"};
      continue;
    }
    // The maximum that was subtracted must be added, with the same sign.
    for (unsigned j = 0; j < sum.terms.size(); ++j)
      if (sum.terms[j].node == *shifted->maximum &&
          sum.terms[j].isNegative == negative) {
        // The later one first: erasing moves what comes after.
        sum.terms.erase(sum.terms.begin() + std::max(i, j));
        sum.terms.erase(sum.terms.begin() + std::min(i, j));
        return shifted->x;
      }
  }
  return std::nullopt;
}

/// x - log_sum_exp(x): gives x.
std::optional<NodeId> logSoftmaxOf(const PatternView &view, NodeId id,
                                   std::optional<NearMiss> &miss) {
  Sum sum = view.sumOf(id);
  auto x = takeLogSumExp(view, sum, true, miss);
  if (x && view.isSumOf(sum, *x))
    return x;
  // log(softmax(x))
  if (auto inside = view.logOf(id)) {
    std::optional<NearMiss> ignored;
    if (auto found = softmax(view, *inside, ignored))
      return found->inputs[0];
  }
  return std::nullopt;
}

/// -sum(target * log_softmax(x)), or log_sum_exp(x) - x[target].
std::optional<Recognized> crossEntropy(const PatternView &view, NodeId id,
                                       std::optional<NearMiss> &miss) {
  std::optional<NearMiss> ignored;
  // Soft targets: a sum over classes.
  if (const Reduction *r = view.reductionOf(id, KernelReduce::Add)) {
    Product product = view.productOf(r->value);
    for (const Factor &factor : product.factors) {
      if (factor.isDivisor)
        continue;
      if (auto x = logSoftmaxOf(view, factor.node, ignored)) {
        if (product.factors.size() != 2)
          continue;
        const Factor &target = product.factors[0].node == factor.node
                                   ? product.factors[1]
                                   : product.factors[0];
        if (target.isDivisor || target.node == factor.node)
          continue;
        return Recognized{"cross_entropy", id, {*x, target.node}};
      }
    }
    return std::nullopt;
  }
  // An index as target: the score is gathered. Either sign, since losses are
  // negated outside.
  for (bool negative : {false, true}) {
    Sum sum = view.sumOf(id);
    auto x = takeLogSumExp(view, sum, negative, miss);
    if (!x || sum.terms.size() != 1 || sum.terms[0].isNegative == negative)
      continue;
    NodeId picked = sum.terms[0].node;
    const Node &load = view.at(picked);
    const Node &scores = view.at(*x);
    if (sum.constant == 0 && load.kind == Node::Load &&
        scores.kind == Node::Load &&
        !view.dag.accesses[load.number].dynamicDims.empty() &&
        view.dag.accesses[load.number].tensor ==
            view.dag.accesses[scores.number].tensor)
      return Recognized{"cross_entropy", id, {*x, picked}};
  }
  return std::nullopt;
}

std::optional<Recognized> logSumExp(const PatternView &view, NodeId id,
                                    std::optional<NearMiss> &miss) {
  Sum sum = view.sumOf(id);
  if (sum.constant != 0)
    return std::nullopt;
  auto x = takeLogSumExp(view, sum, false, miss);
  if (x && sum.terms.empty())
    return Recognized{"log_sum_exp", id, {*x}};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

/// value + epsilon under a square root in the divisor; gives the value.
struct Root {
  NodeId radicand;
  bool isRoot; // false: the divisor is the value itself
};
std::optional<Root> divisorRoot(const PatternView &view, const Factor &factor) {
  auto inside = [&](NodeId id) -> NodeId {
    // max(value, 0) guards a difference of means.
    Sum sum = view.sumOf(id);
    auto value = sum.onlyTerm();
    return value && sum.constant >= 0 ? *value : id;
  };
  NodeId id = factor.node;
  if (!factor.isDivisor && view.isOp<math::RsqrtOp>(id))
    return Root{inside(view.operand(id, 0)), true};
  if (factor.isDivisor && view.isOp<math::SqrtOp>(id))
    return Root{inside(view.operand(id, 0)), true};
  if (view.isOp<math::PowFOp>(id))
    if (auto power = view.constantOf(view.operand(id, 1)))
      if (isNear(factor.isDivisor ? -*power : *power, -0.5))
        return Root{inside(view.operand(id, 0)), true};
  if (factor.isDivisor)
    return Root{inside(id), false};
  return std::nullopt;
}

/// x - mean(x) with the loop of the mean.
struct Centred {
  NodeId x;
  unsigned loop;
};
std::optional<Centred> centredOf(const PatternView &view, NodeId id) {
  Sum sum = view.sumOf(id);
  for (const Term &m : sum.terms) {
    unsigned loop;
    if (!m.isNegative)
      continue;
    auto value = view.meanOf(m.node, loop);
    Sum rest = sum;
    rest.take(m.node, true);
    if (value && view.isSumOf(rest, *value))
      return Centred{*value, loop};
  }
  return std::nullopt;
}

/// mean((x - mean(x))^2) or mean(x^2) - mean(x)^2: the loop of the variance.
std::optional<unsigned> varianceLoop(const PatternView &view, NodeId id,
                                     NodeId x) {
  unsigned loop;
  if (auto value = view.meanOf(id, loop)) {
    auto root = view.squareOf(*value);
    auto centred = root ? centredOf(view, *root) : std::nullopt;
    return centred && centred->x == x ? std::optional(loop) : std::nullopt;
  }
  // A guard against a difference that rounds to less than 0.
  if (view.isOp<arith::MaximumFOp, arith::MaxNumFOp>(id))
    for (unsigned i = 0; i < 2; ++i)
      if (auto bound = view.constantOf(view.operand(id, i));
          bound && *bound >= 0 && *bound <= 1e-3)
        return varianceLoop(view, view.operand(id, 1 - i), x);
  // mean(x^2) - mean(x)^2, in one pass over the row.
  Sum sum = view.sumOf(id);
  if (sum.terms.size() != 2)
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    if (sum.terms[i].isNegative || !sum.terms[1 - i].isNegative)
      continue;
    unsigned squareLoop, meanLoop;
    auto squares = view.meanOf(sum.terms[i].node, squareLoop);
    auto mean = view.squareOf(sum.terms[1 - i].node);
    auto plain = mean ? view.meanOf(*mean, meanLoop) : std::nullopt;
    if (squares && plain && view.squareOf(*squares) == x && *plain == x)
      return squareLoop;
  }
  return std::nullopt;
}

/// The rows of a normalisation: its input and the loop that measures their
/// spread.
struct Rows {
  NodeId x;
  unsigned loop;
  bool isCentred;
};

/// The rows of which `root` is the spread if `factor` is their centre: x - mean
/// over the root of the variance, or x over the root of its mean square.
std::optional<Rows> matchSpread(const PatternView &view, NodeId factor,
                                const Root &root,
                                std::optional<NearMiss> &miss) {
  if (auto centred = centredOf(view, factor)) {
    auto loop = varianceLoop(view, root.radicand, centred->x);
    if (!loop)
      return std::nullopt;
    // Close to a layer norm, but over other elements: worth a remark.
    if (view.dag.loops[*loop].dims != view.dag.loops[centred->loop].dims) {
      miss = NearMiss{"layer_norm", "its mean and its variance run over "
                                    "different dimensions"};
      return std::nullopt;
    }
    if (!root.isRoot) {
      miss =
          NearMiss{"layer_norm", "it divides by the variance, not by its root"};
      return std::nullopt;
    }
    return Rows{centred->x, *loop, true};
  }
  unsigned loop;
  auto value = view.meanOf(root.radicand, loop);
  if (!value || view.squareOf(*value) != factor)
    return std::nullopt;
  if (!root.isRoot) {
    miss = NearMiss{"rms_norm", "it divides by the mean square, not by its "
                                "root"};
    return std::nullopt;
  }
  return Rows{factor, loop, false};
}

/// True if the value is a tensor that is broadcast over x: gamma or beta.
bool isParameter(const PatternView &view, NodeId id, NodeId x) {
  return view.isBroadcast(id, x) && view.isLoad(id);
}

/// Matches the factors beside centre and spread, which must be gamma if there
/// are any. False if something else is among them.
bool matchScale(const PatternView &view, const Product &product, NodeId centre,
                NodeId spread, NodeId x, std::optional<NodeId> &gamma) {
  for (const Factor &factor : product.factors) {
    if (factor.node == centre || factor.node == spread)
      continue;
    if (!isParameter(view, factor.node, x))
      return false;
    gamma = factor.node;
  }
  return true;
}

/// True if the terms beside `scaled` are beta.
bool matchOffset(const PatternView &view, const Sum &sum, NodeId scaled,
                 NodeId x) {
  return llvm::all_of(sum.terms, [&](const Term &term) {
    return term.node == scaled || isParameter(view, term.node, x);
  });
}

/// Which normalisation it is, by the dimensions that rows and gamma share.
StringRef nameOf(const PatternView &view, const Rows &rows,
                 std::optional<NodeId> gamma) {
  if (!rows.isCentred)
    return "rms_norm";
  if (!gamma)
    return "layer_norm";
  const uint64_t reduced = maskOf(view.dag.loops[rows.loop].dims);
  uint64_t own = view.at(*gamma).dims;
  if ((own & ~reduced) == 0)
    return "layer_norm";
  if (own & reduced)
    return "group_norm";
  // Per channel: over the whole batch, or for each image.
  const Node &load = view.at(rows.x);
  if (load.kind == Node::Load) {
    const Access &access = view.dag.accesses[load.number];
    if (!access.position.empty() && access.position.front().dims() & reduced)
      return "batch_norm";
  }
  return "instance_norm";
}

/// centre / spread [* gamma], one of the terms of `sum`.
std::optional<Recognized> scaledNorm(const PatternView &view, NodeId id,
                                     const Sum &sum, NodeId scaled,
                                     std::optional<NearMiss> &miss) {
  Product product = view.productOf(scaled);
  for (const Factor &divisor : product.factors) {
    auto root = divisorRoot(view, divisor);
    if (!root)
      continue;
    for (const Factor &centre : product.factors) {
      if (centre.isDivisor || centre.node == divisor.node)
        continue;
      auto rows = matchSpread(view, centre.node, *root, miss);
      std::optional<NodeId> gamma;
      if (rows &&
          matchScale(view, product, centre.node, divisor.node, rows->x,
                     gamma) &&
          matchOffset(view, sum, scaled, rows->x))
        return Recognized{nameOf(view, *rows, gamma), id, {rows->x}};
    }
  }
  return std::nullopt;
}

/// centre / spread [* gamma] [+ beta], factors and terms in any order.
std::optional<Recognized> norm(const PatternView &view, NodeId id,
                               std::optional<NearMiss> &miss) {
  Sum sum = view.sumOf(id);
  if (sum.constant != 0 || sum.terms.empty() || sum.terms.size() > 2)
    return std::nullopt;
  for (const Term &scaled : sum.terms)
    if (!scaled.isNegative)
      if (auto found = scaledNorm(view, id, sum, scaled.node, miss))
        return found;
  return std::nullopt;
}
} // namespace

std::optional<Recognized>
gaudi::fusion::recognizeRowReduction(const PatternView &view, NodeId id,
                                     std::optional<NearMiss> &miss) {
  if (auto found = crossEntropy(view, id, miss))
    return found;
  if (auto x = logSoftmaxOf(view, id, miss))
    return Recognized{"log_softmax", id, {*x}};
  if (auto found = softmax(view, id, miss))
    return found;
  if (auto found = norm(view, id, miss))
    return found;
  return logSumExp(view, id, miss);
}
