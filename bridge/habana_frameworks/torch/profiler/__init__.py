# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces of the cards without torch.profiler."""
from . import ProfilerApi  # noqa: F401
from .ProfilerApi import setup_profiler, start_profiler, stop_profiler  # noqa: F401
