// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor.* and constants: views, padding, slices and gathers.
//
// Offsets, sizes and strides are constants here: Indexed.cpp writes the others
// as nests. The attributes of the device's ops have no values.
#include "InsertChains.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// A scalar: a constant, or an element at constant indices of a tensor.
struct ScalarSource {
  TypedAttr constant;
  Value tensor;
  SmallVector<int64_t> offsets;
};
} // namespace

static FailureOr<ScalarSource> matchScalar(Value scalar, Matcher &m) {
  // Constants of other dialects may have attributes without a type.
  TypedAttr attr;
  if (matchPattern(scalar, m_Constant(&attr))) {
    if (scalar.getType().isIndex())
      attr = Builder(scalar.getContext())
                 .getI64IntegerAttr(cast<IntegerAttr>(attr).getInt());
    return ScalarSource{attr, {}, {}};
  }
  const StringRef why = "uses a scalar that is neither a constant nor read "
                        "from a tensor at constant indices";
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  if (!extract)
    return m.refuse(why, scalar.getLoc(), "the scalar is computed here");
  ScalarSource source{{}, extract.getTensor(), {}};
  for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
    APInt at;
    if (!matchPattern(index, m_ConstantInt(&at)))
      return m.refuse(why, index.getLoc(), "the index is computed here");
    int64_t offset = at.getSExtValue();
    int64_t size = tensorType(extract.getTensor()).getDimSize(i);
    if (offset < 0 || offset >= size)
      return m.refuse("reads index " + llvm::Twine(offset) +
                      " of a dimension of size " + llvm::Twine(size));
    source.offsets.push_back(offset);
  }
  return source;
}

/// The scalar as a tensor of shape `shape`, which has one element.
static Value scalarTensor(Conversion &c, Location loc,
                          const ScalarSource &source, ArrayRef<int64_t> shape) {
  OpBuilder &b = c.rewriter;
  if (source.constant)
    return reshapeTo(b, loc, splat(b, loc, {}, source.constant), shape);
  Value tensor = source.tensor;
  if (tensorType(tensor).getNumElements() != 1) {
    SmallVector<int64_t> ones(source.offsets.size(), 1);
    tensor = SliceOp::create(b, loc, tensorType(tensor).clone(ones), tensor,
                             source.offsets, ones);
  }
  return reshapeTo(b, loc, reshapeTo(b, loc, tensor, {}), shape);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// The window of a slice.
struct Slice {
  SmallVector<int64_t> offsets, sizes, strides;
};
} // namespace

template <typename Op>
static FailureOr<Slice> matchConstantSlice(Op op, Matcher &m) {
  auto offsets = getConstantIntValues(op.getMixedOffsets());
  auto sizes = getConstantIntValues(op.getMixedSizes());
  auto strides = getConstantIntValues(op.getMixedStrides());
  if (!offsets || !sizes || !strides)
    return m.refuse("has an offset, size or stride that is not constant");
  return Slice{*offsets, *sizes, *strides};
}

/// Strides of 1 or more; one element has no next one, so its stride is 1. (A
/// negative stride is a reversal, which slices of the device do not have.)
static LogicalResult normalizeStrides(Slice &slice, Matcher &m) {
  for (auto [dim, stride] : llvm::enumerate(slice.strides)) {
    if (stride >= 1)
      continue;
    if (slice.sizes[dim] != 1)
      return m.refuse("has stride " + llvm::Twine(stride) + " in dimension " +
                      llvm::Twine(dim) + "; expected 1 or more");
    slice.strides[dim] = 1;
  }
  return success();
}

