// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trace of launches shows, as text and as JSON.
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Timeline.h"
#include "JsonOutput.h"
#include "Sizes.h"
#include "TraceReplay.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace gaudi::run {

using Json = nlohmann::ordered_json;

/// Lines that the text has of each list.
static constexpr size_t mostLines = 20;

void Replay::printVariants() const {
  size_t unused = 0;
  for (size_t b = 0; b < hits.size(); ++b) {
    if (!hits[b].launches) {
      ++unused;
      continue;
    }
    fmt::print(std::cout, "  {}: {}, {} % padding, {}\n",
               namedSizes(buckets.names(), buckets[b]),
               countOf(hits[b].launches, "launch", "launches"),
               shapes::paddingPercent(hits[b].padded, hits[b].real),
               hits[b].compiledAt
                   ? fmt::format("compiled at line {}", hits[b].compiledAt)
               : hits[b].picoseconds < 0 ? "not predicted"
                                         : timing::timeText(timing::Picoseconds(
                                               hits[b].picoseconds)) +
                                               " each");
  }
  if (unused)
    fmt::print(std::cout, "  {} of {} never used\n", unused,
               countOf(hits.size(), "variant"));
}

void Replay::printCompilations() const {
  std::string cost;
  double spent = 0;
  for (const Compilation &each : compilations)
    spent += each.milliseconds;
  if (spent)
    cost = fmt::format(", {} of the host", timeText(spent));
  else if (variantMilliseconds && !compilations.empty())
    cost = fmt::format(
        ", about {} if each takes as long as a variant did now",
        timeText(*variantMilliseconds * double(compilations.size())));
  fmt::print(std::cout, "compiles: {}{}\n", compilations.size() + others.size(),
             cost);
  for (auto [count, symbol] : causes())
    fmt::print(std::cout, "  {} of {} because of {}\n", count,
               compilations.size() + others.size(), table.subject(symbol));
  for (size_t i = 0; i < std::min(compilations.size(), mostLines); ++i) {
    const Compilation &each = compilations[i];
    fmt::print(std::cout, "  line {}: {}; compiled {}{}, which takes {}\n",
               each.line, each.miss.reason,
               namedSizes(buckets.names(), each.miss.box),
               each.milliseconds ? " in " + timeText(each.milliseconds) : "",
               countOf(hits[each.bucket].launches, "launch", "launches"));
  }
  if (compilations.size() > mostLines)
    fmt::print(std::cout, "  ... and {} more\n",
               compilations.size() - mostLines);
  if (!compilations.empty())
    fmt::print(std::cout, "  avoided by: {}\n", avoidAll());
  for (const auto &[name, lines] : others)
    fmt::print(std::cout,
               "  line {}: the device is {}, the recipe is for {}; avoided by "
               "nothing: each device has recipes of its own\n",
               lines.front(), printable(name), device);
}

void Replay::printText() const {
  fmt::print(std::cout,
             "{} of {}: {}, {} % padding, {} of predicted device time{}\n",
             launcher ? "launches" : "shapes", inQuotes(options.shapesFrom),
             countOf(launches, "launch", "launches"),
             shapes::paddingPercent(all.padded, all.real),
             timing::timeText(timing::Picoseconds(time)),
             untimed ? fmt::format(" without {} that nobody has predicted",
                                   countOf(untimed, "launch", "launches"))
                     : std::string());
  printVariants();
  fmt::print(std::cout, "misses: {}\n", refused());
  for (const Refusal &refusal : refusals) {
    fmt::print(std::cout, "  {} ({}line {}): {}\n",
               countOf(refusal.launches, "launch", "launches"),
               refusal.launches > 1 ? "from " : "", refusal.line,
               refusal.miss.error.empty() ? refusal.miss.reason
                                          : refusal.miss.error);
    fmt::print(std::cout, "    avoided by: {}\n", avoidedBy(refusal));
  }
  if (mayCompile || !others.empty())
    printCompilations();
  if (!columns.ignored.empty())
    fmt::print(std::cout,
               "note: the model has no size or input of the name {}\n",
               printable(fmt::format("{}", fmt::join(columns.ignored, ", "))));
}

void Replay::printJson() const {
  Json json = {{"trace", options.shapesFrom},
               {"launches", launches},
               {"padding_percent", all.padding()},
               {"device_us", time / 1e6},
               {"misses", refused()},
               {"variants", Json::array()},
               {"reasons", Json::array()},
               {"compiles", Json::array()}};
  for (size_t b = 0; b < hits.size(); ++b) {
    Json variant = {{"sizes", buckets[b]},
                    {"launches", hits[b].launches},
                    {"padding_percent", hits[b].padding()}};
    if (hits[b].picoseconds >= 0)
      variant["device_us"] = double(hits[b].picoseconds) / 1e6;
    if (hits[b].compiledAt)
      variant["compiled_at_line"] = hits[b].compiledAt;
    json["variants"].push_back(std::move(variant));
  }
  for (const Refusal &refusal : refusals)
    json["reasons"].push_back(
        {{"launches", refusal.launches},
         {"line", refusal.line},
         {"reason", refusal.miss.error.empty() ? refusal.miss.reason
                                               : refusal.miss.error},
         {"nearest", refusal.miss.box},
         {"avoided_by", avoidedBy(refusal)}});
  for (const Compilation &each : compilations) {
    Json compilation = {{"line", each.line},
                        {"cause", "dimension"},
                        {"subject", table.subject(each.miss.symbol)},
                        {"reason", each.miss.reason},
                        {"variant", each.miss.box},
                        {"launches", hits[each.bucket].launches},
                        {"avoided_by", each.miss.avoidedBy}};
    if (launcher)
      compilation["host_ms"] = each.milliseconds;
    json["compiles"].push_back(std::move(compilation));
  }
  for (const auto &[name, lines] : others)
    json["compiles"].push_back(
        {{"line", lines.front()},
         {"cause", "device"},
         {"subject", "the device"},
         {"reason",
          fmt::format("the device is {}, the recipe is for {}", name, device)},
         {"avoided_by", "nothing: each device has recipes of its own"}});
  if (!compilations.empty())
    json["avoided_by"] = avoidAll();
  if (variantMilliseconds && !launcher)
    json["predicted_compile_host_ms"] =
        *variantMilliseconds * double(compilations.size());
  printJsonObject("replay", json);
}

} // namespace gaudi::run
