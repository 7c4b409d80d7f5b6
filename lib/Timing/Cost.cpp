// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the models of all kinds of work share.
#include "Gaudi/Timing/Cost.h"
#include "Gaudi/Support/Units.h"
#include "Models.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace gaudi::timing {

std::string_view nameOf(Bound bound) {
  switch (bound) {
  case Bound::Array:
    return "array";
  case Bound::RollUp:
    return "roll-up";
  case Bound::Port:
    return "port-bound step";
  case Bound::Read:
    return "read bandwidth";
  case Bound::Write:
    return "write bandwidth";
  case Bound::Vector:
    return "vector issue";
  case Bound::Special:
    return "special functions";
  case Bound::Load:
    return "load slot";
  case Bound::Store:
    return "store slot";
  case Bound::Scalar:
    return "scalar slot";
  case Bound::Latency:
    return "latency";
  case Bound::Launch:
    return "command overhead";
  case Bound::Dma:
    return "DMA bandwidth";
  }
  return "?";
}

Picoseconds Cost::total() const {
  return launch + fill + std::max({compute, read, write}) + drain;
}

Cost costOf(const Work &work, const device::DeviceSpec &spec) {
  return std::visit([&](const auto &kind) { return costOf(kind, spec); }, work);
}

std::string explain(const Work &work, const device::DeviceSpec &spec) {
  return std::visit([&](const auto &kind) { return explain(kind, spec); },
                    work);
}

namespace {

/// Eleven days: sums of a few such times do not overflow.
constexpr double longestTime = 1e18;

Picoseconds picoseconds(double value) {
  return Picoseconds(std::ceil(std::min(value, longestTime)));
}

} // namespace

Picoseconds transferTime(uint64_t bytes, double bandwidth) {
  return bytes ? picoseconds(double(bytes) / bandwidth * 1e12) : 0;
}

Picoseconds cycleTime(double cycles, uint64_t clockHz) {
  return picoseconds(cycles / double(clockHz) * 1e12);
}

uint64_t counted(double value) { return uint64_t(std::min(value, 1e18)); }

std::string timeText(Picoseconds time) {
  constexpr std::array<const char *, 4> units = {"ns", "us", "ms", "s"};
  double value = double(time) / 1e3;
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit)
    value /= 1000;
  return fmt::format("{} {}", threeDigits(value), units[unit]);
}

void addRead(Cost &cost, const Operand &operand, uint64_t bytes) {
  (operand.memory == Memory::Hbm ? cost.hbmRead : cost.sramRead) += bytes;
}

void addWrite(Cost &cost, const Operand &operand, uint64_t bytes) {
  (operand.memory == Memory::Hbm ? cost.hbmWritten : cost.sramWritten) += bytes;
}

namespace {

void setBound(Cost &cost, Bound work) {
  const Picoseconds most = std::max({cost.compute, cost.read, cost.write});
  cost.bound = cost.launch + cost.fill + cost.drain > most ? Bound::Launch
               : cost.compute == most                      ? work
               : cost.read == most                         ? Bound::Read
                                                           : Bound::Write;
}

} // namespace

void setMemoryTime(Cost &cost, Bound work, const device::DeviceSpec &spec) {
  const double hbm = spec.memory.streamBandwidth;
  const auto sram = double(spec.memory.sramBandwidth);
  cost.read = transferTime(cost.sramRead, sram);
  cost.write = transferTime(cost.sramWritten, sram);
  const Picoseconds both = transferTime(cost.hbmRead + cost.hbmWritten, hbm);
  Picoseconds &larger =
      cost.hbmRead >= cost.hbmWritten ? cost.read : cost.write;
  Picoseconds &smaller =
      cost.hbmRead >= cost.hbmWritten ? cost.write : cost.read;
  larger = std::max(larger, both);
  smaller = std::max(
      smaller, transferTime(std::min(cost.hbmRead, cost.hbmWritten), hbm));
  setBound(cost, work);
}

void raiseMemoryTime(Cost &cost, Picoseconds read, Picoseconds write,
                     Bound work) {
  cost.read = std::max(cost.read, read);
  cost.write = std::max(cost.write, write);
  setBound(cost, work);
}

void addScatteredTime(Cost &cost, double bytes, Bound work,
                      const device::DeviceSpec &spec) {
  const double slower =
      1 / spec.memory.gatherBandwidth - 1 / spec.memory.streamBandwidth;
  (cost.read >= cost.write ? cost.read : cost.write) +=
      secondsTime(bytes * slower);
  setBound(cost, work);
}

Picoseconds secondsTime(double seconds) {
  return Picoseconds(std::llround(std::min(seconds * 1e12, longestTime)));
}

std::string memoryText(const Cost &cost) {
  std::string text =
      fmt::format("reads {} and writes {} of HBM", humanBytes(cost.hbmRead),
                  humanBytes(cost.hbmWritten));
  if (cost.sramRead || cost.sramWritten)
    text += fmt::format(", {} and {} of SRAM", humanBytes(cost.sramRead),
                        humanBytes(cost.sramWritten));
  return text + fmt::format(", which takes {}",
                            timeText(std::max(cost.read, cost.write)));
}

} // namespace gaudi::timing
