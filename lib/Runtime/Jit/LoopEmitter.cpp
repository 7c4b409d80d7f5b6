// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a stage, scalar or vectorised across iterations, and what becomes of
// their accumulators.
#include "BodyEmitter.h"

#include "Gaudi/Recipe/Views.h"

#include "llvm/Analysis/VectorUtils.h"

#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Sets of independent accumulators. A reduction step has a latency of about 4
/// cycles at a throughput of 2 per cycle, so a short body is unrolled to hide
/// it; a long body hides it by itself.
unsigned unrolling(const Stage &stage, int64_t extent, unsigned lanes) {
  if (items(stage.reductions()).empty())
    return 1;
  double cost = 0;
  for (const Inst *inst : items(stage.insts()))
    cost += instructionCount(inst->op());
  unsigned count = cost <= 8 ? 4 : cost <= 24 ? 2 : 1;
  count = std::max(count * laneCount / lanes, 1u);
  while (count > 1 && extent < int64_t(count) * lanes)
    count /= 2;
  return count;
}

} // namespace

bool BodyEmitter::isArg(const Reduction &reduction) {
  return hasPosition(reduction.op());
}

bool BodyEmitter::isFloatExtreme(const Reduction &reduction) const {
  return (reduction.op() == ReduceOp::Max || reduction.op() == ReduceOp::Min) &&
         row.numbered[reduction.init()].type == ElementType::F32;
}

unsigned BodyEmitter::places(const Reduction &reduction, bool alongLoop) const {
  return alongLoop && isFloatExtreme(reduction) ? 3 : isArg(reduction) ? 2 : 1;
}

/// for (i = from; i < to; i += step) body(i), where to - from is a multiple of
/// step or the body masks the excess.
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
  emitRange(loop, i64(from), i64(to), step, body);
}

/// The same where from < to is known, which may be run-time values.
void BodyEmitter::emitRange(const LoopGroup &loop, Value *from, Value *to,
                            int64_t step,
                            llvm::function_ref<void(Value *)> body) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::LLVMContext &context = function->getContext();
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *inside = llvm::BasicBlock::Create(context, "loop", function);
  auto *after = llvm::BasicBlock::Create(context, "done", function);
  b.CreateBr(inside);
  b.SetInsertPoint(inside);
  llvm::PHINode *counter = b.CreatePHI(b.getInt64Ty(), 2);
  counter->addIncoming(from, before);
  index[loop.inner] = counter;
  body(counter);
  index[loop.inner] = nullptr;
  // No wrap: `to` is an extent of at most 2^48.
  Value *next = b.CreateAdd(counter, i64(step), "", true, true);
  counter->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, to), inside, after);
  b.SetInsertPoint(after);
}

bool BodyEmitter::isFloatSum(const Reduction &reduction) const {
  return reduction.op() == ReduceOp::Add &&
         row.numbered[reduction.init()].type == ElementType::F32;
}

/// Cuts the loops of a stage into nodes of a tree of partial sums, innermost
/// first: a node ends after the iterations that bring it to `nodeTerms` terms,
/// so it spans short loops and splits long ones. The error of a sum in order
/// grows with its terms, that of a tree with the terms of a node times the
/// depth, for one more addition per node. Variances and the gradients of norms,
/// which subtract long sums, need that. `steps`: iterations of the innermost
/// loop per set of accumulators. The number of levels.
unsigned BodyEmitter::planPartialSums(const Stage &stage, int64_t steps) {
  constexpr int64_t nodeTerms = 32;
  const std::vector<LoopGroup> &loops = plan.loops[stageNumber];
  splits.assign(loops.size(), {});
  unsigned level = 0;
  bool hasSum = false, carries = false;
  for (const Reduction *reduction : items(stage.reductions()))
    hasSum |= isFloatSum(*reduction);
  // Carry reads an accumulator as the iteration before has left it.
  for (const Inst *inst : items(stage.insts()))
    carries |= inst->op() == Op::Carry;
  if (hasSum && !carries) {
    int64_t terms = 1; // that an iteration of the loop adds to the open node
    for (size_t depth = loops.size(); depth-- > 0;) {
      const int64_t extent =
          depth + 1 == loops.size() ? steps : loops[depth].extent;
      int64_t size = 1, nodes = extent; // of the loop: iterations per node
      splits[depth].firstLevel = level;
      while (terms * nodes > nodeTerms) {
        size *= nodeTerms / terms;
        nodes = (extent + size - 1) / size;
        splits[depth].sizes.push_back(size);
        terms = 1;
        ++level;
      }
      terms *= std::max<int64_t>(nodes, 1);
      assert(terms <= nodeTerms && "a node that is not full");
    }
  }
  return level + 1;
}

