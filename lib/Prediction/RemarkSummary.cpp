// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks of passes by what they are about, and what was lost.
#include "Gaudi/Prediction/RemarkSummary.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Cost.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gaudi::prediction {

using Json = nlohmann::ordered_json;

void RemarkLoss::add(const Remark &remark) {
  picoseconds += std::max<int64_t>(0, remark.lostPicoseconds);
  bytes += std::max<int64_t>(0, remark.lostBytes);
}

std::string RemarkLoss::text() const {
  std::string result;
  if (picoseconds > 0)
    result = timing::timeText(timing::Picoseconds(picoseconds));
  if (bytes > 0)
    result += (result.empty() ? "" : " and ") + humanBytes(uint64_t(bytes));
  return result;
}

std::string LostLine::place() const {
  std::string text = first().location.empty() ? "the model" : first().location;
  if (remarks.size() > 1)
    text += fmt::format(
        " and {}", countOf(remarks.size() - 1, "more place", "more places"));
  return text;
}

static bool isDearer(const RemarkLoss &a, const RemarkLoss &b) {
  return std::pair(a.picoseconds, a.bytes) > std::pair(b.picoseconds, b.bytes);
}

static bool isMissed(const Remark &remark) {
  return remark.kind == "missed" || remark.kind == "failed";
}

/// Whether something was lost, as far as the pass knows.
static bool costs(const Remark &remark) {
  const bool costsNothing =
      (remark.lostPicoseconds == 0 && remark.lostBytes <= 0) ||
      (remark.lostBytes == 0 && remark.lostPicoseconds <= 0);
  return isMissed(remark) && !costsNothing;
}

std::vector<RemarkCount> countsOf(const std::vector<Remark> &remarks) {
  std::map<std::string, size_t> passes;
  std::map<std::pair<size_t, std::string>, RemarkCount> groups;
  for (const Remark &remark : remarks) {
    const size_t pass =
        passes.try_emplace(remark.pass, passes.size()).first->second;
    RemarkCount &group = groups[{pass, remark.name}];
    group.pass = remark.pass;
    group.name = remark.name;
    ++(isMissed(remark)          ? group.missed
       : remark.kind == "passed" ? group.passed
                                 : group.analysis);
    if (isMissed(remark))
      group.loss.add(remark);
  }
  std::vector<RemarkCount> result;
  for (auto &[key, group] : groups)
    result.push_back(std::move(group));
  return result;
}

std::vector<LostGroup> lostOf(const std::vector<Remark> &remarks) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, LostLine>>
      groups;
  for (const Remark &remark : remarks)
    if (costs(remark))
      groups[{remark.pass, remark.name}][remark.text].remarks.push_back(
          &remark);
  std::vector<LostGroup> result;
  for (auto &[name, lines] : groups) {
    LostGroup misses;
    for (auto &[text, line] : lines) {
      line.loss.add(line.first());
      for (const Remark *remark : line.remarks)
        misses.loss.add(*remark);
      misses.remarks += line.remarks.size();
      misses.lines.push_back(std::move(line));
    }
    std::sort(misses.lines.begin(), misses.lines.end(),
              [](const LostLine &a, const LostLine &b) {
                return isDearer(a.loss, b.loss) ||
                       (!(isDearer(b.loss, a.loss)) &&
                        a.first().text < b.first().text);
              });
    result.push_back(std::move(misses));
  }
  std::sort(result.begin(), result.end(),
            [](const LostGroup &a, const LostGroup &b) {
              return isDearer(a.loss, b.loss) ||
                     (!(isDearer(b.loss, a.loss)) && a.title() < b.title());
            });
  return result;
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

Json toJson(const std::vector<RemarkCount> &counts) {
  Json json = Json::array();
  for (const RemarkCount &group : counts)
    json.push_back({{"pass", group.pass},
                    {"name", group.name},
                    {"passed", group.passed},
                    {"missed", group.missed},
                    {"analysis", group.analysis},
                    {"lost_us", double(group.loss.picoseconds) / 1e6},
                    {"lost_bytes", group.loss.bytes}});
  return json;
}

} // namespace gaudi::prediction
