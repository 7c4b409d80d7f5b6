// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps, fetches, utilization and cycles of a product with a given layout, and
// the choice of the layout.
#include "CeilDiv.h"
#include "Gaudi/Timing/Mme.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {
namespace {

using device::DeviceSpec;
using device::MmeArray;
using Batch = MmeProblem::Batch;

/// More batches than this and operands are not kept in the stream buffers.
constexpr int64_t maxReuseBatches = 16;
/// Rows that the unit which turns operands takes at once.
constexpr double turnedRows = 64;

/// Products of one shape that the steps of a plan go through.
int64_t batchStepsOf(const MmeProblem &problem, const MmeLayout &layout) {
  const int64_t size = problem.batch[layout.concurrentDim];
  return ceilDiv(size, layout.batchConcurrency) * (problem.batches() / size);
}

/// Elements of the common dimension that the stream buffers hold: a line of 128
/// bytes per row of a port.
int64_t bufferSpan(const MmeProblem &problem, const DeviceSpec &spec) {
  const int64_t perLine = 128 / kernel::elementSize(problem.type);
  const int64_t perPort = spec.mme.array == MmeArray::Tiles ? perLine
                          : spec.mme.array == MmeArray::PortedCores
                              ? std::max<int64_t>(perLine, 64)
                              : 64;
  return spec.mme.streamBufferLines * perLine / perPort;
}

Walk defaultWalk(const MmePlan &plan, std::string_view geometry) {
  // The walk that reuses the wider operand. Of one step it does not matter;
  // then the wide geometry goes down and the others go right.
  if (geometry == "4xw")
    return plan.spSteps == 1 && plan.fcdSteps > 1 ? Walk::Right : Walk::Down;
  return plan.fcdSteps == 1 && plan.spSteps > 1 ? Walk::Down : Walk::Right;
}

void setReuse(MmePlan &plan, const MmeProblem &problem, const DeviceSpec &spec,
              const MmeOptions &options) {
  const bool batched = problem.counts != Batch::None;
  const bool reuse =
      options.streamReuse && !(batched && problem.batches() > maxReuseBatches);
  plan.reuseA = reuse && plan.walk == Walk::Right && plan.fcdSteps > 1;
  plan.reuseB = reuse && plan.walk == Walk::Down && plan.spSteps > 1;
  if (plan.reuseA || plan.reuseB)
    plan.partials = ceilDiv(problem.common, bufferSpan(problem, spec));
}

void setFetches(MmePlan &plan, const MmeProblem &problem,
                const DeviceSpec &spec) {
  const bool partial = plan.partials > 1;
  const uint32_t accumulators =
      spec.mme.accumulators * (plan.layout.doubleAccumulators ? 2 : 1);
  // Steps that one filling of the stream buffers serves.
  const int64_t served = partial ? accumulators : spec.mme.maxReuseSteps;
  const int64_t fcdSplits = plan.reuseA ? ceilDiv(plan.fcdSteps, served) : 1;
  const int64_t spSplits = plan.reuseB ? ceilDiv(plan.spSteps, served) : 1;
  const bool isGrad = problem.counts == Batch::FilterPositions;
  plan.fetchA = plan.reuseA ? (partial ? fcdSplits : 1) : plan.fcdSteps;
  plan.fetchB = plan.reuseB ? (partial ? spSplits : 1)
                            : plan.spSteps * (isGrad ? plan.batchSteps : 1);
  plan.fetchA *= problem.filterReads;
  plan.accessesA = plan.fetchA * plan.layout.engines.fcd;
  plan.accessesB = plan.fetchB * plan.layout.engines.spatial;

  const auto bandwidth = [&](uint32_t ports, bool reused, int64_t steps) {
    const double all = double(spec.mme.portBandwidth) * ports;
    const int64_t rests =
        partial ? std::min<int64_t>(steps, accumulators) : steps;
    return reused ? all / double(rests) : all;
  };
  plan.accessBandwidthA =
      bandwidth(plan.layout.portsA, plan.reuseA, plan.fcdSteps);
  plan.accessBandwidthB =
      bandwidth(plan.layout.portsB, plan.reuseB, plan.spSteps);

  if (!plan.layout.portLimited)
    return;
  // The first step of every row (or column) reads both operands.
  const bool rows =
      plan.walk == Walk::Right ? plan.fcdSteps != 1 : plan.spSteps == 1;
  plan.constrainedSteps =
      std::min((rows ? plan.spSteps : plan.fcdSteps) * fcdSplits * spSplits,
               plan.fcdSteps * plan.spSteps);
  // A turned operand that is short frees its port early.
  const double costA =
      problem.transposedA
          ? 1 + double(ceilDiv(problem.height, plan.layout.interleavedA)) /
                    turnedRows
          : 2;
  const double costB =
      problem.transposedB
          ? 1 + std::min(double(problem.width), turnedRows) / turnedRows
          : 2;
  plan.constrainedCost = std::min(costA, costB);
}

/// Share of a tile's edge that the last step uses.
double lastShare(int64_t size, int64_t edge) {
  const int64_t rest = size % edge;
  return rest == 0 ? 1.0 : double(rest) / double(edge);
}

/// Multipliers busy, over all steps: full ones, the last row and column.
double utilizationOf(const MmePlan &plan, const MmeProblem &problem) {
  const MmeLayout &layout = plan.layout;
  const double sp = lastShare(problem.height, layout.height);
  const double fcd = lastShare(problem.width, layout.width);
  const double f = double(plan.fcdSteps), s = double(plan.spSteps);
  const double one =
      ((f - 1) * (s - 1) + sp * (f - 1) + fcd * (s - 1) + sp * fcd) /
      (f * s + double(plan.constrainedSteps) * (plan.constrainedCost - 1));
  const double last =
      lastShare(problem.batch[layout.concurrentDim], layout.batchConcurrency);
  return one * (double(plan.batchSteps - 1) + last) / double(plan.batchSteps);
}

void setCycles(MmePlan &plan, const MmeProblem &problem,
               const DeviceSpec &spec) {
  // The array cannot begin a tile before the one before it has left: a tile
  // takes at least the roll-up.
  const int64_t rollUp = spec.mme.minCycles;
  plan.effectiveCommon = ceilDiv(problem.common, plan.layout.commonConcurrency);
  int64_t cycles = std::max(plan.effectiveCommon, rollUp);
  const int64_t constrained = std::max(
      int64_t(double(plan.effectiveCommon) * plan.constrainedCost), rollUp);
  // So does each part of a sum that the stream buffers cannot hold.
  if (plan.partials > 1 && ceilDiv(problem.common, plan.partials) < rollUp)
    cycles = plan.partials * rollUp;
  int64_t regular =
      (plan.fcdSteps * plan.spSteps - plan.constrainedSteps) * plan.batchSteps;
  if (problem.counts != Batch::Products)
    regular += plan.constrainedSteps; // convolutions count them twice
  // In doubles, so that absurd sizes do not overflow; exact below 2^53.
  const double all =
      double(problem.repeats) *
      (double(regular) * double(cycles) +
       double(plan.constrainedSteps * plan.batchSteps) * double(constrained));
  plan.cycles = uint64_t(std::min(all, 0x1p62));
}

uint32_t geometryNamed(std::string_view name, const DeviceSpec &spec) {
  for (uint32_t g = 0; g < spec.mme.geometryCount; ++g)
    if (spec.mme.geometries[g].name == name)
      return g;
  assert(false && "a geometry of the device");
  return 0;
}

MmePlan leastCycles(const MmeProblem &problem, const DeviceSpec &spec,
                    const MmeOptions &options) {
  std::optional<MmePlan> best;
  for (uint32_t geometry : geometriesFor(problem, spec)) {
    MmePlan plan = planWith(problem, geometry, spec, options);
    if (!best || plan.cycles < best->cycles)
      best = plan;
  }
  return *best;
}

/// Rows that all begin between lines are read twice when ports share them.
bool readsTwice(const MmeProblem &problem, const MmeLayout &layout,
                const DeviceSpec &spec) {
  const int64_t line =
      int64_t(spec.memory.cacheLineBytes) / kernel::elementSize(problem.type);
  if (problem.rowOffset % line == 0 || problem.rowStep % line != 0)
    return false;
  // Ports that share the second dimension instead read each line once.
  return kernel::elementSize(problem.type) == 1 ||
         problem.secondCommon % layout.interleavedA != 0;
}

} // namespace

