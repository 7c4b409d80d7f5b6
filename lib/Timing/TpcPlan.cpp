// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimension is vectorised, how the work is divided, what is issued.
#include "FlatKernel.h"
#include "Gaudi/Timing/Tpc.h"
#include "Models.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gaudi::timing {
namespace {

double ceilDiv(double a, double b) { return std::ceil(a / b); }

/// Share of the dcores' engines that must have work for a division over them.
constexpr double leastUtilization = 0.87;

/// Divides a grid over all engines, or, where that is as good, a first
/// dimension over the dcores and each part over the engines of one.
WorkSplit splitOnDevice(const Dims &grid, const device::DeviceSpec &spec) {
  const auto pointsOf = [](const WorkSplit &split) {
    double points = 1;
    for (int64_t size : split.box)
      points *= double(size);
    return points;
  };
  WorkSplit whole = splitIndexSpace(grid, spec.tpc.engines);
  if (!spec.tpc.splitsByDcore)
    return whole;
  for (size_t d = 0; d < grid.size(); ++d) {
    const Dims parts = splitOverDcores(grid[d], 1, spec.dcores);
    if (parts.empty() || double(grid[d]) < leastUtilization *
                                               double(parts.front()) *
                                               double(spec.dcores))
      continue;
    Dims first = grid;
    first[d] = parts.front();
    WorkSplit split = splitIndexSpace(first, spec.tpc.engines / spec.dcores);
    split.engines *= spec.dcores;
    return pointsOf(split) <= pointsOf(whole) ? split : whole;
  }
  return whole;
}

/// Instructions of a loop nest: blocks of one stage inside the same loops.
struct Nest {
  uint32_t stage = 0;
  uint64_t dims = 0;
  double vector = 0, load = 0, store = 0, scalar = 0;
  double stalled = 0; // cycles of the vector slot with those it waits
  /// Coordinates that are counted up, and how often.
  std::vector<std::pair<uint32_t, double>> coordinates;

  void countUp(uint32_t which, double times);
};

/// Accesses at equal coordinates share them.
void Nest::countUp(uint32_t which, double times) {
  for (auto &[known, counted] : coordinates)
    if (known == which) {
      scalar += std::max(0.0, times - counted);
      counted = std::max(counted, times);
      return;
    }
  coordinates.emplace_back(which, times);
  scalar += times;
}

/// The loops of a stage: one after the other, stages may have loops of their
/// own, as kernels on several tensors do.
struct StageLoops {
  uint64_t dims = 0;
  int vectorDim = -1;
};

/// Counts for one choice of the vectorised dimension and order of the loops.
class Planner {
public:
  Planner(const FlatKernel &kernel, const device::DeviceSpec &spec, int v,
          std::vector<unsigned> order)
      : kernel(kernel), spec(spec), order(std::move(order)) {
    plan.vectorDim = v;
    plan.accesses.resize(kernel.accesses.size());
    findStages();
  }

  TpcPlan run() {
    divide();
    for (const KernelBlock &block : kernel.blocks)
      count(block);
    for (const Nest &nest : nests)
      finish(nest);
    countPorts();
    return std::move(plan);
  }

private:
  static bool isVectorised(uint64_t dims, int v) {
    return v >= 0 && (dims >> v & 1);
  }
  double boxOf(unsigned d) const { return double(plan.box[d]); }
  bool isContiguous(uint32_t stage, unsigned dim) const;
  void findStages();
  const StageLoops &stageOf(const KernelBlock &block) const {
    return stages[block.stage];
  }
  /// The dimensions of a block and those of loops of its stage around them: its
  /// code is inside all of these.
  uint64_t enclosing(const KernelBlock &block) const;
  Nest &nestOf(uint32_t stage, uint64_t dims);

  void divide();
  bool keepsRow(const KernelBlock &block) const;
  void count(const KernelBlock &block);
  void countMergeAcrossLanes(const KernelBlock &block, double lanes,
                             double points);
  /// Adds the instructions of an access in `outer` iterations of the loops
  /// around the vectorised one.
  void count(uint32_t number, const KernelBlock &block, double outer,
             bool inVector, Nest &nest);
  double stallFactor(double chains) const;
  void finish(const Nest &nest);
  void countPorts();
  std::vector<Loop> loopsOf(const FlatAccess &access, const KernelBlock &block,
                            const Dims &extents) const;

