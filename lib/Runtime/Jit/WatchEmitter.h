// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that round to bf16, in two versions: one that rounds with two
// multiply-adds or the host's conversion, which is right for almost all
// numbers, and the exact one, which repeats the points where the processor's
// flags say that a number was none of those.
#ifndef GAUDI_LIB_RUNTIME_JIT_WATCHEMITTER_H
#define GAUDI_LIB_RUNTIME_JIT_WATCHEMITTER_H

#include "KernelPlan.h"

#include "llvm/IR/IRBuilder.h"

namespace gaudi::runtime {

/// What a second version of a kernel relies on the flags for.
enum class Watching {
  None,        // there is none
  Conversions, // the host's conversions of rows, which change some numbers
  Roundings    // roundings by multiply-adds
};

/// None unless the second version pays and the kernel can be run twice: no
/// point reads what another one, or the first run, has written.
Watching watchingOf(const recipe::Kernel &kernel, const KernelPlan &plan,
                    const std::vector<recipe::ElementType> &types);

/// Emits calls that cover the points from `begin` to `end`, which are the third
/// and second last of `arguments`, in blocks: `watched`, then `exact` if a flag
/// was raised.
void callWatched(llvm::IRBuilder<> &b, const KernelPlan &plan,
                 Watching watching, llvm::Function *watched,
                 llvm::Function *exact,
                 llvm::SmallVector<llvm::Value *> arguments);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_WATCHEMITTER_H
