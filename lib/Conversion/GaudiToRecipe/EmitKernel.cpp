// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data form of gaudi.tpc.kernel.
//
// Values are numbered in the order of the instructions that compute them, over
// all stages; a loop's results follow its instructions. A loop is a stage of
// its own, what is between two loops another one. The verifier of recipes
// derives the same numbers and the same weight from the bytes.
#include "../Common/Table.h"
#include "ConstantBytes.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Kernel/CodeSize.h"
#include "Gaudi/Kernel/Limits.h"
#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "RecipeAssembly.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::recipe;
using Opcode = gaudi::recipe::Op;

/// None for the two predicates that read no operand.
static std::optional<CmpPredicate> predicateOf(arith::CmpFPredicate predicate) {
  using From = arith::CmpFPredicate;
  using To = CmpPredicate;
  static constexpr std::pair<From, To> table[] = {
      {From::OEQ, To::EQ},   {From::UNE, To::UNE},  {From::ONE, To::NE},
      {From::OLT, To::LT},   {From::OLE, To::LE},   {From::OGT, To::GT},
      {From::OGE, To::GE},   {From::UEQ, To::UEQ},  {From::ULT, To::FULT},
      {From::ULE, To::FULE}, {From::UGT, To::FUGT}, {From::UGE, To::FUGE},
      {From::ORD, To::ORD},  {From::UNO, To::UNO}};
  return lookup(table, predicate);
}

static CmpPredicate predicateOf(arith::CmpIPredicate predicate) {
  using From = arith::CmpIPredicate;
  using To = CmpPredicate;
  static constexpr std::pair<From, To> table[] = {
      {From::eq, To::EQ},   {From::ne, To::NE},   {From::slt, To::LT},
      {From::sle, To::LE},  {From::sgt, To::GT},  {From::sge, To::GE},
      {From::ult, To::ULT}, {From::ule, To::ULE}, {From::ugt, To::UGT},
      {From::uge, To::UGE}};
  auto known = lookup(table, predicate);
  assert(known && "every predicate has a row");
  return *known;
}

namespace {
class KernelEmitter {
public:
  explicit KernelEmitter(KernelOp op)
      : op(op), kernel(std::make_unique<KernelT>()) {}

  std::unique_ptr<KernelT> run() {
    kernel->name = op.getLabel().value_or("tpc.kernel").str();
    kernel->index_space.assign(op.getIndexSpace().begin(),
                               op.getIndexSpace().end());
    kernel->parallel.assign(op.getParallel().begin(), op.getParallel().end());
    addOperands(op.getInputs(), kernel->inputs, kernel->input_ranks);
    addOperands(op.getOutputs(), kernel->outputs, kernel->output_ranks);
    for (Operation &inner : op.getBody().front()) {
      auto loop = dyn_cast<KernelLoopOp>(inner);
      if (failed(loop ? emitLoop(loop) : emitScalar(&inner, straightStage())))
        return nullptr;
    }
    if (weight > gaudi::kernel::maxKernelWeight) {
      op.emitError("the ops of this kernel weigh ")
          << weight << ", more than the " << gaudi::kernel::maxKernelWeight
          << " that a recipe allows (a power weighs 512, a sine 256, another "
             "function 64); split the body into several ops";
      return nullptr;
    }
    // As the verifier of recipes counts, which knows no lines of the model.
    if (work() > gaudi::kernel::maxKernelWork) {
      op.emitError("'") << kernel->name
                        << "' executes more than 2^40 instructions in a "
                           "launch, the limit of a recipe; give the model "
                           "smaller tensors, such as a smaller batch";
      return nullptr;
    }
    return std::move(kernel);
  }

private:
  /// Instructions of a launch; a point without any takes a step.
  uint64_t work() const {
    uint64_t sum = 0;
    for (const auto &stage : kernel->stages) {
      uint64_t points = stage->insts.size() + 1;
      for (auto [d, size] : llvm::enumerate(kernel->index_space))
        if (kernel->parallel[d] || llvm::is_contained(stage->loops, d))
          points = llvm::SaturatingMultiply(points, uint64_t(size));
      sum = llvm::SaturatingAdd(sum, points);
    }
    return sum;
  }

  void addOperands(ValueRange operands, std::vector<ElementType> &types,
                   std::vector<uint8_t> &ranks) {
    for (Value operand : operands) {
      auto type = tensorType(operand);
      types.push_back(recipeType(type.getElementType()));
      ranks.push_back(type.getRank());
    }
  }

  StageT &newStage() {
    kernel->stages.push_back(std::make_unique<StageT>());
    ++weight;
    return *kernel->stages.back();
  }

  /// The stage without loops that straight-line code goes to. Results of its
  /// instructions are numbered at once, so a stage ends at the next loop.
  StageT &straightStage() {
    if (kernel->stages.empty() || !kernel->stages.back()->loops.empty())
      return newStage();
    return *kernel->stages.back();
  }

