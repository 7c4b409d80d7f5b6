// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of the ops that the device has and PyTorch has not: each becomes
// the op of its name.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

/// Argument `i`, a tensor; null if it is None.
static Value optional(TorchCall &c, unsigned i) {
  return c.has(i) ? c.tensor(i) : Value();
}

Lowered lowerings::roundTo(TorchCall &c) {
  OpBuilder &b = c.builder;
  const FloatRounding rule =
      c.has(1) ? FloatRounding::Stochastic : FloatRounding::NearestEven;
  return one(RoundToOp::create(b, b.getUnknownLoc(), c.result(), c.tensor(0),
                               optional(c, 1), rule, c.flag(4),
                               b.getF32FloatAttr(float(c.number(3)))));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Of the rank of the scores.
static Value ranked(TorchCall &c, unsigned i, int64_t rank) {
  return c.has(i) ? c.withRank(c.tensor(i), rank) : Value();
}

/// Arguments from `first` on: scale, is_causal, is_left_padded, mask_value,
/// dropout, is_fast. `mask` decides whether the value of one means anything.
template <typename Properties>
static Properties propertiesOf(TorchCall &c, unsigned first, Value mask) {
  OpBuilder &b = c.builder;
  Properties properties;
  properties.scale = b.getF32FloatAttr(float(c.number(first)));
  if (c.flag(first + 1))
    properties.causal = b.getUnitAttr();
  properties.padding = PaddingSideAttr::get(
      b.getContext(),
      c.flag(first + 2) ? PaddingSide::Left : PaddingSide::Right);
  const bool isSelect = mask && getElementTypeOrSelf(mask).isInteger(1);
  properties.mask_value =
      b.getF32FloatAttr(isSelect ? float(c.number(first + 3))
                                 : -std::numeric_limits<float>::infinity());
  properties.dropout = b.getF32FloatAttr(float(c.number(first + 4)));
  properties.softmax_mode = SoftmaxModeAttr::get(
      b.getContext(),
      c.flag(first + 5) ? SoftmaxMode::Fast : SoftmaxMode::Default);
  return properties;
}

Lowered lowerings::fusedAttention(TorchCall &c) {
  const int64_t rank = c.type(0).rank();
  SdpaOperands operands;
  operands.query = c.tensor(0);
  operands.key = c.tensor(1);
  operands.value = c.tensor(2);
  operands.mask = ranked(c, 3, rank);
  operands.validLengths = optional(c, 4);
  operands.dropoutMask = ranked(c, 5, rank);
  operands.seed = optional(c, 6);
  const bool hasScales = c.size() > 14;
  if (hasScales) {
    Value *scales[] = {&operands.dScaleQ, &operands.dScaleK, &operands.dScaleV,
                       &operands.qScaleS, &operands.qScaleO, &operands.dScaleS};
    for (auto [i, scale] : llvm::enumerate(scales))
      *scale = optional(c, 14 + i);
  }
  auto properties = propertiesOf<SdpaOp::Properties>(c, 7, operands.mask);
  const AttentionSaves saves[] = {AttentionSaves::None,
                                  AttentionSaves::Statistics,
                                  AttentionSaves::Probabilities};
  properties.saves =
      AttentionSavesAttr::get(c.builder.getContext(), saves[c.integer(13)]);
  if (hasScales && c.flag(20))
    properties.amax_s = c.builder.getUnitAttr();
  if (hasScales && c.flag(21))
    properties.amax_o = c.builder.getUnitAttr();
  auto sdpa = SdpaOp::create(c.builder, operands, properties);
  // The seed is among the results of an op that has one; the caller has it.
  SmallVector<Value> results(sdpa.getResults());
  llvm::erase(results, sdpa.getSeedResult());
  return results;
}

Lowered lowerings::fusedAttentionGradient(TorchCall &c) {
  const int64_t rank = c.type(1).rank();
  SdpaGradOperands operands;
  operands.outputGrad = c.tensor(0);
  operands.query = c.tensor(1);
  operands.key = c.tensor(2);
  operands.value = c.tensor(3);
  operands.output = optional(c, 4);
  operands.mask = ranked(c, 5, rank);
  operands.validLengths = optional(c, 6);
  operands.dropoutMask = ranked(c, 7, rank);
  operands.seed = optional(c, 8);
  operands.m = optional(c, 9);
  operands.linv = optional(c, 10);
  operands.probabilities = optional(c, 11);
  auto grad = SdpaGradOp::create(
      c.builder, operands,
      propertiesOf<SdpaGradOp::Properties>(c, 12, operands.mask));
  return SmallVector<Value>(grad.getResults());
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

namespace {
/// Makes an op of lists with the types of the call's results.
class ListBuilder {
public:
  explicit ListBuilder(TorchCall &c)
      : c(c), f32(Float32Type::get(c.builder.getContext())) {
    for (unsigned i = 0; i != c.numResults(); ++i)
      types.push_back(c.result(i));
  }

  /// Argument `i` as one f32; null if it is None.
  Value scalar(unsigned i) {
    return c.has(i) ? c.cast(c.tensor(i), f32) : Value();
  }
  FloatAttr number(unsigned i) {
    return c.builder.getF64FloatAttr(c.number(i));
  }
  /// The results that replace list `place` of `count`.
  ArrayRef<Type> list(size_t place, size_t count) const {
    const size_t length = types.size() / count;
    return ArrayRef(types).drop_front(place * length).take_front(length);
  }

  TorchCall &c;
  SmallVector<Type> types;

private:
  Type f32;
};
} // namespace

static SmallVector<Value> resultsOf(Operation *op) {
  return SmallVector<Value>(op->getResults());
}

Lowered lowerings::fusedAdamW(TorchCall &c) {
  ListBuilder b(c);
  return resultsOf(FusedAdamWOp::create(
      c.builder, c.builder.getLoc(), b.list(0, 3), b.list(1, 3), b.list(2, 3),
      c.tensors(0), c.tensors(1), c.tensors(2), c.tensors(3), b.scalar(4),
      b.scalar(5), b.scalar(6), Value(), b.number(7), b.number(8),
      c.builder.getF64FloatAttr(0)));
}

Lowered lowerings::fusedSgd(TorchCall &c) {
  ListBuilder b(c);
  return resultsOf(
      FusedSGDOp::create(c.builder, c.builder.getLoc(), b.types, c.tensors(0),
                         c.tensors(1), c.tensors(2), b.scalar(3), Value(),
                         optional(c, 4), b.number(5), b.number(6), b.number(7),
                         c.flag(8) ? c.builder.getUnitAttr() : UnitAttr()));
}

Lowered lowerings::fusedAdagrad(TorchCall &c) {
  ListBuilder b(c);
  return resultsOf(FusedAdagradOp::create(
      c.builder, c.builder.getLoc(), b.list(0, 2), b.list(1, 2), c.tensors(0),
      c.tensors(1), c.tensors(2), b.scalar(3), Value(), b.number(4),
      b.number(5)));
}

Lowered lowerings::fusedLamb(TorchCall &c) {
  ListBuilder b(c);
  const auto mark = [&](unsigned i) {
    return c.flag(i) ? c.builder.getUnitAttr() : UnitAttr();
  };
  return resultsOf(FusedLambOp::create(
      c.builder, c.builder.getLoc(), b.list(0, 3), b.list(1, 3), b.list(2, 3),
      c.tensors(0), c.tensors(1), c.tensors(2), c.tensors(3), b.scalar(4),
      b.scalar(5), b.scalar(6), b.scalar(7), b.number(8), b.number(9),
      b.number(10), b.number(11), mark(12), mark(13)));
}

Lowered lowerings::fusedEma(TorchCall &c) {
  ListBuilder b(c);
  return resultsOf(FusedEmaOp::create(c.builder, c.builder.getLoc(), b.types,
                                      c.tensors(1), c.tensors(0), b.scalar(2)));
}

Lowered lowerings::fusedClipNorm(TorchCall &c) {
  ListBuilder b(c);
  return resultsOf(FusedClipNormOp::create(
      c.builder, c.builder.getLoc(), ArrayRef(b.types).drop_back(2),
      b.types.back(), b.types.back(), c.tensors(0), b.scalar(1), UnitAttr(),
      b.number(2)));
}
