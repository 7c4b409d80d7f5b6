// Writes the stages of a kernel for one point, or for `lanes` neighbouring
// points at once (one per vector lane), or with the lanes of a vector along the
// innermost loop of a stage: what plan.laneAxis says.
//
// Values that do not differ between the lanes stay scalar, so addresses, loop
// counters and broadcast operands cost nothing extra.
#ifndef GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H
#define GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H

#include "KernelPlan.h"
#include "PlanCosts.h"
#include "ValueEmitter.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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
  /// `indices`: one i64 per group of plan.parallel. `point`: flattened position
  /// of the point. With lanes along points both are those of lane 0, and
  /// `active` (i1 per lane; null: all) says which lanes are points to run.
  void emit(llvm::ArrayRef<Value *> indices, Value *point,
            Value *active = nullptr);

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

  /// Running values of a stage's reductions, in stack slots; two for ArgMax
  /// and ArgMin, three for float extremes with lanes along a loop. These have
  /// several sets, to be combined; the second and third are shared by all.
  using Running = llvm::SmallVector<llvm::AllocaInst *>;

  static bool isArg(const recipe::Reduction &reduction);
  bool isFloatExtreme(const recipe::Reduction &reduction) const;
  void findNeeded();
  void emitStage(uint32_t stage);
  void emitInstructions(const recipe::Stage &stage);
  void emitBody(const recipe::Stage &stage, const Running &running);
  void updateReductions(const recipe::Stage &stage, const Running &running);

  void emitLoops(uint32_t stage);
  void emitLoop(const LoopGroup &loop, int64_t from, int64_t to, int64_t step,
                llvm::function_ref<void(Value *)> body);
  void emitNest(uint32_t stage, size_t depth,
                const std::vector<Running> &running);
  void emitLaneLoop(uint32_t stage, const std::vector<Running> &running);
  Running startReductions(const recipe::Stage &stage, bool alongLoop,
                          const Running *first);
  void finishReductions(const recipe::Stage &stage,
                        const std::vector<Running> &running, bool alongLoop);
  /// What the slots of one reduction hold.
  using Part = llvm::SmallVector<Value *, 3>;
  Part combine(const recipe::Reduction &reduction, const Part &x,
               const Part &y);
  Part combineLanes(const recipe::Reduction &reduction, Part part);
  Value *extremeOf(const recipe::Reduction &reduction, const Part &part);
  Value *identity(const recipe::Reduction &reduction, Value *init);
  Value *rowElement(llvm::AllocaInst *buffer);
  Value *loadRow(uint32_t buffer);
  void storeRow(size_t buffer, Value *value);

  KernelValue load(unsigned access);
  void prefetch(const Prefetch &each);
  void store(const recipe::Store &store);
  void storeLeading(Value *raw, Value *pointer, llvm::Align align,
                    unsigned count);

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

  unsigned lanes = 1; // of the code being emitted
  unsigned laneDim = 0;
  Value *active = nullptr; // i1 per lane; null: all
  Value *point = nullptr;
  std::vector<Value *> index;        // per kernel dimension; null: 0
  std::vector<KernelValue> numbered; // the kernel's values so far
  Running carried;                   // of the stage being emitted
  uint32_t stageNumber = 0;
  bool inPairs = false; // bodies are emitted two by two, all lanes active
  /// Float extremes' values of the first body of a pair.
  llvm::DenseMap<const recipe::Reduction *, Value *> unchecked;

  std::vector<bool> needed;                   // per value
  std::vector<llvm::AllocaInst *> rowBuffers; // per plan.kept
  std::vector<bool> keptArithmetic;           // per plan.kept
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H
