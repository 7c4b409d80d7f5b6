// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages, instructions and reduction steps of a kernel as LLVM IR.
#include "BodyEmitter.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

BodyEmitter::BodyEmitter(llvm::IRBuilder<> &builder, const Kernel &kernel,
                         const KernelPlan &plan,
                         const std::vector<ElementType> &types,
                         llvm::ArrayRef<Value *> pointers, Value *fault,
                         KernelTier tier, Rounding rounding,
                         ColumnBuffer columns)
    : b(builder), values(builder, rounding), kernel(kernel), plan(plan),
      types(types), pointers(pointers.begin(), pointers.end()), fault(fault),
      tier(tier), columns(std::move(columns)) {
  assert((!this->columns.address ||
          this->columns.known.size() == plan.columns.size()) &&
         "filled by emitColumns");
  findNeeded();
  row.rowBuffers = makeRowBuffers();
  if (plan.pointsAtOnce > 1)
    other.rowBuffers = makeRowBuffers();
  keptArithmetic.assign(plan.kept.size(), true);
}

std::vector<llvm::AllocaInst *> BodyEmitter::makeRowBuffers() {
  std::vector<llvm::AllocaInst *> buffers;
  for (const RowBuffer &buffer : plan.kept) {
    // The last vector of a row may reach past its end by less than a vector.
    buffers.push_back(slot(llvm::ArrayType::get(
        b.getFloatTy(), uint64_t(buffer.length) + plan.lanes)));
    // Whole cache lines: full vectors of a buffer do not straddle two.
    buffers.back()->setAlignment(llvm::Align(64));
  }
  return buffers;
}

/// Emits the same for each of the points that run at the same time.
void BodyEmitter::forEachRow(llvm::function_ref<void()> emit) {
  emit();
  if (plan.pointsAtOnce == 1)
    return;
  auto turn = [&] {
    std::swap(row, other);
    index[plan.parallel.back().inner] = row.place;
  };
  turn();
  emit();
  turn();
}

/// Per value; null: the result of a reduction.
std::vector<const Inst *> BodyEmitter::instructionsByValue() const {
  std::vector<const Inst *> made;
  for (const Stage *stage : items(kernel.stages())) {
    for (const Inst *inst : items(stage->insts()))
      made.push_back(inst);
    for (const Reduction *reduction : items(stage->reductions()))
      made.insert(made.end(), isArg(*reduction) ? 2 : 1, nullptr);
  }
  return made;
}

/// Marks the values that stores, reductions, row buffers and faults depend on.
void BodyEmitter::findNeeded() {
  const std::vector<const Inst *> made = instructionsByValue();
  needed.assign(made.size(), false);
  for (const Stage *stage : items(kernel.stages())) {
    for (const Store *store : items(stage->stores()))
      needed[store->value()] = true;
    for (const Reduction *reduction : items(stage->reductions())) {
      needed[reduction->init()] = needed[reduction->value()] = true;
      if (isArg(*reduction))
        needed[reduction->position()] = true;
    }
  }
  for (const RowBuffer &buffer : plan.kept)
    needed[buffer.value] = true;
  // Checked loads are needed whatever becomes of their value: they may fault.
  for (size_t value = 0; value < made.size(); ++value)
    if (made[value] && made[value]->op() == Op::Load)
      for (const GuardedDim &dim : plan.accesses[made[value]->a()].guarded)
        if (dim.boundary == Boundary::Checked)
          needed[value] = true;
  findNeededOperands();
}

/// Marks what the needed values depend on: one pass from the last value to the
/// first, since operands come before users. A value loaded from a buffer needs
/// no operands.
void BodyEmitter::findNeededOperands() {
  const std::vector<const Inst *> made = instructionsByValue();
  std::vector<bool> loaded(made.size());
  for (const RowReuse &reuse : plan.reused)
    loaded[reuse.value] = true;
  if (columns.address)
    for (uint32_t value : plan.columns)
      loaded[value] = true;
  for (size_t value = made.size(); value-- > 0;) {
    const Inst *inst = made[value];
    if (!inst || !needed[value] || loaded[value])
      continue;
    // Indices that the kernel computes are operands of the load, too.
    if (inst->op() == Op::Load)
      for (const GuardedDim &dim : plan.accesses[inst->a()].guarded)
        if (dim.value >= 0)
          needed[size_t(dim.value)] = true;
    const uint32_t ids[] = {inst->a(), inst->b(), inst->c()};
    for (unsigned i = 0; i < valueOperands(inst->op()); ++i)
      needed[ids[i]] = true;
  }
}

