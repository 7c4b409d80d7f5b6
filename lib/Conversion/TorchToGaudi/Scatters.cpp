// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of ops that write into a copy of a tensor: by index, and into
// windows, diagonals and views by strides, with the views themselves.
#include "../Common/PointKernel.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "Lowerings.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gaudi;

static int64_t countOf(ArrayRef<int64_t> sizes) {
  return llvm::product_of(sizes);
}

//===----------------------------------------------------------------------===//
// scatter and scatter_reduce
//===----------------------------------------------------------------------===//

namespace {
/// How an update changes the element it goes to.
enum class Update { Replace, Add, Multiply, Max, Min, Mean };

/// One scatter along a dimension: tensors of one rank, of which the index and
/// the source have one shape, no larger than the data's in other dimensions.
struct Scatter {
  Value data, index, source;
  int64_t dim;
};
} // namespace

/// Replaces or adds, one update after the other.
static Value scatterElements(TorchCall &c, const Scatter &s, bool accumulate) {
  return ScatterElementsOp::create(c.builder, s.data.getType(), s.data, s.index,
                                   s.source, s.dim, accumulate);
}

/// What `update` combines an element with without changing it.
static TypedAttr identityOf(Update update, Type element, Builder &b) {
  if (update == Update::Multiply)
    return b.getOneAttr(element);
  if (update != Update::Max && update != Update::Min)
    return b.getZeroAttr(element);
  const bool isMax = update == Update::Max;
  assert(!element.isInteger(1) && "bool is moved as numbers");
  if (auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(
        type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/isMax));
  const unsigned width = element.getIntOrFloatBitWidth();
  const bool isUnsigned = isUnsignedElement(element);
  APInt number = isMax ? (isUnsigned ? APInt::getMinValue(width)
                                     : APInt::getSignedMinValue(width))
                       : (isUnsigned ? APInt::getMaxValue(width)
                                     : APInt::getSignedMaxValue(width));
  return IntegerAttr::get(element, number);
}

/// Any combination: each element visits the updates of its line along the
/// dimension and takes those that go there, in their order.
static Value visitUpdates(TorchCall &c, const Scatter &s, Update update) {
  RankedTensorType type = tensorType(s.data), index = tensorType(s.index);
  Type element = type.getElementType();
  ArrayRef<int64_t> shape = type.getShape();
  const int64_t outer = countOf(index.getShape().take_front(s.dim));
  const int64_t inner = countOf(index.getShape().drop_front(s.dim + 1));
  const int64_t size = shape[s.dim], count = index.getDimSize(s.dim);
  // Elements beyond the index in other dimensions get nothing.
  SmallVector<int64_t> within(index.getShape());
  within[s.dim] = size;
  SmallVector<int64_t> zero(within.size(), 0), ones(within.size(), 1);
  Value part = s.data;
  if (ArrayRef(within) != shape)
    part = SliceOp::create(c.builder, type.clone(within), part, zero, ones);
  auto flat = type.clone(ArrayRef<int64_t>{outer, size, inner});
  const SmallVector<int64_t> lines = {outer, count, inner};
  Value inputs[] = {c.reshape(part, flat.getShape()), c.reshape(s.index, lines),
                    c.reshape(s.source, lines)};
  Type i64 = c.builder.getI64Type();
  auto point = [&](KernelBuilder &k) {
    auto step = [&](ValueRange state) {
      SmallVector<AffineExpr> at = {k.dim(0), k.dim(3), k.dim(2)};
      k.setElementType(index.getElementType());
      Value target = k.cast(k.load(1, at), i64, RoundingMode::TowardZero);
      k.setElementType(i64);
      Value hits = k.compare(ComparePredicate::EQ, target, k.index(1));
      k.setElementType(element);
      Value value = k.load(2, at);
      Value combined = update == Update::Multiply ? k.mul(state[0], value)
                       : update == Update::Max    ? k.max(state[0], value)
                                                  : k.min(state[0], value);
      return SmallVector<Value>{k.select(hits, combined, state[0])};
    };
    return k.loop({3}, KernelReduce::Custom, k.load(0, k.dims(3)), step);
  };
  Value result = pointKernel(c.builder, c.op.schema.name, TypeRange(flat),
                             inputs, {count}, point)
                     .front();
  result = c.reshape(result, within);
  if (ArrayRef(within) == shape)
    return result;
  return InsertSliceOp::create(c.builder, type, result, s.data, zero, ones);
}

