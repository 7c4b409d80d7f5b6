// Cost of a kernel: memory at HBM bandwidth plus vector instructions, both at
// the share of the engines that the parallel points can occupy.
#include "Profit.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

/// Vector instructions of a node.
static double instructionsOf(const Node &node) {
  switch (node.kind) {
  case Node::Constant:
  case Node::Index:
  case Node::Result:
  case Node::Carry:
    return 0;
  case Node::Load:
    return 1;
  case Node::Scalar:
    break;
  }
  // truncf does the rounding of what extf then widens.
  if (node.name->getTypeID() == TypeID::get<arith::ExtFOp>())
    return 0;
  std::optional<::gaudi::kernel::Opcode> opcode = opcodeOf(*node.name);
  return opcode ? instructionCount(*opcode) : 1;
}

namespace {
/// Counts each value once per set of loops it is computed in: what several
/// loops over the same dimensions share is kept in a row buffer.
class Counter {
public:
  explicit Counter(const KernelDag &dag)
      : dag(dag), sequential(dag.sequentialDims()) {}

  void count(NodeId id, uint64_t walked) {
    const Node &node = dag.nodes[id];
    uint64_t here = node.dims & sequential ? walked : 0;
    if (isCounted(id, here))
      return;
    double steps = dag.pointsOf(here);
    total += steps * instructionsOf(node);
    if (node.kind == Node::Load)
      reads[dag.accesses[node.number].tensor] += steps;
    for (NodeId operand : node.operands)
      count(operand, walked);
  }

  bool isCounted(NodeId id, uint64_t walked) {
    llvm::SmallBitVector &ids = seen[walked];
    ids.resize(dag.nodes.size());
    const bool before = ids[id];
    ids.set(id);
    return before;
  }

  const KernelDag &dag;
  uint64_t sequential;
  double total = 0;                             // per parallel point
  llvm::SmallMapVector<Value, double, 8> reads; // steps, once per tensor
  llvm::SmallDenseMap<uint64_t, llvm::SmallBitVector, 4> seen;
};
} // namespace

/// Values of 32 bits in a vector.
static double lanesOf(const ::gaudi::device::DeviceSpec &spec) {
  return spec.tpc.vectorBytes / sizeof(float);
}

/// Lanes that a vector fills. What a point stores may lie in short runs with
/// other points' runs between them; a vector goes along one run then.
static double lanesInRuns(const KernelDag &dag, double lanes) {
  uint64_t sequential = dag.sequentialDims();
  for (const Store &store : dag.stores) {
    double run = 1;
    bool others = false, broken = false;
    for (const Affine &form : llvm::reverse(store.position)) {
      SmallVector<unsigned, 4> dims;
      for (unsigned d = 0; d < form.size(); ++d)
        if (form[d] != 0 && dag.extents[d] > 1)
          dims.push_back(d);
      llvm::sort(dims, [&](unsigned a, unsigned b) {
        return std::abs(form[a]) < std::abs(form[b]);
      });
      // Fastest first: what a point walks itself extends the run until the
      // first parallel dimension; after that one, the point's elements are
      // apart.
      for (unsigned d : dims) {
        if (!(sequential >> d & 1))
          others = true;
        else if (others)
          broken = true;
        else
          run *= double(dag.extents[d]);
      }
    }
    if (broken && run > 1)
      lanes = std::min(lanes, run);
  }
  return lanes;
}

KernelCost
mlir::gaudi::fusion::costOf(const KernelDag &dag,
                            const ::gaudi::device::DeviceSpec &spec) {
  const double points = dag.pointsOf(dag.usedDims() & ~dag.sequentialDims());
  Counter counter(dag);
  for (const Loop &loop : dag.loops) {
    const uint64_t walked = maskOf(loop.dims);
    for (const Reduction &r : loop.reductions) {
      counter.count(r.init, 0);
      counter.count(r.value, walked);
      if (r.position)
        counter.count(*r.position, walked);
      counter.total += dag.pointsOf(walked);
    }
  }
  KernelCost cost;
  bool hasLoops = !dag.loops.empty();
  for (const Store &store : dag.stores) {
    const uint64_t walked = dimsOf(store.position) & counter.sequential;
    hasLoops |= walked != 0;
    counter.count(store.value, walked);
    counter.total += dag.pointsOf(walked);
    cost.bytes += byteCount(store.result);
  }
  // A tensor that many points read comes from memory once: caches hold it.
  for (auto &[tensor, steps] : counter.reads)
    cost.bytes +=
        std::min(double(byteCount(tensor)),
                 steps * points * elementBytes(getElementTypeOrSelf(tensor)));
  cost.instructions = counter.total * points;
  cost.points = points;
  double lanes = lanesOf(spec);
  // A row-wise reduction kernel works on a point with whole vectors; without
  // loops the points themselves fill the vectors.
  double units = hasLoops ? points : std::ceil(points / lanes);
  double active = std::min<double>(units, spec.tpc.engines);
  double vectors =
      std::max(cost.instructions / lanesInRuns(dag, lanes), active);
  cost.seconds =
      cost.bytes / spec.memory.dramBandwidth * (spec.tpc.engines / active) +
      vectors / (active * spec.tpc.clockHz);
  return cost;
}

double
mlir::gaudi::fusion::launchSeconds(const ::gaudi::device::DeviceSpec &spec) {
  return double(spec.tpc.instructionCacheBytes) * spec.tpc.engines /
         spec.memory.dramBandwidth;
}

double
mlir::gaudi::fusion::freeInstructions(const ::gaudi::device::DeviceSpec &spec) {
  // A few vectors on each engine.
  return 8 * lanesOf(spec) * spec.tpc.engines;
}

double mlir::gaudi::fusion::instructionsPerByte(
    const ::gaudi::device::DeviceSpec &spec) {
  return lanesOf(spec) * spec.tpc.engines * spec.tpc.clockHz /
         spec.memory.dramBandwidth;
}
