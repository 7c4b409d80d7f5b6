// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as text.
#include "Report.h"
#include "Gaudi/Analysis/MemoryText.h"
#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Predict.h"

#include <algorithm>
#include <fmt/ostream.h>

namespace gaudi::run {
namespace {

using runtime::engineCount;

/// Two times, each under the name of what it is a time of.
void printEngines(std::ostream &out, const DeviceReport &device) {
  const std::string host =
      device.profiles == 0 ? ""
      : device.profiles == 1
          ? "this host (one launch)"
          : fmt::format("this host (median of {} launches)", device.profiles);
  const std::string iterations =
      device.iterations && !host.empty()
          ? fmt::format(", all {}", countOf(*device.iterations, "iteration"))
          : "";
  fmt::print(out, "{:<51}  {:>17}  {}{}\n", "engines",
             fmt::format("{} predicted", device.target), host, iterations);
  for (unsigned engine = 0; engine < engineCount; ++engine) {
    const EngineSum sum = sumOf(device, engine);
    if (!sum.commands)
      continue;
    fmt::print(
        out, "  {:<5} {:>6} {:<8}  {:>9}flop  {:>12} moved  {:>17}",
        runtime::engineName(engine), sum.commands,
        sum.commands == 1 ? "command" : "commands",
        quantityText(double(sum.flops)), humanBytes(sum.bytes),
        timing::timeText(device.prediction.timeline.queues[engine].busy));
    // Commands in tiles have no time of their own.
    if (device.profiles && sum.within < sum.commands)
      fmt::print(out, "  {}", timeText(device.engineMilliseconds[engine]));
    if (sum.within)
      fmt::print(out, "{} {} in tiles of the MME",
                 sum.within < sum.commands ? " and" : " ",
                 countOf(sum.within, "command"));
    fmt::print(out, "\n");
  }
}

/// The commands that took longest.
void printSlowest(std::ostream &out, const DeviceReport &device) {
  std::vector<size_t> order;
  for (size_t i = 0; i < device.commandMilliseconds.size(); ++i)
    if (!device.commands[i].within) // else it has no time of its own
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const double first = device.commandMilliseconds[a],
                 second = device.commandMilliseconds[b];
    return first != second ? first > second : a < b;
  });
  order.resize(std::min<size_t>(order.size(), 5));
  if (order.empty())
    return;
  fmt::print(out, "slowest commands on this host{}\n",
             device.iterations
                 ? fmt::format(" in all {}; predicted: one iteration",
                               countOf(*device.iterations, "iteration"))
                 : "");
  for (size_t index : order) {
    const auto &command = device.commands[index];
    fmt::print(out, "  host {:>7}, {} predicted {:>7}  {}{}{} ({})\n",
               timeText(device.commandMilliseconds[index]), device.target,
               timing::timeText(predictedTime(device, index)),
               printable(command.name), command.location.empty() ? "" : " at ",
               printable(command.location), command.implementation);
  }
}

void printMemory(std::ostream &out, const DeviceReport &device) {
  const auto &memory = device.memory;
  fmt::print(
      out,
      "device memory\n"
      "  persistent {}{}, const {}, workspace {}\n"
      "  planned peak {}, measured peak {}, capacity {}: {}\n"
      "  limit of {} {}\n",
      humanBytes(memory.persistent),
      device.stateBytes
          ? fmt::format(" (state {})", humanBytes(device.stateBytes))
          : "",
      humanBytes(memory.constants), humanBytes(memory.workspace),
      humanBytes(memory.plannedPeak()), humanBytes(memory.measuredPeak),
      humanBytes(device.capacity),
      device.prediction.fits()
          ? "fits"
          : fmt::format("does not fit by {}",
                        humanBytes(memory.plannedPeak() - device.capacity)),
      device.isLimited ? "--device-memory" : "this host",
      humanBytes(memory.capacity));
  const auto hostBytes = [&](const char *what, uint64_t bytes) {
    if (bytes)
      fmt::print(out, "  {} {}\n", what, humanBytes(bytes));
  };
  hostBytes("host memory beside it (packed weights, conversions)",
            memory.hostScratch);
  hostBytes("packed weights mapped from the cache, which the host may drop",
            memory.hostMapped);
  hostBytes("packed weights shared with other recipes of the process",
            memory.hostShared);
  constexpr size_t mostBuffers = 10;
  analysis::printMemoryPlan(out, device.prediction, mostBuffers);
}

void printPermuted(std::ostream &out, const DeviceReport &device) {
  if (device.permuted.empty())
    return;
  fmt::print(out, "stored in another order than the caller's\n");
  for (const PermutedTensor &tensor : device.permuted)
    fmt::print(out, "  {} {} {} as [{}]: permuted by the host in {} {}\n",
               tensor.kind, inQuotes(tensor.name), tensor.type.text(),
               fmt::join(tensor.order, ", "), timeText(tensor.milliseconds),
               tensor.kind == "output" ? "after the launch"
                                       : "before the launch");
}

void printVariants(std::ostream &out, const DeviceReport &device) {
  if (device.variants.empty())
    return;
  fmt::print(out, "variants: {}, launched with {}\n", device.variants.size(),
             printable(device.sizes));
  if (device.recompiled)
    fmt::print(out, "  compiles: 1; {}\n",
               printable(device.recompiled->text()));
  for (const VariantHits &variant : device.variants)
    if (variant.launches)
      fmt::print(out, "  {}: {}, {} % padding{}\n", printable(variant.sizes),
                 countOf(variant.launches, "launch", "launches"),
                 shapes::paddingPercent(variant.padded, variant.real),
                 variant.picoseconds < 0
                     ? std::string()
                     : ", " + timing::timeText(variant.picoseconds) + " each");
}