/// The same index, of which the device checks the bounds, which a visit of
/// updates cannot.
static Value checkedIndex(TorchCall &c, Value index, int64_t size) {
  return GatherOp::create(
      c.builder, tensorType(index).clone(c.builder.getI64Type()),
      c.positions({size}, 0, c.builder.getI64Type()), index, /*axis=*/0,
      /*batch_dims=*/0);
}

/// The mean of an element, unless it is left out, and of what goes there.
static Value scatterMean(TorchCall &c, const Scatter &s, bool includeSelf) {
  Type element = getElementTypeOrSelf(s.data);
  auto ones = [&](Value like) {
    return c.expand(c.scalar(1, element), tensorType(like).getShape());
  };
  Value start = c.expand(c.scalar(includeSelf ? 1 : 0, element),
                         tensorType(s.data).getShape());
  Value count =
      scatterElements(c, {start, s.index, ones(s.source), s.dim}, true);
  count = c.apply<MaxOp>({count, c.scalar(1, element)});
  Value sum = scatterElements(c, s, true);
  if (isFloatElement(element))
    return c.apply<DivOp>({sum, count});
  // Rounded down: toward zero, and one less if that is above.
  Value quotient = c.apply<DivOp>({sum, count});
  Value rest = c.apply<SubOp>({sum, c.apply<MulOp>({quotient, count})});
  Value isAbove = c.compare(ComparePredicate::LT, rest, c.scalar(0, element));
  return c.select(isAbove, c.apply<SubOp>({quotient, c.scalar(1, element)}),
                  quotient);
}

static Lowered scatter(TorchCall &c, Scatter s, Update update,
                       bool includeSelf = true) {
  // Products and the like of bool are those of 0 and 1.
  if (c.resultElement().isInteger(1)) {
    s.data = c.cast(s.data, c.builder.getI32Type());
    s.source = c.cast(s.source, c.builder.getI32Type());
  }
  RankedTensorType type = tensorType(s.data), index = tensorType(s.index);
  if (index.getNumElements() == 0 || type.getNumElements() == 0)
    return lowerings::one(c.tensor(0));
  // One element of each line for each update: a product of sizes.
  const bool isVisit = update == Update::Multiply || update == Update::Max ||
                       update == Update::Min;
  constexpr int64_t most = int64_t(1) << 34;
  if (isVisit && index.getNumElements() > most / type.getDimSize(s.dim))
    return c.refuse("each of " + Twine(type.getDimSize(s.dim)) +
                    " elements of a line visits " +
                    Twine(index.getDimSize(s.dim)) +
                    " updates; this is only supported for less");
  if (!includeSelf) {
    Value nothing =
        c.constant(index.clone(type.getElementType()),
                   identityOf(update, type.getElementType(), c.builder));
    s.data = scatterElements(c, {s.data, s.index, nothing, s.dim}, false);
  } else if (isVisit) {
    s.index = checkedIndex(c, s.index, type.getDimSize(s.dim));
  }
  Value result = update == Update::Mean ? scatterMean(c, s, includeSelf)
                 : isVisit ? visitUpdates(c, s, update)
                           : scatterElements(c, s, update == Update::Add);
  return lowerings::one(
      c.reshape(c.cast(result, c.resultElement()), c.result().getShape()));
}

/// The operands of scatter: self, dim, index, and a source or a number.
static Scatter scatterOf(TorchCall &c) {
  const int64_t rank = std::max<int64_t>(c.type(0).rank(), 1);
  Scatter s{c.withRank(c.tensor(0), rank),
            c.withRank(c.tensor(2), rank),
            {},
            c.dim(1, rank)};
  ArrayRef<int64_t> shape = tensorType(s.index).getShape();
  if (!c.isTensor(3)) {
    s.source = c.expand(c.operand(3, c.resultElement()), shape);
    return s;
  }
  // A larger source is read from its beginning.
  s.source = c.withRank(c.tensor(3), rank);
  for (auto [dim, size] : llvm::enumerate(shape))
    s.source = c.slice(s.source, dim, 0, size);
  return s;
}

/// An index of nothing, of whatever rank.
static bool hasNoIndex(TorchCall &c) {
  return tensorType(c.tensor(2)).getNumElements() == 0;
}

static std::optional<Update> updateOf(StringRef name) {
  return llvm::StringSwitch<std::optional<Update>>(name)
      .Cases({"add", "sum"}, Update::Add)
      .Cases({"multiply", "prod"}, Update::Multiply)
      .Case("amax", Update::Max)
      .Case("amin", Update::Min)
      .Case("mean", Update::Mean)
      .Default(std::nullopt);
}

Lowered lowerings::scatter(TorchCall &c) {
  if (hasNoIndex(c))
    return one(c.tensor(0));
  return ::scatter(c, scatterOf(c), Update::Replace);
}

