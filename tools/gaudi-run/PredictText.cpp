// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predictions as text.
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Predict.h"

#include <algorithm>
#include <fmt/ostream.h>

namespace gaudi::run {
namespace {

using prediction::Prediction;
using timing::Picoseconds;
using timing::Queue;
using timing::queueCount;

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string memoryVerdict(const Prediction &prediction) {
  const uint64_t needed = prediction.memoryNeeded();
  return prediction.fits()
             ? "fits"
             : fmt::format("does not fit by {}",
                           humanBytes(needed - prediction.capacity));
}

void printEngines(std::ostream &out, const Prediction &prediction) {
  if (prediction.commands.empty())
    return;
  fmt::print(out, "engines (share of the launch in which they work)\n");
  for (unsigned q = 0; q < queueCount; ++q) {
    const timing::QueueTime &queue = prediction.timeline.queues[q];
    if (!queue.tasks)
      continue;
    fmt::print(out, "  {:<5} {:>6} {:<8}  {:>7}  busy {:>8}  alone {:>8}\n",
               nameOf(Queue(q)), queue.tasks,
               queue.tasks == 1 ? "command" : "commands",
               percent(prediction.shareOf(Queue(q))),
               timing::timeText(queue.busy), timing::timeText(queue.exposed));
  }
}

/// What its time comes from; beside it the time that its work takes alone where
/// the span is another one, and why.
std::string boundText(const Prediction &prediction, uint32_t c) {
  const timing::Span &span = prediction.timeline.spans[c];
  const Picoseconds time = span.end - span.start;
  const Picoseconds alone = prediction.timeAlone(c);
  std::string text(nameOf(span.bound));
  if (span.slices > 1)
    text += fmt::format(", {} slices through SRAM", span.slices);
  if (time > alone + alone / 20)
    text += fmt::format(", alone {}: {}", timing::timeText(alone),
                        span.slices > 1 ? "waits for other slices"
                                        : "shares bandwidth");
  return text;
}

void printLongest(std::ostream &out, const Prediction &prediction) {
  const auto groups = prediction.mostExpensive(10);
  if (groups.empty())
    return;
  fmt::print(out, "most expensive commands\n");
  for (const prediction::CommandGroup &group : groups) {
    const uint32_t c = group.commands[0];
    const prediction::Command &command = prediction.commands[c];
    const timing::Span &span = prediction.timeline.spans[c];
    fmt::print(out, "  {:>8}  #{} {}{}{} ({})\n", timing::timeText(group.time),
               c, printable(command.name),
               command.location.empty() ? "" : " at ",
               printable(command.location), boundText(prediction, c));
    if (group.commands.size() > 1)
      fmt::print(out, "            with {} like it; this one {}\n",
                 group.commands.size() - 1,
                 timing::timeText(span.end - span.start));
    fmt::print(out, "            {}\n",
               printable(prediction::explain(prediction, c)));
  }
}

/// Names and places come from files.
std::vector<prediction::Advice>
printableAdvice(std::vector<prediction::Advice> advice) {
  for (prediction::Advice &entry : advice) {
    entry.title = printable(entry.title);
    entry.text = printable(entry.text);
    for (std::string &location : entry.locations)
      location = printable(location);
  }
  return advice;
}

/// " of batch 8, seq 4096; 310 us on average for 20000 launches of 'h.csv'".
std::string bucketText(const Prediction &prediction) {
  if (!prediction.buckets)
    return "";
  const prediction::Buckets &buckets = *prediction.buckets;
  std::string text;
  Picoseconds all = 0;
  uint64_t launches = 0;
  for (const auto &row : buckets.rows) {
    if (row.isPredicted)
      for (size_t s = 0; s < buckets.symbols.size(); ++s)
        text += fmt::format("{}{} {}", s ? ", " : " of ",
                            printable(buckets.symbols[s]), row.sizes[s]);
    if (row.picoseconds < 0)
      continue;
    all += Picoseconds(row.launches) * row.picoseconds;
    launches += row.launches;
  }
  if (launches)
    text += fmt::format("; {} on average for {} of {}",
                        timing::timeText(all / Picoseconds(launches)),
                        countOf(launches, "launch", "launches"),
                        inQuotes(buckets.histogram));
  return text;
}

void printOne(std::ostream &out, const DevicePrediction &device) {
  const Prediction &prediction = device.prediction;
  fmt::print(out, "predicted for {}: {} per launch{}\n",
             prediction.device->name, timing::timeText(prediction.time()),
             bucketText(prediction));
  const auto &dma = prediction.timeline.queues[size_t(Queue::Dma)];
  fmt::print(out,
             "  MME utilisation {}, exposed DMA {}, {}flop, {} of HBM traffic "
             "({:.1f} flop per byte)\n",
             percent(prediction.mmeUtilization), timing::timeText(dma.exposed),
             quantityText(double(prediction.flops)),
             humanBytes(prediction.hbmBytes), prediction.intensity());
  printEngines(out, prediction);
  fmt::print(out,
             "memory of the card\n"
             "  persistent {}, const {}, workspace {}\n"
             "  needed {} of {}: {}\n",
             humanBytes(prediction.persistent),
             humanBytes(prediction.constants), humanBytes(prediction.workspace),
             humanBytes(prediction.memoryNeeded()),
             humanBytes(prediction.capacity), memoryVerdict(prediction));
  printLongest(out, prediction);
  printFusions(out, prediction);
  printPermutations(out, prediction);
  constexpr size_t mostAdvice = 10;
  out << prediction::adviceText(printableAdvice(device.advice), mostAdvice);
  for (const std::string &note : prediction.notes)
    fmt::print(out, "note: {}\n", note);
}

/// A row per number, a column per device.
void printTable(std::ostream &out,
                const std::vector<DevicePrediction> &predictions) {
  const auto row = [&](std::string_view what, auto &&value) {
    fmt::print(out, "  {:<22}", what);
    for (const DevicePrediction &device : predictions)
      fmt::print(out, "  {:>16}",
                 device.error.empty() ? value(device.prediction)
                                      : std::string("-"));
    fmt::print(out, "\n");
  };
  fmt::print(out, "  {:<22}", "predicted");
  for (const DevicePrediction &device : predictions)
    fmt::print(out, "  {:>16}", device.device);
  fmt::print(out, "\n");
  row("time per launch",
      [](const Prediction &p) { return timing::timeText(p.time()); });
  for (unsigned q = 0; q < queueCount; ++q) {
    const bool any = std::any_of(
        predictions.begin(), predictions.end(), [&](const auto &device) {
          return device.prediction.timeline.queues[q].tasks != 0;
        });
    if (any)
      row(fmt::format("{} share", nameOf(Queue(q))),
          [&](const Prediction &p) { return percent(p.shareOf(Queue(q))); });
  }
  row("MME utilisation",
      [](const Prediction &p) { return percent(p.mmeUtilization); });
  row("exposed DMA", [](const Prediction &p) {
    return timing::timeText(p.timeline.queues[size_t(Queue::Dma)].exposed);
  });
  row("commands",
      [](const Prediction &p) { return fmt::format("{}", p.commands.size()); });
  row("HBM traffic",
      [](const Prediction &p) { return humanBytes(p.hbmBytes); });
  row("flop per byte",
      [](const Prediction &p) { return fmt::format("{:.1f}", p.intensity()); });
  row("memory needed",
      [](const Prediction &p) { return humanBytes(p.memoryNeeded()); });
  row("memory of the card",
      [](const Prediction &p) { return humanBytes(p.capacity); });
  row("fits", [](const Prediction &p) {
    return p.fits() ? std::string("yes")
                    : fmt::format("no, by {}",
                                  humanBytes(p.memoryNeeded() - p.capacity));
  });
  for (const DevicePrediction &device : predictions)
    if (!device.error.empty())
      fmt::print(out, "{} cannot run it: {}\n", device.device,
                 printable(device.error));
    else
      for (const std::string &note : device.prediction.notes)
        fmt::print(out, "note on {}: {}\n", device.device, note);
}

} // namespace

void printFusions(std::ostream &out, const Prediction &prediction) {
  if (prediction.fusions.empty())
    return;
  fmt::print(out, "fusions\n");
  for (const FusionCount &count : countFusions(prediction))
    fmt::print(out, "  {}\n", printable(count.line));
}

void printPermutations(std::ostream &out, const Prediction &prediction) {
  if (prediction.permutations.empty())
    return;
  const PermutationCount count = countPermutations(prediction);
  fmt::print(out, "permutations\n  {}\n", count.line(prediction.device->name));
  constexpr uint64_t mostTold = 10;
  uint64_t told = 0;
  for (const prediction::PermutationRegion &region : prediction.permutations)
    for (const auto &transpose : region.transposes)
      if (transpose.remains && told < mostTold) {
        ++told;
        fmt::print(out, "  {}{}{}\n", printable(transpose.location),
                   transpose.location.empty() ? "" : ": ",
                   printable(transpose.text));
      }
  if (count.transposesAfter > told)
    fmt::print(out, "  and {} more\n", count.transposesAfter - told);
}

void printPredictions(std::ostream &out, const std::string &file,
                      const std::vector<DevicePrediction> &predictions,
                      const PredictTimes &times) {
  std::string entry;
  for (const DevicePrediction &device : predictions)
    if (device.error.empty())
      entry = device.prediction.entry;
  fmt::print(out, "model {}, entry {}\n", inQuotes(file), inQuotes(entry));
  if (predictions.size() == 1)
    printOne(out, predictions[0]);
  else
    printTable(out, predictions);
  fmt::print(out, "times of the host: read {}", timeText(times.read));
  if (times.compile > 0)
    fmt::print(out, ", compile {}", timeText(times.compile));
  fmt::print(out, ", predict {}, advise {}\n", timeText(times.predict),
             timeText(times.advise));
}

} // namespace gaudi::run
