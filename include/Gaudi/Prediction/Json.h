// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prediction as JSON: what gaudi-run prints and what its page embeds.
#ifndef GAUDI_PREDICTION_JSON_H
#define GAUDI_PREDICTION_JSON_H

#include "Gaudi/Prediction/Advice.h"
#include "Gaudi/Prediction/Prediction.h"

#include <nlohmann/json_fwd.hpp>

namespace gaudi::prediction {

/// The numbers of the whole launch, without lists of commands, samples and
/// buffers.
nlohmann::ordered_json summaryOf(const Prediction &prediction);

/// What fills the memory: `peak` with its `limit` largest `buffers`, the
/// `remedies`, and the `plans` with what passes did.
nlohmann::ordered_json blameOf(const Prediction &prediction, size_t limit);

/// The candidates for fusions: `counts` by kind and the `candidates`
/// themselves.
nlohmann::ordered_json fusionsOf(const Prediction &prediction);

/// What the placement of permutations changed: the numbers of all regions with
/// their `line`, and the `regions` with their transposes, ops and edges.
nlohmann::ordered_json permutationsOf(const Prediction &prediction);

/// The buckets of the entry, hits and padding by the histogram, and the curve;
/// null if it has none.
nlohmann::ordered_json bucketsOf(const Prediction &prediction);

/// All of it. docs/gaudi-run.md lists the keys. Times are microseconds, all
/// predicted; numbers are those of the prediction, not rounded.
nlohmann::ordered_json toJson(const Prediction &prediction,
                              const std::vector<Advice> &advice = {});

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_JSON_H
