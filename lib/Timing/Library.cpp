// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the library: sorting, scattering, running sums.
//
// Each is a few passes over vectors. The instruction counts are estimated from
// public TPC kernels of the same purpose; docs/device-time.md derives them.
#include "Gaudi/Timing/Library.h"
#include "Gaudi/Support/Units.h"
#include "Models.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace gaudi::timing {
namespace {

/// What the busiest engine issues, and what moves.
struct LibraryPlan {
  double engines = 1;
  double vector = 0, load = 0, store = 0, scalar = 0;
  double readPort = 0, writePort = 0;   // bytes
  double extraRead = 0, extraWrite = 0; // of HBM, beside the operands once
  double scattered = 0;                 // of these, in random order
  std::string text;                     // how the work is done

  double cycles() const { return std::max({vector, load, store, scalar}); }
};

double log2Up(double value) {
  return value <= 1 ? 0 : std::ceil(std::log2(value));
}

/// A tensor as rows along an axis: `inner` rows are interleaved in memory.
struct Rows {
  Rows(const Operand &operand, int64_t axis) {
    assert(axis >= 0 && size_t(axis) < operand.sizes.size() &&
           "a verified call has an axis");
    for (size_t d = 0; d < operand.sizes.size(); ++d) {
      double &part = d < size_t(axis)   ? outer
                     : d > size_t(axis) ? inner
                                        : length;
      part *= double(operand.sizes[d]);
    }
  }
  double count() const { return outer * inner; }

  double outer = 1, length = 1, inner = 1;
};

bool isInPlace(const LibraryWork &work) {
  const std::string_view name = work.name;
  return name.size() > inPlaceSuffix.size() &&
         name.substr(name.size() - inPlaceSuffix.size()) == inPlaceSuffix;
}

std::string_view kernelOf(const LibraryWork &work) {
  return std::string_view(work.name).substr(
      0, work.name.size() - (isInPlace(work) ? inPlaceSuffix.size() : 0));
}

/// True if the operand passes as a whole: not what is updated in place.
bool passes(const LibraryWork &work, uint32_t operand) {
  return !isInPlace(work) || (operand != 0 && operand != work.inputs);
}

class LibraryModel {
public:
  LibraryModel(const LibraryWork &work, const device::DeviceSpec &spec)
      : work(work), spec(spec), engines(spec.tpc.engines),
        line(spec.tpc.vectorBytes), local(spec.tpc.silicon.localMemory) {}

  LibraryPlan plan() const {
    for (const Operand &operand : work.operands)
      if (operand.elements() == 0)
        return copyOnly();
    // A candidate of a pass may be less than a call: it is at least a copy.
    const auto has = [&](size_t operands, size_t ints) {
      return work.operands.size() >= operands && work.ints.size() >= ints;
    };
    const std::string_view name = kernelOf(work);
    if (name == "cumulative_sum" && has(2, 1))
      return cumulativeSum();
    if (name == "sort" && has(3, 1))
      return sort(work.operands[0], work.ints[0], 0);
    if (name == "top_k" && has(3, 2))
      return topK();
    if (name == "scatter_elements" && has(4, 2))
      return scatterElements();
    if ((name == "scatter" || name == "scatter_rows") && has(4, 0))
      return scatterRows();
    return copyOnly();
  }

private:
  double lanesOf(const Operand &operand) const {
    // Floats are compared and added in f32.
    return line / std::max<double>(kernel::elementSize(operand.type),
                                   kernel::isFloat(operand.type) ? 4 : 1);
  }
  /// Loads and stores all operands once, in whole vectors.
  LibraryPlan copyOnly() const;
  LibraryPlan cumulativeSum() const;
  LibraryPlan sort(const Operand &keys, int64_t axis, double keep) const;
  LibraryPlan topK() const;
  LibraryPlan scatterRows() const;
  LibraryPlan scatterElements() const;

