# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers that compute in eight bits (docs/precision.md)."""
from .... import _missing
from . import cpp_extensions, distributed, fp8, recipe, utils  # noqa: F401
from .attention import FusedAttention  # noqa: F401
from .fp8 import fp8_autocast  # noqa: F401
from .module import Linear  # noqa: F401

__getattr__ = _missing.of(__name__)