/// PyTorch combines narrow floats in f32 and rounds the result once.
static Lowered scatterWide(TorchCall &c, Update update, bool includeSelf) {
  Scatter s = scatterOf(c);
  Type wide = c.wideType(c.resultElement());
  s.data = c.cast(s.data, wide);
  s.source = c.cast(s.source, wide);
  return ::scatter(c, s, update, includeSelf);
}

Lowered lowerings::scatterAdd(TorchCall &c) {
  if (hasNoIndex(c))
    return one(c.tensor(0));
  return scatterWide(c, Update::Add, true);
}

Lowered lowerings::scatterReduce(TorchCall &c) {
  auto update = updateOf(c.string(4));
  if (!update)
    return c.refuse("there is no reduction '" + c.string(4) + "'");
  if (hasNoIndex(c))
    return one(c.tensor(0));
  return scatterWide(c, *update, c.size() <= 5 || c.flag(5));
}

//===----------------------------------------------------------------------===//
// index_put
//===----------------------------------------------------------------------===//

/// Of bool, a sum is true if either is.
static Value sumOf(TorchCall &c, Value a, Value b) {
  return getElementTypeOrSelf(a).isInteger(1) ? c.apply<OrOp>({a, b})
                                              : c.apply<AddOp>({a, b});
}

/// Writes at the positions at which `mask`, of some dimensions from `dim` on,
/// is true. The values have as many rows as there are such positions, or one.
static Value putMasked(TorchCall &c, Value mask, int64_t dim, Value values,
                       bool accumulate) {
  RankedTensorType type = c.result();
  ArrayRef<int64_t> sizes = tensorType(mask).getShape();
  const int64_t rank = type.getRank() - sizes.size() + 1;
  mask = c.cast(mask, c.builder.getI1Type());
  values = c.withRank(values, rank);
  const int64_t count = tensorType(values).getDimSize(dim);
  SmallVector<int64_t> spread(tensorType(values).getShape());
  spread.erase(spread.begin() + dim);
  if (count == 1) {
    spread.insert(spread.begin() + dim, sizes.size(), 1);
  } else {
    // The number of true positions before each is the number of its row.
    Type i64 = c.builder.getI64Type();
    const int64_t size = countOf(sizes);
    auto flat = RankedTensorType::get({size}, i64);
    Value row = CumulativeSumOp::create(
        c.builder, flat, c.cast(c.reshape(mask, {size}), i64), /*axis=*/0,
        /*exclusive=*/true, /*reverse=*/false);
    row = c.apply<MinOp>({row, c.scalar(double(count - 1), i64)});
    SmallVector<int64_t> picked(tensorType(values).getShape());
    picked[dim] = size;
    values = GatherOp::create(c.builder, type.clone(picked), values, row, dim,
                              /*batch_dims=*/0);
    spread.insert(spread.begin() + dim, sizes.begin(), sizes.end());
  }
  values = c.expand(c.reshape(values, spread), type.getShape());
  SmallVector<int64_t> around(type.getRank(), 1);
  llvm::copy(sizes, around.begin() + dim);
  if (accumulate)
    values = sumOf(c, c.tensor(0), values);
  return c.select(c.reshape(mask, around), values, c.tensor(0));
}

/// Rows written, or added, one after the other; bool as 0 and 1.
static Value scatterRows(TorchCall &c, Value data, Value index, Value rows,
                         bool accumulate) {
  RankedTensorType type = tensorType(data);
  if (!accumulate || !type.getElementType().isInteger(1))
    return ScatterRowsOp::create(c.builder, type, data, index, rows, accumulate,
                                 /*drop_outside=*/false);
  Type wide = c.builder.getI32Type();
  return c.cast(
      scatterRows(c, c.cast(data, wide), index, c.cast(rows, wide), accumulate),
      type.getElementType());
}

