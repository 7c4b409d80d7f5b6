// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the points of a TPC kernel go over the bytes of its operands.
#include "InPlace.h"

#include "Gaudi/Dialect/KernelLanguage.h"

using namespace mlir;
using namespace gaudi;
using gaudi::kernel::Walk;

/// The op of the kernel's own block that is `op` or holds it: a stage.
static Operation *stageOf(KernelOp kernel, Operation *op) {
  return kernel.getBody().front().findAncestorOpInBlock(*op);
}

/// Elements from the first one, as a form of the indices that can be more than
/// 0.
static Affine positionOf(KernelOp kernel, AffineMap map,
                         ArrayRef<int64_t> strides) {
  return flatten(affineOf(map), strides)
      .withoutUnitDims(kernel.getIndexSpace());
}

static KernelStoreOp storeOf(KernelOp kernel, unsigned result) {
  Value argument = kernel.getOutputArguments()[result];
  return cast<KernelStoreOp>(*argument.user_begin()); // the only one
}

/// True if the map alone says where the load is.
static bool isInside(KernelLoadOp load) {
  return llvm::all_of(llvm::seq<unsigned>(0, load.getMap().getNumResults()),
                      [&](unsigned dim) {
                        return load.getBoundaryOf(dim) == Boundary::Inside;
                      });
}

bool gaudi::mayWriteInPlace(KernelOp kernel, unsigned operand,
                            ArrayRef<int64_t> operandStrides, unsigned result,
                            ArrayRef<int64_t> resultStrides) {
  KernelStoreOp store = storeOf(kernel, result);
  const Affine target = positionOf(kernel, store.getMap(), resultStrides);
  Operation *storeStage = stageOf(kernel, store);
  WalkResult walked = kernel.getBody().walk([&](KernelLoadOp load) {
    if (load.getInputNumber() != operand)
      return WalkResult::advance();
    // A stage loads before it stores.
    Operation *stage = stageOf(kernel, load);
    bool early = stage == storeStage || stage->isBeforeInBlock(storeStage);
    bool same = isInside(load) &&
                positionOf(kernel, load.getMap(), operandStrides) == target;
    return early && same ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

bool gaudi::readsInOrder(KernelOp kernel, unsigned operand,
                         ArrayRef<int64_t> operandStrides,
                         ArrayRef<int64_t> resultStrides) {
  ArrayRef<int64_t> space = kernel.getIndexSpace();
  const Affine stored =
      positionOf(kernel, storeOf(kernel, 0).getMap(), resultStrides);
  SmallVector<Walk> points, loops; // outermost first
  for (unsigned d = 0; d < space.size(); ++d)
    (kernel.getParallel()[d] ? points : loops).push_back({d, space[d]});
  llvm::sort(points, [&](const Walk &a, const Walk &b) {
    return stored[a.dim] != stored[b.dim] ? stored[a.dim] > stored[b.dim]
                                          : a.dim < b.dim;
  });
  if (llvm::all_of(points, [](const Walk &walk) { return walk.extent == 1; }))
    return false;
  WalkResult walked = kernel.getBody().walk([&](KernelLoadOp load) {
    if (load.getInputNumber() != operand)
      return WalkResult::advance();
    bool inOrder =
        isInside(load) &&
        blockPerPoint(positionOf(kernel, load.getMap(), operandStrides), points,
                      loops) != 0;
    return inOrder ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}
