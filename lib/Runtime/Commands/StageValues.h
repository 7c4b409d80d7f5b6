// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of kernels that are being rewritten: the value numbers in a stage, and
// inputs that are added.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_STAGEVALUES_H
#define GAUDI_LIB_RUNTIME_COMMANDS_STAGEVALUES_H

#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Kernel/Reduce.h"
#include "Gaudi/Recipe/Recipe_generated.h"

#include <memory>
#include <vector>

namespace gaudi::runtime {

/// Values that the stage numbers: instructions, then results of reductions.
inline uint32_t valuesIn(const recipe::StageT &stage) {
  size_t count = stage.insts.size();
  for (const auto &reduction : stage.reductions)
    count += kernel::resultCount(reduction->op);
  return uint32_t(count);
}

/// Replaces every value that the stage uses by `renumbered` of it.
template <typename Renumber>
void renumberValues(recipe::StageT &stage, Renumber renumbered) {
  for (recipe::Inst &inst : stage.insts) {
    const unsigned count = kernel::valueOperands(kernel::Opcode(inst.op()));
    auto operand = [&](unsigned number, uint32_t value) {
      return number < count ? renumbered(value) : value;
    };
    inst = recipe::Inst(inst.imm(), operand(0, inst.a()), operand(1, inst.b()),
                        operand(2, inst.c()), inst.op(), inst.type());
  }
  for (const auto &reduction : stage.reductions) {
    reduction->init = renumbered(reduction->init);
    reduction->value = renumbered(reduction->value);
    if (kernel::hasPosition(reduction->op))
      reduction->position = renumbered(reduction->position);
  }
  for (const auto &store : stage.stores)
    store->value = renumbered(store->value);
}

/// An access to element (d[0], d[1], ...) of an operand, where d are `dims` of
/// the kernel's `rank` dimensions.
inline std::unique_ptr<recipe::AccessT>
accessOf(uint32_t operand, const std::vector<unsigned> &dims, size_t rank) {
  auto access = std::make_unique<recipe::AccessT>();
  access->operand = operand;
  for (unsigned d : dims) {
    auto dim = std::make_unique<recipe::AccessDimT>();
    dim->coefficients.assign(rank, 0);
    dim->coefficients[d] = 1;
    access->dims.push_back(std::move(dim));
  }
  return access;
}

/// One more input, after those that the kernel has, of the extents of `dims`.
/// The number of an access to it.
inline uint32_t addInput(recipe::KernelT &kernel, recipe::ElementType type,
                         const std::vector<unsigned> &dims) {
  const auto operand = uint32_t(kernel.inputs.size());
  for (const auto &access : kernel.accesses)
    access->operand += access->operand >= operand;
  kernel.inputs.push_back(type);
  kernel.input_ranks.push_back(uint8_t(dims.size()));
  kernel.accesses.push_back(accessOf(operand, dims, kernel.index_space.size()));
  return uint32_t(kernel.accesses.size() - 1);
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_STAGEVALUES_H
