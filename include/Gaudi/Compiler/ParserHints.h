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

/// Reports, for an error in which MLIR speaks to its developers (unregistered
/// dialects, unknown ops, tokens of the parser), one in this project's words
/// with the next step, and the same notes. False for other errors, which the
/// caller reports. `source` is the text that is being parsed.
bool explainParserError(Diagnostic &diagnostic, StringRef source);

/// Applies explainParserError to every context made from `registry`, from the
/// first function on that it parses. `source` must outlive the contexts.
void addParserHints(DialectRegistry &registry, StringRef source);

/// Why the file of a model cannot be read, and the next step; "" if it can.
/// "-" is standard input.
std::string whyNotRead(StringRef name);

/// The next step for a file that cannot be parsed as a whole: an ONNX model,
/// or bytecode of another MLIR. Empty if it is neither.
std::string explainFile(StringRef name, StringRef bytes);

} // namespace gaudi

#endif // GAUDI_COMPILER_PARSERHINTS_H