/// Broadcasts the scalar of a scalar and a vector. Two scalars stay scalar.
void BodyEmitter::matchShapes(Value *&x, Value *&y) {
  if (varies(x) != varies(y)) {
    x = values.widen(x, lanes);
    y = values.widen(y, lanes);
  }
}

llvm::Value *BodyEmitter::plus(Value *x, Value *y) {
  matchShapes(x, y);
  return b.CreateAdd(x, y);
}

llvm::Value *BodyEmitter::times(Value *x, int64_t factor) {
  if (factor == 1)
    return x;
  return b.CreateMul(x, llvm::ConstantInt::getSigned(x->getType(), factor));
}

/// What each lane has, counted from the first point or iteration.
llvm::SmallVector<int> BodyEmitter::laneOrder() {
  llvm::SmallVector<int> order;
  const int half = int(lanes) / 2;
  for (int lane = 0; lane < int(lanes); ++lane)
    order.push_back(!plan.paired  ? lane
                    : lane < half ? 2 * lane
                                  : 2 * (lane - half) + 1);
  return order;
}

llvm::Value *BodyEmitter::laneNumbers() {
  llvm::SmallVector<llvm::Constant *> numbers;
  for (int number : laneOrder())
    numbers.push_back(b.getInt64(uint64_t(number)));
  return llvm::ConstantVector::get(numbers);
}

/// A stack slot. Only those in the entry block become registers.
llvm::AllocaInst *BodyEmitter::slot(llvm::Type *type) {
  llvm::BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> atEntry(&entry, entry.begin());
  return atEntry.CreateAlloca(type);
}

/// Begins the code of a point or a vector of points.
void BodyEmitter::start(llvm::ArrayRef<Value *> indices, Value *activePoints) {
  lanes = plan.laneAxis == LaneAxis::Points ? plan.lanes : 1;
  active = activeInMemory = activePoints;
  if (active && plan.paired)
    active = b.CreateShuffleVector(active, laneOrder());
  laneDim = plan.parallel.back().inner;
  index.assign(plan.extents.size(), nullptr);
  for (size_t g = 0; g < indices.size(); ++g)
    index[plan.parallel[g].inner] = indices[g];
  row.place = indices.back();
  row.numbered.clear();
  other.numbered.clear();
}

void BodyEmitter::emit(llvm::ArrayRef<Value *> indices, Value *firstPoint,
                       Value *activePoints, Value *second) {
  start(indices, activePoints);
  point = firstPoint;
  other.place = second;
  for (uint32_t s = 0; s < items(kernel.stages()).size(); ++s)
    emitStage(s);
}

llvm::Value *BodyEmitter::columnElement(Value *address, size_t column) {
  assert(plan.laneAxis == LaneAxis::Points && "columns are vectors of points");
  return b.CreateGEP(
      b.getFloatTy(), address,
      b.CreateAdd(index[laneDim], i64(int64_t(column) * plan.columnLength)));
}

std::vector<KernelValue> BodyEmitter::emitColumns(Value *address, Value *place,
                                                  Value *activePoints) {
  assert(!columns.address && "loads what it should compute");
  // All indices but the last are 0: the values depend on the column alone.
  llvm::SmallVector<Value *> indices(plan.parallel.size(), i64(0));
  indices.back() = place;
  start(indices, activePoints);
  needed.assign(needed.size(), false);
  for (uint32_t value : plan.columns)
    needed[value] = true;
  findNeededOperands();
  for (const Stage *stage : items(kernel.stages())) {
    emitInstructions(*stage);
    // Value numbers of reductions must exist, though nothing reads them here.
    for (const Reduction *reduction : items(stage->reductions()))
      row.numbered.resize(row.numbered.size() + (isArg(*reduction) ? 2 : 1));
  }
  std::vector<KernelValue> known;
  for (size_t column = 0; column < plan.columns.size(); ++column) {
    KernelValue value = row.numbered[plan.columns[column]];
    b.CreateAlignedStore(values.widen(value.value, lanes),
                         columnElement(address, column),
                         llvm::Align(sizeof(float) * std::min(lanes, 16u)));
    value.value = nullptr;
    // Where it was not exact, a flag was raised here, not where it is used.
    value.exactProduct = false;
    value.unrounded = value.even = nullptr;
    known.push_back(value);
  }
  return known;
}

