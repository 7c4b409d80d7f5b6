// The value numbers in a stage of a kernel that is being rewritten.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_STAGEVALUES_H
#define GAUDI_LIB_RUNTIME_COMMANDS_STAGEVALUES_H

#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Kernel/Reduce.h"
#include "Gaudi/Recipe/Recipe_generated.h"

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

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_STAGEVALUES_H
