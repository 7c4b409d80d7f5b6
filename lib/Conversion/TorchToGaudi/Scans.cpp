// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of scans along a dimension, of histograms and random numbers.
#include "../Common/RandomBits.h"
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// One step of a scan: the accumulators after an element at a position.
using ScanStep = llvm::function_ref<SmallVector<Value>(
    KernelBuilder &k, ValueRange accumulators, Value element, Value position)>;
} // namespace

/// Scans `x` along `axis`: results, of the shape of x, are the accumulators
/// after each element. One kernel, in which the axis is sequential.
static SmallVector<Value> scan(TorchCall &c, Value x, int64_t axis,
                               ArrayRef<Type> elements,
                               ArrayRef<TypedAttr> inits, ScanStep step) {
  RankedTensorType type = tensorType(x);
  ArrayRef<int64_t> shape = type.getShape();
  const SmallVector<int64_t> flat = {
      llvm::product_of(shape.take_front(axis)), shape[axis],
      llvm::product_of(shape.drop_front(axis + 1))};
  SmallVector<Type> results;
  for (Type element : elements)
    results.push_back(RankedTensorType::get(flat, element));
  ++c.builder.numKernels;
  KernelBuilder k(c.builder, c.builder.getLoc(), results, c.reshape(x, flat),
                  flat, {true, false, true}, c.op.schema.name);
  SmallVector<Value> starts;
  for (TypedAttr init : inits)
    starts.push_back(k.constant(init));
  const SmallVector<KernelReduce> custom(inits.size(), KernelReduce::Custom);
  k.loop({1}, custom, starts, [&](ValueRange accumulators) {
    k.setElementType(type.getElementType());
    SmallVector<Value> next =
        step(k, accumulators, k.load(0, k.dims(3)), k.index(1));
    for (auto [i, value] : llvm::enumerate(next))
      k.store(value, i, k.dims(3));
    return next;
  });
  SmallVector<Value> values(k.finish()->getResults());
  for (Value &value : values)
    value = c.reshape(value, shape);
  return values;
}

/// True if there is nothing to scan: no dimension, or no elements.
static bool isTrivial(TorchCall &c) {
  return c.type(0).rank() == 0 || c.result().getNumElements() == 0;
}

Lowered lowerings::cumulativeProduct(TorchCall &c) {
  Type type = c.resultElement();
  if (type.isInteger(1))
    return c.refuse("products of bool are not defined");
  Value x = c.cast(c.tensor(0), type);
  if (isTrivial(c))
    return one(x);
  TypedAttr start = isFloatElement(type)
                        ? TypedAttr(c.builder.getF32FloatAttr(1))
                        : TypedAttr(c.builder.getIntegerAttr(type, 1));
  return scan(c, x, c.dim(1, c.type(0).rank()), type, start,
              [](KernelBuilder &k, ValueRange last, Value element, Value) {
                return SmallVector<Value>{k.mul(last[0], element)};
              });
}

Lowered lowerings::cumulativeExtremeBy(TorchCall &c, bool isMax) {
  Value x = c.tensor(0);
  Type element = c.resultElement(), i64 = c.builder.getI64Type();
  if (isTrivial(c))
    return SmallVector<Value>{
        x, c.expand(c.scalar(0, i64), c.result().getShape())};
  // Comparisons of bool have no order.
  Type type = element.isInteger(1) ? c.builder.getIntegerType(8) : element;
  x = c.cast(x, type);
  TypedAttr start = isFloatElement(type)
                        ? TypedAttr(c.builder.getF32FloatAttr(0))
                        : TypedAttr(c.builder.getIntegerAttr(type, 0));
  const TypedAttr inits[] = {start, c.builder.getI64IntegerAttr(0)};
  auto step = [&](KernelBuilder &k, ValueRange last, Value element,
                  Value position) {
    // The last one of equals, and of NaNs, which win. The first element has
    // none before it.
    Value wins = k.compare(isMax ? ComparePredicate::GE : ComparePredicate::LE,
                           element, last[0]);
    if (isFloatElement(type))
      wins = k.binary<arith::OrIOp>(
          wins, k.compare(ComparePredicate::NE, element, element));
    Value isFirst = arith::CmpIOp::create(k.getBuilder(), k.getLoc(),
                                          arith::CmpIPredicate::eq, position,
                                          k.intConstant(0, i64));
    wins = k.binary<arith::OrIOp>(wins, isFirst);
    return SmallVector<Value>{k.select(wins, element, last[0]),
                              k.select(wins, position, last[1])};
  };
  SmallVector<Value> found =
      scan(c, x, c.dim(1, c.type(0).rank()), {type, i64}, inits, step);
  found[0] = c.cast(found[0], element);
  return found;
}

