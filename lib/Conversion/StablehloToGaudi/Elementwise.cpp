// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise StableHLO and CHLO ops, constants and conversions.
#include "../Common/Elements.h"
#include "../Common/IntegerMath.h"
#include "Converter.h"
#include "Expand.h"
#include "Gaudi/Dialect/ElementwiseOps.h"

using namespace mlir;
using namespace gaudi;

/// All operands from number `first` have one element type.
static LogicalResult checkOneElement(Operation *op, HloMatcher &m,
                                     size_t first) {
  Type type = getElementTypeOrSelf(op->getOperand(first));
  for (Value operand : op->getOperands().drop_front(first))
    if (getElementTypeOrSelf(operand) != type)
      return m.refuse("its operands have element types '" + spelled(type) +
                          "' and '" + spelled(getElementTypeOrSelf(operand)) +
                          "'",
                      operand.getLoc(), "the operand");
  return success();
}

static LogicalResult checkBoolResult(Operation *op, HloMatcher &m) {
  Type result = getElementTypeOrSelf(op->getResult(0));
  if (result.isInteger(1))
    return success();
  return m.refuse("its result has element type '" + spelled(result) +
                  "'; expected 'i1'");
}

/// Operands of one type, which is that of the result, of `elements`.
static LogicalResult checkElementwise(Operation *op, HloMatcher &m,
                                      Elements elements) {
  if (failed(m.checkSameShapes()))
    return failure();
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (!isElementOf(type, elements))
    return m.refuse("it is not defined for element type '" + spelled(type) +
                    "'");
  if (failed(checkOneElement(op, m, 0)))
    return failure();
  Type result = getElementTypeOrSelf(op->getResult(0));
  if (result != type)
    return m.refuse("its result has element type '" + spelled(result) +
                    "' but its operands have '" + spelled(type) + "'");
  return success();
}

template <typename Op>
static HloMatch matchUnary(Operation *op, HloMatcher &m, Elements elements) {
  if (failed(checkElementwise(op, m, elements)))
    return failure();
  return build([op](HloBuilder &b) {
    return Op::create(b, op->getResult(0).getType(), op->getOperand(0));
  });
}

template <typename Op> static Value createBinary(Operation *op, HloBuilder &b) {
  return Op::create(b, op->getResult(0).getType(), op->getOperand(0),
                    op->getOperand(1));
}

/// `OfBool` is the op for i1, where arithmetic is that of one bit.
template <typename Op, typename OfBool>
static HloMatch matchBinary(Operation *op, HloMatcher &m, Elements elements) {
  if (failed(checkElementwise(op, m, elements)))
    return failure();
  return build([op](HloBuilder &b) {
    const bool isBool = getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
    return isBool ? createBinary<OfBool>(op, b) : createBinary<Op>(op, b);
  });
}

HloMatch gaudi::matchElementwise(Operation *op, HloMatcher &m) {
  switch (hloOf(op)) {
#define HLO_UNARY(kind, name, elements, traits)                                \
  case Hlo::kind:                                                              \
    return matchUnary<kind##Op>(op, m, Elements::elements);
#define HLO_BINARY(kind, name, elements, ofBool, traits)                       \
  case Hlo::kind:                                                              \
    return matchBinary<kind##Op, ofBool##Op>(op, m, Elements::elements);
#include "Gaudi/Conversion/StablehloOps.def"
  default:
    llvm_unreachable("an elementwise op");
  }
}

HloMatch gaudi::matchConstant(Operation *op, HloMatcher &m) {
  auto value = constantOf(op);
  if (!value)
    return m.refuse("attribute 'value' is missing or no tensor");
  return build(
      [value](HloBuilder &b) { return gaudi::ConstantOp::create(b, value); });
}

/// Of a comparison that lives as long as its sort.
static constexpr StringLiteral totalOrderMark = "gaudi.total_order";

HloMatch gaudi::matchCompare(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()) || failed(checkOneElement(op, m, 0)) ||
      failed(checkBoolResult(op, m)))
    return failure();
  const auto direction = directionOf(op);
  if (!direction)
    return m.refuse("attribute 'comparison_direction' must be EQ, NE, LT, LE, "
                    "GT or GE");
  const bool isTotal = wordOf(op, "compare_type") == "TOTALORDER" &&
                       isFloatElement(getElementTypeOrSelf(op->getOperand(0)));
  const bool isInSort = isHlo(op->getParentOp(), Hlo::Sort);
  return build([=, kind = *direction](HloBuilder &b) {
    // Within a sort the comparison stays as it is, with a mark that tells the
    // sort the order of its key.
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (isTotal && !isInSort) {
      lhs = totalOrder(lhs, b);
      rhs = totalOrder(rhs, b);
    }
    auto compare =
        CompareOp::create(b, op->getResult(0).getType(), kind, lhs, rhs);
    if (isTotal && isInSort)
      compare->setDiscardableAttr(totalOrderMark, b.getUnitAttr());
    return compare;
  });
}

bool gaudi::isTotalOrder(CompareOp compare) {
  return compare->hasAttr(totalOrderMark);
}

/// Operand `operand` as the op reads it: a scalar stands for all elements.
static Value spread(Operation *op, unsigned operand, HloBuilder &b) {
  Value value = op->getOperand(operand);
  int64_t rank = tensorType(op->getResult(0)).getRank();
  if (tensorType(value).getRank() == 0)
    return b.withRank(value, rank);
  return value;
}

