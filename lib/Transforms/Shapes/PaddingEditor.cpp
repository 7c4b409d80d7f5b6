// Ops that replace padding.
#include "PaddingEditor.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/Symbols.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace mlir::gaudi;

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
  Builder builder(function.getContext());
  const unsigned number = function.getNumArguments();
  const auto map = AffineMapAttr::get(AffineMap::get(0, sizes.size(), expr));
  const LogicalResult inserted = function.insertArgument(
      number, RankedTensorType::get({}, builder.getI32Type()),
      builder.getDictionaryAttr(builder.getNamedAttr(extentAttrName, map)),
      function.getLoc());
  assert(succeeded(inserted) && "a function with a body takes arguments");
  (void)inserted;
  return value = function.getArgument(number);
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
