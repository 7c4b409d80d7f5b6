// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large the code of one kernel may be, for the compiler and the recipe
// format alike: bounds on the time to compile it and on its stack frame.
#ifndef GAUDI_KERNEL_CODESIZE_H
#define GAUDI_KERNEL_CODESIZE_H

#include "Gaudi/Kernel/Opcodes.h"

namespace gaudi::kernel {

/// Weight of one kernel: the sum over its instructions (compileWeight), and one
/// per reduction, stage and loop of a stage.
inline constexpr uint64_t maxKernelWeight = 16384;
/// Weight of all kernels of one recipe that are compiled when it is loaded,
/// unless the host allows more; each is counted once for each way (types,
/// strides, extents) in which it is launched. Bounds the time to load a recipe
/// of strangers to a few minutes of one core.
inline constexpr uint64_t maxRecipeWeight = 524288;
/// Values of one kernel that are live at once.
inline constexpr uint64_t maxLiveValues = 1024;

/// The time to compile an operation, in units of an addition's. Measured on a
/// host: at the limit, a kernel takes about four seconds whatever it is made
/// of. The vector code of a function is inlined, and costs the register
/// allocator more than its length.
constexpr unsigned compileWeight(Opcode op) {
  switch (op) {
  case Opcode::PowF:
    return 512;
  case Opcode::SinF:
  case Opcode::CosF:
    return 256;
  case Opcode::RemF:
    return 64;
  default:
    return isValid(op) && opcodeTable[size_t(op)].cost == CostClass::Function
               ? 64
               : 1;
  }
}

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_CODESIZE_H
