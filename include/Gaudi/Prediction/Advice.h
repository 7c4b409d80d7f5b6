// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would make a launch faster, each with the time that it would save.
//
// Every gain is measured on the time model: the tasks of the prediction are
// changed as the advice says and played again. Gains of two entries do not add
// up where they concern the same commands.
#ifndef GAUDI_PREDICTION_ADVICE_H
#define GAUDI_PREDICTION_ADVICE_H

#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Prediction/Remark.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::prediction {

enum class AdviceKind : uint8_t {
  Capacity,  // the model does not fit on the card
  Batch,     // more samples per launch
  Pad,       // a dimension of matrix products to round up
  Movement,  // transposes, copies and fills to avoid
  Fuse,      // chains of kernels that are short against their launch
  Rows,      // rows that fill vectors or memory lines in part
  Precision, // bf16 where f32 is not needed
  Order,     // independent commands that could run beside each other
  Gather,    // accesses at computed positions
  Library    // library kernels on the critical path
};

/// "capacity", "batch", "pad", ...
std::string_view nameOf(AdviceKind kind);

struct Advice {
  AdviceKind kind = AdviceKind::Batch;
  std::string title; // what to do, one line
  std::string text;  // why, in sentences with numbers
  /// Commands of the prediction that it concerns, in program order.
  std::vector<uint32_t> commands;
  /// Their places in the source, each once, in the order of the commands.
  std::vector<std::string> locations;
  /// Predicted time that a launch would take less: replayed, never guessed.
  Picoseconds gain = 0;
  double share = 0; // of the launch
};

/// Predicts the launch again, its works changed.
using Repredict = std::function<Result<Prediction>(const WorkChange &)>;

/// The advice for a launch, largest gain first; nothing that gains less than
/// 1 % of it. What does not fit on the card comes before all. `remarks`
/// explain commands of the same location. With `again`, changed works get the
/// pipelines that suit them; without, commands keep the slices that they have.
///
/// The number of replays is bounded: at most 64, and fewer for many commands,
/// so that they take the time of some 400,000 commands in all (8 replays at
/// least). Those with the largest time at stake come first. Predictions that
/// are made again have 20,000 commands in all; what is left is replayed.
std::vector<Advice> advise(const Prediction &prediction,
                           const std::vector<Remark> &remarks = {},
                           const Repredict &again = {});

/// The advice as text for a person: title, gain, reason, first locations.
/// `most` entries are shown. Empty if there is none.
std::string adviceText(const std::vector<Advice> &advice, size_t most);

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_ADVICE_H
