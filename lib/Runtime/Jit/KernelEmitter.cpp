// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function around a kernel's body: iterates over a range of points, row by
// row of the innermost parallel group.
#include "KernelEmitter.h"

#include "BodyEmitter.h"
#include "WatchEmitter.h"

#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>
#include <cassert>

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
  // The body may have ended in another block than it began in.
  i->addIncoming(end, b.GetInsertBlock());
  b.CreateBr(header);
  b.SetInsertPoint(after);
  return i;
}

/// i1 per lane: from <= lane < to, both i64, 0 <= from. Lane numbers and masks
/// of most elements have 32 bits, so the comparisons have, too.
Value *lanesBetween(llvm::IRBuilder<> &b, unsigned lanes, Value *from,
                    Value *to) {
  to = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, to, b.getInt64(lanes));
  Value *places =
      b.CreateStepVector(llvm::FixedVectorType::get(b.getInt32Ty(), lanes));
  auto all = [&](Value *value) {
    return b.CreateVectorSplat(lanes, b.CreateTrunc(value, b.getInt32Ty()));
  };
  return b.CreateAnd(b.CreateICmpSGE(places, all(from)),
                     b.CreateICmpSLT(places, all(to)));
}

/// Covers [from, to) with vectors that start at multiples of their width, as
/// below, all of them with a computed mask: the least code.
template <typename Part>
void maskedLoop(llvm::IRBuilder<> &b, unsigned lanes, Value *from, Value *to,
                Part part) {
  Value *first = b.CreateAnd(from, b.getInt64(-uint64_t(lanes)));
  Value *before = b.CreateSub(from, first);
  Value *end = b.CreateAdd(to, b.getInt64(lanes - 1));
  countedLoop(b, first, end, lanes, [&](Value *base) {
    Value *skipped =
        b.CreateSelect(b.CreateICmpEQ(base, first), before, b.getInt64(0));
    part(base, lanesBetween(b, lanes, skipped, b.CreateSub(to, base)));
  });
}

/// Covers [from, to) with vectors that start at multiples of their width, so
/// that their stores are aligned: full(i) for whole ones, part(i, active) for
/// those at the two ends.
///
///   next:   i < to ? choose : done
///   choose: whole vector here ? bulk : otherwise
///   bulk:   all whole vectors; back to next
///   otherwise -> tail: aligned, last in the row: a constant mask, as
///                      extent % lanes is known when this is emitted
///             -> end:  any other part: a mask computed from lane numbers
///
/// Every block but `done` moves i to the next multiple of `lanes`, so each is
/// left after at most one round.
template <typename Full, typename Part>
void vectorLoop(llvm::IRBuilder<> &b, unsigned lanes, Value *from, Value *to,
                int64_t extent, Full full, Part part) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::LLVMContext &context = function->getContext();
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(context, name, function);
  };
  llvm::BasicBlock *before = b.GetInsertBlock();
  auto *next = block("next"), *choose = block("choose"), *bulk = block("bulk"),
       *end = block("end"), *done = block("done");
  Value *width = b.getInt64(lanes);
  b.CreateBr(next);
  b.SetInsertPoint(next);
  llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 3);
  i->addIncoming(from, before);
  b.CreateCondBr(b.CreateICmpSLT(i, to), choose, done);

  b.SetInsertPoint(choose);
  Value *lane = b.CreateAnd(i, b.getInt64(lanes - 1));
  Value *fits = b.CreateICmpSLE(b.CreateAdd(i, width), to);
  Value *aligned = b.CreateICmpEQ(lane, b.getInt64(0));
  const unsigned left = unsigned(extent % lanes);
  auto *otherwise = left ? block("otherwise") : end;
  b.CreateCondBr(b.CreateAnd(fits, aligned), bulk, otherwise);

  b.SetInsertPoint(bulk);
  Value *covered = countedLoop(b, i, to, lanes, full);
  i->addIncoming(covered, b.GetInsertBlock());
  b.CreateBr(next);

  if (left) {
    llvm::SmallVector<llvm::Constant *> first;
    for (unsigned n = 0; n < lanes; ++n)
      first.push_back(b.getInt1(n < left));
    b.SetInsertPoint(otherwise);
    auto *tail = block("tail");
    Value *rowEnds = b.CreateICmpEQ(to, b.getInt64(uint64_t(extent)));
    b.CreateCondBr(b.CreateAnd(aligned, rowEnds), tail, end);
    b.SetInsertPoint(tail);
    part(i, llvm::ConstantVector::get(first));
    i->addIncoming(b.CreateAdd(i, width), b.GetInsertBlock());
    b.CreateBr(next);
  }

  b.SetInsertPoint(end);
  // From the multiple of `lanes` at or before i: lanes before i and from `to`
  // on are inactive. i stays below `base + lanes`, so the range is not empty.
  Value *base = b.CreateSub(i, lane);
  part(base, lanesBetween(b, lanes, lane, b.CreateSub(to, base)));
  i->addIncoming(b.CreateAdd(base, width), b.GetInsertBlock());
  b.CreateBr(next);
  b.SetInsertPoint(done);
}

