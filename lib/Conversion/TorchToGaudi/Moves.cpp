// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of views, of ops that move elements, of creation and of indexing.
#include "Lowerings.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Lowered lowerings::view(TorchCall &c) {
  return one(c.reshape(c.tensor(0), c.result().getShape()));
}

Lowered lowerings::identity(TorchCall &c) { return one(c.tensor(0)); }

Lowered lowerings::permute(TorchCall &c) {
  const int64_t rank = c.type(0).rank();
  SmallVector<int64_t> permutation;
  for (int64_t dim : c.ints(1))
    permutation.push_back(dim < 0 ? dim + rank : dim);
  return one(c.builder.transpose(c.tensor(0), permutation));
}

/// Exchanges two dimensions.
static Value exchange(TorchCall &c, int64_t a, int64_t b) {
  const int64_t rank = c.type(0).rank();
  if (rank == 0)
    return c.tensor(0);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[a], permutation[b]);
  return c.builder.transpose(c.tensor(0), permutation);
}

Lowered lowerings::transpose(TorchCall &c) {
  const int64_t rank = c.type(0).rank();
  return one(exchange(c, c.dim(1, rank), c.dim(2, rank)));
}

Lowered lowerings::transpose2d(TorchCall &c) {
  return one(c.type(0).rank() < 2 ? c.tensor(0) : exchange(c, 0, 1));
}

Lowered lowerings::expand(TorchCall &c) {
  return one(c.expand(c.tensor(0), c.result().getShape()));
}

Lowered lowerings::slice(TorchCall &c) {
  const int64_t dim = c.dim(1, c.type(0).rank());
  const int64_t size = c.type(0).sizes[dim];
  int64_t start = c.has(2) ? c.integer(2) : 0;
  start = std::clamp<int64_t>(start < 0 ? start + size : start, 0, size);
  return one(c.slice(c.tensor(0), dim, start, c.result().getDimSize(dim),
                     c.integer(4)));
}

Lowered lowerings::narrow(TorchCall &c) {
  const int64_t dim = c.dim(1, c.type(0).rank());
  const int64_t start = c.integer(2);
  return one(c.slice(c.tensor(0), dim,
                     start < 0 ? start + c.type(0).sizes[dim] : start,
                     c.integer(3)));
}

Lowered lowerings::select(TorchCall &c) {
  const int64_t dim = c.dim(1, c.type(0).rank());
  const int64_t index = c.integer(2);
  Value slice = c.slice(c.tensor(0), dim,
                        index < 0 ? index + c.type(0).sizes[dim] : index, 1);
  return one(c.reshape(slice, c.result().getShape()));
}

