// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Independent parts of an evaluation on the threads of a context.
#ifndef GAUDI_LIB_REFERENCE_JOBS_H
#define GAUDI_LIB_REFERENCE_JOBS_H

#include "mlir/IR/Threading.h"

namespace gaudi::reference {

/// Calls job(0) to job(count - 1), which together are about `work` operations
/// on numbers, on the threads of `context`. What takes less than threads take
/// to wake up and to meet again stays on this one: samples evaluate a small
/// graph hundreds of times.
template <typename Job>
void forEachJob(MLIRContext *context, int64_t count, double work, Job job) {
  constexpr double leastShared = 1 << 15;
  if (work >= leastShared)
    return parallelFor(context, 0, size_t(count),
                       [&](size_t number) { job(int64_t(number)); });
  for (int64_t number = 0; number < count; ++number)
    job(number);
}

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_JOBS_H
