// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of norms.
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

Lowered lowerings::layerNorm(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  if (c.result().getNumElements() == 0) {
    if (c.numResults() == 3 && c.result(1).getNumElements() != 0)
      return c.refuse("it normalizes no elements");
    return zerosOfAll(c);
  }
  Type wide = c.builder.getF32Type();
  Value x = c.operand(0, wide);
  const int64_t rank = c.type(0).rank();
  const SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(rank - c.ints(1).size(), rank));
  Value mean = c.reduce(ReduceKind::Mean, x, dims, true);
  Value distance = c.apply<SubOp>({x, mean});
  Value variance = c.reduce(ReduceKind::Mean,
                            c.apply<MulOp>({distance, distance}), dims, true);
  Value shifted = c.apply<AddOp>({variance, c.operand(4, wide)});
  Value scale = c.apply<RsqrtOp>({shifted});
  Value y = c.apply<MulOp>({distance, scale});
  if (c.has(2))
    y = c.apply<MulOp>({y, c.operand(2, wide)});
  if (c.has(3))
    y = c.apply<AddOp>({y, c.operand(3, wide)});
  SmallVector<Value> values = {c.cast(y, c.resultElement())};
  if (c.numResults() == 3) {
    values.push_back(c.cast(mean, c.resultElement(1)));
    values.push_back(c.cast(scale, c.resultElement(2)));
  }
  return values;
}

Lowered lowerings::batchNorm(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  Type wide = c.builder.getF32Type();
  SmallVector<int64_t> perChannel(c.type(0).rank(), 1);
  perChannel[1] = c.type(0).sizes[1];
  auto channels = [&](unsigned i) {
    return c.reshape(c.operand(i, wide), perChannel);
  };
  Value shifted = c.apply<AddOp>({channels(4), c.operand(6, wide)});
  Value y = c.apply<SubOp>({c.operand(0, wide), channels(3)});
  y = c.apply<MulOp>({y, c.apply<RsqrtOp>({shifted})});
  if (c.has(1))
    y = c.apply<MulOp>({y, channels(1)});
  if (c.has(2))
    y = c.apply<AddOp>({y, channels(2)});
  Value nothing =
      c.constant(c.result(1), c.builder.getZeroAttr(c.resultElement(1)));
  return SmallVector<Value>{c.cast(y, c.resultElement()), nothing, nothing};
}
