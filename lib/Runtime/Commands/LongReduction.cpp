// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits a kernel of few points with a long reduction into two kernels.
#include "LongReduction.h"

#include "StageValues.h"

#include "Gaudi/Kernel/ElementType.h"
#include "Gaudi/Kernel/Limits.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Kernels with more points keep the threads busy by them.
constexpr int64_t mostPoints = 16;
/// Iterations of a point that are worth a second kernel, and those of a chunk:
/// a microsecond or more.
constexpr int64_t leastIterations = int64_t(1) << 20;
constexpr int64_t leastChunk = int64_t(1) << 13;
/// Chunks of a loop, so that their results stay in the caches.
constexpr int64_t mostChunks = 4096;

/// True if values may be reduced in groups, up to the rounding of sums.
bool isAssociative(ReduceOp op) {
  switch (op) {
  case ReduceOp::Add:
  case ReduceOp::Max:
  case ReduceOp::Min:
  case ReduceOp::MaxNum:
  case ReduceOp::MinNum:
  case ReduceOp::MaxU:
  case ReduceOp::MinU:
  case ReduceOp::And:
  case ReduceOp::Or:
  case ReduceOp::Xor:
    return true;
  default:
    return false;
  }
}

/// True if a value counts as often as it occurs; others may take the initial
/// value once per chunk.
bool countsRepeats(ReduceOp op) {
  return op == ReduceOp::Add || op == ReduceOp::Xor;
}

/// The only stage with loops, if the stages up to it store nothing.
std::optional<unsigned> loopStage(const Kernel &kernel) {
  std::optional<unsigned> found;
  const auto stages = items(kernel.stages());
  for (unsigned s = 0; s < stages.size(); ++s) {
    if (!items(stages[s]->stores()).empty() && !found)
      return std::nullopt;
    if (items(stages[s]->loops()).empty())
      continue;
    if (found || !items(stages[s]->stores()).empty() ||
        items(stages[s]->reductions()).empty())
      return std::nullopt;
    found = s;
  }
  return found;
}

/// The type of an initial value that is a constant or a load.
std::optional<ElementType> typeOfInit(const Kernel &kernel, unsigned stage,
                                      uint32_t value) {
  for (unsigned s = 0; s < stage; ++s) {
    const auto insts = items(kernel.stages()->Get(s)->insts());
    if (value >= insts.size()) {
      value -= uint32_t(insts.size());
      continue;
    }
    const Inst &inst = *insts[value];
    const bool plain = inst.op() == Op::Const || inst.op() == Op::Load;
    if (!plain || inst.type() == ElementType::I1)
      return std::nullopt;
    return inst.type();
  }
  return std::nullopt;
}

/// True if the access moves with the loop that is cut.
bool isCut(const Kernel &kernel, const LongReduction &reduction,
           uint32_t access) {
  for (const AccessDim *dim : items(kernel.accesses()->Get(access)->dims()))
    if (dim->value() < 0 && dim->coefficients()->Get(reduction.loop) != 0)
      return true;
  return false;
}

/// True if a stage without loops has an access that moves with the loop.
bool isCutElsewhere(const Kernel &kernel, const LongReduction &reduction) {
  const auto stages = items(kernel.stages());
  for (unsigned s = 0; s < stages.size(); ++s) {
    if (s == reduction.stage)
      continue;
    for (const Inst *inst : items(stages[s]->insts()))
      if (inst->op() == Op::Load && isCut(kernel, reduction, inst->a()))
        return true;
    for (const Store *store : items(stages[s]->stores()))
      if (isCut(kernel, reduction, store->access()))
        return true;
  }
  return false;
}

/// True if chunks of the stage mean what the same iterations mean in it.
bool canSplit(const Kernel &kernel, LongReduction &reduction) {
  const Stage &stage = *kernel.stages()->Get(reduction.stage);
  for (const Reduction *each : items(stage.reductions())) {
    const auto type = typeOfInit(kernel, reduction.stage, each->init());
    if (!isAssociative(each->op()) || !type)
      return false;
    reduction.types.push_back(*type);
  }
  for (const Inst *inst : items(stage.insts()))
    if (inst->op() == Op::Carry ||
        (inst->op() == Op::Index && inst->a() == reduction.loop))
      return false;
  // Faults name points of the kernel as it is.
  for (const Access *access : items(kernel.accesses()))
    for (const AccessDim *dim : items(access->dims()))
      if (dim->value() >= 0 || dim->boundary() == Boundary::Checked)
        return false;
  return !isCutElsewhere(kernel, reduction);
}

