// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schema's enumerations as those of the kernel language, whose tables say
// what they mean. lib/Recipe/KernelLanguage.cpp checks that their numbers are
// the same.
#ifndef GAUDI_RECIPE_KERNELLANGUAGE_H
#define GAUDI_RECIPE_KERNELLANGUAGE_H

#include "Gaudi/Kernel/ElementType.h"
#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Kernel/Reduce.h"
#include "Gaudi/Recipe/Recipe_generated.h"

namespace gaudi::recipe {

using kernel::OpFamily;
using kernel::valueOperands;

constexpr kernel::Opcode opcodeOf(Op op) { return kernel::Opcode(op); }
constexpr kernel::ElementType elementTypeOf(ElementType type) {
  return kernel::ElementType(type);
}

constexpr OpFamily familyOf(Op op) { return kernel::familyOf(opcodeOf(op)); }
constexpr unsigned valueOperands(Op op) { return valueOperands(familyOf(op)); }
/// Vector instructions of an operation.
constexpr double instructionCount(Op op) {
  return kernel::instructionCount(opcodeOf(op));
}

/// True for ArgMax and ArgMin.
constexpr bool hasPosition(ReduceOp op) { return kernel::hasPosition(op); }
/// Value numbers of a reduction's results.
constexpr unsigned resultCount(ReduceOp op) { return kernel::resultCount(op); }

/// True for a kernel with a RoundBy instruction.
bool roundsByRule(const Kernel &kernel);

/// The weight of a kernel whose opcodes are valid (Gaudi/Kernel/CodeSize.h).
uint64_t compileWeight(const Kernel &kernel);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_KERNELLANGUAGE_H
