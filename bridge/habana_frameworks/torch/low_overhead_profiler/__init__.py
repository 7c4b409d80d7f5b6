# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same traces by another name."""
from . import profiler  # noqa: F401
