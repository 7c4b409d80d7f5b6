// Neighbours on MME and TPC that the device runs in slices through SRAM.
#ifndef GAUDI_LIB_PREDICTION_PIPELINES_H
#define GAUDI_LIB_PREDICTION_PIPELINES_H

#include "Gaudi/Prediction/Prediction.h"

namespace gaudi::prediction {

/// Finds them, cuts them where that saves time, and says why others are not
/// cut. Costs and works of those that are get what stays in SRAM.
void addPipelines(Prediction &prediction, const recipe::Recipe &recipe);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_PIPELINES_H
