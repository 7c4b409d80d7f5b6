// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice on TPC kernels: short ones in chains, rows that fill vectors in part.
#include "AdviceCandidates.h"
#include "Rework.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_set>

namespace gaudi::prediction {

using timing::Cost;
using timing::KernelWork;
using timing::Picoseconds;
using timing::timeText;

namespace {

/// Starting and ending it takes longer than its work. What runs in slices
/// overlaps with its neighbours instead.
bool isShort(const Search &search, uint32_t command) {
  const Cost &cost = search.cost(command);
  return search.prediction.tasks[command].maxSlices <= 1 &&
         std::holds_alternative<KernelWork>(
             search.prediction.commands[command].work) &&
         cost.launch + cost.fill + cost.drain >
             std::max({cost.compute, cost.read, cost.write});
}

using Chain = std::vector<uint32_t>;

/// Whether the second may read what the first wrote: a dependency may also
/// come from a buffer that is used again.
bool mayRead(const Search &search, uint32_t writer, uint32_t reader) {
  const auto &from =
      std::get<KernelWork>(search.prediction.commands[writer].work);
  const auto &to =
      std::get<KernelWork>(search.prediction.commands[reader].work);
  for (size_t o = from.inputs; o < from.operands.size(); ++o)
    for (size_t i = 0; i < to.inputs; ++i)
      if (from.operands[o].type == to.operands[i].type &&
          from.operands[o].bytes() == to.operands[i].bytes())
        return true;
  return false;
}

/// Builds chains of short kernels, each of which reads what the one before it
/// wrote, and which one kernel can replace.
class Chains {
public:
  explicit Chains(const Search &search)
      : search(search), chainOf(search.prediction.tasks.size(), -1) {}

  std::vector<Chain> run() {
    for (uint32_t i = 0; i < chainOf.size(); ++i)
      if (isShort(search, i))
        add(i);
    return std::move(chains);
  }

private:
  const std::vector<timing::Dependency> &waitsFor(uint32_t command) const {
    return search.prediction.tasks[command].dependencies;
  }

  void add(uint32_t command) {
    int64_t best = -1;
    for (const timing::Dependency &dependency : waitsFor(command)) {
      const int64_t chain = chainOf[dependency.task];
      if (chain < 0 || chains[size_t(chain)].back() != dependency.task ||
          !mayRead(search, dependency.task, command) ||
          !isLegal(chain, command))
        continue;
      if (best < 0 ||
          chains[size_t(chain)].back() > chains[size_t(best)].back())
        best = chain;
    }
    if (best < 0) {
      best = int64_t(chains.size());
      chains.emplace_back();
    }
    chains[size_t(best)].push_back(command);
    chainOf[command] = best;
  }

  /// One kernel would wait for itself if the command waited for another one
  /// that waits for the chain. Looks at 256 commands at most, else says no.
  bool isLegal(int64_t chain, uint32_t command) const {
    constexpr size_t mostVisited = 256;
    const uint32_t head = chains[size_t(chain)].front();
    std::vector<uint32_t> stack;
    std::unordered_set<uint32_t> seen;
    const auto visit = [&](uint32_t other) {
      // What comes before the head does not wait for the chain.
      if (other > head && seen.insert(other).second)
        stack.push_back(other);
    };
    for (const timing::Dependency &dependency : waitsFor(command))
      if (chainOf[dependency.task] != chain)
        visit(dependency.task);
    while (!stack.empty()) {
      if (seen.size() > mostVisited)
        return false;
      const uint32_t other = stack.back();
      stack.pop_back();
      for (const timing::Dependency &dependency : waitsFor(other)) {
        if (chainOf[dependency.task] == chain)
          return false;
        visit(dependency.task);
      }
    }
    return true;
  }

