// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other sizes for a function of static shapes.
#include "Growth.h"
#include "Gaudi/Dialect/Layout.h"
#include "Gaudi/Dialect/Signature.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace gaudi;

using Mask = Growth::Mask;

namespace {
/// The masks of a tensor; null: it stays as it is.
using Grown = DenseMap<Value, const SmallVector<Mask, 4> *>;

/// Sizes from one set of sizes of the symbols to another one.
class Scale {
public:
  Scale(ArrayRef<int64_t> from, ArrayRef<int64_t> to) : from(from), to(to) {
    assert(from.size() == to.size() && "a size per symbol");
  }

  int64_t operator()(int64_t size, Mask mask) {
    __int128 value = size;
    for (unsigned k = 0; mask; ++k, mask >>= 1) {
      if (!(mask & 1))
        continue;
      assert(from[k] > 0 && to[k] > 0 && "sizes of symbols");
      value *= to[k];
      isExact &= value % from[k] == 0;
      value /= from[k];
      fits &= value <= maxWindowEntry;
      if (!fits)
        return size;
    }
    return int64_t(value);
  }

  LogicalResult result() const { return success(fits && isExact); }

private:
  ArrayRef<int64_t> from, to;
  bool fits = true, isExact = true;
};
} // namespace

SmallVector<Value, 0> gaudi::valuesOf(func::FuncOp function) {
  Block &block = function.front();
  SmallVector<Value, 0> all(block.getArguments());
  for (Operation &op : block)
    llvm::append_range(all, op.getResults());
  return all;
}

static bool anyOf(ArrayRef<Mask> masks) {
  return llvm::any_of(masks, [](Mask mask) { return mask != 0; });
}

Growth::Growth(func::FuncOp function, const BatchTies &ties,
               ArrayRef<Mask> masks) {
  assert(masks.size() == ties.size() && "a mask per node");
  DenseSet<Value> grown;
  for (auto [number, value] : llvm::enumerate(valuesOf(function))) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    SmallVector<Mask, 4> dims;
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      dims.push_back(masks[ties.nodeOf(value, dim)]);
    if (!anyOf(dims))
      continue;
    grown.insert(value);
    tensors.push_back({unsigned(number), std::move(dims)});
  }
  for (auto [number, op] : llvm::enumerate(function.front())) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      continue;
    Kernel sizes = {unsigned(number), {}, {}};
    const unsigned space = kernel.getIndexSpace().size();
    for (unsigned dim = 0; dim < space; ++dim)
      sizes.space.push_back(masks[ties.nodeOf(&op, dim)]);
    const unsigned rank =
        kernel.getOutputs().empty()
            ? 0
            : tensorType(kernel.getOutputs().front()).getRank();
    for (unsigned dim = 0; dim < rank; ++dim)
      sizes.ones.push_back(masks[ties.nodeOf(&op, space + dim)]);
    auto grows = [&](Value value) { return grown.contains(value); };
    if (anyOf(sizes.space) || anyOf(sizes.ones) ||
        llvm::any_of(op.getOperands(), grows) ||
        llvm::any_of(op.getResults(), grows))
      kernels.push_back(std::move(sizes));
  }
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

/// Lets the kernel walk dimensions that it reads at 0 and that grow.
static void walkGrown(KernelOp kernel, const Grown &grown,
                      llvm::function_ref<bool(unsigned)> extentGrows) {
  kernel.getBody().walk([&](KernelLoadOp load) {
    auto dims = grown.find(kernel.getInputs()[load.getInputNumber()]);
    if (dims == grown.end())
      return;
    AffineMap map = load.getMap();
    SmallVector<AffineExpr> exprs(map.getResults());
    bool isChanged = false;
    for (auto [dim, expr] : llvm::enumerate(exprs))
      if (isa<AffineConstantExpr>(expr) && !load.getDynamicIndex(dim) &&
          (*dims->second)[dim])
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
static void resizeKernel(KernelOp kernel, ArrayRef<Mask> spaceMasks,
                         ArrayRef<Mask> oneMasks, const Grown &grown,
                         Scale &scale) {
  SmallVector<unsigned> ones;
  for (auto [dim, mask] : llvm::enumerate(oneMasks))
    if (mask)
      ones.push_back(dim);
  if (!ones.empty())
    addWalks(kernel, ones);
  auto maskOf = [&](unsigned dim) {
    return dim < ones.size() ? oneMasks[ones[dim]]
                             : spaceMasks[dim - ones.size()];
  };
  walkGrown(kernel, grown, maskOf);
  SmallVector<int64_t> space(kernel.getIndexSpace());
  for (auto [dim, extent] : llvm::enumerate(space))
    extent = scale(extent, maskOf(dim));
  kernel.setIndexSpace(space);
  for (auto [inner, outer] :
       llvm::zip(kernel.getInputArguments(), kernel.getInputs()))
    inner.setType(outer.getType());
  for (auto [inner, outer] :
       llvm::zip(kernel.getOutputArguments(), kernel.getOutputs()))
    inner.setType(outer.getType());
}

LogicalResult Growth::apply(func::FuncOp function, ArrayRef<int64_t> from,
                            ArrayRef<int64_t> to) const {
  Scale scale(from, to);
  const SmallVector<Value, 0> values = valuesOf(function);
  Grown grown;
  for (const Tensor &tensor : tensors) {
    Value value = values[tensor.number];
    RankedTensorType type = tensorType(value);
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::enumerate(shape))
      size = scale(size, tensor.dims[dim]);
    grown[value] = &tensor.dims;
    value.setType(type.clone(shape));
    if (auto constant = value.getDefiningOp<ConstantOp>()) {
      constant.setValueAttr(
          resizeConstant(constant.getValue(), tensorType(value)));
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      const unsigned number = argument.getArgNumber();
      if (auto initial = function.getArgAttr(number, initialAttrName))
        function.setArgAttr(number, initialAttrName,
                            resizeConstant(initial, tensorType(value)));
    }
  }
  unsigned number = 0;
  auto next = kernels.begin();
  for (Operation &op : function.front()) {
    if (next == kernels.end())
      break;
    if (number++ != next->number)
      continue;
    resizeKernel(cast<KernelOp>(op), next->space, next->ones, grown, scale);
    ++next;
  }
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.front().getArgumentTypes(),
      function.front().getTerminator()->getOperandTypes()));
  return scale.result();
}
