// tensor.* and constants: views, borders, windows and gathers.
#include "Nest.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool fromlinalg::isTensorOp(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<TensorType>(constant.getType());
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ReshapeOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::PadOp,
             tensor::ConcatOp, tensor::SplatOp, tensor::CastOp,
             tensor::BitcastOp, tensor::FromElementsOp, tensor::InsertOp,
             tensor::GatherOp>(op);
}

static Raised one(Value value) { return SmallVector<Value>{value}; }

/// A scalar as a tensor of rank 0: a constant, or what it is read from.
static Value scalarTensor(Conversion &c, Location loc, Value scalar,
                          std::string &why) {
  Attribute attr;
  if (matchPattern(scalar, m_Constant(&attr))) {
    if (scalar.getType().isIndex())
      attr = c.rewriter.getI64IntegerAttr(cast<IntegerAttr>(attr).getInt());
    return splat(c.rewriter, loc, {}, cast<TypedAttr>(attr));
  }
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  why = "uses a scalar that is neither a constant nor read from a tensor at "
        "constant indices";
  if (!extract)
    return {};
  SmallVector<int64_t> offsets;
  for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
    APInt at;
    if (!matchPattern(index, m_ConstantInt(&at)))
      return {};
    offsets.push_back(at.getSExtValue());
    int64_t size = typeOf(extract.getTensor()).getDimSize(i);
    if (offsets.back() < 0 || offsets.back() >= size) {
      why = "reads index " + std::to_string(offsets.back()) +
            " of a dimension of size " + std::to_string(size);
      return {};
    }
  }
  Value source = extract.getTensor();
  if (typeOf(source).getNumElements() != 1) {
    SmallVector<int64_t> ones(offsets.size(), 1);
    source = SliceOp::create(c.rewriter, loc, typeOf(source).clone(ones),
                             source, offsets, ones);
  }
  return reshapeTo(c.rewriter, loc, source, {});
}

static std::optional<SmallVector<int64_t>>
constants(ArrayRef<OpFoldResult> values) {
  return getConstantIntValues(values);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static Raised convertExtractSlice(Conversion &c, tensor::ExtractSliceOp op,
                                  std::string &why) {
  why = "has an offset, size or stride that is not constant";
  auto offsets = constants(op.getMixedOffsets());
  auto sizes = constants(op.getMixedSizes());
  auto strides = constants(op.getMixedStrides());
  if (!offsets || !sizes || !strides)
    return std::nullopt;
  Value source = op.getSource();
  auto type = op.getResultType();
  OpBuilder &b = c.rewriter;
  if (TypedAttr fill = knownFill(source))
    return one(FillOp::create(b, op.getLoc(), type, fill));
  if (isUndefined(source))
    return one(tensor::EmptyOp::create(b, op.getLoc(), type.getShape(),
                                       type.getElementType()));
  for (auto [dim, stride] : llvm::enumerate(*strides)) {
    why = "has stride " + std::to_string(stride) + " in dimension " +
          std::to_string(dim) + "; expected 1 or more";
    if (stride >= 1)
      continue;
    if ((*sizes)[dim] != 1)
      return std::nullopt;
    (*strides)[dim] = 1;
  }
  if (ArrayRef(*sizes) != typeOf(source).getShape())
    source = SliceOp::create(b, op.getLoc(), typeOf(source).clone(*sizes),
                             source, *offsets, *strides);
  return one(reshapeTo(b, op.getLoc(), source, type.getShape()));
}

/// A chain of insertions that together write a whole undefined tensor, side by
/// side along one axis: the parts in order, or nothing.
static std::optional<std::pair<int64_t, SmallVector<Value>>>
matchConcat(tensor::InsertSliceOp last) {
  struct Part {
    int64_t offset, size;
    Value source;
  };
  SmallVector<Part> parts;
  std::optional<int64_t> axis;
  auto type = last.getDestType();
  Value dest = last.getResult();
  while (auto insert = dest.getDefiningOp<tensor::InsertSliceOp>()) {
    auto offsets = constants(insert.getMixedOffsets());
    auto sizes = constants(insert.getMixedSizes());
    auto strides = constants(insert.getMixedStrides());
    if (!offsets || !sizes || !strides ||
        !llvm::all_of(*strides, [](int64_t s) { return s == 1; }) ||
        (insert != last && !insert->hasOneUse()))
      return std::nullopt;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if ((*sizes)[dim] == type.getDimSize(dim))
        continue;
      if (axis.value_or(dim) != dim)
        return std::nullopt;
      axis = dim;
    }
    if (!axis)
      return std::nullopt;
    parts.push_back({(*offsets)[*axis], (*sizes)[*axis], insert.getSource()});
    dest = insert.getDest();
  }
  if (!isUndefined(dest) || !axis)
    return std::nullopt;
  llvm::sort(parts,
             [](const Part &a, const Part &b) { return a.offset < b.offset; });
  int64_t next = 0;
  SmallVector<Value> sources;
  for (const Part &part : parts) {
    if (part.offset != next)
      return std::nullopt;
    next += part.size;
    sources.push_back(part.source);
  }
  if (next != type.getDimSize(*axis))
    return std::nullopt;
  return std::make_pair(*axis, sources);
}

