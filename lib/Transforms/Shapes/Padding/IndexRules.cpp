// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of gathers and scatters: an index that is padding must stop no launch,
// and write no real element.
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

static SmallVector<int64_t> allDims(const PaddingState &state) {
  return llvm::to_vector(llvm::seq<int64_t>(0, state.dims.size()));
}

static TypedAttr indexOf(Type type, int64_t value) {
  return IntegerAttr::get(type, value);
}

/// Padded indices are in [0, size): 0 if nothing else is known.
static void requireInside(PaddingRule &rule, unsigned operand, int64_t size) {
  rule.require(operand, allDims(rule.in(operand)),
               indexOf(rule.elementOf(operand), 0), [&](TypedAttr content) {
                 auto index = dyn_cast<IntegerAttr>(content);
                 return index && index.getInt() >= 0 && index.getInt() < size;
               });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// The largest number of a constant, or none.
static std::optional<int64_t> largest(Attribute value) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return number.getInt();
  auto numbers = dyn_cast_or_null<DenseIntElementsAttr>(value);
  if (!numbers || numbers.empty() ||
      (!numbers.isSplat() && numbers.getNumElements() > 4096))
    return std::nullopt;
  int64_t most = std::numeric_limits<int64_t>::min();
  for (const APInt &number : numbers)
    most = std::max(most, number.getSExtValue());
  return most;
}

