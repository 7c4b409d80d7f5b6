// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's canonicalizer with patterns that are made once per context.
#ifndef GAUDI_LIB_COMPILER_CANONICALIZE_H
#define GAUDI_LIB_COMPILER_CANONICALIZE_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gaudi {

/// The pass `canonicalize`, but blocks are not simplified (a graph is one
/// block, which the phases check), and patterns are those of the gaudi dialect
/// and of the dialects in the module: MLIR's pass makes those of every loaded
/// dialect each time, which takes longer than all passes on a small model.
std::unique_ptr<mlir::Pass> createCanonicalize();

/// Keeps the patterns in contexts of the registry.
void registerCanonicalPatterns(mlir::DialectRegistry &registry);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_CANONICALIZE_H
