// gaudi-opt: mlir-opt with the gaudi dialect, its passes and pipelines.
#include "Gaudi/Compiler/Register.h"
#include "Gaudi/Compiler/SourceGuards.h"
#include "Gaudi/Support/OutputFile.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"
#include <unistd.h>

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// Verifies what was parsed, after what the verifiers would abort on is gone.
struct VerifySource : PassWrapper<VerifySource, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifySource)

  StringRef getName() const override { return "VerifySource"; }
  StringRef getArgument() const override { return "gaudi-verify-source"; }
  StringRef getDescription() const override {
    return "Verify what was parsed, without what the verifiers abort on";
  }

  void runOnOperation() override {
    inlineSmallResources(getOperation());
    if (failed(refuseEmptyParameters(getOperation())) ||
        failed(verify(getOperation())))
      signalPassFailure();
  }
};
} // namespace

/// mlir-opt on one file, with VerifySource instead of its own verification.
static LogicalResult optimize(StringRef input, StringRef output,
                              DialectRegistry &registry) {
  auto config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(llvm::outs(), llvm::MemoryBuffer::getMemBuffer(""),
                       registry, config);
  std::string problem;
  auto source = openInputFile(input, &problem);
  if (!source) {
    llvm::errs() << problem << "\n";
    return failure();
  }
  if (!source->getBuffer().starts_with("ML\xefR") &&
      isNestedTooDeep(source->getBuffer())) {
    llvm::errs() << "cannot parse '" << input << "': brackets nest too deep\n";
    return failure();
  }
  auto result = openOutputFile(output, &problem);
  if (!result) {
    llvm::errs() << problem << "\n";
    return failure();
  }
  if (config.shouldVerifyOnParsing()) {
    auto passes = config;
    config.verifyOnParsing(false);
    config.setPassPipelineSetupFn([passes](PassManager &manager) {
      manager.addPass(std::make_unique<VerifySource>());
      return passes.setupPassPipeline(manager);
    });
  }
  if (failed(MlirOptMain(result->os(), std::move(source), registry, config)))
    return failure();
  result->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM setUp(argc, argv);
  // A recipe that is being written must not leave its temporary file behind.
  llvm::sys::SetInterruptFunction([] {
    ::gaudi::removeTemporaryFiles();
    _exit(130);
  });
  registerAllPasses();
  registerGaudiPasses();
  PassRegistration<VerifySource>();
  DialectRegistry registry;
  registerGaudiDialects(registry);
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "gaudi-opt: the gaudi-mlir optimizer driver\n", registry);
  return asMainReturnCode(optimize(input, output, registry));
}
