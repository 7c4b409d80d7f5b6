// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that a launch of an entry runs, and the memory that they use.
#ifndef GAUDI_LIB_PREDICTION_LAUNCHES_H
#define GAUDI_LIB_PREDICTION_LAUNCHES_H

#include "Gaudi/Prediction/Prediction.h"
#include "KnownAnswers.h"

namespace gaudi::prediction {

/// Adds the commands of the entry with their tasks; of a program those of each
/// step once, with the host's launches between them. Notes say what that
/// leaves out. Fills the works of `known`, and uses those that are there.
void addLaunches(Prediction &prediction, const recipe::Recipe &recipe,
                 uint32_t entry, const WorkChange &change, KnownAnswers &known);

/// Adds the sections and, from the timeline, when which buffers are live.
void addMemory(Prediction &prediction, const recipe::Recipe &recipe);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_LAUNCHES_H
