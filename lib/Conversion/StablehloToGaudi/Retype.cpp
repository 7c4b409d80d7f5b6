// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ui64, which JAX counts random bits with, as i64. Both have the same bits; an
// op that reads them as numbers is first written with ops that do not.
#include "../Common/Retyping.h"
#include "Expand.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

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

/// True if the op gives the same bits for both readings of its operands. Ops
/// with regions do if those inside do.
static bool ignoresSign(Operation *op) {
  static const llvm::StringSet<> names = {"add",
                                          "all_gather",
                                          "all_reduce",
                                          "all_to_all",
                                          "and",
                                          "bitcast_convert",
                                          "broadcast",
                                          "broadcast_in_dim",
                                          "case",
                                          "collective_broadcast",
                                          "collective_permute",
                                          "concatenate",
                                          "constant",
                                          "convolution",
                                          "copy",
                                          "count_leading_zeros",
                                          "cross-replica-sum",
                                          "custom_call",
                                          "dot",
                                          "dot_general",
                                          "dynamic_slice",
                                          "dynamic_update_slice",
                                          "gather",
                                          "get_dimension_size",
                                          "if",
                                          "iota",
                                          "map",
                                          "multiply",
                                          "negate",
                                          "not",
                                          "optimization_barrier",
                                          "or",
                                          "pad",
                                          "popcnt",
                                          "reduce",
                                          "reduce_scatter",
                                          "reduce_window",
                                          "reshape",
                                          "return",
                                          "reverse",
                                          "rng_bit_generator",
                                          "scatter",
                                          "select",
                                          "select_and_scatter",
                                          "shift_left",
                                          "shift_right_arithmetic",
                                          "shift_right_logical",
                                          "slice",
                                          "sort",
                                          "subtract",
                                          "transpose",
                                          "tuple",
                                          "while",
                                          "xor"};
  const StringRef name = op->getName().stripDialect();
  // Equality does not depend on the sign.
  if (name == "compare") {
    auto direction = op->getAttrOfType<StringAttr>("comparison_direction");
    return direction &&
           (direction.getValue() == "EQ" || direction.getValue() == "NE");
  }
  // From a narrower type by its own sign; to one by cutting off.
  if (name == "convert" && op->getNumOperands() == 1 &&
      op->getNumResults() == 1)
    return isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0))) &&
           isa<IntegerType>(getElementTypeOrSelf(op->getResult(0)));
  return names.contains(name);
}

namespace {
/// Writes one op with ops on i64, before it. The values have the type ui64
/// until all of them are retyped.
class SignedForm {
public:
  explicit SignedForm(Operation *op) : op(op), builder(op), loc(op->getLoc()) {}

  /// The result of the op, or null if it has no such form.
  Value write();
  /// Start indices are clamped as numbers: the upper half is past any end.
  void limitIndices();

private:
  Value create(StringRef name, Type type, ValueRange operands,
               ArrayRef<NamedAttribute> attributes = {}) {
    OperationState state(loc, ("stablehlo." + name).str());
    state.addTypes(type);
    state.addOperands(operands);
    state.addAttributes(attributes);
    return builder.create(state)->getResult(0);
  }
  Value binary(StringRef name, Value a, Value b) {
    return create(name, a.getType(), {a, b});
  }
  Value select(Value condition, Value a, Value b) {
    return create("select", a.getType(), {condition, a, b});
  }
  Value convert(Value a, Type element) {
    return create("convert", cast<RankedTensorType>(a.getType()).clone(element),
                  a);
  }
  Value number(int64_t value, Value like) {
    auto elements =
        DenseElementsAttr::get(cast<RankedTensorType>(like.getType()),
                               APInt(64, uint64_t(value), /*isSigned=*/true));
    return create("constant", like.getType(), {},
                  builder.getNamedAttr("value", elements));
  }
  Value real(double value, Value like) {
    auto type = cast<RankedTensorType>(like.getType());
    auto elements = DenseElementsAttr::get(
        type, Attribute(FloatAttr::get(type.getElementType(), value)));
    return create("constant", type, {},
                  builder.getNamedAttr("value", elements));
  }
  Value compare(StringRef direction, Value a, Value b) {
    auto type = cast<RankedTensorType>(a.getType()).clone(builder.getI1Type());
    return create("compare", type, {a, b},
                  builder.getNamedAttr("comparison_direction",
                                       builder.getStringAttr(direction)));
  }
  Value flip(Value a) {
    return binary("xor", a, number(std::numeric_limits<int64_t>::min(), a));
  }
  /// Compares as unsigned numbers: without the sign bit their order is that of
  /// signed ones.
  Value compareUnsigned(StringRef direction, Value a, Value b) {
    return compare(direction, flip(a), flip(b));
  }
  Value isUpper(Value a) { return compare("LT", a, number(0, a)); }
  Value larger(Value a, Value b, bool least) {
    return select(compareUnsigned(least ? "LT" : "GT", a, b), a, b);
  }
  Value quotient(Value a, Value b);
  Value toFloat(Value a, Type element);
  Value fromFloat(Value a);

