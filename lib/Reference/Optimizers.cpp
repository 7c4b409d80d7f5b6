// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of optimizer steps and of the clipping of gradients.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Models.h"
#include "Scalars.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {
/// A factor as kernels have it: computed in float64, rounded once to f32.
double factor(double value) { return static_cast<float>(value); }
double factor(const APFloat &value) { return factor(value.convertToDouble()); }

/// The operands and results of an op on lists of tensors.
class Lists {
public:
  Lists(Operation *op, Operands operands, Results &results)
      : op(op), operands(operands), results(results) {
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      results.push_back(emptyResult(op, i));
  }

  /// The operands that start with `range`, an ODS range of the op.
  ArrayRef<ReferenceTensor> of(OperandRange range) const {
    return operands.slice(range.empty() ? 0 : range.getBeginOperandIndex(),
                          range.size());
  }
  /// The element of a scalar operand, or `absent`.
  double scalar(Value value, double absent) const {
    if (!value)
      return absent;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (operand == value)
        return operands[i].at(0);
    llvm_unreachable("the value is an operand");
  }

  /// What a step computes on the way, with its error if there is noise.
  double noisy(double value) const {
    return operands.noise ? operands.noise->disturbed(value) : value;
  }

  /// The gradient of a step: g * scale + decay * w.
  double decayed(double g, double scale, double decay, double w) const {
    return noisy(noisy(g * scale) + noisy(decay * w));
  }

  /// Computes the elements of parameter `i`: `element` gets the number of the
  /// element and gives those of the results i, i + count, i + 2 * count, ...,
  /// which are then rounded to their types.
  template <typename Element>
  void fill(unsigned i, unsigned count, Element element) {
    SmallVector<MutableArrayRef<double>> to;
    SmallVector<FloatRounder> round;
    for (unsigned r = i; r < results.size(); r += count) {
      to.push_back(results[r].mutableFloats());
      round.emplace_back(results[r].getElementType(), operands.noise);
    }
    for (int64_t at = 0; at < results[i].getCount(); ++at) {
      const auto values = element(at);
      for (unsigned r = 0; r < to.size(); ++r)
        to[r][at] = round[r](values[r]);
    }
  }

private:
  Operation *op;
  Operands operands;
  Results &results;
};

/// The running means of gradients and of their squares.
struct Moments {
  const Lists &lists;
  ArrayRef<ReferenceTensor> first, second;
  double beta1, beta2, rest1, rest2; // factors of the old and the new values

  template <typename Op>
  Moments(const Lists &lists, Op op)
      : lists(lists), first(lists.of(op.getExpAvgs())),
        second(lists.of(op.getExpAvgSqs())), beta1(factor(op.getBeta1())),
        beta2(factor(op.getBeta2())),
        rest1(factor(1 - op.getBeta1().convertToDouble())),
        rest2(factor(1 - op.getBeta2().convertToDouble())) {}

  double firstOf(unsigned i, int64_t at, double gradient, double rest) const {
    return lists.noisy(lists.noisy(beta1 * first[i].floats()[at]) +
                       lists.noisy(rest * gradient));
  }
  double secondOf(unsigned i, int64_t at, double gradient) const {
    return lists.noisy(beta2 * second[i].floats()[at] +
                       rest2 * gradient * gradient);
  }
};

LogicalResult evaluateAdamW(FusedAdamWOp op, Operands operands,
                            Results &results) {
  Lists lists(op, operands, results);
  const ArrayRef<ReferenceTensor> gradients = lists.of(op.getGradients()),
                                  parameters = lists.of(op.getParameters());
  const Moments moments(lists, op);
  const double step = lists.scalar(op.getStepSize(), 0),
               eps = lists.scalar(op.getEps(), 0),
               decay = lists.scalar(op.getDecay(), 1),
               scale = lists.scalar(op.getGradScale(), 1),
               l2 = factor(op.getL2());
  for (unsigned i = 0; i < parameters.size(); ++i)
    lists.fill(i, parameters.size(), [&](int64_t at) {
      const double w = parameters[i].floats()[at];
      const double g = lists.decayed(gradients[i].floats()[at], scale, l2, w);
      const double m = moments.firstOf(i, at, g, moments.rest1),
                   v = moments.secondOf(i, at, g);
      return std::array{lists.noisy(w * decay) -
                            lists.noisy(step * (m / (std::sqrt(v) + eps))),
                        m, v};
    });
  return success();
}

