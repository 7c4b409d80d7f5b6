# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activities of torch.profiler."""
from . import activity_profiler  # noqa: F401
from .activity_profiler import DebugActivity  # noqa: F401
