// Stages, loops and reductions of a kernel as LLVM IR.
#include "BodyEmitter.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

namespace gaudi::runtime {

using namespace recipe;

BodyEmitter::BodyEmitter(llvm::IRBuilder<> &builder, const Kernel &kernel,
                         const KernelPlan &plan,
                         const std::vector<ElementType> &types,
                         llvm::ArrayRef<Value *> pointers, Value *fault)
    : b(builder), values(builder), kernel(kernel), plan(plan), types(types),
      pointers(pointers.begin(), pointers.end()), fault(fault) {}

llvm::Value *BodyEmitter::plus(Value *x, Value *y) {
  if (varies(x) != varies(y)) {
    x = values.widen(x, lanes);
    y = values.widen(y, lanes);
  }
  return b.CreateAdd(x, y);
}

llvm::Value *BodyEmitter::times(Value *x, int64_t factor) {
  if (factor == 1)
    return x;
  return b.CreateMul(x, llvm::ConstantInt::getSigned(x->getType(), factor));
}

llvm::Value *BodyEmitter::laneNumbers() {
  llvm::SmallVector<llvm::Constant *> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers.push_back(b.getInt64(lane));
  return llvm::ConstantVector::get(numbers);
}

/// Stack slots live in the entry block, where they become registers.
llvm::AllocaInst *BodyEmitter::slot(llvm::Type *type) {
  llvm::BasicBlock &entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> atEntry(&entry, entry.begin());
  return atEntry.CreateAlloca(type);
}

void BodyEmitter::emit(unsigned laneNumber, llvm::ArrayRef<Value *> indices,
                       Value *firstPoint) {
  lanes = laneNumber;
  point = firstPoint;
  laneDim = plan.parallel.back().inner;
  index.assign(plan.extents.size(), nullptr);
  for (size_t g = 0; g < indices.size(); ++g)
    index[plan.parallel[g].inner] = indices[g];
  numbered.clear();
  for (uint32_t s = 0; s < items(kernel.stages()).size(); ++s)
    emitStage(s);
}

void BodyEmitter::emitStage(uint32_t number) {
  const Stage &stage = *kernel.stages()->Get(number);
  if (items(stage.loops()).empty()) {
    emitInstructions(stage);
    for (const Store *each : items(stage.stores()))
      store(*each);
    return;
  }

  const size_t base = numbered.size();
  llvm::SmallVector<llvm::AllocaInst *> running;
  llvm::SmallVector<KernelValue> results;
  for (const Reduction *reduction : items(stage.reductions())) {
    Value *init = values.widen(numbered[reduction->init()].value, lanes);
    running.push_back(slot(init->getType()));
    b.CreateStore(init, running.back());
    const bool moves = reduction->op() == ReduceOp::Custom &&
                       !numbered[reduction->init()].arithmetic;
    results.push_back({nullptr, numbered[reduction->init()].type, !moves});
    if (reduction->op() == ReduceOp::ArgMax ||
        reduction->op() == ReduceOp::ArgMin) {
      llvm::Type *type = values.valueType(ElementType::I64, lanes);
      running.push_back(slot(type));
      b.CreateStore(llvm::Constant::getNullValue(type), running.back());
      results.push_back({nullptr, ElementType::I64, false});
    }
  }

  // Nested counted loops; the blocks are closed from the inside out.
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::LLVMContext &context = function->getContext();
  struct Open {
    llvm::BasicBlock *header, *body, *exit;
    llvm::AllocaInst *counter;
    unsigned dim;
  };
  llvm::SmallVector<Open> open;
  for (const LoopGroup &loop : plan.loops[number]) {
    Open now{llvm::BasicBlock::Create(context, "loop", function),
             llvm::BasicBlock::Create(context, "body", function),
             llvm::BasicBlock::Create(context, "done", function),
             slot(b.getInt64Ty()), loop.inner};
    b.CreateStore(i64(0), now.counter);
    b.CreateBr(now.header);
    b.SetInsertPoint(now.header);
    Value *counter = b.CreateLoad(b.getInt64Ty(), now.counter);
    b.CreateCondBr(b.CreateICmpSLT(counter, i64(loop.extent)), now.body,
                   now.exit);
    b.SetInsertPoint(now.body);
    index[loop.inner] = counter;
    open.push_back(now);
  }

  carried = running;
  emitInstructions(stage);
  for (const Store *each : items(stage.stores()))
    store(*each);
  updateReductions(stage, running);
  carried = {};

  for (const Open &loop : llvm::reverse(open)) {
    b.CreateStore(b.CreateAdd(index[loop.dim], i64(1), "", true, true),
                  loop.counter);
    b.CreateBr(loop.header);
    b.SetInsertPoint(loop.exit);
    index[loop.dim] = nullptr;
  }

  // Only the reductions' results stay visible, but they are numbered after the
  // instructions.
  for (size_t i = base; i < numbered.size(); ++i)
    numbered[i].value = nullptr;
  for (size_t r = 0; r < running.size(); ++r) {
    results[r].value = b.CreateLoad(running[r]->getAllocatedType(), running[r]);
    numbered.push_back(results[r]);
  }
}

void BodyEmitter::emitInstructions(const Stage &stage) {
  const auto reductions = items(stage.reductions());
  for (const Inst *inst : items(stage.insts())) {
    switch (inst->op()) {
    case Op::Index: {
      Value *value = index[inst->a()] ? index[inst->a()] : i64(0);
      if (lanes > 1 && inst->a() == laneDim)
        value = plus(value, laneNumbers());
      numbered.push_back({value, ElementType::I64, false});
      continue;
    }
    case Op::Load:
      numbered.push_back(load(inst->a()));
      continue;
    case Op::Carry: {
      // Arg reductions before it take two slots.
      unsigned at = inst->a();
      for (uint32_t r = 0; r < inst->a() && r < reductions.size(); ++r)
        at += reductions[r]->op() == ReduceOp::ArgMax ||
              reductions[r]->op() == ReduceOp::ArgMin;
      llvm::AllocaInst *running = carried[at];
      numbered.push_back({b.CreateLoad(running->getAllocatedType(), running),
                          inst->type(), true});
      continue;
    }
    default:
      break;
    }
    // How many operands an instruction reads follows from its kind.
    unsigned count = 2;
    const Op op = inst->op();
    if (op == Op::Const)
      count = 0;
    else if (op == Op::Select || op == Op::FmaF)
      count = 3;
    else if (op >= Op::FloatToSI || (op >= Op::Clz && op <= Op::AbsI) ||
             (op >= Op::NegF && op <= Op::ErfcF && op != Op::CopySignF))
      count = 1;
    const uint32_t ids[] = {inst->a(), inst->b(), inst->c()};
    KernelValue operands[3];
    bool vector = false;
    for (unsigned i = 0; i < count; ++i) {
      operands[i] = numbered[ids[i]];
      vector |= varies(operands[i].value);
    }
    for (unsigned i = 0; vector && i < count; ++i)
      operands[i].value = values.widen(operands[i].value, lanes);
    numbered.push_back(
        values.instruction(*inst, operands[0], operands[1], operands[2]));
  }
}

void BodyEmitter::updateReductions(const Stage &stage,
                                   llvm::ArrayRef<llvm::AllocaInst *> running) {
  // With lanes the scalar tail must add in the same order, so only kernels
  // without lanes may let the compiler reorder.
  const bool fast = plan.lanes == 1;
  size_t at = 0;
  llvm::SmallVector<std::pair<Value *, llvm::AllocaInst *>> updates;
  for (const Reduction *reduction : items(stage.reductions())) {
    llvm::AllocaInst *place = running[at++];
    Value *old = b.CreateLoad(place->getAllocatedType(), place);
    Value *value = values.widen(numbered[reduction->value()].value, lanes);
    if (reduction->op() != ReduceOp::ArgMax &&
        reduction->op() != ReduceOp::ArgMin) {
      updates.push_back(
          {values.reduce(reduction->op(), old, value, fast), place});
      continue;
    }
    llvm::AllocaInst *positionPlace = running[at++];
    Value *oldPosition =
        b.CreateLoad(positionPlace->getAllocatedType(), positionPlace);
    Value *position =
        values.widen(numbered[reduction->position()].value, lanes);
    Value *better =
        values.beats(value, old, reduction->op() == ReduceOp::ArgMax);
    updates.push_back({b.CreateSelect(better, value, old), place});
    updates.push_back(
        {b.CreateSelect(better, position, oldPosition), positionPlace});
  }
  for (auto [value, place] : updates)
    b.CreateStore(value, place);
}

} // namespace gaudi::runtime