std::string_view nameOf(Walk walk) {
  return walk == Walk::Right ? "right" : "down";
}

std::vector<uint32_t> geometriesFor(const MmeProblem &problem,
                                    const DeviceSpec &spec) {
  std::vector<uint32_t> result;
  const auto add = [&](std::string_view name) {
    result.push_back(geometryNamed(name, spec));
  };
  if (spec.mme.array != MmeArray::WholeEngines) {
    if (spec.mme.array == MmeArray::PortedCores)
      for (std::string_view name : {"2xh", "2xw", "4xh", "4xw"})
        add(name);
    else
      for (std::string_view name : {"4xw", "2xw", "4xh"})
        add(name);
    return result;
  }
  constexpr int64_t edge = 256; // of an engine
  const int64_t fcd = problem.width, sp = problem.height;
  if (problem.counts == Batch::Products &&
      problem.batches() >= int64_t(spec.dcores)) {
    // Every dcore takes a product of its own: only its inner layout is left.
    add("4xh");
    if (fcd > edge || sp > edge)
      add("4xw");
    return result;
  }
  // The compiler asks for two edges of height too, and without another choice
  // takes 2xh. A product between two edges would then take longer than one that
  // is larger, on half of the engines: it gets 2xw here.
  if (fcd >= 2 * edge && sp > edge)
    add("2xw");
  if (fcd >= 4 * edge)
    add("4xw");
  if (sp >= 2 * edge && fcd > edge)
    add("2xh");
  if (sp >= 4 * edge)
    add("4xh");
  if (result.empty())
    add(fcd > 2 * edge ? "2xw" : "2xh");
  return result;
}

