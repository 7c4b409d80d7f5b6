// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory as text: what fills it, what aliases saved, what would help.
#include "MemoryText.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <fmt/ostream.h>

namespace gaudi::run {
namespace {

using prediction::MemoryPlan;
using prediction::Prediction;

std::string placeText(std::string_view location) {
  return location.empty() ? "" : fmt::format(" at {}", printable(location));
}

std::string commandText(const Prediction &prediction, uint32_t index) {
  const prediction::Command &command = prediction.commands[index];
  return fmt::format("#{} {}{}", index, printable(command.name),
                     placeText(command.location));
}

void printPeak(std::ostream &out, const Prediction &prediction, size_t limit) {
  const prediction::PeakMoment &peak = prediction.peak;
  if (!peak.exists)
    return;
  fmt::print(out, "largest buffers alive at the peak: {} of workspace at {}\n",
             humanBytes(peak.live), commandText(prediction, peak.command));
  // Weights hide what the launch itself needs: half of the lines are for it.
  size_t left[2] = {limit / 2, limit - limit / 2}, rest = 0;
  uint64_t restBytes = 0;
  for (const prediction::LiveBuffer &buffer : peak.buffers) {
    if (size_t &lines = left[buffer.kind == "workspace"]; lines == 0) {
      ++rest;
      restBytes += buffer.bytes;
      continue;
    } else {
      --lines;
    }
    fmt::print(
        out, "  {:>8}  {} {}{}{}{}\n", humanBytes(buffer.bytes), buffer.kind,
        buffer.name.empty() ? "" : inQuotes(buffer.name) + " ", buffer.type,
        buffer.op.empty() ? "" : " of " + printable(buffer.op),
        placeText(buffer.location));
  }
  if (rest)
    fmt::print(out, "  {:>8}  in {} more\n", humanBytes(restBytes), rest);
}

void printPlan(std::ostream &out, const MemoryPlan &plan) {
  const std::string line = plan.peaks.line();
  fmt::print(out, "memory plan of {}{}{}\n", inQuotes(plan.entry),
             line.empty() ? "" : ": ", line);
  for (unsigned k = 0; k < memoryKindCount; ++k)
    if (plan.sums[k].count)
      fmt::print(out, "  {}\n", plan.sums[k].line(MemoryKind(k)));
  constexpr size_t most = 5;
  for (const MemoryPlan::Entry *entry : plan.largest(MemoryKind::Copy, most)) {
    fmt::print(out, "  copy of {} in {}: {}{}\n",
               humanBytes(uint64_t(std::max<int64_t>(entry->bytes, 0))),
               timing::timeText(entry->picoseconds), printable(entry->name),
               placeText(entry->location));
    std::string why;
    if (!entry->reader.empty())
      why = fmt::format("{}{}", printable(entry->reader),
                        placeText(entry->readerLocation));
    for (const auto &[text, separator] :
         {std::pair(&entry->reason, " "), std::pair(&entry->remedy, "; ")})
      if (!text->empty())
        why += (why.empty() ? "" : separator) + printable(*text);
    if (!why.empty())
      fmt::print(out, "    {}\n", why);
  }
  for (const MemoryPlan::Entry *entry :
       plan.largest(MemoryKind::Recompute, most))
    fmt::print(out, "  runs again: {}{}, frees {} in {}\n",
               printable(entry->name), placeText(entry->location),
               humanBytes(uint64_t(std::max<int64_t>(entry->bytes, 0))),
               timing::timeText(entry->picoseconds));
}

void printRemedies(std::ostream &out, const Prediction &prediction) {
  if (prediction.remedies.empty())
    return;
  fmt::print(out, "what would lower the peak of the workspace\n");
  for (const prediction::Remedy &remedy : prediction.remedies)
    fmt::print(out, "  {}: {} live instead of {}{}\n", printable(remedy.text),
               humanBytes(remedy.peak), humanBytes(prediction.peak.live),
               remedy.cost
                   ? fmt::format(", costs {}", timing::timeText(remedy.cost))
                   : "");
}

} // namespace

void printMemoryPlan(std::ostream &out, const Prediction &prediction,
                     size_t buffers) {
  printPeak(out, prediction, buffers);
  for (const MemoryPlan &plan : prediction.plans)
    printPlan(out, plan);
  printRemedies(out, prediction);
}

} // namespace gaudi::run
