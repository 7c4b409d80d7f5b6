// Folds explicit padding into ops that pad by themselves.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_ABSORBPADDING
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral category = "gaudi-absorb-padding";

struct AbsorbPadding : impl::AbsorbPaddingBase<AbsorbPadding> {
  void runOnOperation() override {
    SmallVector<PadOp> pads;
    getOperation()->walk([&](PadOp op) { pads.push_back(op); });
    for (PadOp op : pads)
      absorb(op);
  }

  void absorb(PadOp op) {
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *user = use.getOwner();
      auto padding = dyn_cast<PaddingOpInterface>(user);
      if (op.getMode() != PadMode::Constant || !padding ||
          !padding.canAbsorbPadding(use, op.getLow(), op.getHigh(),
                                    op.getValueAttr())) {
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("keep-pad").category(category))
            << remark::reason("not absorbed: user '{0}' cannot pad its operand",
                              user->getName().getStringRef());
        continue;
      }
      padding.absorbPadding(use, op.getLow(), op.getHigh());
      use.set(op.getOperand());
      ++numAbsorbed;
      remark::passed(op.getLoc(),
                     remark::RemarkOpts::name("absorb-pad").category(category))
          << remark::add("absorbed into operand {1} of '{0}'",
                         user->getName().getStringRef(),
                         use.getOperandNumber());
    }
    if (op->use_empty())
      op->erase();
  }
};
} // namespace
} // namespace mlir::gaudi