Lowered lowerings::indexPut(TorchCall &c) {
  SmallVector<Value> indices;
  SmallVector<int64_t> indexed, sizes;
  RankedTensorType type = c.result();
  const bool accumulate = c.flag(3);
  Value data = c.tensor(0), values = c.tensor(2);
  if (type.getNumElements() == 0 || tensorType(values).getNumElements() == 0)
    return one(data);
  for (auto [dim, index] : llvm::enumerate(c.tensors(1)))
    if (index) {
      Type element = getElementTypeOrSelf(index);
      if (element.getIntOrFloatBitWidth() <= 8)
        return one(putMasked(c, index, dim, values, accumulate));
      indices.push_back(index);
      indexed.push_back(dim);
      sizes.push_back(type.getDimSize(dim));
    }
  if (indices.empty()) { // all of it
    values = c.expand(values, type.getShape());
    return one(accumulate ? sumOf(c, data, values) : values);
  }
  Value linear = linearIndex(c, indices, sizes);
  ArrayRef<int64_t> picked = tensorType(linear).getShape();
  const int64_t count = countOf(picked);
  if (count == 0)
    return one(data);
  // The indexed dimensions of the data first, the others are a row.
  SmallVector<int64_t> order(indexed), row;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(indexed, dim)) {
      order.push_back(dim);
      row.push_back(type.getDimSize(dim));
    }
  // In the values, what is picked stands where the only block of indexed
  // dimensions was, else in front.
  int64_t before = indexed.front();
  if (indexed.back() - before + 1 != int64_t(indexed.size()))
    before = 0;
  SmallVector<int64_t> full(ArrayRef(row).take_front(before));
  llvm::append_range(full, picked);
  llvm::append_range(full, ArrayRef(row).drop_front(before));
  SmallVector<int64_t> front;
  for (size_t i = 0; i < picked.size(); ++i)
    front.push_back(before + i);
  for (int64_t i = 0; i < int64_t(full.size()); ++i)
    if (i < before || i >= before + int64_t(picked.size()))
      front.push_back(i);
  values = c.builder.transpose(c.expand(values, full), front);
  data = c.builder.transpose(data, order);
  ArrayRef<int64_t> moved = tensorType(data).getShape();
  const SmallVector<int64_t> restored(moved);
  const int64_t width = countOf(row);
  if (width == 0)
    return one(c.tensor(0));
  Value result = scatterRows(c, c.reshape(data, {1, countOf(sizes), width}),
                             c.reshape(linear, {1, count}),
                             c.reshape(values, {1, count, width}), accumulate);
  return one(c.builder.transpose(c.reshape(result, restored),
                                 invertPermutationVector(order)));
}

//===----------------------------------------------------------------------===//
// Windows, diagonals, strides
//===----------------------------------------------------------------------===//

/// `source` written into `dest` from `offset` on, `step` apart, along `dim`.
static Value insert(TorchCall &c, Value source, Value dest, int64_t dim,
                    int64_t offset, int64_t step) {
  RankedTensorType type = tensorType(dest);
  if (tensorType(source).getNumElements() == 0)
    return dest;
  SmallVector<int64_t> offsets(type.getRank(), 0), steps(type.getRank(), 1);
  offsets[dim] = offset;
  steps[dim] = step;
  return InsertSliceOp::create(c.builder, type, source, dest, offsets, steps);
}

Lowered lowerings::sliceScatter(TorchCall &c) {
  const int64_t dim = c.dim(2, c.type(0).rank());
  const int64_t size = c.type(0).sizes[dim], step = c.integer(5);
  auto wrapped = [&](unsigned i, int64_t absent) {
    const int64_t at = c.has(i) ? c.integer(i) : absent;
    return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const int64_t start = wrapped(3, 0);
  const int64_t end = std::max(wrapped(4, size), start);
  SmallVector<int64_t> shape(c.result().getShape());
  shape[dim] = (end - start) / step + ((end - start) % step != 0);
  Value source = c.expand(c.cast(c.tensor(1), c.resultElement()), shape);
  return one(insert(c, source, c.tensor(0), dim, start, step));
}

Lowered lowerings::selectScatter(TorchCall &c) {
  const int64_t dim = c.dim(2, c.type(0).rank());
  const int64_t index = c.integer(3);
  SmallVector<int64_t> shape(c.result().getShape());
  shape[dim] = 1;
  Value source = c.reshape(c.cast(c.tensor(1), c.resultElement()), shape);
  return one(insert(c, source, c.tensor(0), dim,
                    index < 0 ? index + c.type(0).sizes[dim] : index, 1));
}

namespace {
/// A diagonal of matrices whose rows and columns are the last dimensions: with
/// the columns as many as `width`, its elements are `width` + 1 apart.
struct Diagonal {
  SmallVector<int64_t> order; ///< rows and columns last
  SmallVector<int64_t> flat;  ///< the shape with both as one dimension
  int64_t start, step;

  /// `first` is the argument of the offset, before those of the dimensions.
  Diagonal(TorchCall &c, unsigned first) {
    const int64_t rank = c.type(0).rank();
    const int64_t rows = c.dim(first + 1, rank),
                  columns = c.dim(first + 2, rank);
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != rows && dim != columns) {
        order.push_back(dim);
        flat.push_back(c.type(0).sizes[dim]);
      }
    order.append({rows, columns});
    const int64_t width = c.type(0).sizes[columns];
    flat.push_back(c.type(0).sizes[rows] * width);
    const int64_t offset = c.integer(first);
    step = width + 1;
    start = offset >= 0 ? offset : -offset * width;
  }
};
} // namespace

