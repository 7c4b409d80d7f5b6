// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stablehlo.sort and chlo.top_k.
#include "../Common/MergeSort.h"
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// A comparator that orders by operands, the most important one first.
struct SortKey {
  size_t operand;
  bool isDescending;
  bool isByBits; ///< -0 comes before 0, and NaN where its sign puts it
};
using SortKeys = SmallVector<SortKey, 2>;

/// What an operand of a comparison stands for.
struct Compared {
  BlockArgument argument; ///< Null if it is anything else.
  bool unitesZeros = false, unitesNans = false;
};
} // namespace

/// Exporters compare after writing -0 as 0 and every NaN as one, which the sort
/// does by itself.
static Compared comparedArgument(Value value) {
  Compared result;
  // What each test is of, and the value before its select.
  SmallVector<std::pair<Value, Value>, 2> tested;
  auto select = value.getDefiningOp<SelectOp>();
  // From the outermost select inwards.
  while (select) {
    auto test = select.getCondition().getDefiningOp<CompareOp>();
    auto constant =
        dyn_cast_or_null<FloatAttr>(splatConstant(select.getOnTrue()));
    if (!test || !constant || isTotalOrder(test))
      return {};
    const APFloat number = constant.getValue();
    auto zero = dyn_cast_or_null<FloatAttr>(splatConstant(test.getRhs()));
    const bool unitesZeros = number.isZero() && zero &&
                             zero.getValue().isZero() &&
                             test.getPredicate() == ComparePredicate::EQ;
    // A negative NaN is the first of a total order, not the last.
    const bool unitesNans = number.isNaN() && !number.isNegative() &&
                            test.getLhs() == test.getRhs() &&
                            test.getPredicate() == ComparePredicate::NE;
    if (!unitesZeros && !unitesNans)
      return {};
    result.unitesZeros |= unitesZeros;
    result.unitesNans |= unitesNans;
    value = select.getOnFalse();
    tested.push_back({test.getLhs(), value});
    select = value.getDefiningOp<SelectOp>();
  }
  // Each test must be of the value itself, or of what is selected inside.
  for (auto [of, before] : tested)
    if (of != before && of != value)
      return {};
  result.argument = dyn_cast<BlockArgument>(value);
  return result;
}

/// The key by which `value`, a comparison of the two elements of one operand,
/// orders; EQ is a key, too.
static std::optional<SortKey> keyOf(Value value) {
  auto compare = value.getDefiningOp<CompareOp>();
  if (!compare)
    return std::nullopt;
  Compared lhs = comparedArgument(compare.getLhs());
  Compared rhs = comparedArgument(compare.getRhs());
  Block *block = compare->getBlock();
  if (!lhs.argument || !rhs.argument || lhs.argument.getOwner() != block ||
      rhs.argument.getOwner() != block || lhs.argument == rhs.argument ||
      lhs.argument.getArgNumber() / 2 != rhs.argument.getArgNumber() / 2)
    return std::nullopt;
  // compare(b, a) orders the other way.
  const bool isSwapped =
      lhs.argument.getArgNumber() > rhs.argument.getArgNumber();
  const bool isUnited =
      lhs.unitesZeros && rhs.unitesZeros && lhs.unitesNans && rhs.unitesNans;
  const bool isAnyUnited =
      lhs.unitesZeros || rhs.unitesZeros || lhs.unitesNans || rhs.unitesNans;
  if (isTotalOrder(compare) && isAnyUnited && !isUnited)
    return std::nullopt; // neither the order of bits nor that of numbers
  SortKey key{lhs.argument.getArgNumber() / 2, isSwapped,
              isTotalOrder(compare) && !isUnited};
  switch (compare.getPredicate()) {
  case ComparePredicate::GT:
  case ComparePredicate::GE:
    key.isDescending = !isSwapped;
    return key;
  case ComparePredicate::NE:
    return std::nullopt;
  default:
    return key;
  }
}

/// True if `value` is the comparison a == b by the key of `less`.
static bool isEqualityOf(Value value, const SortKey &less) {
  auto compare = value.getDefiningOp<CompareOp>();
  auto key = keyOf(value);
  return compare && key && compare.getPredicate() == ComparePredicate::EQ &&
         key->operand == less.operand && key->isByBits == less.isByBits;
}

