// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would lower the peak of the workspace, each with its figure.
#ifndef GAUDI_LIB_PREDICTION_REMEDIES_H
#define GAUDI_LIB_PREDICTION_REMEDIES_H

#include "Gaudi/Prediction/Prediction.h"

namespace gaudi::prediction {

/// Adds remedies for the launch in which the workspace is fullest. `roots`:
/// of each tensor, the one whose bytes it is a view of.
void addRemedies(Prediction &prediction, const recipe::Recipe &recipe,
                 const Launch &launch, const std::vector<uint32_t> &roots);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_REMEDIES_H