/// The logarithm of a sum whose terms are divided by the largest one, so that
/// nothing overflows. The logarithm itself is no accumulator: each step would
/// round it at its own size, far from what e^x - result shows of it.
Lowered lowerings::cumulativeLogSum(TorchCall &c) {
  if (isTrivial(c))
    return one(c.tensor(0));
  const double infinity = std::numeric_limits<double>::infinity();
  Type f32 = c.builder.getF32Type();
  const TypedAttr inits[] = {FloatAttr::get(f32, -infinity),
                             c.builder.getF32FloatAttr(0)};
  auto step = [](KernelBuilder &k, ValueRange last, Value element, Value) {
    Value largest = k.max(last[0], element);
    // Of equal ones 1: two infinities of one sign have no distance.
    auto shareOf = [&](Value each) {
      return k.select(k.compare(ComparePredicate::EQ, each, largest),
                      k.floatConstant(1),
                      k.unary<math::ExpOp>(k.sub(each, largest)));
    };
    Value sum = k.add(k.mul(last[1], shareOf(last[0])), shareOf(element));
    return SmallVector<Value>{largest, sum};
  };
  const int64_t axis = c.dim(1, c.type(0).rank());
  SmallVector<Value> found =
      scan(c, c.cast(c.tensor(0), f32), axis, {f32, f32}, inits, step);
  Value result = c.apply<AddOp>({found[0], c.apply<LogOp>(found[1])});
  return one(c.cast(result, c.resultElement()));
}

