// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --steps and --loss need of a loaded recipe.
#ifndef GAUDI_RUN_STEPS_H
#define GAUDI_RUN_STEPS_H

#include "Device.h"

namespace gaudi::run {

/// The number of the output of --loss; 0 without the option. Errors: no state,
/// so that all steps compute the same; no such output, or one that is not a
/// single number.
Result<size_t> lossOutput(const Device &device, const Options &options);

/// The loss after a step, in float64.
double lossOf(const recipe::HostTensor &loss);

} // namespace gaudi::run

#endif // GAUDI_RUN_STEPS_H
