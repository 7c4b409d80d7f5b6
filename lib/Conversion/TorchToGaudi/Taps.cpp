// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse linear maps as kernels that read a table of taps.
#include "Taps.h"
#include "../Common/PointKernel.h"

using namespace mlir;
using namespace gaudi;

/// Entries of a table.
static constexpr int64_t maxEntries = 1 << 22;

LogicalResult gaudi::checkTaps(TorchCall &c, int64_t size, int64_t outputs,
                               int64_t most) {
  if (size <= maxEntries && outputs <= maxEntries / std::max<int64_t>(most, 1))
    return success();
  return c.refuse("a dimension of " + Twine(size) + " elements has " +
                  Twine(outputs) + " outputs of up to " + Twine(most) +
                  " elements each");
}

Taps gaudi::transposed(const Taps &taps, int64_t size) {
  Taps result(size);
  for (auto [output, own] : llvm::enumerate(taps))
    for (const Tap &tap : own)
      result[tap.position].push_back({int64_t(output), tap.weight});
  return result;
}

/// True if the map gives each element back.
static bool isIdentity(const Taps &taps, int64_t size) {
  return int64_t(taps.size()) == size &&
         llvm::all_of(llvm::enumerate(taps), [](auto pair) {
           return pair.value().size() == 1 &&
                  pair.value()[0].position == int64_t(pair.index()) &&
                  pair.value()[0].weight == 1;
         });
}

Value gaudi::applyTaps(TorchCall &c, Value value, int64_t dim,
                       const Taps &taps) {
  RankedTensorType type = tensorType(value);
  ArrayRef<int64_t> shape = type.getShape();
  if (isIdentity(taps, shape[dim]))
    return value;
  SmallVector<int64_t> sizes(shape);
  const int64_t count = taps.size();
  sizes[dim] = count;
  int64_t most = 1;
  for (const auto &own : taps)
    most = std::max<int64_t>(most, own.size());
  if (type.getNumElements() == 0 || count == 0)
    return c.expand(c.scalar(0, type.getElementType()), sizes);
  if (failed(checkTaps(c, shape[dim], count, most)))
    return {};
  // Outputs with fewer taps have positions of -1.
  Type i32 = c.builder.getI32Type(), i64 = c.builder.getI64Type();
  std::vector<int32_t> positions(count * most, -1);
  std::vector<float> weights(count * most, 0);
  for (auto [output, own] : llvm::enumerate(taps))
    for (auto [i, tap] : llvm::enumerate(own)) {
      positions[output * most + i] = int32_t(tap.position);
      weights[output * most + i] = float(tap.weight);
    }
  auto table = RankedTensorType::get({count, most}, i32);
  const int64_t outer = llvm::product_of(shape.take_front(dim));
  const int64_t inner = llvm::product_of(shape.drop_front(dim + 1));
  Value inputs[] = {
      c.reshape(value, {outer, shape[dim], inner}),
      ConstantOp::create(c.builder,
                         DenseElementsAttr::get(table, ArrayRef(positions))),
      ConstantOp::create(
          c.builder, DenseElementsAttr::get(table.clone(c.builder.getF32Type()),
                                            ArrayRef(weights)))};
  const Boundary rules[] = {Boundary::Inside, Boundary::Clamp,
                            Boundary::Inside};
  auto point = [&](KernelBuilder &k) {
    auto step = [&](ValueRange) {
      k.setElementType(i32);
      Value position = k.cast(k.load(1, {k.dim(1), k.dim(3)}), i64,
                              RoundingMode::TowardZero);
      k.setElementType(i64);
      Value isTap =
          k.compare(ComparePredicate::GE, position, k.intConstant(0, i64));
      Value element =
          k.loadAt(0, {k.dim(0), k.cst(0), k.dim(2)}, {1}, position, rules);
      k.setElementType(type.getElementType());
      Value term = k.mul(element, k.load(2, {k.dim(1), k.dim(3)}));
      return SmallVector<Value>{k.select(isTap, term, k.floatConstant(0))};
    };
    return k.loop({3}, KernelReduce::Add, k.floatConstant(0), step);
  };
  auto result = type.clone(ArrayRef<int64_t>{outer, count, inner});
  return c.reshape(pointKernel(c.builder, c.op.schema.name, TypeRange(result),
                               inputs, {most}, point)
                       .front(),
                   sizes);
}
