// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following sizes through a function.
#include "SymbolicShapes.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/Torch.h"
#include "Gaudi/Dialect/Symbols.h"
#include "SourceShapes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include <set>
#include <vector>

using namespace mlir;
using namespace gaudi;

SizeList SymbolicShapes::shape(Value value) const {
  if (auto it = shapes.find(value); it != shapes.end())
    return it->second;
  SizeList result;
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (int64_t size : type.getShape())
      result.push_back(ShapedType::isDynamic(size) ? AffineExpr()
                                                   : sizes.constant(size));
  return result;
}

const SizeList *SymbolicShapes::elements(Value value) const {
  auto it = contents.find(value);
  return it == contents.end() ? nullptr : &it->second;
}

AffineExpr SymbolicShapes::element(Value value) const {
  const SizeList *list = elements(value);
  return list && list->size() == 1 ? list->front() : AffineExpr();
}

bool SymbolicShapes::isKnown(Value value) const {
  const SizeList *list = elements(value);
  return list && !llvm::is_contained(*list, AffineExpr());
}

bool SymbolicShapes::isDynamic(Value value) const {
  return llvm::any_of(shape(value), [](AffineExpr size) {
    return !size || !isa<AffineConstantExpr>(size);
  });
}

/// False if `size` is another number at one end of the bounds.
static bool isOf(AffineExpr size, int64_t number, const SizeExprs &sizes) {
  for (bool isHigh : {false, true}) {
    auto at = llvm::map_to_vector(sizes.getSymbols(), [&](const Symbol &s) {
      return isHigh ? s.max : s.min;
    });
    if (auto value = SizeExprs::valueAt(size, at); value && *value != number)
      return false;
  }
  return true;
}

std::string SymbolicShapes::fixedSizeHint(AffineExpr size,
                                          int64_t number) const {
  const std::string fixed = std::to_string(number);
  std::string hint = "; the model has it fixed at " + fixed +
                     ": if that was the size of an example, export the model "
                     "with another example size there";
  if (isa<AffineSymbolExpr>(size))
    hint += ", or bound it as " + sizes.text(size) + "=" + fixed;
  // Linear layers over two dynamic dimensions, in linalg.
  if (number == 1)
    hint += "; torch-mlir also writes 1 where a view collapses two dynamic "
            "dimensions: export without the decomposition of aten.linear";
  return hint;
}

LogicalResult SymbolicShapes::setShape(Value result, SizeList dims) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  Operation *op = result.getDefiningOp();
  if (!type || type.getRank() != int64_t(dims.size()))
    return op->emitError("its result of type ")
           << result.getType() << " must have " << dims.size() << " dimensions";
  // The type wins where it is static; both must agree.
  for (auto [i, size] : llvm::enumerate(dims)) {
    if (!type.isDynamicDim(i)) {
      const int64_t fixed = type.getDimSize(i);
      if (size && !isOf(size, fixed, sizes))
        return op->emitError("dimension ")
               << i << " of its result is " << fixed << " by its type but "
               << sizes.text(size) << " by its operands"
               << (isa<AffineConstantExpr>(size) ? std::string()
                                                 : fixedSizeHint(size, fixed));
      size = sizes.constant(type.getDimSize(i));
    }
    // A dynamic size must be an expression: variants are made from it.
    if (!size)
      return op->emitError("dimension ")
             << i << " of its result of type " << type
             << " is not known: it is no expression over the symbols of the "
                "function; give the model a static size there";
    size = sizes.normal(size);
    // A negative size means that slices and pads of small inputs do not fit.
    if (sizes.range(size).high < 0)
      return op->emitError("dimension ")
             << i << " of its result is " << sizes.text(size)
             << ", which is negative for all sizes; give its symbols larger "
                "bounds";
  }
  shapes[result] = std::move(dims);
  return success();
}

void SymbolicShapes::setElements(Value result, SizeList elements) {
  Type type = getElementTypeOrSelf(result.getType());
  if (isa<tosa::shapeType, shape::ShapeType, shape::SizeType, TorchObjectType>(
          type))
    type = IndexType::get(type.getContext());
  // Floats that hold whole numbers, as an arange of torch-mlir computes them.
  const bool isWholeFloat =
      (type.isF64() || type.isF32()) && elements.size() == 1;
  if (!(type.isIntOrIndex() || isWholeFloat) ||
      elements.size() > size_t(maxElements) ||
      llvm::all_of(elements, [](AffineExpr e) { return !e; }))
    return;
  // Arithmetic on sizes does not wrap.
  const unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  const int64_t bits = type.isF64()   ? 53
                       : type.isF32() ? 24
                                      : std::min(width, 62U);
  for (AffineExpr &element : elements) {
    if (!element)
      continue;
    element = sizes.normal(element);
    const SizeExprs::Range range = sizes.range(element);
    if (width > 1 && (range.high >= int64_t(1) << (bits - 1) ||
                      range.low < -(int64_t(1) << (bits - 1))))
      element = {};
  }
  contents[result] = std::move(elements);
}

