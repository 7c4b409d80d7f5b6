// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels have a watched version, and the loop that calls it.
#include "WatchEmitter.h"

#include "Gaudi/Recipe/KernelLanguage.h"
#include "Gaudi/Recipe/Views.h"
#include "JitHost.h"
#include "PlanCosts.h"

#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;
using llvm::Value;

namespace {

/// Nearest even, no traps, subnormals kept, no flag raised.
constexpr uint32_t exactState = 0x1f80;
/// Subnormal results are flushed to zero, which raises underflow even where
/// they are exact.
constexpr uint32_t flushingState = exactState | 0x8000;
constexpr uint32_t invalid = 0x01, subnormalOperand = 0x02, overflow = 0x08,
                   underflow = 0x10;

/// How watched code runs.
struct WatchMode {
  uint32_t state, telltale;
  /// Of a block, in vector operations times lanes: reading the flags costs some
  /// 50 cycles, and one unusual number costs a block.
  double work;
  /// Blocks that follow a raised flag and run the exact version at once:
  /// unusual numbers come in groups, and what is gained without is little.
  int64_t exactBlocks;
};

/// Conversions are compared, which raises both flags where it has to; that
/// other results become subnormal does not matter.
WatchMode modeOf(Watching watching) {
  if (watching == Watching::Conversions)
    return {exactState, invalid | subnormalOperand, 1 << 20, 64};
  return {flushingState, invalid | subnormalOperand | overflow | underflow,
          1 << 17, 8};
}

/// Roundings from which a second version pays.
constexpr unsigned manyRoundings = 3;
/// Work of a kernel from which a version that only converts faster, for some
/// 5 % of the time, pays for its code generation.
constexpr double longWork = 1 << 23;

int64_t pointsPerBlock(const KernelPlan &plan, double work) {
  // Paired vectors have more lanes.
  const auto lanes = int64_t(std::max<unsigned>(plan.lanes, laneCount));
  const int64_t wanted =
      std::max(lanes, int64_t(work / std::max(plan.workPerPoint, 1.0)));
  const int64_t row = plan.parallel.back().extent;
  // Whole rows or whole vectors, so that no vector is cut.
  const int64_t unit = row <= wanted ? row : lanes;
  return wanted / unit * unit;
}

/// True if the kernel can be run twice: no point reads what another one, or the
/// first run, has written, or faults. Kernels load inputs only.
bool isRepeatable(const Kernel &kernel, const KernelPlan &plan,
                  size_t operands) {
  if (!plan.independent)
    return false;
  const size_t inputs = items(kernel.inputs()).size();
  for (size_t o = inputs; o < operands; ++o)
    if (!plan.disjoint[o])
      return false;
  for (const PlannedAccess &access : plan.accesses)
    for (const GuardedDim &dim : access.guarded)
      if (dim.boundary == Boundary::Checked)
        return false;
  return true;
}

/// True for long runs over rows that round to bf16 only where the host converts
/// neighbours: watched code does not look for numbers that this changes.
bool onlyConverts(const Kernel &kernel, const KernelPlan &plan,
                  const std::vector<ElementType> &types) {
  if (plan.laneAxis != LaneAxis::Loops || !plan.paired || !jitHost().bfloat ||
      double(plan.points) * plan.workPerPoint < longWork)
    return false;
  const auto stages = items(kernel.stages());
  bool converts = false;
  for (uint32_t s = 0; s < stages.size(); ++s) {
    for (const Inst *inst : items(stages[s]->insts()))
      if (inst->op() == Op::RoundTo &&
          ElementType(inst->imm()) == ElementType::BF16)
        return false;
    for (const Store *store : items(stages[s]->stores())) {
      const PlannedAccess &access = plan.accesses[store->access()];
      if (types[access.operand] != ElementType::BF16)
        continue;
      if (!plan.laneLoops[s] ||
          access.position[plan.loops[s].back().inner] != 1)
        return false;
      converts = true;
    }
  }
  return converts;
}

unsigned countRoundings(const Kernel &kernel, const KernelPlan &plan,
                        const std::vector<ElementType> &types) {
  unsigned roundings = 0;
  for (const Stage *stage : items(kernel.stages())) {
    for (const Inst *inst : items(stage->insts()))
      roundings += inst->op() == Op::RoundTo &&
                   ElementType(inst->imm()) == ElementType::BF16;
    for (const Store *store : items(stage->stores()))
      roundings +=
          types[plan.accesses[store->access()].operand] == ElementType::BF16;
  }
  return roundings;
}

} // namespace

