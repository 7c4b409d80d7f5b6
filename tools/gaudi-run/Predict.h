// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --predict: device time of a recipe or a model, without running it.
#ifndef GAUDI_RUN_PREDICT_H
#define GAUDI_RUN_PREDICT_H

#include "Compiler.h"
#include "Exit.h"
#include "Options.h"
#include "PredictionFiles.h"
#include "Progress.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace gaudi::run {

/// Predicts an entry of a recipe and looks for advice; `entry` may be empty.
/// `plan`: how the compiler chose buckets, if it is a model.
Result<DevicePrediction>
predictOne(const recipe::RecipeFile &file, const std::string &entry,
           const Options &options, Remarks remarks,
           const std::optional<capi::BucketPlan> &plan);

/// Milliseconds of the host.
struct PredictTimes {
  double read = 0, compile = 0, predict = 0, advise = 0;
};

/// Prints the prediction as the options ask. `failureCode` is set to that of a
/// failure.
Result<Exit> predict(const Options &options, Progress &progress,
                     Exit &failureCode);

/// One line for each kind of fusion with candidates; nothing without any.
void printFusions(std::ostream &out, const prediction::Prediction &prediction);

/// What the placement of permutations changed, and the transposes that remain;
/// nothing if the recipe has no regions.
void printPermutations(std::ostream &out,
                       const prediction::Prediction &prediction);

/// One device in full, several as a table.
void printPredictions(std::ostream &out, const std::string &file,
                      const std::vector<DevicePrediction> &predictions,
                      const PredictTimes &times);

} // namespace gaudi::run

#endif // GAUDI_RUN_PREDICT_H
