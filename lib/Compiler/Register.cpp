// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of dialects and passes.
#include "Gaudi/Compiler/Register.h"
#include "Canonicalize.h"
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Compiler/Pipeline.h"
#include "Gaudi/Conversion/LinalgExt.h"
#include "Gaudi/Conversion/Passes.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/Torch.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/PrecisionPasses.h"
#include "Gaudi/Transforms/Shapes/PaddingPasses.h"
#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

using namespace mlir;

void gaudi::registerGaudiDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<GaudiDialect>();
  registerStablehloDialects(registry);
  registerLinalgExtDialects(registry);
  registerTorchDialects(registry);
  registerReferenceModels(registry);
  registerCanonicalPatterns(registry);
}

void gaudi::registerGaudiPasses() {
  registerGaudiConversionPasses();
  registerGaudiTransformsPasses();
  registerGaudiShapesPasses();
  registerGaudiPaddingPasses();
  registerGaudiPrecisionPasses();
  registerGaudiCompilerPasses();
  registerGaudiPipelines();
}
