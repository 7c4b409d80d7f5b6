// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with arguments, in more words than LLVM has.
#ifndef GAUDI_OPT_ARGUMENTS_H
#define GAUDI_OPT_ARGUMENTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace gaudi {

/// What is wrong with the arguments, and what to write; "": nothing that is
/// known. Options have been registered.
std::string explainArguments(llvm::ArrayRef<char *> arguments);

/// The same of passes that MLIR could not add, by its error.
std::string explainPasses(llvm::StringRef error,
                          llvm::ArrayRef<char *> arguments);

} // namespace gaudi

#endif // GAUDI_OPT_ARGUMENTS_H