/// True if a later insertion of a chain will be raised to a concat, so this
/// one has nothing to do.
static bool isPartOfConcat(tensor::InsertSliceOp op) {
  while (op->hasOneUse()) {
    auto next = dyn_cast<tensor::InsertSliceOp>(*op->getUsers().begin());
    if (!next || next.getDest() != op.getResult())
      return false;
    if (matchConcat(next))
      return true;
    op = next;
  }
  return false;
}

static Raised convertInsertSlice(Conversion &c, tensor::InsertSliceOp op,
                                 std::string &why) {
  OpBuilder &b = c.rewriter;
  Location loc = op.getLoc();
  auto type = op.getDestType();
  if (isPartOfConcat(op))
    return SmallVector<Value>{};
  if (auto concat = matchConcat(op)) {
    auto [axis, sources] = *concat;
    SmallVector<Value> parts;
    for (Value source : sources) {
      SmallVector<int64_t> shape(type.getShape());
      shape[axis] = typeOf(source).getNumElements() /
                    (type.getNumElements() / type.getDimSize(axis));
      parts.push_back(reshapeTo(b, loc, definedContents(c, op, source), shape));
    }
    remarkPassed(op, "raised to gaudi.concat");
    return one(ConcatOp::create(b, loc, type, parts, axis));
  }
  why = "has an offset, size or stride that is not constant";
  auto offsets = constants(op.getMixedOffsets());
  auto sizes = constants(op.getMixedSizes());
  auto strides = constants(op.getMixedStrides());
  if (!offsets || !sizes || !strides)
    return std::nullopt;
  for (auto [dim, stride] : llvm::enumerate(*strides)) {
    why = "has stride " + std::to_string(stride) + " in dimension " +
          std::to_string(dim) + "; expected 1 or more";
    if (stride >= 1)
      continue;
    if ((*sizes)[dim] != 1)
      return std::nullopt;
    (*strides)[dim] = 1;
  }
  Value source = definedContents(c, op, op.getSource());
  source = reshapeTo(b, loc, source, *sizes);
  if (ArrayRef(*sizes) == type.getShape())
    return one(source);
  Value dest = definedContents(c, op, op.getDest());
  return one(
      InsertSliceOp::create(b, loc, type, source, dest, *offsets, *strides));
}

