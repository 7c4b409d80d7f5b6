// Loops of a stage: plain ones, and innermost ones whose iterations share
// vectors.
#include "BodyEmitter.h"

#include "Gaudi/Recipe/Views.h"

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Independent running values keep a loop from waiting for its own sum; long
/// bodies have enough to do.
unsigned unrolling(const Stage &stage, int64_t extent) {
  if (items(stage.reductions()).empty())
    return 1;
  double cost = 0;
  for (const Inst *inst : items(stage.insts()))
    cost += instructionCost(inst->op());
  unsigned count = cost <= 8 ? 4 : cost <= 40 ? 2 : 1;
  while (count > 1 && extent < int64_t(count * laneCount))
    count /= 2;
  return count;
}

} // namespace

bool BodyEmitter::isArg(const Reduction &reduction) {
  return reduction.op() == ReduceOp::ArgMax ||
         reduction.op() == ReduceOp::ArgMin;
}

bool BodyEmitter::isFloatExtreme(const Reduction &reduction) const {
  return (reduction.op() == ReduceOp::Max || reduction.op() == ReduceOp::Min) &&
         numbered[reduction.init()].type == ElementType::F32;
}

/// for (i = from; i < to; i += step) body(i), with to - from a multiple of
/// step or the body masking what is too much.
void BodyEmitter::emitLoop(const LoopGroup &loop, int64_t from, int64_t to,
                           int64_t step,
                           llvm::function_ref<void(Value *)> body) {
  if (from >= to)
    return;
  if (from + step >= to) { // one iteration
    index[loop.inner] = i64(from);
    body(i64(from));
    index[loop.inner] = nullptr;
    return;
  }
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::LLVMContext &context = function->getContext();
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *inside = llvm::BasicBlock::Create(context, "loop", function);
  auto *after = llvm::BasicBlock::Create(context, "done", function);
  b.CreateBr(inside);
  b.SetInsertPoint(inside);
  llvm::PHINode *counter = b.CreatePHI(b.getInt64Ty(), 2);
  counter->addIncoming(i64(from), before);
  index[loop.inner] = counter;
  body(counter);
  index[loop.inner] = nullptr;
  Value *next = b.CreateAdd(counter, i64(step), "", true, true);
  counter->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, i64(to)), inside, after);
  b.SetInsertPoint(after);
}

void BodyEmitter::emitLoops(uint32_t number) {
  const Stage &stage = *kernel.stages()->Get(number);
  const bool alongLoop = plan.laneLoops[number];
  const unsigned sets =
      alongLoop ? unrolling(stage, plan.loops[number].back().extent) : 1;
  const size_t base = numbered.size();
  std::vector<Running> running;
  for (unsigned set = 0; set < sets; ++set)
    running.push_back(
        startReductions(stage, alongLoop, set ? &running[0] : nullptr));
  emitNest(number, 0, running);
  // Only the reductions' results stay visible, but they are numbered after the
  // instructions. A nest without iterations has emitted none.
  numbered.resize(base);
  for (const Inst *inst : items(stage.insts()))
    numbered.push_back({nullptr, inst->type(), false});
  finishReductions(stage, running, alongLoop);
}

/// The loops from `depth` on; the innermost one may have lanes.
void BodyEmitter::emitNest(uint32_t number, size_t depth,
                           const std::vector<Running> &running) {
  const std::vector<LoopGroup> &loops = plan.loops[number];
  if (plan.laneLoops[number] && depth + 1 == loops.size()) {
    emitLaneLoop(number, running);
  } else if (depth == loops.size()) {
    const size_t base = numbered.size();
    emitBody(*kernel.stages()->Get(number), running[0]);
    numbered.resize(base);
  } else {
    emitLoop(loops[depth], 0, loops[depth].extent, 1,
             [&](Value *) { emitNest(number, depth + 1, running); });
  }
}

