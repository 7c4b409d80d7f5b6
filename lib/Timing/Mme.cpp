// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the matrix engine takes: the cycles of the plan on real silicon,
// and the memory beside them. docs/device-time.md computes one by hand.
#include "Gaudi/Timing/Mme.h"
#include "Models.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace gaudi::timing {
namespace {

using device::DeviceSpec;
using device::MmeSilicon;

/// What a product's array time comes from.
struct ArrayTime {
  double cycles = 0;
  double constrained = 0; // of them, waiting for input ports
  double rollUp = 0;      // of them, rolling results up
};

/// Sums leave the array at the output port's rate, valid or not, which is why
/// short common dimensions cost the roll-up. The port carries as many bytes per
/// cycle as the array's bf16 sums have in the published least cycles. Half an
/// accumulator has half of them.
double rollUpCycles(const MmePlan &plan, const MmeProblem &problem,
                    const DeviceSpec &spec) {
  const double sums = double(spec.mme.outputsAtOnce(problem.type)) /
                      (plan.layout.doubleAccumulators ? 2 : 1);
  const double portBytes = 2.0 * spec.mme.macsPerCycleBF16 / spec.mme.minCycles;
  return sums * kernel::elementSize(problem.result) / portBytes;
}

ArrayTime arrayTime(const MmeProblem &problem, const MmePlan &plan,
                    const DeviceSpec &spec) {
  const double sum =
      double(plan.effectiveCommon) * spec.mme.cyclesPerElement(problem.type);
  const double rollUp = rollUpCycles(plan, problem, spec);
  const double each = std::max(sum, rollUp);
  const double constrained =
      double(plan.constrainedSteps) * double(plan.batchSteps) *
      double(problem.repeats) *
      (std::max(sum * plan.constrainedCost, rollUp) - each);
  const double tiles = double(plan.fcdSteps) * double(plan.spSteps) *
                       double(plan.batchSteps) * double(problem.repeats);
  return {tiles * each + constrained, constrained, tiles * (each - sum)};
}

/// Elements of a product's operand that are read one after the other: a row, or
/// all of a matrix and of its batch if they follow each other. One, if neither
/// dimension of the matrices is the fastest.
int64_t contiguousElements(const Operand &operand) {
  const size_t rank = operand.sizes.size();
  std::vector<size_t> dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  // The matrices' two dimensions before those of the batch, which is walked
  // matrix by matrix.
  std::sort(dims.begin(), dims.end(), [&](size_t a, size_t b) {
    const bool isMatrixA = a + 2 >= rank, isMatrixB = b + 2 >= rank;
    return isMatrixA != isMatrixB ? isMatrixA
                                  : operand.strides[a] < operand.strides[b];
  });
  int64_t run = 1;
  for (size_t d : dims) {
    if (operand.sizes[d] == 1 || operand.strides[d] == 0)
      continue;
    if (operand.strides[d] != run)
      break;
    run *= operand.sizes[d];
  }
  return run;
}

/// Bytes of the whole lines that an operand touches: short rows that lie apart
/// are read and written with what is beside them.
uint64_t bytesInLines(const MatrixWork &work, const Operand &operand,
                      const DeviceSpec &spec) {
  const uint64_t bytes = operand.bytes();
  if (!work.isGemm() || operand.strides.empty())
    return bytes;
  const double row =
      double(contiguousElements(operand)) * kernel::elementSize(operand.type);
  const auto line = double(spec.memory.cacheLineBytes);
  if (row >= double(bytes))
    return bytes;
  return counted(double(bytes) / row * std::ceil(row / line) * line);
}

/// Reads, writes, and the fill. Operands that come from HBM wait in SRAM until
/// the array takes them, slice by slice; the first slice of an idle engine is
/// waited for. The compiler cuts so that waiting for a slice and handing over
/// all of them cost the same: 2 sqrt(read x handover / 2) together.
void setMemory(Cost &cost, const MatrixWork &work, const DeviceSpec &spec) {
  const MmeSilicon &silicon = spec.mme.silicon;
  cost.launch = secondsTime(silicon.dispatch);
  addRead(cost, work.a, bytesInLines(work, work.a, spec));
  addRead(cost, work.b, bytesInLines(work, work.b, spec));
  addWrite(cost, work.c, bytesInLines(work, work.c, spec));

  const double sram = double(spec.memory.sramBandwidth);
  const auto time = [&](uint64_t hbm, double bandwidth, uint64_t onChip) {
    const double chip = sram > 0 ? double(onChip) / sram : 0;
    return secondsTime(std::max(double(hbm) / bandwidth, chip));
  };
  cost.read = time(cost.hbmRead, silicon.readBandwidth, cost.sramRead);
  cost.write = time(cost.hbmWritten, silicon.writeBandwidth, cost.sramWritten);
  // HBM is one bus for both.
  Picoseconds &larger = cost.read >= cost.write ? cost.read : cost.write;
  larger = std::max(larger, secondsTime(double(cost.hbmRead + cost.hbmWritten) /
                                        spec.memory.streamBandwidth));
  if (cost.hbmRead == 0)
    return;

  const double seconds = double(cost.hbmRead) / silicon.readBandwidth;
  cost.fill = secondsTime(std::sqrt(2 * silicon.handover * seconds));
}

/// Of the next product, operands are read while this one computes, if the
/// operands of both fit in SRAM. Else the array waits for one of them:
///  - operands that fit whole are not sliced. The larger of the next ones is
///    read first; where it finds no room beside these, it is waited for, else
///    the smaller one is;
///  - sliced operands leave room for five slices, two of each operand and one
///    of the next product: the smaller operand, or that slice, is waited for.
Picoseconds operandWait(const MatrixWork &work, const MmeProblem &problem,
                        const DeviceSpec &spec) {
  const MmeSilicon &silicon = spec.mme.silicon;
  // A batch is read product by product.
  const auto bytes = [&](const Operand &operand, bool isShared) {
    const double products =
        problem.counts == MmeProblem::Batch::Products && !isShared
            ? double(problem.batches())
            : 1;
    return operand.memory == Memory::Hbm ? double(operand.bytes()) / products
                                         : 0;
  };
  const double a = bytes(work.a, work.broadcastA);
  const double b = bytes(work.b, work.broadcastB);
  const double memory = silicon.operandMemory;
  if (2 * (a + b) <= memory)
    return 0;
  const bool isWhole = a + b <= memory && 2 * std::max(a, b) <= memory;
  const double waited = !isWhole ? std::min({a, b, memory / 5})
                        : std::max(a, b) <= memory - a - b ? std::min(a, b)
                                                           : std::max(a, b);
  return secondsTime(waited / silicon.readBandwidth);
}

/// A sum too long for two slices of each operand in SRAM is cut: the parts are
/// written as f32 and read again, to be added up. Caches need no slices.
Picoseconds partialSums(const MatrixWork &work, const MmeProblem &problem,
                        const MmePlan &plan, const DeviceSpec &spec) {
  constexpr int64_t minCommon = 2048; // shorter sums are never cut
  const MmeSilicon &silicon = spec.mme.silicon;
  const double edges =
      double(std::min<int64_t>(plan.layout.width, problem.width)) +
      double(std::min<int64_t>(plan.layout.height, problem.height));
  const double slices =
      2 * edges * double(problem.common) * kernel::elementSize(problem.type);
  if (spec.memory.sramIsCache || work.a.memory != Memory::Hbm ||
      work.b.memory != Memory::Hbm ||
      problem.counts != MmeProblem::Batch::Products ||
      problem.common <= minCommon || slices <= silicon.operandMemory)
    return 0;
  const double bytes = std::ceil(slices / silicon.operandMemory) * 4 *
                       double(problem.width) * double(problem.height) *
                       double(problem.batches());
  return secondsTime(bytes / silicon.writeBandwidth +
                     bytes / silicon.readBandwidth);
}

/// The transposes of activations that are not channels last.
std::vector<TransferWork> turnsOf(const MatrixWork &work,
                                  const DeviceSpec &spec) {
  std::vector<TransferWork> turns;
  const auto add = [&](const Operand &stored, const Dims &order,
                       bool isResult) {
    if (order.empty())
      return;
    Operand here = stored;
    if (here.strides.empty())
      here.strides = kernel::denseStrides(here.sizes);
    const Operand from = here;
    for (size_t i = 0; i < order.size(); ++i) {
      here.sizes[i] = from.sizes[size_t(order[i])];
      here.strides[i] = from.strides[size_t(order[i])];
    }
    const Operand native = {here.type, here.sizes,
                            kernel::denseStrides(here.sizes), Memory::Hbm};
    const bool isOnTable = spec.transposeTypes.contains(here.type);
    const auto engine =
        !isOnTable || spec.transposeEngine == device::MoveEngine::TPC
            ? TransferWork::Engine::Tpc
        : spec.transposeEngine == device::MoveEngine::MME
            ? TransferWork::Engine::Mme
            : TransferWork::Engine::Dma;
    turns.push_back(isResult ? TransferWork{engine, native, here}
                             : TransferWork{engine, here, native});
  };
  add(work.a, work.turnedA, false);
  add(work.b, work.turnedB, false);
  add(work.c, work.turnedC, true);
  return turns;
}

/// Adds the traffic of the transposes; gives their time, one after the other.
Picoseconds addTurns(Cost &cost, const MatrixWork &work,
                     const DeviceSpec &spec) {
  Picoseconds time = 0;
  for (const TransferWork &turn : turnsOf(work, spec)) {
    const Cost each = costOf(turn, spec);
    cost.hbmRead += each.hbmRead;
    cost.hbmWritten += each.hbmWritten;
    cost.sramRead += each.sramRead;
    cost.sramWritten += each.sramWritten;
    time += each.total();
  }
  return time;
}

/// What the array waits for while nothing hides it.
struct Waits {
  Picoseconds operands = 0, sums = 0;
};

Waits waitsOf(const MatrixWork &work,
              const std::vector<std::pair<MmeProblem, MmePlan>> &plans,
              const DeviceSpec &spec) {
  Waits waits;
  for (const auto &[problem, plan] : plans) {
    waits.operands = std::max(waits.operands, operandWait(work, problem, spec));
    waits.sums += partialSums(work, problem, plan, spec);
  }
  return waits;
}

/// The largest part of the cost names its bound; `wait` is a part of `compute`.
void setBound(Cost &cost, const ArrayTime &array, Picoseconds wait) {
  const Picoseconds most = std::max({cost.compute, cost.read, cost.write});
  cost.bound = cost.launch + cost.fill > most ? Bound::Launch
               : cost.compute < most
                   ? cost.read == most ? Bound::Read : Bound::Write
               : 2 * wait > cost.compute              ? Bound::Read
               : 2 * array.constrained > array.cycles ? Bound::Port
               : 2 * array.rollUp > array.cycles      ? Bound::RollUp
                                                      : Bound::Array;
}

/// The products of a command that compute something, and how each runs.
std::vector<std::pair<MmeProblem, MmePlan>> plansOf(const MatrixWork &work,
                                                    const DeviceSpec &spec) {
  std::vector<std::pair<MmeProblem, MmePlan>> plans;
  for (const MmeProblem &problem : problemsOf(work))
    if (problem.macs() > 0)
      plans.emplace_back(problem, choosePlan(problem, spec));
  return plans;
}

} // namespace

