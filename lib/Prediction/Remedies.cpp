// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would lower the peak of the workspace.
//
// Both kinds of remedies change when buffers are live, and a sweep over the
// changed ranges gives the peak that would be left. That peak is of live bytes:
// what it takes with offsets is for the planner to say.
#include "Remedies.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cassert>
#include <fmt/ranges.h>
#include <set>

namespace gaudi::prediction {
namespace {

using recipe::items;

constexpr uint32_t none = UINT32_MAX;
/// Bounds the time of the searches; each step is a sweep over the launch.
constexpr size_t mostRecomputed = 32, mostWindows = 16;
/// Commands that one window of a split may hold.
constexpr uint32_t widestWindow = 16;

/// A range of commands in which bytes of the workspace are live.
struct Range {
  uint32_t tensor = 0;
  uint32_t first = 0, last = 0;
  uint64_t bytes = 0;
};

struct Peak {
  uint32_t command = 0;
  uint64_t bytes = 0;
};

/// The commands that use a root, in order; its only writer, if it has one.
struct Uses {
  std::vector<uint32_t> commands;
  uint32_t writer = none, lastWrite = 0;
  bool hasWriters = false; // several
};

class Search {
public:
  Search(Prediction &prediction, const recipe::Recipe &recipe,
         const Launch &launch, const std::vector<uint32_t> &roots)
      : prediction(prediction), launch(launch), roots(roots),
        tensors(items(recipe.tensors())),
        commands(items(items(recipe.entries())[launch.entry]->commands())),
        uses(tensors.size()), whole(tensors.size()), needed(tensors.size()) {
    for (uint32_t c = 0; c < commands.size(); ++c)
      addUses(c);
    for (const recipe::BufferRange &range :
         recipe::workspaceRanges(recipe, launch.entry)) {
      const uint32_t first = range.first + range.reuses;
      // What is reused and never read again is live for no command of its own.
      if (first > range.last)
        continue;
      whole[range.tensor] = ranges.size() + 1;
      ranges.push_back({range.tensor, first, range.last,
                        recipe::tensorBytes(*tensors[range.tensor])});
    }
    today = peakOf(ranges);
  }

  void run() {
    addRecompute();
    addSplit();
  }

private:
  void addUses(uint32_t c) {
    const auto touch = [&](uint32_t id) -> Uses & {
      Uses &found = uses[roots[id]];
      if (found.commands.empty() || found.commands.back() != c)
        found.commands.push_back(c);
      return found;
    };
    for (uint32_t id : items(commands[c]->inputs()))
      touch(id);
    for (uint32_t id : items(commands[c]->outputs())) {
      Uses &found = touch(id);
      found.hasWriters |= found.writer != none && found.writer != c;
      found.writer = c;
      found.lastWrite = c;
    }
  }

  Peak peakOf(const std::vector<Range> &live) const {
    std::vector<int64_t> change(commands.size() + 1, 0);
    for (const Range &range : live) {
      change[range.first] += int64_t(range.bytes);
      change[range.last + 1] -= int64_t(range.bytes);
    }
    Peak peak;
    int64_t bytes = 0;
    for (uint32_t c = 0; c < commands.size(); ++c) {
      bytes += change[c];
      assert(bytes >= 0 && "no range ends before it begins");
      if (uint64_t(bytes) > peak.bytes)
        peak = {c, uint64_t(bytes)};
    }
    return peak;
  }

  std::string labelOf(uint32_t command) const {
    const Command &given = prediction.commands[launch.first + command];
    return fmt::format("#{} {}{}{}", launch.first + command, given.name,
                       given.location.empty() ? "" : " at ", given.location);
  }

  //===--------------------------------------------------------------------===//
  // Running an op again instead of keeping its result
  //===--------------------------------------------------------------------===//

  /// The use of the range's tensor before and after a command that is none.
  struct Gap {
    uint32_t before = none, after = none;
  };
  Gap gapAt(const Range &range, uint32_t command) const {
    const std::vector<uint32_t> &at = uses[range.tensor].commands;
    const auto next = std::lower_bound(at.begin(), at.end(), command);
    if (next == at.begin() || next == at.end() || *next == command)
      return {};
    if (*(next - 1) < range.first || *next > range.last)
      return {};
    return {*(next - 1), *next};
  }

  /// Whether the bytes of an operand are at `command` still those that its
  /// reader at `reader` saw.
  bool isKept(uint32_t root, uint32_t reader, uint32_t command) const {
    if (uses[root].writer != none && uses[root].lastWrite > reader)
      return false;
    if (tensors[root]->tensor_class() != recipe::TensorClass::Workspace)
      return true;
    if (!whole[root])
      return false;
    const Range &range = ranges[whole[root] - 1];
    return range.first <= command && command <= range.last;
  }

  /// Whether the op that makes the tensor can run again right before `command`:
  /// it has no other result, and its operands are there, unchanged.
  bool canRunAgain(uint32_t tensor, uint32_t command) const {
    const Uses &own = uses[tensor];
    if (own.writer == none || own.hasWriters)
      return false;
    const recipe::Command &writer = *commands[own.writer];
    if (items(writer.outputs()).size() != 1)
      return false;
    const auto inputs = items(writer.inputs());
    for (uint32_t id : inputs)
      if (roots[id] == tensor || again.count(roots[id]) ||
          !isKept(roots[id], own.writer, command))
        return false;
    return true;
  }

  Picoseconds costOf(uint32_t command) const {
    return prediction.timeAlone(launch.first + command);
  }

