# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ProfilerActivity.HPU, which is registered when the package is imported."""
import enum


class DebugActivity(enum.Enum):
    """What `torch.profiler.profile(debug_activities=...)` adds to a trace of hpu; without the
    argument it has both."""
    SYNAPSE_FUNCTION_CALLS = 0
    """The host's calls of the runtime, with the predicted time of each."""
    BRIDGE_FUNCTION_CALLS = 1
    """What lazy mode does between ops: SyncTensorsGraphInternal, ExecuteCachedGraph, and, where a
    graph is compiled, LaunchSyncTensorsGraph."""


def register_habana_activity_profiler() -> None:
    """Nothing is left to do."""
