// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a recipe would cost on the card: device time without running anything.
#ifndef GAUDI_PREDICTION_PREDICTION_H
#define GAUDI_PREDICTION_PREDICTION_H

#include "Gaudi/Prediction/Blame.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Support/Fusions.h"
#include "Gaudi/Support/Permutations.h"
#include "Gaudi/Timing/Timeline.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::prediction {

using timing::Picoseconds;

/// One command with its predicted time.
struct Command {
  std::string name;     // "mme.conv", "tpc.add"
  std::string location; // of the model; may be empty
  timing::Queue queue = timing::Queue::Tpc;
  std::vector<std::string> operands; // "in 1x56x56x64xbf16", "out ..."
  uint64_t flops = 0, bytes = 0;     // as the recipe counts them
  timing::Work work;
  /// Equal for commands of equal work on equal types, wherever their data is.
  uint32_t workClass = 0;
  uint32_t index = 0; // in its entry
  /// The first inputs, as bits, that constants decide: no argument or state.
  uint32_t constantInputs = 0;
};

/// Commands of equal work that run in the same way.
struct CommandGroup {
  std::vector<uint32_t> commands; // the one with the longest span first
  Picoseconds time = 0;           // of all spans
};

/// Bytes of device memory in use from `time` on.
struct MemorySample {
  Picoseconds time = 0;
  uint64_t workspace = 0; // live buffers of the workspace
};

/// A buffer of the workspace and when it is alive.
struct BufferLife {
  uint32_t tensor = 0;
  std::string name, location;
  uint64_t offset = 0, bytes = 0;
  Picoseconds from = 0, to = 0;
  std::string op = {}; // that writes it first
};

/// A tensor that keeps its bytes between launches: an input, an output, a state
/// or a constant of the recipe, none that is an alias.
struct ResidentTensor {
  uint32_t tensor = 0, section = 0;
  std::string name, kind, type, location; // kind: "input", ...
  uint64_t offset = 0, bytes = 0;         // in the section
  /// From the begin of the first command that uses it to the end of the last
  /// one; equal if none of this entry does.
  Picoseconds from = 0, to = 0;
};

/// A launch of an entry that has commands, not a program.
struct Launch {
  uint32_t entry = 0;
  uint32_t first = 0, count = 0; // of the prediction's commands
};

/// Neighbours on MME and TPC: a row that runs in slices through SRAM, or two
/// that could not.
struct Pipeline {
  uint32_t first = 0, count = 0; // commands
  uint32_t slices = 1;           // 1: it does not
  Picoseconds saved = 0;         // of the row, alone on the device
  std::string_view refusal;      // why it does not
};

/// What became of a candidate for a fusion, as the recipe records it.
struct Fusion {
  std::string kind; // "layer_norm"
  bool fused = false;
  uint32_t members = 0;
  int64_t bytesSaved = 0, picosecondsSaved = 0;
  std::string location; // of the model; may be empty
  std::string text;
};

/// A part of an entry in which orders depend on each other, as the recipe
/// records it.
struct PermutationRegion {
  /// One that remains, or one of the program that is gone.
  struct Transpose {
    bool remains = false;
    int64_t bytes = 0, picoseconds = 0;
    std::string location, text;
  };
  struct Op {
    std::string name, location;
    std::vector<uint8_t> order; // of its result; empty: as it was written
  };
  struct Edge {
    uint32_t from = 0, to = 0; // ops
    int32_t transpose = -1;
  };
  std::string entry, location;
  uint32_t opsInAll = 0; // the list may have fewer
  PermutationCount count;
  std::vector<Transpose> transposes;
  std::vector<Op> ops;
  std::vector<Edge> edges; // each to a later op
};

/// The buckets of an entry with variants, one of which was predicted. Whoever
/// knows of them fills it in.
struct Buckets {
  struct Row {
    std::vector<int64_t> sizes; // of the symbols
    int64_t picoseconds = -1;   // of a launch; -1: unknown
    uint64_t launches = 0;      // of the histogram that choose it
    /// Products of the sizes, of these launches and of the bucket for each.
    double real = 0, padded = 0;
    bool isPredicted = false; // the one of this prediction
  };
  /// The best of a strategy for a budget (shapes::CurvePoint).
  struct Point {
    std::string strategy;
    uint32_t maxBuckets = 0, buckets = 0;
    double waste = 0, leastWaste = 0;
  };
  std::vector<std::string> symbols;
  std::vector<Row> rows;
  std::string histogram;     // its file; empty: there is none
  uint64_t launches = 0;     // of the histogram
  uint64_t misses = 0;       // of these, that no bucket takes
  std::vector<Point> curve;  // strategies in turn, budgets ascend
  bool isCurveOfTime = true; // else of elements
};

