// The report for people.
#include "Report.h"
#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <ostream>

namespace gaudi::run {
namespace {

using runtime::engineCount;
using runtime::humanBytes;

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

std::string operations(double flops) {
  const char *const units[] = {"", " k", " M", " G", " T", " P"};
  size_t unit = 0;
  while (flops >= 1000 && unit + 1 < std::size(units)) {
    flops /= 1000;
    ++unit;
  }
  char text[40];
  std::snprintf(text, sizeof(text), "%.3g%s", flops, units[unit]);
  return text;
}

void printEngines(std::ostream &out, const DeviceReport &device) {
  const bool timed = !device.commandMilliseconds.empty();
  for (unsigned engine = 0; engine < engineCount; ++engine) {
    uint64_t count = 0;
    uint64_t joined = 0; // run on the tiles of a matrix command
    double flops = 0, bytes = 0;
    for (const auto &command : device.commands) {
      if (command.engine != engine)
        continue;
      ++count;
      joined += command.within.has_value();
      flops += double(command.flops);
      bytes += double(command.bytes);
    }
    if (!count)
      continue;
    char line[160];
    std::snprintf(
        line, sizeof(line), "  %-5s %6llu commands  %9sflop  %12s moved",
        runtime::engineName(engine), static_cast<unsigned long long>(count),
        operations(flops).c_str(), humanBytes(uint64_t(bytes)).c_str());
    out << line;
    if (timed)
      out << "  " << milliseconds(device.engineMilliseconds[engine]) << " ms";
    if (joined)
      out << " and " << joined << " within commands of the MME";
    out << "\n";
  }
}

/// The commands that took longest.
void printSlowest(std::ostream &out, const DeviceReport &device) {
  std::vector<size_t> order(device.commandMilliseconds.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const double first = device.commandMilliseconds[a],
                 second = device.commandMilliseconds[b];
    return first != second ? first > second : a < b;
  });
  order.resize(std::min<size_t>(order.size(), 5));
  if (order.empty())
    return;
  out << "slowest commands\n";
  for (size_t index : order) {
    const auto &command = device.commands[index];
    out << "  " << milliseconds(device.commandMilliseconds[index]) << " ms  "
        << command.name;
    if (!command.location.empty())
      out << " at " << command.location;
    out << " (" << command.implementation << ")\n";
  }
}

void printMemory(std::ostream &out, const DeviceReport &device) {
  const auto &memory = device.memory;
  out << "device memory\n"
      << "  persistent " << humanBytes(memory.persistent) << ", const "
      << humanBytes(memory.constants) << ", workspace "
      << humanBytes(memory.workspace) << "\n"
      << "  planned peak " << humanBytes(memory.plannedPeak())
      << ", measured peak " << humanBytes(memory.measuredPeak) << ", capacity "
      << humanBytes(memory.capacity) << "\n";
  if (memory.hostScratch)
    out << "  host memory beside it (packed weights, conversions) "
        << humanBytes(memory.hostScratch) << "\n";
  if (memory.hostMapped)
    out << "  packed weights in files of the cache, which the host may drop "
        << humanBytes(memory.hostMapped) << "\n";
  if (memory.hostShared)
    out << "  packed weights shared with other recipes of the process "
        << humanBytes(memory.hostShared) << "\n";
  out << "largest buffers alive at the peak\n";
  for (const Buffer &buffer : device.largestBuffers) {
    out << "  " << humanBytes(buffer.bytes) << "  " << buffer.kind << " "
        << inQuotes(buffer.name);
    if (!buffer.location.empty())
      out << " at " << buffer.location;
    out << "\n";
  }
}

void printKernels(std::ostream &out, const runtime::KernelStats &kernels) {
  if (!kernels.kernels)
    return;
  out << "kernels\n  " << kernels.kernels << " different, " << kernels.fromCache
      << " from the object cache (" << milliseconds(kernels.lookupMilliseconds)
      << " ms), " << kernels.compiled << " compiled";
  if (kernels.compiled)
    out << " (" << milliseconds(kernels.compileMilliseconds) << " ms)";
  out << "\n";
  if (kernels.cacheDirectory.empty())
    out << "  no object cache\n";
  else
    out << "  object cache " << inQuotes(kernels.cacheDirectory) << "\n";
  if (!kernels.cacheNote.empty())
    out << "  note: " << kernels.cacheNote << "\n";
}

void printPanels(std::ostream &out, const runtime::PanelStats &panels) {
  if (!panels.constants)
    return;
  out << "packed constants of matrix commands\n  " << panels.constants
      << " different, " << panels.mapped << " from the cache ("
      << humanBytes(panels.mappedBytes) << "), " << panels.packed << " packed ("
      << humanBytes(panels.packedBytes) << ")";
  if (panels.shared)
    out << ", " << panels.shared << " of other recipes";
  out << " in " << milliseconds(panels.milliseconds) << " ms\n";
  if (panels.cacheDirectory.empty())
    out << "  no cache of packed constants\n";
  else
    out << "  cache " << inQuotes(panels.cacheDirectory) << "\n";
  if (!panels.cacheNote.empty())
    out << "  note: " << panels.cacheNote << "\n";
}

} // namespace