  const FlatKernel &kernel;
  const device::DeviceSpec &spec;
  std::vector<unsigned> order; // of the loops, outermost first
  std::vector<StageLoops> stages;
  std::vector<Nest> nests;
  TpcPlan plan;
};

/// True if a tensor of the stage is contiguous along a dimension.
bool Planner::isContiguous(uint32_t stage, unsigned dim) const {
  const auto isAlong = [&](uint32_t access) {
    return kernel.accesses[access].strides[dim] == 1;
  };
  return std::any_of(
      kernel.blocks.begin(), kernel.blocks.end(),
      [&](const KernelBlock &block) {
        return block.stage == stage &&
               (std::any_of(block.loads.begin(), block.loads.end(), isAlong) ||
                std::any_of(block.stores.begin(), block.stores.end(), isAlong));
      });
}

/// A stage without the kernel's vectorised dimension has vectors along its own
/// innermost loop in which a tensor is contiguous.
void Planner::findStages() {
  for (const KernelBlock &block : kernel.blocks) {
    if (block.stage >= stages.size())
      stages.resize(block.stage + 1);
    stages[block.stage].dims |= block.dims | kernel.parallel;
  }
  for (uint32_t s = 0; s < stages.size(); ++s) {
    StageLoops &stage = stages[s];
    if (isVectorised(stage.dims, plan.vectorDim)) {
      stage.vectorDim = plan.vectorDim;
      continue;
    }
    const uint64_t loops = stage.dims & ~kernel.parallel;
    for (unsigned d : order)
      if (loops >> d & 1 && isContiguous(s, d))
        stage.vectorDim = int(d);
  }
}

uint64_t Planner::enclosing(const KernelBlock &block) const {
  uint64_t seen = 0, result = 0;
  for (unsigned d : order) {
    if (!(stageOf(block).dims >> d & 1))
      continue;
    seen |= uint64_t(1) << d;
    if (block.dims >> d & 1)
      result = seen;
  }
  return result;
}

Nest &Planner::nestOf(uint32_t stage, uint64_t dims) {
  for (Nest &nest : nests)
    if (nest.stage == stage && nest.dims == dims)
      return nest;
  Nest &nest = nests.emplace_back();
  nest.stage = stage;
  nest.dims = dims;
  return nest;
}

/// The points of the index space are vectors along the vectorised dimension,
/// long enough to fill a memory line of every tensor, and single indices along
/// the others.
void Planner::divide() {
  const auto v = unsigned(plan.vectorDim);
  const bool inGrid = isVectorised(kernel.parallel, plan.vectorDim);
  int64_t granule = 1;
  if (inGrid)
    for (const FlatAccess &access : kernel.accesses)
      if (access.strides[v] == 1)
        granule = std::max<int64_t>(granule,
                                    spec.tpc.vectorBytes / access.elementBytes);
  Dims grid;
  for (unsigned d : kernel.order)
    if (kernel.parallel >> d & 1)
      grid.push_back(
          inGrid && d == v
              ? int64_t(ceilDiv(double(kernel.extents[d]), double(granule)))
              : kernel.extents[d]);
  plan.split = splitOnDevice(grid, spec);
  plan.box = kernel.extents;
  size_t g = 0;
  for (unsigned d : kernel.order)
    if (kernel.parallel >> d & 1) {
      const int64_t size = plan.split.box[g++];
      plan.box[d] =
          inGrid && d == v ? std::min(kernel.extents[d], size * granule) : size;
    }
}

/// True if local memory holds what the loops of a point compute, beside the
/// tables of special functions. A load of what they read stands for the load of
/// it.
bool Planner::keepsRow(const KernelBlock &block) const {
  double bytes = block.widestBytes;
  for (unsigned d : order)
    if (block.dims & ~kernel.parallel & uint64_t(1) << d)
      bytes *= boxOf(d);
  return bytes <= double(spec.tpc.silicon.localMemoryBesideTables);
}

void Planner::count(const KernelBlock &block) {
  const uint64_t dims = enclosing(block);
  const int v = stageOf(block).vectorDim;
  Nest &nest = nestOf(block.stage, dims);
  bool inVector = isVectorised(dims, v);
  const uint64_t loops = dims & ~kernel.parallel;
  // A chain passes its elements one by one.
  if (block.chained && isVectorised(loops, v)) {
    inVector = false;
    plan.hasChain = true;
  }
  const double lanes = double(spec.tpc.vectorBytes) / block.widestBytes;
  double outer = 1, points = 1, elements = 1;
  for (unsigned d : order) {
    if (!(dims >> d & 1))
      continue;
    elements *= double(kernel.extents[d]);
    if (inVector && int(d) == v)
      continue;
    outer *= boxOf(d);
    if (kernel.parallel >> d & 1)
      points *= boxOf(d);
  }
  const double vectors = inVector ? ceilDiv(boxOf(unsigned(v)), lanes) : 1;
  const double iterations = outer * vectors;
  const double before = nest.vector;
  const bool keeps = keepsRow(block);
  const auto issued = [&](uint32_t count, uint32_t again) {
    return iterations * (count - (keeps ? again : 0));
  };
  nest.vector +=
      issued(block.vector, block.vectorAgain) + iterations * block.reductions;
  nest.load += issued(block.tableLoads, block.tableLoadsAgain);
  plan.special += issued(block.special, block.specialAgain);
  plan.laneOps += elements * (block.operations + block.reductions);
  for (uint32_t access : block.loads)
    count(access, block, outer, inVector, nest);
  for (uint32_t access : block.stores)
    count(access, block, outer, inVector, nest);
  const double chains =
      block.chained ? points * (isVectorised(kernel.parallel, v) ? vectors : 1)
                    : iterations;
  nest.stalled += (nest.vector - before) * stallFactor(chains);
  if (block.reductions && inVector && isVectorised(loops, v))
    countMergeAcrossLanes(block, lanes, points);
}

/// Results can be used after some cycles. As many iterations that do not need
/// each other (chains) are interleaved; fewer leave cycles empty.
double Planner::stallFactor(double chains) const {
  const double latency = spec.tpc.silicon.latency;
  return ceilDiv(chains, latency) * latency / chains;
}

void Planner::finish(const Nest &nest) {
  const double busy =
      std::max({nest.vector, nest.load, nest.store, nest.scalar});
  const double issue = std::max(busy, nest.stalled);
  plan.vector += nest.vector;
  plan.load += nest.load;
  plan.store += nest.store;
  plan.scalar += nest.scalar;
  plan.idle += issue - busy;
  plan.cycles += issue;
}

/// The lanes of an accumulator are merged in halves: a shuffle and an operation
/// each, once per point.
void Planner::countMergeAcrossLanes(const KernelBlock &block, double lanes,
                                    double points) {
  Nest merge;
  merge.vector = points * block.reductions * 2 * std::log2(lanes);
  merge.stalled = merge.vector * stallFactor(points * block.reductions);
  finish(merge);
}

void Planner::count(uint32_t number, const KernelBlock &block, double outer,
                    bool inVector, Nest &nest) {
  const double lanes = double(spec.tpc.vectorBytes) / block.widestBytes;
  const FlatAccess &access = kernel.accesses[number];
  double &slot = access.isRead ? nest.load : nest.store;
  // What only moves stays as it is in memory.
  const bool isConverted =
      access.isConverted && block.widestBytes != access.elementBytes;
  const double line = spec.tpc.vectorBytes;
  double instructions = outer;
  const auto v = unsigned(stageOf(block).vectorDim);
  if (inVector) {
    const double length = boxOf(v), vectors = ceilDiv(length, lanes);
    const double filled = std::min(length, lanes);
    const double stride = double(access.strides[v]);
    if (access.indexDims >> v & 1) {
      // One element each; its index passes to the scalar registers first.
      instructions = outer * length;
      nest.scalar += 2 * instructions;
    } else if (stride == 1) {
      instructions = outer * ceilDiv(length * access.elementBytes, line);
    } else if (stride > 1) {
      // All lines in reach and a shuffle and a merge for each ...
      const double reach =
          std::ceil(((filled - 1) * stride + 1) * access.elementBytes / line);
      double perVector = std::min(filled, reach), shuffles = 2 * perVector;
      // ... or lines along another dimension, transposed in registers.
      for (unsigned d : order)
        if (access.strides[d] == 1) {
          const double run =
              std::min(boxOf(d), line / double(access.elementBytes));
          const double lines = filled / std::min(run, filled);
          if (lines + std::log2(lanes) < perVector + shuffles) {
            perVector = lines;
            shuffles = std::log2(lanes);
          }
        }
      instructions = outer * vectors * perVector;
      nest.vector += outer * vectors * shuffles;
    }
    if (isConverted && (stride > 0 || access.indexDims >> v & 1))
      nest.vector += outer * vectors;
  } else if (isConverted) {
    nest.vector += outer;
  }
  // A gathered row: its index passes to the scalar registers.
  if (!access.gathered.empty() && !(inVector && access.indexDims >> v & 1))
    nest.scalar += 2 * outer;
  nest.countUp(access.coordinates, instructions);
  slot += instructions;
  plan.accesses[number].loads += counted(instructions);
}

/// The loops of a block around an access, with those inside a vector last.
std::vector<Loop> Planner::loopsOf(const FlatAccess &access,
                                   const KernelBlock &block,
                                   const Dims &extents) const {
  std::vector<Loop> loops;
  const uint64_t dims = enclosing(block);
  const int v = stageOf(block).vectorDim;
  int64_t lanes = 1;
  for (unsigned d : order)
    if (dims >> d & 1) {
      int64_t count = extents[d];
      if (int(d) == v) {
        lanes = std::min<int64_t>(count,
                                  spec.tpc.vectorBytes / access.elementBytes);
        count = (count + lanes - 1) / lanes;
      }
      loops.push_back({d, count});
    }
  if (lanes > 1)
    loops.push_back({unsigned(v), lanes});
  return loops;
}

/// Bytes through the port of the busiest engine, and through the memory's.
void Planner::countPorts() {
  const bool usesTables =
      std::any_of(kernel.blocks.begin(), kernel.blocks.end(),
                  [](const KernelBlock &block) { return block.tableLoads; });
  double local = double(usesTables ? spec.tpc.silicon.localMemoryBesideTables
                                   : spec.tpc.silicon.localMemory);
  double shared = double(spec.memory.sramBytes);
  const uint32_t grain = spec.tpc.vectorBytes;
  std::vector<uint32_t> seen;
  const auto countAccess = [&](const KernelBlock &block, uint32_t number) {
    const FlatAccess &access = kernel.accesses[number];
    AccessPlan &result = plan.accesses[number];
    const std::vector<Loop> mine = loopsOf(access, block, plan.box),
                            all = loopsOf(access, block, kernel.extents);
    // A later stage reads again what an earlier one read at the same point:
    // it comes from the memory that holds what a point reads.
    if (std::any_of(seen.begin(), seen.end(), [&](uint32_t other) {
          return kernel.accesses[other].isSameAs(access);
        })) {
      size_t inner = 0;
      while (inner < mine.size() && (kernel.parallel >> mine[inner].dim & 1) &&
             inner + 1 < mine.size())
        ++inner;
      const double row = touchedBytes(access, mine, inner, grain);
      if (row <= local)
        return;
      const Traffic again = trafficInto(local, access, mine, grain);
      result.portBytes += counted(again.bytes);
      if (row * plan.split.engines > shared)
        result.hbmBytes +=
            counted(trafficInto(shared, access, all, grain).bytes);
      return;
    }
    seen.push_back(number);
    const Traffic port = trafficInto(local, access, mine, grain);
    const Traffic memory = trafficInto(shared, access, all, grain);
    local -= port.kept;
    shared -= memory.kept;
    result.portBytes += counted(port.bytes);
    result.hbmBytes += counted(memory.bytes);
    result.refetches = counted(std::round(memory.refetches));
  };
  for (const KernelBlock &block : kernel.blocks) {
    for (uint32_t access : block.loads)
      countAccess(block, access);
    for (uint32_t access : block.stores)
      countAccess(block, access);
  }
  for (uint32_t i = 0; i < kernel.accesses.size(); ++i)
    (kernel.accesses[i].isRead ? plan.readPort : plan.writePort) +=
        double(plan.accesses[i].portBytes);
}

} // namespace