static bool isBelow(Value value, AffineExpr extent, const SymbolSizes &sizes,
                    int depth) {
  auto less = [&](AffineExpr expr) {
    return sizes.rangeOf(sizes.simplify(extent - expr)).low > 0;
  };
  if (AffineExpr own = extentValue(value))
    return less(own);
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto operand = [&](unsigned number) {
    return isBelow(op->getOperand(number), extent, sizes, depth - 1);
  };
  auto isConstantBelow = [&](Attribute constant) {
    auto most = largest(constant);
    return most && less(sizes.constant(*most));
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ReshapeOp, BroadcastOp, TransposeOp, SliceOp, CopyOp, ValidOp,
            GatherOp>([&](auto) { return operand(0); })
      .Case([&](CastOp cast) {
        const Type from = getElementTypeOrSelf(cast.getOperand()),
                   to = cast.getType().getElementType();
        return from.isSignlessInteger() && to.isSignlessInteger() &&
               from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth() &&
               operand(0);
      })
      .Case([&](MinOp) { return operand(0) || operand(1); })
      .Case([&](MaxOp) { return operand(0) && operand(1); })
      .Case([&](SelectOp) { return operand(1) && operand(2); })
      .Case<ConstantOp, FillOp>(
          [&](auto constant) { return isConstantBelow(constant.getValue()); })
      .Default(false);
}

bool gaudi::isIndexBelow(Value value, AffineExpr extent,
                         const SymbolSizes &sizes) {
  return isBelow(value, extent, sizes, /*depth=*/16);
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

static void addGather(PaddingRule &rule, GatherOp op) {
  const int64_t axis = op.getAxis(), batch = op.getBatchDims();
  const int64_t rank = rule.in(0).dims.size(),
                own = rule.in(1).dims.size() - batch;
  PaddingState &result = rule.result();
  rule.setSameDims();
  for (int64_t dim = batch; dim < rank; ++dim)
    if (dim != axis)
      for (auto [i, factor] :
           llvm::enumerate(result.dims[dim < axis ? dim : dim - 1 + own]))
        factor.content = rule.in(0).contentAt(dim, i);
  for (int64_t i = 0; i < own; ++i)
    for (Factor &factor : result.dims[axis + i])
      factor.repeats = rule.in(1).repeatsAt(batch + i);
  result.splat = rule.in(0).splat;
  rule.requireBound(1, 0, axis);
  if (rule.requirePrefix(0, axis, indicesCount))
    requireInside(rule, 1, tensorType(op.getData()).getDimSize(axis));
}

/// The other dimensions of data are those of the indices, unless larger.
static DimPadding elementDim(PaddingRule &rule, int64_t dim) {
  const int64_t size = sizeOf(rule.in(1).dims[dim]);
  if (sizeOf(rule.in(0).dims[dim]) == size)
    return rule.common({{0, dim}, {1, dim}}, size);
  rule.requirePrefix(0, dim, indicesCount);
  return rule.same(1, dim);
}

static void addGatherElements(PaddingRule &rule, GatherElementsOp op) {
  const int64_t axis = op.getAxis();
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
    rule.result().dims[dim] =
        dim == axis ? rule.same(1, dim) : elementDim(rule, dim);
  rule.requireBound(1, 0, axis);
  if (rule.requirePrefix(0, axis, indicesCount))
    requireInside(rule, 1, tensorType(op.getData()).getDimSize(axis));
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// The number that changes no other when it is added: also of -0 the sign.
static TypedAttr nothingToAdd(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type ? FloatAttr::get(type,
                               APFloat::getZero(type.getFloatSemantics(), true))
              : zeroOf(element);
}

/// Rows that are padding get an index outside data, which drops them. A
/// gather of the numbers of all rows stops the launch where the program has an
/// index outside.
static void dropPadding(Operation *op, PaddingEditor &editor,
                        ArrayRef<Condition> conditions) {
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  const Value indices = op->getOperand(1);
  RankedTensorType type = tensorType(indices);
  const int64_t rows = tensorType(op->getOperand(0)).getDimSize(1);
  Value checked = indices;
  if (rows > 0) {
    const Value numbers = IotaOp::create(
        builder, loc, RankedTensorType::get({rows}, type.getElementType()), 0);
    checked = GatherOp::create(builder, loc, type, numbers, indices,
                               /*axis=*/0, /*batch_dims=*/0);
  }
  checked = editor.masked(builder, loc, checked, conditions,
                          indexOf(type.getElementType(), -1));
  auto result = ScatterRowsOp::create(builder, loc, op->getResult(0).getType(),
                                      op->getOperand(0), checked,
                                      op->getOperand(2), /*accumulate=*/false,
                                      /*drop_outside=*/true);
  op->replaceAllUsesWith(result);
  op->erase();
}

/// data [N, K, C], indices [N, W], updates [N, W, C].
static void addScatterRows(PaddingRule &rule, bool accumulates, bool drops) {
  PaddingState &result = rule.result();
  const ArrayRef<int64_t> shape = tensorType(rule.op->getResult(0)).getShape();
  if (rule.countsPadding() && !rule.requireOwnDims())
    return;
  for (int64_t dim : {0, 1}) {
    rule.alignPadding(1, 2, dim);
    rule.alignPadding(2, 1, dim);
  }
  result.dims[0] = rule.common({{0, 0}, {1, 0}, {2, 0}}, shape[0]);
  result.dims[1] = rule.same(0, 1);
  result.dims[2] = rule.common({{0, 2}, {2, 2}}, shape[2]);
  // Real rows are in the order of the program, also in a collapsed dimension:
  // the last of equal indices is the same one.
  if (!drops)
    rule.requireBound(1, 0, 1);
  if (!rule.countsPadding() && !rule.requirePrefix(0, 1, indicesCount))
    return;
  rule.common({{1, 1}, {2, 1}}, sizeOf(rule.in(1).dims[1]));
  if (!rule.isPadded(1, {0, 1}) && !rule.isPadded(2, {0, 1}))
    return;
  // Padding of either operand is padding of the row.
  PaddingState state = rule.in(1);
  for (int64_t dim : {0, 1})
    if (!state.isPadded(dim))
      state.dims[dim] = rule.in(2).dims[dim];
  SmallVector<Condition> conditions;
  for (int64_t dim : {0, 1})
    state.addConditions(dim, conditions);
  const Type index = rule.elementOf(1);
  rule.out.masks.push_back({1, conditions, indexOf(index, drops ? -1 : 0)});
  if (accumulates && !drops)
    rule.out.masks.push_back({2, conditions, nothingToAdd(rule.elementOf(2))});
  else if (!drops)
    rule.setEdit("dropped rows that are padding",
                 [=](Operation *op, PaddingEditor &editor) {
                   dropPadding(op, editor, conditions);
                 });
}

/// Padding along `axis` writes what the last real element before it does, and
/// lines of padding what is there.
static void rewritePadding(ScatterElementsOp op, PaddingEditor &editor,
                           AffineExpr extent, ArrayRef<Condition> lines) {
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  if (extent)
    for (unsigned operand : {1, 2})
      op->setOperand(operand,
                     editor.repeatedLast(builder, loc, op->getOperand(operand),
                                         op.getAxis(), extent));
  if (lines.empty())
    return;
  RankedTensorType type = tensorType(op.getUpdates());
  const Value indices =
      editor.masked(builder, loc, op.getIndices(), lines,
                    indexOf(getElementTypeOrSelf(op.getIndices()), 0));
  const Value old = GatherElementsOp::create(builder, loc, type, op.getData(),
                                             indices, op.getAxis());
  op->setOperand(1, indices);
  op->setOperand(2, editor.blended(builder, loc, op.getUpdates(), old, lines));
}

static void addScatterElements(PaddingRule &rule, ScatterElementsOp op) {
  const int64_t axis = op.getAxis();
  PaddingState &result = rule.result() = rule.in(0);
  result.splat = {};
  rule.requireBound(1, 0, axis);
  // Of padding: that along the axis, and that of lines which are no padding of
  // data.
  AffineExpr extent;
  SmallVector<Condition> lines;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    result.dims[dim] = structureOf(result.dims[dim]);
    rule.alignPadding(1, 2, dim);
    rule.alignPadding(2, 1, dim);
    const DimPadding written =
        rule.common({{1, dim}, {2, dim}}, sizeOf(rule.in(1).dims[dim]));
    const bool isWhole =
        dim != axis && sizeOf(written) == sizeOf(rule.in(0).dims[dim]);
    if (isWhole)
      rule.common({{0, dim}, {1, dim}, {2, dim}}, sizeOf(written));
    else if (!rule.requirePrefix(0, dim, indicesCount))
      return;
    const unsigned padded = rule.isPadded(1, {dim}) ? 1 : 2;
    if (!isPadded(written) || (isWhole && rule.isPadded(0, {dim})))
      continue;
    if (dim == axis && !op.getAccumulate() && !isPrefix(written)) {
      rule.compact(1, dim, "its last element is repeated");
      rule.compact(2, dim, "its last element is repeated");
      return;
    }
    if (dim == axis)
      extent = written.front().extent;
    else
      rule.in(padded).addConditions(dim, lines);
  }
  if (op.getAccumulate() || (!extent && lines.empty())) {
    requireInside(rule, 1, tensorType(op.getData()).getDimSize(axis));
    if (op.getAccumulate())
      rule.require(2, allDims(rule.in(2)), nothingToAdd(rule.elementOf(2)));
    return;
  }
  if (extent && rule.sizes.rangeOf(extent).low < 1)
    return rule.fail("it may have no element along dimension " + Twine(axis) +
                     " that padding could write again; a least size of 1 for " +
                     rule.sizes.text(extent) + " would help");
  // Lines of padding that are padding of data as well are written anywhere.
  SmallVector<int64_t> others = allDims(rule.in(1));
  llvm::erase(others, axis);
  rule.require(1, others, indexOf(rule.elementOf(1), 0));
  rule.setEdit("let padding write what is there already",
               [=](Operation *op, PaddingEditor &editor) {
                 rewritePadding(cast<ScatterElementsOp>(op), editor, extent,
                                lines);
               });
}

bool gaudi::addIndexRule(PaddingRule &rule) {
  return llvm::TypeSwitch<Operation *, bool>(rule.op)
      .Case([&](GatherOp op) { return addGather(rule, op), true; })
      .Case([&](GatherElementsOp op) {
        return addGatherElements(rule, op), true;
      })
      .Case([&](ScatterOp) { return addScatterRows(rule, false, false), true; })
      .Case([&](ScatterRowsOp op) {
        addScatterRows(rule, op.getAccumulate(), op.getDropOutside());
        return true;
      })
      .Case([&](ScatterElementsOp op) {
        return addScatterElements(rule, op), true;
      })
      .Default(false);
}
