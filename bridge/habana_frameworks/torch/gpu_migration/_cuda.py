# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.cuda and what is in it, by torch.hpu."""
import collections
import contextlib
import dataclasses
import functools
import sys
import types

import torch

import habana_frameworks.torch.hpu as hthpu

from .. import _C
from ..hpu._utils import _get_device_index
from . import _notes
from .._cuda_names.rules import IGNORED, MISSING, RULES

_CAPABILITY = 8, 0


def is_available() -> bool:
    """Not for PyTorch's own functions: what they do then needs libraries of CUDA."""
    return hthpu.is_available() and not _is_of_pytorch()


def _is_of_pytorch() -> bool:
    frame = sys._getframe(3)  # of whom calls what notes the call
    name = frame.f_globals.get("__name__") or ""
    # TorchDynamo asks for the script.
    return name.startswith("torch.") and not name.startswith("torch._dynamo.variables.")


def get_device_capability(device=None) -> tuple[int, int]:
    return _CAPABILITY


@dataclasses.dataclass(frozen=True)
class _Properties:
    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int
    """TPCs."""
    is_integrated: int = 0
    is_multi_gpu_board: int = 0
    warp_size: int = 64
    """Elements of 32 bits in a vector."""
    max_threads_per_multi_processor: int = 64
    gcnArchName: str = ""


def get_device_properties(device=None) -> _Properties:
    given = hthpu.get_device_properties(device)
    count = {"GAUDI": 8, "GAUDI2": 24, "GAUDI3": 64}.get(given.name, 24)
    return _Properties(given.name, *_CAPABILITY, total_memory=given.total_memory,
                       multi_processor_count=count)


def _counts(device) -> dict[str, tuple[int, int, int, int]]:
    """Of each of CUDA's counts: now, at most, all that were made, all that went."""
    stats = hthpu.memory_stats(device)
    used = stats["InUse"], stats["MaxInUse"], stats["InUse"], 0
    active = stats["ActiveAllocs"], stats["ActiveAllocs"], stats["NumAllocs"], stats["NumFrees"]
    whole = stats["Limit"], stats["Limit"], stats["Limit"], 0
    none = 0, 0, 0, 0
    return {"allocated_bytes": used, "active_bytes": used, "requested_bytes": used,
            "reserved_bytes": whole, "inactive_split_bytes": none, "allocation": active,
            "active": active, "segment": (1, 1, 1, 0), "inactive_split": none}


_NAMES = "current", "peak", "allocated", "freed"
_ONCE = {"num_alloc_retries": 0, "num_ooms": 0, "num_sync_all_streams": 0, "num_device_alloc": 1,
         "num_device_free": 0, "max_split_size": -1}


def memory_stats(device=None) -> dict[str, int]:
    result = collections.OrderedDict(hthpu.memory_stats(device))
    for key, values in _counts(device).items():
        for pool in ("all", "large_pool", "small_pool"):
            for name, value in zip(_NAMES, values if pool != "small_pool" else (0, 0, 0, 0)):
                result[f"{key}.{pool}.{name}"] = value
    result.update(_ONCE)
    return result


def memory_stats_as_nested_dict(device=None) -> dict:
    result: dict = {}
    for key, value in memory_stats(device).items():
        *path, last = key.split(".")
        inner = result
        for each in path:
            inner = inner.setdefault(each, {})
        inner[last] = value
    return result


def memory_summary(device=None, abbreviated: bool = False) -> str:
    return hthpu.memory_summary(device)


def memory_snapshot(mempool_id=None, include_traces: bool = True) -> list[dict]:
    return hthpu.memory.memory_snapshot()


def list_gpu_processes(device=None) -> str:
    import os
    index = _get_device_index(device, optional=True)
    return (f"GPU:{index}\nprocess {os.getpid():>10d} uses "
            f"{hthpu.memory_allocated(index) / 2**20:>12.3f} MB GPU memory")


def get_per_process_memory_fraction(device=None) -> float:
    return 1.0


def host_memory_stats() -> dict:
    return {}


def host_memory_stats_as_nested_dict() -> dict:
    return {}


def get_allocator_backend() -> str:
    return "native"


def is_tf32_supported() -> bool:
    return False


def is_current_stream_capturing() -> bool:
    return _C.is_open(-1) and _C.is_capturing(_C.current_device())


class CUDAGraph(hthpu.HPUGraph):
    def __init__(self, keep_graph: bool = False) -> None:
        _notes.add("torch.cuda.CUDAGraph")
        super().__init__()

    def capture_begin(self, pool=None, capture_error_mode: str = "global", **named) -> None:
        super().capture_begin(**named)

    def pool(self) -> tuple[int, int]:
        return 0, 0


class graph(hthpu.graph):
    def __init__(self, cuda_graph, pool=None, stream=None, capture_error_mode: str = "global",
                 **_) -> None:
        _notes.add("torch.cuda.graph")
        super().__init__(cuda_graph, stream)
        self.cuda_graph = cuda_graph


def graph_pool_handle() -> tuple[int, int]:
    return 0, 0