static LogicalResult checkScalarOrSame(Operation *op, HloMatcher &m,
                                       unsigned operand) {
  RankedTensorType type = tensorType(op->getOperand(operand));
  if (type.getRank() == 0 ||
      type.getShape() == tensorType(op->getResult(0)).getShape())
    return success();
  return m.refuse("operand " + Twine(operand) +
                  " must be a scalar or have the shape of the result");
}

HloMatch gaudi::matchSelect(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes(1)) || failed(checkScalarOrSame(op, m, 0)) ||
      failed(checkOneElement(op, m, 1)))
    return failure();
  if (!getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
    return m.refuse("the condition must be i1");
  if (op->getOperand(1).getType() != op->getResult(0).getType())
    return m.refuse("the result must have the type of operands 1 and 2");
  return build([op](HloBuilder &b) {
    return SelectOp::create(b, op->getResult(0).getType(), spread(op, 0, b),
                            op->getOperand(1), op->getOperand(2));
  });
}

/// minimum(maximum(x, low), high), in that order, as the specification says.
HloMatch gaudi::matchClamp(Operation *op, HloMatcher &m) {
  if (failed(checkScalarOrSame(op, m, 0)) ||
      failed(checkScalarOrSame(op, m, 2)) || failed(checkOneElement(op, m, 0)))
    return failure();
  if (op->getOperand(1).getType() != op->getResult(0).getType() ||
      getElementTypeOrSelf(op->getOperand(1)).isInteger(1))
    return m.refuse("operand 1 must be numbers of the type of the result");
  return build([op](HloBuilder &b) {
    Type type = op->getResult(0).getType();
    Value low = MaxOp::create(b, type, op->getOperand(1), spread(op, 0, b));
    return MinOp::create(b, type, low, spread(op, 2, b));
  });
}

HloMatch gaudi::matchConvert(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()))
    return failure();
  return build([op](HloBuilder &b) {
    return b.cast(op->getOperand(0), getElementTypeOrSelf(op->getResult(0)));
  });
}

HloMatch gaudi::matchIsFinite(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()))
    return failure();
  if (!isFloatElement(getElementTypeOrSelf(op->getOperand(0))))
    return m.refuse("expected a float element type");
  if (failed(checkBoolResult(op, m)))
    return failure();
  // |x| < infinity also denies NaN. Not every float type of 8 bits has an
  // infinity, so the comparison is in f32.
  return build([op](HloBuilder &b) {
    Type f32 = b.getF32Type();
    Value wide = b.cast(op->getOperand(0), f32);
    Value size = AbsOp::create(b, wide.getType(), wide);
    RankedTensorType ones = RankedTensorType::get(
        SmallVector<int64_t>(tensorType(wide).getRank(), 1), f32);
    Value infinity = b.splat(
        ones, FloatAttr::get(f32, std::numeric_limits<double>::infinity()));
    return CompareOp::create(b, op->getResult(0).getType(),
                             ComparePredicate::LT, size, infinity);
  });
}

HloMatch gaudi::matchPower(Operation *op, HloMatcher &m) {
  if (failed(checkElementwise(op, m, Elements::Number)))
    return failure();
  Type element = getElementTypeOrSelf(op->getOperand(0));
  // Floats have an op.
  if (isFloatElement(element))
    return build([op](HloBuilder &b) { return createBinary<PowOp>(op, b); });
  const bool isUnsigned =
      isUnsignedElement(element) || op->hasAttr(unsignedMark);
  return build([op, isUnsigned](HloBuilder &b) {
    return integerPower(b, op->getName().getStringRef(), op->getOperand(0),
                        op->getOperand(1), isUnsigned);
  });
}

/// A region on one element of each operand.
HloMatch gaudi::matchMap(Operation *op, HloMatcher &m) {
  if (op->getNumRegions() != 1 || failed(m.checkResults(1)) ||
      failed(m.checkSameShapes()))
    return m.refuse("expected one region, and operands of one shape");
  Region &region = op->getRegion(0);
  if (failed(checkScalarRegion(region, m)))
    return failure();
  Type scalar =
      RankedTensorType::get({}, getElementTypeOrSelf(op->getResult(0)));
  auto fits = [&](BlockArgument argument) {
    return getElementTypeOrSelf(argument) ==
           getElementTypeOrSelf(op->getOperand(argument.getArgNumber()));
  };
  if (region.getNumArguments() != op->getNumOperands() ||
      !llvm::all_of(region.getArguments(), fits) ||
      region.front().back().getOperandTypes() != TypeRange(scalar))
    return m.refuse("its region must take an element of each operand and "
                    "return one of the result");
  return build([op](HloBuilder &b) {
    RankedTensorType type = tensorType(op->getResult(0));
    return b.pointKernel(
        op, type, op->getOperands(), {}, [&](KernelBuilder &k) {
          SmallVector<AffineExpr> at = k.dims(type.getRank());
          SmallVector<Value> elements;
          for (unsigned i = 0; i < op->getNumOperands(); ++i)
            elements.push_back(k.load(i, at));
          return emitScalarRegion(k, op->getRegion(0), elements).front();
        });
  });
}

HloMatch gaudi::matchPopcnt(Operation *op, HloMatcher &m) {
  if (failed(checkElementwise(op, m, Elements::Int)))
    return failure();
  return build([op](HloBuilder &b) {
    RankedTensorType type = tensorType(op->getResult(0));
    return b.pointKernel(
        op, type, op->getOperands(), {}, [&](KernelBuilder &k) {
          return k.unary<math::CtPopOp>(k.load(0, k.dims(type.getRank())));
        });
  });
}
