// When a TPC kernel may write a result over one of its operands.
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

bool mlir::gaudi::mayWriteInPlace(KernelOp kernel, unsigned operand,
                                  ArrayRef<int64_t> operandStrides,
                                  unsigned result,
                                  ArrayRef<int64_t> resultStrides) {
  KernelStoreOp store;
  kernel.getBody().walk([&](KernelStoreOp op) {
    if (op.getOutput() == result)
      store = op;
  });
  SmallVector<int64_t> target =
      positionOf(kernel, store.getMap(), resultStrides);
  Operation *storeStage = stageOf(kernel, store);
  WalkResult walked = kernel.getBody().walk([&](KernelLoadOp load) {
    if (load.getOperand() != operand)
      return WalkResult::advance();
    // A stage loads before it stores.
    Operation *stage = stageOf(kernel, load);
    bool early = stage == storeStage || stage->isBeforeInBlock(storeStage);
    bool same = true;
    for (unsigned dim = 0; dim < load.getMap().getNumResults(); ++dim)
      same &= load.getBoundaryOf(dim) == Boundary::Inside;
    same = same && positionOf(kernel, load.getMap(), operandStrides) == target;
    return early && same ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}
