// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ui64, which JAX counts random bits with, as i64. Both have the same bits; an
// op that reads them as numbers is first written with ops that do not.
#include "../Common/Retyping.h"
#include "Expand.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;

static bool isUnsigned64(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isUnsignedInteger(64);
}

/// Nothing has verified the op.
static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

static bool hasUnsigned64(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isUnsigned64) ||
         llvm::any_of(op->getResultTypes(), isUnsigned64);
}

/// True if the op gives the same bits for both readings of its operands.
static bool ignoresSign(Operation *op) {
  // Equality does not depend on the sign.
  if (auto direction = directionOf(op))
    return *direction == ComparePredicate::EQ ||
           *direction == ComparePredicate::NE;
  // From a narrower type by its own sign; to one by cutting off.
  if (isHlo(op, Hlo::Convert) && op->getNumOperands() == 1 &&
      op->getNumResults() == 1)
    return isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0))) &&
           isa<IntegerType>(getElementTypeOrSelf(op->getResult(0)));
  return hasTrait(hloOf(op), HloTrait::IgnoresSign);
}

namespace {
/// Writes one op with ops on i64, before it. The values have the type ui64
/// until all of them are retyped.
class SignedForm {
public:
  explicit SignedForm(Operation *op)
      : op(op), builder(op), w(builder, op->getLoc()) {}

  /// The result of the op, or null if it has no such form.
  Value write();
  /// Start indices are clamped as numbers: the upper half is past any end.
  void limitIndices();

private:
  using Direction = ComparePredicate;

  Value number(int64_t value, Value like) {
    return w.splat(like.getType(), value);
  }
  Value flip(Value a) {
    return w.binary(Hlo::Xor, a,
                    number(std::numeric_limits<int64_t>::min(), a));
  }
  /// Compares as unsigned numbers: without the sign bit their order is that of
  /// signed ones.
  Value compareUnsigned(Direction direction, Value a, Value b) {
    return w.compare(direction, flip(a), flip(b));
  }
  Value isUpper(Value a) { return w.compare(Direction::LT, a, number(0, a)); }
  Value larger(Value a, Value b) {
    return w.select(compareUnsigned(Direction::GT, a, b), a, b);
  }
  Value smaller(Value a, Value b) {
    return w.select(compareUnsigned(Direction::LT, a, b), a, b);
  }
  Value quotient(Value a, Value b);
  Value toFloat(Value a, Type element);
  Value fromFloat(Value a);

  Operation *op;
  OpBuilder builder;
  HloWriter w;
};
} // namespace

/// a / b. For b of the lower half, by the quotient of a / 2, which is one too
/// small at most once doubled; H. Warren, "Hacker's Delight", section 9-3.
Value SignedForm::quotient(Value a, Value b) {
  Value half = w.binary(Hlo::ShrLogical, a, number(1, a));
  Value twice = w.binary(Hlo::Shl, w.binary(Hlo::Div, half, b), number(1, a));
  Value rest = w.binary(Hlo::Sub, a, w.binary(Hlo::Mul, twice, b));
  auto one = [&](Value condition) {
    return w.select(condition, number(1, a), number(0, a));
  };
  Value exact =
      w.binary(Hlo::Add, twice, one(compareUnsigned(Direction::GE, rest, b)));
  return w.select(isUpper(b), one(compareUnsigned(Direction::GE, a, b)), exact);
}

/// Numbers of the upper half by their half, whose last bit stands for all that
/// is cut off, so that rounding is the same.
Value SignedForm::toFloat(Value a, Type element) {
  Value one = number(1, a);
  Value half = w.binary(Hlo::Or, w.binary(Hlo::ShrLogical, a, one),
                        w.binary(Hlo::And, a, one));
  Value upper = isUpper(a);
  Value value = w.convert(w.select(upper, half, a), element);
  return w.select(upper, w.binary(Hlo::Add, value, value), value);
}

Value SignedForm::fromFloat(Value a) {
  a = w.convert(a, builder.getF32Type());
  a = w.binary(Hlo::Max, a, w.splat(a.getType(), 0.0));
  Value end = w.splat(a.getType(), 0x1p63);
  Type u64 = getElementTypeOrSelf(op->getResult(0));
  Value low = w.convert(a, u64);
  Value high = flip(w.convert(w.binary(Hlo::Sub, a, end), u64));
  return w.select(w.compare(Direction::GE, a, end), high, low);
}

