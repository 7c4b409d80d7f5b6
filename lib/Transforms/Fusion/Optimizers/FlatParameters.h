// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers that work on one flat vector of all parameters.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_FLATPARAMETERS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_FLATPARAMETERS_H

#include "Steps.h"

namespace gaudi::fusion {

/// Adds an update that is a flat vector to the concatenation of the parameters,
/// instead of its slices to each of them, where the sum is the step of an
/// optimizer then. The results of the block become slices of the sum.
void gatherFlatParameters(Block &block);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_OPTIMIZERS_FLATPARAMETERS_H
