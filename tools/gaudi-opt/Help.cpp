// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The help of gaudi-opt. LLVM's own list every option of every
// library that is linked, 1,200 lines of them.
#include "Help.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void gaudi::printHelp(llvm::raw_ostream &os) {
  os << R"(gaudi-opt: runs passes on a model and prints the result
Usage: gaudi-opt [options] [FILE]     (standard input without FILE)

To compile a model: gaudi-opt FILE --gaudi-compile --gaudi-emit-recipe=output=R
or, without the steps between: gaudi-run --compile-only FILE -o R

Options:
  -o FILE                            Write the result to FILE
  --emit-bytecode                    Write bytecode instead of text
  --split-input-file                 Read each part of FILE between // -----
                                     lines as a separate model
  --verify-diagnostics               Check errors against expected-* comments
  --verify-each=0                    Do not verify after each pass
  --remarks-filter=REGEX --remark-format=emitRemark
                                     Print remarks of these passes
  --remark-policy=all|final          All remarks, or the last of each place
  --mlir-print-ir-after-all          Print the module after each pass
  --mlir-print-ir-after=PASS         Print the module after one pass
  --mlir-print-debuginfo             Print locations
  --mlir-print-op-on-diagnostic      Print the op of each error, too
  --mlir-elide-elementsattrs-if-larger=N
                                     Print no constants of more than N elements
  --mlir-timing                      Print the time of each pass
  --mlir-pass-statistics             Print the statistics of each pass
  --mlir-generate-reproducer=FILE    Write the input and the pipeline to FILE
  --list-passes                      List all passes, also those of MLIR
  --help-hidden                      List all options, also those of LLVM
  --version                          Print the version

)";
  os.flush();
  llvm::outs() << "Pipelines:\n";
  const PassPipelineInfo *compile = PassPipelineInfo::lookup("gaudi-compile");
  assert(compile && "registered with the passes");
  // Wider than every option: otherwise LLVM's padding wraps around.
  compile->printHelpStr(/*indent=*/2, /*descIndent=*/60);
  printRegisteredPasses();
}