  const LibraryWork &work;
  const device::DeviceSpec &spec;
  const double engines, line, local;
};

LibraryPlan LibraryModel::copyOnly() const {
  LibraryPlan plan;
  double most = 0;
  for (uint32_t i = 0; i < work.operands.size(); ++i) {
    if (!passes(work, i))
      continue;
    const double lines = std::ceil(double(work.operands[i].bytes()) / line);
    most = std::max(most, lines);
    (i < work.inputs ? plan.load : plan.store) += lines;
  }
  plan.engines = std::clamp(most, 1.0, engines);
  for (double *slot : {&plan.load, &plan.store})
    *slot = std::ceil(*slot / plan.engines);
  plan.readPort = plan.load * line;
  plan.writePort = plan.store * line;
  plan.text = "all operands pass once";
  return plan;
}

/// Along memory: in a vector, the lanes are added in steps of doubling
/// distance (a shuffle and a masked addition each), then the sum so far. Across
/// vectors: one addition.
LibraryPlan LibraryModel::cumulativeSum() const {
  const Operand &input = work.operands[0];
  const Rows rows(input, work.ints[0]);
  const double lanes = lanesOf(input);
  LibraryPlan plan = copyOnly();
  if (rows.inner == 1) {
    plan.engines = std::min(engines, rows.count());
    const double vectors =
        std::ceil(rows.count() / plan.engines) * std::ceil(rows.length / lanes);
    const double each = 2 * std::log2(lanes) + 2;
    plan.vector = vectors * each;
    plan.load = plan.store = vectors;
    plan.text = fmt::format("{} of {:.0f} in vectors of {:.0f}, {:.0f} "
                            "instructions each",
                            countOf(counted(rows.count()), "row"), rows.length,
                            lanes, each);
  } else {
    const double columns = rows.outer * std::ceil(rows.inner / lanes);
    plan.engines = std::min(engines, columns);
    // Each addition waits for the one before it, unless other columns fill in.
    const double mine = std::ceil(columns / plan.engines);
    const double wait = spec.tpc.silicon.latency;
    plan.vector = std::max(mine, wait) * rows.length;
    plan.load = plan.store = mine * rows.length;
    plan.text = fmt::format("{} of vectors of {:.0f}, {} each, one after the "
                            "other",
                            countOf(counted(columns), "column"), lanes,
                            countOf(counted(rows.length), "addition"));
  }
  plan.readPort = plan.writePort = plan.load * line;
  return plan;
}

/// A bitonic network on pairs of keys and positions. Stages at distances below
/// a vector shuffle both and select (4 instructions on a vector); at larger
/// distances two vectors exchange through local memory (2 loads, 2 stores).
/// `keep`: only so many of a row are wanted (0: all): runs of that length are
/// sorted, and merged into the best so far.
LibraryPlan LibraryModel::sort(const Operand &keys, int64_t axis,
                               double keep) const {
  const Rows rows(keys, axis);
  // Positions are i32: keys that are narrower fill no more lanes.
  const double lanes =
      line / std::max<double>(4, kernel::elementSize(keys.type));
  const double length = std::exp2(log2Up(std::max(rows.length, lanes)));
  const double vectors = length / lanes;
  double run = length; // sorted in full
  if (keep > 0)
    run = std::min(length, std::exp2(log2Up(std::max(keep, lanes))));
  const double inLane = std::log2(lanes), levels = std::log2(run);
  // Level i has i stages; the last log2(lanes) of each are in vectors.
  const double stages = levels * (levels + 1) / 2;
  const double stagesInLane =
      inLane * (inLane + 1) / 2 + (levels - inLane) * inLane;
  double vectorStages = stagesInLane, memoryStages = stages - stagesInLane;
  if (run < length) {
    // One exchange with the best so far and one merge.
    vectorStages += inLane;
    memoryStages += 1 + levels - inLane;
  }
  // A row is divided over engines where there are fewer rows.
  const double runs = length / run;
  const double parts =
      run < length ? std::clamp(std::floor(engines / rows.count()), 1.0, runs)
                   : 1;
  LibraryPlan plan;
  plan.engines = std::min(engines, rows.count() * parts);
  const double mine =
      std::ceil(rows.count() * parts / plan.engines) * vectors / parts;
  plan.vector = mine * (4 * vectorStages + memoryStages);
  plan.load = mine * (1 + 2 * memoryStages);
  plan.store = mine * (2 + 2 * memoryStages);
  plan.readPort = mine * line;
  plan.writePort = 2 * mine * line;
  if (parts > 1) {
    const double merges = log2Up(parts) * run / lanes;
    plan.vector += merges * (4 * inLane + 1 + levels - inLane);
    plan.load += merges * 2 * (1 + levels - inLane);
    plan.store += merges * 2 * (1 + levels - inLane);
  }
  // Rows across memory are transposed on the way in and out.
  if (rows.inner > 1)
    plan.vector += 3 * mine * std::log2(lanes);
  // Runs longer than local memory exchange through memory at the largest
  // distances.
  const double chunk = std::exp2(std::floor(std::log2(local / (2 * 4))));
  if (run > chunk) {
    const double above = std::log2(run / chunk);
    const double passes = above * (above + 1) / 2 + above;
    plan.readPort += passes * 2 * mine * line;
    plan.writePort += passes * 2 * mine * line;
    const double bytes = rows.count() * length * 8;
    if (bytes > double(spec.memory.sramBytes)) {
      plan.extraRead = passes * bytes;
      plan.extraWrite = passes * bytes;
    }
    plan.text = fmt::format("{} through memory; ",
                            countOf(counted(passes), "pass", "passes"));
  }
  plan.text +=
      fmt::format("{} of {:.0f}, padded to {:.0f}; runs of {:.0f} "
                  "sorted in {}, {:.0f} of them in vectors of {:.0f}",
                  countOf(counted(rows.count()), "row"), rows.length, length,
                  run, countOf(counted(stages), "stage"), stagesInLane, lanes);
  return plan;
}

LibraryPlan LibraryModel::topK() const {
  LibraryPlan plan = sort(work.operands[0], work.ints[0], double(work.ints[1]));
  // Few results are written.
  const Rows results(work.operands[1], work.ints[0]);
  plan.writePort =
      std::min(plan.writePort, 2 *
                                   std::ceil(results.count() * results.length *
                                             4 / line / plan.engines) *
                                   line);
  return plan;
}

/// All engines copy; then each owns a range of the result's rows, passes all
/// indices (a load and two vector instructions for a vector of them) and moves
/// the rows that are its own. Indices are taken to spread evenly.
LibraryPlan LibraryModel::scatterRows() const {
  const Operand &indices = work.operands[1], &rows = work.operands[2];
  const bool accumulates = !work.ints.empty() && work.ints[0] == 1;
  const double batches = double(rows.sizes[0]), count = double(rows.sizes[1]);
  const double rowLines =
      std::ceil(double(rows.sizes[2]) * kernel::elementSize(rows.type) / line);
  LibraryPlan plan = copyOnly();
  const double owners =
      std::min(engines, batches * double(work.operands[0].sizes[1]));
  // A batch is passed by all engines that own rows of its result.
  const double scans = std::ceil(std::max(1.0, batches / owners) * count *
                                 kernel::elementSize(indices.type) / line);
  const double moved = std::ceil(batches * count / owners);
  plan.engines = std::max(plan.engines, owners);
  plan.load += scans + moved * rowLines * (accumulates ? 2 : 1);
  plan.vector += 2 * scans + (accumulates ? moved * rowLines : 0);
  plan.store += moved * rowLines;
  plan.scalar += 4 * moved;
  plan.readPort += (scans + moved * rowLines * (accumulates ? 2 : 1)) * line;
  plan.writePort += moved * rowLines * line;
  const double bytes = batches * count * rowLines * line;
  plan.extraWrite = bytes;
  plan.extraRead = accumulates ? bytes : 0;
  plan.scattered = plan.extraRead + plan.extraWrite;
  plan.text = fmt::format(
      "{}{} of {} {} by each of {}", isInPlace(work) ? "" : "copy, then ",
      countOf(counted(moved), "row"), countOf(counted(rowLines), "line"),
      accumulates ? "added" : "set", countOf(counted(owners), "engine"));
  return plan;
}

/// As rows, with elements: an index, an update and a place each, of which the
/// place is a memory line of its own unless the row is in local memory.
LibraryPlan LibraryModel::scatterElements() const {
  const Operand &data = work.operands[0], &indices = work.operands[1];
  const Rows all(data, work.ints[0]);
  const bool accumulates = work.ints[1] == 1;
  const double updates = double(indices.elements());
  const double elementBytes = kernel::elementSize(data.type);
  LibraryPlan plan = copyOnly();
  const double owners = std::min(engines, all.count() * all.length);
  const double byRows = std::min(all.count(), engines);
  // With fewer rows than engines, several share one and pass its indices.
  const double scanned = updates / byRows;
  const double scans =
      byRows < owners
          ? std::ceil(scanned * kernel::elementSize(indices.type) / line)
          : 0;
  const double mine = std::ceil(updates / owners);
  const bool isLocal =
      all.inner == 1 &&
      std::ceil(all.length * all.count() / owners) * elementBytes <= local;
  plan.engines = std::max(plan.engines, owners);
  plan.load += scans + mine;
  plan.vector += 2 * scans + (accumulates ? mine : 0);
  plan.store += mine;
  plan.scalar += 6 * mine;
  if (!isLocal) {
    plan.readPort += mine * line;
    plan.writePort += mine * line;
    plan.extraWrite = updates * line;
    plan.extraRead = accumulates ? updates * line : 0;
    plan.scattered = plan.extraRead + plan.extraWrite;
  }
  plan.text = fmt::format(
      "{}{} {} by each of {}, {}", isInPlace(work) ? "" : "copy, then ",
      countOf(counted(mine), "element"), accumulates ? "added" : "set",
      countOf(counted(owners), "engine"),
      isLocal ? "in local memory" : "a memory line each");
  return plan;
}

Bound boundOf(const LibraryPlan &plan) {
  const double most = plan.cycles();
  return plan.vector == most  ? Bound::Vector
         : plan.load == most  ? Bound::Load
         : plan.store == most ? Bound::Store
                              : Bound::Scalar;
}

Cost costOf(const LibraryPlan &plan, const LibraryWork &work,
            const device::DeviceSpec &spec) {
  Cost cost;
  setTpcLaunch(cost, spec);
  cost.enginesUsed = uint32_t(plan.engines);
  cost.compute = cycleTime(plan.cycles(), spec.tpc.clockHz);
  for (uint32_t i = 0; i < work.operands.size(); ++i)
    if (passes(work, i))
      (i < work.inputs ? addRead : addWrite)(
          cost, work.operands[i],
          counted(touchedBytes(work.operands[i], spec.tpc.vectorBytes)));
  cost.hbmRead += counted(plan.extraRead);
  cost.hbmWritten += counted(plan.extraWrite);
  setMemoryTime(cost, boundOf(plan), spec);
  addScatteredTime(cost, plan.scattered, boundOf(plan), spec);
  const double port = spec.tpc.silicon.portBytes;
  raiseMemoryTime(cost, cycleTime(plan.readPort / port, spec.tpc.clockHz),
                  cycleTime(plan.writePort / port, spec.tpc.clockHz),
                  boundOf(plan));
  return cost;
}

} // namespace

Cost costOf(const LibraryWork &work, const device::DeviceSpec &spec) {
  return costOf(LibraryModel(work, spec).plan(), work, spec);
}

std::string explain(const LibraryWork &work, const device::DeviceSpec &spec) {
  const LibraryPlan plan = LibraryModel(work, spec).plan();
  const Cost cost = costOf(plan, work, spec);
  return fmt::format(
      "{}: {}; {:.0f} of {} engines, each issues vector {:.0f}, load {:.0f}, "
      "store {:.0f}, scalar {:.0f}: {:.0f} cycles at {:.2f} GHz = {}; {}; an "
      "engine moves {} in and {} out; start {}, first data {}, completion {}; "
      "bound: {}",
      work.name, plan.text, plan.engines, spec.tpc.engines, plan.vector,
      plan.load, plan.store, plan.scalar, plan.cycles(),
      double(spec.tpc.clockHz) / 1e9, timeText(cost.compute), memoryText(cost),
      humanBytes(counted(plan.readPort)), humanBytes(counted(plan.writePort)),
      timeText(cost.launch), timeText(cost.fill), timeText(cost.drain),
      nameOf(cost.bound));
}

} // namespace gaudi::timing
