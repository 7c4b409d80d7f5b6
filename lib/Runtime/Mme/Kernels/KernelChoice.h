// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which micro kernel a host and a product get.
#ifndef GAUDI_LIB_RUNTIME_MME_KERNELS_KERNELCHOICE_H
#define GAUDI_LIB_RUNTIME_MME_KERNELS_KERNELCHOICE_H

#include "MicroKernel.h"

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Runtime/Statistics.h"
#include "Gaudi/Support/Error.h"

namespace gaudi::runtime {

/// The kernel for this host (KernelTable.h); `narrow` if bf16 holds every
/// operand. The environment variable GAUDI_MME chooses another, to compare:
/// "portable", "avx2", ... Any other value, and a kernel that the host cannot
/// run, is an error. Never null.
Result<const MicroKernel *> microKernel(bool narrow);

/// The kernel for products of 8-bit integers. Null: none of its own.
Result<const MicroKernel *> integerKernel();

/// True if bf16 holds every value of the type.
constexpr bool isNarrow(recipe::ElementType type) {
  return type == recipe::ElementType::BF16 ||
         type == recipe::ElementType::F8E4M3FN ||
         type == recipe::ElementType::F8E5M2;
}

/// The kernel for attention, whose operands are packed by each launch, into the
/// format whose products are faster on this host. Never null.
Result<const MicroKernel *> attentionKernel(bool narrow);

/// The kernel or its half, by how much of their panels so many columns fill.
const MicroKernel &fitting(const MicroKernel &kernel, int64_t columns);

/// What this host gets, for reports.
HostKernels hostKernels();

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_KERNELS_KERNELCHOICE_H
