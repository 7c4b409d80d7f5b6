// Which micro kernel a host and a product get.
#ifndef GAUDI_LIB_RUNTIME_MME_KERNELCHOICE_H
#define GAUDI_LIB_RUNTIME_MME_KERNELCHOICE_H

#include "MicroKernel.h"

#include "Gaudi/Support/Error.h"

namespace gaudi::runtime {

/// The kernel for this host; `narrow` if bf16 holds every operand. Null: oneDNN
/// is used. The environment variable GAUDI_MME chooses another, to compare:
/// "onednn", "portable", "avx2" or "avx512". Any other value, and a kernel that
/// the host cannot run, is an error.
Result<const MicroKernel *> microKernel(bool narrow);

/// The kernel or its half, by how much of their panels so many columns fill.
const MicroKernel &fitting(const MicroKernel &kernel, int64_t columns);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_KERNELCHOICE_H
