// Row programs in any decomposition: softmax and its kin, normalisations.
#include "Patterns.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

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
    auto shifted = shiftedExpOf(view, *exp);
    if (shifted->maximum && !sameLoops(view, *shifted->maximum, factor.node)) {
      miss = NearMiss{"softmax", "its maximum and its sum run over different "
                                 "dimensions"};
      return std::nullopt;
    }
    // exp / sum stands alone, or other factors follow.
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
    if (!shifted->maximum) {
      sum.terms.erase(sum.terms.begin() + i);
      return shifted->x;
    }
    if (!sameLoops(view, *shifted->maximum, *inside)) {
      miss = NearMiss{"log_sum_exp", "its maximum and its sum run over "
                                     "different dimensions"};
      continue;
    }
    for (unsigned j = 0; j < sum.terms.size(); ++j)
      if (sum.terms[j].node == *shifted->maximum &&
          sum.terms[j].isNegative == negative) {
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
  auto inside = [&](NodeId id) -> std::optional<NodeId> {
    // max(value, 0) guards a difference of means.
    Sum sum = view.sumOf(id);
    if (sum.terms.size() == 1 && !sum.terms[0].isNegative && sum.constant >= 0)
      return sum.terms[0].node;
    return id;
  };
  NodeId id = factor.node;
  if (!factor.isDivisor && view.isOp(id, "math.rsqrt"))
    return Root{*inside(view.operand(id, 0)), true};
  if (factor.isDivisor && view.isOp(id, "math.sqrt"))
    return Root{*inside(view.operand(id, 0)), true};
  if (view.isOp(id, "math.powf"))
    if (auto power = view.constantOf(view.operand(id, 1)))
      if (isNear(factor.isDivisor ? -*power : *power, -0.5))
        return Root{*inside(view.operand(id, 0)), true};
  if (factor.isDivisor)
    return Root{*inside(id), false};
  return std::nullopt;
}

/// x - mean(x) with the loop of the mean.
struct Centered {
  NodeId x;
  unsigned loop;
};
std::optional<Centered> centeredOf(const PatternView &view, NodeId id) {
  Sum sum = view.sumOf(id);
  for (const Term &m : sum.terms) {
    unsigned loop;
    if (!m.isNegative)
      continue;
    auto value = view.meanOf(m.node, loop);
    Sum rest = sum;
    rest.take(m.node, true);
    if (value && view.isSumOf(rest, *value))
      return Centered{*value, loop};
  }
  return std::nullopt;
}

/// mean((x - mean(x))^2) or mean(x^2) - mean(x)^2: the loop of the variance.
std::optional<unsigned> varianceLoop(const PatternView &view, NodeId id,
                                     NodeId x) {
  unsigned loop;
  if (auto value = view.meanOf(id, loop)) {
    auto root = view.squareOf(*value);
    auto centered = root ? centeredOf(view, *root) : std::nullopt;
    return centered && centered->x == x ? std::optional(loop) : std::nullopt;
  }
  if (view.isOp(id, "arith.maximumf") || view.isOp(id, "arith.maxnumf"))
    for (unsigned i = 0; i < 2; ++i)
      if (auto bound = view.constantOf(view.operand(id, i));
          bound && *bound >= 0 && *bound <= 1e-3)
        return varianceLoop(view, view.operand(id, 1 - i), x);
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

/// Which normalisation it is, by what the rows and the parameters share.
StringRef normName(const PatternView &view, NodeId x, unsigned loop,
                   std::optional<NodeId> gamma) {
  uint64_t reduced = 0;
  for (unsigned d : view.dag.loops[loop].dims)
    reduced |= uint64_t(1) << d;
  if (gamma) {
    uint64_t own = view.at(*gamma).dims;
    if ((own & ~reduced) == 0)
      return "layer_norm";
    if (own & reduced)
      return "group_norm";
    // Per channel: over the whole batch, or for each image.
    const Node &load = view.at(x);
    if (load.kind == Node::Load) {
      const Access &access = view.dag.accesses[load.number];
      if (!access.position.empty() && access.position.front().dims() & reduced)
        return "batch_norm";
    }
    return "instance_norm";
  }
  return "layer_norm";
}

std::optional<Recognized> norm(const PatternView &view, NodeId id,
                               std::optional<NearMiss> &miss) {
  Sum sum = view.sumOf(id);
  if (sum.constant != 0 || sum.terms.empty() || sum.terms.size() > 2)
    return std::nullopt;
  for (const Term &scaled : sum.terms) {
    if (scaled.isNegative)
      continue;
    Product product = view.productOf(scaled.node);
    for (const Factor &divisor : product.factors) {
      auto root = divisorRoot(view, divisor);
      if (!root)
        continue;
      for (const Factor &factor : product.factors) {
        if (factor.isDivisor || factor.node == divisor.node)
          continue;
        auto centered = centeredOf(view, factor.node);
        std::optional<unsigned> loop;
        NodeId x = factor.node;
        StringRef name;
        if (centered) {
          x = centered->x;
          loop = varianceLoop(view, root->radicand, x);
          if (loop && view.dag.loops[*loop].dims !=
                          view.dag.loops[centered->loop].dims) {
            miss = NearMiss{"layer_norm", "its mean and its variance run over "
                                          "different dimensions"};
            continue;
          }
          if (loop && !root->isRoot) {
            miss = NearMiss{"layer_norm",
                            "it divides by the variance, not by its root"};
            continue;
          }
        } else {
          unsigned squares;
          auto value = view.meanOf(root->radicand, squares);
          if (value && view.squareOf(*value) == x) {
            loop = squares;
            name = "rms_norm";
            if (!root->isRoot) {
              miss = NearMiss{"rms_norm", "it divides by the mean square, not "
                                          "by its root"};
              continue;
            }
          }
        }
        if (!loop)
          continue;
        // What is left is gamma (and beta in the sum).
        std::optional<NodeId> gamma;
        bool fits = true;
        for (const Factor &other : product.factors) {
          if (other.node == factor.node || other.node == divisor.node)
            continue;
          fits &= view.isBroadcast(other.node, x) && view.isLoad(other.node);
          gamma = other.node;
        }
        if (!fits)
          continue;
        bool hasBeta = true;
        for (const Term &term : sum.terms)
          if (term.node != scaled.node)
            hasBeta = view.isBroadcast(term.node, x) && view.isLoad(term.node);
        if (!hasBeta)
          continue;
        return Recognized{
            name.empty() ? normName(view, x, *loop, gamma) : name, id, {x}};
      }
    }
  }
  return std::nullopt;
}
} // namespace

std::optional<Recognized>
mlir::gaudi::fusion::recognizeRowProgram(const PatternView &view, NodeId id,
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