/// The smallest power of two that is not below `value`.
int64_t powerAbove(int64_t value) {
  int64_t power = 1;
  while (power < value)
    power *= 2;
  return power;
}

/// Chooses loop and chunk. False if there is too little to do.
bool chooseChunks(const Kernel &kernel, LongReduction &reduction) {
  // Points are counted up to a limit: with enough of them threads have work
  // without chunks.
  int64_t points = 1;
  reduction.sizes = {0};
  for (unsigned d = 0; d < items(kernel.index_space()).size(); ++d) {
    const int64_t extent = kernel.index_space()->Get(d);
    if (!kernel.parallel()->Get(d))
      continue;
    if (extent == 0 || extent > mostPoints / points)
      return false;
    points *= extent;
    reduction.sizes.push_back(extent);
  }
  // The chunk number is one more dimension of the index space.
  if (items(kernel.index_space()).size() >= kernel::maxKernelDims ||
      reduction.sizes.size() > kernel::maxParallelDims)
    return false;
  // The verifier bounds the work of a kernel, so the product fits.
  int64_t iterations = 1, longest = 0;
  for (uint8_t loop : items(kernel.stages()->Get(reduction.stage)->loops())) {
    const int64_t extent = kernel.index_space()->Get(loop);
    iterations *= extent;
    if (extent > longest) {
      longest = extent;
      reduction.loop = loop;
    }
  }
  if (iterations < leastIterations)
    return false;
  // From the extents alone, so that the order of additions is the same on every
  // host.
  const int64_t wanted =
      std::max(leastChunk, powerAbove((iterations - 1) / mostChunks + 1));
  const int64_t perIndex = iterations / longest;
  reduction.chunk = (wanted - 1) / perIndex + 1;
  // Whole chunks only; at least one index is left to the second kernel.
  reduction.chunks = reduction.sizes[0] = (longest - 1) / reduction.chunk;
  return reduction.chunks > 1;
}

// --- rewriting -------------------------------------------------------------

uint32_t firstValue(const KernelT &kernel, unsigned stage) {
  uint32_t first = 0;
  for (unsigned s = 0; s < stage; ++s)
    first += valuesIn(*kernel.stages[s]);
  return first;
}

/// One more dimension, the chunks, in which index i of an access means i times
/// `scale` of the loop.
void addChunks(KernelT &kernel, const LongReduction &reduction, bool parallel,
               int64_t scale) {
  kernel.index_space.push_back(reduction.chunks);
  kernel.parallel.push_back(parallel);
  for (const auto &access : kernel.accesses)
    for (const auto &dim : access->dims)
      dim->coefficients.push_back(dim->coefficients[reduction.loop] * scale);
}

/// The access to the partial values in `operand`: by chunk and point.
uint32_t addPartial(KernelT &kernel, uint32_t operand) {
  const size_t rank = kernel.index_space.size(), chunks = rank - 1;
  std::vector<unsigned> dims = {unsigned(chunks)};
  for (size_t d = 0; d < chunks; ++d)
    if (kernel.parallel[d])
      dims.push_back(unsigned(d));
  kernel.accesses.push_back(accessOf(operand, dims, rank));
  return uint32_t(kernel.accesses.size() - 1);
}

/// The neutral element of what `countsRepeats`: -0 for sums of floats.
Inst neutral(ReduceOp op, ElementType type) {
  constexpr uint64_t negativeZero = 0x80000000;
  const bool isSum = op == ReduceOp::Add && type == ElementType::F32;
  return Inst(isSum ? negativeZero : 0, 0, 0, 0, Op::Const, type);
}

} // namespace