void BodyEmitter::emitLaneLoop(uint32_t number,
                               const std::vector<Running> &running) {
  const Stage &stage = *kernel.stages()->Get(number);
  const LoopGroup &loop = plan.loops[number].back();
  const int64_t width = laneCount, step = width * int64_t(running.size());
  const size_t base = numbered.size();
  lanes = laneCount;
  laneDim = loop.inner;
  auto vector = [&](const Running &set) {
    emitBody(stage, set);
    numbered.resize(base);
  };
  const int64_t bulk = loop.extent / step * step;
  emitLoop(loop, 0, bulk, step, [&](Value *counter) {
    for (size_t set = 0; set < running.size(); ++set) {
      index[loop.inner] =
          set ? b.CreateAdd(counter, i64(int64_t(set) * width), "", true, true)
              : counter;
      inPairs = running.size() % 2 == 0;
      vector(running[set]);
    }
    inPairs = false;
  });
  emitLoop(loop, bulk, loop.extent, width, [&](Value *counter) {
    if (loop.extent % width != 0)
      active = b.CreateICmpSLT(
          laneNumbers(),
          values.widen(b.CreateSub(i64(loop.extent), counter), lanes));
    vector(running[0]);
    active = nullptr;
  });
  lanes = 1;
}

/// What a lane starts from so that the combination of all lanes, and of the
/// initial value where the operator counts repetitions, is right.
llvm::Value *BodyEmitter::identity(const Reduction &reduction, Value *init) {
  llvm::Type *type = init->getType();
  switch (reduction.op()) {
  case ReduceOp::Add:
    return type->isFloatTy() ? llvm::ConstantFP::get(type, -0.0)
                             : llvm::ConstantInt::get(type, 0);
  case ReduceOp::Mul:
    return type->isFloatTy() ? llvm::ConstantFP::get(type, 1.0)
                             : llvm::ConstantInt::get(type, 1);
  case ReduceOp::Xor:
    return llvm::ConstantInt::get(type, 0);
  default:
    return nullptr; // repetitions of the initial value change nothing
  }
}

BodyEmitter::Running BodyEmitter::startReductions(const Stage &stage,
                                                  bool alongLoop,
                                                  const Running *first) {
  Running running;
  const unsigned width = alongLoop ? laneCount : lanes;
  for (const Reduction *reduction : items(stage.reductions())) {
    Value *init = numbered[reduction->init()].value;
    if (Value *neutral = alongLoop ? identity(*reduction, init) : nullptr)
      init = neutral;
    init = values.widen(init, width);
    running.push_back(slot(init->getType()));
    b.CreateStore(init, running.back());
    if (alongLoop && isFloatExtreme(*reduction) && first) {
      // In any order; vector registers are few.
      running.push_back((*first)[running.size()]);
      running.push_back((*first)[running.size()]);
    } else if (alongLoop && isFloatExtreme(*reduction)) {
      llvm::Type *type = values.valueType(ElementType::I32, width);
      running.push_back(slot(type));
      b.CreateStore(b.CreateSExt(values.isNaN(init), type), running.back());
      running.push_back(slot(type));
      b.CreateStore(b.CreateBitCast(init, type), running.back());
    }
    if (isArg(*reduction)) {
      llvm::Type *type = values.valueType(ElementType::I64, width);
      running.push_back(slot(type));
      b.CreateStore(llvm::Constant::getNullValue(type), running.back());
    }
  }
  return running;
}

/// Combines sets, then lanes, in an order that only the kernel decides, and
/// numbers the results.
void BodyEmitter::finishReductions(const Stage &stage,
                                   const std::vector<Running> &running,
                                   bool alongLoop) {
  size_t at = 0;
  for (const Reduction *reduction : items(stage.reductions())) {
    const KernelValue init = numbered[reduction->init()];
    const bool extreme = alongLoop && isFloatExtreme(*reduction);
    const unsigned places = extreme ? 3 : isArg(*reduction) ? 2 : 1;
    auto partOf = [&](const Running &set) {
      Part part;
      for (unsigned i = 0; i < places; ++i)
        part.push_back(
            b.CreateLoad(set[at + i]->getAllocatedType(), set[at + i]));
      return part;
    };
    Part result = partOf(running[0]);
    if (alongLoop) {
      std::vector<Part> parts = {result};
      for (size_t set = 1; set < running.size(); ++set)
        parts.push_back(partOf(running[set]));
      for (; parts.size() > 1; parts.resize(parts.size() / 2))
        for (size_t i = 0; i < parts.size() / 2; ++i)
          parts[i] = combine(*reduction, parts[i], parts[i + parts.size() / 2]);
      result = combineLanes(*reduction, parts[0]);
      if (extreme)
        result = {extremeOf(*reduction, result)};
      else if (identity(*reduction, init.value))
        result[0] = values.reduce(reduction->op(), init.value, result[0]);
    }
    at += places;
    const bool moves = reduction->op() == ReduceOp::Custom && !init.arithmetic;
    numbered.push_back({result[0], init.type, !moves});
    if (isArg(*reduction))
      numbered.push_back({result[1], ElementType::I64, false});
  }
}

