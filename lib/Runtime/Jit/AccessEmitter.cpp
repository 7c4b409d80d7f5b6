// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of a kernel as LLVM IR: addresses, boundary rules, faults.
//
// An offset is kept in three parts (Address): a scalar, a stride per lane, and
// a vector. That decides the instruction: no lane part is a scalar load that is
// broadcast when needed, a stride of 1 without a vector is a contiguous vector
// access, everything else a gather or scatter. So guards add to the scalar part
// whenever they can.
#include "BodyEmitter.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "MathSymbols.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

/// Bytes of a cache line.
static constexpr unsigned lineBytes = 64;

llvm::Value *BodyEmitter::elementPointer(unsigned operand, Value *offset) {
  return b.CreateGEP(values.memoryType(types[operand]), pointers[operand],
                     offset);
}

llvm::Value *BodyEmitter::lanePointers(unsigned operand,
                                       const Address &address) {
  Value *offsets = address.uniform;
  if (address.laneStride != 0)
    offsets = plus(offsets, times(laneNumbers(), address.laneStride));
  if (address.varying)
    offsets = plus(offsets, address.varying);
  return elementPointer(operand, values.widen(offsets, lanes));
}

/// The form at the current indices, those of lane 0 in a vector. An index that
/// is null is 0.
llvm::Value *BodyEmitter::valueOf(const kernel::Affine &form) {
  Value *value = i64(form.getOffset());
  for (unsigned d = 0; d < form.size(); ++d)
    if (index[d] && form[d] != 0)
      value = b.CreateAdd(value, times(index[d], form[d]));
  return value;
}

BodyEmitter::Address BodyEmitter::address(const PlannedAccess &access) {
  Address result;
  result.uniform = valueOf(access.position);
  if (lanes > 1)
    result.laneStride = access.position[laneDim];
  // Padded dimensions first: a read that the pad value replaces cannot fault.
  for (bool checked : {false, true})
    for (const GuardedDim &dim : access.guarded)
      if ((dim.boundary == Boundary::Checked) == checked)
        guard(access, dim, result);
  return result;
}

void BodyEmitter::guard(const PlannedAccess &access, const GuardedDim &dim,
                        Address &result) {
  // The index: scalar `at` plus laneStep per lane, or a vector.
  Value *at;
  int64_t laneStep = 0;
  if (dim.value >= 0) {
    at = row.numbered[size_t(dim.value)].value;
  } else {
    at = valueOf(dim.index);
    if (lanes > 1)
      laneStep = dim.index[laneDim];
  }

  if (dim.boundary == Boundary::Pad && laneStep != 0 && !varies(at)) {
    // The address stays affine in the lane, which keeps a contiguous load:
    // lanes outside are masked, not redirected.
    Value *indices = plus(at, times(laneNumbers(), laneStep));
    Value *ok = b.CreateICmpULT(
        indices, llvm::ConstantInt::get(indices->getType(), dim.size));
    result.laneOk = result.laneOk ? b.CreateAnd(result.laneOk, ok) : ok;
    result.uniform = b.CreateAdd(result.uniform, times(at, dim.stride));
    result.laneStride += laneStep * dim.stride;
    return;
  }
  if (laneStep != 0)
    at = plus(at, times(laneNumbers(), laneStep));

  // Nothing to load from at all; load() needs no address then.
  result.empty |= dim.size == 0;
  llvm::Type *type = at->getType();
  llvm::Constant *zero = llvm::ConstantInt::get(type, 0);
  if (dim.boundary == Boundary::Clamp) {
    at = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, at, zero);
    at = b.CreateBinaryIntrinsic(
        llvm::Intrinsic::smin, at,
        llvm::ConstantInt::getSigned(type, dim.size - 1));
  } else {
    Value *ok =
        b.CreateICmpULT(at, llvm::ConstantInt::get(type, uint64_t(dim.size)));
    if (dim.boundary == Boundary::Checked) {
      check(access, dim, at, result);
      // `ok` stays as wide as its index: it selects the index below.
      Value *both = ok;
      if (Value *before = result.checkedOk) {
        matchShapes(before, both);
        both = b.CreateAnd(before, both);
      }
      result.checkedOk = both;
    } else {
      Value *&all = varies(ok) ? result.laneOk : result.uniformOk;
      all = all ? b.CreateAnd(all, ok) : ok;
    }
    // An index outside is replaced by 0; the value loaded there is not used.
    at = b.CreateSelect(varies(at) ? values.widen(ok, lanes) : ok, at, zero);
  }
  Value *part = times(at, dim.stride);
  if (varies(part))
    result.varying = result.varying ? b.CreateAdd(result.varying, part) : part;
  else
    result.uniform = b.CreateAdd(result.uniform, part);
}

