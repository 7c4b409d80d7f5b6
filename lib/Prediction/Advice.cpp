// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the candidates of all kinds, replays them and keeps what pays.
#include "Gaudi/Prediction/Advice.h"
#include "AdviceCandidates.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <tuple>
#include <unordered_map>

namespace gaudi::prediction {

using timing::Picoseconds;

std::string_view nameOf(AdviceKind kind) {
  constexpr std::string_view names[] = {
      "capacity", "batch",     "pad",   "movement", "fuse",
      "rows",     "precision", "order", "gather",   "library"};
  return names[size_t(kind)];
}

namespace {

/// amount * part / whole; the amount if there is no whole.
template <typename Amount>
Amount scaled(Amount amount, Amount part, Amount whole) {
  return whole > 0 ? Amount(__int128(amount) * __int128(part) / __int128(whole))
                   : amount;
}

} // namespace

Search::Search(const Prediction &prediction, const std::vector<Remark> &remarks,
               const Repredict &again)
    : prediction(prediction), spec(*prediction.device), again(again),
      repeatsLeft(20'000 / std::max<size_t>(prediction.commands.size(), 1)) {
  assert(prediction.tasks.size() == prediction.commands.size() &&
         "one task per command");
  std::unordered_map<std::string, uint32_t> known;
  for (uint32_t i = 0; i < prediction.commands.size(); ++i) {
    const Command &command = prediction.commands[i];
    // The cost stands for what the texts leave out: strides, parameters.
    std::string key = fmt::format(
        "{} {} {} {} {}", command.name, fmt::join(command.operands, " "),
        command.constantInputs, prediction.tasks[i].cost.total(),
        prediction.tasks[i].maxSlices);
    const auto [entry, isNew] =
        known.try_emplace(std::move(key), uint32_t(allGroups.size()));
    if (isNew)
      allGroups.push_back({{}, command.name});
    allGroups[entry->second].commands.push_back(i);
  }
  for (const Remark &remark : remarks)
    if (!remark.location.empty())
      byLocation.push_back(&remark);
  // Remarks of one location keep their order: they are of one vector.
  std::sort(byLocation.begin(), byLocation.end(),
            [](const Remark *a, const Remark *b) {
              return std::tie(a->location, a) < std::tie(b->location, b);
            });
}

Picoseconds Search::total(const Group &group) const {
  return cost(group.commands.front()).total() *
         Picoseconds(group.commands.size());
}

timing::Cost Search::costWith(uint32_t command,
                              const timing::Work &work) const {
  if (prediction.tasks[command].queue == timing::Queue::Host)
    return cost(command);
  timing::Cost cost = timing::costOf(work, spec);
  if (prediction.tasks[command].maxSlices <= 1)
    return cost;
  const timing::Cost whole =
      timing::costOf(prediction.commands[command].work, spec);
  const timing::Cost &sliced = this->cost(command);
  for (auto part :
       {&timing::Cost::launch, &timing::Cost::fill, &timing::Cost::compute,
        &timing::Cost::read, &timing::Cost::write, &timing::Cost::drain})
    cost.*part = scaled(sliced.*part, cost.*part, whole.*part);
  for (auto bytes : {&timing::Cost::hbmRead, &timing::Cost::hbmWritten,
                     &timing::Cost::sramRead, &timing::Cost::sramWritten})
    cost.*bytes = scaled(sliced.*bytes, cost.*bytes, whole.*bytes);
  return cost;
}

void Search::change(Candidate &candidate, const Group &group,
                    const timing::Cost &changed) const {
  for (uint32_t command : group.commands) {
    candidate.costs.emplace_back(command, changed);
    candidate.commands.push_back(command);
    candidate.estimate += cost(command).total() - changed.total();
  }
}

void Search::rework(Candidate &candidate, const Group &group) const {
  const uint32_t first = group.commands.front();
  change(candidate, group,
         costWith(first,
                  candidate.rework(first, prediction.commands[first].work)));
  candidate.reworked.insert(candidate.reworked.end(), group.commands.begin(),
                            group.commands.end());
}

Picoseconds Search::replay(const Candidate &candidate) {
  const Picoseconds played = replayTasks(prediction, candidate);
  if (!again || !candidate.rework || repeatsLeft == 0 ||
      time() - played < least() / 2)
    return played;
  --repeatsLeft;
  std::vector<bool> isReworked(prediction.commands.size());
  for (uint32_t command : candidate.reworked)
    isReworked[command] = true;
  const auto result = again([&](uint32_t command, timing::Work &work) {
    if (isReworked[command])
      work = candidate.rework(command, work);
    return bool(isReworked[command]);
  });
  return result ? result->time() / candidate.launches : played;
}

void Search::remove(Candidate &candidate, const Group &group) const {
  for (uint32_t command : group.commands) {
    candidate.removed.push_back(command);
    candidate.commands.push_back(command);
  }
  candidate.estimate += total(group);
}

const Remark *
Search::explain(uint32_t command,
                const std::vector<std::string_view> &words) const {
  const std::string &location = prediction.commands[command].location;
  const auto first = std::lower_bound(
      byLocation.begin(), byLocation.end(), location,
      [](const Remark *a, const std::string &b) { return a->location < b; });
  // What was refused explains most; what an op was raised from, nothing.
  for (std::string_view kind : {"missed", "passed", "analysis"})
    for (std::string_view word : words)
      for (auto at = first;
           at != byLocation.end() && (*at)->location == location; ++at)
        if ((*at)->kind == kind && (*at)->pass.rfind("convert-", 0) != 0 &&
            (*at)->text.find(word) != std::string::npos)
          return *at;
  return nullptr;
}

namespace {

/// Removes what was named twice and sorts.
void makeUnique(std::vector<uint32_t> &commands) {
  std::sort(commands.begin(), commands.end());
  commands.erase(std::unique(commands.begin(), commands.end()), commands.end());
}

Advice adviceOf(const Prediction &prediction, Candidate candidate,
                Picoseconds gain) {
  Advice advice;
  advice.kind = candidate.kind;
  advice.title = std::move(candidate.title);
  advice.text = std::move(candidate.text);
  advice.commands = std::move(candidate.commands);
  makeUnique(advice.commands);
  std::unordered_map<std::string_view, bool> seen;
  for (uint32_t command : advice.commands) {
    const std::string &location = prediction.commands[command].location;
    if (!location.empty() && seen.try_emplace(location, true).second)
      advice.locations.push_back(location);
  }
  advice.gain = gain;
  advice.share =
      double(gain) / double(std::max<Picoseconds>(prediction.time(), 1));
  return advice;
}

/// How many candidates are replayed: see advise().
size_t mostReplays(size_t commands) {
  return std::clamp<size_t>(400'000 / std::max<size_t>(commands, 1), 8, 64);
}

/// Those worth a replay, the most at stake first.
std::vector<Candidate> chosen(Search &search) {
  std::vector<Candidate> candidates = std::move(search.candidates);
  // Less traffic speeds up what runs beside a command, too: at most as much
  // as the command itself.
  const auto isSmall = [&](const Candidate &candidate) {
    return 2 * candidate.estimate < search.least();
  };
  candidates.erase(
      std::remove_if(candidates.begin(), candidates.end(), isSmall),
      candidates.end());
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate &a, const Candidate &b) {
              return std::tie(b.estimate, a.kind, a.commands, a.title) <
                     std::tie(a.estimate, b.kind, b.commands, b.title);
            });
  const size_t most = mostReplays(search.prediction.commands.size());
  if (candidates.size() > most)
    candidates.resize(most);
  return candidates;
}

} // namespace

