// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparisons of ops on sizes.
#include "SizeArithmetic.h"

using namespace mlir;
using namespace gaudi;

/// 1 where a >= b, else 0.
static AffineExpr atLeast(AffineExpr a, AffineExpr b, const SizeExprs &sizes) {
  return sizes.atLeast(a, b);
}

static AffineExpr negated(AffineExpr condition, const SizeExprs &sizes) {
  return condition ? sizes.sub(sizes.constant(1), condition) : AffineExpr();
}

static AffineExpr both(AffineExpr a, AffineExpr b, const SizeExprs &sizes) {
  const AffineExpr never = sizes.constant(0);
  if (a == never || b == never)
    return never;
  if (!a || !b)
    return {};
  return a == b ? a : sizes.mul(a, b);
}

static AffineExpr areEqual(AffineExpr a, AffineExpr b, const SizeExprs &sizes) {
  return both(atLeast(a, b, sizes), atLeast(b, a, sizes), sizes);
}

/// Rounds towards zero: down for what is not negative.
static AffineExpr divide(AffineExpr a, AffineExpr b, const SizeExprs &sizes) {
  const SizeExprs::Range range = sizes.range(a);
  if (range.low >= 0)
    return sizes.floorDiv(a, b);
  const AffineExpr zero = sizes.constant(0),
                   up = sizes.sub(zero, sizes.floorDiv(sizes.sub(zero, a), b));
  return selectSize(atLeast(a, zero, sizes), sizes.floorDiv(a, b), up, sizes);
}

AffineExpr gaudi::selectSize(AffineExpr condition, AffineExpr a, AffineExpr b,
                             const SizeExprs &sizes) {
  if (a == b)
    return a;
  if (!condition)
    return {};
  if (auto known = dyn_cast<AffineConstantExpr>(condition))
    return known.getValue() ? a : b;
  return a && b ? sizes.add(b, sizes.mul(sizes.sub(a, b), condition))
                : AffineExpr();
}

AffineExpr gaudi::applySizeOperator(SizeOperator kind, AffineExpr a,
                                    AffineExpr b, const SizeExprs &sizes) {
  const AffineExpr one = sizes.constant(1);
  // One operand may decide alone.
  if (kind == SizeOperator::And)
    return both(a, b, sizes);
  if (kind == SizeOperator::Or)
    return negated(both(negated(a, sizes), negated(b, sizes), sizes), sizes);
  if (!a || !b)
    return {};
  switch (kind) {
  case SizeOperator::Add:
    return sizes.add(a, b);
  case SizeOperator::Sub:
    return sizes.sub(a, b);
  case SizeOperator::Mul:
    return sizes.mul(a, b);
  case SizeOperator::Max:
    return sizes.max(a, b);
  case SizeOperator::Min:
    return sizes.min(a, b);
  case SizeOperator::Xor:
    return a == b     ? sizes.constant(0)
           : a == one ? negated(b, sizes)
           : b == one ? negated(a, sizes)
                      : selectSize(a, negated(b, sizes), b, sizes);
  case SizeOperator::Eq:
    return areEqual(a, b, sizes);
  case SizeOperator::Ne:
    return negated(areEqual(a, b, sizes), sizes);
  case SizeOperator::Ge:
    return atLeast(a, b, sizes);
  case SizeOperator::Le:
    return atLeast(b, a, sizes);
  case SizeOperator::Lt:
    return negated(atLeast(a, b, sizes), sizes);
  case SizeOperator::Gt:
    return negated(atLeast(b, a, sizes), sizes);
  default:
    break;
  }
  // Divisors are positive.
  if (sizes.range(b).low < 1)
    return {};
  switch (kind) {
  case SizeOperator::Div:
    return divide(a, b, sizes);
  case SizeOperator::FloorDiv:
    return sizes.floorDiv(a, b);
  case SizeOperator::CeilDiv:
    return sizes.ceilDiv(a, b);
  // A remainder of a negative number has its sign.
  default: {
    assert(kind == SizeOperator::Rem && "the last one");
    if (sizes.range(a).low >= 0)
      return sizes.mod(a, b);
    const AffineExpr quotient = divide(a, b, sizes);
    return quotient ? sizes.sub(a, sizes.mul(b, quotient)) : AffineExpr();
  }
  }
}