/// pair(i, i + 1) from `from` to `to`; the last of an odd number is paired with
/// itself, so what it stores is stored twice.
template <typename Pair>
void emitPairs(llvm::IRBuilder<> &b, Value *from, Value *to, Pair pair) {
  Value *one = b.getInt64(1);
  Value *odd = b.CreateAnd(b.CreateSub(to, from), one);
  Value *last = b.CreateSub(to, one);
  countedLoop(b, from, b.CreateAdd(to, odd), 2, [&](Value *i) {
    pair(i, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.CreateAdd(i, one),
                                    last));
  });
}

bool streams(const KernelPlan &plan) {
  return std::find(plan.streaming.begin(), plan.streaming.end(), true) !=
         plan.streaming.end();
}

/// The inner function, `void (ptr operand..., ptr columns, i64 begin, i64 end,
/// ptr fault)`. Operands are arguments of its own so that those that share no
/// byte with an output can be `noalias`.
llvm::Function *createInner(llvm::Module &module, const std::string &name,
                            const KernelPlan &plan, unsigned operands) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  llvm::SmallVector<llvm::Type *> parameters(operands + 1, pointer);
  parameters.append({i64, i64, pointer});
  auto *inner = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters,
                              false),
      llvm::Function::InternalLinkage, name, module);
  // Inlined, the arguments would lose `noalias`.
  inner->addFnAttr(llvm::Attribute::NoInline);
  inner->setDoesNotThrow();
  for (unsigned o = 0; o < operands; ++o)
    if (plan.disjoint[o] &&
        std::none_of(plan.inPlace.begin(), plan.inPlace.end(),
                     [&](const OperandPair &pair) {
                       return pair.input == o || pair.output == o;
                     }))
      inner->addParamAttr(o, llvm::Attribute::NoAlias);
  inner->addParamAttr(operands, llvm::Attribute::NoAlias);
  return inner;
}

/// Emits one row: the points from flattened position `at` to `end` or to the
/// end of the innermost parallel group, whichever is first. Returns the
/// position after it.
Value *emitRow(llvm::IRBuilder<> &b, const KernelPlan &plan, KernelTier tier,
               BodyEmitter &body, Value *at, Value *end) {
  // One division per row and group, none per point.
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
  // Flattened position of column 0 of this row, from which faults are counted.
  Value *origin = b.CreateSub(at, start);
  auto emit = [&](Value *i, Value *active) {
    indices.back() = i;
    body.emit(indices, b.CreateAdd(origin, i), active);
  };
  if (plan.laneAxis == LaneAxis::Points && tier == KernelTier::Quick)
    maskedLoop(b, plan.lanes, start, stop, emit);
  else if (plan.laneAxis == LaneAxis::Points)
    vectorLoop(
        b, plan.lanes, start, stop, extent, [&](Value *i) { emit(i, nullptr); },
        emit);
  else if (plan.pointsAtOnce == 1)
    countedLoop(b, start, stop, 1, [&](Value *i) { emit(i, nullptr); });
  else
    emitPairs(b, start, stop, [&](Value *i, Value *second) {
      indices.back() = i;
      body.emit(indices, b.CreateAdd(origin, i), nullptr, second);
    });
  return b.CreateAdd(origin, stop);
}