std::string milliseconds(double value) {
  // The clock counts nanoseconds.
  const char *const form = value < 0.1 ? "%.6f" : value < 10 ? "%.3f" : "%.1f";
  char text[40];
  std::snprintf(text, sizeof(text), form, value);
  return text;
}

Spread spreadOf(std::vector<double> values) {
  Spread spread;
  spread.count = values.size();
  if (values.empty())
    return spread;
  spread.median = medianOf(values);
  spread.smallest = *std::min_element(values.begin(), values.end());
  spread.largest = *std::max_element(values.begin(), values.end());
  for (double &value : values)
    value = std::fabs(value - spread.median);
  spread.deviation = medianOf(std::move(values));
  return spread;
}

std::string text(const Spread &spread) {
  std::string result = milliseconds(spread.median) + " ms";
  if (spread.count > 1)
    result += " (median of " + std::to_string(spread.count) + "; min " +
              milliseconds(spread.smallest) + ", max " +
              milliseconds(spread.largest) + ", MAD " +
              milliseconds(spread.deviation) + ")";
  return result;
}

void printText(std::ostream &out, const Report &report) {
  out << "model " << inQuotes(report.file) << ", entry "
      << inQuotes(report.entry) << "\n";
  if (report.device) {
    const DeviceReport &device = *report.device;
    out << "recipe for " << device.target << ", "
        << humanBytes(device.recipeBytes) << " (metadata "
        << humanBytes(device.shares.metadata) << ", constants "
        << humanBytes(device.shares.constants) << "), made by "
        << device.producer << "\n"
        << "engines\n";
    printEngines(out, device);
    printMemory(out, device);
    printSlowest(out, device);
    printKernels(out, device.kernels);
    printPanels(out, device.panels);
  }
  out << "times\n";
  if (report.readMilliseconds)
    out << "  read      " << milliseconds(*report.readMilliseconds) << " ms\n";
  if (report.parseMilliseconds)
    out << "  parse     " << milliseconds(*report.parseMilliseconds) << " ms\n";
  if (report.compileMilliseconds)
    out << "  compile   " << milliseconds(*report.compileMilliseconds)
        << " ms\n";
  if (report.device)
    out << "  load      " << milliseconds(report.device->loadMilliseconds)
        << " ms\n"
        << "  run       " << text(spreadOf(report.device->launches)) << " on "
        << report.device->threads
        << (report.device->threads == 1 ? " thread" : " threads") << "\n";
  if (report.referenceMilliseconds)
    out << "  reference " << milliseconds(*report.referenceMilliseconds)
        << " ms\n";
}

} // namespace gaudi::run