/// Emits a branch to a block that records the fault and comes back: a launch
/// finishes its points and fails afterwards. A lane counts only if it is active
/// and no pad value replaces it.
void BodyEmitter::check(const PlannedAccess &access, const GuardedDim &dim,
                        Value *at, Address &result) {
  // One unsigned comparison finds negative indices as well.
  Value *bad = b.CreateICmpUGE(
      at, llvm::ConstantInt::get(at->getType(), uint64_t(dim.size)));
  for (Value *ok : {result.uniformOk, result.laneOk}) {
    if (!ok)
      continue;
    matchShapes(bad, ok);
    bad = b.CreateAnd(bad, ok);
  }
  if (active && varies(bad))
    bad = b.CreateAnd(bad, active);
  Value *anyBad = varies(bad) ? b.CreateOrReduce(bad) : bad;

  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::LLVMContext &context = function->getContext();
  auto *raise = llvm::BasicBlock::Create(context, "fault", function);
  auto *next = llvm::BasicBlock::Create(context, "next", function);
  b.CreateCondBr(anyBad, raise, next,
                 llvm::MDBuilder(context).createUnlikelyBranchWeights());
  b.SetInsertPoint(raise);
  Value *lane = i64(0);
  // The fault names the first lane that failed, as a loop over points would.
  if (varies(bad)) {
    Value *mask = b.CreateBitCast(bad, b.getIntNTy(lanes));
    Value *first = b.CreateIntrinsic(llvm::Intrinsic::cttz, {mask->getType()},
                                     {mask, b.getTrue()});
    lane = b.CreateZExt(first, b.getInt64Ty());
  }
  Value *culprit = varies(at) ? b.CreateExtractElement(at, lane) : at;
  llvm::FunctionCallee record = function->getParent()->getOrInsertFunction(
      recordFaultName, b.getVoidTy(), b.getPtrTy(), b.getInt64Ty(),
      b.getInt32Ty(), b.getInt32Ty(), b.getInt64Ty());
  // Lanes along a loop are of one point.
  Value *culpritPoint =
      plan.laneAxis == LaneAxis::Points ? b.CreateAdd(point, lane) : point;
  b.CreateCall(record, {fault, culpritPoint, b.getInt32(access.operand),
                        b.getInt32(dim.dimension), culprit});
  b.CreateBr(next);
  b.SetInsertPoint(next);
}

/// Neighbouring elements, in the order of memory.
llvm::Value *BodyEmitter::loadNeighbours(llvm::Type *vector, Value *pointer) {
  const llvm::Align align(vector->getScalarSizeInBits() / 8);
  if (!activeInMemory)
    return b.CreateAlignedLoad(vector, pointer, align);
  return b.CreateMaskedLoad(vector, pointer, align, activeInMemory,
                            llvm::Constant::getNullValue(vector));
}

/// The same of bf16 in a paired kernel, in the order of its lanes.
llvm::Value *BodyEmitter::loadPairs(Value *pointer) {
  Value *raw =
      loadNeighbours(values.memoryType(ElementType::BF16, lanes), pointer);
  return values.decodePairs(b.CreateBitCast(
      raw, llvm::FixedVectorType::get(b.getInt32Ty(), lanes / 2)));
}

