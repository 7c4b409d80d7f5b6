// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of functions whose callers have tensors in other orders.
#ifndef GAUDI_REFERENCE_CALLERS_H
#define GAUDI_REFERENCE_CALLERS_H

#include "Gaudi/Reference/Evaluator.h"

namespace gaudi {

/// The tensors of callers in the orders that the arguments are stored in. Fails
/// with an error on the function if types do not fit.
FailureOr<SmallVector<ReferenceTensor>>
storedArguments(func::FuncOp function, ArrayRef<ReferenceTensor> inputs);

/// What evaluateFunction does, for tensors in the orders that callers have them
/// in (gaudi.permutation); the observer sees them as the function has them.
FailureOr<SmallVector<ReferenceTensor>>
evaluateForCallers(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                   EvaluationObserver observer = nullptr,
                   const Noise *noise = nullptr);

} // namespace gaudi

#endif // GAUDI_REFERENCE_CALLERS_H
