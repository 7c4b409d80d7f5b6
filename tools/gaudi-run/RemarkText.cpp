// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --remarks prints of the remarks of passes.
#include "RemarkText.h"
#include "Console.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Cost.h"

#include <fmt/ostream.h>

namespace gaudi::run {
namespace {

using prediction::LostGroup;
using prediction::LostLine;
using prediction::Remark;
using prediction::RemarkCount;
using prediction::RemarkLoss;

void printMissed(std::ostream &out, const std::vector<Remark> &remarks) {
  const std::vector<LostGroup> groups = prediction::lostOf(remarks);
  if (groups.empty()) {
    fmt::print(out, "missed: nothing of what {} say\n",
               countOf(remarks.size(), "remark"));
    return;
  }
  RemarkLoss all;
  size_t count = 0;
  for (const LostGroup &misses : groups) {
    count += misses.remarks;
    all.picoseconds += misses.loss.picoseconds;
    all.bytes += misses.loss.bytes;
  }
  fmt::print(
      out, "{}\n",
      heading(fmt::format("missed: {} of {}{}{}", count,
                          countOf(remarks.size(), "remark"),
                          all.isKnown() ? ", at most " : "", all.text())));
  for (const LostGroup &misses : groups) {
    fmt::print(out, "{}: {}{}{}\n", misses.title(), misses.remarks,
               misses.loss.isKnown() ? ", at most " : "", misses.loss.text());
    for (const LostLine &line : misses.lines)
      fmt::print(out, "  {:>9}  {}: {}\n", line.loss.text(), line.place(),
                 line.first().text);
  }
}

void printSummary(std::ostream &out, const std::vector<Remark> &remarks) {
  fmt::print(out, "{}\n", heading(countOf(remarks.size(), "remark")));
  if (remarks.empty())
    return;
  fmt::print(out, "  {:<30}{:<22}{:>8}{:>8}{:>10}  {}\n", "pass", "remark",
             "passed", "missed", "analysis", "lost at most");
  const auto number = [](size_t count) {
    return count ? std::to_string(count) : std::string();
  };
  std::string previous;
  for (const RemarkCount &group : prediction::countsOf(remarks)) {
    std::string line =
        fmt::format("  {:<30}{:<22}{:>8}{:>8}{:>10}  {}",
                    group.pass == previous ? std::string() : group.pass,
                    group.name, number(group.passed), number(group.missed),
                    number(group.analysis), group.loss.text());
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print(out, "{}\n", line);
    previous = group.pass;
  }
  fmt::print(out, "--remarks=missed lists what was lost, --remarks=all all of "
                  "them with the lines of the model\n");
}

} // namespace

void printRemarks(std::ostream &out, const std::vector<Remark> &remarks,
                  RemarkLevel level) {
  if (level == RemarkLevel::Missed)
    printMissed(out, remarks);
  else
    printSummary(out, remarks);
}

} // namespace gaudi::run
