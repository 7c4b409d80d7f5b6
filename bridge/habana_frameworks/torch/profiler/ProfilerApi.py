# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace of the cards from start_profiler() to stop_profiler(), which writes it."""
import torch

from .. import _missing, _trace


def setup_profiler() -> None:
    """Refuses where HABANA_PROFILE=0 does."""
    if _trace.is_off():
        raise RuntimeError(_trace.OFF)


def start_profiler() -> None:
    setup_profiler()
    _trace.begin()


def stop_profiler() -> str:
    """Waits for the card and writes default_profiling.json, or default_profiling.1.json and so on,
    to the current folder; its name."""
    torch.hpu.synchronize()
    _trace.end({})
    trace = _trace.take()
    if trace is None:
        raise RuntimeError("stop_profiler: no profiler has been started; call start_profiler first")
    path = _trace.free_path()
    _trace.write(trace, path)
    return path


__getattr__ = _missing.of(__name__)
