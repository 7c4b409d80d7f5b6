// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --trace and --html: predictions as files for a timeline viewer and a browser.
#ifndef GAUDI_RUN_PREDICTIONFILES_H
#define GAUDI_RUN_PREDICTIONFILES_H

#include "Gaudi/Prediction/Page.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Support/OutputFile.h"
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
  std::string passes; ///< CompilerSession::passes of its compilation
  /// Of the host.
  double predictMilliseconds = 0, adviseMilliseconds = 0;
};

/// Whether the options ask for one of the files.
bool wantsPredictionFiles(const Options &options);

/// Opens the files, before any work is done that an error would lose. Errors: a
/// file that cannot be written or would replace another one of this invocation.
Result<std::vector<OutputFile>> openPredictionFiles(const Options &options);

/// What a page compares, as JSON of PageInput; empty: nothing.
struct PageComparisons {
  std::string precision = {}, predictions = {};
};

/// Writes all of them or none. One device at least has a prediction. `files`:
/// of openPredictionFiles. `source`: text of the model, else empty. `measured`:
/// none after --predict.
Status writePredictionFiles(std::vector<OutputFile> &files,
                            const Options &options,
                            const std::vector<DevicePrediction> &predictions,
                            std::string_view source,
                            const std::optional<DeviceReport> &measured,
                            const PageComparisons &comparisons = {});

} // namespace gaudi::run

#endif // GAUDI_RUN_PREDICTIONFILES_H
