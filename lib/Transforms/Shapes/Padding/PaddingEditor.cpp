// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that replace padding.
#include "PaddingEditor.h"
#include "../Symbols/Extents.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/Symbols.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace gaudi;

BlockArgument gaudi::addExtent(func::FuncOp function, AffineExpr size,
                               unsigned symbols) {
  Builder builder(function.getContext());
  const unsigned number = function.getNumArguments();
  const auto map = AffineMapAttr::get(AffineMap::get(0, symbols, size));
  [[maybe_unused]] const LogicalResult inserted = function.insertArgument(
      number, RankedTensorType::get({}, builder.getI32Type()),
      builder.getDictionaryAttr(builder.getNamedAttr(extentAttrName, map)),
      function.getLoc());
  assert(succeeded(inserted) && "a function with a body takes arguments");
  return function.getArgument(number);
}

PaddingEditor::PaddingEditor(func::FuncOp function, const SymbolSizes &sizes)
    : sizes(sizes), function(function) {
  for (BlockArgument argument : function.getArguments())
    if (AffineExpr expr = extentValue(argument))
      extents.try_emplace(sizes.simplify(expr), argument);
}

Value PaddingEditor::extent(AffineExpr expr) {
  expr = sizes.simplify(expr);
  Value &value = extents[expr];
  if (value)
    return value;
  return value = addExtent(function, expr, sizes.size());
}

Value PaddingEditor::extent(OpBuilder &builder, Location loc, AffineExpr expr,
                            int64_t rank) {
  const Value scalar = extent(expr);
  if (rank == 0)
    return scalar;
  return ReshapeOp::create(builder, loc,
                           RankedTensorType::get(SmallVector<int64_t>(rank, 1),
                                                 builder.getI32Type()),
                           scalar);
}

Value PaddingEditor::masked(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<Condition> conditions, TypedAttr content) {
  SmallVector<int64_t> dims, divisors, moduli;
  SmallVector<Value> bounds;
  bool isPlain = true;
  for (const Condition &condition : conditions) {
    const int64_t size = tensorType(value).getDimSize(condition.dim);
    assert(condition.divisor * condition.modulus <= size &&
           "a factor is a part of the dimension");
    dims.push_back(condition.dim);
    divisors.push_back(condition.divisor);
    moduli.push_back(condition.modulus);
    isPlain &= condition.divisor == 1 && condition.modulus == size;
    bounds.push_back(extent(condition.extent));
  }
  auto entries = [&](ArrayRef<int64_t> values) {
    return isPlain ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(values);
  };
  return MaskOp::create(builder, loc, value.getType(), value,
                        builder.getDenseI64ArrayAttr(dims), entries(divisors),
                        entries(moduli), bounds, content);
}

//===----------------------------------------------------------------------===//
// Positions of elements
//===----------------------------------------------------------------------===//

static AffineExpr countOf(const Factor &factor, const SymbolSizes &sizes) {
  return factor.isPadded() ? factor.extent : sizes.constant(factor.size);
}

Value PaddingEditor::positions(ArrayRef<Factor> to, ArrayRef<Factor> from) {
  for (const Moved &known : moves)
    if (to == ArrayRef(known.to) && from == ArrayRef(known.from))
      return known.positions;
  const int64_t size = sizeOf(DimPadding(to));
  assert(size == sizeOf(DimPadding(from)) && "a reshape keeps all elements");
  // They depend on sizes only, and serve all that is moved alike.
  IndexMath math(*this, OpBuilder::atBlockBegin(&function.front()),
                 function.getLoc());
  // The number that the program gives to an element: that of its indices.
  const Value place = math.iota(size);
  Value number = place;
  if (to.size() > 1) {
    int64_t divisor = 1;
    AffineExpr stride = sizes.constant(1);
    number = nullptr;
    for (const Factor &factor : llvm::reverse(to)) {
      Value index = place;
      if (divisor > 1)
        index = math.div(index, math.constant(divisor));
      divisor *= factor.size;
      if (divisor < size)
        index = math.rem(index, math.constant(factor.size));
      Value part = number ? math.mul(index, math.extent(stride)) : index;
      number = number ? math.add(number, part) : part;
      stride = sizes.simplify(stride * countOf(factor, sizes));
    }
  }
  // Where the element of this number is.
  Value position = number;
  if (from.size() > 1) {
    int64_t divisor = 1;
    position = nullptr;
    for (auto [i, factor] : llvm::enumerate(llvm::reverse(from))) {
      Value index = number;
      if (i + 1 < from.size()) {
        const AffineExpr extent = countOf(factor, sizes);
        Value count = math.extent(extent);
        if (sizes.rangeOf(extent).low < 1)
          count = math.max(count, math.constant(1));
        index = math.rem(number, count);
        number = math.div(number, count);
      }
      if (divisor > 1)
        index = math.mul(index, math.constant(divisor));
      position = position ? math.add(position, index) : index;
      divisor *= factor.size;
    }
  }
  // Those of padding may be anywhere.
  position = math.min(position, math.constant(size - 1));
  moves.push_back(
      {SmallVector<Factor>(to), SmallVector<Factor>(from), position});
  return position;
}

Value PaddingEditor::compacted(OpBuilder &builder, Location loc, Value value,
                               int64_t dim, const DimPadding &factors) {
  const Factor whole{sizeOf(factors), extentOf(factors, sizes), false, {}};
  return GatherOp::create(builder, loc, value.getType(), value,
                          positions(whole, structureOf(factors)), dim,
                          /*batch_dims=*/0);
}

