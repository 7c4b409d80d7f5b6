// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with text that is not MLIR, and how it is written.
#ifndef GAUDI_LIB_COMPILER_SYNTAXHINTS_H
#define GAUDI_LIB_COMPILER_SYNTAXHINTS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Location.h"
#include <string>

namespace gaudi {

/// The error of the parser (or of what verifies its result) as a person who
/// does not know the parser would say it, with what to write instead. Empty for
/// errors that are neither. Without `source` it says less.
std::string explainSyntax(StringRef error, Location loc, StringRef source);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_SYNTAXHINTS_H
