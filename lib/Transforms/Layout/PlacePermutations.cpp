// Stores each tensor in the order of least device time:
// gaudi-place-permutations.
#include "Explain.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"
#include "HoistReshapes.h"
#include "PlacementCheck.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_PLACEPERMUTATIONS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
struct PlacePermutations : impl::PlacePermutationsBase<PlacePermutations> {
  using PlacePermutationsBase::PlacePermutationsBase;

  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    const DeviceTime time(*spec);
    for (auto function : getOperation().getOps<func::FuncOp>())
      // A graph is one block; programs of the host have none.
      if (function.getBody().hasOneBlock() && failed(place(function, time)))
        return signalPassFailure();
  }

  LogicalResult place(func::FuncOp function, const DeviceTime &time) {
    layout::HoistedReshapes hoisted(function);
    std::optional<layout::PlacementCheck> check;
    if (printProblem)
      check.emplace(function, time);
    FailureOr<layout::Placement> placement =
        layout::choosePlacement(function, time);
    if (failed(placement))
      return failure();
    count(*placement);
    layout::explainPlacement(function, *placement, time);
    hoisted.keepWhatIsUsed(*placement);
    layout::applyPlacement(function, *placement);
    if (check)
      check->print(*placement, llvm::outs());
    hoisted.undo();
    return success();
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
} // namespace mlir::gaudi