Cost costOf(const MatrixWork &work, const DeviceSpec &spec) {
  Cost cost;
  cost.enginesUsed = spec.mme.engines;
  ArrayTime array;
  double macs = 0;
  const auto plans = plansOf(work, spec);
  for (const auto &[problem, plan] : plans) {
    const ArrayTime part = arrayTime(problem, plan, spec);
    array.cycles += part.cycles;
    array.constrained += part.constrained;
    array.rollUp += part.rollUp;
    macs += problem.macs();
  }
  const double slowdown = spec.mme.silicon.slowdown * spec.mme.silicon.throttle;
  cost.compute =
      secondsTime(array.cycles * slowdown / double(spec.mme.clockHz));
  setMemory(cost, work, spec);
  const Waits waits = waitsOf(work, plans, spec);
  const Picoseconds wait = waits.operands + waits.sums;
  cost.compute += wait;
  // A cold engine waits for its first operands once. Its first slice is part of
  // what it reads, so that reading alone takes only a hand-over more.
  const Picoseconds first =
      std::max<Picoseconds>(cost.fill - waits.operands, 0);
  const Picoseconds handover =
      std::min(first, secondsTime(spec.mme.silicon.handover));
  const Picoseconds most = std::max({cost.compute, cost.read, cost.write});
  cost.fill = std::max(std::max(cost.compute, cost.write) + first,
                       cost.read + handover) -
              most;
  const Picoseconds turns = addTurns(cost, work, spec);
  cost.compute += turns;
  setBound(cost, array, wait + turns);
  if (macs > 0)
    cost.utilization = macs / spec.mme.macsPerSecond(work.a.type) /
                       (double(cost.compute) / 1e12);
  return cost;
}