/// Adds the sums of a level to those of the next one, and begins anew.
void BodyEmitter::closeNode(unsigned level) {
  forEachRow([&] {
    for (size_t set = 0; set < row.levels[level].size(); ++set) {
      const Accumulators &node = row.levels[level][set],
                         &next = row.levels[level + 1][set];
      // Other reductions have the same slots on all levels.
      for (size_t at = 0; at < node.size(); ++at) {
        if (node[at] == next[at])
          continue;
        llvm::Type *type = node[at]->getAllocatedType();
        Value *sum = values.reduce(ReduceOp::Add, b.CreateLoad(type, next[at]),
                                   b.CreateLoad(type, node[at]));
        b.CreateStore(sum, next[at]);
        b.CreateStore(llvm::ConstantFP::get(type, -0.0), node[at]);
      }
    }
  });
}

/// The loop from `from` to `to` in nodes of its first `count` sizes, in units
/// of `step` elements. `full`: the range is a multiple of the largest of them.
void BodyEmitter::emitNodes(const LoopGroup &loop, const LoopSplit &split,
                            size_t count, Value *from, Value *to, bool full,
                            int64_t step,
                            llvm::function_ref<void(Value *)> body) {
  if (count == 0)
    return emitRange(loop, from, to, step, body);
  const int64_t size = split.sizes[count - 1] * step;
  emitRange(loop, from, to, size, [&](Value *begin) {
    if (size == step) {
      body(begin);
    } else {
      // Sizes are multiples of each other: only the last node may be shorter.
      Value *end = b.CreateAdd(begin, i64(size), "", true, true);
      if (!full)
        end = b.CreateSelect(b.CreateICmpSLT(end, to), end, to);
      emitNodes(loop, split, count - 1, begin, end, full, step, body);
    }
    closeNode(split.firstLevel + unsigned(count) - 1);
  });
}

/// for (i = 0; i < to; i += step) body(i) with the partial sums of the loop.
void BodyEmitter::emitTree(const LoopGroup &loop, const LoopSplit &split,
                           int64_t to, int64_t step,
                           llvm::function_ref<void(Value *)> body) {
  if (split.sizes.empty())
    return emitLoop(loop, 0, to, step, body);
  assert(to > 0 && to % step == 0 && "split loops have iterations");
  emitNodes(loop, split, split.sizes.size(), i64(0), i64(to),
            to % (split.sizes.back() * step) == 0, step, body);
}

void BodyEmitter::emitLoops(uint32_t number) {
  const Stage &stage = *kernel.stages()->Get(number);
  const bool alongLoop = plan.laneLoops[number];
  const unsigned count =
      alongLoop ? unrolling(stage, plan.loops[number].back().extent, plan.lanes)
                : 1;
  const size_t base = row.numbered.size();
  // Loops of one iteration are gone from the plan.
  const int64_t inner =
      plan.loops[number].empty() ? 1 : plan.loops[number].back().extent;
  const unsigned levels = planPartialSums(
      stage, alongLoop ? inner / (plan.lanes * int64_t(count)) : inner);
  forEachRow([&] {
    std::vector<Accumulators> sets;
    for (unsigned set = 0; set < count; ++set)
      sets.push_back(
          startReductions(stage, alongLoop, set ? &sets[0] : nullptr));
    startPartialSums(stage, levels, sets);
  });
  emitNest(number, 0);
  // Only the reductions' results stay visible; they are numbered after the
  // instructions, of which a nest without iterations has emitted none.
  forEachRow([&] {
    row.numbered.resize(base);
    for (const Inst *inst : items(stage.insts()))
      row.numbered.push_back({nullptr, inst->type(), false});
    finishReductions(stage, row.levels.back(), alongLoop);
  });
}

