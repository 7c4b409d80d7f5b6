// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of views, data movement, constants and markers.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/DimMap.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

/// Dimension `toDim` of a result is a window `offset + i * stride` on dimension
/// `dim` of the operand.
static void addWindow(PaddingRule &rule, unsigned number, int64_t dim,
                      int64_t toDim, int64_t offset, int64_t stride) {
  const DimPadding &from = rule.in(0).dims[dim];
  DimPadding &to = rule.result(number).dims[toDim];
  const int64_t size = sizeOf(to);
  if (offset == 0 && stride == 1 && size == sizeOf(from)) {
    to = from;
    return;
  }
  if (!isPadded(from)) {
    to = {{size, {}, rule.in(0).repeatsAt(dim), {}}};
    return;
  }
  if (!rule.requirePrefix(0, dim, "the slice has a position in it"))
    return;
  to = {{size, {}, false, {}}};
  const int64_t last = offset + (size - 1) * stride;
  if (rule.sizes.rangeOf(from.front().extent).low > last)
    return; // real elements only
  // Only the program knows how long the slice is.
  if (!rule.isMarked(number, toDim))
    rule.fail("dimension " + Twine(dim) + " has " +
              rule.sizes.text(extentOf(from, rule.sizes)) +
              " real elements, which may end before element " + Twine(last) +
              " of the slice; gaudi.valid would say how many of its elements "
              "are real");
}

/// Elements of the results are those of the operand: at other positions, some
/// of them, or repeated.
static void addMoved(PaddingRule &rule) {
  const DimMap map = cast<DimMapOpInterface>(rule.op).getDimMap();
  const PaddingState &from = rule.in(0);
  for (OpResult value : rule.op->getResults()) {
    const unsigned number = value.getResultNumber();
    PaddingState &result = rule.result(number);
    result = PaddingState::real(tensorType(value).getShape(), /*repeats=*/true);
    result.splat = from.splat;
    for (auto [to, own] : llvm::enumerate(map.of(number + 1).dims))
      for (auto [dim, source] : llvm::enumerate(map.of(0).dims)) {
        const DimMap::Term term = source.terms.front();
        if (term.factor != own.terms.front().factor)
          continue;
        const bool isSame = sizeOf(from.dims[dim]) == sizeOf(result.dims[to]);
        if (term.stride != 0 || isSame)
          addWindow(rule, number, dim, to,
                    source.offset - term.stride * own.offset,
                    term.stride == 0 ? 1 : term.stride);
        else if (from.isPadded(dim))
          rule.fail("dimension " + Twine(dim) +
                    " of operand 0 is broadcast and may have no real element");
      }
  }
}

static TypedAttr bitcast(TypedAttr value, Type type) {
  if (!value)
    return {};
  const APInt bits = isa<FloatAttr>(value)
                         ? cast<FloatAttr>(value).getValue().bitcastToAPInt()
                         : cast<IntegerAttr>(value).getValue();
  if (bits.getBitWidth() != type.getIntOrFloatBitWidth())
    return {};
  if (auto number = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat(number.getFloatSemantics(), bits));
  return IntegerAttr::get(type, bits);
}

static void addBitcast(PaddingRule &rule, BitcastOp op) {
  PaddingState &result = rule.result() = rule.in(0);
  const Type type = op.getType().getElementType();
  result.splat = bitcast(result.splat, type);
  for (DimPadding &dim : result.dims)
    for (Factor &factor : dim)
      factor.content = bitcast(factor.content, type);
}

//===----------------------------------------------------------------------===//
// Concatenation, insertion, padding
//===----------------------------------------------------------------------===//

/// The operands one after the other with their padding in between: element i of
/// the program's result is element i of the first operand whose end it is not
/// past. A gather picks it.
static void compact(Operation *op, PaddingEditor &editor, int64_t axis,
                    ArrayRef<int64_t> sizes, ArrayRef<AffineExpr> extents) {
  IndexMath math(editor, op);
  const int64_t total = std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
  const Value position = math.iota(total);
  Value index = position;
  AffineExpr real = editor.sizes.constant(0);
  int64_t padded = 0;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    real = editor.sizes.simplify(real + extents[i]);
    padded += sizes[i];
    // Past the end of operand i, its padding is skipped.
    const Value skipped =
        math.add(position, math.extent(editor.sizes.constant(padded) - real));
    index =
        math.select(math.isLess(position, math.extent(real)), index, skipped);
  }
  index = math.min(index, math.constant(total - 1));
  math.replaceByGather(op->getResult(0), index, axis);
}

