// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalisation: inference, training and gradient, computed in f32.
#include "Converter.h"
#include "Gaudi/Dialect/ElementwiseOps.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// What the three ops share. Statistics have one element per feature.
struct BatchNorm {
  int64_t feature = 0;
  double epsilon = 0;
  SmallVector<int64_t> others; ///< all dimensions but the feature
  SmallVector<int64_t> spread; ///< the shape of statistics over the operand
  int64_t count = 1;           ///< elements per feature
};

/// Builds in f32 and with the rank of the operand.
class BatchNormBuilder {
public:
  BatchNormBuilder(Operation *op, const BatchNorm &norm, HloBuilder &b)
      : op(op), norm(norm), b(b) {}

  Value whole(unsigned operand) {
    return b.cast(op->getOperand(operand), b.getF32Type());
  }
  Value statistic(unsigned operand) {
    return b.reshape(whole(operand), norm.spread);
  }
  Value mean(Value x) { return b.reduce(ReduceKind::Mean, x, norm.others); }
  Value sum(Value x) { return b.reduce(ReduceKind::Sum, x, norm.others); }
  /// 1 / sqrt(variance + epsilon).
  Value inverseDeviation(Value variance) {
    return b.unary<RsqrtOp>(
        b.binary<AddOp>(variance, b.number(norm.epsilon, variance)));
  }
  /// The value as result number `result`.
  Value asResult(Value value, unsigned result) {
    RankedTensorType type = tensorType(op->getResult(result));
    value = b.reshape(value, type.getShape());
    return b.cast(value, type.getElementType());
  }

private:
  Operation *op;
  const BatchNorm &norm;
  HloBuilder &b;
};
} // namespace

/// Operands are tensors of the first one's type (bit set in `wholes`) or
/// statistics, and so are the results.
static FailureOr<BatchNorm> readBatchNorm(Operation *op, HloMatcher &m,
                                          size_t operands, unsigned wholes,
                                          size_t results) {
  if (op->getNumOperands() != operands || failed(m.checkResults(results)))
    return m.refuse("expected " + Twine(operands) + " operands and " +
                    Twine(results) + " results");
  RankedTensorType type = tensorType(op->getOperand(0));
  if (!isFloatElement(type.getElementType()))
    return m.refuse("it is not defined for element type '" +
                    spelled(type.getElementType()) + "'");
  auto feature = m.integer("feature_index", 0, type.getRank());
  auto epsilon = dyn_cast_or_null<FloatAttr>(op->getAttr("epsilon"));
  if (failed(feature))
    return failure();
  if (!epsilon)
    return m.refuse("attribute 'epsilon' is missing or no float");
  BatchNorm norm;
  norm.feature = *feature;
  norm.epsilon = epsilon.getValueAsDouble();
  // The shape in which a statistic is broadcast, and the dimensions that it
  // sums over.
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    norm.spread.push_back(dim == *feature ? type.getDimSize(dim) : 1);
    if (dim == *feature)
      continue;
    norm.others.push_back(dim);
    norm.count *= type.getDimSize(dim);
  }
  auto check = [&](Value value, bool isWhole, const Twine &what) {
    RankedTensorType other = tensorType(value);
    if (isWhole ? other.getShape() == type.getShape()
                : other.getShape() == type.getShape().slice(*feature, 1))
      return success();
    return m.refuse(
        what + " must have " +
        (isWhole ? "the shape of the operand" : "one element per feature"));
  };
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (failed(check(operand, (wholes >> i) & 1, "operand " + Twine(i))))
      return failure();
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (failed(check(result, i == 0, "result " + Twine(i))))
      return failure();
  // The mean of nothing is not defined.
  if (norm.count == 0)
    return m.refuse("the operand has no elements");
  return norm;
}

/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
HloMatch gaudi::matchBatchNormInference(Operation *op, HloMatcher &m) {
  auto norm = readBatchNorm(op, m, 5, 1, 1);
  if (failed(norm))
    return failure();
  return build([op, norm = *norm](HloBuilder &b) {
    BatchNormBuilder a(op, norm, b);
    Value centred = b.binary<SubOp>(a.whole(0), a.statistic(3));
    Value factor =
        b.binary<MulOp>(a.inverseDeviation(a.statistic(4)), a.statistic(1));
    return a.asResult(
        b.binary<AddOp>(b.binary<MulOp>(centred, factor), a.statistic(2)), 0);
  });
}

/// Also the mean and the variance of the batch, which divides by the number of
/// elements.
HloMatch gaudi::matchBatchNormTraining(Operation *op, HloMatcher &m) {
  auto norm = readBatchNorm(op, m, 3, 1, 3);
  if (failed(norm))
    return failure();
  return build([op, norm = *norm](HloBuilder &b) {
    BatchNormBuilder a(op, norm, b);
    Value x = a.whole(0), mean = a.mean(x);
    Value centred = b.binary<SubOp>(x, mean);
    Value variance = a.mean(b.binary<MulOp>(centred, centred));
    Value factor =
        b.binary<MulOp>(a.inverseDeviation(variance), a.statistic(1));
    Value y = b.binary<AddOp>(b.binary<MulOp>(centred, factor), a.statistic(2));
    return SmallVector<Value>{a.asResult(y, 0), a.asResult(mean, 1),
                              a.asResult(variance, 2)};
  });
}

/// With g the gradient of the result, d = 1 / sqrt(variance + epsilon) and
/// c = x - mean: grad_offset = sum g, grad_scale = d sum g c,
/// grad_x = scale d (g - mean g - c d^2 mean(g c)).
HloMatch gaudi::matchBatchNormGrad(Operation *op, HloMatcher &m) {
  auto norm = readBatchNorm(op, m, 5, 1 | 1 << 4, 3);
  if (failed(norm))
    return failure();
  return build([op, norm = *norm](HloBuilder &b) {
    BatchNormBuilder a(op, norm, b);
    Value centred = b.binary<SubOp>(a.whole(0), a.statistic(2));
    Value inverse = a.inverseDeviation(a.statistic(3)), gradient = a.whole(4);
    Value offset = a.sum(gradient);
    Value product = a.sum(b.binary<MulOp>(gradient, centred));
    const double share = 1.0 / double(norm.count);
    Value slope = b.binary<MulOp>(
        b.binary<MulOp>(b.binary<MulOp>(product, b.number(share, product)),
                        inverse),
        inverse);
    Value mean = b.binary<MulOp>(offset, b.number(share, offset));
    Value x = b.binary<SubOp>(b.binary<SubOp>(gradient, mean),
                              b.binary<MulOp>(centred, slope));
    x = b.binary<MulOp>(x, b.binary<MulOp>(inverse, a.statistic(1)));
    return SmallVector<Value>{a.asResult(x, 0),
                              a.asResult(b.binary<MulOp>(product, inverse), 1),
                              a.asResult(offset, 2)};
  });
}
