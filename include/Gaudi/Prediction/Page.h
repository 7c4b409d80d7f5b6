// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prediction as one self-contained page: HTML with its style, its script and
// its data, which opens without a network.
//
// The parts of the page are in lib/Prediction/Page; a section is one entry of a
// list there. The page holds the JSON of toJson() and shows its numbers.
#ifndef GAUDI_PREDICTION_PAGE_H
#define GAUDI_PREDICTION_PAGE_H

#include "Gaudi/Prediction/Advice.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Prediction/Remark.h"
#include "Gaudi/Support/OutputFile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::prediction {

/// A device that the model was predicted on.
struct PageDevice {
  const Prediction *prediction = nullptr;
  std::vector<Advice> advice;
  /// None: it was a recipe, whose remarks are gone.
  std::optional<std::vector<Remark>> remarks;
};

/// A device that refused the model, and why.
struct RefusedDevice {
  std::string device, error;
};

struct PageInput {
  std::string title;               // the name of the model's file
  std::vector<PageDevice> devices; // one at least
  std::vector<RefusedDevice> refused;
  /// The text of the model and its file's name as locations have it. Only the
  /// lines that a location names get into the page, cut to 300 bytes each.
  std::string sourceName;
  std::string_view source;
  std::optional<double> hostMilliseconds; // of a launch, measured
  uint32_t hostThreads = 1;
  /// What a program did, as a JSON object (docs/schema/script.schema.json);
  /// empty: nothing is known.
  std::string script;
  /// A comparison of precisions or of losses, as the JSON of Analysis has it;
  /// empty: none was made.
  std::string precision = {};
  /// What passes of the compiler changed, as its library says it: a JSON object
  /// (GaudiCompilerApi.passes); empty: nobody knows.
  std::string passes = {};
  /// What became of an earlier prediction: a JSON object with the name of its
  /// file, `with`, and `devices`, a list of compare(); empty: nothing.
  std::string comparison;
};

/// Whether a text may be PageInput::script: a JSON object.
bool isScript(std::string_view json);

/// Writes the page; the caller commits the file.
Status writePage(OutputFile &file, const PageInput &input);

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_PAGE_H
