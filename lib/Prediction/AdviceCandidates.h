// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for advice: who proposes changes, and how they are weighed.
//
// Each kind of advice proposes candidates from the works of the commands alone;
// the ones with the most at stake are replayed.
#ifndef GAUDI_LIB_PREDICTION_ADVICECANDIDATES_H
#define GAUDI_LIB_PREDICTION_ADVICECANDIDATES_H

#include "Gaudi/Prediction/Advice.h"
#include "Gaudi/Support/Units.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::prediction {

/// A change of the tasks, with the text that goes with it.
struct Candidate {
  AdviceKind kind = AdviceKind::Batch;
  std::string title, text;
  std::vector<uint32_t> commands; // that the advice concerns

  /// What is different: other work of some commands, in ascending order, with
  /// the costs that it has in the tasks as they are ...
  std::function<timing::Work(uint32_t command, const timing::Work &)> rework;
  std::vector<uint32_t> reworked;
  std::vector<std::pair<uint32_t, timing::Cost>> costs;
  // ... or fewer tasks, or another order.
  std::vector<uint32_t> removed; // ascending
  std::vector<uint32_t> order;   // program order to play in; empty: as it is
  /// The changed tasks do the work of so many launches.
  int64_t launches = 1;
  /// The time of one launch's work then, if it is known already.
  std::optional<Picoseconds> time;
  /// Time that the changes save if each command ran alone: what decides which
  /// candidates are replayed.
  Picoseconds estimate = 0;
};

/// Equal commands of a prediction: one finding over repeated layers.
struct Group {
  std::vector<uint32_t> commands; // ascending
  std::string name;               // of the first
};

/// What the kinds of advice share: the prediction, the remarks, and bookkeeping
/// over equal commands.
class Search {
public:
  Search(const Prediction &prediction, const std::vector<Remark> &remarks,
         const Repredict &again);

  const Prediction &prediction;
  const device::DeviceSpec &spec;

  Picoseconds time() const { return prediction.time(); }
  /// The least gain that is worth an advice: 1 % of the launch.
  Picoseconds least() const { return prediction.time() / 100; }
  const timing::Cost &cost(uint32_t command) const {
    return prediction.tasks[command].cost;
  }
  const std::vector<Group> &groups() const { return allGroups; }
  /// Sum of the costs of a group, each command alone.
  Picoseconds total(const Group &group) const;

  /// What the task of a command would cost with other work. A command that
  /// runs in slices keeps them: its parts grow or shrink as those of the whole
  /// command do.
  timing::Cost costWith(uint32_t command, const timing::Work &work) const;

  /// Adds costs that all members of a group share to a candidate.
  void change(Candidate &candidate, const Group &group,
              const timing::Cost &cost) const;
  /// The same with work that makes them: by the candidate's `rework`.
  void rework(Candidate &candidate, const Group &group) const;
  void remove(Candidate &candidate, const Group &group) const;

  /// The remark that explains a command: of its location, and holding one of
  /// the words, which are tried in order; those of kind "missed" first. Null if
  /// there is none.
  const Remark *explain(uint32_t command,
                        const std::vector<std::string_view> &words) const;

  /// The time of one launch's work with the changes of a candidate. Changed
  /// works are predicted again if playing the tasks promises a gain.
  Picoseconds replay(const Candidate &candidate);

  std::vector<Candidate> candidates;

private:
  const Repredict &again;
  size_t repeatsLeft; // how often it may still be called
  std::vector<Group> allGroups;
  std::vector<const Remark *> byLocation; // sorted by it, stable
};

/// Plays the tasks of a prediction with the changes of a candidate.
Picoseconds replayTasks(const Prediction &prediction,
                        const Candidate &candidate);

// The kinds. Each adds its candidates to the search.
void adviseBatch(Search &search);
void advisePadding(Search &search);
void adviseMovements(Search &search);
void adviseFusion(Search &search);
void adviseRows(Search &search);
void advisePrecision(Search &search);
void adviseOrder(Search &search);
void adviseLibrary(Search &search);
/// Not a matter of time, so not a candidate.
std::vector<Advice> adviseCapacity(const Prediction &prediction);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_ADVICECANDIDATES_H
