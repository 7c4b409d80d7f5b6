// Kernels of a recipe as work of the time model.
#include "CommandWork.h"
#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::prediction {
namespace {

using namespace timing;
using recipe::items;

/// Sorts the instructions of a kernel by the dimensions they vary with.
class Counter {
public:
  Counter(const recipe::Kernel &kernel, KernelWork &work)
      : kernel(kernel), work(work) {}

  void run() {
    for (const recipe::Stage *stage : items(kernel.stages()))
      count(*stage);
  }

private:
  KernelBlock &blockOf(uint64_t dims) {
    for (KernelBlock &block : work.blocks)
      if (block.dims == dims)
        return block;
    work.blocks.push_back({});
    work.blocks.back().dims = dims;
    work.blocks.back().widestBytes = 1;
    return work.blocks.back();
  }

  /// The dimensions that an access varies with.
  uint64_t dimsOf(uint32_t access) const {
    uint64_t dims = 0;
    const recipe::Access &given = *items(kernel.accesses())[access];
    for (const recipe::AccessDim *dim : items(given.dims()))
      if (dim->value() >= 0)
        dims |= values[uint32_t(dim->value())];
    for (const kernel::Affine &form : work.accesses[access].position)
      dims |= form.dims();
    return dims;
  }

  void count(const recipe::Stage &stage) {
    uint64_t loops = 0;
    for (uint8_t d : items(stage.loops()))
      loops |= uint64_t(1) << d;
    for (const recipe::Inst *inst : items(stage.insts()))
      count(*inst, loops);
    for (const recipe::Reduction *reduction : items(stage.reductions())) {
      ++blockOf(work.parallel | loops).reductions;
      // A result is there for each point, after the loops.
      values.push_back(work.parallel);
      if (reduction->op() == recipe::ReduceOp::ArgMax ||
          reduction->op() == recipe::ReduceOp::ArgMin)
        values.push_back(work.parallel);
    }
    for (const recipe::Store *store : items(stage.stores()))
      blockOf(work.parallel | loops).stores.push_back(store->access());
  }

  void count(const recipe::Inst &inst, uint64_t loops) {
    const auto op = kernel::Opcode(inst.op());
    uint64_t dims = 0;
    const uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < kernel::valueOperands(op); ++i)
      dims |= values[operands[i]];
    if (op == kernel::Opcode::Load)
      dims |= dimsOf(inst.a());
    else if (op == kernel::Opcode::Index)
      dims |= uint64_t(1) << inst.a();
    else if (op == kernel::Opcode::Carry)
      dims |= work.parallel | loops;
    values.push_back(dims);
    const auto type = kernel::ElementType(inst.type());
    KernelBlock &block = blockOf(dims);
    switch (kernel::opcodeTable[size_t(op)].cost) {
    case kernel::CostClass::Free:
      return;
    case kernel::CostClass::Simple:
      if (op == kernel::Opcode::Load)
        block.loads.push_back(inst.a());
      else
        ++block.simple;
      break;
    case kernel::CostClass::Division:
      ++block.division;
      break;
    case kernel::CostClass::Function:
      ++block.function;
      break;
    }
    block.widestBytes = std::max<uint8_t>(block.widestBytes,
                                          uint8_t(kernel::elementSize(type)));
  }

  const recipe::Kernel &kernel;
  KernelWork &work;
  std::vector<uint64_t> values; // the dimensions that each varies with
};

} // namespace

KernelWork kernelWorkOf(const recipe::Kernel &kernel,
                        std::vector<Operand> operands) {
  KernelWork work;
  work.extents = recipe::copyOf(kernel.index_space());
  for (uint32_t d = 0; d < items(kernel.parallel()).size(); ++d)
    if (items(kernel.parallel())[d])
      work.parallel |= uint64_t(1) << d;
  work.operands = std::move(operands);
  work.inputs = items(kernel.inputs()).size();
  for (const recipe::Access *given : items(kernel.accesses())) {
    KernelAccess access;
    access.operand = given->operand();
    for (const recipe::AccessDim *dim : items(given->dims())) {
      kernel::Affine form(dim->offset());
      for (uint32_t d = 0; d < items(dim->coefficients()).size(); ++d)
        form.add(d, items(dim->coefficients())[d]);
      if (dim->value() >= 0)
        access.indexed |= 1u << access.position.size();
      access.position.push_back(std::move(form));
    }
    work.accesses.push_back(std::move(access));
  }
  Counter(kernel, work).run();
  return work;
}

} // namespace gaudi::prediction
