// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds math operations to the C library's float functions.
#include "MathSymbols.h"

#include "Gaudi/Kernel/Opcodes.h"

#include <cassert>
#include <cmath>

namespace gaudi::runtime {
namespace {

struct Binding {
  const char *name;
  void *address;
};

// The column hostFunction of Opcodes.def, one overload per kind of entry;
// `operands` is the operation's number of them.
constexpr struct None {
} NONE;
template <unsigned operands> Binding bind(const char *, None) {
  return {nullptr, nullptr};
}
template <unsigned operands>
Binding bind(const char *name, float (*function)(float)) {
  static_assert(operands == 1, "a function of one operand");
  return {name, reinterpret_cast<void *>(function)};
}
template <unsigned operands>
Binding bind(const char *name, float (*function)(float, float)) {
  static_assert(operands == 2, "a function of two operands");
  return {name, reinterpret_cast<void *>(function)};
}

/// One per opcode, in order.
const std::vector<Binding> &bindings() {
  static const std::vector<Binding> table = {
#define GAUDI_OPCODE(name, family, cost, mlirOp, hostFunction, ...)            \
  bind<kernel::valueOperands(kernel::OpFamily::family)>(#hostFunction,         \
                                                        hostFunction),
#include "Gaudi/Kernel/Opcodes.def"
  };
  return table;
}

} // namespace

const char *mathFunctionName(recipe::Op op) {
  assert(size_t(op) < bindings().size() && "a verified operation");
  return bindings()[size_t(op)].name;
}

const std::vector<std::pair<const char *, void *>> &mathFunctions() {
  static const std::vector<std::pair<const char *, void *>> table = [] {
    std::vector<std::pair<const char *, void *>> result;
    for (const Binding &binding : bindings())
      if (binding.name)
        result.push_back({binding.name, binding.address});
    return result;
  }();
  return table;
}

} // namespace gaudi::runtime
