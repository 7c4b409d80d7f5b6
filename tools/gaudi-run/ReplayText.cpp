// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trace of launches shows, as text.
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Timeline.h"
#include "Replay.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <iostream>

namespace gaudi::run {

using analysis::SignatureReport;
using analysis::TraceReport;

/// Lines that the text has of each list.
static constexpr size_t mostLines = 20;

static void printVariants(const TraceReport &report) {
  size_t unused = 0;
  for (size_t b = 0; b < report.hits.size(); ++b) {
    const TraceReport::Hits &hits = report.hits[b];
    if (!hits.launches) {
      ++unused;
      continue;
    }
    fmt::print(std::cout, "  {}: {}, {} % padding, {}\n",
               analysis::namedSizes(report.symbols, report.buckets[b]),
               countOf(hits.launches, "launch", "launches"),
               shapes::paddingPercent(hits.padded, hits.real),
               hits.compiledAt
                   ? fmt::format("compiled at line {}", hits.compiledAt)
               : hits.picoseconds < 0
                   ? "not predicted"
                   : timing::timeText(timing::Picoseconds(hits.picoseconds)) +
                         " each");
  }
  if (unused)
    fmt::print(std::cout, "  {} of {} never used\n", unused,
               countOf(report.hits.size(), "variant"));
}

static void printCompilations(const TraceReport &report) {
  const auto &compilations = report.compilations;
  const size_t count = compilations.size() + report.others.size();
  std::string cost;
  double spent = 0;
  for (const TraceReport::Compilation &each : compilations)
    spent += each.milliseconds;
  if (spent)
    cost = fmt::format(", {} of the host", timeText(spent));
  else if (report.variantMilliseconds && !compilations.empty())
    cost = fmt::format(", about {} if each takes as long as a variant did now",
                       timeText(*report.predictedMilliseconds()));
  fmt::print(std::cout, "compiles: {}{}\n", count, cost);
  for (const TraceReport::Cause &cause : report.causes)
    fmt::print(std::cout, "  {} of {} because of {}\n", cause.compilations,
               count, cause.subject);
  for (size_t i = 0; i < std::min(compilations.size(), mostLines); ++i) {
    const TraceReport::Compilation &each = compilations[i];
    fmt::print(
        std::cout, "  line {}: {}; compiled {}{}, which takes {}\n", each.line,
        each.reason,
        analysis::namedSizes(report.symbols, report.buckets[each.bucket]),
        each.milliseconds ? " in " + timeText(each.milliseconds) : "",
        countOf(report.hits[each.bucket].launches, "launch", "launches"));
  }
  if (compilations.size() > mostLines)
    fmt::print(std::cout, "  ... and {} more\n",
               compilations.size() - mostLines);
  if (!compilations.empty())
    fmt::print(std::cout, "  avoided by: {}\n", report.avoidedBy);
  for (const TraceReport::OtherDevice &other : report.others)
    fmt::print(std::cout,
               "  line {}: the device is {}, the recipe is for {}; avoided by "
               "nothing: each device has recipes of its own\n",
               other.line, printable(other.name), report.device);
}

void printReport(const TraceReport &report) {
  fmt::print(std::cout,
             "{} of {}: {}, {} % padding, {} of predicted device time{}\n",
             report.isLaunched ? "launches" : "shapes", inQuotes(report.trace),
             countOf(report.launches, "launch", "launches"),
             shapes::paddingPercent(report.all.padded, report.all.real),
             timing::timeText(timing::Picoseconds(report.picoseconds)),
             report.untimed
                 ? fmt::format(" without {} that nobody has predicted",
                               countOf(report.untimed, "launch", "launches"))
                 : std::string());
  printVariants(report);
  if (!report.lessPadding.empty())
    fmt::print(std::cout, "padding is avoided by: {}\n", report.lessPadding);
  fmt::print(std::cout, "misses: {}\n", report.refused());
  for (const TraceReport::Refusal &refusal : report.refusals) {
    fmt::print(std::cout, "  {} ({}line {}): {}\n",
               countOf(refusal.launches, "launch", "launches"),
               refusal.launches > 1 ? "from " : "", refusal.line,
               refusal.reason);
    fmt::print(std::cout, "    avoided by: {}\n", refusal.avoidedBy);
  }
  if (report.mayCompile || !report.others.empty())
    printCompilations(report);
  if (!report.ignored.empty())
    fmt::print(std::cout,
               "note: the model has no size or input of the name {}\n",
               printable(fmt::format("{}", fmt::join(report.ignored, ", "))));
}

void printReport(const SignatureReport &report) {
  const size_t compiles = report.compilations.size();
  fmt::print(std::cout, "shapes of {}: {}, {} besides the model's own\n",
             inQuotes(report.trace),
             countOf(report.launches, "launch", "launches"),
             countOf(compiles, "signature"));
  fmt::print(std::cout, "compiles: {}\n", compiles);
  for (const SignatureReport::Cause &cause : report.causes) {
    std::string sizes;
    if (!cause.sizes.empty())
      sizes = fmt::format(", {} sizes from {} to {}", cause.sizes.size(),
                          *cause.sizes.begin(), *cause.sizes.rbegin());
    fmt::print(std::cout, "  {} of {} because of {}{}; for {}\n",
               cause.compilations, compiles, cause.subject, sizes,
               countOf(cause.launches, "launch", "launches"));
    fmt::print(std::cout, "    avoided by: {}\n", cause.avoidedBy);
  }
  for (size_t i = 0; i < std::min(compiles, mostLines); ++i) {
    const SignatureReport::Compilation &each = report.compilations[i];
    fmt::print(std::cout, "  line {}: {} ({}){}; for {}\n", each.line,
               each.reason.text(),
               each.comparedWith ? fmt::format("line {}", each.comparedWith)
                                 : "the model",
               each.otherDifferences ? " and " + countOf(each.otherDifferences,
                                                         "other difference")
                                     : "",
               countOf(each.launches, "launch", "launches"));
  }
  if (compiles > mostLines)
    fmt::print(std::cout, "  ... and {} more\n", compiles - mostLines);
  if (!report.unknown.empty())
    fmt::print(std::cout,
               "note: {} {} neither input nor constant of the model; each "
               "value counts as a signature of its own\n",
               printable(fmt::format("{}", fmt::join(report.unknown, ", "))),
               report.unknown.size() == 1 ? "is" : "are");
}

} // namespace gaudi::run