static LinalgMatch matchExtractSlice(tensor::ExtractSliceOp op, Matcher &m) {
  auto slice = matchConstantSlice(op, m);
  if (failed(slice))
    return failure();
  auto type = op.getResultType();
  // Constants and undefined contents first: nothing need be read.
  if (TypedAttr fill = knownFill(op.getSource()))
    return build([op, type, fill](Conversion &c) mutable {
      return FillOp::create(c.rewriter, op.getLoc(), type, fill);
    });
  if (isUndefined(op.getSource()))
    return build([op, type](Conversion &c) mutable {
      return tensor::EmptyOp::create(c.rewriter, op.getLoc(), type.getShape(),
                                     type.getElementType());
    });
  if (failed(normalizeStrides(*slice, m)))
    return failure();
  return build([op, type, slice = *slice](Conversion &c) mutable {
    Value source = op.getSource();
    if (ArrayRef(slice.sizes) != tensorType(source).getShape())
      source = SliceOp::create(c.rewriter, op.getLoc(),
                               tensorType(source).clone(slice.sizes), source,
                               slice.offsets, slice.strides);
    return reshapeTo(c.rewriter, op.getLoc(), source, type.getShape());
  });
}

static Value createConcat(Conversion &c, tensor::InsertSliceOp last,
                          const Concat &concat) {
  OpBuilder &b = c.rewriter;
  Location loc = last.getLoc();
  auto type = last.getDestType();
  SmallVector<Value> parts;
  for (tensor::InsertSliceOp part : concat.parts) {
    // Sources may lack dimensions of size 1. A part covers the other
    // dimensions, so its elements tell its size along the axis.
    Value source = part.getSource();
    SmallVector<int64_t> shape(type.getShape());
    shape[concat.axis] = tensorType(source).getNumElements() /
                         (type.getNumElements() / type.getDimSize(concat.axis));
    parts.push_back(reshapeTo(b, loc, definedContents(c, last, source), shape));
  }
  remarkPassed(last, "raise", "raised to gaudi.concat");
  return ConcatOp::create(b, loc, type, parts, concat.axis);
}

static LinalgMatch matchInsertSlice(tensor::InsertSliceOp op, Matcher &m,
                                    const InsertChains &chains) {
  if (chains.isInnerPart(op))
    return build([](Conversion &) { return SmallVector<Value>(); });
  if (const Concat *concat = chains.endingAt(op))
    return build(
        [op, concat](Conversion &c) { return createConcat(c, op, *concat); });
  auto slice = matchConstantSlice(op, m);
  if (failed(slice) || failed(normalizeStrides(*slice, m)))
    return failure();
  return build([op, slice = *slice](Conversion &c) mutable -> Value {
    OpBuilder &b = c.rewriter;
    Location loc = op.getLoc();
    auto type = op.getDestType();
    Value source = definedContents(c, op, op.getSource());
    source = reshapeTo(b, loc, source, slice.sizes);
    // The window is all of dest, whose contents then do not matter.
    if (ArrayRef(slice.sizes) == type.getShape())
      return source;
    Value dest = definedContents(c, op, op.getDest());
    return InsertSliceOp::create(b, loc, type, source, dest, slice.offsets,
                                 slice.strides);
  });
}