Lowered lowerings::diagonal(TorchCall &c) {
  RankedTensorType type = c.result();
  if (type.getNumElements() == 0)
    return zeros(c);
  const Diagonal diagonal(c, 1);
  Value flat = c.reshape(c.builder.transpose(c.tensor(0), diagonal.order),
                         diagonal.flat);
  return one(c.slice(flat, type.getRank() - 1, diagonal.start,
                     type.getShape().back(), diagonal.step));
}

Lowered lowerings::diagonalScatter(TorchCall &c) {
  RankedTensorType source = tensorType(c.tensor(1));
  if (source.getNumElements() == 0)
    return one(c.tensor(0));
  const Diagonal diagonal(c, 2);
  Value moved = c.builder.transpose(c.tensor(0), diagonal.order);
  Value flat = insert(c, c.cast(c.tensor(1), c.resultElement()),
                      c.reshape(moved, diagonal.flat), source.getRank() - 1,
                      diagonal.start, diagonal.step);
  return one(c.builder.transpose(c.reshape(flat, tensorType(moved).getShape()),
                                 invertPermutationVector(diagonal.order)));
}

/// Positions by strides: element i.. of the result is at `offset` + the sum of
/// i * stride.
static Value positionsOf(TorchCall &c, ArrayRef<int64_t> sizes,
                         ArrayRef<int64_t> strides, int64_t offset) {
  Type i64 = c.builder.getI64Type();
  Value position = c.scalar(double(offset), i64);
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    SmallVector<int64_t> line(sizes.size(), 1);
    line[dim] = size;
    Value along = c.positions(line, dim, i64);
    position = c.apply<AddOp>(
        {position,
         c.apply<MulOp>({along, c.scalar(double(strides[dim]), i64)})});
  }
  return c.reshape(position, {countOf(sizes)});
}

Lowered lowerings::unfold(TorchCall &c) {
  if (c.result().getNumElements() == 0)
    return zeros(c);
  const int64_t rank = std::max<int64_t>(c.type(0).rank(), 1);
  Value data = c.withRank(c.tensor(0), rank);
  const int64_t dim = c.dim(1, rank), size = c.integer(2), step = c.integer(3);
  SmallVector<int64_t> shape(tensorType(data).getShape());
  const int64_t windows = (shape[dim] - size) / step + 1;
  Value index =
      c.reshape(positionsOf(c, {windows, size}, {step, 1}, 0), {windows, size});
  shape[dim] = size;
  shape.insert(shape.begin() + dim, windows);
  Value value = GatherOp::create(c.builder, tensorType(data).clone(shape), data,
                                 index, dim, /*batch_dims=*/0);
  // The elements of a window come last.
  SmallVector<int64_t> order;
  for (int64_t i = 0; i <= rank; ++i)
    if (i != dim + 1)
      order.push_back(i);
  order.push_back(dim + 1);
  return one(
      c.reshape(c.builder.transpose(value, order), c.result().getShape()));
}

Lowered lowerings::strided(TorchCall &c) {
  RankedTensorType type = c.result();
  if (type.getNumElements() == 0)
    return zeros(c);
  Value index =
      positionsOf(c, c.ints(1), c.ints(2), c.has(3) ? c.integer(3) : 0);
  RankedTensorType all = tensorType(c.tensor(0));
  Value flat = c.reshape(c.tensor(0), {all.getNumElements()});
  Value value = GatherOp::create(
      c.builder, type.clone(ArrayRef<int64_t>{type.getNumElements()}), flat,
      index, /*axis=*/0, /*batch_dims=*/0);
  return one(c.reshape(value, type.getShape()));
}

Lowered lowerings::stridedScatter(TorchCall &c) {
  const int64_t count = tensorType(c.tensor(1)).getNumElements();
  if (count == 0)
    return one(c.tensor(0));
  const int64_t all = c.result().getNumElements();
  Value index =
      positionsOf(c, c.ints(2), c.ints(3), c.has(4) ? c.integer(4) : 0);
  Value result = scatterRows(
      c, c.reshape(c.tensor(0), {1, all, 1}), c.reshape(index, {1, count}),
      c.reshape(c.cast(c.tensor(1), c.resultElement()), {1, count, 1}),
      /*accumulate=*/false);
  return one(c.reshape(result, c.result().getShape()));
}