/// Two partial results, the first one from lanes or sets that come first.
BodyEmitter::Part BodyEmitter::combine(const Reduction &reduction,
                                       const Part &x, const Part &y) {
  const bool largest =
      reduction.op() == ReduceOp::ArgMax || reduction.op() == ReduceOp::Max;
  if (x.size() == 1)
    return {values.reduce(reduction.op(), x[0], y[0])};
  if (x.size() == 3) {
    Value *better =
        largest ? b.CreateFCmpOGT(y[0], x[0]) : b.CreateFCmpOLT(y[0], x[0]);
    return {b.CreateSelect(better, y[0], x[0]), b.CreateOr(x[1], y[1]),
            largest ? b.CreateAnd(x[2], y[2]) : b.CreateOr(x[2], y[2])};
  }
  // Equal ones: the earlier iteration wins.
  Value *better = values.beats(y[0], x[0], largest);
  Value *worse = values.beats(x[0], y[0], largest);
  Value *earlier = b.CreateAnd(b.CreateNot(worse), b.CreateICmpSLT(y[1], x[1]));
  Value *take = b.CreateOr(better, earlier);
  return {b.CreateSelect(take, y[0], x[0]), b.CreateSelect(take, y[1], x[1])};
}

BodyEmitter::Part BodyEmitter::combineLanes(const Reduction &reduction,
                                            Part part) {
  for (unsigned width = laneCount / 2; width > 0; width /= 2) {
    Part halves[2];
    for (unsigned h = 0; h < 2; ++h) {
      llvm::SmallVector<int> mask;
      for (unsigned i = 0; i < width; ++i)
        mask.push_back(int(h * width + i));
      for (Value *value : part)
        halves[h].push_back(b.CreateShuffleVector(value, mask));
    }
    part = combine(reduction, halves[0], halves[1]);
  }
  for (Value *&value : part)
    value = b.CreateExtractElement(value, uint64_t(0));
  return part;
}

/// The extreme with what comparisons do not see: a NaN, and the sign of zero.
llvm::Value *BodyEmitter::extremeOf(const Reduction &reduction,
                                    const Part &part) {
  llvm::Type *type = part[0]->getType();
  Value *sign = b.CreateAnd(part[2], b.getInt32(0x80000000u));
  Value *zero = b.CreateFCmpOEQ(part[0], llvm::ConstantFP::get(type, 0.0));
  Value *result = b.CreateSelect(zero, b.CreateBitCast(sign, type), part[0]);
  Value *nan = b.CreateICmpNE(part[1], b.getInt32(0));
  return b.CreateSelect(nan, llvm::ConstantFP::getNaN(type), result);
}

// --- row buffers -----------------------------------------------------------

/// Address of the current iteration's element in a buffer over all of the
/// stage's loops.
llvm::Value *BodyEmitter::rowElement(llvm::AllocaInst *buffer) {
  Value *position = i64(0);
  for (const LoopGroup &loop : plan.loops[stageNumber])
    position = b.CreateAdd(times(position, loop.extent),
                           index[loop.inner] ? index[loop.inner] : i64(0));
  return b.CreateGEP(b.getFloatTy(), buffer, position);
}

llvm::Value *BodyEmitter::loadRow(uint32_t buffer) {
  return b.CreateAlignedLoad(values.valueType(ElementType::F32, lanes),
                             rowElement(rowBuffers[buffer]), llvm::Align(4));
}

/// Inactive lanes lie in what the next row of loops, or nobody, has: rows are
/// written in order, so they do no harm.
void BodyEmitter::storeRow(size_t buffer, Value *value) {
  b.CreateAlignedStore(values.widen(value, lanes),
                       rowElement(rowBuffers[buffer]), llvm::Align(4));
}

} // namespace gaudi::runtime
