// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the stages of a kernel as scalar code, vectorised across points, or
// vectorised across iterations of each stage's innermost loop (plan.laneAxis).
//
// Values that are equal in all lanes stay scalar, so addresses, loop counters
// and broadcast operands cost nothing extra. `varies(v)` tells: a vector has a
// value per lane.
#ifndef GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H
#define GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H

#include "KernelCompiler.h"
#include "PlanCosts.h"
#include "ValueEmitter.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gaudi::runtime {

/// The values of plan.columns as code uses them.
struct ColumnBuffer {
  /// Their elements in the order of the lanes, one value after the other; null:
  /// each point computes them.
  llvm::Value *address = nullptr;
  /// What is known of each, from the code that fills the buffer.
  std::vector<KernelValue> known;
};

class BodyEmitter {
public:
  using Value = llvm::Value;

  /// `pointers`: one per operand. `fault`: passed on to the fault recorder.
  /// Quick code has a loop where the other has a copy per set of accumulators.
  BodyEmitter(llvm::IRBuilder<> &builder, const recipe::Kernel &kernel,
              const KernelPlan &plan,
              const std::vector<recipe::ElementType> &types,
              llvm::ArrayRef<Value *> pointers, Value *fault, KernelTier tier,
              Rounding rounding, ColumnBuffer columns = {});

  /// Emits all stages at the builder's position, which moves past them.
  /// `indices`: one i64 per group of plan.parallel. `point`: flattened position
  /// of the point. Vectorised across points, both are those of lane 0, and
  /// `active` (i1 per point from the first; null: all) masks those that are.
  /// `second`: the index of another point in the last group, which runs at the
  /// same time (plan.pointsAtOnce).
  void emit(llvm::ArrayRef<Value *> indices, Value *point,
            Value *active = nullptr, Value *second = nullptr);

  /// Emits what fills the buffer `address` with the values of a vector of
  /// columns that starts at `place`; the masked ones get any value. Returns
  /// what is known of them. Use either this or emit().
  std::vector<KernelValue> emitColumns(Value *address, Value *place,
                                       Value *active);

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

  /// Accumulators of a stage's reductions, in stack slots that become
  /// registers: two per ArgMax and ArgMin (value, position), three per float
  /// extreme of a vectorised loop (extreme, NaN seen, signs), else one.
  /// Unrolled loops have several sets, combined at the end; they share the
  /// second and third slots.
  using Accumulators = llvm::SmallVector<llvm::AllocaInst *>;

  /// What points that run at the same time have of their own.
  struct Row {
    Value *place = nullptr;            // index in the last parallel group
    std::vector<KernelValue> numbered; // the kernel's values so far
    /// Accumulators of each level of the stage's tree of partial sums (a list
    /// of sets). Iterations add to the first; the last holds the results. Only
    /// float sums differ between levels.
    std::vector<std::vector<Accumulators>> levels;
    /// Operands of float extremes in the first body of a pair.
    llvm::DenseMap<const recipe::Reduction *, Value *> unchecked;
    std::vector<llvm::AllocaInst *> rowBuffers; // per plan.kept
  };
  void forEachRow(llvm::function_ref<void()> emit);
  std::vector<llvm::AllocaInst *> makeRowBuffers();

  static bool isArg(const recipe::Reduction &reduction);
  bool isFloatExtreme(const recipe::Reduction &reduction) const;
  std::vector<const recipe::Inst *> instructionsByValue() const;
  void findNeeded();
  void findNeededOperands();
  void start(llvm::ArrayRef<Value *> indices, Value *active);
  Value *columnElement(Value *address, size_t column);
  void emitStage(uint32_t stage);
  void emitInstructions(const recipe::Stage &stage);
  void emitBody(const recipe::Stage &stage, const Accumulators &accumulators);
  void trackExtreme(const recipe::Reduction &reduction, Value *value,
                    llvm::AllocaInst *nanPlace, llvm::AllocaInst *signPlace);
  void updateReductions(const recipe::Stage &stage,
                        const Accumulators &accumulators);

  /// How a loop is cut into nodes of partial sums: `sizes` are iterations per
  /// node, each a multiple of the one before; nodes of sizes[i] are on level
  /// firstLevel + i.
  struct LoopSplit {
    std::vector<int64_t> sizes;
    unsigned firstLevel = 0;
  };