  uint32_t addInst(StageT &stage, Opcode opcode, ElementType type,
                   uint32_t a = 0, uint32_t b = 0, uint32_t c = 0,
                   uint64_t imm = 0) {
    stage.insts.emplace_back(imm, a, b, c, opcode, type);
    weight += gaudi::kernel::compileWeight(gaudi::recipe::opcodeOf(opcode));
    return nextValue++;
  }

  void fillDims(AccessT &access, AffineMap map,
                llvm::function_ref<Value(unsigned)> dynamicIndex,
                llvm::function_ref<gaudi::Boundary(unsigned)> rule) {
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto dim = std::make_unique<AccessDimT>();
      dim->boundary = static_cast<gaudi::recipe::Boundary>(rule(i));
      if (Value index = dynamicIndex(i)) {
        dim->value = numbers.lookup(index);
      } else {
        FailureOr<Affine> form = affineOf(expr);
        assert(succeeded(form) && "the op's verifier takes sums only");
        dim->offset = form->getOffset();
        for (unsigned d = 0; d < map.getNumDims(); ++d)
          dim->coefficients.push_back((*form)[d]);
      }
      access.dims.push_back(std::move(dim));
    }
  }

  LogicalResult emitLoad(KernelLoadOp load, StageT &stage) {
    auto access = std::make_unique<AccessT>();
    access->operand = load.getInputNumber();
    fillDims(
        *access, load.getMap(),
        [&](unsigned i) { return load.getDynamicIndex(i); },
        [&](unsigned i) { return load.getBoundaryOf(i); });
    // A value that no dimension pads with has no place in a recipe.
    bool pads = llvm::any_of(access->dims, [](const auto &dim) {
      return dim->boundary == gaudi::recipe::Boundary::Pad;
    });
    if (pads)
      access->pad = scalarBits(load.getPadAttr());
    uint32_t id = kernel->accesses.size();
    kernel->accesses.push_back(std::move(access));
    numbers[load] =
        addInst(stage, Opcode::Load, recipeType(load.getType()), id);
    return success();
  }

  LogicalResult emitStore(KernelStoreOp store, StageT &stage) {
    auto access = std::make_unique<AccessT>();
    access->operand = op.getInputs().size() + store.getOutputNumber();
    fillDims(
        *access, store.getMap(), [](unsigned) { return Value(); },
        [](unsigned) { return gaudi::Boundary::Inside; });
    uint32_t id = kernel->accesses.size();
    kernel->accesses.push_back(std::move(access));
    auto data = std::make_unique<StoreT>();
    data->access = id;
    data->value = numbers.lookup(store.getValue());
    stage.stores.push_back(std::move(data));
    return success();
  }

  LogicalResult unsupported(Operation *inner) {
    InFlightDiagnostic diag = inner->emitError("'")
                              << inner->getName().getStringRef()
                              << "' has no form in a TPC kernel of a recipe";
    diag.attachNote(op.getLoc()) << "in this kernel";
    return diag;
  }

