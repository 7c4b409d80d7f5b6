// Folds transposes into ops that read another order for free.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_ABSORBTRANSPOSES
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral category = "gaudi-absorb-transposes";

struct AbsorbTransposes : impl::AbsorbTransposesBase<AbsorbTransposes> {
  void runOnOperation() override {
    SmallVector<TransposeOp> transposes;
    getOperation()->walk([&](TransposeOp op) { transposes.push_back(op); });
    for (TransposeOp op : transposes)
      absorb(op);
  }

  void absorb(TransposeOp op) {
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *user = use.getOwner();
      auto layout = dyn_cast<LayoutOpInterface>(user);
      if (!layout || !layout.canAbsorbPermutation(use, op.getPermutation())) {
        remark::missed(
            op.getLoc(),
            remark::RemarkOpts::name("keep-transpose").category(category))
            << remark::reason(
                   "user '{0}' does not read the unpermuted operand for free",
                   user->getName().getStringRef());
        continue;
      }
      layout.absorbPermutation(use, op.getPermutation());
      use.set(op.getOperand());
      ++numAbsorbed;
      remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("absorb-transpose").category(category))
          << remark::add("'{0}' reads operand {1} unpermuted",
                         user->getName().getStringRef(),
                         use.getOperandNumber());
    }
    if (op->use_empty())
      op->erase();
  }
};
} // namespace
} // namespace mlir::gaudi
