// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of a call as values, and the ops that lowerings are made of.
#include "Call.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gaudi;

Type gaudi::deviceElement(torch::ScalarType type, MLIRContext *context) {
  Builder b(context);
  using torch::ScalarType;
  switch (type) {
  case ScalarType::Float32:
    return b.getF32Type();
  case ScalarType::BFloat16:
    return b.getBF16Type();
  case ScalarType::Float16:
    return b.getF16Type();
  case ScalarType::Float8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ScalarType::Float8E5M2:
    return Float8E5M2Type::get(context);
  case ScalarType::Int8:
    return b.getI8Type();
  case ScalarType::Int16:
    return b.getI16Type();
  case ScalarType::Int32:
    return b.getI32Type();
  case ScalarType::Int64:
    return b.getI64Type();
  case ScalarType::UInt8:
    return b.getIntegerType(8, /*isSigned=*/false);
  case ScalarType::UInt16:
    return b.getIntegerType(16, /*isSigned=*/false);
  case ScalarType::UInt32:
    return b.getIntegerType(32, /*isSigned=*/false);
  case ScalarType::Bool:
    return b.getI1Type();
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

double TorchCall::number(unsigned i, double absent) const {
  const torch::Argument &argument = arguments[i];
  if (const auto *flag = std::get_if<bool>(&argument))
    return *flag;
  if (const auto *integer = std::get_if<int64_t>(&argument))
    return static_cast<double>(*integer);
  const auto *real = std::get_if<double>(&argument);
  return real ? *real : absent;
}

int64_t TorchCall::dim(unsigned i, int64_t rank) const {
  const int64_t given = integer(i);
  return given < 0 ? given + std::max<int64_t>(rank, 1) : given;
}

SmallVector<int64_t> TorchCall::dims(unsigned i, int64_t rank) const {
  SmallVector<int64_t> result;
  if (i < size() && std::holds_alternative<int64_t>(arguments[i])) {
    if (rank > 0)
      result.push_back(dim(i, rank));
    return result;
  }
  if (i >= size() || !has(i) || ints(i).empty())
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t given : ints(i))
    if (rank > 0)
      result.push_back(given < 0 ? given + rank : given);
  llvm::sort(result);
  return result;
}

RankedTensorType TorchCall::result(unsigned i) const {
  return RankedTensorType::get(
      resultShape(i), deviceElement(results[i].dtype, builder.getContext()));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// The elements of a constant converted to `element`, if both are floats.
static DenseElementsAttr convertFloats(Value value, Type element) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue())
                           : DenseFPElementsAttr();
  auto type = dyn_cast<FloatType>(element);
  if (!elements || !type)
    return {};
  return elements.mapValues(element, [&](const APFloat &number) {
    APFloat rounded = number;
    bool losesInfo = false;
    rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return rounded.bitcastToAPInt();
  });
}

Value TorchCall::cast(Value value, Type element) {
  RankedTensorType type = tensorType(value);
  if (type.getElementType() == element)
    return value;
  if (type.getElementType().isF64())
    if (DenseElementsAttr converted = convertFloats(value, element))
      return ConstantOp::create(builder, converted);
  // PyTorch's narrow integers wrap; the device's conversion saturates.
  if (isFloatElement(type.getElementType()) && isa<IntegerType>(element) &&
      !element.isInteger(1) && element.getIntOrFloatBitWidth() < 32)
    value = CastOp::create(builder, type.clone(builder.getI32Type()), value);
  return CastOp::create(builder, type.clone(element), value);
}

Value TorchCall::withRank(Value value, int64_t rank) {
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  assert(int64_t(shape.size()) <= rank && "ranks only grow");
  SmallVector<int64_t> longer(rank - shape.size(), 1);
  llvm::append_range(longer, shape);
  return reshape(value, longer);
}

Value TorchCall::expand(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(value);
  if (type.getShape() == shape)
    return value;
  RankedTensorType result = type.clone(shape);
  if (result.getNumElements() == type.getNumElements())
    return reshape(value, shape);
  const int64_t added = result.getRank() - type.getRank();
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(added, result.getRank()));
  return BroadcastOp::create(builder, result, value, dims);
}

