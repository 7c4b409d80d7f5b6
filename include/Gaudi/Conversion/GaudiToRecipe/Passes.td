// The pass that writes a recipe file.
#ifndef GAUDI_CONVERSION_GAUDITORECIPE_PASSES_TD
#define GAUDI_CONVERSION_GAUDITORECIPE_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitRecipe : Pass<"gaudi-emit-recipe", "::mlir::ModuleOp"> {
  let summary = "Writes the compiled module as a recipe file";
  let description = [{
    Takes a module after phase memory of `--gaudi-compile` and writes a recipe
    (docs/recipe-format.md). The file appears whole or not at all. An analysis
    remark (category `gaudi-emit-recipe`) counts commands per engine, kernels
    before and after equal ones were shared, and bytes per section.

    Before and after: the IR does not change.
  }];
  let options = [Option<"output", "output", "std::string", "\"\"", "file to write">];
}

#endif // GAUDI_CONVERSION_GAUDITORECIPE_PASSES_TD
