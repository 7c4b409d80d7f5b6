// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the LLVM function of one planned kernel.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELEMITTER_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELEMITTER_H

#include "KernelCompiler.h"

#include "llvm/IR/Module.h"

#include <string>

namespace gaudi::runtime {

/// Adds `void name(void **operands, i64 begin, i64 end, Fault *)` to the
/// module (a KernelFunction). The address of operand n is operands[n]; points
/// are counted in the row-major order of plan.parallel.
llvm::Function *emitKernel(llvm::Module &module, const std::string &name,
                           const recipe::Kernel &kernel, const KernelPlan &plan,
                           const std::vector<recipe::ElementType> &types,
                           KernelTier tier);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELEMITTER_H