LogicalResult evaluateSGD(FusedSGDOp op, Operands operands, Results &results) {
  Lists lists(op, operands, results);
  const ArrayRef<ReferenceTensor> gradients = lists.of(op.getGradients()),
                                  parameters = lists.of(op.getParameters()),
                                  buffers = lists.of(op.getMomentumBuffers());
  const double lr = lists.scalar(op.getLr(), 0),
               scale = lists.scalar(op.getGradScale(), 1),
               decay = factor(op.getWeightDecay()),
               momentum = factor(op.getMomentum()),
               rest = factor(1 - op.getDampening().convertToDouble());
  const bool isFirst = lists.scalar(op.getFirstStep(), 0) != 0;
  // Each operation is rounded by itself when noise is drawn, as a device does.
  for (unsigned i = 0; i < parameters.size(); ++i)
    lists.fill(i, parameters.size(), [&](int64_t at) {
      const double w = parameters[i].floats()[at];
      const double g =
          lists.decayed(gradients[i].floats()[at], scale, decay, w);
      // In the first step the buffer is the gradient, as in PyTorch.
      double b = g;
      if (!buffers.empty() && !isFirst)
        b = lists.noisy(lists.noisy(momentum * buffers[i].floats()[at]) +
                        lists.noisy(rest * g));
      const double direction =
          op.getNesterov() ? lists.noisy(g + lists.noisy(momentum * b)) : b;
      return std::array{w - lists.noisy(lr * direction), b};
    });
  return success();
}

LogicalResult evaluateAdagrad(FusedAdagradOp op, Operands operands,
                              Results &results) {
  Lists lists(op, operands, results);
  const ArrayRef<ReferenceTensor> gradients = lists.of(op.getGradients()),
                                  parameters = lists.of(op.getParameters()),
                                  sums = lists.of(op.getSums());
  const double lr = lists.scalar(op.getLr(), 0),
               scale = lists.scalar(op.getGradScale(), 1),
               eps = factor(op.getEps()), decay = factor(op.getWeightDecay());
  for (unsigned i = 0; i < parameters.size(); ++i)
    lists.fill(i, parameters.size(), [&](int64_t at) {
      const double w = parameters[i].floats()[at];
      const double g =
          lists.decayed(gradients[i].floats()[at], scale, decay, w);
      const double sum = sums[i].floats()[at] + g * g;
      return std::array{w - lists.noisy(lr * (g / (std::sqrt(sum) + eps))),
                        sum};
    });
  return success();
}

LogicalResult evaluateEma(FusedEmaOp op, Operands operands, Results &results) {
  Lists lists(op, operands, results);
  const ArrayRef<ReferenceTensor> values = lists.of(op.getValues()),
                                  averages = lists.of(op.getAverages());
  const double decay = lists.scalar(op.getDecay(), 0);
  for (unsigned i = 0; i < averages.size(); ++i)
    lists.fill(i, averages.size(), [&](int64_t at) {
      return std::array{lists.noisy(averages[i].floats()[at] * decay) +
                        lists.noisy((1 - decay) * values[i].floats()[at])};
    });
  return success();
}

/// Infinite where float32 does not hold it, as on a device and in the graph
/// that the op stands for.
double squaresOf(ArrayRef<ReferenceTensor> tensors) {
  double sum = 0;
  for (const ReferenceTensor &tensor : tensors)
    for (double x : tensor.floats())
      sum += x * x;
  return sum > std::numeric_limits<float>::max()
             ? std::numeric_limits<double>::infinity()
             : sum;
}