MmePlan planWith(const MmeProblem &problem, uint32_t geometry,
                 const DeviceSpec &spec, const MmeOptions &options,
                 std::optional<Walk> walk) {
  assert(problem.macs() > 0 && "there is something to compute");
  MmePlan plan;
  plan.layout = layoutOf(problem, geometry, spec, options);
  plan.fcdSteps = ceilDiv(problem.width, plan.layout.width);
  plan.spSteps = ceilDiv(problem.height, plan.layout.height);
  plan.batchSteps = batchStepsOf(problem, plan.layout);
  plan.walk =
      walk.value_or(defaultWalk(plan, spec.mme.geometries[geometry].name));
  setReuse(plan, problem, spec, options);
  setFetches(plan, problem, spec);
  plan.utilization = utilizationOf(plan, problem);
  setCycles(plan, problem, spec);
  return plan;
}

MmePlan choosePlan(const MmeProblem &problem, const DeviceSpec &spec,
                   const MmeOptions &options) {
  if (problem.counts != Batch::FilterPositions)
    return leastCycles(problem, spec, options);

  // How much faster each kind of concurrency makes the gradient.
  const auto steps = [](const MmePlan &plan) {
    return double(plan.fcdSteps * plan.spSteps);
  };
  const auto batchGain = [&](const MmePlan &plan) {
    return double(problem.batch[0]) /
           (double(ceilDiv(problem.batch[0], plan.layout.batchConcurrency)) *
            steps(plan));
  };
  const auto commonGain = [&](const MmePlan &plan) {
    const double gain = plan.layout.commonConcurrency / steps(plan);
    return readsTwice(problem, plan.layout, spec) ? gain / 2 : gain;
  };
  MmeOptions alone = options;
  alone.batchConcurrency = false;
  alone.commonConcurrency = true;
  const MmePlan common = leastCycles(problem, spec, alone);
  alone.batchConcurrency = true;
  const MmePlan both = leastCycles(problem, spec, alone);
  alone.commonConcurrency = false;
  const MmePlan batch = leastCycles(problem, spec, alone);

  // Ties go to what adds nothing in memory, then to what adds less.
  const double byBatch = problem.plainProduct ? 0 : batchGain(batch);
  const double byBoth = batchGain(both) * commonGain(both);
  const double byCommon = commonGain(common);
  return byBatch >= byBoth && byBatch >= byCommon ? batch
         : byBoth >= byCommon                     ? both
                                                  : common;
}

