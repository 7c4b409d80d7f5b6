// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what a fusing pass replaces with what it puts there: verify-fusion.
#ifndef GAUDI_TRANSFORMS_VERIFYFUSION_H
#define GAUDI_TRANSFORMS_VERIFYFUSION_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <memory>

namespace gaudi {

/// The graphs of a module before a pass, to be compared with those after it.
/// Whatever value an op that stays, or the function's return,
/// reads from an op that is new is compared with the value that it read before:
/// outputs, gradients, states and weights alike. Both are evaluated as
/// functions of the values that the new ops read and of arguments, in every
/// regime of docs/numerics.md; equal pairs of graphs, as layers have them,
/// once. A value that differs is an error. Remarks (category `verify-fusion`)
/// say how many values agree and how many elements were undefined, which
/// branches no input took, and what was not verified: what the evaluator has no
/// model for, and more than 2^29 multiplications.
class GraphSnapshot {
public:
  /// Copies the functions, and numbers their ops until they are verified.
  explicit GraphSnapshot(ModuleOp module);
  ~GraphSnapshot();

  /// Compares them with what they are now; `pass` is what ran.
  LogicalResult verify(StringRef pass);

private:
  struct Functions;
  std::unique_ptr<Functions> functions;
};

/// Adds a pass of modules, and before and after it others that take a snapshot
/// and verify it.
void addVerifiedPass(OpPassManager &manager, std::unique_ptr<Pass> pass);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_VERIFYFUSION_H
