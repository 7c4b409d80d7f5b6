// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice on commands that compute nothing, and on those that memory or the
// library decides: movements, gathers, library kernels.
#include "AdviceCandidates.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace gaudi::prediction {

using timing::FillWork;
using timing::KernelWork;
using timing::LibraryWork;
using timing::Picoseconds;
using timing::timeText;
using timing::TransferWork;
using timing::Work;

namespace {

bool isGather(const Work &work) {
  const auto *kernel = std::get_if<KernelWork>(&work);
  return kernel &&
         std::any_of(kernel->accesses.begin(), kernel->accesses.end(),
                     [](const auto &access) { return access.indexed != 0; });
}

bool isMovement(const Work &work) {
  if (std::holds_alternative<TransferWork>(work) ||
      std::holds_alternative<FillWork>(work))
    return true;
  const auto *kernel = std::get_if<KernelWork>(&work);
  return kernel && !isGather(work) &&
         std::all_of(kernel->blocks.begin(), kernel->blocks.end(),
                     [](const timing::KernelBlock &block) {
                       return block.operations + block.reductions == 0;
                     });
}

using Groups = std::vector<const Group *>;

/// The groups that each deserve a candidate of their own, and the others
/// together by name; names with little at stake together, too.
std::vector<Groups> joined(const Search &search,
                           const std::function<bool(const Work &)> &matches) {
  std::vector<Groups> result;
  std::map<std::string_view, Groups> small;
  for (const Group &group : search.groups()) {
    if (!matches(search.prediction.commands[group.commands.front()].work))
      continue;
    if (search.total(group) >= search.least())
      result.push_back({&group});
    else
      small[group.name].push_back(&group);
  }
  Groups rest;
  for (auto &[name, groups] : small) {
    Picoseconds total = 0;
    for (const Group *group : groups)
      total += search.total(*group);
    if (total >= search.least())
      result.push_back(std::move(groups));
    else
      rest.insert(rest.end(), groups.begin(), groups.end());
  }
  if (!rest.empty())
    result.push_back(std::move(rest));
  return result;
}

/// "in 2x64xf32, out 2x32xf32"; the inner ones of many are left out.
std::string operandsText(const Command &command) {
  const std::vector<std::string> &operands = command.operands;
  if (operands.size() <= 3)
    return fmt::format("{}", fmt::join(operands, ", "));
  return fmt::format("{}, {}, ..., {}", operands[0], operands[1],
                     operands.back());
}

/// A candidate that removes the commands of some groups. Its text names the
/// sizes of the first.
Candidate removal(const Search &search, AdviceKind kind, const Groups &groups) {
  Candidate candidate;
  candidate.kind = kind;
  for (const Group *group : groups)
    search.remove(candidate, *group);
  std::sort(candidate.removed.begin(), candidate.removed.end());
  const Command &first =
      search.prediction.commands[groups.front()->commands.front()];
  size_t critical = 0;
  for (uint32_t command : candidate.removed)
    critical += search.prediction.timeline.spans[command].isCritical;
  candidate.text = fmt::format(
      "{} with {}{}: {} alone, {} on the critical path.",
      countOf(candidate.removed.size(), "command"), operandsText(first),
      groups.size() == 1
          ? ""
          : fmt::format(" and {}", countOf(groups.size() - 1, "other size")),
      timeText(candidate.estimate), critical);
  return candidate;
}

/// The names of groups: "2 x dma.copy", "5 x tpc.fill and others".
std::string namesText(const Candidate &candidate, const Groups &groups) {
  const bool isOne =
      std::all_of(groups.begin(), groups.end(), [&](const Group *group) {
        return group->name == groups[0]->name;
      });
  return isOne
             ? fmt::format("{} x {}", candidate.removed.size(), groups[0]->name)
             : fmt::format("{} (as {})",
                           countOf(candidate.removed.size(), "movement"),
                           groups[0]->name);
}

} // namespace

void adviseMovements(Search &search) {
  for (const Groups &groups : joined(search, isMovement)) {
    Candidate candidate = removal(search, AdviceKind::Movement, groups);
    candidate.title = fmt::format("Avoid {}", namesText(candidate, groups));
    // The remark of the first command that has one.
    for (const Group *group : groups)
      if (const Remark *remark = search.explain(
              group->commands.front(), {"absorb", "transpose", "copied", "copy",
                                        "layout", "alias", "fill"})) {
        candidate.text += fmt::format(" Why it is there ({}): {}.",
                                      remark->pass, remark->text);
        break;
      }
    search.candidates.push_back(std::move(candidate));
  }
}

void adviseLibrary(Search &search) {
  for (const Groups &groups : joined(search, isGather)) {
    Candidate candidate = removal(search, AdviceKind::Gather, groups);
    candidate.title =
        fmt::format("Look up before the launches, or use longer rows: {}",
                    namesText(candidate, groups));
    candidate.text += fmt::format(
        " Memory moves at least {} bytes for each row that is looked up. The "
        "gain is all of their time, as if constant indices were looked up "
        "before.",
        search.spec.memory.cacheLineBytes);
    search.candidates.push_back(std::move(candidate));
  }
  const auto isLibrary = [](const Work &work) {
    const auto *library = std::get_if<LibraryWork>(&work);
    return library && !library->operands.empty(); // not the host's launch
  };
  for (const Groups &groups : joined(search, isLibrary)) {
    Candidate candidate = removal(search, AdviceKind::Library, groups);
    candidate.title = fmt::format("Do without {}, or with fewer elements",
                                  namesText(candidate, groups));
    const auto &work = std::get<LibraryWork>(
        search.prediction.commands[groups[0]->commands.front()].work);
    candidate.text +=
        fmt::format(" {} ({}). The gain is all of their time.", work.name,
                    timing::explain(work, search.spec));
    search.candidates.push_back(std::move(candidate));
  }
}

} // namespace gaudi::prediction
