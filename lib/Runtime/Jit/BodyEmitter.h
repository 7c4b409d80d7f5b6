// Writes the stages of a kernel for one point, or for `lanes` neighbouring
// points at once (one per vector lane).
//
// Values that do not differ between the lanes stay scalar, so addresses, loop
// counters and broadcast operands cost nothing extra.
#ifndef GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H
#define GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H

#include "KernelPlan.h"
#include "ValueEmitter.h"

#include "llvm/ADT/ArrayRef.h"

namespace gaudi::runtime {

class BodyEmitter {
public:
  using Value = llvm::Value;

  /// `pointers`: one per operand. `fault`: passed on to the fault recorder.
  BodyEmitter(llvm::IRBuilder<> &builder, const recipe::Kernel &kernel,
              const KernelPlan &plan,
              const std::vector<recipe::ElementType> &types,
              llvm::ArrayRef<Value *> pointers, Value *fault);

  /// Emits all stages at the builder's position, which moves past them.
  /// `indices`: one i64 per group of plan.parallel; with lanes the last one is
  /// that of lane 0. `point`: flattened position of lane 0.
  void emit(unsigned lanes, llvm::ArrayRef<Value *> indices, Value *point);

private:
  /// An element offset: uniform + lane * laneStride + varying[lane].
  struct Address {
    Value *uniform;
    int64_t laneStride = 0;
    Value *varying = nullptr;
    Value *uniformOk = nullptr; // i1: false reads nothing, gives the pad value
    Value *laneOk = nullptr;    // the same per lane
    Value *checkedOk = nullptr; // i1 or per lane: false gives 0
    bool empty = false;         // no element exists
  };

  void emitStage(uint32_t stage);
  void emitInstructions(const recipe::Stage &stage);
  void updateReductions(const recipe::Stage &stage,
                        llvm::ArrayRef<llvm::AllocaInst *> running);
  KernelValue load(unsigned access);
  void store(const recipe::Store &store);

  Address address(const PlannedAccess &access);
  void guard(const PlannedAccess &access, const GuardedDim &dim,
             Address &result);
  void check(const PlannedAccess &access, const GuardedDim &dim, Value *index,
             Address &result);
  Value *elementPointer(unsigned operand, Value *offset);
  Value *lanePointers(unsigned operand, const Address &address);

  Value *i64(int64_t value) { return b.getInt64(uint64_t(value)); }
  bool varies(Value *value) { return value->getType()->isVectorTy(); }
  Value *plus(Value *x, Value *y);
  Value *times(Value *x, int64_t factor);
  Value *laneNumbers();
  llvm::AllocaInst *slot(llvm::Type *type);

  llvm::IRBuilder<> &b;
  ValueEmitter values;
  const recipe::Kernel &kernel;
  const KernelPlan &plan;
  const std::vector<recipe::ElementType> &types;
  llvm::SmallVector<Value *> pointers;
  Value *fault;

  unsigned lanes = 1;
  unsigned laneDim = 0;
  Value *point = nullptr;
  std::vector<Value *> index;                 // per kernel dimension; null: 0
  std::vector<KernelValue> numbered;          // the kernel's values so far
  llvm::ArrayRef<llvm::AllocaInst *> carried; // of the stage being emitted
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H
