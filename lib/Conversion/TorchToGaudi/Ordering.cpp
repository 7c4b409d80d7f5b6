// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of sorts and of searches in sorted tensors.
#include "../Common/PointKernel.h"
#include "Lowerings.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

/// bool, which the device does not order, as 0 and 1.
static Value ordered(TorchCall &c, Value value) {
  if (!getElementTypeOrSelf(value).isInteger(1))
    return value;
  return c.cast(value, c.builder.getI8Type());
}

/// The values and positions that `Op` gives, as the call has them. `dim` is an
/// argument, `flag` the attribute of the op.
template <typename Op>
static Lowered order(TorchCall &c, unsigned dim, bool flag) {
  if (c.result().getNumElements() == 0)
    return lowerings::zerosOfAll(c);
  const int64_t rank = std::max<int64_t>(c.type(0).rank(), 1);
  Value value = ordered(c, c.withRank(c.tensor(0), rank));
  SmallVector<int64_t> shape(c.result().getShape());
  shape.resize(rank, 1);
  RankedTensorType type = tensorType(value).clone(shape);
  auto sorted = Op::create(c.builder, type, type.clone(c.resultElement(1)),
                           value, c.dim(dim, rank), flag);
  SmallVector<Value> results;
  for (auto [i, part] : llvm::enumerate(sorted->getResults()))
    results.push_back(
        c.reshape(c.cast(part, c.resultElement(i)), c.result(i).getShape()));
  return results;
}

Lowered lowerings::sort(TorchCall &c) { return order<SortOp>(c, 1, c.flag(2)); }

Lowered lowerings::stableSort(TorchCall &c) {
  return order<SortOp>(c, 2, c.flag(3));
}

// Sorted, as `sorted=False` allows, too.
Lowered lowerings::topK(TorchCall &c) {
  return order<TopKOp>(c, 2, !c.flag(3));
}

namespace {
/// A search for values in sorted rows: how many elements of its row come
/// before each value.
struct Search {
  Value sequence, values;
  Value sorter;  ///< positions that order the sequence, or null
  bool isRight;  ///< equal elements come before a value
  Type compared; ///< the type in which both are compared
};
} // namespace

/// Halves the range [low, high) that is left of a row, as PyTorch does, so that
/// rows that are not sorted give its results, too.
static Value searchKernel(TorchCall &c, const Search &search, int64_t rows,
                          int64_t size, int64_t count) {
  Type i64 = c.builder.getI64Type();
  SmallVector<Value> inputs = {c.reshape(search.sequence, {rows, size}),
                               c.reshape(search.values, {rows, count})};
  if (search.sorter)
    inputs.push_back(c.reshape(search.sorter, {rows, size}));
  const int64_t steps = llvm::Log2_64_Ceil(size + 1);
  auto result = RankedTensorType::get({rows, count}, i64);
  const Boundary rules[] = {Boundary::Inside, Boundary::Clamp};
  auto point = [&](KernelBuilder &k) {
    Value value = k.load(1, k.dims(2));
    auto step = [&](ValueRange range) {
      k.setElementType(i64);
      Value one = k.intConstant(1, i64);
      Value isOpen = k.compare(ComparePredicate::LT, range[0], range[1]);
      Value middle = k.binary<arith::ShRSIOp>(k.add(range[0], range[1]), one);
      Value place = middle;
      if (search.sorter)
        place = k.loadAt(2, {k.dim(0), k.cst(0)}, {1}, middle, rules);
      Value element = k.loadAt(0, {k.dim(0), k.cst(0)}, {1}, place, rules);
      k.setElementType(search.compared);
      Value isBehind = k.compare(search.isRight ? ComparePredicate::GT
                                                : ComparePredicate::GE,
                                 element, value);
      k.setElementType(i64);
      Value isHigher = k.binary<arith::AndIOp>(
          isOpen, k.binary<arith::XOrIOp>(
                      isBehind, k.intConstant(1, isBehind.getType())));
      Value isLower = k.binary<arith::AndIOp>(isOpen, isBehind);
      return SmallVector<Value>{
          k.select(isHigher, k.add(middle, one), range[0]),
          k.select(isLower, middle, range[1])};
    };
    const KernelReduce custom[] = {KernelReduce::Custom, KernelReduce::Custom};
    Value range[] = {k.intConstant(0, i64), k.intConstant(size, i64)};
    return SmallVector<Value>{k.loop({2}, custom, range, step).front()};
  };
  return pointKernel(c.builder, c.op.schema.name, TypeRange(result), inputs,
                     {steps}, point)
      .front();
}

/// `sequence` and `values` are arguments.
static Lowered search(TorchCall &c, unsigned sequence, unsigned values,
                      bool isRight, Value sorter) {
  RankedTensorType type = tensorType(c.tensor(sequence));
  if (c.result().getNumElements() == 0 || type.getNumElements() == 0)
    return lowerings::zeros(c);
  auto promoted = torch::promotedType(
      {c.getArguments()[sequence], c.getArguments()[values]});
  Type compared =
      promoted ? deviceElement(*promoted, c.builder.getContext()) : Type();
  if (!compared)
    return c.refuse("its operands have no common element type of the device");
  Value rows = ordered(c, c.cast(c.tensor(sequence), compared));
  Value wanted = ordered(c, c.operand(values, compared));
  const int64_t size = type.getShape().back();
  const int64_t numRows = type.getNumElements() / size;
  return lowerings::one(c.reshape(
      c.cast(searchKernel(
                 c, {rows, wanted, sorter, isRight, getElementTypeOrSelf(rows)},
                 numRows, size, c.result().getNumElements() / numRows),
             c.resultElement()),
      c.result().getShape()));
}

Lowered lowerings::searchSorted(TorchCall &c) {
  const bool isRight = c.flag(3) || (c.has(4) && c.string(4) == "right");
  return search(c, 0, 1, isRight, c.has(5) ? c.tensor(5) : Value());
}

Lowered lowerings::bucketize(TorchCall &c) {
  return search(c, 1, 0, c.flag(3), {});
}
