// Checks with reasons and elementwise kernels for the TOSA handlers.
#include "Converter.h"

using namespace mlir;
using namespace mlir::gaudi;

TosaHandlers::TosaHandlers() {
  addElementwiseHandlers(*this);
  addQuantizationHandlers(*this);
  addReductionHandlers(*this);
  addPoolingHandlers(*this);
  addConvolutionHandlers(*this);
  addDataMovementHandlers(*this);
  addFourierHandlers(*this);
  addControlFlowHandlers(*this);
}

template <typename T> static std::string str(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static LogicalResult checkType(TosaConverter &c, Operation *op, Type type,
                               const Twine &what) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return success();
  if (!tensor.hasRank())
    return c.fail(op, what + " of type '" + str(type) +
                          "' has no rank; static shapes only");
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (ShapedType::isDynamic(size))
      return c.fail(op, "dynamic dimension " + Twine(dim) + " of " + what +
                            " of type '" + str(type) + "'; static shapes only");
  if (!isDeviceElement(tensor.getElementType()))
    return c.fail(op, "element type '" + str(tensor.getElementType()) +
                          "' of " + what +
                          " is not a type of the device (f32, bf16, f16, "
                          "f8E4M3FN, f8E5M2, i8 to i64, ui8 to ui32, i1)");
  return success();
}

LogicalResult TosaConverter::checkTypes(Operation *op) {
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(checkType(*this, op, type, "operand " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(checkType(*this, op, type, "result " + Twine(i))))
      return failure();
  return success();
}

bool mlir::gaudi::isElementOf(Type type, Elements elements) {
  bool isFloat = isFloatElement(type), isBool = type.isInteger(1);
  switch (elements) {
  case Elements::Any:
    return true;
  case Elements::Number:
    return !isBool;
  case Elements::Float:
    return isFloat;
  case Elements::Int:
    return !isFloat && !isBool;
  case Elements::IntOrBool:
    return !isFloat;
  case Elements::Bool:
    return isBool;
  }
  llvm_unreachable("all kinds are listed");
}

LogicalResult TosaConverter::checkElements(Operation *op, Elements elements) {
  static constexpr StringLiteral names[] = {
      "any",        "a float or integer", "a float",
      "an integer", "an integer or i1",   "an i1"};
  Type type = getElementTypeOrSelf(op->getOperand(0));
  if (isElementOf(type, elements))
    return success();
  return fail(op, "expected " + names[unsigned(elements)] +
                      " element type but got '" + str(type) + "'");
}

FailureOr<int64_t> TosaConverter::zeroPoint(Operation *op, Value value,
                                            StringRef name, bool isUnsigned) {
  Type type = getElementTypeOrSelf(value);
  if (isFloatElement(type)) {
    if (isZeroConstant(value))
      return 0;
    return fail(op, "expected '" + name +
                        "' of a float tensor to be the constant 0");
  }
  std::optional<SmallVector<int64_t>> numbers = constantInts(value);
  if (!numbers || numbers->size() != 1)
    return fail(op,
                "expected '" + name +
                    "' to be a constant; pass the zero point as tosa.const");
  int64_t number = numbers->front();
  unsigned width = type.getIntOrFloatBitWidth();
  if (isUnsigned && width < 64)
    number &= (int64_t(1) << width) - 1;
  return number;
}

FailureOr<SmallVector<int64_t>> TosaConverter::shape(Operation *op, Value value,
                                                     StringRef name) {
  if (std::optional<SmallVector<int64_t>> numbers = constantShape(value))
    return *numbers;
  return fail(op, "the shape expression of '" + name + "' has no value");
}

Value TosaConverter::reshape(Location loc, Value value,
                             ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(value);
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, type.clone(shape), value);
}

Value TosaConverter::withRank(Location loc, Value value, int64_t rank) {
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  SmallVector<int64_t> padded(rank - int64_t(shape.size()), 1);
  padded.append(shape.begin(), shape.end());
  return reshape(loc, value, padded);
}

Value TosaConverter::castTo(Location loc, Value value, Type elementType) {
  RankedTensorType type = tensorType(value);
  if (type.getElementType() == elementType)
    return value;
  return CastOp::create(builder, loc, type.clone(elementType), value);
}

KernelBuilder TosaConverter::kernel(Operation *op, TypeRange outputs,
                                    ValueRange inputs,
                                    ArrayRef<int64_t> indexSpace,
                                    unsigned numParallel) {
  ++numKernels;
  SmallVector<bool> parallel(indexSpace.size(), false);
  std::fill_n(parallel.begin(), numParallel, true);
  return KernelBuilder(builder, op->getLoc(), outputs, inputs, indexSpace,
                       parallel, op->getName().getStringRef());
}

/// Joins neighbouring dimensions of `shapes` (inputs, then the result) along
/// which every tensor is either whole or repeated. Dimensions of size 1 in the
/// result vanish.
static SmallVector<SmallVector<int64_t>>
mergeDimensions(ArrayRef<SmallVector<int64_t>> shapes) {
  SmallVector<SmallVector<int64_t>> merged(shapes.size());
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

FailureOr<Value> TosaConverter::elementwiseKernel(Operation *op,
                                                  RankedTensorType result,
                                                  ValueRange inputs,
                                                  ValueRange tables,
                                                  ScalarBody body) {
  SmallVector<SmallVector<int64_t>> shapes;
  for (Value input : inputs)
    shapes.emplace_back(tensorType(input).getShape());
  shapes.emplace_back(result.getShape());
  if (result.getRank() == 0 || result.getRank() > int64_t(maxParallelDims))
    shapes = mergeDimensions(shapes);
  ArrayRef<int64_t> space = shapes.back();
  if (space.size() > maxParallelDims)
    return fail(op, Twine(space.size()) +
                        " dimensions remain after joining those that are "
                        "repeated alike, but a TPC kernel has at most " +
                        Twine(maxParallelDims));

  SmallVector<Value> operands;
  for (auto [input, shape] : llvm::zip(inputs, shapes))
    operands.push_back(reshape(op->getLoc(), input, shape));
  llvm::append_range(operands, tables);

  Type type = result.clone(space);
  Value value;
  {
    KernelBuilder k = kernel(op, type, operands, space, space.size());
    SmallVector<Value> loaded;
    SmallVector<AffineExpr> everywhere;
    for (unsigned dim = 0; dim < space.size(); ++dim)
      everywhere.push_back(k.dim(dim));
    for (unsigned i = 0; i < inputs.size(); ++i) {
      SmallVector<AffineExpr> position(everywhere);
      for (unsigned dim = 0; dim < space.size(); ++dim)
        if (shapes[i][dim] == 1)
          position[dim] = k.cst(0);
      loaded.push_back(k.load(i, position));
    }
    k.store(body(k, loaded), 0, everywhere);
    value = k.finish()->getResult(0);
  }
  return reshape(op->getLoc(), value, result.getShape());
}