/// Where the time of a launch goes; the parts add up to it.
struct TimeSplit {
  Picoseconds start = 0; // before the first command
  /// By the first of the queues that works then.
  std::array<Picoseconds, timing::queueCount> working{};
  Picoseconds idle = 0; // none does: results or first data are on their way
};

struct Prediction {
  const device::DeviceSpec *device = nullptr;
  std::string entry;
  /// In program order; those of tasks and timeline have the same numbers.
  std::vector<Command> commands;
  std::vector<timing::Task> tasks; // for replaying it with changes
  timing::Timeline timeline;
  std::vector<Launch> launches;    // several only of a program
  std::vector<Pipeline> pipelines; // in program order
  /// Share of the launch in which the matrix engine multiplies at full rate:
  /// multiply-adds / (peak of their type * time).
  double mmeUtilization = 0;
  uint64_t flops = 0;
  uint64_t hbmBytes = 0; // of all commands
  // Memory of the card.
  uint64_t persistent = 0, constants = 0, workspace = 0, capacity = 0;
  std::vector<MemorySample> memory;
  std::vector<BufferLife> buffers;
  std::vector<ResidentTensor> resident; // by number
  PeakMoment peak;                      // of the part that needs most
  std::vector<Remedy> remedies;         // for that
  std::vector<MemoryPlan> plans;        // of the whole recipe, one per entry
  /// Of the whole recipe, in the order of the passes.
  std::vector<Fusion> fusions;
  std::vector<PermutationRegion> permutations; // in the order of the entries
  std::optional<Buckets> buckets;
  /// What the number leaves out, one sentence each: loops on the host whose
  /// iterations are not known, ...
  std::vector<std::string> notes;

  Picoseconds time() const { return timeline.end; }
  uint64_t memoryNeeded() const { return persistent + constants + workspace; }
  bool fits() const { return memoryNeeded() <= capacity; }
  /// Operations per byte of HBM traffic; 0 without traffic.
  double intensity() const;
  /// Share of the launch in which the queue works.
  double shareOf(timing::Queue queue) const;
  /// n log n in the pieces of the timeline.
  TimeSplit split() const;
  /// The commands with the longest spans, the longest first.
  std::vector<uint32_t> longest(size_t count) const;
  /// The groups that take most time, the first one most.
  std::vector<CommandGroup> mostExpensive(size_t count) const;
  /// From the first byte of its fill to the last one of its drain if the
  /// command had the device to itself and ran whole, not in slices.
  Picoseconds timeAlone(uint32_t command) const;
};

/// Counts by kind, with the lines of reports. Views of the prediction's text.
std::vector<FusionCount> countFusions(const Prediction &prediction);

/// Of all regions.
PermutationCount countPermutations(const Prediction &prediction);

/// timing::explain of the command, in words for a person.
std::string explain(const Prediction &prediction, uint32_t command);

/// Changes the work of a command before it is timed: "what if". Gives whether
/// it did; what it makes of a work must depend on the work and on which inputs
/// constants decide.
using WorkChange = std::function<bool(uint32_t command, timing::Work &work)>;

/// Predicts one launch of an entry, its works changed if `change` is given. The
/// entry of a program is predicted with each of its steps once; the host's
/// launches between them are commands of the host's queue. Errors: no such
/// entry.
Result<Prediction> predict(const recipe::RecipeFile &file, uint32_t entry,
                           const WorkChange &change = {});

/// The time of such predictions alone, for recipes of one device that have most
/// of their commands in common: what is known of these is kept.
class LaunchTimes {
public:
  LaunchTimes();
  ~LaunchTimes();

  /// `recipe` keeps the rules of the format.
  Result<Picoseconds> of(const recipe::Recipe &recipe, uint32_t entry);

private:
  std::unique_ptr<struct KnownAnswers> known;
};

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_PREDICTION_H
