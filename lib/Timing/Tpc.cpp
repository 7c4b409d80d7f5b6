// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time of TPC kernels.
#include "Gaudi/Timing/Tpc.h"
#include "Gaudi/Support/Units.h"
#include "Models.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gaudi::timing {

void setTpcLaunch(Cost &cost, const device::DeviceSpec &spec) {
  const device::TpcSilicon &silicon = spec.tpc.silicon;
  cost.launch = secondsTime(silicon.start);
  cost.fill = secondsTime(silicon.firstData);
  cost.drain = secondsTime(silicon.completion);
}

namespace {

/// The slot that has most instructions.
Bound boundOf(const TpcPlan &plan) {
  const double issue =
      std::max({plan.vector, plan.load, plan.store, plan.scalar});
  if (plan.idle > issue)
    return Bound::Latency;
  if (plan.vector == issue)
    return plan.special > plan.vector / 2 ? Bound::Special : Bound::Vector;
  return plan.load == issue    ? Bound::Load
         : plan.store == issue ? Bound::Store
                               : Bound::Scalar;
}

Cost costOf(const TpcPlan &plan, const KernelWork &work,
            const device::DeviceSpec &spec) {
  Cost cost;
  setTpcLaunch(cost, spec);
  cost.enginesUsed = plan.split.engines;
  cost.compute = cycleTime(plan.cycles, spec.tpc.clockHz);
  // What several accesses read of a tensor is at most all of it, each time.
  std::vector<double> bytes(work.operands.size());
  std::vector<uint64_t> refetches(work.operands.size(), 1);
  for (size_t i = 0; i < work.accesses.size(); ++i) {
    const uint32_t operand = work.accesses[i].operand;
    bytes[operand] += double(plan.accesses[i].hbmBytes);
    refetches[operand] =
        std::max(refetches[operand], plan.accesses[i].refetches);
  }
  for (uint32_t i = 0; i < work.operands.size(); ++i) {
    const Operand &operand = work.operands[i];
    const double most = touchedBytes(operand, spec.tpc.vectorBytes);
    const auto moved = counted(std::min(bytes[i], most * double(refetches[i])));
    (i < work.inputs ? addRead : addWrite)(cost, operand, moved);
  }
  setMemoryTime(cost, boundOf(plan), spec);
  double gathered = 0;
  for (size_t i = 0; i < work.accesses.size(); ++i)
    if (work.accesses[i].indexed != 0 &&
        work.operands[work.accesses[i].operand].memory == Memory::Hbm)
      gathered += double(plan.accesses[i].hbmBytes);
  addScatteredTime(cost, gathered, boundOf(plan), spec);
  const double port = spec.tpc.silicon.portBytes;
  raiseMemoryTime(cost, cycleTime(plan.readPort / port, spec.tpc.clockHz),
                  cycleTime(plan.writePort / port, spec.tpc.clockHz),
                  boundOf(plan));
  const double lanes = spec.tpc.vectorBytes / 4.0;
  if (plan.cycles > 0)
    cost.utilization =
        std::min(1.0, plan.laneOps / (plan.cycles * spec.tpc.engines * lanes));
  return cost;
}

} // namespace

Cost costOf(const KernelWork &work, const device::DeviceSpec &spec) {
  return costOf(planOf(work, spec), work, spec);
}

std::string explain(const KernelWork &work, const device::DeviceSpec &spec) {
  const TpcPlan plan = planOf(work, spec);
  const Cost cost = costOf(plan, work, spec);
  if (plan.points == 0)
    return fmt::format("no points; {} to start and finish",
                       timeText(cost.total()));
  std::string text = fmt::format(
      "{}, {} of {} engines x box {}", countOf(plan.points, "point"),
      plan.split.engines, spec.tpc.engines, fmt::join(plan.box, "x"));
  if (plan.vectorDim >= 0)
    text += fmt::format(", vectorised across dimension {}{}", plan.vectorDim,
                        plan.hasChain ? " but for a reduction in order, which "
                                        "takes its elements one by one"
                                      : "");
  text += fmt::format(
      "; an engine issues vector {:.0f} (special functions {:.0f}), load "
      "{:.0f}, store {:.0f}, scalar {:.0f}, and waits {:.0f}: {:.0f} cycles at "
      "{:.2f} GHz = {}",
      plan.vector, plan.special, plan.load, plan.store, plan.scalar, plan.idle,
      plan.cycles, double(spec.tpc.clockHz) / 1e9, timeText(cost.compute));
  text += fmt::format("; {}; an engine moves {} in and {} out; start {}, first "
                      "data {}, completion {}; bound: {}",
                      memoryText(cost), humanBytes(counted(plan.readPort)),
                      humanBytes(counted(plan.writePort)),
                      timeText(cost.launch), timeText(cost.fill),
                      timeText(cost.drain), nameOf(cost.bound));
  return text;
}

} // namespace gaudi::timing