int64_t flatteningOf(const MmeProblem &problem, int64_t batch,
                     uint32_t geometry, const DeviceSpec &spec) {
  assert(problem.counts == Batch::Products && problem.height > 0 && batch > 0 &&
         "a batch of gemms that compute something");
  constexpr int64_t maxTile = int64_t(4) << 20; // elements
  const MmeLayout layout = layoutOf(problem, geometry, spec);
  // Whole products that fill a tile exactly: no divisor does better.
  if (layout.height % problem.height == 0) {
    // A limited geometry needs many steps to pay for its first one.
    if (layout.portLimited)
      return batch;
    if (layout.height / problem.height < batch)
      return layout.height / problem.height;
  }
  int64_t best = 1;
  double bestUtilization = 0;
  for (int64_t factor = 1; factor <= batch; ++factor) {
    if (batch % factor != 0)
      continue;
    MmeProblem merged = problem;
    merged.height = problem.height * factor;
    merged.innerHeight = merged.height;
    merged.batch[0] = batch / factor;
    const double utilization = planWith(merged, geometry, spec).utilization;
    if (utilization > bestUtilization &&
        std::max(problem.common, problem.width) * merged.height < maxTile) {
      best = factor;
      bestUtilization = utilization;
    }
  }
  return best;
}

double slicedUtilization(const MmeProblem &problem, int64_t sliceWidth,
                         int64_t sliceHeight, int64_t sliceBatch,
                         uint32_t geometry, const DeviceSpec &spec) {
  // All slices run with the layout of the whole product.
  const MmePlan whole = planWith(problem, geometry, spec);
  const auto busy = [&](int64_t width, int64_t height, int64_t batch) {
    MmeProblem slice = problem;
    slice.width = width;
    slice.height = height;
    slice.batch[whole.layout.concurrentDim] = batch;
    MmePlan plan = whole;
    plan.fcdSteps = ceilDiv(width, whole.layout.width);
    plan.spSteps = ceilDiv(height, whole.layout.height);
    plan.batchSteps = batchStepsOf(slice, whole.layout);
    return utilizationOf(plan, slice);
  };
  struct Part {
    int64_t size, count;
  };
  // The slices of one size, then the last one.
  const auto parts = [](int64_t size, int64_t slice) {
    const int64_t count = ceilDiv(size, slice);
    return std::array<Part, 2>{
        {{slice, count - 1}, {size - slice * (count - 1), 1}}};
  };
  double sum = 0;
  int64_t slices = 0;
  const int64_t batch = problem.batch[whole.layout.concurrentDim];
  for (const Part &w : parts(problem.width, sliceWidth))
    for (const Part &h : parts(problem.height, sliceHeight))
      for (const Part &b : parts(batch, sliceBatch)) {
        const int64_t count = w.count * h.count * b.count;
        sum += count ? double(count) * busy(w.size, h.size, b.size) : 0;
        slices += count;
      }
  return sum / double(slices);
}

} // namespace gaudi::timing