/// An inner function whose body is to be emitted.
struct Inner {
  Inner(llvm::Module &module, const std::string &name, const KernelPlan &plan,
        unsigned operands)
      : function(createInner(module, name, plan, operands)),
        columns(function->getArg(operands)),
        begin(function->getArg(operands + 1)),
        end(function->getArg(operands + 2)),
        fault(function->getArg(operands + 3)), b(module.getContext()) {
    for (unsigned o = 0; o < operands; ++o)
      pointers.push_back(function->getArg(o));
    b.SetInsertPoint(
        llvm::BasicBlock::Create(module.getContext(), "entry", function));
  }

  llvm::Function *function;
  llvm::SmallVector<Value *> pointers;
  Value *columns, *begin, *end, *fault;
  llvm::IRBuilder<> b;
};

/// Emits the loop over rows of [begin, end) into an inner function. `known`: of
/// the buffered columns; none: without their buffer.
llvm::Function *emitInner(llvm::Module &module, const std::string &name,
                          const Kernel &kernel, const KernelPlan &plan,
                          const std::vector<ElementType> &types,
                          KernelTier tier, Rounding rounding,
                          std::vector<KernelValue> known = {}) {
  Inner made(module, name, plan, unsigned(types.size()));
  llvm::Function *inner = made.function;
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> &b = made.b;
  Value *begin = made.begin, *end = made.end;
  ColumnBuffer columns;
  if (!known.empty())
    columns = {made.columns, std::move(known)};
  BodyEmitter body(b, kernel, plan, types, made.pointers, made.fault, tier,
                   rounding, std::move(columns));
  auto *rows = llvm::BasicBlock::Create(context, "rows", inner);
  auto *row = llvm::BasicBlock::Create(context, "row", inner);
  auto *finished = llvm::BasicBlock::Create(context, "finished", inner);
  llvm::BasicBlock *entry = b.GetInsertBlock();
  b.CreateBr(rows);
  b.SetInsertPoint(rows);
  llvm::PHINode *at = b.CreatePHI(b.getInt64Ty(), 2);
  at->addIncoming(begin, entry);
  b.CreateCondBr(b.CreateICmpSLT(at, end), row, finished);

  b.SetInsertPoint(row);
  Value *next = emitRow(b, plan, tier, body, at, end);
  at->addIncoming(next, b.GetInsertBlock());
  b.CreateBr(rows);
  b.SetInsertPoint(finished);
  b.CreateRetVoid();
  return inner;
}

/// Emits a function like the inner ones that fills the buffer of columns.
llvm::Function *emitFilling(llvm::Module &module, const std::string &name,
                            const Kernel &kernel, const KernelPlan &plan,
                            const std::vector<ElementType> &types,
                            std::vector<KernelValue> &known) {
  Inner made(module, name, plan, unsigned(types.size()));
  llvm::IRBuilder<> &b = made.b;
  BodyEmitter body(b, kernel, plan, types, made.pointers, made.fault,
                   KernelTier::Full, Rounding::Exact);
  auto fill = [&](Value *i, Value *active) {
    known = body.emitColumns(made.columns, i, active);
  };
  const int64_t extent = plan.parallel.back().extent;
  vectorLoop(
      b, plan.lanes, b.getInt64(0), b.getInt64(uint64_t(extent)), extent,
      [&](Value *i) { fill(i, nullptr); }, fill);
  b.CreateRetVoid();
  return made.function;
}

/// Emits `if (end - begin >= rows of columns) { fill; many() } else few()`.
template <typename Many, typename Few>
void chooseByRows(llvm::IRBuilder<> &b, const KernelPlan &plan,
                  llvm::Function *fill, llvm::ArrayRef<Value *> arguments,
                  Many many, Few few) {
  llvm::Function *function = b.GetInsertBlock()->getParent();
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(b.getContext(), name, function);
  };
  auto *filled = block("filled"), *plain = block("plain"), *end = block("end");
  const size_t beginAt = arguments.size() - 3;
  Value *points = b.CreateSub(arguments[beginAt + 1], arguments[beginAt]);
  // Filling the columns pays from some rows on.
  const int64_t fewest = ColumnPlan::fewestRows * plan.parallel.back().extent;
  b.CreateCondBr(b.CreateICmpSGE(points, b.getInt64(uint64_t(fewest))), filled,
                 plain);
  b.SetInsertPoint(filled);
  b.CreateCall(fill, arguments);
  many();
  b.CreateBr(end);
  b.SetInsertPoint(plain);
  few();
  b.CreateBr(end);
  b.SetInsertPoint(end);
}

