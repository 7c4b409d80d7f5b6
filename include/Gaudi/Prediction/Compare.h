// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two predictions: before and after a change, or of two devices.
//
// Both sides are JSON objects as toJson() makes them, so that one may come from
// a file that was written long before.
#ifndef GAUDI_PREDICTION_COMPARE_H
#define GAUDI_PREDICTION_COMPARE_H

#include "Gaudi/Support/Error.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gaudi::prediction {

/// The predictions in a page of gaudi-run or in its JSON, a list. Errors: the
/// text is neither, or its predictions have no lists of commands; `name` is
/// that of the file.
Result<nlohmann::ordered_json> readPredictions(std::string_view text,
                                               std::string_view name);

/// Whether a text begins as a page or as JSON does.
bool looksLikePrediction(std::string_view head);

/// What became of `before`: `line`, a sentence; `numbers`, an object of pairs;
/// `commands`, those of one name together, the largest change first, each with
/// the kinds of operands that changed. Times are microseconds.
nlohmann::ordered_json compare(const nlohmann::ordered_json &before,
                               const nlohmann::ordered_json &after);

/// The comparison as lines of text, the ten largest changes of commands.
std::string compareText(const nlohmann::ordered_json &comparison);

/// Which of a list of predictions to explain by whySlower: each that takes over
/// 5 % more than the fastest one, with that one; the slower first.
std::vector<std::pair<size_t, size_t>>
slowerPairs(const nlohmann::ordered_json &predictions);

/// A sentence: why `slow` takes longer than `fast`, another device.
std::string whySlower(const nlohmann::ordered_json &slow,
                      const nlohmann::ordered_json &fast);

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_COMPARE_H
