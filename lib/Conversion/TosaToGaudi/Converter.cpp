// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks with reasons and elementwise kernels for the TOSA patterns.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

TosaPatterns::TosaPatterns() {
  addElementwisePatterns(*this);
  addQuantizationPatterns(*this);
  addReductionPatterns(*this);
  addPoolingPatterns(*this);
  addConvolutionPatterns(*this);
  addDataMovementPatterns(*this);
  addFourierPatterns(*this);
  addControlFlowPatterns(*this);
}

LogicalResult TosaMatcher::checkType(Type type, const Twine &what) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return success();
  if (!tensor.hasRank())
    return refuse(what + " of type '" + spelled(type) +
                  "' has no rank: " + needsStaticShape);
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (ShapedType::isDynamic(size))
      return refuse("dynamic dimension " + Twine(dim) + " of " + what +
                    " of type '" + spelled(type) + "': " + needsStaticShape);
  if (!isDeviceElement(tensor.getElementType()))
    return refuse("element type '" + spelled(tensor.getElementType()) +
                  "' of " + what + " is not a type of the device (" +
                  deviceElements + ")");
  return success();
}

LogicalResult TosaMatcher::checkTypes() {
  Operation *op = getOperation();
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(checkType(type, "operand " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(checkType(type, "result " + Twine(i))))
      return failure();
  return success();
}

LogicalResult TosaMatcher::checkElements(Elements elements) {
  static constexpr StringLiteral names[] = {
      "any",        "a float or integer", "a float",
      "an integer", "an integer or i1",   "an i1"};
  Type type = getElementTypeOrSelf(getOperation()->getOperand(0));
  if (isElementOf(type, elements))
    return success();
  return refuse("expected " + names[unsigned(elements)] +
                " element type but got '" + spelled(type) + "'");
}

FailureOr<int64_t> TosaMatcher::zeroPoint(Value value, StringRef name,
                                          bool isUnsigned) {
  // TOSA's zero points of floats are 0; the kernels of floats have none.
  Type type = getElementTypeOrSelf(value);
  if (isFloatElement(type)) {
    if (isZeroConstant(value))
      return 0;
    return refuse("expected '" + name +
                      "' of a float tensor to be the constant 0",
                  value.getLoc(), "it is computed here");
  }
  std::optional<SmallVector<int64_t>> numbers = constantInts(value);
  if (!numbers || numbers->size() != 1)
    return refuse("expected '" + name +
                      "' to be a constant; pass the zero point as tosa.const",
                  value.getLoc(), "it is computed here");
  int64_t number = numbers->front();
  unsigned width = type.getIntOrFloatBitWidth();
  // The constant's type is often signless where the tensor's is unsigned.
  if (isUnsigned && width < 64)
    number &= (int64_t(1) << width) - 1;
  return number;
}

FailureOr<TosaMatcher::ZeroPoints> TosaMatcher::zeroPoints(Quantized first,
                                                           Quantized second) {
  FailureOr<int64_t> a =
      zeroPoint(first.zeroPoint, first.name, first.isUnsigned);
  if (failed(a))
    return failure();
  FailureOr<int64_t> b =
      zeroPoint(second.zeroPoint, second.name, second.isUnsigned);
  if (failed(b))
    return failure();
  return ZeroPoints{*a, *b};
}

FailureOr<SmallVector<int64_t>> TosaMatcher::shape(Value value,
                                                   StringRef name) {
  if (std::optional<SmallVector<int64_t>> numbers = shapes.lookup(value))
    return *numbers;
  return refuse("the shape expression of '" + name + "' has no value",
                value.getLoc(), "the expression is here");
}

/// The shape of `value` with leading dimensions of size 1 up to `rank`.
static SmallVector<int64_t> paddedShape(Value value, int64_t rank) {
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  assert(rank >= int64_t(shape.size()) && "ranks only grow");
  SmallVector<int64_t> padded(rank - int64_t(shape.size()), 1);
  padded.append(shape.begin(), shape.end());
  return padded;
}

Value TosaBuilder::withRank(Value value, int64_t rank) {
  return reshape(value, paddedShape(value, rank));
}

KernelBuilder TosaBuilder::kernel(Operation *op, TypeRange outputs,
                                  ValueRange inputs,
                                  ArrayRef<int64_t> indexSpace,
                                  unsigned numParallel) {
  ++numKernels;
  SmallVector<bool> parallel(indexSpace.size(), false);
  std::fill_n(parallel.begin(), numParallel, true);
  return KernelBuilder(*this, op->getLoc(), outputs, inputs, indexSpace,
                       parallel, op->getName().getStringRef());
}

/// Collapses neighbouring dimensions of `shapes` (inputs, then the result)
/// along which each tensor is either full or broadcast. Dimensions of size 1 in
/// the result vanish. Linear order is kept, so a reshape leads there.
static SmallVector<SmallVector<int64_t>>
collapseDimensions(ArrayRef<SmallVector<int64_t>> shapes) {
  SmallVector<SmallVector<int64_t>> merged(shapes.size());
  // The same tensors are broadcast along both of two neighbours: then each of
  // the tensors has their elements in one run, or one element for both.
  SmallVector<bool> lastRepeats;
  for (size_t dim = 0; dim < shapes.back().size(); ++dim) {
    int64_t size = shapes.back()[dim];
    if (size == 1)
      continue;
    SmallVector<bool> repeats;
    for (const SmallVector<int64_t> &shape : shapes)
      repeats.push_back(shape[dim] != size);
    bool join = repeats == lastRepeats;
    for (auto [shape, out] : llvm::zip_equal(shapes, merged)) {
      if (join)
        out.back() *= shape[dim];
      else
        out.push_back(shape[dim]);
    }
    lastRepeats = repeats;
  }
  if (merged.back().empty())
    for (SmallVector<int64_t> &shape : merged)
      shape.push_back(1);
  return merged;
}

/// The shapes of inputs and result inside the kernel.
static SmallVector<SmallVector<int64_t>>
elementwiseShapes(RankedTensorType result, ValueRange inputs) {
  SmallVector<SmallVector<int64_t>> shapes;
  for (Value input : inputs)
    shapes.push_back(paddedShape(input, result.getRank()));
  shapes.emplace_back(result.getShape());
  // Without need for it, collapsing only hides the shape from fusion.
  bool fits =
      result.getRank() > 0 && result.getRank() <= int64_t(maxParallelDims);
  return fits ? shapes : collapseDimensions(shapes);
}

LogicalResult TosaMatcher::checkElementwise(RankedTensorType result,
                                            ValueRange inputs) {
  if (result.getRank() <= int64_t(maxParallelDims))
    return success();
  size_t dims = elementwiseShapes(result, inputs).back().size();
  if (dims <= maxParallelDims)
    return success();
  return refuse(Twine(dims) +
                " dimensions remain after collapsing those that "
                "are broadcast alike, but a TPC kernel has at "
                "most " +
                Twine(maxParallelDims));
}

Value TosaBuilder::elementwiseKernel(Operation *op, RankedTensorType result,
                                     ValueRange inputs, ValueRange tables,
                                     ScalarBody body) {
  // Shapes of no more dimensions than an index space has.
  auto shapes = elementwiseShapes(result, inputs);
  ArrayRef<int64_t> space = shapes.back();
  assert(space.size() <= maxParallelDims && "checked by checkElementwise");

  SmallVector<Value> operands;
  for (auto [input, shape] : llvm::zip(inputs, shapes))
    operands.push_back(reshape(input, shape));
  llvm::append_range(operands, tables);

  Type type = result.clone(space);
  Value value;
  {
    // The kernel is finished before its result is read.
    KernelBuilder k = kernel(op, type, operands, space, space.size());
    SmallVector<Value> loaded;
    SmallVector<AffineExpr> everywhere;
    for (unsigned dim = 0; dim < space.size(); ++dim)
      everywhere.push_back(k.dim(dim));
    for (unsigned i = 0; i < inputs.size(); ++i) {
      SmallVector<AffineExpr> position(everywhere);
      // A dimension of size 1 is broadcast.
      for (unsigned dim = 0; dim < space.size(); ++dim)
        if (shapes[i][dim] == 1)
          position[dim] = k.cst(0);
      loaded.push_back(k.load(i, position));
    }
    k.store(body(k, loaded), 0, everywhere);
    value = k.finish()->getResult(0);
  }
  return reshape(value, result.getShape());
}
