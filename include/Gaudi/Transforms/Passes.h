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

/// The analysis of whether a module keeps the promises of phase schedule, with
/// an error on each op that does not. The passes of phase memory need it, and
/// find it made if gaudi-verify-phase was the pass before.
struct ScheduledForm {
  explicit ScheduledForm(ModuleOp module)
      : isKept(succeeded(verifyPhase(module, "schedule"))) {}
  bool isKept;
};

/// Fails with an error on the function for each attribute of state that is
/// neither unit nor the number of a result, names a result of another type, or
/// one that replaces another argument already.
LogicalResult verifyStates(func::FuncOp function);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_PASSES_H
