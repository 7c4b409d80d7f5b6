# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fused parts of networks."""
from .FusedSDPA import FusedSDPA  # noqa: F401
