# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.hpu: the emulated cards of this process."""
import dataclasses
import os
import re
import sys

import torch

from .. import _C, _missing
from ..internal import bridge_config as _bridge_config  # noqa: F401
from ._switches import *  # noqa: F401, F403
from ._switches import get_amp_supported_dtype, sdp_kernel  # noqa: F401
from ._utils import _get_device_index
from . import _utils, events, graphs, memory, metrics, random, streams  # noqa: F401
from .events import Event  # noqa: F401
from .graphs import (  # noqa: F401
    CachedParams, GraphModel, HPUGraph, ModuleCacher, TensorPacker, graph, make_graphed_callables,
    wrap_in_hpu_graph, wrap_in_hpu_graph_func)
from .memory import (  # noqa: F401
    empty_cache, max_memory_allocated, max_memory_cached, max_memory_reserved, mem_get_info,
    memory_allocated, memory_cached, memory_reserved, memory_stats, memory_summary,
    reset_accumulated_memory_stats, reset_max_memory_allocated, reset_peak_memory_stats)
from .random import (  # noqa: F401
    get_rng_state, get_rng_state_all, initial_seed, manual_seed, manual_seed_all, seed, seed_all,
    set_rng_state, set_rng_state_all)
from .streams import (  # noqa: F401
    Stream, StreamContext, current_stream, default_stream, get_stream_info, record_stream,
    set_stream, stream)


def init() -> None:
    """Opens the current card, which the first tensor does else."""
    from .. import _environment
    _environment.raise_problem()
    _C.init(-1)


_lazy_init = init


def is_initialized() -> bool:
    return _C.is_open(-1)


def is_available() -> bool:
    return _C.device_count() > 0


def _is_in_bad_fork() -> bool:
    return _C.is_forked()


def device_count() -> int:
    return _C.device_count()


def current_device() -> int:
    return _C.current_device()


def set_device(device) -> None:
    index = _get_device_index(device, optional=True)
    if index >= 0:
        _C.exchange_device(index)


def _exchange_device(index: int) -> int:
    return _C.exchange_device(index) if index >= 0 else _C.current_device()


_maybe_exchange_device = _exchange_device


class device:
    """Makes a card the current one in the `with` block; None, or a negative number, none."""

    def __init__(self, device) -> None:
        self.idx = -1 if device is None else (
            device if isinstance(device, int) else _get_device_index(device, optional=True))
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, *_) -> bool:
        _exchange_device(self.prev_idx)
        return False


class device_of(device):
    """The card of a tensor or storage; nothing if it is none of a card."""

    def __init__(self, obj) -> None:
        super().__init__(obj.get_device() if obj.device.type == "hpu" else -1)


def synchronize(device=None) -> None:
    """Waits for all work of the card."""
    index = _get_device_index(device, optional=True)
    if _C.is_open(index):
        _C.synchronize(index)


def _kind(device) -> str:
    index = _get_device_index(device, optional=True)
    kind = os.environ.get("GAUDI_DEVICE") or "gaudi2"
    if not re.fullmatch("gaudi[123]?", kind):
        _C.init(index)  # which says what kinds there are
    return _C.kind(index) if _C.is_open(index) else kind


def get_device_name(device=None) -> str:
    """ "GAUDI2"; the first Gaudi is "GAUDI"."""
    name = _kind(device).upper()
    return "GAUDI" if name == "GAUDI1" else name


def get_device_capability(device=None) -> tuple[int, int]:
    """Generation of the card, and 0."""
    return int(_kind(device).removeprefix("gaudi") or 1), 0


@dataclasses.dataclass(frozen=True)
class DeviceProperties:
    name: str
    major: int
    minor: int
    module_id: int
    total_memory: int
    """Bytes of the pool."""


def get_device_properties(device=None) -> DeviceProperties:
    """Opens the card."""
    index = _get_device_index(device, optional=True)
    _C.init(index)
    return DeviceProperties(get_device_name(index), *get_device_capability(index),
                            module_id=_C.module_id(index), total_memory=_C.capacity(index))


def can_device_access_peer(device, peer_device) -> bool:
    """No card reads the memory of another one."""
    _get_device_index(device, optional=True)
    _get_device_index(peer_device, optional=True)
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    return True


def memory_usage(device=None) -> int:
    """Percent of the card's memory that is in use."""
    stats = memory_stats(device)
    return 100 * stats["InUse"] // stats["Limit"] if stats["Limit"] else 0


def utilization(device=None) -> int:
    """Percent of the card's time since it was opened in which its MME, or its TPCs, worked."""
    index = _get_device_index(device, optional=True)
    if not _C.is_open(index):
        return 0
    clock = _C.clock(index)
    busy = max(clock["MME"], clock["TPC"])
    return min(100, 100 * busy // clock["elapsed"]) if clock["elapsed"] else 0


def get_arch_list() -> list[str]:
    """Kinds of cards that can be emulated."""
    return ["gaudi2", "gaudi3"]


def get_gencode_flags() -> str:
    """Those of a compiler of kernels: there are none."""
    return ""


hpu = sys.modules[__name__]
"""The module has itself by its name, through which lightning-habana asks for memory_stats."""

_missing_name = _missing.of("torch.hpu", {
    **dict.fromkeys(("enable_const_section_serialization", "disable_const_section_serialization"),
                    "PT_HPU_RECIPE_CACHE_CONFIG keeps recipes with their constants"),
    **dict.fromkeys(("enable_quantization", "disable_quantization"),
                    "core.quantization.hpu_set_inference_env() begins inference")})


def __getattr__(name: str):
    # Asked by checkpoints, which keep the states of generators only if it is true.
    if name == "_initialized":
        return any(map(_C.is_open, range(_C.device_count())))
    return _missing_name(name)
