// Sort and top-k with any comparator.
//
// A comparator that compares one key is the library's sort, which moves the
// other operands by the positions that it gives. For any other the position of
// each element is counted.
#include "ExtOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

namespace {
/// A comparator that orders by one operand.
struct SortKey {
  unsigned operand;
  bool descending;
};
} // namespace

/// 1 if the comparison holds for a smaller left side, -1 for a larger, 0 if it
/// is of another kind. Signless integers of the device are signed.
static int direction(Operation *compare) {
  if (auto floats = dyn_cast<arith::CmpFOp>(compare)) {
    switch (floats.getPredicate()) {
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::OLE:
    case arith::CmpFPredicate::ULT:
    case arith::CmpFPredicate::ULE:
      return 1;
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::OGE:
    case arith::CmpFPredicate::UGT:
    case arith::CmpFPredicate::UGE:
      return -1;
    default:
      return 0;
    }
  }
  if (auto integers = dyn_cast<arith::CmpIOp>(compare)) {
    switch (integers.getPredicate()) {
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::sle:
      return 1;
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::sge:
      return -1;
    default:
      return 0;
    }
  }
  return 0;
}

/// The comparator has arguments (a0, b0, a1, b1, ...).
static std::optional<SortKey> sortKey(Region &region) {
  Operation *compare =
      region.front().getTerminator()->getOperand(0).getDefiningOp();
  if (!compare || compare->getNumOperands() != 2)
    return std::nullopt;
  auto lhs = dyn_cast<BlockArgument>(compare->getOperand(0));
  auto rhs = dyn_cast<BlockArgument>(compare->getOperand(1));
  const int sign = direction(compare);
  // The library has no order of single bits.
  if (sign == 0 || !lhs || !rhs || lhs == rhs ||
      lhs.getOwner() != &region.front() || rhs.getOwner() != &region.front() ||
      lhs.getArgNumber() / 2 != rhs.getArgNumber() / 2 ||
      lhs.getType().isInteger(1))
    return std::nullopt;
  const bool isSwapped = lhs.getArgNumber() > rhs.getArgNumber();
  return SortKey{lhs.getArgNumber() / 2, (sign < 0) != isSwapped};
}

Value fromlinalg::createIota(OpBuilder &b, Location loc, RankedTensorType type,
                             int64_t dim) {
  return createNest(b, loc, type, [&](IndexBuilder &inner) {
    return arith::IndexCastOp::create(inner.b, inner.loc, type.getElementType(),
                                      inner.loop(dim))
        .getResult();
  });
}

/// True if every element of `value` is its position along `dim`.
static bool isIota(Value value, int64_t dim) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInits() != 1 ||
      !generic.getMatchingIndexingMap(generic.getDpsInitOperand(0))
           .isIdentity())
    return false;
  auto cast = generic.getBody()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<arith::IndexCastOp>();
  auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
  return index && int64_t(index.getDim()) == dim;
}

/// Elements of `value` at the positions along `dim`.
static Value pick(OpBuilder &b, Location loc, Value value, Value positions,
                  int64_t dim) {
  Type element = tensorType(value).getElementType();
  auto type = tensorType(positions).clone(element);
  // Positions as i64 or i32 fit in those types.
  if (isIota(value, dim) && (element.isInteger(64) || element.isInteger(32)))
    return castTo(b, loc, positions, element);
  return GatherElementsOp::create(b, loc, type, value, positions, dim);
}

/// Positions of the elements in sorted order, by counting for each element
/// those that come before it: it costs the square of the dimension's size. Of
/// elements that the comparator holds for equal, the first comes first, whether
/// it is strict (<) or not (<=).
///
/// Counts are distinct if the comparator is an order. If it is not (a NaN that
/// is unordered with everything), some positions are never written, and keep
/// one that is inside the tensor.
static Value countedOrder(OpBuilder &b, const ExtOp &op,
                          ArrayRef<Value> operands, int64_t dim) {
  Location loc = op.loc();
  auto type = tensorType(operands[0]).clone(b.getI64Type());
  const int64_t rank = type.getRank();
  SmallVector<AffineExpr> here, there;
  for (int64_t i = 0; i < rank; ++i) {
    here.push_back(b.getAffineDimExpr(i));
    there.push_back(b.getAffineDimExpr(i == dim ? rank : i));
  }
  AffineMap at = AffineMap::get(rank + 1, 0, here, b.getContext());
  AffineMap other = AffineMap::get(rank + 1, 0, there, b.getContext());
  SmallVector<Access> inputs;
  for (Value operand : operands) {
    inputs.push_back({operand, at});
    inputs.push_back({operand, other});
  }
  Value zero = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, b.getI64IntegerAttr(0)));
  auto count = [&](IndexBuilder &inner, ValueRange elements) {
    ValueRange pairs = elements.drop_back();
    SmallVector<Value> swapped;
    for (size_t i = 0; i < pairs.size(); i += 2)
      swapped.append({pairs[i + 1], pairs[i]});
    Value isBefore = cloneBody(inner.b, *op.body, pairs).front();
    Value isAfter = cloneBody(inner.b, *op.body, swapped).front();
    Value isEqual = inner.compare(arith::CmpIPredicate::eq, isBefore, isAfter);
    Value isEarlier = inner.compare(arith::CmpIPredicate::slt, inner.loop(rank),
                                    inner.loop(dim));
    Value counts = inner.select(isEqual, isEarlier, isAfter);
    Value one =
        arith::ExtUIOp::create(inner.b, inner.loc, b.getI64Type(), counts);
    return SmallVector<Value>{
        arith::AddIOp::create(inner.b, inner.loc, elements.back(), one)};
  };
  Value places =
      createNest(b, loc, inputs, {{zero, at}}, {rank}, count).front();
  remarkMissed(op.op, "raise",
               "order counted: the comparator does not compare one key, so "
               "that each of " +
                   Twine(type.getNumElements()) +
                   " elements is compared with " + Twine(type.getDimSize(dim)));
  Value iota = createIota(b, loc, type, dim);
  return ScatterElementsOp::create(b, loc, type, iota, places, iota, dim,
                                   /*accumulate=*/false);
}

