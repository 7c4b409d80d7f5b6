# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.profiler.ProfilerActivity as the real package has it: a type of its own, which clients look
for to know that HPU can be profiled. PyTorch's functions take either."""
import enum
import functools

import torch
from torch._C._profiler import ProfilerActivity as _Native


class _Activity(enum.Enum):
    """Equal to PyTorch's own of its name, which is its value."""

    def __eq__(self, other) -> bool:
        return self.value == (other.value if isinstance(other, _Activity) else other)

    def __hash__(self) -> int:
        return hash(self.value)


ProfilerActivity = _Activity("ProfilerActivity", dict(_Native.__members__))


class DebugActivity(enum.Enum):
    """What `torch.profiler.profile(debug_activities=...)` adds to a trace of hpu; without the
    argument it has both."""
    SYNAPSE_FUNCTION_CALLS = enum.auto()
    """The host's calls of the runtime, with the predicted time of each."""
    BRIDGE_FUNCTION_CALLS = enum.auto()
    """What lazy mode does between ops: SyncTensorsGraphInternal, ExecuteCachedGraph, and, where a
    graph is compiled, LaunchSyncTensorsGraph."""


def _debug(activities) -> set[DebugActivity]:
    if activities is None:
        return set(DebugActivity)
    wrong = [each for each in activities if not isinstance(each, DebugActivity)]
    if wrong:
        raise TypeError(f"debug_activities has members of DebugActivity, not {wrong[0]!r}")
    return set(activities)


def _native(activities):
    """PyTorch's own in a list, whose items may be dictionaries with a list for each."""
    if activities is None:
        return None
    return [{_native([key])[0]: value for key, value in each.items()} if isinstance(each, dict) else
            each.value if isinstance(each, _Activity) else each
            for each in activities]


def register_habana_activity_profiler() -> None:
    """Done when the package is imported."""
    profiler = torch.profiler.profiler
    if torch.profiler.ProfilerActivity is ProfilerActivity:
        return
    torch.profiler.ProfilerActivity = ProfilerActivity
    supported = torch.profiler.supported_activities
    torch.profiler.supported_activities = lambda: set(map(ProfilerActivity, supported()))
    for kind in (profiler._KinetoProfile, profiler.profile):
        made = kind.__init__

        def init(self, activities=None, debug_activities=None, _made=made, **kwargs):
            if not hasattr(self, "_hpu_debug"):  # of the class that it extends
                self._hpu_debug = _debug(debug_activities)
            _made(self, activities=_native(activities), **kwargs)
        kind.__init__ = functools.wraps(made)(init)
    toggle = profiler._KinetoProfile.toggle_collection_dynamic

    @functools.wraps(toggle)
    def toggled(self, enable, activities):
        return toggle(self, enable, _native(activities))
    profiler._KinetoProfile.toggle_collection_dynamic = toggled


register_habana_activity_profiler()
