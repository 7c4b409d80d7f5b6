// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of ops of the torch dialect with dynamic sizes.
#include "../Inference/SourceShapes.h"
#include "Gaudi/Conversion/Torch.h"
#include "VariantBuilder.h"

using namespace mlir;
using namespace gaudi;
using torch::DynamicSizes;

/// The name of a parameter that takes a number which is a size: in the variant
/// it would be that of the bucket. A range may end there.
static StringRef numberOfSizes(Operation *op, const SymbolicShapes &shapes) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const AffineExpr size = shapes.element(operand);
    const StringRef name = size && !isa<AffineConstantExpr>(size)
                               ? torchNumberName(op, i)
                               : StringRef();
    if (!name.empty() && name != "end")
      return name;
  }
  return {};
}

Value VariantBuilder::torchNumber(AffineExpr size) {
  OperationState state(source.getLoc(), "torch.constant.int");
  state.addAttribute("value", b.getI64IntegerAttr(padded(size)));
  state.addTypes(TorchObjectType::get(b.getContext(), "int", {}));
  return b.create(state)->getResult(0);
}

LogicalResult
VariantBuilder::cloneTorchCall(Operation *op,
                               llvm::function_ref<Value(Value)> reads) {
  const auto operands = llvm::map_to_vector(op->getOperands(), reads);
  FailureOr<Operation *> clone = cloneWith(op, operands);
  if (failed(clone))
    return failure();
  SizeList known;
  auto addSizes = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      llvm::append_range(known, shapes.shape(value));
  };
  for (Value operand : op->getOperands()) {
    addSizes(operand);
    if (Operation *list = operand.getDefiningOp(); list && isTorchOp(list))
      llvm::for_each(list->getOperands(), addSizes);
  }
  SmallVector<Value> results;
  for (auto [from, to] :
       llvm::zip_equal(op->getResults(), (*clone)->getResults())) {
    SmallVector<int64_t> dims;
    SizeList extents;
    if (isa<RankedTensorType>(from.getType()))
      for (auto [dim, size] : llvm::enumerate(shapes.shape(from)))
        if (isDynamic(size) && !isUnmarked(from, dim) &&
            !llvm::is_contained(known, size)) {
          dims.push_back(dim);
          extents.push_back(size);
        }
    results.push_back(markDims(to, dims, extents));
  }
  return finish(op, results);
}

/// A slice from a start that may be a size, or count from the end; or one
/// element, whose dimension goes.
LogicalResult VariantBuilder::cloneTorchSlice(Operation *op) {
  const bool isSelect = torchName(op) == "aten.select.int";
  const size_t count = isSelect ? 3 : 5;
  const Value from =
      op->getNumOperands() == count ? op->getOperand(0) : Value();
  auto type =
      from ? dyn_cast<RankedTensorType>(from.getType()) : RankedTensorType();
  auto dim = type ? dyn_cast_or_null<AffineConstantExpr>(
                        shapes.element(op->getOperand(1)))
                  : AffineConstantExpr();
  if (!dim || dim.getValue() < -type.getRank() ||
      dim.getValue() >= type.getRank())
    return op->emitError("its dimension is not a constant of its operand");
  const int64_t axis =
      dim.getValue() + (dim.getValue() < 0 ? type.getRank() : 0);
  SizeList dims = shapes.shape(from), whole = dims;
  SizeList starts(dims.size(), sizes.constant(0)),
      strides(dims.size(), sizes.constant(1));
  AffineExpr start = shapes.element(op->getOperand(2));
  Operation *given = op->getOperand(2).getDefiningOp();
  if (given && torchName(given) == "constant.none")
    start = sizes.constant(0);
  if (!start)
    return op->emitError("it starts at an offset that is no expression over "
                         "the symbols of the function");
  if (sizes.range(start).low < 0)
    start = sizes.add(start, dims[axis]);
  starts[axis] = start;
  if (isSelect) {
    dims[axis] = sizes.constant(1);
  } else {
    strides[axis] = shapes.element(op->getOperand(4));
    dims = shapes.shape(op->getResult(0));
  }
  if (sizes.range(start).low < 0 || !strides[axis])
    return op->emitError("it starts at ")
           << sizes.text(start) << ", which may be before the first element";
  FailureOr<Value> taken = takeWindow(op, marked(from), starts, dims, strides);
  FailureOr<Type> result = staticType(op->getResult(0), op);
  if (failed(taken) || failed(result))
    return failure();
  Value value = isSelect ? *taken : markChanged(*taken, dims, whole);
  return finish(op, {reshaped(value, cast<RankedTensorType>(*result))});
}

LogicalResult VariantBuilder::cloneTorch(Operation *op) {
  const StringRef name = torchName(op);
  if (name == "symbolic_int" || name == "bind_symbolic_shape")
    return success();
  auto isDynamicTensor = [&](Value value) {
    return isa<RankedTensorType>(value.getType()) && shapes.isDynamic(value);
  };
  const bool isDynamicCall = llvm::any_of(op->getOperands(), isDynamicTensor) ||
                             llvm::any_of(op->getResults(), isDynamicTensor);
  auto asData = [&](Value value) { return data(value); };
  auto asMarked = [&](Value value) {
    return isa<RankedTensorType>(value.getType()) ? marked(value) : data(value);
  };
  if (StringRef number = numberOfSizes(op, shapes); !number.empty())
    return op->emitError("its operand '")
           << number << "' is a size that is dynamic; give it as a tensor";
  if (!isDynamicCall)
    return cloneTorchCall(op, asMarked);
  switch (torchDynamicSizes(op)) {
  case DynamicSizes::Elementwise:
    for (Value result : op->getResults())
      setUnmarked(result, [&](int64_t dim) {
        const int64_t fromEnd =
            cast<RankedTensorType>(result.getType()).getRank() - dim;
        return llvm::all_of(op->getOperands(), [&](Value operand) {
          auto type = dyn_cast<RankedTensorType>(operand.getType());
          const int64_t own = type ? type.getRank() - fromEnd : -1;
          return own < 0 || !isDynamic(shapes.dim(operand, own)) ||
                 isUnmarked(operand, own);
        });
      });
    return cloneTorchCall(op, asData);
  case DynamicSizes::Creation:
    setUnmarked(op->getResult(0), [](int64_t) { return true; });
    return cloneTorchCall(op, asData);
  case DynamicSizes::View:
    return cloneReshape(op);
  case DynamicSizes::Window:
    return cloneTorchSlice(op);
  case DynamicSizes::Refused:
    return op->emitError("it may compute with sizes, which are not followed "
                         "through '")
           << name << "'; give the model a static size there";
  case DynamicSizes::Marked:
    return cloneTorchCall(op, asMarked);
  }
  llvm_unreachable("all forms are above");
}
