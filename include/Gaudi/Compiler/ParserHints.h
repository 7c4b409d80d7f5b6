// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to do about a model that MLIR's parser refuses.
#ifndef GAUDI_COMPILER_PARSERHINTS_H
#define GAUDI_COMPILER_PARSERHINTS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Diagnostics.h"
#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gaudi {

/// An error in this project's words for one in which MLIR speaks to its
/// developers (unregistered dialects, unknown ops of gaudi), with the next
/// step. `source` is the text that is being parsed. Empty for other errors.
std::string explainParserError(const Diagnostic &diagnostic, StringRef source);

/// Applies explainParserError to every context made from `registry`, from the
/// first function on that it parses. `source` must outlive the contexts.
void addParserHints(DialectRegistry &registry, StringRef source);

/// The next step for a file that cannot be parsed as a whole: an ONNX model,
/// or bytecode of another MLIR. Empty if it is neither.
std::string explainFile(StringRef name, StringRef bytes);

} // namespace gaudi

#endif // GAUDI_COMPILER_PARSERHINTS_H
