// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What another precision would gain and lose: device time and memory of two
// settings of autocast, the error of the second against the first, and which
// layers and ops cause it.
#ifndef GAUDI_ANALYSIS_PRECISION_H
#define GAUDI_ANALYSIS_PRECISION_H

#include "Gaudi/Prediction/Prediction.h"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::analysis {

/// Multiplications and additions of the evaluations that look for causes: a few
/// seconds.
constexpr double causesWork = double(uint64_t(1) << 32);

/// A setting, as predicted. Times are microseconds of the device.
struct PrecisionSide {
  std::string setting; ///< "f32", "bf16:lower=FILE"
  double microseconds = 0;
  uint64_t constants = 0, workspace = 0, needed = 0; ///< bytes of memory
  std::map<std::string, double> layers;              ///< time by layer
};

/// An op of the model and its part in the error, which is the root of the mean
/// over outputs of the squares of their errors; infinite if one is.
struct PrecisionOp {
  std::string name, location;
  std::string rule;          ///< "lower", "fp32", "promote" or "none"
  std::string before, after; ///< types: "f32", "bf16"
  std::string reason;        ///< of `after`
  double alone = 0;   ///< error if its group alone has the second setting
  double back = 0;    ///< error left if its group alone has the first
  double share = 0;   ///< of the squares that all ops cause, 0 to 1
  uint32_t group = 0; ///< switched with those of the same number; 0: was not
};

struct PrecisionOutput {
  std::string name;
  /// Norm of the difference per norm of the output, that norm itself if the
  /// output is zero; infinite if elements are not finite any more.
  double error = 0;
  double norm = 0;    ///< of the output in the first setting
  double largest = 0; ///< absolute, of elements that are finite
  uint64_t notFinite = 0, notFiniteBefore = 0;
};

struct PrecisionReport {
  PrecisionSide before, after;
  double error = 0; ///< of all outputs
  std::vector<PrecisionOutput> outputs;
  std::vector<PrecisionOp> ops; ///< in program order
  uint64_t evaluations = 0;
};

/// A loss after each step, with either setting.
struct LossComparison {
  std::string before, after; ///< the settings
  std::string output;        ///< its name
  std::vector<double> lossesBefore, lossesAfter;
};

/// The layers that a location names: modules of PyTorch ("Net.fc"), scopes of
/// JAX ("jit(f)/Dense_0"), else the location itself.
std::vector<std::string> layersOf(std::string_view location);

PrecisionSide precisionSide(std::string setting,
                            const prediction::Prediction &prediction);

/// The ops that cause most first; those that cause nothing are left out.
std::vector<const PrecisionOp *> rankedOps(const PrecisionReport &report);

/// Layers with their times and share of the error, the largest share first.
struct PrecisionLayer {
  std::string name;
  double before = 0, after = 0; ///< microseconds
  double share = 0;
};
std::vector<PrecisionLayer> rankedLayers(const PrecisionReport &report);

/// docs/schema/gaudi-run-precision.schema.json, without the name of the model.
nlohmann::ordered_json toJson(const PrecisionReport &report);
nlohmann::ordered_json toJson(const LossComparison &losses);

/// For people; so many layers and ops at most.
std::string textOf(const PrecisionReport &report, size_t most);
std::string textOf(const LossComparison &losses);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_PRECISION_H