void BodyEmitter::emitStage(uint32_t number) {
  stageNumber = number;
  const Stage &stage = *kernel.stages()->Get(number);
  if (items(stage.loops()).empty())
    forEachRow([&] { emitBody(stage, {}); });
  else
    emitLoops(number);
}

void BodyEmitter::emitBody(const Stage &stage,
                           const Accumulators &accumulators) {
  carried = accumulators;
  for (const Prefetch &each : plan.prefetches)
    if (each.stage == stageNumber && lanes > 1)
      prefetch(each);
  emitInstructions(stage);
  for (const Store *each : items(stage.stores()))
    store(*each);
  updateReductions(stage, accumulators);
  carried.clear();
}

/// Appends one entry to `numbered` per instruction, so that positions there are
/// value numbers. Values that nobody needs get an empty entry.
void BodyEmitter::emitInstructions(const Stage &stage) {
  const auto reductions = items(stage.reductions());
  for (const Inst *inst : items(stage.insts())) {
    const uint32_t number = uint32_t(row.numbered.size());
    if (!needed[number]) {
      row.numbered.push_back({nullptr, inst->type(), false});
      continue;
    }
    // An earlier stage computed this value for the whole row.
    auto reuse =
        std::lower_bound(plan.reused.begin(), plan.reused.end(), number,
                         [](const RowReuse &entry, uint32_t value) {
                           return entry.value < value;
                         });
    if (reuse != plan.reused.end() && reuse->value == number) {
      row.numbered.push_back({loadRow(reuse->buffer), ElementType::F32,
                              keptArithmetic[reuse->buffer]});
      continue;
    }
    auto column =
        std::lower_bound(plan.columns.begin(), plan.columns.end(), number);
    if (columns.address && column != plan.columns.end() && *column == number) {
      const auto k = size_t(column - plan.columns.begin());
      row.numbered.push_back(columns.known[k]);
      row.numbered.back().value = b.CreateAlignedLoad(
          values.valueType(ElementType::F32, lanes),
          columnElement(columns.address, k),
          llvm::Align(sizeof(float) * std::min(lanes, 16u)));
      continue;
    }
    switch (inst->op()) {
    case Op::Index: {
      Value *value = index[inst->a()] ? index[inst->a()] : i64(0);
      if (lanes > 1 && inst->a() == laneDim)
        value = plus(value, laneNumbers());
      row.numbered.push_back({value, ElementType::I64, false});
      break;
    }
    case Op::Load:
      row.numbered.push_back(load(inst->a()));
      break;
    case Op::Carry: {
      // Argmin and argmax before it have two slots each.
      unsigned at = inst->a();
      for (uint32_t r = 0; r < inst->a() && r < reductions.size(); ++r)
        at += isArg(*reductions[r]);
      llvm::AllocaInst *slot = carried[at];
      row.numbered.push_back(
          {b.CreateLoad(slot->getAllocatedType(), slot), inst->type(), true});
      break;
    }
    default: {
      // One vector operand makes the instruction a vector instruction.
      const unsigned count = valueOperands(inst->op());
      const uint32_t ids[] = {inst->a(), inst->b(), inst->c()};
      KernelValue operands[3];
      bool vector = false;
      for (unsigned i = 0; i < count; ++i) {
        operands[i] = row.numbered[ids[i]];
        vector |= varies(operands[i].value);
      }
      for (unsigned i = 0; vector && i < count; ++i)
        values.widen(operands[i], lanes);
      row.numbered.push_back(
          values.instruction(*inst, operands[0], operands[1], operands[2]));
      break;
    }
    }
    // A later stage reads this value from a row buffer instead of computing it.
    for (size_t k = 0; k < plan.kept.size(); ++k)
      if (plan.kept[k].value == number) {
        keptArithmetic[k] = row.numbered.back().arithmetic;
        storeRow(k, row.numbered.back().value);
      }
  }
}

