// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits a kernel of few points with a long reduction into two kernels.
//
// The first reduces chunks of the loops, all at once; the second reduces their
// results in order, then what is left of the loops, and does the rest. Which
// kernels are split, and where, follows from their extents alone, so results
// have the same bits on every host and with every number of threads.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_LONGREDUCTION_H
#define GAUDI_LIB_RUNTIME_COMMANDS_LONGREDUCTION_H

#include "BuiltKernel.h"
#include "Gaudi/Recipe/Views.h"

#include <optional>
#include <vector>

namespace gaudi::runtime {

/// What is split where.
struct LongReduction {
  unsigned stage = 0;
  unsigned loop = 0;  // the kernel dimension whose range is cut
  int64_t chunk = 0;  // indices of it per chunk
  int64_t chunks = 0; // full ones; at least one index is left
  /// Of the values that the stage reduces.
  std::vector<recipe::ElementType> types;
  /// Of each result's partial values: the chunks, then the points.
  std::vector<int64_t> sizes;
};

/// None for kernels that run as they are: with many points or a short loop,
/// several stages with loops, or reductions whose order matters.
std::optional<LongReduction> findLongReduction(const recipe::Kernel &kernel);

/// Reduces the full chunks. Its operands are the kernel's, of which it leaves
/// the outputs alone, then the partial values as more outputs.
BuiltKernel chunkKernel(const recipe::Kernel &kernel,
                        const LongReduction &reduction);

/// The kernel on the partial values, which are more inputs, the last ones.
BuiltKernel combiningKernel(const recipe::Kernel &kernel,
                            const LongReduction &reduction);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_LONGREDUCTION_H
