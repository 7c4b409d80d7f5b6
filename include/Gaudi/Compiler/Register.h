// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything a tool of this project registers with MLIR.
#ifndef GAUDI_COMPILER_REGISTER_H
#define GAUDI_COMPILER_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gaudi {

/// The gaudi dialect, the dialects models are written in, and the interfaces
/// (inlining, reference evaluation) attached to them.
void registerGaudiDialects(mlir::DialectRegistry &registry);

/// The project's passes and pipelines, for textual pipelines.
void registerGaudiPasses();

} // namespace gaudi

#endif // GAUDI_COMPILER_REGISTER_H
