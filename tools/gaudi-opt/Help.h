// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gaudi-opt says of itself.
#ifndef GAUDI_TOOLS_GAUDIOPT_HELP_H
#define GAUDI_TOOLS_GAUDIOPT_HELP_H

#include "Gaudi/Dialect/MLIR.h"
#include "llvm/Support/raw_ostream.h"

namespace gaudi {

/// Prints the options that a user of this project needs, and the passes and
/// pipelines that are registered. The rest is MLIR's and LLVM's, which
/// `--help-hidden` lists.
void printHelp(llvm::raw_ostream &os);

} // namespace gaudi

#endif // GAUDI_TOOLS_GAUDIOPT_HELP_H
