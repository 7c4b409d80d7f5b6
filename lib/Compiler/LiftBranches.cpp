// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches between blocks as structured control flow.
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Compiler/SourceGuards.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CFGToSCF.h"

namespace gaudi {
#define GEN_PASS_DEF_LIFTBRANCHES
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace gaudi

using namespace mlir;

namespace {
/// The work of the transformation grows with the cube of the number of blocks:
/// so many take about two seconds.
constexpr size_t maxBlocks = 256;

struct LiftBranches : gaudi::impl::LiftBranchesBase<LiftBranches> {
  using LiftBranchesBase::LiftBranchesBase;

  void runOnOperation() override {
    bool changed = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      const size_t blocks = llvm::range_size(function.getBody());
      if (blocks < 2)
        continue;
      if (blocks > maxBlocks) {
        function.emitError()
            << "'" << function.getName() << "' has branches between " << blocks
            << " blocks, and at most " << maxBlocks
            << " can be written as loops and choices; write them as scf.if, "
               "scf.while and scf.for";
        return signalPassFailure();
      }
      ControlFlowToSCFTransformation transformation;
      DominanceInfo dominance(function);
      // What it cannot lift it reports.
      if (failed(
              transformCFGToSCF(function.getBody(), transformation, dominance)))
        return signalPassFailure();
      // Values that a branch leaves undefined are poison, which folders cannot
      // read.
      gaudi::definePoison(function);
      remark::passed(
          function.getLoc(),
          remark::RemarkOpts::name("lift").category("gaudi-lift-branches"))
          << ("wrote the branches between " + Twine(blocks) +
              " blocks as loops and choices")
                 .str();
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
