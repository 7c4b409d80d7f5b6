// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GAUDI_BRIDGE_PROFILER_H
#define GAUDI_BRIDGE_PROFILER_H

namespace gaudi::bridge {

/// Makes ProfilerActivity.HPU of torch.profiler what the cards do; once.
void registerProfiler();

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_PROFILER_H
