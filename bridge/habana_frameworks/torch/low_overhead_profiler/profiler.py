# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""start(), stop(), and flush(), which writes what was recorded."""
import torch

from .. import _missing, _trace
from ..profiler.ProfilerApi import start_profiler as start  # noqa: F401


def stop() -> None:
    torch.hpu.synchronize()
    _trace.end({})


def flush() -> str | None:
    """Writes what stop() ended to default_profiling.json, or the next free name; that name."""
    trace = _trace.take()
    if trace is None:
        return None
    path = _trace.free_path()
    _trace.write(trace, path)
    return path


__getattr__ = _missing.of(__name__)