/// Accumulators of the levels below the last, which is `sets`.
void BodyEmitter::startPartialSums(const Stage &stage, unsigned levels,
                                   const std::vector<Accumulators> &sets) {
  row.levels.assign(levels, sets);
  for (size_t level = 0; level + 1 < row.levels.size(); ++level) {
    for (Accumulators &set : row.levels[level]) {
      size_t at = 0;
      for (const Reduction *reduction : items(stage.reductions())) {
        if (isFloatSum(*reduction)) {
          llvm::Type *type = set[at]->getAllocatedType();
          set[at] = slot(type);
          b.CreateStore(llvm::ConstantFP::get(type, -0.0), set[at]);
        }
        at += places(*reduction, plan.laneLoops[stageNumber]);
      }
    }
  }
}

/// Emits the loops from `depth` on; the innermost one may be vectorised.
void BodyEmitter::emitNest(uint32_t number, size_t depth) {
  const std::vector<LoopGroup> &loops = plan.loops[number];
  if (plan.laneLoops[number] && depth + 1 == loops.size()) {
    emitLaneLoop(number);
  } else if (depth == loops.size()) {
    forEachRow([&] {
      const size_t base = row.numbered.size();
      emitBody(*kernel.stages()->Get(number), row.levels[0][0]);
      row.numbered.resize(base);
    });
  } else {
    emitTree(loops[depth], splits[depth], loops[depth].extent, 1,
             [&](Value *) { emitNest(number, depth + 1); });
  }
}

/// The innermost loop in three parts, of which each may be empty: vectors for
/// all accumulator sets, single vectors, and a last vector with inactive lanes.
void BodyEmitter::emitLaneLoop(uint32_t number) {
  const Stage &stage = *kernel.stages()->Get(number);
  const size_t sets = row.levels[0].size();
  const LoopGroup &loop = plan.loops[number].back();
  assert(lanes == 1 && !active && "axis Loops has no lanes outside");
  const int64_t width = plan.lanes, step = width * int64_t(sets);
  const size_t base = row.numbered.size();
  lanes = plan.lanes;
  laneDim = loop.inner;
  auto vector = [&](size_t set) {
    forEachRow([&] {
      // Values of a body are numbered again in the next one.
      emitBody(stage, row.levels[0][set]);
      row.numbered.resize(base);
    });
  };
  // In pairs only where the number of sets is even: then every body that saves
  // its NaN comparison is followed by the one that makes it up.
  const int64_t bulk = loop.extent / step * step;
  emitTree(loop, splits.back(), bulk, step, [&](Value *counter) {
    if (tier == KernelTier::Quick && sets > 1)
      return emitRange(loop, counter, b.CreateAdd(counter, i64(step)), width,
                       [&](Value *) {
                         vector(0);
                         rotateSets();
                       });
    for (size_t set = 0; set < sets; ++set) {
      index[loop.inner] =
          set ? b.CreateAdd(counter, i64(int64_t(set) * width), "", true, true)
              : counter;
      inPairs = sets % 2 == 0;
      vector(set);
    }
    inPairs = false;
  });
  // The last vector may have inactive lanes, which load and store nothing.
  emitLoop(loop, bulk, loop.extent, width, [&](Value *counter) {
    if (loop.extent % width != 0) {
      Value *left = values.widen(b.CreateSub(i64(loop.extent), counter), lanes);
      active = b.CreateICmpSLT(laneNumbers(), left);
      activeInMemory =
          b.CreateICmpSLT(b.CreateStepVector(left->getType()), left);
    }
    vector(0);
    active = activeInMemory = nullptr;
  });
  // What the rest of the loop added is in level 0 still: it moves up as after a
  // full node.
  if (bulk < loop.extent)
    for (size_t node = 0; node < splits.back().sizes.size(); ++node)
      closeNode(splits.back().firstLevel + unsigned(node));
  lanes = 1;
}

/// The next set of accumulators becomes the first.
void BodyEmitter::rotateSets() {
  forEachRow([&] {
    const std::vector<Accumulators> &sets = row.levels[0];
    for (size_t at = 0; at < sets[0].size(); ++at) {
      llvm::Type *type = sets[0][at]->getAllocatedType();
      Value *first = b.CreateLoad(type, sets[0][at]);
      for (size_t set = 0; set + 1 < sets.size(); ++set)
        b.CreateStore(b.CreateLoad(type, sets[set + 1][at]), sets[set][at]);
      b.CreateStore(first, sets.back()[at]);
    }
  });
}

