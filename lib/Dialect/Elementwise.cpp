// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier, folder and kernel that all elementwise ops share.
#include "Checks.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "PointwiseKernel.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

/// The type of the result holds the limit.
static LogicalResult verifyLimit(RoundToOp op) {
  FloatAttr limit = op.getSaturateAttr();
  if (!limit)
    return success();
  Type element = getElementTypeOrSelf(op.getResult());
  APFloat value = limit.getValue();
  bool isRounded = false;
  value.convert(cast<FloatType>(element).getFloatSemantics(),
                APFloat::rmTowardZero, &isRounded);
  if (!isRounded && value.isFiniteNonZero() && !value.isNegative())
    return success();
  return op.emitOpError("saturates at ")
         << limit.getValueAsDouble() << "; expected a positive number of "
         << element;
}

LogicalResult gaudi::verifyElementwise(Operation *op) {
  auto result = tensorType(op->getResult(0));
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto type = tensorType(operand);
    if (type.getRank() != result.getRank())
      return failAt(op->emitOpError("operand ")
                        << i << " has type " << type
                        << " but the result has type " << result
                        << "; expected equal ranks",
                    operand, "operand");
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.getDimSize(dim) != result.getDimSize(dim) &&
          type.getDimSize(dim) != 1)
        return failAt(op->emitOpError("operand ")
                          << i << " has type " << type
                          << " but the result has type " << result
                          << "; expected size " << result.getDimSize(dim)
                          << " or 1 in dimension " << dim,
                      operand, "operand");
  }
  // Broadcasts enlarge an operand to another operand's size, not by themselves:
  // the kernel has a point per element and would compute each value repeatedly.
  for (int64_t dim = 0; dim < result.getRank(); ++dim)
    if (result.getDimSize(dim) != 1 && op->getNumOperands() > 0 &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return tensorType(operand).getDimSize(dim) == 1;
        }))
      return op->emitOpError("result dimension ")
             << dim << " has size " << result.getDimSize(dim)
             << " but every operand has size 1";
  // All operands but the condition of a select and random words have one
  // element type, that of the result unless the op converts.
  ValueRange values = op->getOperands();
  if (isa<SelectOp>(op))
    values = values.drop_front();
  if (isa<RoundToOp>(op))
    values = values.take_front();
  Type element = getElementTypeOrSelf(values.front());
  for (Value value : values)
    if (getElementTypeOrSelf(value) != element)
      return failAt(op->emitOpError("operands have element types ")
                        << element << " and " << getElementTypeOrSelf(value)
                        << "; expected one type",
                    value, "the second one");
  if (!isa<CastOp, RoundToOp, CompareOp>(op) &&
      result.getElementType() != element)
    return failAt(op->emitOpError("operands have element type ")
                      << element << " but the result has "
                      << result.getElementType(),
                  values.front(), "operand");
  if (auto round = dyn_cast<RoundToOp>(op)) {
    if (failed(verifyRandomWords(op, round.getRounding(), round.getWords())) ||
        failed(verifyLimit(round)))
      return failure();
  }
  if (auto clamp = dyn_cast<ClampOp>(op)) {
    Type scalar = isFloatElement(element)
                      ? Type(Float32Type::get(op->getContext()))
                      : element;
    for (TypedAttr bound : {clamp.getMin(), clamp.getMax()})
      if (bound.getType() != scalar)
        return op->emitOpError("bounds must have type ")
               << scalar << " but got " << bound.getType();
  }
  return success();
}

FailureOr<Operation *> gaudi::buildElementwiseKernel(Operation *op,
                                                     OpBuilder &builder) {
  assert(op->getNumResults() == 1 && "elementwise ops have one result");
  auto elementwise = cast<ElementwiseOpInterface>(op);
  auto result = tensorType(op->getResult(0));
  return buildPointwise(op, builder, op->getOperands(), [&](KernelBuilder &k) {
    SmallVector<Value> in;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      SmallVector<AffineExpr> position = k.dims(result.getRank());
      for (int64_t dim = 0; dim < result.getRank(); ++dim)
        if (tensorType(operand).getDimSize(dim) != result.getDimSize(dim))
          position[dim] = k.cst(0);
      in.push_back(k.load(i, position));
    }
    return elementwise.buildScalar(k, in);
  });
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// True if `op(x, rhs)` is x for every x, NaN, infinities and both zeros
/// included: x - 0 and x * 1 are, x + 0 is not, as it turns -0 into 0.
static bool isNeutral(Operation *op, Attribute rhs) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SubOp) {
        return matchPattern(rhs, m_Zero()) ||
               matchPattern(rhs, m_PosZeroFloat());
      })
      .Case<MulOp, DivOp>([&](auto) {
        return matchPattern(rhs, m_One()) || matchPattern(rhs, m_OneFloat());
      })
      .Case<AddOp, OrOp, XorOp, ShlOp, ShrOp, ShrLogicalOp>(
          [&](auto) { return matchPattern(rhs, m_Zero()); })
      .Default(false);
}

/// The operand that the op equals by an exact identity, or null.
static Value identityOf(Operation *op, ArrayRef<Attribute> operands) {
  Type type = op->getResult(0).getType();
  Value first = op->getOperand(0);
  if (auto select = dyn_cast<SelectOp>(op)) {
    Value value = select.getOnTrue();
    return value == select.getOnFalse() && value.getType() == type ? value
                                                                   : Value();
  }
  if (!haveOneStaticType(first, op->getResult(0)))
    return {}; // broadcast, perhaps only at run time
  if (isa<CastOp>(op))
    return first;
  if (op->getNumOperands() != 2)
    return {};
  if (isa<MaxOp, MinOp, MaxNumOp, MinNumOp, AndOp, OrOp>(op) &&
      first == op->getOperand(1))
    return first;
  return operands[1] && isNeutral(op, operands[1]) ? first : Value();
}

/// Operand `i` of the op as floats of the result's shape.
static std::optional<SmallVector<float>>
broadcastNumbers(Operation *op, unsigned i, Attribute constant) {
  RankedTensorType from = tensorType(op->getOperand(i));
  std::optional<ConstantValues> values;
  if (constant && isFoldable(from))
    values = ConstantValues::of(constant);
  if (!values)
    return std::nullopt;
  SmallVector<StridedIndex> map = identityMap(from.getRank());
  for (auto [index, size] : llvm::zip_equal(map, from.getShape()))
    if (size == 1)
      index.dim = StridedIndex::none;
  return values->numbers(tensorType(op->getResult(0)).getShape(), map);
}

OpFoldResult gaudi::foldElementwise(Operation *op, ArrayRef<Attribute> operands,
                                    float (*exact)(float, float)) {
  if (Value same = identityOf(op, operands))
    return same;
  RankedTensorType type = tensorType(op->getResult(0));
  // Constants first: most ops have none.
  if (!exact || llvm::is_contained(operands, Attribute()) || !isFoldable(type))
    return {};
  auto a = broadcastNumbers(op, 0, operands.front());
  auto b = broadcastNumbers(op, operands.size() - 1, operands.back());
  if (!a || !b)
    return {};
  // docs/kernel-semantics.md: f32 inside, one rounding to the tensor's type.
  for (auto [x, y] : llvm::zip_equal(*a, *b)) {
    const bool isNumber = !std::isnan(x) && !std::isnan(y);
    x = exact(x, y);
    if (isNumber && std::isnan(x)) // of this host: some make it negative
      x = std::numeric_limits<float>::quiet_NaN();
  }
  return constantOf(type, *a);
}
