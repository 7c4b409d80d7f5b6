# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Levels of the log."""
from .. import _C
from .debug.logger import ALONE


def get_pt_logging_levels() -> dict[str, int]:
    """Of the modules PT_... that follow LOG_LEVEL_ALL_PT; 0: trace, 6: off."""
    return {name: _C.log_level(name) for name in _C.log_modules()
            if name.startswith("PT_") and name not in ALONE}
