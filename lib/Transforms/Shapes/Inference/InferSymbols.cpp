// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass gaudi-infer-symbols.
#include "../Symbols/SymbolSyntax.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Conversion/StablehloForms.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "SymbolicShapes.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace gaudi {
#define GEN_PASS_DEF_INFERSYMBOLS
#include "Gaudi/Transforms/Shapes/ShapePasses.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

namespace {
struct InferSymbols : public gaudi::impl::InferSymbolsBase<InferSymbols> {
  using InferSymbolsBase::InferSymbolsBase;

  void runOnOperation() override;

private:
  LogicalResult inlineCalls();
};
} // namespace

static RankedTensorType dynamicType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape() ? tensor : RankedTensorType();
}

static bool isDynamic(func::FuncOp function) {
  return !function.isExternal() && function.isPublic() &&
         llvm::any_of(function.getArgumentTypes(),
                      [](Type type) { return bool(dynamicType(type)); });
}

/// The entry of `gaudi.dims` for a dimension; empty if there is none.
static StringRef entryOf(func::FuncOp function, unsigned argument,
                         int64_t dim) {
  auto dims = function.getArgAttrOfType<ArrayAttr>(argument, dimsAttrName);
  auto entry = dims && dim < int64_t(dims.size())
                   ? dyn_cast<StringAttr>(dims[dim])
                   : StringAttr();
  return entry ? entry.getValue().trim() : StringRef();
}

/// Reads the bounds of all dimensions. An error names each one without.
static LogicalResult readBounds(func::FuncOp function, SymbolReader &reader) {
  // All errors before failing: one run names everything without bounds.
  bool isComplete = true;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[i]);
    if (auto dims = function.getArgAttrOfType<ArrayAttr>(i, dimsAttrName))
      if (!type || int64_t(dims.size()) != type.getRank())
        return function.emitError("'")
               << dimsAttrName << "' of argument '" << argumentName(function, i)
               << "' has " << dims.size() << " entries for type "
               << function.getArgumentTypes()[i];
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      const StringRef entry = entryOf(function, i, dim);
      if (std::string problem = reader.addBounds(entry); !problem.empty())
        return function.emitError("'")
               << dimsAttrName << "' of argument '" << argumentName(function, i)
               << "', dimension " << dim << ": " << problem;
      // Nothing that a launch passes would tell such a symbol.
      if (!type.isDynamicDim(dim) && entry.contains('='))
        return function.emitError("dimension ")
               << dim << " of argument '" << argumentName(function, i)
               << "' is " << type.getDimSize(dim) << " in each launch, so '"
               << entry << "' cannot bound it; name the dynamic dimensions of "
               << type << " only";
      if (!type.isDynamicDim(dim) || !entry.empty())
        continue;
      isComplete = false;
      function.emitError("dimension ")
          << dim << " of argument '" << argumentName(function, i)
          << "' of type " << type
          << " is dynamic and has no bounds; give them as --shape="
          << argumentName(function, i) << ":NAME=MIN..MAX or with '"
          << dimsAttrName << "'";
    }
  }
  return success(isComplete);
}

/// Writes `gaudi.shape` on the arguments.
static LogicalResult setArgumentShapes(func::FuncOp function,
                                       const SymbolReader &reader,
                                       const SizeExprs &sizes) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[i]);
    if (!type)
      continue;
    SizeList dims;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      // A static dimension is its size; a dynamic one what the entry says.
      const StringRef entry = entryOf(function, i, dim);
      std::string problem;
      AffineExpr size =
          type.isDynamicDim(dim)
              ? reader.sizeOf(entry, function.getContext(), problem)
              : sizes.constant(type.getDimSize(dim));
      if (!size)
        return function.emitError("'")
               << dimsAttrName << "' of argument '" << argumentName(function, i)
               << "', dimension " << dim << ": " << problem;
      // Symbols of one size stay in the signature: its sizes tell the symbols.
      bool hasOnlySize = false;
      // Normal form would replace such a symbol by its number.
      size.walk(
          [&](AffineExpr e) { hasOnlySize |= sizes.onlySize(e).has_value(); });
      size = hasOnlySize ? size : sizes.normal(size);
      if (sizes.range(size).low < 0)
        return function.emitError("'")
               << dimsAttrName << "' of argument '" << argumentName(function, i)
               << "', dimension " << dim << ": the size " << sizes.text(size)
               << " can be " << sizes.range(size).low;
      dims.push_back(size);
    }
    function.removeArgAttr(i, dimsAttrName);
    function.setArgAttr(
        i, shapeAttrName,
        AffineMapAttr::get(AffineMap::get(0, sizes.getSymbols().size(), dims,
                                          function.getContext())));
  }
  return success();
}