  bool isFloatSum(const recipe::Reduction &reduction) const;
  /// Slots of the reduction in Accumulators.
  unsigned places(const recipe::Reduction &reduction, bool alongLoop) const;
  unsigned planPartialSums(const recipe::Stage &stage, int64_t steps);
  void startPartialSums(const recipe::Stage &stage, unsigned levels,
                        const std::vector<Accumulators> &sets);
  void closeNode(unsigned level);
  void emitNodes(const LoopGroup &loop, const LoopSplit &split, size_t count,
                 Value *from, Value *to, bool full, int64_t step,
                 llvm::function_ref<void(Value *)> body);
  void emitTree(const LoopGroup &loop, const LoopSplit &split, int64_t to,
                int64_t step, llvm::function_ref<void(Value *)> body);

  void emitLoops(uint32_t stage);
  void emitLoop(const LoopGroup &loop, int64_t from, int64_t to, int64_t step,
                llvm::function_ref<void(Value *)> body);
  void emitRange(const LoopGroup &loop, Value *from, Value *to, int64_t step,
                 llvm::function_ref<void(Value *)> body);
  void emitNest(uint32_t stage, size_t depth);
  void emitLaneLoop(uint32_t stage);
  void rotateSets();
  Accumulators startReductions(const recipe::Stage &stage, bool alongLoop,
                               const Accumulators *first);
  void finishReductions(const recipe::Stage &stage,
                        const std::vector<Accumulators> &sets, bool alongLoop);
  /// The values of one reduction's slots, besides those that extremes track.
  using Part = llvm::SmallVector<Value *, 2>;
  Part combine(const recipe::Reduction &reduction, const Part &x,
               const Part &y);
  Part combineSets(const recipe::Reduction &reduction, std::vector<Part> parts);
  Part combineInMemory(const recipe::Reduction &reduction,
                       const std::vector<Part> &parts);
  Value *extremeOf(const recipe::Reduction &reduction, Value *value,
                   Value *nans, Value *signs);
  Value *identity(const recipe::Reduction &reduction, Value *init);
  Value *rowElement(llvm::AllocaInst *buffer);
  Value *loadRow(uint32_t buffer);
  void storeRow(size_t buffer, Value *value);

  KernelValue load(unsigned access);
  Value *loadNeighbours(llvm::Type *vector, Value *pointer);
  Value *loadPairs(Value *pointer);
  void prefetch(const Prefetch &each);
  void store(const recipe::Store &store);
  void storeLeading(Value *raw, Value *pointer, llvm::Align align,
                    unsigned count);

  Value *valueOf(const kernel::Affine &form);
  Address address(const PlannedAccess &access);
  void guard(const PlannedAccess &access, const GuardedDim &dim,
             Address &result);
  void check(const PlannedAccess &access, const GuardedDim &dim, Value *index,
             Address &result);
  Value *elementPointer(unsigned operand, Value *offset);
  Value *lanePointers(unsigned operand, const Address &address);

  Value *i64(int64_t value) { return b.getInt64(uint64_t(value)); }
  bool varies(Value *value) { return value->getType()->isVectorTy(); }
  void matchShapes(Value *&x, Value *&y);
  Value *plus(Value *x, Value *y);
  Value *times(Value *x, int64_t factor);
  Value *halfOf(Value *value, unsigned half, unsigned width);
  Value *firstLanes(Value *value, unsigned width);
  llvm::SmallVector<int> laneOrder();
  Value *laneNumbers();
  llvm::AllocaInst *slot(llvm::Type *type);

  llvm::IRBuilder<> &b;
  ValueEmitter values;
  const recipe::Kernel &kernel;
  const KernelPlan &plan;
  const std::vector<recipe::ElementType> &types;
  llvm::SmallVector<Value *> pointers;
  Value *fault;
  KernelTier tier;

  unsigned lanes = 1; // of the code being emitted; 1: scalar
  unsigned laneDim = 0;
  Value *active = nullptr;         // i1 per lane; null: all
  Value *activeInMemory = nullptr; // the same by points: pairs differ
  Value *point = nullptr;
  std::vector<Value *> index; // per kernel dimension; null: 0
  Row row, other; // of the point being emitted, and of one at the same time
  Accumulators carried; // accumulators Carry instructions read
  uint32_t stageNumber = 0;
  std::vector<LoopSplit> splits; // per loop of the stage
  /// Two bodies follow each other with all lanes active, so that one comparison
  /// finds a NaN in either.
  bool inPairs = false;

  ColumnBuffer columns;
  std::vector<bool> needed;         // per value
  std::vector<bool> keptArithmetic; // per plan.kept
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_BODYEMITTER_H
