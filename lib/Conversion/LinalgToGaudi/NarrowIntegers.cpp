// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of widths that the device does not have, such as i4 weights, in the
// next wider type. A value in the wider type is the number, sign-extended; ops
// that leave the range of the narrow type bring it back, and those that read
// bits without a sign mask them first.
#include "../Common/Retyping.h"
#include "Nest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

/// The width of an integer type that the device stores in a wider one, or 0.
static unsigned narrowWidth(Type type) {
  type = getElementTypeOrSelf(type);
  if (!type.isSignlessInteger())
    return 0;
  const unsigned width = type.getIntOrFloatBitWidth();
  const bool isStored =
      width == 1 || (width >= 8 && llvm::isPowerOf2_32(width));
  return isStored || width == 0 || width > 64 ? 0 : width;
}

static unsigned storedWidth(unsigned width) {
  return std::max(8u, unsigned(llvm::PowerOf2Ceil(width)));
}

static Type widened(Type type) {
  const unsigned width = narrowWidth(type);
  if (width == 0)
    return type;
  Type wide = IntegerType::get(type.getContext(), storedWidth(width));
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(wide)) : wide;
}

static bool isNarrow(Type type) { return narrowWidth(type) != 0; }

namespace {
/// What an op of arith or math needs to compute on the wider type.
struct Rule {
  bool masksOperands = false; ///< It reads them without a sign.
  bool masksFirst = false;    ///< Only operand 0; the other is a shift amount.
  bool normalizes = false;    ///< Its result may leave the narrow range.
};
} // namespace

/// Nothing for ops that have no form on the wider type.
static std::optional<Rule> ruleOf(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::ult:
    case arith::CmpIPredicate::ule:
    case arith::CmpIPredicate::ugt:
    case arith::CmpIPredicate::uge:
      return Rule{true, false, false};
    default:
      return Rule{};
    }
  }
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp,
          arith::MaxSIOp, arith::MinSIOp, arith::ShRSIOp, arith::DivSIOp,
          arith::RemSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
          arith::SIToFPOp, arith::FPToSIOp>(op))
    return Rule{};
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
          arith::FPToUIOp, math::AbsIOp>(op))
    return Rule{false, false, true};
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::MaxUIOp,
          arith::MinUIOp, math::CtPopOp>(op))
    return Rule{true, false, true};
  if (isa<arith::ShRUIOp>(op))
    return Rule{false, true, true};
  if (isa<arith::UIToFPOp>(op))
    return Rule{true, false, false};
  return std::nullopt;
}

/// Casts between integers, which become casts between the wider types.
static bool isCast(Operation *op) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::IndexCastOp, arith::IndexCastUIOp>(op);
}

static bool isScalarOp(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
      op->getDialect());
}

/// True if the op means the same on wider types, or can be written so.
static bool canWiden(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<IntegerAttr, DenseIntElementsAttr>(constant.getValue());
  if (isScalarOp(op))
    return llvm::none_of(op->getResultTypes(),
                         [](Type type) { return isa<ShapedType>(type); }) &&
           (isCast(op) || ruleOf(op));
  if (isa<tensor::BitcastOp>(op))
    return false;
  return isa<func::FuncOp, func::ReturnOp>(op) ||
         isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
             op->getDialect());
}

namespace {
/// Rewrites the ops of one function. Widths are those that ops were written
/// with: a cast to another narrow type of the same wider one is its operand.
class Widener {
public:
  explicit Widener(MLIRContext *context) : b(context) {}

  void run(ArrayRef<Operation *> ops);

private:
  void recordWidths(Operation *op);
  static void rewriteConstant(arith::ConstantOp op);
  void rewriteCast(Operation *op);
  void rewriteScalar(Operation *op);
  Value number(Location loc, Value like, int64_t value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getIntegerAttr(like.getType(), value));
  }
  /// The operand, of a narrow one the bits, zero-extended.
  Value masked(OpOperand &operand);
  /// `value` with the sign of bit `width` - 1.
  Value normalized(Location loc, Value value, unsigned width);

  OpBuilder b;
  llvm::DenseMap<OpOperand *, unsigned> operandWidths;
  llvm::DenseMap<Operation *, unsigned> resultWidths;
};
} // namespace

void Widener::recordWidths(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operandWidths[&operand] = narrowWidth(operand.get().getType());
  if (op->getNumResults() == 1)
    resultWidths[op] = narrowWidth(op->getResult(0).getType());
}

Value Widener::masked(OpOperand &operand) {
  const unsigned width = operandWidths.lookup(&operand);
  Value value = operand.get();
  if (width == 0)
    return value;
  Location loc = operand.getOwner()->getLoc();
  Value mask = number(loc, value, (int64_t(1) << width) - 1);
  return arith::AndIOp::create(b, loc, value, mask);
}

