// The function around a kernel's body: walks a range of points row by row.
#include "KernelEmitter.h"

#include "BodyEmitter.h"

namespace gaudi::runtime {

using namespace recipe;
using llvm::Value;

namespace {

/// Emits `for (i = from; i + step <= to; i += step) body(i)`; returns the i
/// that is left.
template <typename Body>
Value *countedLoop(llvm::IRBuilder<> &b, Value *from, Value *to, int64_t step,
                   Body body) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::LLVMContext &context = function->getContext();
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *header = llvm::BasicBlock::Create(context, "points", function);
  auto *inside = llvm::BasicBlock::Create(context, "point", function);
  auto *after = llvm::BasicBlock::Create(context, "left", function);
  b.CreateBr(header);
  b.SetInsertPoint(header);
  llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(from, before);
  Value *end = b.CreateAdd(i, b.getInt64(uint64_t(step)), "", true, true);
  b.CreateCondBr(b.CreateICmpSLE(end, to), inside, after);
  b.SetInsertPoint(inside);
  body(i);
  i->addIncoming(end, b.GetInsertBlock());
  b.CreateBr(header);
  b.SetInsertPoint(after);
  return i;
}

} // namespace

llvm::Function *emitKernel(llvm::Module &module, const std::string &name,
                           const Kernel &kernel, const KernelPlan &plan,
                           const std::vector<ElementType> &types) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  llvm::Type *i64 = b.getInt64Ty(), *pointer = b.getPtrTy();

  // The inner function takes the operands as arguments so that those that
  // share no memory with another can be marked.
  llvm::SmallVector<llvm::Type *> parameters(types.size(), pointer);
  parameters.append({i64, i64, pointer});
  auto *inner = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), parameters, false),
      llvm::Function::InternalLinkage, name + ".body", module);
  inner->addFnAttr(llvm::Attribute::NoInline);
  inner->setDoesNotThrow();
  llvm::SmallVector<Value *> pointers;
  for (unsigned o = 0; o < types.size(); ++o) {
    if (plan.disjoint[o])
      inner->addParamAttr(o, llvm::Attribute::NoAlias);
    pointers.push_back(inner->getArg(o));
  }
  Value *begin = inner->getArg(types.size());
  Value *end = inner->getArg(types.size() + 1);
  Value *fault = inner->getArg(types.size() + 2);

  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", inner));
  BodyEmitter body(b, kernel, plan, types, pointers, fault);
  auto *rows = llvm::BasicBlock::Create(context, "rows", inner);
  auto *row = llvm::BasicBlock::Create(context, "row", inner);
  auto *finished = llvm::BasicBlock::Create(context, "finished", inner);
  llvm::BasicBlock *entry = b.GetInsertBlock();
  b.CreateBr(rows);
  b.SetInsertPoint(rows);
  llvm::PHINode *at = b.CreatePHI(i64, 2);
  at->addIncoming(begin, entry);
  b.CreateCondBr(b.CreateICmpSLT(at, end), row, finished);

  b.SetInsertPoint(row);
  llvm::SmallVector<Value *> indices(plan.parallel.size());
  Value *rest = at;
  for (size_t g = plan.parallel.size(); g-- > 1;) {
    Value *extent = b.getInt64(uint64_t(plan.parallel[g].extent));
    indices[g] = b.CreateURem(rest, extent);
    rest = b.CreateUDiv(rest, extent);
  }
  indices[0] = rest;
  Value *start = indices.back();
  const int64_t extent = plan.parallel.back().extent;
  Value *stop = b.CreateBinaryIntrinsic(
      llvm::Intrinsic::smin, b.getInt64(uint64_t(extent)),
      b.CreateAdd(start, b.CreateSub(end, at)));
  // Flattened position of column 0 of this row.
  Value *origin = b.CreateSub(at, start);
  auto points = [&](unsigned lanes, Value *from) {
    return countedLoop(b, from, stop, lanes, [&](Value *i) {
      indices.back() = i;
      body.emit(lanes, indices, b.CreateAdd(origin, i));
    });
  };
  Value *left = plan.lanes > 1 ? points(plan.lanes, start) : start;
  points(1, left);
  at->addIncoming(b.CreateAdd(origin, stop), b.GetInsertBlock());
  b.CreateBr(rows);
  b.SetInsertPoint(finished);
  b.CreateRetVoid();

  auto *outer = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {pointer, i64, i64, pointer},
                              false),
      llvm::Function::ExternalLinkage, name, module);
  outer->setDoesNotThrow();
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", outer));
  llvm::SmallVector<Value *> arguments;
  for (unsigned o = 0; o < types.size(); ++o)
    arguments.push_back(b.CreateLoad(
        pointer, b.CreateConstGEP1_64(pointer, outer->getArg(0), o)));
  arguments.append({outer->getArg(1), outer->getArg(2), outer->getArg(3)});
  b.CreateCall(inner, arguments);
  b.CreateRetVoid();
  return outer;
}

} // namespace gaudi::runtime