/// The positions of the first nonzero elements in row-major order, one row
/// each; rows beyond their number are filled. The place of row r is the number
/// of elements before which there are at most r nonzero ones: a binary search.
Lowered lowerings::firstNonzeros(TorchCall &c) {
  const ArrayRef<int64_t> shape = tensorType(c.tensor(0)).getShape();
  const int64_t size = c.integer(1), rank = shape.size(),
                count = llvm::product_of(shape);
  Type i64 = c.builder.getI64Type();
  RankedTensorType result = c.result();
  Value fill = c.operand(2, i64);
  if (count == 0 || result.getNumElements() == 0)
    return one(c.expand(fill, result.getShape()));
  RankedTensorType flat = RankedTensorType::get({count}, i64);
  Value isNonzero = c.cast(c.tensor(0), c.builder.getI1Type());
  Value counts = CumulativeSumOp::create(
      c.builder, flat, c.cast(c.reshape(isNonzero, {count}), i64), 0,
      /*exclusive=*/false, /*reverse=*/false);
  auto point = [&](KernelBuilder &k) {
    auto number = [&](int64_t value) { return k.intConstant(value, i64); };
    k.setElementType(i64);
    const KernelReduce custom[] = {KernelReduce::Custom, KernelReduce::Custom};
    const Value range[] = {number(0), number(count)};
    Value place = k.loop({1}, custom, range, [&](ValueRange range) {
      Value middle =
          k.binary<arith::ShRSIOp>(k.add(range[0], range[1]), number(1));
      Value before = k.loadAt(0, {k.cst(0)}, {0}, middle, {Boundary::Clamp});
      Value isOpen = k.compare(ComparePredicate::LT, range[0], range[1]);
      Value isBehind = k.compare(ComparePredicate::LE, before, k.index(0));
      return SmallVector<Value>{
          k.select(k.binary<arith::AndIOp>(isOpen, isBehind),
                   k.add(middle, number(1)), range[0]),
          k.select(k.binary<arith::AndIOp>(isOpen, k.bitNot(isBehind)), middle,
                   range[1])};
    })[0];
    return SmallVector<Value>{place};
  };
  RankedTensorType placeType = RankedTensorType::get({size}, i64);
  Value place = pointKernel(c.builder, c.op.schema.name, TypeRange(placeType),
                            counts, {llvm::Log2_64_Ceil(count + 1) + 1}, point)
                    .front();
  place = c.reshape(place, {size, 1});
  Value isMissing =
      c.compare(ComparePredicate::GE, place, c.scalar(double(count), i64));
  SmallVector<Value> columns;
  int64_t inner = count;
  for (int64_t dim = 0; dim < rank; ++dim) {
    inner /= shape[dim];
    Value index = c.apply<DivOp>({place, c.scalar(double(inner), i64)});
    index = c.apply<RemOp>({index, c.scalar(double(shape[dim]), i64)});
    columns.push_back(c.select(isMissing, fill, index));
  }
  return one(columns.size() == 1
                 ? columns.front()
                 : ConcatOp::create(c.builder, result, columns, 1).getResult());
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// The state of Philox-4x32-10 whose key is a seed, and whose counter of the
/// first four numbers an offset.
static Value philoxState(TorchCall &c, Value seed, Value offset) {
  Type i64 = c.builder.getI64Type();
  const Value parts[] = {c.reshape(c.cast(seed, i64), {1}),
                         c.reshape(c.cast(offset, i64), {1})};
  return ConcatOp::create(c.builder, RankedTensorType::get({2}, i64), parts, 0);
}

Lowered lowerings::philoxBits(TorchCall &c) {
  Value state = philoxState(c, c.tensor(0), c.tensor(1));
  return one(randomBits(c.builder, c.op.schema.name, Generator::Philox,
                        c.result(), state, c.integer(2))
                 .first);
}

/// Uniform numbers in [0, 1). The second result is how far the next op's offset
/// is.
Lowered lowerings::randomFloats(TorchCall &c) {
  Type type = c.resultElement(), i64 = c.builder.getI64Type();
  Type f32 = c.builder.getF32Type();
  Value state = philoxState(c, c.tensor(1), c.tensor(2));
  RankedTensorType words =
      RankedTensorType::get(c.result().getShape(), c.builder.getI32Type());
  auto [bits, blocks] =
      randomBits(c.builder, c.op.schema.name, Generator::Philox, words, state);
  Value numbers = c.result().getNumElements() == 0
                      ? c.expand(c.scalar(0, f32), c.result().getShape())
                      : uniformFloats(c.builder, bits);
  // Narrow floats are cut, not rounded: 1 is no result.
  if (type != f32) {
    const double scale = type.isF16() ? 2048 : 256;
    numbers = c.apply<DivOp>(
        {c.apply<FloorOp>({c.apply<MulOp>({numbers, c.scalar(scale, f32)})}),
         c.scalar(scale, f32)});
  }
  return SmallVector<Value>{c.cast(numbers, type),
                            c.scalar(double(blocks), i64)};
}

//===----------------------------------------------------------------------===//
// Histograms
//===----------------------------------------------------------------------===//

/// Comparisons of one histogram at most.
static constexpr int64_t maxHistogramSteps = int64_t(1) << 28;

/// The counts of bins of one width. Each bin looks at all elements. Without a
/// range it is that of the elements.
Lowered lowerings::histogram(TorchCall &c) {
  Type type = c.resultElement(), f32 = c.builder.getF32Type();
  const int64_t bins = c.integer(1),
                count = tensorType(c.tensor(0)).getNumElements();
  if (count > maxHistogramSteps / bins)
    return c.refuse("a histogram of " + Twine(count) + " elements in " +
                    Twine(bins) + " bins takes too many comparisons");
  if (count == 0)
    return one(c.expand(c.scalar(0, type), c.result().getShape()));
  Value x = c.reshape(c.cast(c.tensor(0), f32), {count});
  Value low = c.reshape(c.operand(2, f32), {1}),
        high = c.reshape(c.operand(3, f32), {1});
  if (c.number(2) == c.number(3)) {
    low = c.reduce(ReduceKind::Min, x, {0}, true);
    high = c.reduce(ReduceKind::Max, x, {0}, true);
    // Equal elements lie in the middle of a range of size 2.
    Value isPoint = c.compare(ComparePredicate::EQ, low, high);
    Value margin = c.cast(isPoint, f32);
    low = c.apply<SubOp>({low, margin});
    high = c.apply<AddOp>({high, margin});
  }
  RankedTensorType counts = RankedTensorType::get({bins}, f32);
  auto point = [&](KernelBuilder &k) {
    auto load = [&](unsigned i) { return k.load(i, k.cst(0)); };
    k.setElementType(f32);
    Value low = load(1), high = load(2), zero = k.floatConstant(0);
    Value bin =
        arith::SIToFPOp::create(k.getBuilder(), k.getLoc(), f32, k.index(0));
    const KernelReduce kind[] = {KernelReduce::Add};
    return k.loop({1}, kind, zero, [&](ValueRange) {
      Value element = k.load(0, k.dim(1));
      Value place = k.unary<math::TruncOp>(
          k.div(k.mul(k.sub(element, low), k.floatConstant(double(bins))),
                k.sub(high, low)));
      // The last bin has its upper end.
      Value last = k.floatConstant(double(bins - 1));
      place =
          k.select(k.compare(ComparePredicate::LT, last, place), last, place);
      Value isIn = k.binary<arith::AndIOp>(
          k.compare(ComparePredicate::LE, low, element),
          k.compare(ComparePredicate::LE, element, high));
      isIn = k.binary<arith::AndIOp>(
          isIn, k.compare(ComparePredicate::EQ, place, bin));
      return SmallVector<Value>{
          k.select(isIn, k.floatConstant(1), k.floatConstant(0))};
    });
  };
  Value result = pointKernel(c.builder, c.op.schema.name, TypeRange(counts),
                             {x, low, high}, {count}, point)
                     .front();
  return one(c.cast(result, type));
}
