# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers that would compute in eight bits. Without fp8 they are PyTorch's; to enable it is an
error, since this package does not emulate it."""
from .... import _missing
from . import fp8, recipe  # noqa: F401
from .fp8 import fp8_autocast  # noqa: F401
from .module import Linear  # noqa: F401

__getattr__ = _missing.of(__name__, (
    "FusedAttention", "LayerNorm", "LayerNormLinear", "LayerNormMLP", "TransformerLayer",
    "activation_checkpointing", "checkpoint", "distributed", "fp8_model_init",
    "intermediate_activation_recomputation"))