Lowered lowerings::split(TorchCall &c) {
  const int64_t dim = c.dim(2, c.type(0).rank());
  SmallVector<Value> parts;
  int64_t offset = 0;
  for (size_t i = 0; i < c.numResults(); ++i) {
    const int64_t size = c.result(i).getDimSize(dim);
    parts.push_back(c.slice(c.tensor(0), dim, offset, size));
    offset += size;
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

static Value concat(TorchCall &c, ArrayRef<Value> parts, int64_t dim) {
  if (parts.size() == 1)
    return parts.front();
  return ConcatOp::create(c.builder, c.result(), parts, dim);
}

Lowered lowerings::concatenate(TorchCall &c) {
  SmallVector<Value> parts;
  for (Value tensor : c.tensors(0))
    // Empty ones add nothing, and may have another rank.
    if (tensorType(tensor).getNumElements() > 0)
      parts.push_back(c.cast(tensor, c.resultElement()));
  if (parts.empty())
    return zeros(c);
  return one(concat(c, parts, c.dim(1, c.result().getRank())));
}

Lowered lowerings::stack(TorchCall &c) {
  const int64_t dim = c.dim(1, c.result().getRank());
  SmallVector<int64_t> shape(c.result().getShape());
  shape[dim] = 1;
  SmallVector<Value> parts;
  for (Value tensor : c.tensors(0))
    parts.push_back(c.reshape(c.cast(tensor, c.resultElement()), shape));
  return one(concat(c, parts, dim));
}

Lowered lowerings::flip(TorchCall &c) {
  SmallVector<int64_t> dims;
  if (!c.ints(1).empty())
    for (int64_t dim : c.dims(1, c.type(0).rank()))
      if (c.type(0).sizes[dim] != 1)
        dims.push_back(dim);
  if (dims.empty())
    return one(c.tensor(0));
  return one(ReverseOp::create(c.builder, c.result(), c.tensor(0), dims));
}

Lowered lowerings::repeat(TorchCall &c) {
  const ArrayRef<int64_t> counts = c.ints(1);
  Value value = c.withRank(c.tensor(0), counts.size());
  if (c.result().getNumElements() == 0)
    return zeros(c);
  for (auto [dim, count] : llvm::enumerate(counts)) {
    if (count == 1)
      continue;
    // [.., s, ..] as [.., 1, s, ..], repeated, merged.
    SmallVector<int64_t> shape(tensorType(value).getShape()), apart(shape);
    apart.insert(apart.begin() + dim, 1);
    SmallVector<int64_t> repeated(apart);
    repeated[dim] = count;
    shape[dim] *= count;
    value = c.reshape(c.expand(c.reshape(value, apart), repeated), shape);
  }
  return one(value);
}

Lowered lowerings::pad(TorchCall &c) {
  const ArrayRef<int64_t> pads = c.ints(1);
  RankedTensorType type = tensorType(c.tensor(0));
  Value value = c.tensor(0);
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0);
  for (size_t i = 0; 2 * i < pads.size(); ++i) {
    const int64_t dim = type.getRank() - 1 - i;
    low[dim] = pads[2 * i];
    high[dim] = pads[2 * i + 1];
    // Negative pads cut elements off before the others add some.
    const int64_t before = std::max<int64_t>(-low[dim], 0);
    const int64_t after = std::max<int64_t>(-high[dim], 0);
    const int64_t size = type.getDimSize(dim) - before - after;
    if (size < 0)
      return c.refuse("a dimension of size " + Twine(type.getDimSize(dim)) +
                      " is cut off by more than it has");
    value = c.slice(value, dim, before, size);
    low[dim] = std::max<int64_t>(low[dim], 0);
    high[dim] = std::max<int64_t>(high[dim], 0);
  }
  if (tensorType(value) == c.result())
    return one(value);
  return one(PadOp::create(c.builder, c.result(), PadMode::Constant, value, low,
                           high, c.numberAttr(2, c.resultElement())));
}

Lowered lowerings::triangleBy(TorchCall &c, bool isLower) {
  RankedTensorType type = c.result();
  const int64_t rank = type.getRank();
  Type i64 = c.builder.getI64Type();
  Value row = c.positions({type.getDimSize(rank - 2), 1}, 0, i64);
  Value column = c.positions({1, type.getDimSize(rank - 1)}, 1, i64);
  Value distance = c.apply<SubOp>({column, row});
  Value isKept =
      c.compare(isLower ? ComparePredicate::LE : ComparePredicate::GE, distance,
                c.operand(1, i64));
  return one(c.select(isKept, c.tensor(0), c.scalar(0, c.resultElement())));
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static Value filled(TorchCall &c, TypedAttr value, unsigned result = 0) {
  RankedTensorType type = c.result(result);
  if (type.getRank() == 0 || type.getNumElements() == 0)
    return c.constant(type, value);
  return FillOp::create(c.builder, type, value);
}

Lowered lowerings::fillNumber(TorchCall &c) {
  for (auto [i, parameter] : llvm::enumerate(c.op.schema.parameters))
    if (parameter.kind == torch::Parameter::Kind::Scalar)
      return one(filled(c, c.numberAttr(i, c.resultElement())));
  llvm_unreachable("the schema has a number");
}

Lowered lowerings::zeros(TorchCall &c) {
  return one(filled(c, c.builder.getZeroAttr(c.resultElement())));
}

Lowered lowerings::zerosOfAll(TorchCall &c) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < c.numResults(); ++i)
    values.push_back(filled(c, c.builder.getZeroAttr(c.resultElement(i)), i));
  return values;
}

Lowered lowerings::ones(TorchCall &c) {
  return one(filled(c, c.builder.getOneAttr(c.resultElement())));
}

