// Gives every output bytes of its own in an order of ops that stays as it is.
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_SCHEDULEOPS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
struct ScheduleOps : impl::ScheduleOpsBase<ScheduleOps> {
  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation());
    if (!spec)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      for (Block &block : function.getBody()) {
        if (auto exit = dyn_cast<func::ReturnOp>(block.getTerminator()))
          separateOutputs(exit, *spec);
      }
    }
  }

  /// Why a returned value has no bytes of its own; empty if it has.
  static StringRef sharedBecause(Value value,
                                 const SmallPtrSetImpl<Value> &returned) {
    if (returned.contains(value))
      return "it is returned twice";
    Operation *def = value.getDefiningOp();
    if (!def)
      return "it is an argument";
    if (isa<ConstantOp>(def))
      return "it is a constant";
    if (isa<ViewOpInterface>(def))
      return "it is a view of another tensor";
    return "";
  }

  void separateOutputs(func::ReturnOp exit,
                       const ::gaudi::device::DeviceSpec &spec) {
    SmallPtrSet<Value, 8> returned;
    OpBuilder builder(exit);
    for (OpOperand &operand : exit->getOpOperands()) {
      Value value = operand.get();
      if (!isa<RankedTensorType>(value.getType()))
        continue; // gaudi-verify-phase names it
      StringRef reason = sharedBecause(value, returned);
      if (!reason.empty()) {
        auto copy =
            CopyOp::create(builder, value.getLoc(), value.getType(), value);
        Type element = getElementTypeOrSelf(value);
        cast<PlaceableOpInterface>(copy.getOperation())
            .setPlacement(engineFor(spec, Movement::Copy, element));
        operand.set(copy);
        remark::analysis(value.getLoc(), remark::RemarkOpts::name("copy-output")
                                             .category("gaudi-schedule-ops"))
            << remark::reason("output {0} is copied: {1}",
                              operand.getOperandNumber(), reason);
      }
      returned.insert(operand.get());
    }
  }
};
} // namespace
} // namespace mlir::gaudi
