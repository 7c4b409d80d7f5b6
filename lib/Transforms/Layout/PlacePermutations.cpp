// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores each tensor in the order of least device time:
// gaudi-place-permutations.
#include "Explain.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/Permutations.h"
#include "HoistReshapes.h"
#include "PlacementCheck.h"
#include "SplitGemm.h"
#include "SplitReductions.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/raw_ostream.h"

namespace gaudi {
#define GEN_PASS_DEF_PLACEPERMUTATIONS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
/// Placements that are chosen again because ops got their dimensions back.
constexpr unsigned maxUndos = 3;

/// The first op with a region that reads values of the function, or null. A
/// placement knows readers by their operands. Bodies of kernels are isolated.
Operation *findCapture(func::FuncOp function) {
  for (Operation &op : function.front()) {
    if (op.getNumRegions() == 0 || op.hasTrait<OpTrait::IsIsolatedFromAbove>())
      continue;
    bool captures = false;
    visitUsedValuesDefinedAbove(op.getRegions(),
                                [&](OpOperand *) { captures = true; });
    if (captures)
      return &op;
  }
  return nullptr;
}

struct PlacePermutations : impl::PlacePermutationsBase<PlacePermutations> {
  using PlacePermutationsBase::PlacePermutationsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PlacePermutationsBase::getDependentDialects(registry);
    registry.insert<layout::LayoutDialect>();
  }

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    if (failed(verifyAllowed(getOperation())))
      return signalPassFailure();
    const DeviceTime time(*spec);
    for (auto function : getOperation().getOps<func::FuncOp>())
      // A graph is one block; programs of the host have none.
      if (function.getBody().hasOneBlock())
        place(function, time);
  }

  void place(func::FuncOp function, const DeviceTime &time) {
    if (Operation *op = findCapture(function)) {
      remark::missed(op->getLoc(), remark::RemarkOpts::name("placement")
                                       .category(getArgument())
                                       .function(function.getName()))
          << remark::reason("not placed: a region of '{0}' reads values of "
                            "the function",
                            op->getName().getStringRef());
      return;
    }
    layout::splitReductions(function, time);
    layout::HoistedReshapes hoisted(function, time);
    // Fewer ops have parts of dimensions each time; most often none is left
    // that does not need them after the first.
    unsigned undos = 0;
    auto choose = [&] {
      return layout::chooseAfterFusion(
          function, time,
          [&](const layout::Placement &a, const layout::Placement &b) {
            return undos < maxUndos && hoisted.undoesSame(a, b);
          });
    };
    layout::Placement placement = choose();
    while (undos < maxUndos && hoisted.undoUnused(placement)) {
      ++undos;
      placement = choose();
    }
    std::optional<layout::PlacementCheck> check;
    if (printProblem)
      check.emplace(function, time);
    count(placement);
    layout::explainPlacement(function, placement, time);
    hoisted.explain(placement);
    layout::applyPlacement(function, placement);
    if (check)
      check->print(placement, llvm::outs());
    hoisted.lower();
    layout::mergeReductions(function, time);
  }

  void count(const layout::Placement &placement) {
    for (const layout::Region &region : placement.regions) {
      numBefore += region.transposesBefore;
      for (const layout::Transposition &transposition : region.transposes)
        numAfter += !transposition.isFree;
      ++numRegions;
      numProven += region.isProven();
    }
    for (const auto &[op, how] : placement.ops) {
      numKernels += how.asKernel;
      numOps += !llvm::all_of(how.orders, isIdentityOrder);
    }
  }
};
} // namespace
} // namespace gaudi
