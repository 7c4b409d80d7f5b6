// --trace and --html: predictions as files for a timeline viewer and a browser.
#ifndef GAUDI_RUN_PREDICTIONFILES_H
#define GAUDI_RUN_PREDICTIONFILES_H

#include "Gaudi/Prediction/Page.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Options.h"
#include "Report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::run {

/// Of the passes that compiled a model; none of a recipe.
using Remarks = std::optional<std::vector<prediction::Remark>>;

/// What was predicted for one device, or why it cannot take the model.
struct DevicePrediction {
  std::string device;
  std::string error; // empty: there is a prediction
  prediction::Prediction prediction;
  std::vector<prediction::Advice> advice;
  Remarks remarks;
  /// Of the host.
  double predictMilliseconds = 0, adviseMilliseconds = 0;
};

/// Whether the options ask for one of the files.
bool wantsPredictionFiles(const Options &options);

/// Before any work is done. Errors: a file that would replace another one of
/// this invocation.
Status checkPredictionFiles(const Options &options);

/// Writes all of them or none. One device at least has a prediction. `source`:
/// text of the model, else empty. `measured`: none after --predict.
Status writePredictionFiles(const Options &options,
                            const std::vector<DevicePrediction> &predictions,
                            std::string_view source,
                            const std::optional<DeviceReport> &measured);

} // namespace gaudi::run

#endif // GAUDI_RUN_PREDICTIONFILES_H
