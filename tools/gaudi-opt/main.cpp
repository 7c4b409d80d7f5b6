// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program gaudi-opt, with all passes of MLIR.
#include "GaudiOpt.h"
#include "mlir/InitAllPasses.h"

int main(int argc, char **argv) {
  return gaudiOptMain(argc, argv, [] { mlir::registerAllPasses(); });
}