Watching watchingOf(const Kernel &kernel, const KernelPlan &plan,
                    const std::vector<ElementType> &types) {
  if (!jitHost().fma || !jitHost().raisesFlags || plan.lanes == 1 ||
      !isRepeatable(kernel, plan, types.size()) || roundsByRule(kernel))
    return Watching::None;
  if (onlyConverts(kernel, plan, types))
    return Watching::Conversions;
  return countRoundings(kernel, plan, types) >= manyRoundings
             ? Watching::Roundings
             : Watching::None;
}

/// saved = flags and modes
/// for (at = begin; at < end; at = next)
///   clear flags; next = end of the block; watched(at, next)
///   if (a flag is raised)
///     next = end of the block some blocks later; exact(at, next) with
///     subnormal results
/// restore
void callWatched(llvm::IRBuilder<> &b, const KernelPlan &plan,
                 Watching watching, llvm::Function *watched,
                 llvm::Function *exact, llvm::SmallVector<Value *> arguments) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::LLVMContext &context = b.getContext();
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(context, name, function);
  };
  auto state = [&](llvm::Intrinsic::ID id, Value *place) {
    b.CreateIntrinsic(id, llvm::ArrayRef<Value *>(place));
  };
  constexpr auto read = llvm::Intrinsic::x86_sse_stmxcsr,
                 write = llvm::Intrinsic::x86_sse_ldmxcsr;
  const size_t beginAt = arguments.size() - 3, endAt = beginAt + 1;
  Value *begin = arguments[beginAt], *end = arguments[endAt];
  auto call = [&](llvm::Function *inner, Value *from, Value *to) {
    arguments[beginAt] = from;
    arguments[endAt] = to;
    b.CreateCall(inner, arguments);
  };
  // The control register is read and written through memory.
  Value *saved = b.CreateAlloca(b.getInt32Ty());
  Value *clean = b.CreateAlloca(b.getInt32Ty());
  Value *keeping = b.CreateAlloca(b.getInt32Ty());
  Value *seen = b.CreateAlloca(b.getInt32Ty());
  const WatchMode mode = modeOf(watching);
  b.CreateStore(b.getInt32(mode.state), clean);
  b.CreateStore(b.getInt32(exactState), keeping);
  state(read, saved);
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *head = block("blocks"), *inside = block("block"), *redo = block("redo"),
       *close = block("close"), *done = block("done");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode *at = b.CreatePHI(b.getInt64Ty(), 2);
  at->addIncoming(begin, before);
  b.CreateCondBr(b.CreateICmpSLT(at, end), inside, done);

  b.SetInsertPoint(inside);
  const int64_t points = pointsPerBlock(plan, mode.work);
  Value *size = b.getInt64(uint64_t(points));
  // Blocks start at multiples of their size, whatever `begin` is.
  Value *start = b.CreateSub(at, b.CreateURem(at, size));
  auto blockEnd = [&](int64_t count) {
    Value *to = b.CreateAdd(start, b.getInt64(uint64_t(count * points)));
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, to, end);
  };
  Value *to = blockEnd(1);
  state(write, clean);
  call(watched, at, to);
  state(read, seen);
  Value *raised = b.CreateAnd(b.CreateLoad(b.getInt32Ty(), seen),
                              b.getInt32(mode.telltale));
  b.CreateCondBr(b.CreateICmpNE(raised, b.getInt32(0)), redo, close);

  b.SetInsertPoint(redo);
  Value *later = blockEnd(mode.exactBlocks);
  // Some blocks go at once: what raised a flag is often near more of it.
  state(write, keeping);
  call(exact, at, later);
  b.CreateBr(close);

  b.SetInsertPoint(close);
  llvm::PHINode *next = b.CreatePHI(b.getInt64Ty(), 2);
  next->addIncoming(to, inside);
  next->addIncoming(later, redo);
  at->addIncoming(next, close);
  b.CreateBr(head);
  b.SetInsertPoint(done);
  state(write, saved);
}

} // namespace gaudi::runtime
