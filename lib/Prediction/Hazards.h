// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which commands must wait for which, by the bytes that they share.
#ifndef GAUDI_LIB_PREDICTION_HAZARDS_H
#define GAUDI_LIB_PREDICTION_HAZARDS_H

#include "Gaudi/Prediction/Prediction.h"

namespace gaudi::prediction {

/// Adds to the tasks from `first` on, one per command of the entry, the
/// dependencies that the order of a queue implies in a recipe: small kernels of
/// one queue run beside each other only if they share nothing. Sorted, each
/// once.
void addHazards(std::vector<timing::Task> &tasks, uint32_t first,
                const recipe::Recipe &recipe, const recipe::Entry &entry);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_HAZARDS_H
