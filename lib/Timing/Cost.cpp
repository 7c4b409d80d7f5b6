// What the models of all kinds of work share.
#include "Gaudi/Timing/Cost.h"
#include "Models.h"

#include <algorithm>
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
    return "launch";
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

Picoseconds transferTime(uint64_t bytes, double bandwidth) {
  return bytes ? Picoseconds(std::ceil(double(bytes) / bandwidth * 1e12)) : 0;
}

Picoseconds cycleTime(double cycles, uint64_t clockHz) {
  return Picoseconds(std::ceil(cycles / double(clockHz) * 1e12));
}

std::string timeText(Picoseconds time) {
  const double ns = double(time) / 1e3;
  const auto text = [](double value, const char *unit) {
    return fmt::format("{:.{}f} {}", value,
                       value < 10    ? 2
                       : value < 100 ? 1
                                     : 0,
                       unit);
  };
  return ns < 1e3   ? text(ns, "ns")
         : ns < 1e6 ? text(ns / 1e3, "us")
         : ns < 1e9 ? text(ns / 1e6, "ms")
                    : text(ns / 1e9, "s");
}

void addRead(Cost &cost, const Operand &operand, uint64_t bytes) {
  (operand.memory == Memory::Hbm ? cost.hbmRead : cost.sramRead) += bytes;
}

void addWrite(Cost &cost, const Operand &operand, uint64_t bytes) {
  (operand.memory == Memory::Hbm ? cost.hbmWritten : cost.sramWritten) += bytes;
}

void setMemoryTime(Cost &cost, Bound work, const device::DeviceSpec &spec) {
  const double hbm = double(spec.memory.dramBandwidth);
  // A cache without a bandwidth of its own in the table is as fast as needed.
  const double sram = double(spec.memory.sramBandwidth);
  const auto time = [&](uint64_t hbmBytes, uint64_t sramBytes) {
    return std::max(transferTime(hbmBytes, hbm),
                    sram > 0 ? transferTime(sramBytes, sram) : 0);
  };
  cost.read = time(cost.hbmRead, cost.sramRead);
  cost.write = time(cost.hbmWritten, cost.sramWritten);
  const Picoseconds most = std::max({cost.compute, cost.read, cost.write});
  cost.bound = cost.launch + cost.fill + cost.drain > most ? Bound::Launch
               : cost.compute == most                      ? work
               : cost.read == most                         ? Bound::Read
                                                           : Bound::Write;
}

} // namespace gaudi::timing