  const Search &search;
  std::vector<int64_t> chainOf; // of each command; -1: none
  std::vector<Chain> chains;
};

/// One kernel does the work of all: it starts and ends once.
void fuse(const Search &search, const Chain &chain, Candidate &candidate) {
  for (size_t i = 0; i < chain.size(); ++i) {
    Cost cost = search.cost(chain[i]);
    const Picoseconds before = cost.total();
    if (i > 0)
      cost.launch = cost.fill = 0;
    if (i + 1 < chain.size())
      cost.drain = 0;
    candidate.costs.emplace_back(chain[i], cost);
    candidate.commands.push_back(chain[i]);
    candidate.estimate += before - cost.total();
  }
}

Candidate fused(const Search &search,
                const std::vector<const Chain *> &chains) {
  Candidate candidate;
  candidate.kind = AdviceKind::Fuse;
  Picoseconds work = 0, all = 0;
  for (const Chain *chain : chains)
    fuse(search, *chain, candidate);
  for (uint32_t command : candidate.commands) {
    const Cost &cost = search.cost(command);
    work += std::max({cost.compute, cost.read, cost.write});
    all += cost.total();
  }
  candidate.title = fmt::format(
      "Fuse {} in {}", countOf(candidate.commands.size(), "short kernel"),
      countOf(chains.size(), "chain"));
  std::string names;
  constexpr size_t shown = 6;
  for (size_t i = 0; i < std::min(shown, chains[0]->size()); ++i)
    names += fmt::format("{}{}", i > 0 ? ", " : "",
                         search.prediction.commands[(*chains[0])[i]].name);
  candidate.text = fmt::format(
      "{}{} take {} of which {} are work; the rest is command overhead.", names,
      chains[0]->size() > shown ? ", ..." : "", timeText(all), timeText(work));
  for (uint32_t command : candidate.commands)
    if (const Remark *remark =
            search.explain(command, {"not fused", "cannot be fused"})) {
      candidate.text += fmt::format(" Why they are apart ({}): {}.",
                                    remark->pass, remark->text);
      break;
    }
  return candidate;
}

} // namespace

void adviseFusion(Search &search) {
  const std::vector<Chain> chains = Chains(search).run();
  // Repeated layers have chains of equal names.
  std::map<std::vector<std::string_view>, std::vector<const Chain *>> patterns;
  for (const Chain &chain : chains) {
    if (chain.size() < 2)
      continue;
    std::vector<std::string_view> pattern;
    for (uint32_t command : chain)
      pattern.push_back(search.prediction.commands[command].name);
    patterns[pattern].push_back(&chain);
  }
  std::vector<const Chain *> small;
  for (const auto &[pattern, equal] : patterns) {
    Candidate candidate = fused(search, equal);
    if (candidate.estimate >= search.least())
      search.candidates.push_back(std::move(candidate));
    else
      small.insert(small.end(), equal.begin(), equal.end());
  }
  if (!small.empty())
    search.candidates.push_back(fused(search, small));
}

void adviseRows(Search &search) {
  const int64_t vector = search.spec.tpc.vectorBytes;
  const int64_t line = int64_t(search.spec.memory.cacheLineBytes);
  for (const Group &group : search.groups()) {
    const Command &command = search.prediction.commands[group.commands.front()];
    const std::optional<Rows> rows = rowsOf(command.work);
    if (!rows || 2 * search.total(group) < search.least())
      continue;
    const bool isKernel = std::holds_alternative<KernelWork>(command.work);
    const int64_t unit = isKernel ? std::max(vector, line) : line;
    const int64_t bytes = rows->elements * rows->bytes;
    const int64_t full = (bytes + unit - 1) / unit * unit;
    // Nearly full rows lose less than a tenth.
    if (bytes == 0 || (10 * bytes >= 9 * full && !rows->isGapped))
      continue;
    const int64_t elements = full / rows->bytes;
    const timing::Work other = withRows(command.work, elements);
    const Cost changed = search.costWith(group.commands.front(), other);
    if (changed.total() >= search.cost(group.commands.front()).total())
      continue;
    Candidate candidate;
    candidate.kind = AdviceKind::Rows;
    candidate.rework = [elements](uint32_t, const timing::Work &work) {
      return withRows(work, elements);
    };
    search.rework(candidate, group);
    candidate.title = fmt::format(
        "Use rows of {} instead of {} elements in {} x {}", elements,
        rows->elements, group.commands.size(), command.name);
    candidate.text = fmt::format(
        "Rows of {} bytes{} fill {:.0f} % of {} of {} bytes. As many elements "
        "in dense rows of {} take {} instead of {}: {} instead of {}.",
        bytes, rows->isGapped ? ", which are not contiguous," : "",
        100.0 * double(bytes) / double(full), isKernel ? "vectors" : "lines",
        unit, elements, timeText(changed.total()),
        timeText(search.cost(group.commands.front()).total()),
        timing::nameOf(changed.bound),
        timing::nameOf(search.cost(group.commands.front()).bound));
    if (bytes < line)
      candidate.text += " Rows below a memory line make each access move "
                        "bytes that nobody asked for.";
    search.candidates.push_back(std::move(candidate));
  }
}

} // namespace gaudi::prediction
