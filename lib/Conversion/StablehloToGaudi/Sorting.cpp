// stablehlo.sort by one key, and chlo.top_k.
#include "Converter.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// A comparator that orders by one operand.
struct SortKey {
  size_t operand;
  bool descending;
};
} // namespace

/// The argument that an operand of the comparison stands for. Exporters compare
/// after writing -0 as 0 and every NaN as one, which the sort does by itself.
static BlockArgument comparedArgument(Value value) {
  auto select = value.getDefiningOp<SelectOp>();
  while (select) {
    auto test = select.getCondition().getDefiningOp<CompareOp>();
    auto constant =
        dyn_cast_or_null<FloatAttr>(splatConstant(select.getOnTrue()));
    if (!test || !constant)
      return {};
    const APFloat number = constant.getValue();
    auto zero = dyn_cast_or_null<FloatAttr>(splatConstant(test.getRhs()));
    const bool unitesZeros = number.isZero() && zero &&
                             zero.getValue().isZero() &&
                             test.getPredicate() == ComparePredicate::EQ;
    const bool unitesNans = number.isNaN() && test.getLhs() == test.getRhs() &&
                            test.getPredicate() == ComparePredicate::NE;
    if (!unitesZeros && !unitesNans)
      return {};
    value = select.getOnFalse();
    select = value.getDefiningOp<SelectOp>();
    // The test is of the same element.
    if (!select && test.getLhs() != value)
      return {};
  }
  return dyn_cast<BlockArgument>(value);
}

/// The comparator of n operands has arguments (a0, b0, a1, b1, ...) and says
/// whether a comes before b.
static std::optional<SortKey> sortKey(Region &region) {
  if (!region.hasOneBlock() || !endsInReturn(region.front()) ||
      region.front().back().getNumOperands() != 1)
    return std::nullopt;
  auto compare = region.front().back().getOperand(0).getDefiningOp<CompareOp>();
  if (!compare)
    return std::nullopt;
  BlockArgument lhs = comparedArgument(compare.getLhs());
  BlockArgument rhs = comparedArgument(compare.getRhs());
  if (!lhs || !rhs || lhs.getOwner() != &region.front() ||
      rhs.getOwner() != &region.front() ||
      lhs.getArgNumber() / 2 != rhs.getArgNumber() / 2 || lhs == rhs)
    return std::nullopt;
  const bool isSwapped = lhs.getArgNumber() > rhs.getArgNumber();
  switch (compare.getPredicate()) {
  case ComparePredicate::LT:
  case ComparePredicate::LE:
    return SortKey{lhs.getArgNumber() / 2, isSwapped};
  case ComparePredicate::GT:
  case ComparePredicate::GE:
    return SortKey{lhs.getArgNumber() / 2, !isSwapped};
  default:
    return std::nullopt;
  }
}

static HloMatch matchSort(Operation *op, HloMatcher &m) {
  const size_t count = op->getNumOperands();
  if (count == 0 || failed(m.checkResults(count)) || op->getNumRegions() != 1)
    return m.refuse("expected as many results as operands, and one region");
  RankedTensorType type = tensorType(op->getOperand(0));
  for (auto [operand, result] :
       llvm::zip_equal(op->getOperands(), op->getResults()))
    if (operand.getType() != result.getType() ||
        tensorType(operand).getShape() != type.getShape())
      return m.refuse("operands and results must have one shape");
  const int64_t rank = type.getRank();
  auto axis = m.integer("dimension", -rank, rank, int64_t(-1));
  if (failed(axis))
    return failure();
  auto key = sortKey(op->getRegion(0));
  if (!key || op->getRegion(0).getNumArguments() != 2 * count)
    return m.refuse("its comparator must compare the two elements of one "
                    "operand");
  for (auto [i, argument] : llvm::enumerate(op->getRegion(0).getArguments())) {
    Type element = getElementTypeOrSelf(op->getOperand(i / 2));
    if (argument.getType() != RankedTensorType::get({}, element))
      return m.refuse("argument " + Twine(i) +
                      " of its comparator must be a "
                      "scalar of type '" +
                      spelled(element) + "'");
  }
  if (getElementTypeOrSelf(op->getOperand(key->operand)).isInteger(1))
    return m.refuse("i1 cannot be sorted");
  return build([=, axis = *axis < 0 ? *axis + rank : *axis](HloBuilder &b) {
    Value keys = op->getOperand(key->operand);
    RankedTensorType at = tensorType(keys).clone(b.builder.getI64Type());
    auto sorted = SortOp::create(b.builder, op->getLoc(), keys.getType(), at,
                                 keys, axis, key->descending);
    SmallVector<Value> results;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      results.push_back(i == key->operand
                            ? sorted.getValues()
                            : GatherElementsOp::create(
                                  b.builder, op->getLoc(), operand.getType(),
                                  operand, sorted.getIndices(), axis)
                                  .getResult());
    return results;
  });
}

static HloMatch matchTopK(Operation *op, HloMatcher &m) {
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
  if (auto k = m.integer("k", 0, type.getShape().back() + 1,
                         values.getShape().back());
      failed(k) || *k != values.getShape().back())
    return m.refuse("'k' must be the size of the results' last dimension, and "
                    "no larger than the operand's");
  return build([op, axis = type.getRank() - 1](HloBuilder &b) {
    auto top =
        TopKOp::create(b.builder, op->getLoc(), op->getResult(0).getType(),
                       op->getResult(1).getType(), op->getOperand(0), axis,
                       /*smallest=*/false);
    return SmallVector<Value>{top.getValues(), top.getIndices()};
  });
}

void mlir::gaudi::addSortPatterns(HloPatterns &p) {
  p.add("sort", matchSort);
  p.add("top_k", matchTopK);
}