std::vector<Advice> advise(const Prediction &prediction,
                           const std::vector<Remark> &remarks,
                           const Repredict &again) {
  std::vector<Advice> result;
  if (prediction.time() > 0 && !prediction.commands.empty()) {
    Search search(prediction, remarks, again);
    for (auto kind : {adviseBatch, advisePadding, adviseMovements, adviseFusion,
                      adviseRows, advisePrecision, adviseOrder, adviseLibrary})
      kind(search);
    for (Candidate &candidate : chosen(search)) {
      const Picoseconds gain =
          prediction.time() -
          (candidate.time ? *candidate.time : search.replay(candidate));
      if (gain > 0 && gain >= search.least())
        result.push_back(adviceOf(prediction, std::move(candidate), gain));
    }
  }
  std::sort(result.begin(), result.end(), [](const Advice &a, const Advice &b) {
    return std::tie(b.gain, a.kind, a.commands, a.title) <
           std::tie(a.gain, b.kind, b.commands, b.title);
  });
  std::vector<Advice> capacity = adviseCapacity(prediction);
  result.insert(result.begin(), std::make_move_iterator(capacity.begin()),
                std::make_move_iterator(capacity.end()));
  return result;
}

std::string adviceText(const std::vector<Advice> &advice, size_t most) {
  if (advice.empty())
    return "";
  std::string text = "advice (gains of the same commands do not add up):\n";
  constexpr size_t shownLocations = 3;
  for (size_t i = 0; i < std::min(most, advice.size()); ++i) {
    const Advice &entry = advice[i];
    text += fmt::format("  {}. {}", i + 1, entry.title);
    if (entry.gain > 0)
      text += fmt::format(": saves {} ({:.1f} %)", timing::timeText(entry.gain),
                          100 * entry.share);
    text += fmt::format("\n     {}\n", entry.text);
    if (entry.locations.empty())
      continue;
    const size_t shown = std::min(shownLocations, entry.locations.size());
    text += fmt::format("     at {}",
                        fmt::join(entry.locations.begin(),
                                  entry.locations.begin() + long(shown), ", "));
    if (shown < entry.locations.size())
      text += fmt::format(
          " and {}", countOf(entry.locations.size() - shown, "more place"));
    text += '\n';
  }
  if (most < advice.size())
    text +=
        fmt::format("  ({} more with smaller gains)\n", advice.size() - most);
  return text;
}

} // namespace gaudi::prediction