Value SignedForm::write() {
  auto operands = op->getOperands();
  // Regions and tuples are not rewritten.
  if (op->getNumResults() != 1 || !op->getRegions().empty() ||
      !llvm::all_of(op->getOperandTypes(), isStaticTensor) ||
      !isStaticTensor(op->getResult(0).getType()))
    return {};
  auto isReal = [](Value value) {
    return isFloatElement(getElementTypeOrSelf(value));
  };
  const Hlo kind = hloOf(op);
  if (kind == Hlo::Convert && operands.size() == 1 &&
      (isReal(operands[0]) || isReal(op->getResult(0))))
    return isUnsigned64(operands[0].getType())
               ? toFloat(operands[0], getElementTypeOrSelf(op->getResult(0)))
               : fromFloat(operands[0]);
  if (operands.size() < 2 || !llvm::all_equal(op->getOperandTypes()))
    return {};
  Value a = operands[0], b = operands[1];
  // clamp(low, x, high) is min(max(x, low), high), by unsigned comparisons.
  if (operands.size() == 3)
    return kind == Hlo::Clamp ? smaller(larger(b, a), operands[2]) : Value();
  if (operands.size() != 2)
    return {};
  switch (kind) {
  case Hlo::Compare:
    if (auto direction = directionOf(op))
      return compareUnsigned(*direction, a, b);
    return {};
  case Hlo::Max:
    return larger(a, b);
  case Hlo::Min:
    return smaller(a, b);
  case Hlo::Div:
    return quotient(a, b);
  case Hlo::Rem:
    // a - a / b * b, exact modulo 2^64.
    return w.binary(Hlo::Sub, a, w.binary(Hlo::Mul, quotient(a, b), b));
  default:
    return {};
  }
}

void SignedForm::limitIndices() {
  const Hlo kind = hloOf(op);
  const unsigned first = kind == Hlo::DynamicSlice || kind == Hlo::Gather ? 1
                         : kind == Hlo::DynamicUpdateSlice                ? 2
                         : kind == Hlo::Scatter ? op->getNumResults()
                                                : op->getNumOperands();
  // The updates of a scatter follow its indices.
  const bool isScatter = op->getNumRegions() == 1;
  const unsigned end = isScatter ? std::min(first + 1, op->getNumOperands())
                                 : op->getNumOperands();
  for (unsigned i = first; i < end; ++i)
    if (Value index = op->getOperand(i);
        isUnsigned64(index.getType()) && isStaticTensor(index.getType()))
      op->setOperand(
          i,
          w.select(isUpper(index),
                   number(std::numeric_limits<int64_t>::max(), index), index));
}

/// i64 in the place of ui64; other types as they are.
static Type withoutUnsigned64(Type type) {
  return isUnsigned64(type) ? cast<RankedTensorType>(type).clone(
                                  IntegerType::get(type.getContext(), 64))
                            : type;
}

void gaudi::retypeUnsigned64(ModuleOp module, ConversionReport &report) {
  // Collected before: rewriting adds ops.
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (hasUnsigned64(op))
      ops.push_back(op);
  });
  // All of them or none: a value has one type for all its users.
  bool canRetype = true;
  for (Operation *op : ops) {
    // Types of functions change at the end, with their signatures.
    if (isa_and_nonnull<func::FuncDialect>(op->getDialect()))
      continue;
    // Another dialect has its own types: nothing can be retyped then.
    if (!isStablehlo(op->getName())) {
      canRetype = false;
      continue;
    }
    SignedForm form(op);
    // Its pattern reads the mark.
    if (isHlo(op, Hlo::Power)) {
      op->setDiscardableAttr(unsignedMark, UnitAttr::get(module.getContext()));
      continue;
    }
    if (ignoresSign(op)) {
      form.limitIndices();
      continue;
    }
    if (Value value = form.write();
        value && value.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
      continue;
    }
    canRetype = false;
    (void)report.add(op, "the device has no ui64, and this op reads it "
                         "otherwise than i64; use ui32 or i64");
  }
  if (!canRetype)
    return;
  module.walk([&](Operation *op) {
    retype(op, withoutUnsigned64);
    if (auto function = dyn_cast<func::FuncOp>(op);
        function && retypeSignature(function, withoutUnsigned64) &&
        function.isPublic())
      remark::passed(function.getLoc(),
                     remark::RemarkOpts::name("retype").category(
                         "convert-stablehlo-to-gaudi"))
          << "retyped ui64 of the signature to i64: the bits are the same";
    auto elements = dyn_cast_or_null<ElementsAttr>(op->getAttr("value"));
    if (!elements || !isUnsigned64(elements.getType()))
      return;
    if (auto dense = dyn_cast<DenseElementsAttr>(elements))
      op->setAttr("value",
                  dense.bitcast(IntegerType::get(op->getContext(), 64)));
    else if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
      op->setAttr("value",
                  DenseResourceElementsAttr::get(
                      cast<ShapedType>(withoutUnsigned64(resource.getType())),
                      resource.getRawHandle()));
  });
}
