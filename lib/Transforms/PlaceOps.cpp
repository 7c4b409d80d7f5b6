// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places data movement on engines and checks the device's element types.
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {
#define GEN_PASS_DEF_PLACEOPS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
using device::DeviceSpec;

struct PlaceOps : impl::PlaceOpsBase<PlaceOps> {
  using PlaceOpsBase::PlaceOpsBase;

  void runOnOperation() override {
    auto spec = device::DeviceSpec::lookup(device);
    if (!spec) {
      getOperation().emitError() << spec.error().message;
      return signalPassFailure();
    }
    getOperation()->setAttr(deviceAttrName,
                            StringAttr::get(&getContext(), device));
    bool failed = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa<EngineOpInterface>(op))
        return;
      failed |= mlir::failed(checkTypes(op, **spec));
      if (auto placeable = dyn_cast<PlaceableOpInterface>(op))
        place(placeable, **spec);
    });
    if (failed)
      signalPassFailure();
  }

  void place(PlaceableOpInterface op, const DeviceSpec &spec) {
    Engine engine = engineFor(spec, op.getMovement(),
                              getElementTypeOrSelf(op->getResult(0)));
    op.setEngine(engine);
    if (!explains(op))
      return;
    const DeviceTime time(spec);
    remark::analysis(op.getLoc(), remark::RemarkOpts::name("place").category(
                                      "gaudi-place-ops"))
        << remark::add("placed '{0}' on {1}: it takes {2}",
                       op->getName().getStringRef(), stringifyEngine(engine),
                       time.text(time.of(op)));
  }

  LogicalResult checkTypes(Operation *op, const DeviceSpec &spec) {
    auto check = [&](Value tensor) -> LogicalResult {
      Type type = getElementTypeOrSelf(tensor);
      // Masks and counts of a product go to the vector cores.
      const bool isProduct = isMatrixProduct(op) && isa<FloatType>(type);
      const auto &types = isProduct ? spec.mme.types : spec.tensorTypes;
      if (types.contains(elementTypeOf(type)))
        return success();
      InFlightDiagnostic diag =
          op->emitOpError("uses ")
          << type << ", which "
          << (isProduct ? "the matrix engine of " : "tensors of ")
          << StringRef(spec.name) << (isProduct ? " does" : " do")
          << " not have; cast to bf16 or f32";
      if (tensor.getDefiningOp() != op)
        diag.attachNote(tensor.getLoc()) << "operand defined here";
      return diag;
    };
    return success(llvm::all_of(op->getOperands(),
                                [&](Value v) { return succeeded(check(v)); }) &&
                   llvm::all_of(op->getResults(),
                                [&](Value v) { return succeeded(check(v)); }));
  }
};
} // namespace
} // namespace gaudi