  /// Numbers what the op computes. Ops that emit nothing (extf, a bitcast to
  /// the same type) give their result the number of their operand.
  LogicalResult emitScalar(Operation *inner, StageT &stage) {
    if (auto load = dyn_cast<KernelLoadOp>(inner))
      return emitLoad(load, stage);
    if (auto store = dyn_cast<KernelStoreOp>(inner))
      return emitStore(store, stage);
    if (auto index = dyn_cast<KernelIndexOp>(inner)) {
      numbers[index] =
          addInst(stage, Opcode::Index, ElementType::I64, index.getDim());
      return success();
    }
    // Ops with two results become two instructions.
    if (inner->getNumResults() != 1)
      return emitWide(inner, stage);
    Value result = inner->getResult(0);
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      if (!isKernelScalar(result.getType()))
        return unsupported(inner);
      numbers[result] =
          addInst(stage, Opcode::Const, recipeType(result.getType()), 0, 0, 0,
                  scalarBits(constant.getValue()));
      return success();
    }
    // Between load and store a float is an f32: roundings are instructions,
    // extensions are none.
    if (isa<arith::TruncFOp, arith::ExtFOp>(inner))
      return emitRounding(inner, stage);
    if (auto round = dyn_cast<KernelRoundToOp>(inner))
      return emitRoundTo(round, stage);
    // MLIR folds the rounding of a converted integer into the conversion.
    const bool isNarrowed = isa<arith::SIToFPOp, arith::UIToFPOp>(inner) &&
                            !result.getType().isF32() &&
                            isDeviceElement(result.getType());
    if (!isNarrowed && !isKernelScalar(result.getType()))
      return unsupported(inner);
    SmallVector<uint32_t, 3> in;
    for (Value operand : inner->getOperands())
      in.push_back(numbers.lookup(operand));
    in.resize(3);
    ElementType type =
        isNarrowed ? ElementType::F32 : recipeType(result.getType());
    // Arithmetic of i1 has no instructions of its own.
    if (needsLogic(inner))
      return emitAsLogic(inner, stage, in);
    if (auto cmp = dyn_cast<arith::CmpFOp>(inner)) {
      auto predicate = predicateOf(cmp.getPredicate());
      if (!predicate)
        return unsupported(inner);
      numbers[result] = addInst(stage, Opcode::CmpF, type, in[0], in[1], 0,
                                uint64_t(*predicate));
      return success();
    }
    if (auto cmp = dyn_cast<arith::CmpIOp>(inner)) {
      numbers[result] = addInst(stage, Opcode::CmpI, type, in[0], in[1], 0,
                                uint64_t(predicateOf(cmp.getPredicate())));
      return success();
    }
    if (isa<arith::BitcastOp>(inner)) {
      // A narrow float is an f32 here: it does not have the bits it stands for.
      Type from = inner->getOperand(0).getType();
      if (!isKernelScalar(from))
        return unsupported(inner);
      // The same type: the operand's number serves.
      if (from == result.getType()) {
        numbers[result] = in[0];
        return success();
      }
      numbers[result] = addInst(stage,
                                result.getType().isF32() ? Opcode::BitcastIF
                                                         : Opcode::BitcastFI,
                                type, in[0]);
      return success();
    }
    // Of the others, operands and result type say everything: a family of
    // opcodes has one signature.
    auto opcode = opcodeOf(inner->getName());
    if (!opcode)
      return unsupported(inner);
    const uint32_t number =
        addInst(stage, Opcode(*opcode), type, in[0], in[1], in[2]);
    numbers[result] =
        isNarrowed ? addRounding(number, result.getType(), stage) : number;
    return success();
  }

  /// True for ops on i1 that no instruction computes.
  static bool needsLogic(Operation *inner) {
    auto isBoolean = [](Type type) { return type.isInteger(1); };
    if (llvm::none_of(inner->getOperandTypes(), isBoolean) &&
        llvm::none_of(inner->getResultTypes(), isBoolean))
      return false;
    if (auto compare = dyn_cast<arith::CmpIOp>(inner))
      return isBoolean(compare.getLhs().getType()) &&
             isSigned(compare.getPredicate());
    return !isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp,
                arith::CmpFOp, arith::UIToFPOp, arith::ExtSIOp, arith::ExtUIOp,
                arith::TruncIOp, arith::BitcastOp>(inner);
  }

  static bool isSigned(arith::CmpIPredicate predicate) {
    using P = arith::CmpIPredicate;
    return llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, predicate);
  }

  /// Signed and modular arithmetic of i1 (true is -1, and 1 + 1 is 0) by the
  /// instructions that recipes have.
  LogicalResult emitAsLogic(Operation *inner, StageT &stage,
                            ArrayRef<uint32_t> in) {
    uint32_t &number = numbers[inner->getResult(0)];
    auto logic = [&](Opcode opcode) {
      number = addInst(stage, opcode, ElementType::I1, in[0], in[1]);
      return success();
    };
    // Modulo 2, sum and difference are exclusive or.
    if (isa<arith::AddIOp, arith::SubIOp>(inner))
      return logic(Opcode::Xor);
    // As unsigned numbers true is the larger, as signed ones the smaller.
    if (isa<arith::MulIOp, arith::MinUIOp, arith::MaxSIOp>(inner))
      return logic(Opcode::And);
    if (isa<arith::MaxUIOp, arith::MinSIOp>(inner))
      return logic(Opcode::Or);
    if (isa<arith::SIToFPOp>(inner)) {
      uint32_t wide = addInst(stage, Opcode::ExtSI, ElementType::I8, in[0]);
      number = addInst(stage, Opcode::SIToFloat, ElementType::F32, wide);
      return success();
    }
    if (auto compare = dyn_cast<arith::CmpIOp>(inner)) {
      // -1 is less than 0: the unsigned order with the operands exchanged.
      using P = arith::CmpIPredicate;
      static constexpr std::pair<P, P> unsignedOrder[] = {{P::slt, P::ult},
                                                          {P::sle, P::ule},
                                                          {P::sgt, P::ugt},
                                                          {P::sge, P::uge}};
      P order = *lookup(unsignedOrder, compare.getPredicate());
      number = addInst(stage, Opcode::CmpI, ElementType::I1, in[1], in[0], 0,
                       uint64_t(predicateOf(order)));
      return success();
    }
    return unsupported(inner);
  }

  static bool isKernelScalar(Type type) {
    return type.isF32() || type.isInteger(64) || type.isInteger(32) ||
           type.isInteger(16) || type.isInteger(8) || type.isInteger(1);
  }

  uint32_t addRounding(uint32_t value, Type to, StageT &stage) {
    return addInst(stage, Opcode::RoundTo, ElementType::F32, value, 0, 0,
                   uint64_t(recipeType(to)));
  }

  /// truncf rounds an f32 to a narrow format, extf only changes the type.
  LogicalResult emitRounding(Operation *inner, StageT &stage) {
    Value from = inner->getOperand(0), to = inner->getResult(0);
    if (!isDeviceElement(from.getType()) || !isDeviceElement(to.getType()))
      return unsupported(inner);
    uint32_t value = numbers.lookup(from);
    if (isa<arith::TruncFOp>(inner))
      value = addRounding(value, to.getType(), stage);
    numbers[to] = value;
    return success();
  }

  /// The rule is part of the instruction, which always names a word.
  LogicalResult emitRoundTo(KernelRoundToOp op, StageT &stage) {
    const kernel::RoundBy by{elementTypeOf(op.getFormat()),
                             kernel::Rounding(op.getRounding()), op.getFlush()};
    const uint32_t word =
        op.getWord() ? numbers.lookup(op.getWord())
                     : addInst(stage, Opcode::Const, ElementType::I32, 0);
    numbers[op.getResult()] =
        addInst(stage, Opcode::RoundBy, ElementType::F32,
                numbers.lookup(op.getValue()), word, 0, by.encoded());
    return success();
  }

  /// Products of double width: low and high half.
  LogicalResult emitWide(Operation *inner, StageT &stage) {
    if (!isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(inner) ||
        inner->getResult(0).getType().isInteger(1))
      return unsupported(inner);
    uint32_t a = numbers.lookup(inner->getOperand(0));
    uint32_t b = numbers.lookup(inner->getOperand(1));
    ElementType type = recipeType(inner->getResult(0).getType());
    bool isSigned = isa<arith::MulSIExtendedOp>(inner);
    numbers[inner->getResult(0)] = addInst(stage, Opcode::MulI, type, a, b);
    numbers[inner->getResult(1)] =
        addInst(stage, isSigned ? Opcode::MulHSI : Opcode::MulHUI, type, a, b);
    return success();
  }

  /// A value as an instruction of `stage`: what a reduction combines must be
  /// computed in its loop.
  uint32_t inStage(Value value, KernelLoopOp loop, StageT &stage) {
    Operation *def = value.getDefiningOp();
    if (def && def->getParentOp() == loop && !isa<arith::ExtFOp>(def))
      return numbers.lookup(value);
    // A select of the value from itself is an instruction that changes nothing.
    uint32_t yes = addInst(stage, Opcode::Const, ElementType::I1, 0, 0, 0, 1);
    uint32_t number = numbers.lookup(value);
    return addInst(stage, Opcode::Select, recipeType(value.getType()), yes,
                   number, number);
  }

  LogicalResult emitLoop(KernelLoopOp loop) {
    StageT &stage = newStage();
    stage.loops.assign(loop.getDims().begin(), loop.getDims().end());
    // Each loop costs work in the verifier's weight, as it counts it.
    weight += stage.loops.size();
    Block &block = loop.getBody().front();
    // An accumulator that the body does not read needs no number.
    for (auto [i, running] : llvm::enumerate(block.getArguments()))
      if (!running.use_empty())
        numbers[running] =
            addInst(stage, Opcode::Carry, recipeType(running.getType()), i);
    for (Operation &inner : block.without_terminator())
      if (failed(emitScalar(&inner, stage)))
        return failure();
    auto yield = cast<KernelYieldOp>(block.getTerminator());
    SmallVector<Value> yielded(yield.getValues());
    size_t next = 0;
    for (auto [i, init] : llvm::enumerate(loop.getInits())) {
      KernelReduce kind = loop.getReduceKind(i);
      ReductionT reduction;
      reduction.op = static_cast<gaudi::recipe::ReduceOp>(kind);
      reduction.init = numbers.lookup(init);
      // A reduction takes values of its own stage.
      reduction.value = inStage(yielded[next++], loop, stage);
      if (gaudi::hasPosition(kind))
        reduction.position = inStage(yielded[next++], loop, stage);
      stage.reductions.push_back(std::make_unique<ReductionT>(reduction));
    }
    // Results are numbered after the instructions, in order.
    for (Value result : loop.getResults())
      numbers[result] = nextValue++;
    return success();
  }

  KernelOp op;
  std::unique_ptr<KernelT> kernel;
  DenseMap<Value, uint32_t> numbers;
  uint32_t nextValue = 0;
  uint64_t weight = 0; // of the kernel, as the recipe verifier counts it
};
} // namespace

std::unique_ptr<KernelT> gaudi::emitKernel(KernelOp op) {
  return KernelEmitter(op).run();
}