Value Widener::normalized(Location loc, Value value, unsigned width) {
  const unsigned stored = value.getType().getIntOrFloatBitWidth();
  Value shift = number(loc, value, stored - width);
  Value high = arith::ShLIOp::create(b, loc, value, shift);
  return arith::ShRSIOp::create(b, loc, high, shift);
}

void Widener::rewriteConstant(arith::ConstantOp op) {
  const unsigned width = narrowWidth(op.getType());
  if (width == 0)
    return;
  Type type = widened(op.getType());
  const unsigned stored = storedWidth(width);
  if (auto one = dyn_cast<IntegerAttr>(op.getValue()))
    return op.setValueAttr(IntegerAttr::get(type, one.getValue().sext(stored)));
  // Others are refused, for their elements are unknown.
  auto elements = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (!elements)
    return;
  op.setValueAttr(
      elements.mapValues(getElementTypeOrSelf(type), [&](const APInt &value) {
        return value.sext(stored);
      }));
}

// The operand is the number that the cast starts from, once an unsigned reading
// has masked it; the result has the number modulo 2^width.
void Widener::rewriteCast(Operation *op) {
  Location loc = op->getLoc();
  OpOperand &operand = op->getOpOperand(0);
  const bool isUnsigned = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op);
  Value value = isUnsigned ? masked(operand) : operand.get();
  Value result = op->getResult(0);
  Type from = value.getType(), to = result.getType();
  // What was masked is positive, so that its sign extends it as well.
  const bool keepsSign = !isUnsigned || operandWidths.lookup(&operand) != 0;
  if (from.isIndex() || to.isIndex())
    value = keepsSign
                ? arith::IndexCastOp::create(b, loc, to, value).getResult()
                : arith::IndexCastUIOp::create(b, loc, to, value).getResult();
  else if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    value = arith::TruncIOp::create(b, loc, to, value);
  else if (from != to)
    value = keepsSign ? arith::ExtSIOp::create(b, loc, to, value).getResult()
                      : arith::ExtUIOp::create(b, loc, to, value).getResult();
  const unsigned width = resultWidths.lookup(op);
  if (width != 0 && !isa<arith::ExtSIOp, arith::ExtUIOp>(op))
    value = normalized(loc, value, width);
  result.replaceAllUsesWith(value);
  op->erase();
}

void Widener::rewriteScalar(Operation *op) {
  const Rule rule = *ruleOf(op);
  for (OpOperand &operand : op->getOpOperands())
    if (rule.masksOperands ||
        (rule.masksFirst && operand.getOperandNumber() == 0))
      operand.set(masked(operand));
  const unsigned width = resultWidths.lookup(op);
  if (width == 0 || !rule.normalizes)
    return;
  b.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  Value inRange = normalized(op->getLoc(), result, width);
  Operation *high = inRange.getDefiningOp()->getOperand(0).getDefiningOp();
  result.replaceAllUsesExcept(inRange, high);
}

void Widener::run(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    recordWidths(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      rewriteConstant(constant);
  }
  for (Operation *op : ops)
    retype(op, widened);
  for (Operation *op : ops) {
    if (!isScalarOp(op) || isa<arith::ConstantOp>(op) || !canWiden(op))
      continue;
    b.setInsertionPoint(op);
    if (isCast(op))
      rewriteCast(op);
    else
      rewriteScalar(op);
  }
}

/// The structured ops as generics, whose bodies may hold any ops.
static void generalize(func::FuncOp func) {
  SmallVector<linalg::LinalgOp> named;
  func.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op) && touchesType(op, isNarrow))
      named.push_back(op);
  });
  IRRewriter rewriter(func.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

void fromlinalg::widenNarrowIntegers(func::FuncOp func,
                                     ConversionReport &report) {
  generalize(func);
  SmallVector<Operation *> ops;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!touchesType(op, isNarrow))
      return;
    ops.push_back(op);
    if (canWiden(op))
      return;
    (void)report.add(op,
                     isa<arith::ConstantOp>(op)
                         ? "its elements of a width that the device does "
                           "not have are not in the text; print the model "
                           "with all its constants"
                         : "it computes on an integer of a width that the "
                           "device does not have, and it cannot be widened; "
                           "cast to i8, i16, i32 or i64 first");
  });
  if (ops.empty())
    return;
  // What is refused gets the types as well, so that its users have no errors
  // of their own.
  Widener(func.getContext()).run(ops);
  retypeSignature(func, widened);
  remarkPassed(func, "widen-integers",
               "stored integers of widths that the device does not have in the "
               "next wider type");
}
