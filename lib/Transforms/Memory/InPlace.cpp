// How the points of a TPC kernel go over the bytes of its operands.
#include "InPlace.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;
using namespace mlir::gaudi;

/// The op of the kernel's own block that is `op` or holds it: a stage.
static Operation *stageOf(KernelOp kernel, Operation *op) {
  return kernel.getBody().front().findAncestorOpInBlock(*op);
}

/// Elements from the first one at an index: coefficients of the kernel's
/// indices that can be more than 0, then a constant.
static SmallVector<int64_t> positionOf(KernelOp kernel, AffineMap map,
                                       ArrayRef<int64_t> strides) {
  ArrayRef<int64_t> space = kernel.getIndexSpace();
  SmallVector<int64_t> position(space.size() + 1, 0);
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides)) {
    SmallVector<int64_t> flat;
    (void)getFlattenedAffineExpr(expr, space.size(), 0, &flat); // verified
    for (size_t d = 0; d <= space.size(); ++d)
      if (d == space.size() || space[d] != 1)
        position[d] += flat[d] * stride;
  }
  return position;
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

bool mlir::gaudi::mayWriteInPlace(KernelOp kernel, unsigned operand,
                                  ArrayRef<int64_t> operandStrides,
                                  unsigned result,
                                  ArrayRef<int64_t> resultStrides) {
  KernelStoreOp store = storeOf(kernel, result);
  SmallVector<int64_t> target =
      positionOf(kernel, store.getMap(), resultStrides);
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

bool mlir::gaudi::readsInOrder(KernelOp kernel, unsigned operand,
                               ArrayRef<int64_t> operandStrides,
                               ArrayRef<int64_t> resultStrides) {
  ArrayRef<int64_t> space = kernel.getIndexSpace();
  SmallVector<int64_t> stored =
      positionOf(kernel, storeOf(kernel, 0).getMap(), resultStrides);
  SmallVector<unsigned> parallel; // outermost first
  for (unsigned d = 0; d < space.size(); ++d)
    if (kernel.getParallel()[d] && space[d] != 1)
      parallel.push_back(d);
  llvm::sort(parallel, [&](unsigned a, unsigned b) {
    return stored[a] != stored[b] ? stored[a] > stored[b] : a < b;
  });
  if (parallel.empty())
    return false;
  WalkResult walked = kernel.getBody().walk([&](KernelLoadOp load) {
    if (load.getInputNumber() != operand)
      return WalkResult::advance();
    SmallVector<int64_t> position =
        positionOf(kernel, load.getMap(), operandStrides);
    const int64_t block = position[parallel.back()];
    int64_t step = block, low = position.back(), high = position.back();
    bool inOrder = isInside(load) && block > 0;
    for (unsigned d : llvm::reverse(parallel)) {
      inOrder &= position[d] == step;
      step *= space[d];
    }
    for (unsigned d = 0; d < space.size(); ++d)
      if (!kernel.getParallel()[d])
        (position[d] < 0 ? low : high) += position[d] * (space[d] - 1);
    inOrder &= low >= 0 && high < block;
    return inOrder ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}