static LogicalResult inferFunction(func::FuncOp function) {
  SymbolReader reader;
  // Symbols first: sizes are expressions over them.
  if (failed(readBounds(function, reader)))
    return failure();
  function->setAttr(symbolsAttrName,
                    symbolsAttr(function.getContext(), reader.getSymbols()));
  SizeExprs sizes(function.getContext(), reader.getSymbols());
  if (failed(setArgumentShapes(function, reader, sizes)))
    return failure();
  // The whole function is followed, so that a size without an expression is an
  // error here.
  SymbolicShapes shapes(sizes);
  if (failed(shapes.infer(function)))
    return failure();
  std::string list;
  for (auto [i, value] :
       llvm::enumerate(function.front().getTerminator()->getOperands())) {
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    const SizeList dims = shapes.shape(value);
    function.setResultAttr(
        i, shapeAttrName,
        AffineMapAttr::get(AffineMap::get(0, sizes.getSymbols().size(), dims,
                                          function.getContext())));
    list += list.empty() ? "" : ", ";
    list += resultName(function, i) + "[" +
            llvm::join(llvm::map_range(
                           dims, [&](AffineExpr e) { return sizes.text(e); }),
                       ", ") +
            "]";
  }
  remark::passed(
      function.getLoc(),
      remark::RemarkOpts::name("symbols").category("gaudi-infer-symbols"))
      << "inferred the sizes of all values over "
      << std::to_string(reader.getSymbols().size())
      << " symbols; results: " << list;
  return success();
}

LogicalResult InferSymbols::inlineCalls() {
  ModuleOp module = getOperation();
  if (!module.walk([](func::CallOp) { return WalkResult::interrupt(); })
           .wasInterrupted())
    return success();
  showSymbols(module);
  OpPassManager inlining(ModuleOp::getOperationName());
  inlining.addPass(createInlinerPass());
  inlining.addPass(createSymbolDCEPass());
  return success(succeeded(checkInlinedSize(module, defaultExpandedOps)) &&
                 succeeded(runPipeline(inlining, module)));
}

void InferSymbols::runOnOperation() {
  SmallVector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (isDynamic(function))
      functions.push_back(function);
  if (functions.empty())
    return markAllAnalysesPreserved();
  if (!shape.empty()) {
    if (functions.size() > 1) {
      functions[1].emitError("option 'shape': it speaks of one function with "
                             "dynamic dimensions, and '")
          << functions[1].getName() << "' is another one than '"
          << functions[0].getName()
          << "'; choose one with --entry, or bound each with '" << dimsAttrName
          << "'";
      return signalPassFailure();
    }
    if (std::string problem = applyShapeOption(functions[0], shape);
        !problem.empty()) {
      functions[0].emitError("option 'shape': ") << problem;
      return signalPassFailure();
    }
  }
  // Calls and composites first: sizes are followed within one function.
  if (failed(callDynamicComposites(getOperation())) || failed(inlineCalls()))
    return signalPassFailure();
  writeDynamicWindows(getOperation());
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (isDynamic(function) && failed(inferFunction(function)))
      return signalPassFailure();
}
