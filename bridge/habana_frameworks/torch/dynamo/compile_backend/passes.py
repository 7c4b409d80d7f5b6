# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines about graphs that are compiled."""
from ... import _missing
from ...utils.debug.logger import Logger

logger = Logger("COMPILE")

__getattr__ = _missing.of(__name__)
