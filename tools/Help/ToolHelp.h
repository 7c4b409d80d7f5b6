// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tools that are built on MLIR's say of themselves.
#ifndef GAUDI_TOOLS_HELP_TOOLHELP_H
#define GAUDI_TOOLS_HELP_TOOLHELP_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace gaudi {

/// True if the user asks for the short help (`--help`, `-h`); LLVM's own lists
/// every option of every library that is linked.
bool wantsHelp(int argc, char **argv);
/// This project's version, then LLVM's.
void printVersion(llvm::raw_ostream &os);

} // namespace gaudi

#endif // GAUDI_TOOLS_HELP_TOOLHELP_H
