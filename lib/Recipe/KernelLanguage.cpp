// The schema and the kernel language number everything alike.
#include "Gaudi/Recipe/KernelLanguage.h"

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

#define GAUDI_ELEMENT_TYPE(name, ...)                                          \
  static_assert(ElementType::name == ElementType(kernel::ElementType::name),   \
                "Recipe.fbs and ElementTypes.def number " #name                \
                " differently");
#include "Gaudi/Kernel/ElementTypes.def"
static_assert(size_t(ElementType::MAX) + 1 == kernel::elementTypeCount,
              "Recipe.fbs has an element type that ElementTypes.def lacks");

} // namespace gaudi::recipe