  Operation *op;
  OpBuilder builder;
  Location loc;
};
} // namespace

/// a / b. For b of the lower half, by the quotient of a / 2, which is one too
/// small at most once doubled; H. Warren, "Hacker's Delight", section 9-3.
Value SignedForm::quotient(Value a, Value b) {
  Value half = binary("shift_right_logical", a, number(1, a));
  Value twice = binary("shift_left", binary("divide", half, b), number(1, a));
  Value rest = binary("subtract", a, binary("multiply", twice, b));
  auto one = [&](Value condition) {
    return select(condition, number(1, a), number(0, a));
  };
  Value exact = binary("add", twice, one(compareUnsigned("GE", rest, b)));
  return select(isUpper(b), one(compareUnsigned("GE", a, b)), exact);
}

/// Numbers of the upper half by their half, whose last bit stands for all that
/// is cut off, so that rounding is the same.
Value SignedForm::toFloat(Value a, Type element) {
  Value one = number(1, a);
  Value half = binary("or", binary("shift_right_logical", a, one),
                      binary("and", a, one));
  Value upper = isUpper(a);
  Value value = convert(select(upper, half, a), element);
  return select(upper, binary("add", value, value), value);
}

Value SignedForm::fromFloat(Value a) {
  a = convert(a, builder.getF32Type());
  a = binary("maximum", a, real(0, a));
  Value end = real(0x1p63, a);
  Type u64 = getElementTypeOrSelf(op->getResult(0));
  Value low = convert(a, u64);
  Value high = flip(convert(binary("subtract", a, end), u64));
  return select(compare("GE", a, end), high, low);
}

Value SignedForm::write() {
  const StringRef name = op->getName().stripDialect();
  auto operands = op->getOperands();
  // Regions and tuples are not rewritten.
  if (op->getNumResults() != 1 || !op->getRegions().empty() ||
      !llvm::all_of(op->getOperandTypes(), isStaticTensor) ||
      !isStaticTensor(op->getResult(0).getType()))
    return {};
  auto isReal = [](Value value) {
    return isFloatElement(getElementTypeOrSelf(value));
  };
  if (name == "convert" && operands.size() == 1 &&
      (isReal(operands[0]) || isReal(op->getResult(0))))
    return isUnsigned64(operands[0].getType())
               ? toFloat(operands[0], getElementTypeOrSelf(op->getResult(0)))
               : fromFloat(operands[0]);
  // clamp(low, x, high) is min(max(x, low), high), by unsigned comparisons.
  if (name == "clamp" && operands.size() == 3 &&
      llvm::all_equal(op->getOperandTypes()))
    return larger(larger(operands[1], operands[0], false), operands[2], true);
  if (operands.size() != 2 || operands[0].getType() != operands[1].getType())
    return {};
  Value a = operands[0], b = operands[1];
  if (name == "compare") {
    auto direction = op->getAttrOfType<StringAttr>("comparison_direction");
    return direction ? compareUnsigned(direction.getValue(), a, b) : Value();
  }
  if (name == "maximum" || name == "minimum")
    return larger(a, b, name == "minimum");
  if (name == "divide")
    return quotient(a, b);
  // a - a / b * b, exact modulo 2^64.
  if (name == "remainder")
    return binary("subtract", a, binary("multiply", quotient(a, b), b));
  return {};
}

void SignedForm::limitIndices() {
  const unsigned first =
      llvm::StringSwitch<unsigned>(op->getName().stripDialect())
          .Cases({"dynamic_slice", "gather"}, 1)
          .Case("dynamic_update_slice", 2)
          .Case("scatter", op->getNumResults())
          .Default(op->getNumOperands());
  // The updates of a scatter follow its indices.
  const bool isScatter = op->getNumRegions() == 1;
  const unsigned end = isScatter ? std::min(first + 1, op->getNumOperands())
                                 : op->getNumOperands();
  for (unsigned i = first; i < end; ++i)
    if (Value index = op->getOperand(i);
        isUnsigned64(index.getType()) && isStaticTensor(index.getType()))
      op->setOperand(
          i, select(isUpper(index),
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
    if (op->getName().stripDialect() == "power") {
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