SmallVector<Value> fromlinalg::expandSort(OpBuilder &b, const ExtOp &op,
                                          int64_t dim) {
  Location loc = op.loc();
  ArrayRef<Value> operands = op.inputs.empty() ? op.outputs : op.inputs;
  SmallVector<Value> results;
  if (auto key = sortKey(*op.body)) {
    Value keys = operands[key->operand];
    auto sorted = SortOp::create(b, loc, keys.getType(),
                                 tensorType(keys).clone(b.getI64Type()), keys,
                                 dim, key->descending);
    for (auto [i, operand] : llvm::enumerate(operands))
      results.push_back(i == key->operand
                            ? sorted.getValues()
                            : pick(b, loc, operand, sorted.getIndices(), dim));
    remarkPassed(op.op, "raise", "raised to gaudi.tpc.sort");
    return results;
  }
  Value order = countedOrder(b, op, operands, dim);
  for (Value operand : operands)
    results.push_back(pick(b, loc, operand, order, dim));
  return results;
}

/// True if no element can come after the init: its contents do not matter.
static bool isLast(Value init, bool descending) {
  if (isUndefined(init))
    return true;
  TypedAttr fill = fillOf(init);
  if (auto number = dyn_cast_or_null<FloatAttr>(fill)) {
    const APFloat value = number.getValue();
    return value.isNegative() == descending &&
           (value.isInfinity() || value.isLargest());
  }
  auto number = dyn_cast_or_null<IntegerAttr>(fill);
  return number && (descending ? number.getValue().isMinSignedValue()
                               : number.getValue().isMaxSignedValue());
}

/// The inits take part: what they hold stays unless something better comes. The
/// comparator asks whether an element takes the place of one that is held.
SmallVector<Value> fromlinalg::expandTopK(OpBuilder &b, const ExtOp &op,
                                          int64_t dim) {
  Location loc = op.loc();
  auto result = op.resultType(0);
  const bool hasIndices = op.outputs.size() == 2;
  Type indexElement =
      hasIndices ? op.resultType(1).getElementType() : Type(b.getI64Type());
  Value values = op.inputs[0];
  Value indices = op.inputs.size() == 2 ? op.inputs[1] : Value();
  auto key = sortKey(*op.body);
  if (!key || !isLast(op.outputs[0], key->descending) ||
      result.getDimSize(dim) > tensorType(values).getDimSize(dim)) {
    if (!indices)
      indices = createIota(b, loc, tensorType(values).clone(indexElement), dim);
    if (hasIndices)
      indices = tensor::ConcatOp::create(
          b, loc, dim,
          ValueRange{op.outputs[1], castTo(b, loc, indices, indexElement)});
    values = tensor::ConcatOp::create(b, loc, dim,
                                      ValueRange{op.outputs[0], values});
  }
  Value best, positions;
  auto at = result.clone(b.getI64Type());
  if (key) {
    auto top = TopKOp::create(b, loc, result, at, values, dim,
                              /*smallest=*/!key->descending);
    best = top.getValues();
    positions = top.getIndices();
    remarkPassed(op.op, "raise", "raised to gaudi.tpc.top_k");
  } else {
    Value order = countedOrder(b, op, values, dim);
    SmallVector<OpFoldResult> offsets(at.getRank(), b.getIndexAttr(0)), sizes;
    SmallVector<OpFoldResult> strides(at.getRank(), b.getIndexAttr(1));
    for (int64_t size : at.getShape())
      sizes.push_back(b.getIndexAttr(size));
    positions = tensor::ExtractSliceOp::create(b, loc, at, order, offsets,
                                               sizes, strides);
    best = pick(b, loc, values, positions, dim);
  }
  SmallVector<Value> results{best};
  if (hasIndices)
    results.push_back(castTo(
        b, loc, indices ? pick(b, loc, indices, positions, dim) : positions,
        indexElement));
  return results;
}