TpcPlan planOf(const KernelWork &work, const device::DeviceSpec &spec) {
  const FlatKernel kernel(work);
  TpcPlan best;
  if (kernel.isEmpty) {
    best.split.engines = 1;
    best.accesses.resize(kernel.accesses.size());
    return best;
  }
  // Vectors lie along a dimension in which some tensor is contiguous; stores
  // are as good a reason as loads. Of equal ones the faster dimension wins.
  uint64_t candidates = 0;
  for (const FlatAccess &access : kernel.accesses)
    for (unsigned d : kernel.order)
      candidates |= uint64_t(access.strides[d] == 1) << d;
  if (candidates == 0)
    candidates = ~uint64_t(0);
  double least = -1;
  const auto consider = [&](int v, const std::vector<unsigned> &order) {
    TpcPlan plan = Planner(kernel, spec, v, order).run();
    const double port = spec.tpc.silicon.portBytes;
    const double time =
        std::max({plan.cycles, plan.readPort / port, plan.writePort / port});
    if (least < 0 || time < least) {
      least = time;
      best = std::move(plan);
    }
  };
  for (size_t i = kernel.order.size(); i-- > 0;) {
    const unsigned v = kernel.order[i];
    if (!(candidates >> v & 1))
      continue;
    consider(int(v), kernel.order);
    // Points are passed in any order: with the vectors outermost, what depends
    // on them alone (the parameters of a channel) is computed once.
    if (i > 0 && (kernel.parallel >> v & 1)) {
      std::vector<unsigned> order = kernel.order;
      std::rotate(order.begin(), order.begin() + std::ptrdiff_t(i),
                  order.begin() + std::ptrdiff_t(i) + 1);
      consider(int(v), order);
    }
  }
  if (least < 0)
    consider(-1, kernel.order);
  best.points = counted(kernel.points());
  return best;
}

} // namespace gaudi::timing
