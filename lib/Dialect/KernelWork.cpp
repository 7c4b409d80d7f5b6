// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of gaudi.tpc.kernel, counted as recipe emission numbers it.
#include "Gaudi/Dialect/KernelWork.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using gaudi::kernel::ElementType;
using gaudi::kernel::Opcode;
using gaudi::timing::KernelAccess;
using gaudi::timing::KernelCounter;
using gaudi::timing::KernelWork;
using gaudi::timing::nameOf;

uint64_t gaudi::countScalar(KernelCounter &counter, OperationName name,
                            TypeRange operands, ArrayRef<uint64_t> operandDims,
                            Type result, uint64_t number,
                            std::optional<float> second) {
  uint64_t dims = 0;
  for (uint64_t from : operandDims)
    dims |= from;
  const TypeID id = name.getTypeID();
  // Constants are no instruction, extf and such a bitcast change no bit.
  if (id == TypeID::get<arith::ConstantOp>() ||
      id == TypeID::get<arith::ExtFOp>() ||
      (id == TypeID::get<arith::BitcastOp>() && operands.front() == result))
    return dims;
  if (id == TypeID::get<arith::TruncFOp>())
    return counter.instruction(Opcode::RoundTo, ElementType::F32, dims, number);
  if (id == TypeID::get<KernelRoundToOp>())
    return counter.instruction(Opcode::RoundBy, ElementType::F32, dims, number);
  // No instruction reads a signed i1: it is widened first.
  if (id == TypeID::get<arith::SIToFPOp>() && operands.front().isInteger(1))
    counter.instruction(Opcode::ExtSI, ElementType::I8, dims, ~number);
  const std::optional<Opcode> opcode = opcodeOf(name);
  // An op without an opcode is refused when the recipe is written.
  if (!opcode || !isDeviceElement(result))
    return dims;
  const ElementType type = elementTypeOf(result);
  // Both halves of a wide product.
  if (id == TypeID::get<arith::MulSIExtendedOp>() ||
      id == TypeID::get<arith::MulUIExtendedOp>())
    counter.instruction(Opcode::MulI, type, dims, ~number);
  if (id == TypeID::get<arith::DivFOp>() || id == TypeID::get<math::PowFOp>())
    return counter.instruction(*opcode, type, dims, {operandDims[1], second},
                               number);
  return counter.instruction(*opcode, type, dims, number);
}

std::optional<float> gaudi::constantOf(FloatAttr value) {
  if (!value || !value.getType().isF32())
    return std::nullopt;
  return value.getValue().convertToFloat();
}

void gaudi::countCopyIntoLoop(KernelCounter &counter, Type type, uint64_t dims,
                              uint64_t number) {
  counter.instruction(Opcode::Select, elementTypeOf(type), dims,
                      nameOf({number, uint64_t(Opcode::Select)}));
}

namespace {
class RegionCounter {
public:
  RegionCounter(KernelOp kernel, KernelCounter &counter)
      : kernel(kernel), counter(counter) {}

  void run() {
    for (Operation &op : kernel.getBody().front()) {
      if (auto loop = dyn_cast<KernelLoopOp>(op)) {
        finishStage(0);
        count(loop);
      } else {
        count(op);
      }
    }
    finishStage(0);
  }

private:
  /// Stores come last in a stage: a loop, or the ops between two.
  void finishStage(uint64_t loops) {
    for (uint32_t access : stores)
      counter.store(access, loops);
    stores.clear();
  }

  uint32_t addAccess(uint32_t operand, AffineMap map, uint32_t indexed) {
    KernelAccess access;
    access.operand = operand;
    access.indexed = indexed;
    for (Affine &form : affineOf(map))
      access.position.push_back(std::move(form));
    return counter.addAccess(std::move(access));
  }