AffineExpr SymbolicShapes::merge(Operation *op, AffineExpr a, AffineExpr b,
                                 Value from, Value other) {
  if (!a || !b || a == b)
    return a ? a : b;
  InFlightDiagnostic error = op->emitError("its operands have the sizes ")
                             << sizes.text(a) << " and " << sizes.text(b)
                             << " where they must be equal";
  auto number = dyn_cast<AffineConstantExpr>(a);
  const AffineExpr dynamic = number ? b : a;
  if (!number)
    number = dyn_cast<AffineConstantExpr>(b);
  error << (number && !isa<AffineConstantExpr>(dynamic)
                ? fixedSizeHint(dynamic, number.getValue())
                : "; give both dimensions the same name, with --shape or "
                  "'gaudi.dims'");
  error.attachNote(from.getLoc()) << "the operand of size " << sizes.text(a);
  error.attachNote(other.getLoc()) << "the operand of size " << sizes.text(b);
  return {};
}

LogicalResult SymbolicShapes::inferByDialect(Operation *op) {
  if (isStablehlo(op->getName()))
    return inferStablehlo(op, *this);
  if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
    return inferTensor(op, *this);
  if (isa_and_nonnull<arith::ArithDialect, index::IndexDialect,
                      math::MathDialect, affine::AffineDialect,
                      cf::ControlFlowDialect>(op->getDialect()))
    return inferArithmetic(op, *this);
  if (isa_and_nonnull<shape::ShapeDialect>(op->getDialect()))
    return inferShape(op, *this);
  if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
    return inferTosa(op, *this);
  if (isTorchOp(op))
    return inferTorch(op, *this);
  return inferStructured(op, *this);
}

/// Regions that no rule has entered: those of control flow, and bodies.
LogicalResult SymbolicShapes::inferRegions(Operation *op) {
  if (isStablehlo(op->getName()) ||
      isa<linalg::LinalgOp, tensor::PadOp, tensor::GenerateOp,
          shape::AssumingOp>(op))
    return success();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (Type type : block.getArgumentTypes())
        if (auto shaped = dyn_cast<ShapedType>(type);
            shaped && !shaped.hasStaticShape())
          return op->emitError("it carries a value of type ")
                 << type
                 << "; values of dynamic shape in control flow are not "
                    "supported; unroll it or give the model a static size "
                    "there";
      if (failed(inferBlock(block)))
        return failure();
    }
  return success();
}

LogicalResult SymbolicShapes::inferOp(Operation *op) {
  if (failed(inferByDialect(op)) || failed(inferRegions(op)))
    return failure();
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (isa<UnrankedTensorType>(result.getType()))
      return op->emitError("its result has no rank; give the model a type "
                           "with dimensions there, such as tensor<?x4xf32>");
    if (type && !type.hasStaticShape() && !shapes.contains(result))
      return op->emitError("no rule says which size the dynamic dimensions of "
                           "its result of type ")
             << type << " have; give the model static sizes there";
  }
  return success();
}

LogicalResult SymbolicShapes::inferBlock(Block &block) {
  for (Operation &op : block)
    if (failed(inferOp(&op)))
      return failure();
  return success();
}

LogicalResult SymbolicShapes::infer(func::FuncOp function) {
  shapes.clear();
  contents.clear();
  for (BlockArgument argument : function.getArguments()) {
    auto map = function.getArgAttrOfType<AffineMapAttr>(argument.getArgNumber(),
                                                        shapeAttrName);
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || (!map && type.hasStaticShape()))
      continue;
    if (!map || map.getValue().getNumResults() != type.getRank() ||
        map.getValue().getNumDims() != 0 ||
        map.getValue().getNumSymbols() != sizes.getSymbols().size())
      return function.emitError("argument ")
             << argument.getArgNumber() << " of type " << type << " needs '"
             << shapeAttrName
             << "', a map over the symbols with one size per dimension";
    SizeList dims;
    // The type knows static dimensions, whatever the map says.
    for (auto [i, size] : llvm::enumerate(map.getValue().getResults()))
      dims.push_back(type.isDynamicDim(i) ? sizes.normal(size)
                                          : sizes.constant(type.getDimSize(i)));
    shapes[argument] = std::move(dims);
  }
  // In one block, each value comes before its readers.
  if (!function.getBody().hasOneBlock())
    return function.emitError(
        "a function with dynamic dimensions must be one block; write its "
        "branches and loops as scf.if, scf.for and scf.while");
  return inferBlock(function.front());
}

AffineExpr SymbolicShapes::findIrregular() const {
  // Hundreds of values have few different shapes. The least text is taken: the
  // order of the map is not that of the program.
  llvm::DenseSet<AffineExpr> seen;
  AffineExpr found;
  auto check = [&](AffineExpr size) {
    if (!size || isa<AffineConstantExpr>(size) || !seen.insert(size).second ||
        sizes.isSimple(size))
      return;
    if (!found || sizes.text(size) < sizes.text(found))
      found = size;
  };
  std::set<std::vector<const void *>> known;
  for (auto &[value, dims] : shapes) {
    std::vector<const void *> key;
    for (AffineExpr dim : dims)
      key.push_back(dim.getAsOpaquePointer());
    if (!known.insert(std::move(key)).second)
      continue;
    // Also products of neighbouring dimensions, which reshapes and strides
    // make.
    for (size_t first = 0; first < dims.size(); ++first) {
      AffineExpr product = sizes.constant(1);
      for (AffineExpr dim : ArrayRef(dims).drop_front(first)) {
        if (!dim)
          break;
        if (isa<AffineConstantExpr>(dim))
          continue;
        product = sizes.mul(product, dim);
        check(product);
      }
    }
  }
  for (auto &[value, elements] : contents)
    llvm::for_each(elements, check);
  return found;
}
