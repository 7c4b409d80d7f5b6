// gaudi-opt: mlir-opt with the gaudi dialect, its passes and pipelines.
#include "Gaudi/Compiler/Register.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::gaudi::registerGaudiPasses();
  mlir::DialectRegistry registry;
  mlir::gaudi::registerGaudiDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "gaudi-opt: the gaudi-mlir optimizer driver\n", registry));
}
