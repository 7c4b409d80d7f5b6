# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of a card, in bytes: what PyTorch's tensors and recipes have of it."""
import torch

from .. import _C, _missing
from ._utils import _get_device_index

_STATS = ("Limit", "InUse", "MaxInUse", "NumAllocs", "NumFrees", "ActiveAllocs", "MaxAllocSize",
          "TotalSystemAllocs", "TotalSystemFrees", "TotalActiveAllocs")


def memory_stats(device=None) -> dict[str, int]:
    """The runtime's counts; zeros if the card has not been opened."""
    index = _get_device_index(device, optional=True)
    if not _C.is_open(index):
        _C.check_index(index)
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




__getattr__ = _missing.of(__name__, ("_get_hlml_shared_object_name",))
