// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant folding of scalar bodies, op by op.
#include "ConstantScalars.h"
#include "Gaudi/Dialect/ScalarBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;

TypedAttr gaudi::asScalar(TypedAttr element) {
  const Type type = kernelType(element.getType());
  if (auto number = dyn_cast<FloatAttr>(element)) {
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(type, value);
  }
  return IntegerAttr::get(type, cast<IntegerAttr>(element).getValue());
}

TypedAttr gaudi::asElement(TypedAttr scalar, Type element) {
  if (auto number = dyn_cast<FloatAttr>(scalar)) {
    auto type = dyn_cast<FloatType>(element);
    if (!type)
      return {};
    APFloat value = number.getValue();
    bool losesInfo = false;
    // Some 8-bit floats have no infinity to convert to.
    if (value.isInfinity() &&
        !APFloat::semanticsHasInf(type.getFloatSemantics()))
      return {};
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return losesInfo && !value.isNaN() ? TypedAttr()
                                       : FloatAttr::get(element, value);
  }
  auto number = dyn_cast<IntegerAttr>(scalar);
  if (!number || !element.isIntOrIndex() ||
      number.getValue().getBitWidth() != element.getIntOrFloatBitWidth())
    return {};
  return IntegerAttr::get(element, number.getValue());
}

/// Functions that a device computes by its own formula are exact at these
/// values only.
static bool isExactResult(Operation *op, TypedAttr value) {
  if (op->getDialect()->getNamespace() != "math")
    return true;
  auto number = dyn_cast<FloatAttr>(value);
  return !number || number.getValue().isZero() || !number.getValue().isFinite();
}

void ConstantScalars::evaluate(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0)
    return;
  if (matchPattern(op, m_Constant())) {
    Attribute value;
    matchPattern(op, m_Constant(&value));
    if (auto typed = dyn_cast_or_null<TypedAttr>(value))
      set(op->getResult(0), typed);
    return;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(of(operand));
  if (llvm::none_of(operands, [](Attribute known) { return bool(known); }))
    return;
  // A folder may change the op in place, so that a copy is folded.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> results;
  if (succeeded(copy->fold(operands, results)) &&
      results.size() == op->getNumResults())
    for (auto [folded, result] : llvm::zip_equal(results, op->getResults())) {
      auto value = dyn_cast<Attribute>(folded)
                       ? dyn_cast<TypedAttr>(cast<Attribute>(folded))
                       : of(cast<Value>(folded));
      if (value && isExactResult(op, value))
        set(result, value);
    }
  copy->destroy();
}

TypedAttr gaudi::evaluateElementwise(ElementwiseOpInterface op,
                                     ArrayRef<TypedAttr> operands) {
  if (llvm::none_of(operands, [](TypedAttr known) { return bool(known); }))
    return {};
  MLIRContext *context = op->getContext();
  // In a block of its own: the scalar form is folded and thrown away.
  Block block;
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&block);
  ScalarBuilder scalars(builder, op->getLoc());
  ConstantScalars values;
  SmallVector<Value> inputs;
  for (auto [operand, known] : llvm::zip_equal(op->getOperands(), operands)) {
    inputs.push_back(block.addArgument(
        kernelType(getElementTypeOrSelf(operand)), op->getLoc()));
    if (known)
      values.set(inputs.back(), asScalar(known));
  }
  const Value result = op.buildScalar(scalars, inputs);
  for (Operation &inner : block)
    values.evaluate(&inner);
  const TypedAttr value = values.of(result);
  return value ? asElement(value, getElementTypeOrSelf(op->getResult(0)))
               : TypedAttr();
}

bool gaudi::isFinite(TypedAttr value) {
  auto number = dyn_cast_or_null<FloatAttr>(value);
  return value && (!number || number.getValue().isFinite());
}
