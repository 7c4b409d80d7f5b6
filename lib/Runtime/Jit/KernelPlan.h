// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything the code generator needs to know about a kernel on given operands:
// five stages, each computed from the kernel and the stages before it. No LLVM
// here.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELPLAN_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELPLAN_H

#include "ColumnPlan.h"
#include "PrefetchPlan.h"

#include <string>

namespace gaudi::runtime {

struct KernelPlan : LoopPlan, LanePlan, BufferPlan, ColumnPlan, PrefetchPlan {};

KernelPlan planKernel(const recipe::Kernel &kernel,
                      const std::vector<KernelOperand> &operands);

/// Equal for kernels that compile to the same code on these operands: covers
/// all that KernelCompiler::compile gets, but names. Sizes, strides and
/// addresses of operands matter only through the plan.
std::string kernelKey(const recipe::Kernel &kernel, const KernelPlan &plan,
                      const std::vector<KernelOperand> &operands);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELPLAN_H