/// tensor.insert: one element, as a slice of size 1.
static LinalgMatch matchInsert(tensor::InsertOp op, Matcher &m) {
  SmallVector<int64_t> offsets;
  for (Value index : op.getIndices()) {
    APInt at;
    if (!matchPattern(index, m_ConstantInt(&at)))
      return m.refuse("has an index that is not constant", index.getLoc(),
                      "the index is computed here");
    offsets.push_back(at.getSExtValue());
  }
  auto scalar = matchScalar(op.getScalar(), m);
  if (failed(scalar))
    return failure();
  return build([op, offsets, scalar = *scalar](Conversion &c) mutable -> Value {
    auto type = tensorType(op.getDest());
    SmallVector<int64_t> ones(type.getRank(), 1);
    Value element = scalarTensor(c, op.getLoc(), scalar, ones);
    // The element is the tensor: nothing of the old contents is left.
    if (type.getNumElements() == 1)
      return element;
    return InsertSliceOp::create(c.rewriter, op.getLoc(), type, element,
                                 definedContents(c, op, op.getDest()), offsets,
                                 ones);
  });
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// A tensor of `type` filled with the scalar.
static Value broadcastScalar(Conversion &c, Location loc,
                             const ScalarSource &scalar,
                             RankedTensorType type) {
  SmallVector<int64_t> ones(type.getRank(), 1);
  return broadcastTo(c.rewriter, loc, scalarTensor(c, loc, scalar, ones),
                     type.getShape());
}

static LinalgMatch matchPad(tensor::PadOp op, Matcher &m) {
  auto low = getConstantIntValues(op.getMixedLowPad());
  auto high = getConstantIntValues(op.getMixedHighPad());
  if (!low || !high)
    return m.refuse("has a padding size that is not constant");
  Value value = op.getConstantPaddingValue();
  if (!value)
    return m.refuse("has a padding value that depends on the position");
  assert(llvm::none_of(*low, [](int64_t size) { return size < 0; }) &&
         "negative padding is a slice or a splat by now");
  // Without padding the value is not used, whatever it is.
  auto scalar = matchScalar(value, m);
  bool copies = op.getSource().getType() == op.getResultType();
  if (failed(scalar) && !copies)
    return failure();
  return build([op, low = *low, high = *high, copies,
                scalar](Conversion &c) mutable -> Value {
    OpBuilder &b = c.rewriter;
    Location loc = op.getLoc();
    auto type = op.getResultType();
    Value source = definedContents(c, op, op.getSource());
    if (copies)
      return source;
    const bool isAllPadding = tensorType(source).getNumElements() == 0;
    if (isAllPadding && scalar->constant)
      return FillOp::create(b, loc, type, scalar->constant);
    if (isAllPadding)
      return broadcastScalar(c, loc, *scalar, type);
    if (scalar->constant)
      return PadOp::create(b, loc, type, PadMode::Constant, source, low, high,
                           scalar->constant);
    // A value known only at run time is no attribute: the source is inserted
    // into a background of it.
    Value background = broadcastScalar(c, loc, *scalar, type);
    SmallVector<int64_t> ones(type.getRank(), 1);
    return InsertSliceOp::create(b, loc, type, source, background, low, ones);
  });
}

static LinalgMatch matchConstant(arith::ConstantOp op, Matcher &m) {
  auto value = cast<ElementsAttr>(op.getValue());
  auto type = tensorType(op);
  Type i64 = IntegerType::get(op.getContext(), 64);
  if (value.getElementType().isIndex()) {
    auto dense = dyn_cast<DenseIntElementsAttr>(value);
    if (!dense)
      return m.refuse("has index elements that are not in the text of the "
                      "program");
    value =
        dense.mapValues(i64, [](const APInt &v) { return v.sextOrTrunc(64); });
    type = type.clone(i64);
  }
  return build([op, value, type](Conversion &c) mutable {
    return ConstantOp::create(c.rewriter, op.getLoc(), type, value);
  });
}

static Value createGather(Conversion &c, tensor::GatherOp op) {
  OpBuilder &b = c.rewriter;
  Location loc = op.getLoc();
  int64_t axis = op.getGatherDims().front();
  auto data = tensorType(op.getSource());
  auto indexShape = tensorType(op.getIndices()).getShape().drop_back();
  Value indices = reshapeTo(b, loc, op.getIndices(), indexShape);
  // gaudi: [before, indices, after]; tensor.gather: [indices, before, after].
  SmallVector<int64_t> shape(data.getShape().take_front(axis));
  shape.append(indexShape.begin(), indexShape.end());
  llvm::append_range(shape, data.getShape().drop_front(axis + 1));
  Value result = GatherOp::create(b, loc, data.clone(shape), op.getSource(),
                                  indices, axis, /*batch_dims=*/0);
  const int64_t rank = shape.size(), after = axis + indexShape.size();
  DimList from = llvm::to_vector(llvm::seq<int64_t>(0, rank)), to;
  llvm::append_range(to, llvm::seq<int64_t>(axis, after));
  llvm::append_range(to, llvm::seq<int64_t>(0, axis));
  llvm::append_range(to, llvm::seq<int64_t>(after, rank));
  return relayout(b, loc, result, from, to, shape,
                  tensorType(op.getResult()).getShape());
}

static LinalgMatch matchGather(tensor::GatherOp op, Matcher &) {
  assert(op.getGatherDims().size() == 1 && "others are nests by now");
  return build([op](Conversion &c) { return createGather(c, op); });
}

static LinalgMatch matchFromElements(tensor::FromElementsOp op, Matcher &m) {
  SmallVector<ScalarSource> scalars;
  for (Value element : op.getElements()) {
    auto scalar = matchScalar(element, m);
    if (failed(scalar))
      return failure();
    scalars.push_back(*scalar);
  }
  return build([op, scalars](Conversion &c) mutable {
    OpBuilder &b = c.rewriter;
    SmallVector<Value> parts;
    for (const ScalarSource &scalar : scalars)
      parts.push_back(scalarTensor(c, op.getLoc(), scalar, {1}));
    auto type = tensorType(op.getResult());
    Value flat = parts.front();
    if (parts.size() > 1)
      flat = ConcatOp::create(b, op.getLoc(),
                              type.clone({int64_t(parts.size())}), parts, 0);
    return reshapeTo(b, op.getLoc(), flat, type.getShape());
  });
}

static LinalgMatch matchConcat(tensor::ConcatOp op, Matcher &) {
  return build([op](Conversion &c) mutable {
    SmallVector<Value> parts;
    for (Value part : op.getInputs())
      parts.push_back(definedContents(c, op, part));
    return ConcatOp::create(c.rewriter, op.getLoc(), tensorType(op.getResult()),
                            parts, op.getDim());
  });
}

static LinalgMatch matchSplat(tensor::SplatOp op, Matcher &m) {
  auto scalar = matchScalar(op.getInput(), m);
  if (failed(scalar))
    return failure();
  return build([op, scalar = *scalar](Conversion &c) mutable -> Value {
    auto type = tensorType(op.getResult());
    if (scalar.constant)
      return FillOp::create(c.rewriter, op.getLoc(), type, scalar.constant);
    return broadcastScalar(c, op.getLoc(), scalar, type);
  });
}

/// Ops that say the elements of operand 0 again in another shape.
template <typename Op> static LinalgMatch matchReshape(Op op, Matcher &) {
  return build([op](Conversion &c) mutable {
    return reshapeTo(c.rewriter, op.getLoc(), op->getOperand(0),
                     tensorType(op->getResult(0)).getShape());
  });
}

TensorPatterns fromlinalg::getTensorPatterns(const InsertChains &chains) {
  TensorPatterns patterns;
  patterns.add<arith::ConstantOp>(matchConstant);
  patterns.add<tensor::CollapseShapeOp>(matchReshape<tensor::CollapseShapeOp>);
  patterns.add<tensor::ExpandShapeOp>(matchReshape<tensor::ExpandShapeOp>);
  patterns.add<tensor::ReshapeOp>(matchReshape<tensor::ReshapeOp>);
  patterns.add<tensor::ExtractSliceOp>(matchExtractSlice);
  patterns.add<tensor::InsertSliceOp>(
      [&chains](tensor::InsertSliceOp op, Matcher &m) {
        return matchInsertSlice(op, m, chains);
      });
  patterns.add<tensor::InsertOp>(matchInsert);
  patterns.add<tensor::PadOp>(matchPad);
  patterns.add<tensor::GatherOp>(matchGather);
  patterns.add<tensor::FromElementsOp>(matchFromElements);
  patterns.add<tensor::ConcatOp>(matchConcat);
  patterns.add<tensor::SplatOp>(matchSplat);
  patterns.add<tensor::CastOp>([](tensor::CastOp op, Matcher &) {
    return build([op](Conversion &) mutable { return op.getSource(); });
  });
  patterns.add<tensor::BitcastOp>([](tensor::BitcastOp op, Matcher &) {
    return build([op](Conversion &c) mutable {
      return BitcastOp::create(c.rewriter, op.getLoc(),
                               tensorType(op.getResult()),
                               definedContents(c, op, op.getSource()));
    });
  });
  return patterns;
}