KernelValue BodyEmitter::load(unsigned number) {
  const PlannedAccess &access = plan.accesses[number];
  const ElementType memory = types[access.operand];
  const ElementType type = kernelType(memory);
  const Address at = address(access);
  llvm::Constant *pad = values.constant(type, access.pad);
  bool pads = false;
  for (const GuardedDim &dim : access.guarded)
    pads |= dim.boundary == Boundary::Pad;
  if (at.empty)
    return {pads ? pad : llvm::Constant::getNullValue(pad->getType()), type,
            false};

  const unsigned size = elementSize(memory);
  const llvm::Align align(size);
  Value *result;
  // Lanes read different elements, or some read none. Masked-off lanes of a
  // masked load or gather touch no memory, so their addresses need not be
  // valid.
  if (lanes > 1 && (at.varying || at.laneOk || at.laneStride != 0)) {
    llvm::Type *vector = values.memoryType(memory, lanes);
    Value *none = llvm::Constant::getNullValue(vector);
    if (plan.paired && !at.varying && at.laneStride == 1) {
      Value *pointer = elementPointer(access.operand, at.uniform);
      if (memory == ElementType::F32)
        return {
            b.CreateShuffleVector(loadNeighbours(vector, pointer), laneOrder()),
            type};
      return {loadPairs(pointer), type, false, true, ExactInBF16};
    }
    Value *mask = at.laneOk;
    if (active)
      mask = mask ? b.CreateAnd(mask, active) : active;
    if (!at.varying && at.laneStride == 1) {
      Value *pointer = elementPointer(access.operand, at.uniform);
      if (mask)
        result = b.CreateMaskedLoad(vector, pointer, align, mask, none);
      else
        result = b.CreateAlignedLoad(vector, pointer, align);
    } else {
      if (!mask)
        mask = llvm::Constant::getAllOnesValue(
            llvm::FixedVectorType::get(b.getInt1Ty(), lanes));
      result = b.CreateMaskedGather(vector, lanePointers(access.operand, at),
                                    align, mask, none);
    }
  } else {
    result =
        b.CreateAlignedLoad(values.memoryType(memory),
                            elementPointer(access.operand, at.uniform), align);
  }
  result = values.decode(result, memory);
  // What was read out of bounds is replaced: by 0 after a fault, then by the
  // pad value, which wins over a fault (kernel-semantics.md).
  auto keep = [&](Value *ok, Value *otherwise) {
    if (!ok)
      return;
    if (varies(ok))
      result = values.widen(result, lanes);
    if (varies(result))
      otherwise = values.widen(otherwise, lanes);
    result = b.CreateSelect(ok, result, otherwise);
  };
  keep(at.checkedOk, llvm::Constant::getNullValue(pad->getType()));
  keep(at.uniformOk, pad);
  keep(at.laneOk, pad);
  const bool shortPad = isShortNaNOrNumber(uint32_t(access.pad));
  const unsigned exact =
      pads ? ValueEmitter::exactInOf(uint32_t(access.pad)) : ~0u;
  return {result, type, false,
          ValueEmitter::decodesShortNaN(memory) && shortPad,
          exact & ValueEmitter::decodesExactIn(memory)};
}

/// Prefetches what a later iteration loads. Past the last point the address may
/// be outside the tensor; a prefetch never faults.
void BodyEmitter::prefetch(const Prefetch &each) {
  const PlannedAccess &access = plan.accesses[each.access];
  Value *lane = index[laneDim];
  if (lane && each.slowdown)
    index[laneDim] = b.CreateLShr(lane, each.slowdown);
  Value *first = address(access).uniform;
  index[laneDim] = lane;
  const unsigned lineElements = lineBytes / elementSize(types[access.operand]);
  for (unsigned done = 0; done < lanes; done += lineElements) {
    Value *later = b.CreateAdd(first, i64(each.ahead + int64_t(done)));
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                      {elementPointer(access.operand, later), b.getInt32(0),
                       b.getInt32(each.once ? 0 : 3), b.getInt32(1)});
  }
}

