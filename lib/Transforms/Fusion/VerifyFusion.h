// Compares what a fusion replaces with what it puts there: verify-fusion.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_VERIFYFUSION_H
#define GAUDI_LIB_TRANSFORMS_FUSION_VERIFYFUSION_H

#include "mlir/IR/Operation.h"

namespace mlir::gaudi::fusion {

/// Evaluates `before` and `after`, which `created` computes, with the reference
/// evaluator on random inputs: the tensors that `created` reads, and what else
/// `before` depends on. Fails with an error that names `kind` where the values
/// differ by more than docs/numerics.md allows. A NaN of `before` agrees with
/// everything: a row without visible keys has no softmax. Work beyond
/// `maxVerifiedWork` multiplications is not evaluated; `isVerified` tells.
LogicalResult verifyFusion(StringRef kind, Value before, Value after,
                           ArrayRef<Operation *> created, bool &isVerified);

} // namespace mlir::gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_VERIFYFUSION_H