/// tensor.insert: one element, as a slice of size 1.
static Raised convertInsert(Conversion &c, tensor::InsertOp op,
                            std::string &why) {
  OpBuilder &b = c.rewriter;
  auto type = typeOf(op.getDest());
  SmallVector<int64_t> offsets, ones(type.getRank(), 1);
  for (Value index : op.getIndices()) {
    APInt at;
    why = "has an index that is not constant";
    if (!matchPattern(index, m_ConstantInt(&at)))
      return std::nullopt;
    offsets.push_back(at.getSExtValue());
  }
  Value element = scalarTensor(c, op.getLoc(), op.getScalar(), why);
  if (!element)
    return std::nullopt;
  element = reshapeTo(b, op.getLoc(), element, ones);
  if (type.getNumElements() == 1)
    return one(element);
  return one(InsertSliceOp::create(b, op.getLoc(), type, element,
                                   definedContents(c, op, op.getDest()),
                                   offsets, ones));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static Raised convertPad(Conversion &c, tensor::PadOp op, std::string &why) {
  why = "has a padding size that is not constant";
  auto low = constants(op.getMixedLowPad());
  auto high = constants(op.getMixedHighPad());
  if (!low || !high)
    return std::nullopt;
  for (auto [dim, below, above] : llvm::enumerate(*low, *high)) {
    why = "has negative padding in dimension " + std::to_string(dim) +
          "; use tensor.extract_slice to cut";
    if (below < 0 || above < 0)
      return std::nullopt;
  }
  Value value = op.getConstantPaddingValue();
  why = "has a padding value that depends on the position";
  if (!value)
    return std::nullopt;
  OpBuilder &b = c.rewriter;
  Location loc = op.getLoc();
  Value source = definedContents(c, op, op.getSource());
  auto type = op.getResultType();
  if (source.getType() == type)
    return one(source);
  Attribute attr;
  if (matchPattern(value, m_Constant(&attr))) {
    if (op.getResultType().getElementType() != cast<TypedAttr>(attr).getType())
      attr = b.getI64IntegerAttr(cast<IntegerAttr>(attr).getInt());
    return one(PadOp::create(b, loc, type, PadMode::Constant, source, *low,
                             *high, cast<TypedAttr>(attr)));
  }
  // A value known only at run time: the source on a background of it.
  Value scalar = scalarTensor(c, loc, value, why);
  if (!scalar)
    return std::nullopt;
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value background =
      broadcastTo(b, loc, reshapeTo(b, loc, scalar, ones), type.getShape());
  return one(
      InsertSliceOp::create(b, loc, type, source, background, *low, ones));
}

static Raised convertConstant(Conversion &c, arith::ConstantOp op,
                              std::string &why) {
  auto value = cast<ElementsAttr>(op.getValue());
  auto type = cast<RankedTensorType>(op.getType());
  if (value.getElementType().isIndex()) {
    auto dense = dyn_cast<DenseIntElementsAttr>(value);
    why = "has index elements that are not in the text of the program";
    if (!dense)
      return std::nullopt;
    value = dense.mapValues(c.rewriter.getI64Type(),
                            [](const APInt &v) { return v.sextOrTrunc(64); });
    type = type.clone(c.rewriter.getI64Type());
  }
  return one(ConstantOp::create(c.rewriter, op.getLoc(), type, value));
}

static Raised convertGather(Conversion &c, tensor::GatherOp op,
                            std::string &why) {
  auto axes = op.getGatherDims();
  why = "gathers along " + std::to_string(axes.size()) +
        " dimensions; expected 1";
  if (axes.size() != 1)
    return std::nullopt;
  why = "has indices of type '" +
        llvm::formatv("{0}", typeOf(op.getIndices()).getElementType()).str() +
        "'; expected i32 or i64";
  Type indexType = typeOf(op.getIndices()).getElementType();
  if (!indexType.isInteger(32) && !indexType.isInteger(64))
    return std::nullopt;
  OpBuilder &b = c.rewriter;
  Location loc = op.getLoc();
  int64_t axis = axes.front();
  auto data = typeOf(op.getSource());
  auto indexShape = typeOf(op.getIndices()).getShape().drop_back();
  Value indices = reshapeTo(b, loc, op.getIndices(), indexShape);
  // gaudi: [before, indices, after]; tensor.gather: [indices, before, after].
  SmallVector<int64_t> shape(data.getShape().take_front(axis));
  shape.append(indexShape.begin(), indexShape.end());
  llvm::append_range(shape, data.getShape().drop_front(axis + 1));
  Value result = GatherOp::create(b, loc, data.clone(shape), op.getSource(),
                                  indices, axis, /*batch_dims=*/0);
  DimList from = llvm::to_vector(llvm::seq<int64_t>(0, shape.size())), to;
  for (size_t i = 0; i < indexShape.size(); ++i)
    to.push_back(axis + i);
  for (int64_t i = 0; i < axis; ++i)
    to.push_back(i);
  for (size_t i = axis + indexShape.size(); i < shape.size(); ++i)
    to.push_back(i);
  return one(relayout(b, loc, result, from, to, shape,
                      typeOf(op.getResult()).getShape()));
}

static Raised convertFromElements(Conversion &c, tensor::FromElementsOp op,
                                  std::string &why) {
  OpBuilder &b = c.rewriter;
  SmallVector<Value> parts;
  for (Value element : op.getElements()) {
    Value part = scalarTensor(c, op.getLoc(), element, why);
    if (!part)
      return std::nullopt;
    parts.push_back(reshapeTo(b, op.getLoc(), part, {1}));
  }
  auto type = typeOf(op.getResult());
  Value flat = parts.front();
  if (parts.size() > 1)
    flat = ConcatOp::create(b, op.getLoc(), type.clone({int64_t(parts.size())}),
                            parts, 0);
  return one(reshapeTo(b, op.getLoc(), flat, type.getShape()));
}

Raised fromlinalg::convertTensorOp(Conversion &c, Operation *op,
                                   std::string &why) {
  OpBuilder &b = c.rewriter;
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return convertConstant(c, constant, why);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ReshapeOp>(
          op))
    return one(reshapeTo(b, loc, op->getOperand(0), type.getShape()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return convertExtractSlice(c, slice, why);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return convertInsertSlice(c, insert, why);
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return convertInsert(c, insert, why);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return convertPad(c, pad, why);
  if (auto gather = dyn_cast<tensor::GatherOp>(op))
    return convertGather(c, gather, why);
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
    return convertFromElements(c, elements, why);
  if (isa<tensor::CastOp>(op))
    return one(op->getOperand(0));
  if (isa<tensor::BitcastOp>(op))
    return one(BitcastOp::create(b, loc, type,
                                 definedContents(c, op, op->getOperand(0))));
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<Value> parts;
    for (Value part : concat.getInputs())
      parts.push_back(definedContents(c, op, part));
    return one(ConcatOp::create(b, loc, type, parts, concat.getDim()));
  }
  auto splatOp = cast<tensor::SplatOp>(op);
  Attribute attr;
  if (matchPattern(splatOp.getInput(), m_Constant(&attr))) {
    if (splatOp.getInput().getType().isIndex())
      attr = b.getI64IntegerAttr(cast<IntegerAttr>(attr).getInt());
    return one(FillOp::create(b, loc, type, cast<TypedAttr>(attr)));
  }
  Value scalar = scalarTensor(c, loc, splatOp.getInput(), why);
  if (!scalar)
    return std::nullopt;
  SmallVector<int64_t> ones(type.getRank(), 1);
  return one(
      broadcastTo(b, loc, reshapeTo(b, loc, scalar, ones), type.getShape()));
}
