// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that writes the recipe of a scheduled module.
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "PlayLaunch.h"

namespace gaudi {
#define GEN_PASS_DEF_EMITRECIPE
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

namespace {
struct EmitRecipe : gaudi::impl::EmitRecipeBase<EmitRecipe> {
  using EmitRecipeBase::EmitRecipeBase;

  void runOnOperation() override {
    if (output.empty()) {
      // Without the op, which would be printed whole.
      emitError(getOperation().getLoc())
          << "gaudi-emit-recipe needs a file: output=NAME.recipe";
      return signalPassFailure();
    }
    EmittedRecipe emitted;
    if (failed(emitRecipe(getOperation(), emitted)))
      return signalPassFailure();
    predictVariants(&getContext(), emitted.recipe);
    auto written = writeRecipeFile(output, emitted.recipe, emitted.constants);
    if (!written) {
      emitError(UnknownLoc::get(&getContext())) << written.error().message;
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