/// The neutral element from which each lane starts, so that the initial value
/// counts once; null for operators where repeating it changes nothing. -0 is
/// the neutral element of float addition: -0 + +0 is +0, and -0 + -0 is -0.
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
    return nullptr;
  }
}

BodyEmitter::Accumulators
BodyEmitter::startReductions(const Stage &stage, bool alongLoop,
                             const Accumulators *first) {
  // Max, Min, And and Or start from the initial value in every lane and set:
  // taking it more than once changes nothing.
  Accumulators accumulators;
  const unsigned width = alongLoop ? plan.lanes : lanes;
  for (const Reduction *reduction : items(stage.reductions())) {
    Value *init = row.numbered[reduction->init()].value;
    if (Value *neutral = alongLoop ? identity(*reduction, init) : nullptr)
      init = neutral;
    init = values.widen(init, width);
    accumulators.push_back(slot(init->getType()));
    b.CreateStore(init, accumulators.back());
    if (alongLoop && isFloatExtreme(*reduction) && first) {
      // Or and And commute, so sets share these slots: vector registers are
      // scarce.
      accumulators.push_back((*first)[accumulators.size()]);
      accumulators.push_back((*first)[accumulators.size()]);
    } else if (alongLoop && isFloatExtreme(*reduction)) {
      llvm::Type *type = values.valueType(ElementType::I32, laneCount);
      Value *part = firstLanes(init, laneCount);
      accumulators.push_back(slot(type));
      b.CreateStore(b.CreateSExt(values.isNaN(part), type),
                    accumulators.back());
      accumulators.push_back(slot(type));
      b.CreateStore(b.CreateBitCast(part, type), accumulators.back());
    }
    if (isArg(*reduction)) {
      llvm::Type *type = values.valueType(ElementType::I64, width);
      accumulators.push_back(slot(type));
      b.CreateStore(llvm::Constant::getNullValue(type), accumulators.back());
    }
  }
  return accumulators;
}

/// Combines sets, then lanes, pairwise in an order that depends on the kernel
/// alone, so that float sums do not depend on threads. Numbers the results.
void BodyEmitter::finishReductions(const Stage &stage,
                                   const std::vector<Accumulators> &sets,
                                   bool alongLoop) {
  size_t at = 0;
  for (const Reduction *reduction : items(stage.reductions())) {
    const KernelValue init = row.numbered[reduction->init()];
    const bool extreme = alongLoop && isFloatExtreme(*reduction);
    const unsigned count = places(*reduction, alongLoop);
    auto load = [&](llvm::AllocaInst *place) {
      return b.CreateLoad(place->getAllocatedType(), place);
    };
    auto partOf = [&](const Accumulators &set) {
      Part part;
      for (unsigned i = 0; i < (extreme ? 1 : count); ++i)
        part.push_back(load(set[at + i]));
      return part;
    };
    assert(at + count <= sets[0].size() && "as startReductions made them");
    Part result;
    // Custom reductions are never vectorised along a loop (LanePlan.cpp).
    if (alongLoop) {
      std::vector<Part> parts;
      for (const Accumulators &set : sets)
        parts.push_back(partOf(set));
      const bool wholeBytes =
          parts[0][0]->getType()->getScalarSizeInBits() % 8 == 0;
      result = tier == KernelTier::Quick && isArg(*reduction) && wholeBytes
                   ? combineInMemory(*reduction, parts)
                   : combineSets(*reduction, std::move(parts));
      if (extreme)
        result[0] = extremeOf(*reduction, result[0], load(sets[0][at + 1]),
                              load(sets[0][at + 2]));
      else if (identity(*reduction, init.value))
        result[0] = values.reduce(reduction->op(), init.value, result[0]);
    } else {
      result = partOf(sets[0]);
    }
    at += count;
    // A custom reduction may select a value as it is, with the bits of its NaN.
    const bool moves = reduction->op() == ReduceOp::Custom && !init.arithmetic;
    row.numbered.push_back({result[0], init.type, !moves});
    if (isArg(*reduction))
      row.numbered.push_back({result[1], ElementType::I64, false});
  }
}