/// Whether a NaN was met, and the signs of all operands. Pairs have twice the
/// lanes of the two slots.
void BodyEmitter::trackExtreme(const Reduction &reduction, Value *value,
                               llvm::AllocaInst *nanPlace,
                               llvm::AllocaInst *signPlace) {
  const bool largest = reduction.op() == ReduceOp::Max;
  llvm::Type *type = signPlace->getAllocatedType();
  Value *oldSign = b.CreateLoad(type, signPlace);
  auto track = [&](Value *part) {
    Value *bits = b.CreateBitCast(part, type);
    oldSign = largest ? b.CreateAnd(oldSign, bits) : b.CreateOr(oldSign, bits);
  };
  // An unordered comparison of two values finds a NaN in either.
  Value *second = nullptr;
  if (lanes > laneCount) {
    second = halfOf(value, 1, laneCount);
    value = firstLanes(value, laneCount);
    track(second);
  }
  track(value);
  b.CreateStore(oldSign, signPlace);
  Value *&partner = row.unchecked[&reduction];
  if (inPairs && !second && !partner) {
    partner = value;
    return;
  }
  if (!second)
    second = partner ? partner : value;
  partner = nullptr;
  Value *oldNaN = b.CreateLoad(type, nanPlace);
  Value *nan = b.CreateSExt(b.CreateFCmpUNO(value, second), type);
  b.CreateStore(b.CreateOr(oldNaN, nan), nanPlace);
}

/// Computes the new accumulators of all reductions before it stores any: the
/// reductions of an iteration see the values that the previous one left.
void BodyEmitter::updateReductions(const Stage &stage,
                                   const Accumulators &accumulators) {
  size_t at = 0;
  llvm::SmallVector<std::pair<Value *, llvm::AllocaInst *>> updates;
  auto update = [&](Value *value, Value *old, llvm::AllocaInst *place) {
    // An inactive lane keeps its accumulator.
    if (active)
      value = b.CreateSelect(active, value, old);
    updates.push_back({value, place});
  };
  for (const Reduction *reduction : items(stage.reductions())) {
    llvm::AllocaInst *place = accumulators[at++];
    Value *old = b.CreateLoad(place->getAllocatedType(), place);
    Value *value = values.widen(row.numbered[reduction->value()].value, lanes);
    if (plan.laneAxis == LaneAxis::Loops && plan.laneLoops[stageNumber] &&
        isFloatExtreme(*reduction)) {
      // A compare and select ignores NaN and takes -0 for +0; both are tracked
      // in slots of their own, which is cheaper per step than a maximum that
      // follows IEEE 754. extremeOf() combines the three.
      llvm::AllocaInst *nanPlace = accumulators[at++],
                       *signPlace = accumulators[at++];
      const bool largest = reduction->op() == ReduceOp::Max;
      Value *better =
          largest ? b.CreateFCmpOGT(value, old) : b.CreateFCmpOLT(value, old);
      update(b.CreateSelect(better, value, old), old, place);
      // What inactive lanes have is known already.
      if (active)
        value = b.CreateSelect(active, value, old);
      trackExtreme(*reduction, value, nanPlace, signPlace);
      continue;
    }
    if (!isArg(*reduction)) {
      update(values.reduce(reduction->op(), old, value), old, place);
      continue;
    }
    llvm::AllocaInst *positionPlace = accumulators[at++];
    Value *oldPosition =
        b.CreateLoad(positionPlace->getAllocatedType(), positionPlace);
    Value *position =
        values.widen(row.numbered[reduction->position()].value, lanes);
    Value *better =
        values.beats(value, old, reduction->op() == ReduceOp::ArgMax);
    update(b.CreateSelect(better, value, old), old, place);
    update(b.CreateSelect(better, position, oldPosition), oldPosition,
           positionPlace);
  }
  assert(at == accumulators.size() && "all slots belong to a reduction");
  for (auto [value, place] : updates)
    b.CreateStore(value, place);
}

} // namespace gaudi::runtime