/// The number of active lanes if they are constant and the first ones.
static std::optional<unsigned> leadingLanes(llvm::Value *active) {
  auto *mask = llvm::dyn_cast<llvm::Constant>(active);
  if (!mask)
    return std::nullopt;
  const unsigned lanes =
      llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  unsigned count = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    llvm::Constant *element = mask->getAggregateElement(lane);
    if (!element || (!element->isOneValue() && !element->isNullValue()) ||
        (element->isOneValue() && count != lane))
      return std::nullopt;
    count += element->isOneValue();
  }
  return count;
}

/// Stores the first `count` lanes in parts of powers of two. A masked store
/// takes 20 cycles on processors before AVX-512 and has no 16-bit form there.
void BodyEmitter::storeLeading(Value *raw, Value *pointer, llvm::Align align,
                               unsigned count) {
  llvm::Type *element = raw->getType()->getScalarType();
  unsigned done = 0;
  for (unsigned piece = llvm::bit_floor(lanes); piece > 0; piece /= 2) {
    if (count - done < piece)
      continue;
    llvm::SmallVector<int> taken;
    for (unsigned lane = done; lane < done + piece; ++lane)
      taken.push_back(int(lane));
    Value *part = piece == 1 ? b.CreateExtractElement(raw, done)
                             : b.CreateShuffleVector(raw, taken);
    b.CreateAlignedStore(part, b.CreateConstGEP1_64(element, pointer, done),
                         align);
    done += piece;
  }
}

void BodyEmitter::store(const Store &store) {
  const PlannedAccess &access = plan.accesses[store.access()];
  assert(access.guarded.empty() && "the verifier wants stores inside");
  const ElementType memory = types[access.operand];
  const llvm::Align align(elementSize(memory));
  const Address at = address(access);
  KernelValue value = row.numbered[store.value()];
  // One lane: no mask, and no order of pairs.
  if (lanes == 1) {
    b.CreateAlignedStore(values.encode(value, memory),
                         elementPointer(access.operand, at.uniform), align);
    return;
  }
  // Encoded before the store is chosen: all forms store the raw element.
  values.widen(value, lanes);
  const bool pairs = plan.paired && at.laneStride == 1;
  Value *raw = pairs ? b.CreateBitCast(values.encodePairs(value),
                                       values.memoryType(memory, lanes))
                     : values.encode(value, memory);
  // Strided results: a scatter.
  Value *all = llvm::Constant::getAllOnesValue(
      llvm::FixedVectorType::get(b.getInt1Ty(), lanes));
  if (at.laneStride != 1) {
    b.CreateMaskedScatter(raw, lanePointers(access.operand, at), align,
                          active ? active : all);
    return;
  }
  Value *pointer = elementPointer(access.operand, at.uniform);
  if (Value *mask = plan.paired ? activeInMemory : active) {
    if (std::optional<unsigned> count = leadingLanes(mask))
      storeLeading(raw, pointer, align, *count);
    else
      b.CreateMaskedStore(raw, pointer, align, mask);
    return;
  }
  const unsigned bytes = lanes * elementSize(memory);
  if (plan.streaming[store.access()] && elementSize(memory) < 4 &&
      bytes % 16 == 0) {
    // The fence keeps LLVM from merging the narrowing into the store:
    // truncating stores (vpmov) have no non-temporal form.
    raw = b.CreateBitCast(
        raw, llvm::FixedVectorType::get(b.getDoubleTy(), bytes / 8));
    raw = b.CreateArithmeticFence(raw, raw->getType());
  }
  llvm::StoreInst *stored = b.CreateAlignedStore(raw, pointer, align);
  // Non-temporal stores exist for aligned whole registers only; the plan
  // promises the alignment.
  if (plan.streaming[store.access()]) {
    stored->setAlignment(llvm::Align(std::min(bytes, lineBytes)));
    stored->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(b.getContext(),
                          llvm::ConstantAsMetadata::get(b.getInt32(1))));
  }
}

} // namespace gaudi::runtime