static void addConcat(PaddingRule &rule, ConcatOp op) {
  const int64_t axis = op.getAxis(), rank = op.getType().getRank();
  const unsigned count = op.getNumOperands();
  PaddingState &result = rule.result();
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == axis)
      continue;
    SmallVector<std::pair<unsigned, int64_t>> dims;
    bool repeats = true;
    for (unsigned operand = 0; operand < count; ++operand) {
      dims.push_back({operand, dim});
      repeats &= rule.in(operand).repeatsAt(dim);
    }
    result.dims[dim] = rule.common(dims, op.getType().getDimSize(dim));
    for (auto [i, factor] : llvm::enumerate(result.dims[dim])) {
      factor.repeats = repeats;
      factor.content = rule.in(0).contentAt(dim, i);
      for (unsigned operand = 1; operand < count; ++operand)
        if (rule.in(operand).contentAt(dim, i) != factor.content)
          factor.content = {};
    }
  }
  SmallVector<int64_t> sizes;
  SmallVector<AffineExpr> extents;
  AffineExpr real = rule.sizes.constant(0);
  bool isPadded = false, hasGap = false;
  for (unsigned operand = 0; operand < count; ++operand) {
    const DimPadding &dim = rule.in(operand).dims[axis];
    if (!rule.requirePrefix(operand, axis, "the next operand follows it"))
      return;
    hasGap |= isPadded;
    isPadded |= rule.in(operand).isPadded(axis);
    sizes.push_back(sizeOf(dim));
    extents.push_back(extentOf(dim, rule.sizes));
    real = real + extents.back();
  }
  if (!isPadded)
    return;
  result.dims[axis] = rule.prefix(op.getType().getDimSize(axis), real);
  if (hasGap) {
    for (DimPadding &dim : result.dims)
      for (Factor &factor : dim)
        factor.content = {};
    rule.setEdit("moved real elements of the operands together by a gather",
                 [=](Operation *op, PaddingEditor &editor) {
                   compact(op, editor, axis, sizes, extents);
                 });
  } else {
    result.dims[axis].front().content =
        rule.in(count - 1).dims[axis].front().content;
  }
}

/// Elements of dest that padding of the source would overwrite stay.
static void insertReal(InsertSliceOp op, PaddingEditor &editor,
                       ArrayRef<Condition> conditions) {
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  RankedTensorType type = tensorType(op.getSource());
  const Value window = SliceOp::create(builder, loc, type, op.getDest(),
                                       op.getOffsets(), op.getStrides());
  op.getSourceMutable().assign(
      editor.blended(builder, loc, op.getSource(), window, conditions));
}

static void addInsertSlice(PaddingRule &rule, InsertSliceOp op) {
  PaddingState &result = rule.result() = rule.in(1);
  const PaddingState &source = rule.in(0);
  SmallVector<Condition> conditions;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    const bool isWhole =
        sizeOf(source.dims[dim]) == op.getType().getDimSize(dim);
    if (isWhole) {
      const DimPadding both =
          rule.common({{0, dim}, {1, dim}}, op.getType().getDimSize(dim));
      for (auto [i, factor] : llvm::enumerate(result.dims[dim] = both))
        if (source.contentAt(dim, i) == rule.in(1).contentAt(dim, i))
          factor.content = source.contentAt(dim, i);
      continue;
    }
    source.addConditions(dim, conditions);
    result.dims[dim] = structureOf(result.dims[dim]);
    if (rule.isPadded(1, {dim}) &&
        !rule.requirePrefix(1, dim, "the slice has a position in it"))
      return;
  }
  if (source.splat != result.splat)
    result.splat = {};
  if (!conditions.empty())
    rule.setEdit("kept elements of dest where the source is padding",
                 [=](Operation *op, PaddingEditor &editor) {
                   insertReal(cast<InsertSliceOp>(op), editor, conditions);
                 });
}

static void addPad(PaddingRule &rule, PadOp op) {
  const PaddingState &from = rule.in(0);
  const TypedAttr value = op.getValueAttr();
  const bool isConstant = op.getMode() == PadMode::Constant;
  PaddingState &result = rule.result();
  SmallVector<int64_t> filled;
  SmallVector<std::pair<int64_t, AffineExpr>> repeated;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    const int64_t low = op.getLow()[dim], high = op.getHigh()[dim];
    if (low == 0 && high == 0) {
      result.dims[dim] = from.dims[dim];
      for (auto [i, factor] : llvm::enumerate(result.dims[dim]))
        factor.content = from.contentAt(dim, i);
      continue;
    }
    if (!rule.in(0).isPadded(dim))
      continue;
    if (!rule.requirePrefix(0, dim, "padding goes around it"))
      return;
    if (high != 0 && !isConstant)
      repeated.push_back({dim, from.dims[dim].front().extent});
    // What the program puts after the last real element is there already.
    filled.push_back(dim);
    result.dims[dim] = rule.prefix(op.getType().getDimSize(dim),
                                   from.dims[dim].front().extent + (low + high),
                                   isConstant ? value : TypedAttr());
  }
  // Padding of the other dimensions holds the new elements, too.
  const bool grows =
      llvm::any_of(op.getLow(), [](int64_t n) { return n > 0; }) ||
      llvm::any_of(op.getHigh(), [](int64_t n) { return n > 0; });
  for (auto [dim, padding] : llvm::enumerate(result.dims))
    for (Factor &factor : padding)
      if (grows && !llvm::is_contained(filled, int64_t(dim))) {
        factor.repeats = false;
        if (!isConstant || factor.content != value)
          factor.content = {};
      }
  if (isConstant)
    rule.require(0, filled, value);
  if (from.splat && isConstant && from.splat == value)
    result.splat = value;
  if (!repeated.empty())
    rule.setEdit("repeated the last real elements in the padding",
                 [=](Operation *op, PaddingEditor &editor) {
                   editor.repeatLast(op, repeated);
                 });
}

