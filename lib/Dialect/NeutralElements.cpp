// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of an element type that reductions start from.
#include "Gaudi/Dialect/NeutralElements.h"

using namespace mlir;
using namespace gaudi;

static unsigned widthOf(Type element) {
  return element.isIndex() ? IndexType::kInternalStorageBitWidth
                           : element.getIntOrFloatBitWidth();
}

static TypedAttr numberOf(Type element, int64_t value) {
  if (auto type = dyn_cast<FloatType>(element))
    return FloatAttr::get(type, static_cast<double>(value));
  return IntegerAttr::get(element, APInt(widthOf(element), value,
                                         /*isSigned=*/true,
                                         /*implicitTrunc=*/true));
}

TypedAttr gaudi::zeroOf(Type element) { return numberOf(element, 0); }

/// The end of the range of `element`, the lower one if `isLowest`.
static TypedAttr endOf(Type element, bool isLowest) {
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &format = type.getFloatSemantics();
    return FloatAttr::get(type, APFloat::semanticsHasInf(format)
                                    ? APFloat::getInf(format, isLowest)
                                    : APFloat::getLargest(format, isLowest));
  }
  const unsigned width = widthOf(element);
  const bool isUnsigned = isUnsignedElement(element);
  return IntegerAttr::get(
      element, isLowest ? (isUnsigned ? APInt::getMinValue(width)
                                      : APInt::getSignedMinValue(width))
                        : (isUnsigned ? APInt::getMaxValue(width)
                                      : APInt::getSignedMaxValue(width)));
}

TypedAttr gaudi::lowestOf(Type element) { return endOf(element, true); }
TypedAttr gaudi::highestOf(Type element) { return endOf(element, false); }

TypedAttr gaudi::neutralOf(ReduceKind kind, Type element) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
  case ReduceKind::Any:
    return zeroOf(element);
  case ReduceKind::Prod:
  case ReduceKind::All:
    return numberOf(element, 1);
  case ReduceKind::Max:
    return lowestOf(element);
  case ReduceKind::Min:
    return highestOf(element);
  }
  return {};
}

TypedAttr gaudi::neutralOf(KernelReduce kind, Type element) {
  switch (kind) {
  case KernelReduce::Add:
  case KernelReduce::Or:
  case KernelReduce::Xor:
  case KernelReduce::MaxU:
    return zeroOf(element);
  case KernelReduce::Mul:
    return numberOf(element, 1);
  case KernelReduce::Max:
  case KernelReduce::MaxNum:
  case KernelReduce::ArgMax:
    return lowestOf(element);
  case KernelReduce::Min:
  case KernelReduce::MinNum:
  case KernelReduce::ArgMin:
    return highestOf(element);
  // All bits: what And keeps, and the largest unsigned number.
  case KernelReduce::And:
  case KernelReduce::MinU:
    return numberOf(element, -1);
  case KernelReduce::Custom:
    return {};
  }
  return {};
}

bool gaudi::isZero(TypedAttr value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return number.getValue().isZero();
  auto number = dyn_cast_or_null<IntegerAttr>(value);
  return number && number.getValue().isZero();
}

template <typename Kind> static bool isNeutralTo(Kind kind, TypedAttr value) {
  if (!value.getType().isIntOrIndexOrFloat())
    return false;
  const TypedAttr neutral = neutralOf(kind, value.getType());
  auto number = dyn_cast_or_null<FloatAttr>(neutral);
  if (!neutral || (number && number.getValue().isLargest()))
    return false;
  return value == neutral || (isZero(value) && isZero(neutral));
}

bool gaudi::isNeutral(KernelReduce kind, TypedAttr value) {
  return isNeutralTo(kind, value);
}
bool gaudi::isNeutral(ReduceKind kind, TypedAttr value) {
  return isNeutralTo(kind, value);
}
