// --predict: device time of a recipe or a model, without running it.
#ifndef GAUDI_RUN_PREDICT_H
#define GAUDI_RUN_PREDICT_H

#include "Exit.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Options.h"
#include "Progress.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace gaudi::run {

/// What --predict found out for one device.
struct DevicePrediction {
  std::string device;
  std::string error; // the device cannot take the model; else empty
  prediction::Prediction prediction;
};

/// Prints the prediction as the options ask. The exit code is that of `ending`.
Ending predict(const Options &options, Progress &progress);

/// One device in full, several side by side.
void printPredictions(std::ostream &out, const std::string &file,
                      const std::vector<DevicePrediction> &predictions);

} // namespace gaudi::run

#endif // GAUDI_RUN_PREDICT_H