FailureOr<SizeList> gaudi::concatenatedSizes(Operation *op, ValueRange operands,
                                             size_t axis,
                                             SymbolicShapes &shapes) {
  SizeList dims = shapes.shape(operands.front());
  for (Value operand : operands.drop_front()) {
    const SizeList other = shapes.shape(operand);
    assert(axis < dims.size() && other.size() == dims.size() &&
           "verified by the op");
    for (size_t i = 0; i < dims.size(); ++i) {
      dims[i] = i == axis ? shapes.sizes.add(dims[i], other[i])
                          : shapes.merge(op, dims[i], other[i],
                                         operands.front(), operand);
      if (!dims[i])
        return failure();
    }
  }
  return dims;
}

SizeList gaudi::paddedSizes(SizeList dims, ArrayRef<AffineExpr> low,
                            ArrayRef<AffineExpr> high, const SizeExprs &sizes) {
  for (auto [size, before, after] : llvm::zip_equal(dims, low, high))
    size = size && before && after ? sizes.normal(size + before + after)
                                   : AffineExpr();
  return dims;
}

LogicalResult gaudi::fillFromCount(SizeList &dims, ArrayRef<AffineExpr> from,
                                   const SizeExprs &sizes) {
  AffineExpr count = sizes.constant(1), rest = count;
  for (AffineExpr size : from) {
    if (!size)
      return failure();
    count = sizes.mul(count, size);
  }
  AffineExpr *missing = nullptr;
  for (AffineExpr &size : dims) {
    if (size && size != sizes.constant(-1)) {
      rest = sizes.mul(rest, size);
      continue;
    }
    if (missing)
      return failure();
    missing = &size;
  }
  // A rest that may be 0 divides what is its multiple for all sizes.
  if (missing)
    *missing = sizes.range(rest).low < 1 ? sizes.exactQuotient(count, rest)
                                         : sizes.floorDiv(count, rest);
  return success();
}

LogicalResult gaudi::inferEqualShapes(Operation *op, SymbolicShapes &shapes) {
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    SizeList dims(type.getRank());
    Value from = result;
    for (Value operand : op->getOperands()) {
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      if (!tensor || tensor.getRank() != type.getRank())
        continue; // operands of select and clamp may be scalars
      for (auto [have, size] : llvm::zip_equal(dims, shapes.shape(operand))) {
        const AffineExpr same = shapes.merge(op, have, size, from, operand);
        if (have && size && !same)
          return failure();
        have = same;
      }
      from = operand;
    }
    if (failed(shapes.setShape(result, std::move(dims))))
      return failure();
  }
  return success();
}

void gaudi::inferElements(
    Operation *op, SymbolicShapes &shapes,
    llvm::function_ref<AffineExpr(ArrayRef<AffineExpr>)> combine) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return;
  SmallVector<const SizeList *> operands;
  // A scalar may be an expression though no operand is.
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  const bool isScalar =
      !type || (type.hasStaticShape() && type.getNumElements() == 1);
  size_t count = isScalar ? 1 : 0;
  for (Value operand : op->getOperands()) {
    operands.push_back(shapes.elements(operand));
    count =
        std::max(count, operands.back() ? operands.back()->size() : size_t(0));
  }
  SizeList elements;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<AffineExpr> parts;
    for (const SizeList *list : operands)
      parts.push_back(!list               ? AffineExpr()
                      : list->size() == 1 ? list->front()
                      : i < list->size()  ? (*list)[i]
                                          : AffineExpr());
    elements.push_back(combine(parts));
  }
  shapes.setElements(op->getResult(0), std::move(elements));
}