std::string explain(const MatrixWork &work, const DeviceSpec &spec) {
  const Cost cost = costOf(work, spec);
  std::string text;
  const auto plans = plansOf(work, spec);
  for (const auto &[problem, plan] : plans) {
    const MmeLayout &layout = plan.layout;
    text += fmt::format("{} x {} tiles of {} x {} ({}, {})", plan.spSteps,
                        plan.fcdSteps, layout.height, layout.width,
                        spec.mme.geometries[layout.geometry].name,
                        nameOf(plan.walk));
    const int64_t products = std::min<int64_t>(
        layout.batchConcurrency, problem.batch[layout.concurrentDim]);
    if (products > 1)
      text += fmt::format(", {} products at once", products);
    else if (layout.batchConcurrency > 1)
      text += fmt::format(", on 1/{} of the array", layout.batchConcurrency);
    if (layout.commonConcurrency > 1)
      text += fmt::format(", sum in {} parts", layout.commonConcurrency);
    if (plan.batchSteps * problem.repeats > 1)
      text += fmt::format(", {} times", plan.batchSteps * problem.repeats);
    const double rollUp = rollUpCycles(plan, problem, spec);
    if (double(plan.effectiveCommon) * spec.mme.cyclesPerElement(problem.type) <
        rollUp)
      text += fmt::format(" x {:.0f} cycles of roll-up; ", rollUp);
    else
      text += fmt::format(" x {} elements; ", plan.effectiveCommon);
  }
  const Waits waits = waitsOf(work, plans, spec);
  const auto part = [](std::string_view name, Picoseconds time) {
    return time ? fmt::format(", {} {}", name, timeText(time)) : "";
  };
  Cost traffic;
  const Picoseconds turns = addTurns(traffic, work, spec);
  return fmt::format(
      "{}array {}{}{}{}{}{}{}; bound by {}", text,
      timeText(cost.compute - waits.operands - waits.sums - turns),
      part("reads", cost.read), part("writes", cost.write),
      part("fill", cost.fill), part("wait for operands", waits.operands),
      part("partial sums", waits.sums),
      part("transposes to channels last", turns), nameOf(cost.bound));
}

} // namespace gaudi::timing
