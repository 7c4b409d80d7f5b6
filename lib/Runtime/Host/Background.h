// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread of the process for work that nobody waits for.
#ifndef GAUDI_LIB_RUNTIME_HOST_BACKGROUND_H
#define GAUDI_LIB_RUNTIME_HOST_BACKGROUND_H

#include "JobThread.h"

#include <functional>

namespace gaudi::runtime {

/// Runs the job on a thread of low priority, after those before it. Never
/// fails: a job may be dropped, for lack of a thread or at the end of the
/// process, which waits for the one that runs. Jobs do not throw. In a child of
/// a fork() nothing runs.
void runInBackground(std::function<void()> job);

/// At the end of the process, waits for the running job before anything is
/// destroyed that was made so far: for what jobs load or make themselves.
void finishBackgroundFirst();

/// Waits until all jobs so far have ended: for tests.
void awaitBackground();

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_HOST_BACKGROUND_H
