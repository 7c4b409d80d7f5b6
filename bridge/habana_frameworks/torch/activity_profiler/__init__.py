# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activities of torch.profiler."""
from .activity_profiler import (  # noqa: F401
    DebugActivity, ProfilerActivity, register_habana_activity_profiler)