/// Combines two partial results; `x` is of lanes or sets that come first.
BodyEmitter::Part BodyEmitter::combine(const Reduction &reduction,
                                       const Part &x, const Part &y) {
  const bool largest =
      reduction.op() == ReduceOp::ArgMax || reduction.op() == ReduceOp::Max;
  if (isFloatExtreme(reduction)) {
    Value *better =
        largest ? b.CreateFCmpOGT(y[0], x[0]) : b.CreateFCmpOLT(y[0], x[0]);
    return {b.CreateSelect(better, y[0], x[0])};
  }
  if (x.size() == 1)
    return {values.reduce(reduction.op(), x[0], y[0])};
  // Ties: the earlier iteration wins. `beats` in neither direction is a tie.
  Value *better = values.beats(y[0], x[0], largest);
  Value *worse = values.beats(x[0], y[0], largest);
  Value *earlier = b.CreateAnd(b.CreateNot(worse), b.CreateICmpSLT(y[1], x[1]));
  Value *take = b.CreateOr(better, earlier);
  return {b.CreateSelect(take, y[0], x[0]), b.CreateSelect(take, y[1], x[1])};
}

/// The first or second `width` lanes; all of a vector that has no more; one
/// lane as a scalar.
llvm::Value *BodyEmitter::halfOf(Value *value, unsigned half, unsigned width) {
  auto *vector = llvm::cast<llvm::FixedVectorType>(value->getType());
  if (vector->getNumElements() == width)
    return value;
  if (width == 1)
    return b.CreateExtractElement(value, uint64_t(half));
  return b.CreateShuffleVector(
      value, llvm::createSequentialMask(half * width, width, 0));
}

llvm::Value *BodyEmitter::firstLanes(Value *value, unsigned width) {
  return halfOf(value, 0, width);
}

/// Halves are combined, of sets and then of the lanes of the last one, so the
/// depth is the logarithm: lane i meets lane i + width.
BodyEmitter::Part BodyEmitter::combineSets(const Reduction &reduction,
                                           std::vector<Part> parts) {
  for (; parts.size() > 1; parts.resize(parts.size() / 2))
    for (size_t i = 0; i < parts.size() / 2; ++i)
      parts[i] = combine(reduction, parts[i], parts[i + parts.size() / 2]);
  Part part = parts[0];
  for (unsigned width = plan.lanes / 2; width > 0; width /= 2) {
    Part halves[2];
    for (unsigned h = 0; h < 2; ++h)
      for (Value *value : part)
        halves[h].push_back(halfOf(value, h, width));
    part = combine(reduction, halves[0], halves[1]);
  }
  return part;
}

