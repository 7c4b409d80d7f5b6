// The commands that a launch of an entry runs, and the memory that they use.
#ifndef GAUDI_LIB_PREDICTION_LAUNCHES_H
#define GAUDI_LIB_PREDICTION_LAUNCHES_H

#include "Gaudi/Prediction/Prediction.h"

namespace gaudi::prediction {

/// A launch of an entry that has commands, not a program.
struct Launch {
  uint32_t entry = 0;
  uint32_t first = 0, count = 0; // of the prediction's commands
};

/// Adds the commands of the entry with their tasks; of a program those of each
/// step once, with the host's launches between them. Notes say what that
/// leaves out.
std::vector<Launch> addLaunches(Prediction &prediction,
                                const recipe::Recipe &recipe, uint32_t entry);

/// Adds the sections and, from the timeline, when which buffers are live.
void addMemory(Prediction &prediction, const recipe::Recipe &recipe,
               const std::vector<Launch> &launches);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_LAUNCHES_H