std::optional<LongReduction> findLongReduction(const Kernel &kernel) {
  LongReduction reduction;
  const std::optional<unsigned> stage = loopStage(kernel);
  if (!stage)
    return std::nullopt;
  reduction.stage = *stage;
  if (!chooseChunks(kernel, reduction) || !canSplit(kernel, reduction))
    return std::nullopt;
  return reduction;
}

BuiltKernel chunkKernel(const Kernel &source, const LongReduction &reduction) {
  KernelT kernel;
  source.UnPackTo(&kernel);
  const uint32_t first = firstValue(kernel, reduction.stage);
  const auto count = uint32_t(reduction.types.size());
  kernel.stages.resize(reduction.stage + 1);
  StageT &stage = *kernel.stages.back();
  // Neutral elements before the stage; what it numbers moves behind them.
  renumberValues(stage, [&](uint32_t value) {
    return value < first ? value : value + count;
  });
  auto constants = std::make_unique<StageT>();
  for (uint32_t r = 0; r < count; ++r) {
    ReductionT &each = *stage.reductions[r];
    constants->insts.push_back(neutral(each.op, reduction.types[r]));
    // Reductions that count an initial value once per chunk start from the
    // neutral element; the second kernel adds the initial value.
    if (countsRepeats(each.op))
      each.init = first + r;
  }
  const uint32_t results = first + count + uint32_t(stage.insts.size());

  const auto inputs = uint32_t(kernel.inputs.size());
  kernel.index_space[reduction.loop] = reduction.chunk;
  addChunks(kernel, reduction, true, reduction.chunk);
  const auto outputs = uint32_t(kernel.outputs.size());
  auto stores = std::make_unique<StageT>();
  for (uint32_t r = 0; r < count; ++r) {
    kernel.outputs.push_back(reduction.types[r]);
    kernel.output_ranks.push_back(uint8_t(reduction.sizes.size()));
    auto store = std::make_unique<StoreT>();
    store->access = addPartial(kernel, inputs + outputs + r);
    store->value = results + r;
    stores->stores.push_back(std::move(store));
  }
  kernel.stages.insert(kernel.stages.end() - 1, std::move(constants));
  kernel.stages.push_back(std::move(stores));
  return BuiltKernel(kernel);
}

BuiltKernel combiningKernel(const Kernel &source,
                            const LongReduction &reduction) {
  KernelT kernel;
  source.UnPackTo(&kernel);
  const uint32_t first = firstValue(kernel, reduction.stage);
  const auto count = uint32_t(reduction.types.size());
  const auto inputs = uint32_t(kernel.inputs.size());
  // What is left of the loop.
  const int64_t done = reduction.chunk * reduction.chunks;
  for (const auto &access : kernel.accesses) {
    access->operand += access->operand >= inputs ? count : 0;
    for (const auto &dim : access->dims)
      dim->offset += dim->coefficients[reduction.loop] * done;
  }
  kernel.index_space[reduction.loop] -= done;
  addChunks(kernel, reduction, false, 0);

  // Two values per result are new: the load of a partial one and the result of
  // all of them, with which the rest of the loop begins.
  for (size_t s = reduction.stage; s < kernel.stages.size(); ++s)
    renumberValues(*kernel.stages[s], [&](uint32_t value) {
      return value < first ? value : value + 2 * count;
    });
  auto partial = std::make_unique<StageT>();
  partial->loops = {uint8_t(kernel.index_space.size() - 1)};
  for (uint32_t r = 0; r < count; ++r) {
    kernel.inputs.push_back(reduction.types[r]);
    kernel.input_ranks.push_back(uint8_t(reduction.sizes.size()));
    partial->insts.push_back(Inst(0, addPartial(kernel, inputs + r), 0, 0,
                                  Op::Load, reduction.types[r]));
    ReductionT &rest = *kernel.stages[reduction.stage]->reductions[r];
    auto each = std::make_unique<ReductionT>();
    each->op = rest.op;
    each->init = rest.init;
    each->value = first + r;
    rest.init = first + count + r;
    partial->reductions.push_back(std::move(each));
  }
  kernel.stages.insert(kernel.stages.begin() + reduction.stage,
                       std::move(partial));
  return BuiltKernel(kernel);
}

} // namespace gaudi::runtime
