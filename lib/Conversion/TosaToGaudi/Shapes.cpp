// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates TOSA shape expressions, which with static shapes are constants.
#include "Converter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

/// One step of an elementwise shape op, or nothing if it has no value (a
/// division by zero, an exponent that does not fit).
static std::optional<int64_t> applyBinary(Operation *op, int64_t a, int64_t b) {
  if (isa<tosa::AddShapeOp>(op))
    return a + b;
  if (isa<tosa::SubShapeOp>(op))
    return a - b;
  if (isa<tosa::MulShapeOp>(op))
    return a * b;
  if (isa<tosa::MaxShapeOp>(op))
    return std::max(a, b);
  if (isa<tosa::MinShapeOp>(op))
    return std::min(a, b);
  if (a < 0 || b <= 0)
    return std::nullopt;
  if (isa<tosa::DivCeilShapeOp>(op))
    return a / b + (a % b != 0);
  if (isa<tosa::DivFloorShapeOp>(op))
    return a / b;
  if (isa<tosa::ModShapeOp>(op))
    return a % b;
  return std::nullopt;
}

static std::optional<int64_t> applyUnary(Operation *op, int64_t a) {
  if (isa<tosa::Exp2ShapeOp>(op))
    return a >= 0 && a < 62 ? std::optional(int64_t(1) << a) : std::nullopt;
  if (a <= 0)
    return std::nullopt;
  if (isa<tosa::Log2CeilShapeOp>(op))
    return llvm::Log2_64_Ceil(a);
  if (isa<tosa::Log2FloorShapeOp>(op))
    return llvm::Log2_64(a);
  return std::nullopt;
}

/// Start and size are tensors of one number, unlike other shape operands.
static std::optional<SmallVector<int64_t>> sliceShape(tosa::SliceShapeOp op,
                                                      ArrayRef<int64_t> shape) {
  std::optional<SmallVector<int64_t>> start = constantInts(op.getStart());
  std::optional<SmallVector<int64_t>> size = constantInts(op.getSize());
  if (!start || !size)
    return std::nullopt;
  int64_t first = start->front(), count = size->front();
  int64_t total = shape.size();
  if (first < 0 || count < 0 || first > total || count > total - first)
    return std::nullopt;
  return llvm::to_vector(shape.slice(first, count));
}

std::optional<SmallVector<int64_t>> ShapeValues::lookup(Value shape) const {
  auto it = values.find(shape);
  return it == values.end() ? std::nullopt : std::optional(it->second);
}

void ShapeValues::evaluate(Operation *op) {
  // Nothing on the device has more dimensions; a chain of concatenations would
  // otherwise grow exponentially.
  constexpr size_t mostNumbers = 64;
  auto numbers = compute(op);
  if (numbers && numbers->size() <= mostNumbers)
    values[op->getResult(0)] = std::move(*numbers);
}

std::optional<SmallVector<int64_t>> ShapeValues::compute(Operation *op) const {
  if (auto constant = dyn_cast<tosa::ConstShapeOp>(op))
    return llvm::to_vector(constant.getValues().getValues<int64_t>());
  if (auto dim = dyn_cast<tosa::DimOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(dim.getInput1().getType());
    if (!type || type.isDynamicDim(dim.getAxis()))
      return std::nullopt;
    return SmallVector<int64_t>{type.getDimSize(dim.getAxis())};
  }
  if (auto slice = dyn_cast<tosa::SliceShapeOp>(op)) {
    auto shape = lookup(slice.getInput());
    return shape ? sliceShape(slice, *shape) : std::nullopt;
  }
  SmallVector<SmallVector<int64_t>> operands;
  for (Value operand : op->getOperands()) {
    std::optional<SmallVector<int64_t>> numbers = lookup(operand);
    if (!numbers)
      return std::nullopt;
    operands.push_back(std::move(*numbers));
  }
  SmallVector<int64_t> result;
  if (isa<tosa::ConcatShapeOp>(op)) {
    for (const SmallVector<int64_t> &operand : operands)
      llvm::append_range(result, operand);
    return result;
  }
  // All others are element by element.
  if (operands.size() != 1 &&
      (operands.size() != 2 || operands[0].size() != operands[1].size()))
    return std::nullopt;
  for (size_t i = 0; i < operands[0].size(); ++i) {
    std::optional<int64_t> value =
        operands.size() == 1 ? applyUnary(op, operands[0][i])
                             : applyBinary(op, operands[0][i], operands[1][i]);
    if (!value)
      return std::nullopt;
    result.push_back(*value);
  }
  return result;
}
