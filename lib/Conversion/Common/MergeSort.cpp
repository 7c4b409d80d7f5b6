// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merge sort as TPC kernels. Positions of a merge are found independently of
// each other: O. Green, R. McColl, D. Bader, "GPU merge path", ICS 2012.
#include "MergeSort.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Merges each two runs of `run` elements along dimension 1 of tensors (outer,
/// size, inner). The last runs may be short or missing.
class Merge {
public:
  Merge(KernelBuilder &k, unsigned numOperands, int64_t size, int64_t run)
      : k(k), numOperands(numOperands), size(size), run(run) {}

  /// The elements of the point of the kernel, whose dimension 3 is a loop.
  SmallVector<Value> pick(ComesBefore comesBefore);

private:
  Value number(int64_t value) {
    return k.intConstant(value, k.getBuilder().getI64Type());
  }
  Value add(Value a, Value b) { return k.binary<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return k.binary<arith::SubIOp>(a, b); }
  Value least(Value a, Value b) { return k.binary<arith::MinSIOp>(a, b); }
  Value most(Value a, Value b) { return k.binary<arith::MaxSIOp>(a, b); }
  Value isLess(Value a, Value b) {
    return arith::CmpIOp::create(k.getBuilder(), k.getLoc(),
                                 arith::CmpIPredicate::slt, a, b);
  }
  /// One element of each operand. A position outside is not used, but read.
  SmallVector<Value> load(Value position) {
    SmallVector<Value> elements;
    const Boundary rules[] = {Boundary::Inside, Boundary::Clamp,
                              Boundary::Inside};
    for (unsigned i = 0; i < numOperands; ++i)
      elements.push_back(
          k.loadAt(i, {k.dim(0), k.cst(0), k.dim(2)}, {1}, position, rules));
    return elements;
  }

  KernelBuilder &k;
  unsigned numOperands;
  int64_t size, run;
};
} // namespace

SmallVector<Value> Merge::pick(ComesBefore comesBefore) {
  // The two runs begin at `first` and `second`.
  Value position = k.index(1);
  Value first = k.binary<arith::AndIOp>(position, number(-2 * run));
  Value second = add(first, number(run));
  Value place = sub(position, first);
  Value sizeOfFirst = least(number(run), sub(number(size), first));
  Value sizeOfSecond =
      most(number(0), least(number(run), sub(number(size), second)));
  // Among the elements before this place, `low` to `high` are of the first
  // run. The search halves the range until it is one number; further steps
  // change nothing.
  Value low = most(number(0), sub(place, sizeOfSecond));
  Value high = least(place, sizeOfFirst);
  auto step = [&](ValueRange range) {
    Value middle = k.binary<arith::ShRSIOp>(add(range[0], range[1]), number(1));
    Value other = sub(sub(place, middle), number(1));
    // Of equal elements, that of the first run comes first.
    Value isBehind =
        comesBefore(k, load(add(second, other)), load(add(first, middle)));
    Value isOpen = isLess(range[0], range[1]);
    Value isLower = k.binary<arith::AndIOp>(isOpen, isBehind);
    Value isHigher = k.binary<arith::AndIOp>(
        isOpen, k.binary<arith::XOrIOp>(
                    isBehind, k.intConstant(1, k.getBuilder().getI1Type())));
    return SmallVector<Value>{
        k.select(isHigher, add(middle, number(1)), range[0]),
        k.select(isLower, middle, range[1])};
  };
  const KernelReduce custom[] = {KernelReduce::Custom, KernelReduce::Custom};
  Value fromFirst = k.loop({3}, custom, {low, high}, step).front();
  Value fromSecond = sub(place, fromFirst);
  SmallVector<Value> a = load(add(first, fromFirst));
  SmallVector<Value> b = load(add(second, fromSecond));
  Value isLeft = isLess(fromFirst, sizeOfFirst);
  Value hasSecond = isLess(fromSecond, sizeOfSecond);
  // The second run's element: there is one, and the first run has none or a
  // later one.
  Value isSecond = k.binary<arith::AndIOp>(
      hasSecond, k.select(isLeft, comesBefore(k, b, a),
                          k.intConstant(1, k.getBuilder().getI1Type())));
  SmallVector<Value> picked;
  for (auto [x, y] : llvm::zip_equal(a, b))
    picked.push_back(k.select(isSecond, y, x));
  return picked;
}

static Value reshaped(OpBuilder &builder, Location loc, Value value,
                      ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, type.clone(shape), value);
}

SmallVector<Value> gaudi::mergeSort(OpBuilder &builder, Location loc,
                                    ValueRange operands, int64_t axis,
                                    ComesBefore comesBefore, StringRef label,
                                    unsigned &numKernels) {
  SmallVector<Value> values(operands);
  auto type = cast<RankedTensorType>(values.front().getType());
  ArrayRef<int64_t> shape = type.getShape();
  assert(axis >= 0 && axis < type.getRank() && "an axis of the operands");
  const int64_t size = shape[axis];
  if (size <= 1 || type.getNumElements() == 0)
    return values;
  const int64_t outer = llvm::product_of(shape.take_front(axis));
  const int64_t inner = llvm::product_of(shape.drop_front(axis + 1));
  for (Value &value : values)
    value = reshaped(builder, loc, value, {outer, size, inner});
  for (int64_t run = 1; run < size; run *= 2) {
    ++numKernels;
    // A range of up to run + 1 numbers is one after this many halvings.
    const int64_t steps = llvm::Log2_64_Ceil(run + 1);
    KernelBuilder k(builder, loc, ValueRange(values).getTypes(), values,
                    {outer, size, inner, steps}, {true, true, true, false},
                    label);
    Merge merge(k, values.size(), size, run);
    for (auto [i, value] : llvm::enumerate(merge.pick(comesBefore)))
      k.store(value, i, k.dims(3));
    values = SmallVector<Value>(k.finish()->getResults());
  }
  for (Value &value : values)
    value = reshaped(builder, loc, value, shape);
  return values;
}
