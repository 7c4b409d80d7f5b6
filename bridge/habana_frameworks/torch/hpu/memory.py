# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of a card, in bytes: what PyTorch's tensors and recipes have of it."""
import pickle
import sys

from .. import _C, _missing
from ._utils import _get_device_index

_STATS = ("Limit", "InUse", "MaxInUse", "NumAllocs", "NumFrees", "ActiveAllocs", "MaxAllocSize",
          "TotalSystemAllocs", "TotalSystemFrees", "TotalActiveAllocs")


def memory_stats(device=None) -> dict[str, int]:
    """The runtime's counts; zeros if the card has not been opened."""
    index = _get_device_index(device, optional=True)
    if not _C.is_open(index):
        return dict.fromkeys(_STATS, 0)
    return _C.memory_stats(index)


def memory_summary(device=None) -> str:
    return _C.memory_summary(_get_device_index(device, optional=True))


def memory_allocated(device=None) -> int:
    return memory_stats(device)["InUse"]


def max_memory_allocated(device=None) -> int:
    """The largest memory_allocated so far, or since reset_peak_memory_stats."""
    return memory_stats(device)["MaxInUse"]


def memory_reserved(device=None) -> int:
    """The whole pool, which the runtime takes at once."""
    return memory_stats(device)["Limit"]


max_memory_reserved = memory_cached = max_memory_cached = memory_reserved


def mem_get_info(device=None) -> tuple[int, int]:
    """Free bytes and all of them."""
    index = _get_device_index(device, optional=True)
    _C.init(index)
    stats = _C.memory_stats(index)
    return stats["Limit"] - stats["InUse"], stats["Limit"]


def reset_peak_memory_stats(device=None) -> None:
    index = _get_device_index(device, optional=True)
    if _C.is_open(index):
        _C.reset_peak_memory(index)


def reset_accumulated_memory_stats(device=None) -> None:
    index = _get_device_index(device, optional=True)
    if _C.is_open(index):
        _C.reset_accumulated_memory(index)


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats


def empty_cache() -> None:
    """Frees nothing: a block that is freed is in the pool at once."""


# --- history -------------------------------------------------------------------------------------

def _record_memory_history(enabled="all", context="all", stacks="all", max_entries=sys.maxsize,
                           device=None, clear_history=False, compile_context=False,
                           global_record_annotations=False, skip_actions=None) -> None:
    """As torch.cuda.memory's, for all cards: from now on each allocation has the lines of Python
    that made it, which errors of a full card name. None stops it. Lines are those of Python,
    whatever `stacks` says."""
    if enabled is None or enabled is False:
        _C.stop_recording_memory()
        return
    if enabled not in ("state", "all", True):
        raise ValueError(f"enabled is None, 'state' or 'all', not {enabled!r}")
    if context not in (None, "state", "alloc", "all"):
        raise ValueError(f"context is None, 'state', 'alloc' or 'all', not {context!r}")
    if stacks not in ("python", "all"):
        raise ValueError(f"stacks is 'python' or 'all', not {stacks!r}")
    if skip_actions:
        raise NotImplementedError("hpu records all actions: skip_actions must be empty")
    _C.record_memory(enabled != "state", context is not None, context == "all",
                     min(max_entries, sys.maxsize), clear_history)


def _snapshot(device=None, augment_with_fx_traces: bool = False) -> dict:
    """The memory of all cards and what was recorded, in the format of torch.cuda.memory's. A card
    is a segment, and its region of small blocks another one; addresses are those of its memory. Of
    a block that an op made, the first frame is the op and the shape."""
    if augment_with_fx_traces:
        raise NotImplementedError("snapshots of hpu do not have augment_with_fx_traces; leave it out")
    return _C.memory_snapshot()


def memory_snapshot(device=None) -> list[dict]:
    """The segments of _snapshot()."""
    return _snapshot()["segments"]


def _dump_snapshot(filename="dump_snapshot.pickle", augment_with_fx_traces: bool = False) -> None:
    """Writes _snapshot() for pytorch.org/memory_viz."""
    with open(filename, "wb") as file:
        pickle.dump(_snapshot(augment_with_fx_traces=augment_with_fx_traces), file)


__getattr__ = _missing.of(__name__, {"_get_hlml_shared_object_name":
                                     "gaudi-c/Monitoring.h tells what hlml does"})
