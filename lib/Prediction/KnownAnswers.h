// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one prediction finds out and others of the same device can use.
#ifndef GAUDI_LIB_PREDICTION_KNOWNANSWERS_H
#define GAUDI_LIB_PREDICTION_KNOWNANSWERS_H

#include "Gaudi/Timing/Timeline.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gaudi::prediction {

struct KnownAnswers {
  /// Works by their key, numbered as they came.
  struct Work {
    uint32_t number = 0;
    timing::Work work;
    timing::Cost cost;
  };
  std::unordered_map<std::string, Work> works;

  /// The best slices of a row of commands, by its works and links.
  struct Row {
    uint32_t slices = 1;
    timing::Picoseconds saved = 0;
    std::vector<timing::Task> tasks;
    std::string_view refusal;
  };
  std::map<std::vector<uint64_t>, Row> rows;

  /// Of the present prediction: the work of each command.
  std::vector<uint32_t> workOfCommand;
};

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_KNOWNANSWERS_H
