// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the gaudi dialect.
#ifndef GAUDI_TRANSFORMS_PASSES_H
#define GAUDI_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace mlir {
namespace arith {
class ArithDialect;
} // namespace arith
namespace func {
class FuncOp;
} // namespace func
namespace math {
class MathDialect;
} // namespace math
} // namespace mlir

namespace gaudi {

#define GEN_PASS_DECL
#include "Gaudi/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Gaudi/Transforms/Passes.h.inc"

/// Checks what `phase` (import, fuse, graph, kernels, schedule or memory)
/// promises, as gaudi-verify-phase does. Fails with an error on each op that
/// breaks it.
LogicalResult verifyPhase(ModuleOp module, llvm::StringRef phase);

/// The analysis that gaudi-verify-phase leaves behind: the phase whose promises
/// the module was seen to keep. Gone as soon as a pass changes the module.
struct VerifiedPhase {
  explicit VerifiedPhase(Operation *) {}
  std::string name; ///< empty if nothing was checked
};

/// Fails with an error on the function for each attribute of state that is
/// neither unit nor the number of a result, names a result of another type, or
/// one that replaces another argument already.
LogicalResult verifyStates(func::FuncOp function);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_PASSES_H
