// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours on MME and TPC that the device runs in slices through SRAM.
#ifndef GAUDI_LIB_PREDICTION_PIPELINES_H
#define GAUDI_LIB_PREDICTION_PIPELINES_H

#include "Gaudi/Prediction/Prediction.h"
#include "KnownAnswers.h"

namespace gaudi::prediction {

/// Finds them, cuts them where that saves time, and says why others are not
/// cut. Costs and works of those that are get what stays in SRAM.
/// Fills the rows of `known`, whose works addLaunches has filled.
void addPipelines(Prediction &prediction, const recipe::Recipe &recipe,
                  KnownAnswers &known);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_PIPELINES_H
