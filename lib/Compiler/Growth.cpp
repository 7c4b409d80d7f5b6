// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another size for the dimensions of a function that grow together.
#include "Growth.h"
#include "Gaudi/Dialect/Layout.h"
#include "Gaudi/Dialect/Signature.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gaudi;

SmallVector<Value, 0> gaudi::valuesOf(func::FuncOp function) {
  Block &block = function.front();
  SmallVector<Value, 0> all(block.getArguments());
  for (Operation &op : block)
    llvm::append_range(all, op.getResults());
  return all;
}

/// A constant of one value, or without elements, in another shape. A dimension
/// of size 0 stays as it is.
static DenseElementsAttr resizeConstant(Attribute value,
                                        RankedTensorType type) {
  if (type.getNumElements() == 0)
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  return DenseElementsAttr::get(
      type, cast<SplatElementsAttr>(value).getSplatValue<Attribute>());
}

/// Gives the index space a first dimension of size 1 for each of `dims`, which
/// are dimensions of the results that are stored to at 0.
static void addWalks(KernelOp kernel, ArrayRef<unsigned> dims) {
  const unsigned added = dims.size();
  MLIRContext *context = kernel.getContext();
  kernel.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<KernelLoadOp>(op)) {
      load.setMap(load.getMap().shiftDims(added));
    } else if (auto index = dyn_cast<KernelIndexOp>(op)) {
      index.setDim(index.getDim() + added);
    } else if (auto loop = dyn_cast<KernelLoopOp>(op)) {
      SmallVector<int64_t> shifted(loop.getDims());
      for (int64_t &dim : shifted)
        dim += added;
      loop.setDims(shifted);
    } else if (auto store = dyn_cast<KernelStoreOp>(op)) {
      AffineMap map = store.getMap().shiftDims(added);
      SmallVector<AffineExpr> exprs(map.getResults());
      for (auto [walk, dim] : llvm::enumerate(dims))
        if (dim < exprs.size() && isa<AffineConstantExpr>(exprs[dim]))
          exprs[dim] = getAffineDimExpr(walk, context);
      store.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs,
                                  context));
    }
  });
  SmallVector<int64_t> space(added, 1);
  llvm::append_range(space, kernel.getIndexSpace());
  kernel.setIndexSpace(space);
  SmallVector<bool> parallel(added, true);
  llvm::append_range(parallel, kernel.getParallel());
  kernel.setParallel(parallel);
}

namespace {
class Grower {
public:
  Grower(const BatchTies &ties, const std::vector<bool> &growing, int64_t from,
         int64_t to)
      : ties(ties), growing(growing), from(from), to(to) {
    assert(growing.size() == ties.size() && from > 0 && to > 0 &&
           "a decision per node, sizes");
  }

  LogicalResult run(func::FuncOp function) {
    for (Value value : valuesOf(function))
      if (isa<RankedTensorType>(value.getType()))
        resize(value, function);
    for (KernelOp kernel : function.front().getOps<KernelOp>())
      resize(kernel);
    function.setFunctionType(FunctionType::get(
        function.getContext(), function.front().getArgumentTypes(),
        function.front().getTerminator()->getOperandTypes()));
    return success(isValid);
  }

private:
  bool grows(Value value, unsigned dim) const {
    return growing[ties.nodeOf(value, dim)];
  }
  int64_t scaled(int64_t size) {
    const __int128 value = __int128(size) * to;
    isValid &= value % from == 0 && value / from <= maxWindowEntry;
    return isValid ? int64_t(value / from) : size;
  }
  void resize(Value value, func::FuncOp function);
  void resize(KernelOp kernel);
  void walkGrown(KernelOp kernel,
                 llvm::function_ref<bool(unsigned)> extentGrows);

  const BatchTies &ties;
  const std::vector<bool> &growing;
  int64_t from, to;
  bool isValid = true;
};
} // namespace

void Grower::resize(Value value, func::FuncOp function) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape(type.getShape());
  bool isGrown = false;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (grows(value, dim)) {
      size = scaled(size);
      isGrown = true;
    }
  if (!isGrown)
    return;
  type = type.clone(shape);
  value.setType(type);
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    constant.setValueAttr(resizeConstant(constant.getValue(), type));
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    const unsigned number = argument.getArgNumber();
    if (auto initial = function.getArgAttr(number, initialAttrName))
      function.setArgAttr(number, initialAttrName,
                          resizeConstant(initial, type));
  }
}

/// Lets the kernel walk dimensions that it reads at 0 and that grow.
void Grower::walkGrown(KernelOp kernel,
                       llvm::function_ref<bool(unsigned)> extentGrows) {
  kernel.getBody().walk([&](KernelLoadOp load) {
    const Value input = kernel.getInputs()[load.getInputNumber()];
    AffineMap map = load.getMap();
    SmallVector<AffineExpr> exprs(map.getResults());
    bool isChanged = false;
    for (auto [dim, expr] : llvm::enumerate(exprs))
      if (isa<AffineConstantExpr>(expr) && !load.getDynamicIndex(dim) &&
          grows(input, dim))
        if (auto walked = walkedAlone(kernel, exprs.size(), dim);
            walked && extentGrows(*walked)) {
          expr = getAffineDimExpr(*walked, map.getContext());
          isChanged = true;
        }
    if (isChanged)
      load.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs,
                                 map.getContext()));
  });
}

/// After its operands and results have been resized.
void Grower::resize(KernelOp kernel) {
  const unsigned dims = kernel.getIndexSpace().size();
  const unsigned rank = kernel.getOutputs().empty()
                            ? 0
                            : tensorType(kernel.getOutputs().front()).getRank();
  // The factors: the index space, then dimensions of results that it lacks.
  auto factorGrows = [&](unsigned factor) {
    return growing[ties.nodeOf(kernel, factor)];
  };
  SmallVector<unsigned> ones;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (factorGrows(dims + dim))
      ones.push_back(dim);
  if (!ones.empty())
    addWalks(kernel, ones);
  auto extentGrows = [&](unsigned dim) {
    return dim < ones.size() || factorGrows(dim - ones.size());
  };
  walkGrown(kernel, extentGrows);
  SmallVector<int64_t> space(kernel.getIndexSpace());
  for (auto [dim, extent] : llvm::enumerate(space))
    if (extentGrows(dim))
      extent = scaled(extent);
  kernel.setIndexSpace(space);
  for (auto [inner, outer] :
       llvm::zip(kernel.getInputArguments(), kernel.getInputs()))
    inner.setType(outer.getType());
  for (auto [inner, outer] :
       llvm::zip(kernel.getOutputArguments(), kernel.getOutputs()))
    inner.setType(outer.getType());
}

LogicalResult gaudi::grow(func::FuncOp function, const BatchTies &ties,
                          const std::vector<bool> &growing, int64_t from,
                          int64_t to) {
  return Grower(ties, growing, from, to).run(function);
}
