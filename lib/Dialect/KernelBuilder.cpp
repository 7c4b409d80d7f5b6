// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emission of gaudi.tpc.kernel ops.
#include "Gaudi/Dialect/KernelBuilder.h"

using namespace mlir;
using namespace gaudi;

KernelBuilder::KernelBuilder(OpBuilder &builder, Location loc,
                             TypeRange outputs, ValueRange inputs,
                             ArrayRef<int64_t> indexSpace,
                             ArrayRef<bool> parallel, StringRef label)
    : ScalarBuilder(builder, loc), guard(builder),
      kernel(KernelOp::create(builder, loc, outputs, inputs, indexSpace,
                              parallel, label)) {
  builder.setInsertionPointToStart(&kernel.getBody().front());
}

AffineExpr KernelBuilder::dim(unsigned dim) {
  return getAffineDimExpr(dim, getBuilder().getContext());
}

AffineExpr KernelBuilder::cst(int64_t value) {
  return getAffineConstantExpr(value, getBuilder().getContext());
}

SmallVector<AffineExpr> KernelBuilder::dims(unsigned count) {
  SmallVector<AffineExpr> position;
  for (unsigned i = 0; i < count; ++i)
    position.push_back(dim(i));
  return position;
}

Value KernelBuilder::index(unsigned dim) {
  return KernelIndexOp::create(getBuilder(), getLoc(),
                               getBuilder().getI64Type(), dim);
}

/// All maps of a kernel have its dimensions, used or not.
static AffineMap positionMap(KernelOp kernel, ArrayRef<AffineExpr> position) {
  return AffineMap::get(kernel.getIndexSpace().size(), 0, position,
                        kernel.getContext());
}

static ArrayAttr boundaryAttr(MLIRContext *context,
                              ArrayRef<Boundary> boundary) {
  if (boundary.empty())
    return {};
  SmallVector<Attribute> rules;
  for (Boundary rule : boundary)
    rules.push_back(BoundaryAttr::get(context, rule));
  return ArrayAttr::get(context, rules);
}

Value KernelBuilder::load(unsigned input, ArrayRef<AffineExpr> position) {
  return load(input, position, {});
}

Value KernelBuilder::load(unsigned input, ArrayRef<AffineExpr> position,
                          ArrayRef<Boundary> boundary, TypedAttr pad) {
  return loadAt(input, position, {}, {}, boundary, pad);
}

Value KernelBuilder::loadAt(unsigned input, ArrayRef<AffineExpr> position,
                            ArrayRef<int64_t> dynamicDims, ValueRange indices,
                            ArrayRef<Boundary> boundary, TypedAttr pad) {
  assert(input < kernel.getInputs().size() && "the kernel has such an input");
  assert(llvm::is_sorted(dynamicDims) && dynamicDims.size() == indices.size() &&
         "one index per dynamic dimension, in ascending order");
  Value tensor = kernel.getInputArguments()[input];
  DenseI64ArrayAttr dims;
  if (!dynamicDims.empty())
    dims = getBuilder().getDenseI64ArrayAttr(dynamicDims);
  return KernelLoadOp::create(getBuilder(), getLoc(),
                              kernelType(getElementTypeOrSelf(tensor)), tensor,
                              positionMap(kernel, position), indices, dims,
                              boundaryAttr(kernel.getContext(), boundary), pad);
}

void KernelBuilder::store(Value value, unsigned output,
                          ArrayRef<AffineExpr> position) {
  assert(output < kernel.getNumResults() && "the kernel has such a result");
  KernelStoreOp::create(getBuilder(), getLoc(), value,
                        kernel.getOutputArguments()[output],
                        positionMap(kernel, position));
}

// A reduction of no elements is its initial value. Until finish(), the index
// space tells which dimensions are empty.
SmallVector<Value> KernelBuilder::loop(ArrayRef<int64_t> dims,
                                       ArrayRef<KernelReduce> reduce,
                                       ValueRange inits, LoopBody body) {
  if (llvm::any_of(
          dims, [&](int64_t dim) { return kernel.getIndexSpace()[dim] == 0; }))
    return SmallVector<Value>(inits);
  auto loop = KernelLoopOp::create(getBuilder(), getLoc(), dims, reduce, inits);
  Block &block = loop.getBody().front();
  // The guard puts the builder back after the loop: what the body made has no
  // name there, only the loop's results have.
  OpBuilder::InsertionGuard inside(getBuilder());
  getBuilder().setInsertionPointToStart(&block);
  SmallVector<Value> yielded = body(block.getArguments());
  KernelYieldOp::create(getBuilder(), getLoc(), yielded);
  return SmallVector<Value>(loop.getResults());
}

void KernelBuilder::forEachPoint(unsigned rank,
                                 llvm::function_ref<void()> point) {
  SmallVector<int64_t> outer;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (!kernel.getParallel()[dim])
      outer.push_back(dim);
  if (outer.empty())
    return point();
  loop(outer, {}, {}, [&](ValueRange) -> SmallVector<Value> {
    point();
    return {};
  });
}

KernelOp KernelBuilder::finish() {
  // No loop walks an empty sequential dimension, so it may have any size.
  if (llvm::is_contained(kernel.getIndexSpace(), 0)) {
    SmallVector<int64_t> space(kernel.getIndexSpace());
    for (auto [size, parallel] : llvm::zip_equal(space, kernel.getParallel()))
      if (size == 0 && !parallel)
        size = 1;
    kernel.setIndexSpace(space);
  }
  getBuilder().setInsertionPointAfter(kernel);
  return kernel;
}

// The innermost dimensions are those along which memory is contiguous: as
// parallel ones they fill the vectors.
SmallVector<bool> gaudi::parallelDims(ArrayRef<int64_t> sizes) {
  SmallVector<bool> parallel(sizes.size(), false);
  unsigned left = maxParallelDims;
  for (int64_t i = int64_t(sizes.size()) - 1; i >= 0 && left > 0; --i) {
    if (sizes[i] == 1)
      continue;
    parallel[i] = true;
    --left;
  }
  // Unit dimensions are free: fill up from the front where room is left.
  for (size_t i = 0; i < sizes.size() && left > 0; ++i)
    if (!parallel[i] && sizes[i] == 1) {
      parallel[i] = true;
      --left;
    }
  return parallel;
}