LogicalResult evaluateLamb(FusedLambOp op, Operands operands,
                           Results &results) {
  Lists lists(op, operands, results);
  const ArrayRef<ReferenceTensor> gradients = lists.of(op.getGradients()),
                                  parameters = lists.of(op.getParameters());
  const Moments moments(lists, op);
  const double lr = lists.scalar(op.getLr(), 0),
               correction1 = lists.scalar(op.getBiasCorrection1(), 1),
               correction2 = lists.scalar(op.getBiasCorrection2(), 1),
               eps = factor(op.getEps()), decay = factor(op.getWeightDecay());
  const double rest = op.getGradAveraging() ? moments.rest1 : 1;
  double scale = 1;
  // All gradients have one norm.
  if (op.getMaxGradNorm()) {
    const double norm = lists.noisy(std::sqrt(squaresOf(gradients))),
                 most = lists.scalar(op.getMaxGradNorm(), 0);
    scale = norm <= most ? 1 : most / norm;
  }
  // Two passes: the ratio of a parameter's norms scales its whole step.
  for (unsigned i = 0; i < parameters.size(); ++i) {
    const size_t count = parameters[i].getCount();
    std::vector<double> steps(count), m(count), v(count);
    double squares = 0;
    for (size_t at = 0; at < count; ++at) {
      const double g = lists.noisy(gradients[i].floats()[at] * scale);
      m[at] = moments.firstOf(i, at, g, rest);
      v[at] = moments.secondOf(i, at, g);
      steps[at] = lists.noisy((m[at] / correction1) /
                              (std::sqrt(v[at] / correction2) + eps)) +
                  lists.noisy(decay * parameters[i].floats()[at]);
      squares += steps[at] * steps[at];
    }
    double ratio = 1;
    if (op.scalesByRatio() && squares > 0)
      ratio = std::sqrt(squaresOf(parameters[i]) / squares);
    lists.fill(i, parameters.size(), [&](int64_t at) {
      return std::array{parameters[i].floats()[at] -
                            lists.noisy(lr * steps[at] * ratio),
                        m[at], v[at]};
    });
  }
  return success();
}

LogicalResult evaluateClipNorm(FusedClipNormOp op, Operands operands,
                               Results &results) {
  Lists lists(op, operands, results);
  const ArrayRef<ReferenceTensor> gradients = lists.of(op.getGradients());
  const double norm = lists.noisy(std::sqrt(squaresOf(gradients))),
               most = lists.scalar(op.getMaxNorm(), 0),
               ratio = most / (norm + factor(op.getEps()));
  double scale = ratio;
  if (op.getSelect() ? norm < most : ratio > 1)
    scale = 1;
  const FloatRounder toF32(Float32Type::get(op.getContext()));
  const size_t count = gradients.size();
  results[count].mutableFloats()[0] = toF32(norm);
  results[count + 1].mutableFloats()[0] = toF32(scale);
  for (size_t i = 0; i < count; ++i) {
    const FloatRounder round(gradients[i].getElementType(), operands.noise);
    auto to = results[i].mutableFloats();
    for (int64_t at = 0; at < gradients[i].getCount(); ++at)
      to[at] = round(gradients[i].floats()[at] * scale);
  }
  return success();
}
} // namespace

void reference::attachOptimizerModels(MLIRContext *context) {
  attach<FusedAdamWOp, evaluateAdamW>(context);
  attach<FusedSGDOp, evaluateSGD>(context);
  attach<FusedAdagradOp, evaluateAdagrad>(context);
  attach<FusedLambOp, evaluateLamb>(context);
  attach<FusedEmaOp, evaluateEma>(context);
  attach<FusedClipNormOp, evaluateClipNorm>(context);
}
