// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --remarks prints of the remarks of passes.
#include "RemarkText.h"
#include "Console.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Cost.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using prediction::Remark;

/// What several remarks lost together, at most: losses may overlap.
struct Loss {
  int64_t picoseconds = 0, bytes = 0;

  void add(const Remark &remark) {
    picoseconds += std::max<int64_t>(0, remark.lostPicoseconds);
    bytes += std::max<int64_t>(0, remark.lostBytes);
  }
  bool isKnown() const { return picoseconds > 0 || bytes > 0; }
  /// "12.3 us", "4.00 KiB", "12.3 us and 4.00 KiB" or "".
  std::string text() const {
    std::string result;
    if (picoseconds > 0)
      result = timing::timeText(timing::Picoseconds(picoseconds));
    if (bytes > 0)
      result += (result.empty() ? "" : " and ") + humanBytes(uint64_t(bytes));
    return result;
  }
  bool operator>(const Loss &other) const {
    return std::pair(picoseconds, bytes) >
           std::pair(other.picoseconds, other.bytes);
  }
};

bool isMissed(const Remark &remark) {
  return remark.kind == "missed" || remark.kind == "failed";
}

/// Whether something was lost, as far as the pass knows.
bool costs(const Remark &remark) {
  const bool costsNothing =
      (remark.lostPicoseconds == 0 && remark.lostBytes <= 0) ||
      (remark.lostBytes == 0 && remark.lostPicoseconds <= 0);
  return isMissed(remark) && !costsNothing;
}

/// Remarks of one pass and name.
struct Group {
  std::string pass, name;
  size_t passed = 0, missed = 0, analysis = 0;
  Loss loss;
};

/// In the order in which passes first say something, then by name.
std::vector<Group> groupsOf(const std::vector<Remark> &remarks) {
  std::map<std::string, size_t> passes;
  std::map<std::pair<size_t, std::string>, Group> groups;
  for (const Remark &remark : remarks) {
    const size_t pass =
        passes.try_emplace(remark.pass, passes.size()).first->second;
    Group &group = groups[{pass, remark.name}];
    group.pass = remark.pass;
    group.name = remark.name;
    ++(isMissed(remark)          ? group.missed
       : remark.kind == "passed" ? group.passed
                                 : group.analysis);
    if (isMissed(remark))
      group.loss.add(remark);
  }
  std::vector<Group> result;
  for (auto &[key, group] : groups)
    result.push_back(std::move(group));
  return result;
}

/// Equal remarks of several places.
struct Line {
  std::vector<const Remark *> remarks;
  Loss loss; ///< of each

  const Remark &first() const { return *remarks.front(); }
  std::string place() const {
    std::string text =
        first().location.empty() ? "the model" : first().location;
    if (remarks.size() > 1)
      text += fmt::format(
          " and {}", countOf(remarks.size() - 1, "more place", "more places"));
    return text;
  }
};

/// What was missed under one name of one pass.
struct Misses {
  std::vector<Line> lines; ///< the dearest first
  size_t remarks = 0;
  Loss loss;

  /// "gaudi-fuse-tpc keep-apart"
  std::string title() const {
    return lines.front().first().pass + " " + lines.front().first().name;
  }
};

/// The dearest first.
std::vector<Misses> missesOf(const std::vector<Remark> &remarks) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, Line>>
      groups;
  for (const Remark &remark : remarks)
    if (costs(remark))
      groups[{remark.pass, remark.name}][remark.text].remarks.push_back(
          &remark);
  std::vector<Misses> result;
  for (auto &[name, lines] : groups) {
    Misses misses;
    for (auto &[text, line] : lines) {
      line.loss.add(line.first());
      for (const Remark *remark : line.remarks)
        misses.loss.add(*remark);
      misses.remarks += line.remarks.size();
      misses.lines.push_back(std::move(line));
    }
    std::sort(misses.lines.begin(), misses.lines.end(),
              [](const Line &a, const Line &b) {
                return a.loss > b.loss ||
                       (!(b.loss > a.loss) && a.first().text < b.first().text);
              });
    result.push_back(std::move(misses));
  }
  std::sort(result.begin(), result.end(), [](const Misses &a, const Misses &b) {
    return a.loss > b.loss || (!(b.loss > a.loss) && a.title() < b.title());
  });
  return result;
}

void printMissed(std::ostream &out, const std::vector<Remark> &remarks) {
  const std::vector<Misses> groups = missesOf(remarks);
  if (groups.empty()) {
    fmt::print(out, "missed: nothing of what {} say\n",
               countOf(remarks.size(), "remark"));
    return;
  }
  Loss all;
  size_t count = 0;
  for (const Misses &misses : groups) {
    count += misses.remarks;
    all.picoseconds += misses.loss.picoseconds;
    all.bytes += misses.loss.bytes;
  }
  fmt::print(
      out, "{}\n",
      heading(fmt::format("missed: {} of {}{}{}", count,
                          countOf(remarks.size(), "remark"),
                          all.isKnown() ? ", at most " : "", all.text())));
  for (const Misses &misses : groups) {
    fmt::print(out, "{}: {}{}{}\n", misses.title(), misses.remarks,
               misses.loss.isKnown() ? ", at most " : "", misses.loss.text());
    for (const Line &line : misses.lines)
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
  for (const Group &group : groupsOf(remarks)) {
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

Json toJson(const Remark &remark) {
  Json json = {{"pass", remark.pass},
               {"name", remark.name},
               {"kind", remark.kind},
               {"location", remark.location},
               {"text", remark.text}};
  if (remark.lostPicoseconds >= 0)
    json["lost_us"] = double(remark.lostPicoseconds) / 1e6;
  if (remark.lostBytes >= 0)
    json["lost_bytes"] = remark.lostBytes;
  return json;
}

} // namespace

void printRemarks(std::ostream &out, const std::vector<Remark> &remarks,
                  RemarkLevel level) {
  if (level == RemarkLevel::Missed)
    printMissed(out, remarks);
  else
    printSummary(out, remarks);
}

Json remarksJson(const std::vector<Remark> &remarks, RemarkLevel level) {
  Json json = {{"counts", Json::array()}};
  for (const Group &group : groupsOf(remarks)) {
    json["counts"].push_back({{"pass", group.pass},
                              {"name", group.name},
                              {"passed", group.passed},
                              {"missed", group.missed},
                              {"analysis", group.analysis},
                              {"lost_us", double(group.loss.picoseconds) / 1e6},
                              {"lost_bytes", group.loss.bytes}});
  }
  if (level == RemarkLevel::Missed) {
    json["missed"] = Json::array();
    for (const Misses &misses : missesOf(remarks))
      for (const Line &line : misses.lines)
        for (const Remark *remark : line.remarks)
          json["missed"].push_back(toJson(*remark));
  } else if (level == RemarkLevel::All) {
    json["all"] = Json::array();
    for (const Remark &remark : remarks)
      json["all"].push_back(toJson(remark));
  }
  return json;
}

} // namespace gaudi::run
