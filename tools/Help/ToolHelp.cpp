// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tools that are built on MLIR's say of themselves.
#include "ToolHelp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

bool gaudi::wantsHelp(int argc, char **argv) {
  return llvm::any_of(
      llvm::ArrayRef(argv, argc).drop_front(), [](llvm::StringRef argument) {
        return argument == "--help" || argument == "-help" || argument == "-h";
      });
}

void gaudi::printVersion(llvm::raw_ostream &os) {
  os << "gaudi-mlir " GAUDI_VERSION "\nLLVM " LLVM_VERSION_STRING "\n";
}