static bool isStrict(Value value) {
  auto compare = value.getDefiningOp<CompareOp>();
  return compare && (compare.getPredicate() == ComparePredicate::LT ||
                     compare.getPredicate() == ComparePredicate::GT);
}

/// Reads a0 < b0 || (a0 == b0 && (a1 < b1 || ...)), with the operands of || and
/// && in any order, and adds its keys. Fails if the value is something else.
static LogicalResult readKeys(Value value, SortKeys &keys) {
  while (auto either = value.getDefiningOp<OrOp>()) {
    // Either operand of || may be the comparison, and of && the equality.
    Value less = either.getLhs(), rest = either.getRhs();
    if (!isStrict(less))
      std::swap(less, rest);
    auto key = isStrict(less) ? keyOf(less) : std::nullopt;
    auto both = rest.getDefiningOp<AndOp>();
    if (!key || !both)
      return failure();
    Value equal = both.getLhs(), next = both.getRhs();
    if (!isEqualityOf(equal, *key))
      std::swap(equal, next);
    if (!isEqualityOf(equal, *key))
      return failure();
    keys.push_back(*key);
    value = next;
  }
  // The last key stands alone.
  auto key = keyOf(value);
  auto compare = value.getDefiningOp<CompareOp>();
  if (!key || compare.getPredicate() == ComparePredicate::EQ)
    return failure();
  keys.push_back(*key);
  return success();
}

/// By keys: stable sorts from the least important key to the most important
/// one.
static SmallVector<Value> sortByKeys(Operation *op, ArrayRef<SortKey> keys,
                                     int64_t axis, HloBuilder &b) {
  Value order, values;
  auto inOrder = [&](Value value) -> Value {
    return GatherElementsOp::create(b, value.getType(), value, order, axis);
  };
  for (const SortKey &key : llvm::reverse(keys)) {
    Value by = op->getOperand(key.operand);
    if (getElementTypeOrSelf(by).isInteger(1))
      by = b.cast(by, b.getI8Type());
    if (key.isByBits)
      by = totalOrder(by, b);
    // Later keys sort what earlier ones have put in order.
    if (order)
      by = inOrder(by);
    RankedTensorType at = tensorType(by).clone(b.getI64Type());
    auto sorted =
        SortOp::create(b, by.getType(), at, by, axis, key.isDescending);
    order = order ? GatherElementsOp::create(b, at, order, sorted.getIndices(),
                                             axis)
                        .getResult()
                  : sorted.getIndices();
    values = sorted.getValues();
  }
  SmallVector<Value> results;
  // The key itself is sorted already, unless it was sorted in another type.
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    results.push_back(i == keys.front().operand &&
                              values.getType() == operand.getType()
                          ? values
                          : inOrder(operand));
  return results;
}

/// By any comparator. Operands that it does not read are sorted along if there
/// is one of them, else picked by the sorted positions.
static SmallVector<Value> sortByRegion(Operation *op, int64_t axis,
                                       HloBuilder &b) {
  Region &region = op->getRegion(0);
  auto isRead = [&](size_t i) {
    return !region.getArgument(2 * i).use_empty() ||
           !region.getArgument(2 * i + 1).use_empty();
  };
  SmallVector<Value> carried, unread;
  SmallVector<int64_t> placeOf;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    placeOf.push_back(isRead(i) ? int64_t(carried.size()) : -1);
    (isRead(i) ? carried : unread).push_back(operand);
  }
  // With several operands that the comparator does not read, their positions
  // are sorted once and the operands gathered.
  const bool hasOrder = unread.size() > 1 && !carried.empty();
  if (hasOrder)
    carried.push_back(IotaOp::create(
        b, tensorType(unread.front()).clone(b.getI64Type()), axis));
  else
    llvm::append_range(carried, unread);
  b.remarkKernel(op, "no sort of the device has this comparator");
  auto comesBefore = [&](KernelBuilder &k, ValueRange x, ValueRange y) {
    // Both stand for arguments that the comparator does not read.
    SmallVector<Value> arguments;
    for (int64_t place : placeOf)
      llvm::append_range(arguments,
                         ArrayRef<Value>{x[std::max<int64_t>(place, 0)],
                                         y[std::max<int64_t>(place, 0)]});
    return emitScalarRegion(k, region, arguments).front();
  };
  SmallVector<Value> sorted =
      mergeSort(b, b.getLoc(), carried, axis, comesBefore,
                op->getName().getStringRef(), b.numKernels);
  SmallVector<Value> results;
  size_t nextUnread = carried.size() - unread.size();
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (placeOf[i] >= 0)
      results.push_back(sorted[placeOf[i]]);
    else if (hasOrder)
      results.push_back(GatherElementsOp::create(b, operand.getType(), operand,
                                                 sorted.back(), axis));
    else
      results.push_back(sorted[nextUnread++]);
  }
  return results;
}

