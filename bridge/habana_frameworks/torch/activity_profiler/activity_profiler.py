# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ProfilerActivity.HPU, which is registered when the package is imported."""
from .. import _missing


def register_habana_activity_profiler() -> None:
    """Nothing is left to do."""


__getattr__ = _missing.of(__name__, ("DebugActivity",))