  /// The range at the command whose gap frees most bytes; of those the one that
  /// takes least time. None: no range can be interrupted there.
  size_t bestGap(const std::vector<Range> &live, uint32_t command) const {
    size_t best = live.size();
    Picoseconds cost = 0;
    for (size_t i = 0; i < live.size(); ++i) {
      const Range &range = live[i];
      if (range.first > command || range.last < command ||
          (best < live.size() && range.bytes < live[best].bytes))
        continue;
      const Gap gap = gapAt(range, command);
      if (gap.after == none || needed[range.tensor] ||
          !canRunAgain(range.tensor, gap.after))
        continue;
      const Picoseconds time = costOf(uses[range.tensor].writer);
      if (best < live.size() && range.bytes == live[best].bytes && time >= cost)
        continue;
      best = i;
      cost = time;
    }
    return best;
  }

  /// Interrupts ranges at the peak, one after the other. What counts is the
  /// lowest peak on the way: the first steps may only move it.
  void addRecompute() {
    std::vector<Range> live = ranges;
    std::vector<uint32_t> writers;
    Peak peak = today;
    Remedy best;
    best.peak = today.bytes;
    Picoseconds cost = 0;
    while (writers.size() < mostRecomputed) {
      const size_t chosen = bestGap(live, peak.command);
      if (chosen == live.size())
        break;
      const Range range = live[chosen];
      const Gap gap = gapAt(range, peak.command);
      live[chosen].last = gap.before;
      live.push_back({range.tensor, gap.after, range.last, range.bytes});
      const uint32_t writer = uses[range.tensor].writer;
      again.insert(range.tensor);
      for (uint32_t id : items(commands[writer]->inputs()))
        needed[roots[id]] = true;
      writers.push_back(writer);
      cost = cost + costOf(writer);
      peak = peakOf(live);
      if (peak.bytes >= best.peak)
        continue;
      best.peak = peak.bytes;
      best.cost = cost;
      best.commands = writers;
    }
    if (best.commands.empty())
      return;
    std::vector<std::string> labels;
    constexpr size_t mostNamed = 3;
    for (size_t i = 0; i < std::min(mostNamed, best.commands.size()); ++i)
      labels.push_back(labelOf(best.commands[i]));
    if (best.commands.size() > mostNamed)
      labels.push_back(
          fmt::format("{} more", best.commands.size() - mostNamed));
    best.text =
        fmt::format("run {} again instead of keeping {} across the peak: {}",
                    countOf(best.commands.size(), "op"),
                    best.commands.size() == 1 ? "its result" : "their results",
                    fmt::join(labels, ", "));
    add(std::move(best));
  }

  //===--------------------------------------------------------------------===//
  // Computing neighbours in two parts
  //===--------------------------------------------------------------------===//

  /// Whether each use of the range is in the window.
  static bool isInside(const Range &range, uint32_t first, uint32_t last) {
    return first <= range.first && range.last <= last;
  }

  /// Halves the buffers that only a few neighbours use, for each large one at
  /// the peak with the window of its uses.
  void addSplit() {
    std::vector<const Range *> atPeak;
    for (const Range &range : ranges)
      if (range.first <= today.command && today.command <= range.last &&
          range.last > range.first && range.last - range.first < widestWindow &&
          isDivisible(range.tensor))
        atPeak.push_back(&range);
    std::sort(atPeak.begin(), atPeak.end(), [](const Range *a, const Range *b) {
      return a->bytes != b->bytes ? a->bytes > b->bytes : a->tensor < b->tensor;
    });
    atPeak.resize(std::min(atPeak.size(), mostWindows));
    Remedy best;
    best.kind = Remedy::Kind::Split;
    best.peak = today.bytes;
    std::pair<uint32_t, uint32_t> window;
    for (const Range *center : atPeak) {
      std::vector<Range> live = ranges;
      for (Range &range : live)
        if (isInside(range, center->first, center->last) &&
            isDivisible(range.tensor))
          range.bytes -= range.bytes / 2;
      const Peak peak = peakOf(live);
      if (peak.bytes >= best.peak)
        continue;
      best.peak = peak.bytes;
      window = {center->first, center->last};
    }
    if (best.peak == today.bytes)
      return;
    for (uint32_t c = window.first; c <= window.second; ++c)
      best.commands.push_back(c);
    best.text = fmt::format("compute {} to {} in two parts, one after the "
                            "other, where the model allows it",
                            labelOf(window.first), labelOf(window.second));
    add(std::move(best));
  }

  bool isDivisible(uint32_t tensor) const {
    for (int64_t size : items(tensors[tensor]->sizes()))
      if (size > 1)
        return true;
    return false;
  }

  void add(Remedy remedy) {
    assert(remedy.peak < today.bytes && "a remedy lowers the peak");
    remedy.saved = today.bytes - remedy.peak;
    for (uint32_t &command : remedy.commands)
      command += launch.first;
    prediction.remedies.push_back(std::move(remedy));
  }

  Prediction &prediction;
  const Launch &launch;
  const std::vector<uint32_t> &roots;
  recipe::Items<flatbuffers::Offset<recipe::Tensor>> tensors;
  recipe::Items<flatbuffers::Offset<recipe::Command>> commands;
  std::vector<Uses> uses;    // of roots
  std::vector<size_t> whole; // of roots: 1 + index of the range; 0: none
  std::vector<Range> ranges; // as the launch has them
  Peak today;
  std::set<uint32_t> again; // tensors that are made again
  /// Of roots: an op that runs again reads it, so that it stays whole.
  std::vector<bool> needed;
};

} // namespace

void addRemedies(Prediction &prediction, const recipe::Recipe &recipe,
                 const Launch &launch, const std::vector<uint32_t> &roots) {
  Search(prediction, recipe, launch, roots).run();
}

} // namespace gaudi::prediction