Value PaddingEditor::bounded(OpBuilder &builder, Location loc, Value indices,
                             AffineExpr extent, int64_t size) {
  RankedTensorType type = tensorType(indices);
  const Type element = type.getElementType();
  Value limit = this->extent(builder, loc, extent, type.getRank());
  if (element != tensorType(limit).getElementType())
    limit = CastOp::create(builder, loc, tensorType(limit).clone(element),
                           limit, RoundingMode::TowardZero);
  const Value isReal =
      CompareOp::create(builder, loc, type.clone(builder.getI1Type()),
                        ComparePredicate::LT, indices, limit);
  const Value outside = FillOp::create(
      builder, loc,
      RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1), element),
      builder.getIntegerAttr(element, size), Engine::Unplaced);
  return SelectOp::create(builder, loc, type, isReal, indices, outside);
}

Value PaddingEditor::blended(OpBuilder &builder, Location loc, Value value,
                             Value other, ArrayRef<Condition> conditions) {
  RankedTensorType type = tensorType(value);
  const Type i1 = builder.getI1Type();
  const Value ones =
      FillOp::create(builder, loc, type.clone(i1), builder.getBoolAttr(true),
                     Engine::Unplaced);
  const Value isReal =
      masked(builder, loc, ones, conditions, builder.getBoolAttr(false));
  return SelectOp::create(builder, loc, type, isReal, value, other);
}

Value PaddingEditor::repeatedLast(OpBuilder &builder, Location loc, Value value,
                                  int64_t dim, AffineExpr extent) {
  IndexMath math(*this, builder, loc);
  Value index = math.min(math.iota(tensorType(value).getDimSize(dim)),
                         math.extent(extent - 1));
  if (sizes.rangeOf(extent).low < 1)
    index = math.max(index, math.constant(0));
  return GatherOp::create(builder, loc, value.getType(), value, index, dim,
                          /*batch_dims=*/0);
}

void PaddingEditor::repeatLast(
    Operation *op, ArrayRef<std::pair<int64_t, AffineExpr>> extents) {
  OpBuilder builder(op);
  for (const auto &[dim, extent] : extents)
    op->setOperand(
        0, repeatedLast(builder, op->getLoc(), op->getOperand(0), dim, extent));
}

void gaudi::replaceInF32(
    Operation *op, llvm::function_ref<Value(OpBuilder &, Value)> compute) {
  OpBuilder builder(op);
  const Type f32 = builder.getF32Type();
  RankedTensorType type = tensorType(op->getResult(0));
  Value operand = op->getOperand(0);
  if (!type.getElementType().isF32())
    operand =
        CastOp::create(builder, op->getLoc(), tensorType(operand).clone(f32),
                       operand, RoundingMode::TowardZero);
  Value result = compute(builder, operand);
  if (!type.getElementType().isF32())
    result = CastOp::create(builder, op->getLoc(), type, result,
                            RoundingMode::TowardZero);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

template <typename Op> Value IndexMath::binary(Value a, Value b) {
  const int64_t size =
      std::max(tensorType(a).getDimSize(0), tensorType(b).getDimSize(0));
  return Op::create(builder, loc,
                    RankedTensorType::get({size}, builder.getI32Type()), a, b);
}

Value IndexMath::iota(int64_t size) {
  return IotaOp::create(builder, loc,
                        RankedTensorType::get({size}, builder.getI32Type()), 0);
}

Value IndexMath::constant(int64_t value) {
  return FillOp::create(builder, loc,
                        RankedTensorType::get({1}, builder.getI32Type()),
                        builder.getI32IntegerAttr(value), Engine::Unplaced);
}

Value IndexMath::add(Value a, Value b) { return binary<AddOp>(a, b); }
Value IndexMath::sub(Value a, Value b) { return binary<SubOp>(a, b); }
Value IndexMath::mul(Value a, Value b) { return binary<MulOp>(a, b); }
Value IndexMath::div(Value a, Value b) { return binary<DivOp>(a, b); }
Value IndexMath::rem(Value a, Value b) { return binary<RemOp>(a, b); }
Value IndexMath::min(Value a, Value b) { return binary<MinOp>(a, b); }
Value IndexMath::max(Value a, Value b) { return binary<MaxOp>(a, b); }

Value IndexMath::isLess(Value a, Value b) {
  return CompareOp::create(builder, loc,
                           tensorType(a).clone(builder.getI1Type()),
                           ComparePredicate::LT, a, b);
}

Value IndexMath::select(Value condition, Value a, Value b) {
  return SelectOp::create(builder, loc,
                          tensorType(condition).clone(builder.getI32Type()),
                          condition, a, b);
}

void IndexMath::replaceByGather(Value value, Value index, int64_t axis) {
  assert(tensorType(value).getDimSize(axis) ==
             tensorType(index).getDimSize(0) &&
         "one index per element of the axis");
  builder.setInsertionPointAfterValue(value);
  if (Operation *op = index.getDefiningOp();
      op && value.getDefiningOp()->isBeforeInBlock(op))
    builder.setInsertionPointAfter(op);
  auto gather = GatherOp::create(builder, loc, value.getType(), value, index,
                                 axis, /*batch_dims=*/0);
  value.replaceAllUsesExcept(gather, gather);
}
