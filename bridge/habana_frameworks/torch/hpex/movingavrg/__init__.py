# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moving averages of models."""
from .FusedEMA import FusedEMA  # noqa: F401
