// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime does beside launches: it compiles kernels again, for speed.
#ifndef GAUDI_RUNTIME_BACKGROUND_H
#define GAUDI_RUNTIME_BACKGROUND_H

namespace gaudi::runtime {

/// Ends it, after the job that runs. The end of the process does so as well,
/// but what a job uses may have been made after the functions of exit() were
/// registered, and is destroyed before they run.
void finishBackground();

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_BACKGROUND_H
