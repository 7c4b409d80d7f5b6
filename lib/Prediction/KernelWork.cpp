// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of a recipe as work of the time model.
#include "CommandWork.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Timing/Describe.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace gaudi::prediction {
namespace {

using namespace timing;
using recipe::items;

/// Gives the instructions of a kernel to the counter, by stages.
class Reader {
public:
  Reader(const recipe::Kernel &kernel, KernelCounter &counter)
      : kernel(kernel), counter(counter) {}

  void run() {
    for (const recipe::Access *given : items(kernel.accesses()))
      read(*given);
    for (const recipe::Stage *stage : items(kernel.stages()))
      count(*stage);
  }

private:
  void read(const recipe::Access &given) {
    KernelAccess access;
    access.operand = given.operand();
    for (const recipe::AccessDim *dim : items(given.dims())) {
      kernel::Affine form(dim->offset());
      for (uint32_t d = 0; d < items(dim->coefficients()).size(); ++d)
        form.add(d, items(dim->coefficients())[d]);
      if (dim->value() >= 0)
        access.indexed |= 1u << access.position.size();
      access.position.push_back(std::move(form));
    }
    counter.addAccess(std::move(access));
  }

  void count(const recipe::Stage &stage) {
    uint64_t loops = 0;
    for (uint8_t d : items(stage.loops()))
      loops |= uint64_t(1) << d;
    for (const recipe::Inst *inst : items(stage.insts())) {
      if (kernel::Opcode(inst->op()) == kernel::Opcode::Const &&
          kernel::ElementType(inst->type()) == kernel::ElementType::F32)
        constants.emplace_back(uint32_t(values.size()), uint32_t(inst->imm()));
      names.push_back(nameOf(*inst));
      values.push_back(count(*inst, loops));
    }
    for (const recipe::Reduction *reduction : items(stage.reductions())) {
      values.push_back(counter.reduction(loops));
      if (reduction->op() == recipe::ReduceOp::ArgMax ||
          reduction->op() == recipe::ReduceOp::ArgMin)
        values.push_back(values.back());
    }
    // Each result is a value of its own.
    while (names.size() < values.size())
      names.push_back(timing::nameOf({names.size()}));
    for (const recipe::Store *store : items(stage.stores()))
      counter.store(store->access(), loops);
  }

  /// Counts an instruction and gives the dimensions that it varies with.
  uint64_t count(const recipe::Inst &inst, uint64_t loops) {
    const auto op = kernel::Opcode(inst.op());
    const auto type = kernel::ElementType(inst.type());
    uint64_t dims = 0;
    const uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < kernel::valueOperands(op); ++i)
      dims |= values[operands[i]];
    switch (op) {
    case kernel::Opcode::Load: {
      const recipe::Access &access = *items(kernel.accesses())[inst.a()];
      for (const recipe::AccessDim *dim : items(access.dims()))
        if (dim->value() >= 0)
          dims |= values[uint32_t(dim->value())];
      return counter.load(inst.a(), type, dims);
    }
    case kernel::Opcode::Index:
      return counter.instruction(op, type, uint64_t(1) << inst.a(),
                                 names.back());
    case kernel::Opcode::Carry:
      return counter.carry(loops);
    case kernel::Opcode::DivF:
    case kernel::Opcode::PowF:
      return counter.instruction(op, type, dims,
                                 {values[inst.b()], constantOf(inst.b())},
                                 names.back());
    default:
      return counter.instruction(op, type, dims, names.back());
    }
  }

  std::optional<float> constantOf(uint32_t value) const {
    // Values are numbered in order, so that constants are sorted.
    const auto found = std::lower_bound(constants.begin(), constants.end(),
                                        std::pair(value, uint32_t(0)));
    if (found == constants.end() || found->first != value)
      return std::nullopt;
    float result = 0;
    std::memcpy(&result, &found->second, sizeof result);
    return result;
  }

  uint64_t nameOf(const recipe::Inst &inst) const {
    const auto op = kernel::Opcode(inst.op());
    // Accumulators of two loops differ.
    if (op == kernel::Opcode::Carry)
      return timing::nameOf({names.size()});
    if (op == kernel::Opcode::Load)
      return nameOf(*items(kernel.accesses())[inst.a()]);
    uint64_t from[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < kernel::valueOperands(op); ++i)
      from[i] = names[from[i]];
    return timing::nameOf({uint64_t(op), uint64_t(inst.type()), inst.imm(),
                           from[0], from[1], from[2]});
  }

  /// Two accesses at one position are one.
  uint64_t nameOf(const recipe::Access &access) const {
    uint64_t name = timing::nameOf({access.operand(), access.pad()});
    for (const recipe::AccessDim *dim : items(access.dims())) {
      name = timing::nameOf(
          {name, uint64_t(dim->boundary()), uint64_t(dim->offset()),
           dim->value() >= 0 ? names[uint32_t(dim->value())] : 0});
      for (int64_t coefficient : items(dim->coefficients()))
        name = timing::nameOf({name, uint64_t(coefficient)});
    }
    return name;
  }

  const recipe::Kernel &kernel;
  KernelCounter &counter;
  std::vector<uint64_t> values; // the dimensions that each varies with
  std::vector<std::pair<uint32_t, uint32_t>> constants; // number and bits
  std::vector<uint64_t> names;                          // of the values
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
  KernelCounter counter(std::move(work));
  Reader(kernel, counter).run();
  return counter.finish();
}

} // namespace gaudi::prediction
