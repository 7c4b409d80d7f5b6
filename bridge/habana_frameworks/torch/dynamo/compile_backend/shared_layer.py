# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that stay outside of compiled graphs, and lines that say why."""
from ... import _missing
from ...utils.debug.logger import Logger

logger = Logger("COMPILE")

hpu_fallback_op_list: set[str] = set()
"""Names of ops, without their namespace, that a program keeps out of graphs."""

__getattr__ = _missing.of(__name__)