def make_graphed_callables(callables, sample_args, num_warmup_iters: int = 3,
                           allow_unused_input: bool = False, pool=None):
    return hthpu.make_graphed_callables(callables, sample_args, warmups=num_warmup_iters,
                                        allow_unused_input=allow_unused_input)


class _Runtime:
    """What a script asks of CUDA's runtime by itself."""

    def __getattr__(self, name: str):
        if not name.startswith("cuda"):
            raise AttributeError(name)
        if name == "cudaMemGetInfo":
            return hthpu.mem_get_info
        if name in ("cudaProfilerStart", "cudaProfilerStop", "cudaHostRegister",
                    "cudaHostUnregister", "cudaDeviceSynchronize"):
            return lambda *_: 0
        raise NotImplementedError(f"torch.cuda.cudart().{name} has no counterpart on hpu; leave the call "
                                  "out")


def cudart() -> _Runtime:
    return _Runtime()


@contextlib.contextmanager
def _nothing(*_, **__):
    yield


def _zero(*_, **__) -> int:
    return 0


# What gives a value where nothing is done.
_GIVEN = {"nvtx.range_push": _zero, "nvtx.range_pop": _zero, "nvtx.range_start": _zero,
          "nvtx.range": _nothing, "profiler.profile": _nothing, "use_mem_pool": _nothing,
          "cudart": cudart, "graph_pool_handle": graph_pool_handle}


def nccl_version() -> tuple[int, int]:
    return 2, 10


def nccl_is_available(tensors) -> bool:
    return False


_OWN = {f"torch.cuda.{each.__name__}": each for each in (
    is_available, get_device_capability, get_device_properties, memory_stats,
    memory_stats_as_nested_dict, memory_summary, memory_snapshot, list_gpu_processes,
    get_per_process_memory_fraction, host_memory_stats, host_memory_stats_as_nested_dict,
    get_allocator_backend, is_tf32_supported, is_current_stream_capturing,
    CUDAGraph, graph, make_graphed_callables)}
_OWN |= {"torch.cuda.nccl.version": nccl_version, "torch.cuda.nccl.is_available": nccl_is_available}


class _Instances(type):
    """A class of hpu's whose calls are noted."""

    def __call__(cls, *args, **named):
        _notes.add(cls.replaced)
        return cls.target(*args, **named)

    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, cls.target)

    def __subclasscheck__(cls, other) -> bool:
        return issubclass(other, cls.target)


def _noted(name: str, function):
    if isinstance(function, type):
        if "__init__" in vars(function) and function.__module__ == __name__:
            return function  # notes itself
        return _Instances(function.__name__, (), {"replaced": name, "target": function,
                                                  "__module__": "torch.cuda"})

    @functools.wraps(function)
    def call(*args, **named):
        _notes.add(name, walks=False)
        return function(*args, **named)
    return call


def _refused(name: str):
    def refuse(*_, **__):
        _notes.add(name)
        note = RULES[name].note
        raise NotImplementedError(f"{name} has no counterpart on hpu: "
                                  + (note or "leave the call out (docs/migration.md)"))
    return refuse


def _replacement(name: str):
    rule = RULES[name]
    short = name.removeprefix("torch.cuda.")
    if rule.kind == MISSING:
        return _refused(name)
    if rule.kind == IGNORED:
        return _noted(name, _GIVEN.get(short, lambda *_, **__: None))
    if name in _OWN:
        return _noted(name, _OWN[name])
    found = torch
    for each in rule.target.split(".")[1:]:
        found = getattr(found, each)
    return _noted(name, found)


def _module(path: str) -> types.ModuleType:
    found = torch
    for each in path.split(".")[1:]:
        found = getattr(found, each)
    return found


def install() -> None:
    import torch.cuda.comm
    import torch.cuda.nccl
    cuda = torch.cuda
    others = [cuda.memory, cuda.random, cuda.streams, cuda.graphs]
    for name in RULES:
        path, _, last = name.rpartition(".")
        if not path.startswith("torch.cuda") or path == "torch.cuda.amp" or last.endswith("Tensor"):
            continue
        made = _replacement(name)
        for module in [_module(path), *(others if path == "torch.cuda" else ())]:
            if module is cuda or hasattr(module, last):
                setattr(module, last, made)
    # What PyTorch's own functions ask.
    cuda._is_in_bad_fork = hthpu._is_in_bad_fork
    cuda._lazy_init = lambda: None
    cuda._lazy_call = lambda call, **_: call()
    cuda._get_device_index = cuda._utils._get_device_index = _get_device_index
    cuda._exchange_device = hthpu._exchange_device
    # Another function: TorchDynamo tells the two apart by what they are.
    cuda._maybe_exchange_device = lambda index: hthpu._maybe_exchange_device(index)
    cuda.has_half = True
    cuda.default_generators = _Generators()
    hthpu.Stream.cuda_stream = property(lambda self: self.stream_id)
    torch.backends.cuda.is_built = lambda: True


class _Generators(collections.abc.Sequence):
    """Those of the cards, which are opened when they are asked for."""

    def __len__(self) -> int:
        return _C.device_count()

    def __getitem__(self, index):
        return _C.default_generator(range(len(self))[index])