/// Emits `if (an input is where its output goes) { run(); return; }`.
template <typename Run>
void returnInPlace(llvm::IRBuilder<> &b, const KernelPlan &plan,
                   llvm::ArrayRef<Value *> arguments, Run run) {
  Value *isInPlace = b.getFalse();
  for (const OperandPair &pair : plan.inPlace)
    isInPlace = b.CreateOr(isInPlace, b.CreateICmpEQ(arguments[pair.input],
                                                     arguments[pair.output]));
  llvm::Function *function = b.GetInsertBlock()->getParent();
  auto *inPlace =
      llvm::BasicBlock::Create(b.getContext(), "in.place", function);
  auto *apart = llvm::BasicBlock::Create(b.getContext(), "apart", function);
  b.CreateCondBr(isInPlace, inPlace, apart);
  b.SetInsertPoint(inPlace);
  run();
  b.SetInsertPoint(apart);
}

} // namespace

llvm::Function *emitKernel(llvm::Module &module, const std::string &name,
                           const Kernel &kernel, const KernelPlan &plan,
                           const std::vector<ElementType> &types,
                           KernelTier tier) {
  assert(plan.disjoint.size() == types.size() && !plan.parallel.empty() &&
         "planned on these operands");
  llvm::Function *exact = emitInner(module, name + ".body", kernel, plan, types,
                                    tier, Rounding::Exact);
  const Watching watching = tier == KernelTier::Full
                                ? watchingOf(kernel, plan, types)
                                : Watching::None;
  llvm::Function *watched =
      watching != Watching::None
          ? emitInner(module, name + ".watched", kernel, plan, types, tier,
                      Rounding::Watched)
          : nullptr;
  llvm::Function *fill = nullptr, *filled = nullptr;
  if (!plan.columns.empty()) {
    std::vector<KernelValue> known;
    fill = emitFilling(module, name + ".columns", kernel, plan, types, known);
    filled = emitInner(module, name + ".filled", kernel, plan, types, tier,
                       watched ? Rounding::Watched : Rounding::Exact,
                       std::move(known));
  }

  // The exported function loads the operands' addresses for the inner.
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *i64 = b.getInt64Ty(), *pointer = b.getPtrTy();
  auto *outer = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), {pointer, i64, i64, pointer},
                              false),
      llvm::Function::ExternalLinkage, name, module);
  outer->setDoesNotThrow();
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", outer));
  llvm::SmallVector<Value *> arguments;
  for (unsigned o = 0; o < types.size(); ++o)
    arguments.push_back(b.CreateLoad(
        pointer, b.CreateConstGEP1_64(pointer, outer->getArg(0), o)));
  Value *buffer = llvm::PoisonValue::get(pointer);
  if (fill) {
    llvm::AllocaInst *slot = b.CreateAlloca(llvm::ArrayType::get(
        b.getFloatTy(), plan.columns.size() * uint64_t(plan.columnLength)));
    slot->setAlignment(llvm::Align(64));
    buffer = slot;
  }
  arguments.append(
      {buffer, outer->getArg(1), outer->getArg(2), outer->getArg(3)});
  // Points that a flag repeats run the exact version, which needs no buffer.
  auto run = [&](llvm::Function *inner) {
    if (watched)
      callWatched(b, plan, watching, inner, exact, arguments);
    else
      b.CreateCall(inner, arguments);
  };
  const auto finish = [&] {
    // Non-temporal stores of x86-64 are weakly ordered: other threads see them
    // for certain only after a fence.
    if (streams(plan) && outer->getParent()->getTargetTriple().isX86())
      b.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence,
                        llvm::ArrayRef<Value *>());
    b.CreateRetVoid();
  };
  // To repeat points needs what they have read.
  if (watched && !plan.inPlace.empty())
    returnInPlace(b, plan, arguments, [&] {
      b.CreateCall(exact, arguments);
      finish();
    });
  llvm::Function *plain = watched ? watched : exact;
  if (fill)
    chooseByRows(
        b, plan, fill, arguments, [&] { run(filled); }, [&] { run(plain); });
  else
    run(plain);
  finish();
  return outer;
}

} // namespace gaudi::runtime
