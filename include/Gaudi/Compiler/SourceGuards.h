// What a model must pass before MLIR's parser and verifiers see it: inputs that
// would make those abort instead of reporting.
#ifndef GAUDI_COMPILER_SOURCEGUARDS_H
#define GAUDI_COMPILER_SOURCEGUARDS_H

#include "mlir/IR/Operation.h"

namespace mlir::gaudi {

/// The parser recurses into nested brackets; far more of them than any model
/// has would overflow its stack.
bool isNestedTooDeep(StringRef text);

/// TOSA's verifiers (LLVM 22) abort on small constants held as resources, so
/// those become plain attributes before anything is verified.
void inlineSmallResources(Operation *root);

/// What inlineSmallResources had to leave is a constant without its data; one
/// that a TOSA op reads as a parameter must not reach the verifiers.
LogicalResult refuseEmptyParameters(Operation *root);

} // namespace mlir::gaudi

#endif // GAUDI_COMPILER_SOURCEGUARDS_H