void printKernels(std::ostream &out, const runtime::KernelStats &kernels) {
  if (!kernels.kernels)
    return;
  fmt::print(out,
             "kernels\n  {} different, {} from the object cache ({}), {} "
             "compiled",
             kernels.kernels, kernels.fromCache,
             timeText(kernels.lookupMilliseconds), kernels.compiled);
  if (kernels.compiled)
    fmt::print(out, " ({})", timeText(kernels.compileMilliseconds));
  if (kernels.cacheDirectory.empty())
    fmt::print(out, "\n  no object cache\n");
  else
    fmt::print(out, "\n  object cache {}\n", inQuotes(kernels.cacheDirectory));
  if (!kernels.cacheNote.empty())
    fmt::print(out, "  note: {}\n", kernels.cacheNote);
}

void printPanels(std::ostream &out, const runtime::PanelStats &panels) {
  if (!panels.constants)
    return;
  fmt::print(out,
             "packed constants of matrix commands\n"
             "  {} different, {} from the cache ({}), {} packed ({})",
             panels.constants, panels.mapped, humanBytes(panels.mappedBytes),
             panels.packed, humanBytes(panels.packedBytes));
  if (panels.shared)
    fmt::print(out, ", {} of other recipes", panels.shared);
  fmt::print(out, " in {}\n", timeText(panels.milliseconds));
  if (panels.cacheDirectory.empty())
    fmt::print(out, "  no cache of packed constants\n");
  else
    fmt::print(out, "  cache {}\n", inQuotes(panels.cacheDirectory));
  if (!panels.cacheNote.empty())
    fmt::print(out, "  note: {}\n", panels.cacheNote);
}

void printHostKernels(std::ostream &out, const runtime::HostKernels &host) {
  if (host.family.empty())
    return;
  fmt::print(out, "matrix kernels of this host: {}\n ", host.family);
  for (const auto &kernel : host.kernels) {
    std::string operands = kernel.operands;
    std::replace(operands.begin(), operands.end(), '_', ' ');
    fmt::print(out, "{} {}: {}", &kernel == host.kernels.data() ? "" : ",",
               operands, kernel.name.empty() ? "none" : kernel.name);
  }
  fmt::print(out, "\n  {}\n", host.reason);
  for (const std::string &note : host.notes)
    fmt::print(out, "  note: {}\n", note);
}

void printTimes(std::ostream &out, const Report &report) {
  fmt::print(out, "times of the host\n");
  const auto line = [&](const char *what, std::optional<double> time) {
    if (time)
      fmt::print(out, "  {:<9} {}\n", what, timeText(*time));
  };
  line("read", report.readMilliseconds);
  line("parse", report.parseMilliseconds);
  line("compile", report.compileMilliseconds);
  if (report.device) {
    line("load", report.device->loadMilliseconds);
    fmt::print(out, "  run       {} on {}\n",
               text(spreadOf(report.device->launches)),
               countOf(report.device->threads, "thread"));
    fmt::print(out, "  CPU time  {} of all threads in a launch\n",
               timeText(spreadOf(report.device->cpuTimes).median));
  }
  line("reference", report.referenceMilliseconds);
}

} // namespace

timing::Picoseconds predictedTime(const DeviceReport &device, size_t command) {
  const timing::Span &span =
      device.prediction.timeline.spans[device.predicted[command]];
  return span.end - span.start;
}

EngineSum sumOf(const DeviceReport &device, unsigned engine) {
  EngineSum sum;
  for (const auto &command : device.commands) {
    if (command.engine != engine)
      continue;
    ++sum.commands;
    sum.within += command.within.has_value();
    sum.flops += command.flops;
    sum.bytes += command.bytes;
  }
  return sum;
}

std::string CompiledVariant::text() const {
  return fmt::format("{}; compiled a variant for {} in {:.3g} s", reason,
                     bucket, milliseconds / 1000);
}

std::string text(const Spread &spread) {
  std::string result = timeText(spread.median);
  if (spread.count > 1)
    result += fmt::format(" (median of {}; min {}, max {}, MAD {})",
                          spread.count, timeText(spread.smallest),
                          timeText(spread.largest), timeText(spread.deviation));
  return result;
}

void printText(std::ostream &out, const Report &report) {
  fmt::print(out, "model {}, entry {}\n", inQuotes(report.file),
             inQuotes(report.entry));
  if (report.device) {
    const DeviceReport &device = *report.device;
    fmt::print(out,
               "recipe for {}, {} (metadata {}, constants {}), made by {}\n",
               device.target, humanBytes(device.recipeBytes),
               humanBytes(device.shares.metadata),
               humanBytes(device.shares.constants), printable(device.producer));
    if (device.entries.size() > 1)
      fmt::print(out, "entries {}\n",
                 printable(fmt::format("{}", fmt::join(device.entries, ", "))));
    if (device.iterations)
      fmt::print(out, "loops on the host: {} in the last launch\n",
                 countOf(*device.iterations, "iteration"));
    fmt::print(out, "predicted for {}: {} per launch{}\n", device.target,
               timing::timeText(device.prediction.time()),
               device.iterations ? " with one iteration of each loop" : "");
    for (const std::string &note : device.prediction.notes)
      fmt::print(out, "  note: {}\n", note);
    printEngines(out, device);
    printFusions(out, device.prediction);
    printPermutations(out, device.prediction);
    printMemory(out, device);
    printPermuted(out, device);
    printVariants(out, device);
    printSlowest(out, device);
    printKernels(out, device.kernels);
    printPanels(out, device.panels);
    printHostKernels(out, device.hostKernels);
  }
  printTimes(out, report);
}

} // namespace gaudi::run