Lowered lowerings::range(TorchCall &c) {
  // end; start, end; start, end, step: the numbers before the type.
  size_t count = 0;
  while (c.op.schema.parameters[count].kind == torch::Parameter::Kind::Scalar)
    ++count;
  RankedTensorType type = c.result();
  if (type.getElementType().isInteger(1))
    return c.refuse("a range of bool is not defined");
  if (isFloatElement(type.getElementType())) {
    // PyTorch computes them in f64, which the device lacks: a constant.
    constexpr int64_t most = 1 << 20;
    if (type.getNumElements() > most)
      return c.refuse("a range of " + Twine(type.getNumElements()) +
                      " floats; at most " + Twine(most) + " are supported");
    const double start = count > 1 ? c.number(0) : 0;
    const double step = count > 2 ? c.number(2) : 1;
    SmallVector<Attribute> numbers;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers.push_back(
          FloatAttr::get(type.getElementType(), start + step * double(i)));
    return one(
        ConstantOp::create(c.builder, DenseElementsAttr::get(type, numbers)));
  }
  if (type.getNumElements() == 0)
    return zeros(c);
  Type element = type.getElementType();
  Value value = IotaOp::create(c.builder, type, 0);
  if (count > 2)
    value = c.apply<MulOp>({value, c.operand(2, element)});
  if (count > 1)
    value = c.apply<AddOp>({value, c.operand(0, element)});
  return one(value);
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

/// Indices below 0 count from the end of a dimension of `size`.
static Value wrapped(TorchCall &c, Value index, int64_t size) {
  Type type = getElementTypeOrSelf(index);
  Value isNegative = c.compare(ComparePredicate::LT, index, c.scalar(0, type));
  Value moved = c.apply<AddOp>({index, c.scalar(double(size), type)});
  return c.select(isNegative, moved, index);
}

static Value gatherRows(TorchCall &c, Value data, Value indices, int64_t axis) {
  RankedTensorType type = tensorType(data);
  SmallVector<int64_t> shape(type.getShape().take_front(axis));
  llvm::append_range(shape, tensorType(indices).getShape());
  llvm::append_range(shape, type.getShape().drop_front(axis + 1));
  return GatherOp::create(c.builder, type.clone(shape), data, indices, axis,
                          /*batch_dims=*/0);
}

Lowered lowerings::embedding(TorchCall &c) {
  return one(gatherRows(c, c.tensor(0), c.tensor(1), 0));
}

Lowered lowerings::indexSelect(TorchCall &c) {
  Value data = c.tensor(0);
  if (c.type(0).rank() == 0)
    data = c.reshape(data, {1});
  Value index = c.tensor(2);
  index = c.reshape(index, tensorType(index).getNumElements());
  Value rows = gatherRows(c, data, index, c.dim(1, c.type(0).rank()));
  return one(c.reshape(rows, c.result().getShape()));
}

Lowered lowerings::gather(TorchCall &c) {
  if (c.result().getNumElements() == 0)
    return zeros(c);
  const int64_t rank = std::max<int64_t>(c.type(0).rank(), 1);
  Value data = c.withRank(c.tensor(0), rank),
        index = c.withRank(c.tensor(2), rank);
  Value value = GatherElementsOp::create(
      c.builder, tensorType(index).clone(c.resultElement()), data, index,
      c.dim(1, rank));
  return one(c.reshape(value, c.result().getShape()));
}

Value lowerings::linearIndex(TorchCall &c, ArrayRef<Value> indices,
                             ArrayRef<int64_t> sizes) {
  Type i64 = c.builder.getI64Type();
  Value linear, isInside;
  for (auto [index, size] : llvm::zip_equal(indices, sizes)) {
    Value own = wrapped(c, c.cast(index, i64), size);
    if (indices.size() == 1)
      return own;
    Value inside = c.apply<AndOp>(
        {c.compare(ComparePredicate::GE, own, c.scalar(0, i64)),
         c.compare(ComparePredicate::LT, own, c.scalar(double(size), i64))});
    isInside = isInside ? c.apply<AndOp>({isInside, inside}) : inside;
    linear =
        linear
            ? c.apply<AddOp>(
                  {c.apply<MulOp>({linear, c.scalar(double(size), i64)}), own})
            : own;
  }
  return c.select(isInside, linear, c.scalar(-1, i64));
}

Lowered lowerings::index(TorchCall &c) {
  SmallVector<Value> indices;
  SmallVector<int64_t> indexed, sizes;
  for (auto [dim, index] : llvm::enumerate(c.tensors(1)))
    if (index) {
      indices.push_back(index);
      indexed.push_back(dim);
      sizes.push_back(c.type(0).sizes[dim]);
    }
  if (indices.empty())
    return one(c.tensor(0));
  if (c.result().getNumElements() == 0)
    return zeros(c);
  Value linear = linearIndex(c, indices, sizes);
  // Dimensions with others between them go to the front.
  Value data = c.tensor(0);
  int64_t axis = indexed.front();
  if (indexed.back() - axis + 1 != int64_t(indexed.size())) {
    SmallVector<int64_t> permutation(indexed);
    for (int64_t dim = 0; dim < c.type(0).rank(); ++dim)
      if (!llvm::is_contained(indexed, dim))
        permutation.push_back(dim);
    data = c.builder.transpose(data, permutation);
    axis = 0;
  }
  SmallVector<int64_t> shape(tensorType(data).getShape());
  int64_t merged = 1;
  for (size_t i = 0; i < indexed.size(); ++i)
    merged *= shape[axis + i];
  shape.erase(shape.begin() + axis + 1, shape.begin() + axis + indexed.size());
  shape[axis] = merged;
  Value rows = gatherRows(c, c.reshape(data, shape), linear, axis);
  return one(c.reshape(rows, c.result().getShape()));
}