/// The same by one vector in a loop, for what takes much code and has values of
/// whole bytes: sets lie one after the other in memory, so that their halves
/// are those of a vector of all lanes.
///
///   for (half = all / 2; half > 0; half /= 2)
///     for (i = 0; i < half; i += lanes)
///       part[i ...] = combine(part[i ...], part[i + half ...])
///
/// Below `lanes`, the lanes from `half` on are of no use any more.
BodyEmitter::Part BodyEmitter::combineInMemory(const Reduction &reduction,
                                               const std::vector<Part> &parts) {
  const uint64_t width = plan.lanes, all = parts.size() * width;
  struct Place {
    llvm::Type *vector, *scalar;
    llvm::AllocaInst *memory;
    llvm::Align align; // of a lane
  };
  llvm::SmallVector<Place, 2> places;
  for (size_t at = 0; at < parts[0].size(); ++at) {
    llvm::Type *scalar = parts[0][at]->getType()->getScalarType();
    auto *vector = llvm::FixedVectorType::get(scalar, width);
    // The last vector that is read begins before `all` and ends after it.
    llvm::AllocaInst *memory = slot(llvm::ArrayType::get(scalar, all + width));
    memory->setAlignment(llvm::Align(64));
    const llvm::Align align(scalar->getScalarSizeInBits() / 8);
    for (size_t set = 0; set < parts.size(); ++set)
      b.CreateAlignedStore(parts[set][at],
                           b.CreateConstGEP1_64(scalar, memory, set * width),
                           align);
    places.push_back({vector, scalar, memory, align});
  }
  llvm::Function *function = b.GetInsertBlock()->getParent();
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(b.getContext(), name, function);
  };
  auto *halves = block("halves"), *vectors = block("vectors"),
       *halved = block("halved"), *combined = block("combined");
  llvm::BasicBlock *before = b.GetInsertBlock();
  b.CreateBr(halves);
  b.SetInsertPoint(halves);
  llvm::PHINode *half = b.CreatePHI(b.getInt64Ty(), 2);
  half->addIncoming(b.getInt64(all / 2), before);
  b.CreateBr(vectors);

  b.SetInsertPoint(vectors);
  llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(b.getInt64(0), halves);
  Part x, y;
  for (const Place &place : places) {
    auto load = [&](Value *lane) {
      return b.CreateAlignedLoad(place.vector,
                                 b.CreateGEP(place.scalar, place.memory, lane),
                                 place.align);
    };
    x.push_back(load(i));
    y.push_back(load(b.CreateAdd(i, half)));
  }
  Part made = combine(reduction, x, y);
  for (size_t at = 0; at < places.size(); ++at)
    b.CreateAlignedStore(made[at],
                         b.CreateGEP(places[at].scalar, places[at].memory, i),
                         places[at].align);
  Value *next = b.CreateAdd(i, b.getInt64(width), "", true, true);
  i->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, half), vectors, halved);

  b.SetInsertPoint(halved);
  Value *quarter = b.CreateLShr(half, 1);
  half->addIncoming(quarter, halved);
  b.CreateCondBr(b.CreateICmpNE(quarter, b.getInt64(0)), halves, combined);
  b.SetInsertPoint(combined);
  Part result;
  for (const Place &place : places)
    result.push_back(b.CreateLoad(place.scalar, place.memory));
  return result;
}

/// The extreme with what its comparisons ignore: a NaN wins, and among zeros
/// the sign. `nans`: lanes that are not 0 have met one. `signs`: the And
/// (maximum) or Or (minimum) of operands' bits in each lane: the sign is set
/// where all, or any, are negative.
llvm::Value *BodyEmitter::extremeOf(const Reduction &reduction, Value *value,
                                    Value *nans, Value *signs) {
  llvm::Type *type = value->getType();
  Value *negative =
      b.CreateICmpSLT(signs, llvm::Constant::getNullValue(signs->getType()));
  negative = reduction.op() == ReduceOp::Max ? b.CreateAndReduce(negative)
                                             : b.CreateOrReduce(negative);
  Value *zero = b.CreateFCmpOEQ(value, llvm::ConstantFP::get(type, 0.0));
  Value *signedZero =
      b.CreateSelect(negative, llvm::ConstantFP::get(type, -0.0),
                     llvm::ConstantFP::get(type, 0.0));
  Value *nan = b.CreateOrReduce(b.CreateIsNotNull(nans));
  return b.CreateSelect(nan, llvm::ConstantFP::getNaN(type),
                        b.CreateSelect(zero, signedZero, value));
}

// --- row buffers -----------------------------------------------------------

/// Address of the current iteration's element: row-major over the stage's
/// loops.
llvm::Value *BodyEmitter::rowElement(llvm::AllocaInst *buffer) {
  Value *position = i64(0);
  for (const LoopGroup &loop : plan.loops[stageNumber])
    position = b.CreateAdd(times(position, loop.extent),
                           index[loop.inner] ? index[loop.inner] : i64(0));
  return b.CreateGEP(b.getFloatTy(), buffer, position);
}

llvm::Value *BodyEmitter::loadRow(uint32_t buffer) {
  return b.CreateAlignedLoad(values.valueType(ElementType::F32, lanes),
                             rowElement(row.rowBuffers[buffer]),
                             llvm::Align(4));
}

/// Stores inactive lanes, too: they fall on elements that the next row writes
/// later, or on the padding at the end of the buffer.
void BodyEmitter::storeRow(size_t buffer, Value *value) {
  b.CreateAlignedStore(values.widen(value, lanes),
                       rowElement(row.rowBuffers[buffer]), llvm::Align(4));
}

} // namespace gaudi::runtime