Value TorchCall::slice(Value value, int64_t dim, int64_t offset, int64_t size,
                       int64_t step) {
  RankedTensorType type = tensorType(value);
  if (offset == 0 && size == type.getDimSize(dim))
    return value;
  SmallVector<int64_t> offsets(type.getRank(), 0), steps(type.getRank(), 1);
  SmallVector<int64_t> shape(type.getShape());
  offsets[dim] = offset;
  steps[dim] = step;
  shape[dim] = size;
  return SliceOp::create(builder, type.clone(shape), value, offsets, steps);
}

Value TorchCall::constant(RankedTensorType type, TypedAttr number) {
  return ConstantOp::create(builder,
                            DenseElementsAttr::get(type, Attribute(number)));
}

/// A number as an attribute of `element`; floats become integers toward zero.
static TypedAttr attributeOf(double number, Type element) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, number);
  if (element.isInteger(1))
    return IntegerAttr::get(element, number != 0);
  const double whole = std::isfinite(number) ? std::trunc(number) : 0;
  const auto wide = static_cast<int64_t>(
      std::clamp(whole, -9223372036854775808.0, 9223372036854774784.0));
  return IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), wide,
                                         /*isSigned=*/true,
                                         /*implicitTrunc=*/true));
}

TypedAttr TorchCall::numberAttr(unsigned i, Type element) const {
  // 64-bit integers are more than a double holds.
  if (const auto *integer = std::get_if<int64_t>(&arguments[i]);
      integer && isa<IntegerType>(element) && !element.isInteger(1))
    return IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(),
                                           *integer, /*isSigned=*/true,
                                           /*implicitTrunc=*/true));
  return attributeOf(number(i), element);
}

Value TorchCall::scalar(double number, Type element) {
  return constant(RankedTensorType::get({}, element),
                  attributeOf(number, element));
}

Value TorchCall::operand(unsigned i, Type element) {
  if (isTensor(i))
    return cast(tensor(i), element);
  return constant(RankedTensorType::get({}, element), numberAttr(i, element));
}

Value TorchCall::wholeOperand(unsigned i, Type element) {
  return expand(operand(i, element), result().getShape());
}

SmallVector<int64_t> TorchCall::commonShape(ArrayRef<Value> operands) {
  SmallVector<int64_t> shape;
  for (Value operand : operands) {
    ArrayRef<int64_t> own = tensorType(operand).getShape();
    if (own.size() > shape.size())
      shape.insert(shape.begin(), own.size() - shape.size(), 1);
    for (size_t i = 0; i < own.size(); ++i) {
      int64_t &size = shape[shape.size() - 1 - i];
      if (size == 1)
        size = own[own.size() - 1 - i];
    }
  }
  return shape;
}

Value TorchCall::positions(ArrayRef<int64_t> shape, int64_t dim, Type element) {
  return IotaOp::create(builder, RankedTensorType::get(shape, element), dim);
}

Value TorchCall::compare(ComparePredicate predicate, Value a, Value b) {
  const SmallVector<int64_t> shape = commonShape({a, b});
  return CompareOp::create(
      builder, RankedTensorType::get(shape, builder.getI1Type()), predicate,
      withRank(a, shape.size()), withRank(b, shape.size()));
}

Value TorchCall::select(Value condition, Value a, Value b) {
  return apply<SelectOp>(getElementTypeOrSelf(a), {condition, a, b});
}

Value TorchCall::reduce(ReduceKind kind, Value value, ArrayRef<int64_t> dims,
                        bool keepDims) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      shape.push_back(type.getDimSize(dim));
    else if (keepDims)
      shape.push_back(1);
  if (dims.empty())
    return value;
  return ReduceOp::create(builder, type.clone(shape), kind, value, dims,
                          keepDims);
}

Type TorchCall::wideType(Type element) const {
  return isFloatElement(element) ? builder.getF32Type() : element;
}
