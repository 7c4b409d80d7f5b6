// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schema and the kernel language number everything alike; weights of
// kernels.
#include "Gaudi/Recipe/KernelLanguage.h"

#include "Gaudi/Kernel/CodeSize.h"
#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Recipe/Views.h"

namespace gaudi::recipe {

#define GAUDI_OPCODE(name, ...)                                                \
  static_assert(Op::name == Op(kernel::Opcode::name),                          \
                "Recipe.fbs and Opcodes.def number " #name " differently");
#include "Gaudi/Kernel/Opcodes.def"
static_assert(size_t(Op::MAX) + 1 == kernel::opcodeCount,
              "Recipe.fbs has an operation that Opcodes.def lacks");

static_assert(kernel::matchesReduceKind<ReduceOp>() &&
                  size_t(ReduceOp::MAX) + 1 == kernel::reduceKindCount,
              "Recipe.fbs and ReduceKind differ");

static_assert(size_t(Rounding::MAX) + 1 == kernel::roundingCount &&
                  size_t(Rounding::StochasticNormal) ==
                      size_t(kernel::Rounding::StochasticNormal) &&
                  size_t(Rounding::Downward) ==
                      size_t(kernel::Rounding::Downward),
              "Recipe.fbs and kernel::Rounding differ");

#define GAUDI_ELEMENT_TYPE(name, ...)                                          \
  static_assert(ElementType::name == ElementType(kernel::ElementType::name),   \
                "Recipe.fbs and ElementTypes.def number " #name                \
                " differently");
#include "Gaudi/Kernel/ElementTypes.def"
static_assert(size_t(ElementType::MAX) + 1 == kernel::elementTypeCount,
              "Recipe.fbs has an element type that ElementTypes.def lacks");

bool roundsByRule(const Kernel &kernel) {
  for (const Stage *stage : items(kernel.stages()))
    for (const Inst *inst : items(stage->insts()))
      if (inst->op() == Op::RoundBy)
        return true;
  return false;
}

uint64_t compileWeight(const Kernel &kernel) {
  uint64_t weight = 0;
  for (const Stage *stage : items(kernel.stages())) {
    weight +=
        1 + items(stage->loops()).size() + items(stage->reductions()).size();
    for (const Inst *inst : items(stage->insts()))
      weight += kernel::compileWeight(opcodeOf(inst->op()));
  }
  return weight;
}

} // namespace gaudi::recipe
