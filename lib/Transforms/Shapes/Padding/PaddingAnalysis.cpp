// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfer functions are the rules of ops.
#include "PaddingAnalysis.h"
#include "Gaudi/Dialect/Symbols.h"

using namespace mlir;
using namespace gaudi;

std::optional<PaddingState> gaudi::stateOfArgument(BlockArgument argument,
                                                   const SymbolSizes &sizes) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  PaddingState state =
      PaddingState::real(type ? type.getShape() : ArrayRef<int64_t>());
  auto attr = function.getArgAttrOfType<AffineMapAttr>(argument.getArgNumber(),
                                                       shapeAttrName);
  // Without sizes all elements are real.
  if (!attr || !type)
    return state;
  const AffineMap map = attr.getValue();
  if (map.getNumResults() != state.dims.size()) {
    function.emitError("argument ")
        << argument.getArgNumber() << " has " << state.dims.size()
        << " dimensions but '" << shapeAttrName << "' has "
        << map.getNumResults() << " sizes";
    return std::nullopt;
  }
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    const int64_t size = type.getDimSize(dim);
    const AffineExpr extent = sizes.simplify(expr);
    // The bucket's size must have room for every size it admits.
    if (sizes.atBucket(extent).value_or(size + 1) > size) {
      function.emitError("argument ")
          << argument.getArgNumber() << " has size " << size << " in dimension "
          << dim << " but the bucket admits " << sizes.text(extent) << " = "
          << sizes.atBucket(extent).value_or(-1);
      return std::nullopt;
    }
    // Equal for all sizes: no padding.
    if (sizes.rangeOf(extent).low < size)
      state.dims[dim] = {{size, extent, size == 1, {}}};
  }
  return state;
}

void PaddingAnalysis::setToEntryState(PaddingLattice *lattice) {
  PaddingState state;
  auto argument = dyn_cast<BlockArgument>(lattice->getAnchor());
  if (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    state = stateOfArgument(argument, sizes).value_or(PaddingState());
  state.isKnown = true;
  propagateIfChanged(lattice, lattice->join(state));
}

LogicalResult
PaddingAnalysis::visitOperation(Operation *op,
                                ArrayRef<const PaddingLattice *> operands,
                                ArrayRef<PaddingLattice *> results) {
  // Bodies of kernels have no tensors; the rule of the kernel reads them.
  if (!isa<func::FuncOp>(op->getParentOp())) {
    setAllToEntryStates(results);
    return success();
  }
  SmallVector<const PaddingState *> states;
  for (const PaddingLattice *operand : operands) {
    states.push_back(&operand->getValue());
    if (!states.back()->isKnown)
      return success(); // visited again when it is
  }
  const OpPadding padding = paddingOf(op, states, sizes);
  for (auto [lattice, state] : llvm::zip_equal(results, padding.results))
    propagateIfChanged(lattice, lattice->join(state));
  return success();
}
