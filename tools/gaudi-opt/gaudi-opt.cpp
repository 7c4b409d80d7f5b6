// gaudi-opt: mlir-opt with the gaudi dialect, its passes and pipelines.
#include "Gaudi/Compiler/Register.h"
#include "Gaudi/Support/OutputFile.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/Signals.h"
#include <unistd.h>

int main(int argc, char **argv) {
  // A recipe that is being written must not leave its temporary file behind.
  llvm::sys::SetInterruptFunction([] {
    gaudi::removeTemporaryFiles();
    _exit(130);
  });
  mlir::registerAllPasses();
  mlir::gaudi::registerGaudiPasses();
  mlir::DialectRegistry registry;
  mlir::gaudi::registerGaudiDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "gaudi-opt: the gaudi-mlir optimizer driver\n", registry));
}
