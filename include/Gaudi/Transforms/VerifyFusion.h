// Compares what a fusing pass replaces with what it puts there: verify-fusion.
#ifndef GAUDI_TRANSFORMS_VERIFYFUSION_H
#define GAUDI_TRANSFORMS_VERIFYFUSION_H

#include "mlir/Pass/PassManager.h"

namespace mlir::gaudi {

/// Adds a pass of modules between two others, which compare the graphs before
/// and after it. Whatever value an op that stays, or the function's return,
/// reads from an op that is new is compared with the value that it read before:
/// outputs, gradients, states and weights alike. Both are evaluated as functions
/// of the values that the new ops read and of arguments, in every regime of
/// docs/numerics.md; equal pairs of graphs, as layers have them, once. A value
/// that differs is an error. Remarks (category `verify-fusion`) say how many
/// values agree and how many elements were undefined, which branches no input
/// took, and what was not verified: what the evaluator has no model for, and
/// more than 2^29 multiplications.
void addVerifiedPass(OpPassManager &manager, std::unique_ptr<Pass> pass);

} // namespace mlir::gaudi

#endif // GAUDI_TRANSFORMS_VERIFYFUSION_H