static LogicalResult checkSort(Operation *op, HloMatcher &m) {
  const size_t count = op->getNumOperands();
  if (count == 0 || failed(m.checkResults(count)) || op->getNumRegions() != 1)
    return m.refuse("expected as many results as operands, and one region");
  RankedTensorType type = tensorType(op->getOperand(0));
  for (auto [operand, result] :
       llvm::zip_equal(op->getOperands(), op->getResults()))
    if (operand.getType() != result.getType() ||
        tensorType(operand).getShape() != type.getShape())
      return m.refuse("operands and results must have one shape");
  Region &region = op->getRegion(0);
  if (failed(checkScalarRegion(region, m)))
    return failure();
  RankedTensorType boolean =
      RankedTensorType::get({}, IntegerType::get(op->getContext(), 1));
  if (region.getNumArguments() != 2 * count ||
      region.front().back().getOperandTypes() != TypeRange(boolean))
    return m.refuse("its comparator must take two elements of each operand "
                    "and return an i1");
  for (auto [i, argument] : llvm::enumerate(region.getArguments())) {
    Type element = getElementTypeOrSelf(op->getOperand(i / 2));
    if (argument.getType() != RankedTensorType::get({}, element))
      return m.refuse("argument " + Twine(i) +
                      " of its comparator must be a "
                      "scalar of type '" +
                      spelled(element) + "'");
  }
  return success();
}

HloMatch gaudi::matchSort(Operation *op, HloMatcher &m) {
  if (failed(checkSort(op, m)))
    return failure();
  const int64_t rank = tensorType(op->getOperand(0)).getRank();
  auto axis = m.integer("dimension", -rank, rank, int64_t(-1));
  if (failed(axis))
    return failure();
  const int64_t dim = *axis < 0 ? *axis + rank : *axis;
  SortKeys keys;
  if (succeeded(readKeys(op->getRegion(0).front().back().getOperand(0), keys)))
    return build([=](HloBuilder &b) { return sortByKeys(op, keys, dim, b); });
  return build([=](HloBuilder &b) { return sortByRegion(op, dim, b); });
}

HloMatch gaudi::matchTopK(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() != 1 || failed(m.checkResults(2)))
    return m.refuse("expected one operand and two results");
  RankedTensorType type = tensorType(op->getOperand(0));
  RankedTensorType values = tensorType(op->getResult(0));
  RankedTensorType indices = tensorType(op->getResult(1));
  if (type.getRank() == 0 || values.getRank() != type.getRank() ||
      indices.getShape() != values.getShape() ||
      !(indices.getElementType().isInteger(32) ||
        indices.getElementType().isInteger(64)))
    return m.refuse("expected values and i32 or i64 indices of the operand's "
                    "rank");
  auto axis = m.integer("dimension", 0, type.getRank(), type.getRank() - 1);
  if (failed(axis))
    return failure();
  const int64_t size = values.getDimSize(*axis);
  const int64_t most = type.getDimSize(*axis);
  // Without 'k' the results say it.
  auto k = m.integer("k", 0, most + 1, size);
  if (failed(k))
    return failure();
  if (*k != size)
    return m.refuse("'k' is " + Twine(*k) + ", but dimension " + Twine(*axis) +
                    " of the results has " + Twine(size) + " elements");
  auto largest = op->getAttrOfType<BoolAttr>("largest");
  const bool isSmallest = largest && !largest.getValue();
  return build([op, isSmallest, axis = *axis](HloBuilder &b) {
    auto top = TopKOp::create(b, op->getResult(0).getType(),
                              op->getResult(1).getType(), op->getOperand(0),
                              axis, isSmallest);
    return SmallVector<Value>{top.getValues(), top.getIndices()};
  });
}
