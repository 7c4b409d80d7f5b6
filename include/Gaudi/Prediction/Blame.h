// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fills the memory of the card at its fullest moment, and what would lower
// it.
#ifndef GAUDI_PREDICTION_BLAME_H
#define GAUDI_PREDICTION_BLAME_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Support/MemoryPlan.h"
#include "Gaudi/Timing/Cost.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::prediction {

struct Prediction;

/// A tensor with its own buffer that is live at the peak.
struct LiveBuffer {
  uint32_t tensor = 0;
  std::string name, kind; // "input", "output", "state", "const", "workspace"
  std::string type;       // "64x128xf32"
  std::string op;         // that writes it first; empty: none does
  std::string location;   // of the model; may be empty
  uint64_t bytes = 0;
};

/// The command of a launch at which most bytes of workspace are live.
struct PeakMoment {
  bool exists = false;  // false: there are no commands
  uint32_t command = 0; // of the prediction
  uint64_t live = 0;    // bytes of workspace
  /// The largest first; inputs, outputs, state and constants always live.
  std::vector<LiveBuffer> buffers;
};

/// A change of the model or of the plan that would lower the peak.
struct Remedy {
  enum class Kind { Recompute, Split };
  Kind kind = Kind::Recompute;
  uint64_t peak = 0;  // bytes of workspace that would be live at most
  uint64_t saved = 0; // against today's peak
  timing::Picoseconds cost = 0;
  std::vector<uint32_t> commands; // of the prediction: to run again, to split
  std::string text;
};
std::string_view nameOf(Remedy::Kind kind);

/// What passes did about the memory of an entry, as the recipe records it.
struct MemoryPlan {
  struct Entry {
    MemoryKind kind = MemoryKind::View;
    std::string name, location;
    int64_t bytes = 0, picoseconds = 0;
    std::string reader, readerLocation, reason, remedy; // of a copy
  };
  std::string entry;
  MemoryPeaks peaks;
  std::array<MemorySum, memoryKindCount> sums{}; // also of what is not listed
  std::vector<Entry> entries;

  /// The entries of a kind, the largest first.
  std::vector<const Entry *> largest(MemoryKind kind, size_t count) const;
};

/// Fills `peak`, `remedies` and `plans` of a prediction whose launches and
/// timeline are known. Takes O(n log n) in commands and tensors.
void addBlame(Prediction &prediction, const recipe::Recipe &recipe);

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_BLAME_H