  void count(Operation &op) {
    SmallVector<uint64_t, 3> from;
    uint64_t all = 0;
    for (Value operand : op.getOperands()) {
      from.push_back(dims.lookup(operand));
      all |= from.back();
    }
    if (auto store = dyn_cast<KernelStoreOp>(op)) {
      stores.push_back(
          addAccess(kernel.getInputs().size() + store.getOutputNumber(),
                    store.getMap(), 0));
      return;
    }
    if (op.getNumResults() == 0)
      return;
    const uint64_t number = numberOf(op);
    for (Value result : op.getResults())
      numbers[result] =
          nameOf({number, uint64_t(cast<OpResult>(result).getResultNumber())});
    Value result = op.getResult(0);
    if (auto load = dyn_cast<KernelLoadOp>(op)) {
      uint32_t indexed = 0;
      if (auto dynamic = load.getDynamicDims())
        for (int64_t dim : *dynamic)
          indexed |= 1u << dim;
      const uint32_t access =
          addAccess(load.getInputNumber(), load.getMap(), indexed);
      dims[result] = counter.load(access, elementTypeOf(load.getType()), all);
      return;
    }
    if (auto index = dyn_cast<KernelIndexOp>(op)) {
      dims[result] = uint64_t(1) << index.getDim();
      return;
    }
    all = countScalar(counter, op.getName(), op.getOperandTypes(), from,
                      result.getType(), number, secondOf(op));
    for (Value each : op.getResults())
      dims[each] = all;
  }

  /// The second operand if it is a constant.
  static std::optional<float> secondOf(Operation &op) {
    FloatAttr value;
    if (op.getNumOperands() < 2 ||
        !matchPattern(op.getOperand(1), m_Constant(&value)))
      return std::nullopt;
    return constantOf(value);
  }

  /// The same for ops that compute the same.
  uint64_t numberOf(Operation &op) const {
    const auto address = [](const void *p) { return uint64_t(uintptr_t(p)); };
    uint64_t number =
        nameOf({address(op.getName().getAsOpaquePointer()),
                address(op.getAttrDictionary().getAsOpaquePointer()),
                address(op.getResult(0).getType().getAsOpaquePointer())});
    if (auto load = dyn_cast<KernelLoadOp>(op))
      number = nameOf({number, load.getInputNumber()});
    for (Value operand : op.getOperands())
      number = nameOf({number, numbers.lookup(operand)});
    return number;
  }

  void count(KernelLoopOp loop) {
    uint64_t loops = 0;
    for (int64_t dim : loop.getDims())
      loops |= uint64_t(1) << dim;
    Block &block = loop.getBody().front();
    for (Value accumulator : block.getArguments())
      if (!accumulator.use_empty()) {
        dims[accumulator] = counter.carry(loops);
        numbers[accumulator] = unique();
      }
    for (Operation &op : block.without_terminator())
      count(op);
    for (Value value : cast<KernelYieldOp>(block.getTerminator()).getValues()) {
      Operation *def = value.getDefiningOp();
      if (!def || def->getParentOp() != loop || isa<arith::ExtFOp>(def))
        countCopyIntoLoop(counter, value.getType(), dims.lookup(value),
                          numbers.lookup(value));
    }
    uint64_t result = 0;
    for (size_t i = 0; i < loop.getInits().size(); ++i)
      result = counter.reduction(loops);
    for (Value value : loop.getResults()) {
      dims[value] = result;
      numbers[value] = unique();
    }
    finishStage(loops);
  }

  KernelOp kernel;
  KernelCounter &counter;
  /// Accumulators and what loops give are values of their own.
  uint64_t unique() { return nameOf({numbers.size()}); }

  DenseMap<Value, uint64_t> dims; // that each value varies with, as bits
  DenseMap<Value, uint64_t> numbers;
  SmallVector<uint32_t> stores; // of the stage so far
};
} // namespace

WorkList KernelOp::getWork(OperandOf operandOf) {
  KernelWork work;
  work.extents.assign(getIndexSpace().begin(), getIndexSpace().end());
  for (auto [d, isParallel] : llvm::enumerate(getParallel()))
    work.parallel |= uint64_t(isParallel) << d;
  for (Value tensor : getInputs())
    work.operands.push_back(operandOf(tensor));
  for (Value tensor : getOutputs())
    work.operands.push_back(operandOf(tensor));
  work.inputs = getInputs().size();
  KernelCounter counter(std::move(work));
  RegionCounter(*this, counter).run();
  WorkList list;
  list.push_back(counter.finish());
  return list;
}
