// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference evaluator: what a function of gaudi ops computes, in float64.
// Everything else (emulator, passes) is compared with it.
#ifndef GAUDI_REFERENCE_EVALUATOR_H
#define GAUDI_REFERENCE_EVALUATOR_H

#include "Gaudi/Reference/Noise.h"
#include "Gaudi/Reference/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"

#include "Gaudi/Reference/ReferenceEval.h.inc"

namespace mlir {
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace gaudi {

/// Gives every gaudi op its ReferenceEvalOpInterface once the dialect loads.
void registerReferenceModels(DialectRegistry &registry);

/// A unit attribute of ops whose roundings to narrow types a fusion leaves out:
/// noise makes them random.
constexpr llvm::StringLiteral freeRoundingAttrName = "gaudi.free_rounding";

/// Called after each op with its results, which it may change: the ops after
/// it read what it leaves.
using EvaluationObserver =
    function_ref<void(Operation *, MutableArrayRef<ReferenceTensor>)>;

/// Runs the single block of `function` on one tensor per argument, with the
/// errors of `noise` unless it is null. Values are dropped after their last
/// use. Fails with an error on the op that cannot be evaluated, or on the
/// function if its inputs do not fit its arguments.
FailureOr<SmallVector<ReferenceTensor>>
evaluateFunction(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                 EvaluationObserver observer = nullptr,
                 const Noise *noise = nullptr);

/// Called after each op with its operands and results, without errors and with
/// those of each draw; a draw that failed has no results any more.
using DrawsObserver =
    function_ref<void(Operation *, ArrayRef<ReferenceTensor> operands,
                      ArrayRef<ReferenceTensor> results,
                      ArrayRef<SmallVector<ReferenceTensor>> drawn)>;

/// Runs the function without noise and with that of each draw, op by op, so
/// that only live values are in memory. The observer sees no constants. Fails
/// as evaluateFunction does, but not for a draw.
LogicalResult evaluateWithDraws(func::FuncOp function,
                                ArrayRef<ReferenceTensor> inputs,
                                ArrayRef<Noise> draws, DrawsObserver observer);

/// The first op that evaluateFunction would refuse for lack of a model, or the
/// function itself if it has not exactly one block or a type that is no static
/// tensor of the device's elements; null if it can be evaluated.
Operation *findNotEvaluable(func::FuncOp function);

} // namespace gaudi

#endif // GAUDI_REFERENCE_EVALUATOR_H