//===----------------------------------------------------------------------===//
// Markers and masks
//===----------------------------------------------------------------------===//

static void addValid(PaddingRule &rule, ValidOp op) {
  PaddingState &result = rule.result() = rule.in(0);
  for (auto [dim, value] : llvm::zip_equal(op.getDims(), op.getExtents())) {
    const AffineExpr extent = extentValue(value);
    const DimPadding &from = rule.in(0).dims[dim];
    if (!extent)
      return rule.fail("the extent of dimension " + Twine(dim) +
                       " is no argument with 'gaudi.extent'");
    if (isPadded(from) &&
        rule.sizes.areEqual(extent, extentOf(from, rule.sizes)))
      continue;
    // The size of a collapsed dimension says nothing of where its elements are,
    // nor does that of a dimension that a reshape splits off.
    if (!isPrefix(from) ||
        (isPadded(from) && op.getOperand().getDefiningOp<ReshapeOp>())) {
      return rule.fail("dimension " + Twine(dim) + " has " +
                       rule.sizes.text(extentOf(from, rule.sizes)) +
                       " real elements but the marker says " +
                       rule.sizes.text(extent));
    }
    if (rule.sizes.rangeOf(extent).low >= sizeOf(from)) {
      if (isPadded(from))
        result.dims[dim] = {{sizeOf(from), AffineExpr(), false, {}}};
      continue;
    }
    const bool repeats = rule.in(0).repeatsAt(dim);
    result.dims[dim] = rule.prefix(sizeOf(from), extent);
    result.dims[dim].front().repeats = repeats;
  }
}

static void addMask(PaddingRule &rule, MaskOp op) {
  PaddingState &result = rule.result() = rule.in(0);
  if (result.splat != op.getValueAttr())
    result.splat = {};
  for (auto [dim, padding] : llvm::enumerate(result.dims)) {
    int64_t divisor = sizeOf(padding);
    for (Factor &factor : padding) {
      divisor /= std::max<int64_t>(1, factor.size);
      factor.repeats = false;
      if (factor.content != op.getValueAttr())
        factor.content = {};
      for (auto [i, masked] : llvm::enumerate(op.getDims())) {
        const AffineExpr extent = extentValue(op.getExtents()[i]);
        if (factor.isPadded() && masked == int64_t(dim) && extent &&
            op.getDivisor(i) == divisor && op.getModulus(i) >= factor.size &&
            rule.sizes.areEqual(extent, factor.extent))
          factor.content = op.getValueAttr();
      }
    }
  }
}

bool gaudi::addMoveRule(PaddingRule &rule) {
  return llvm::TypeSwitch<Operation *, bool>(rule.op)
      .Case([&](ConstantOp op) {
        if (auto splat = dyn_cast<SplatElementsAttr>(op.getValue()))
          rule.result().splat =
              dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
        return true;
      })
      .Case([&](FillOp op) {
        rule.result().splat = op.getValue();
        return true;
      })
      .Case([&](IotaOp op) {
        rule.result() =
            PaddingState::real(op.getType().getShape(), /*repeats=*/true);
        if (op.getType().getDimSize(op.getDim()) != 1)
          rule.result().dims[op.getDim()].front().repeats = false;
        return true;
      })
      .Case<TransposeOp, BroadcastOp, SliceOp, SplitOp>(
          [&](auto) { return addMoved(rule), true; })
      .Case([&](BitcastOp op) { return addBitcast(rule, op), true; })
      .Case([&](CopyOp op) { return rule.result() = rule.in(0), true; })
      .Case([&](ConcatOp op) { return addConcat(rule, op), true; })
      .Case([&](InsertSliceOp op) { return addInsertSlice(rule, op), true; })
      .Case([&](PadOp op) { return addPad(rule, op), true; })
      .Case([&](ValidOp op) { return addValid(rule, op), true; })
      .Case([&](MaskOp op) { return addMask(rule, op), true; })
      .Default(false);
}
