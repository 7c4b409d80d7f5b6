# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention whose products are of eight bits."""
import torch

from ...kernels import FusedSDPA
from .base import TransformerEngineBaseModule


class FusedAttention(TransformerEngineBaseModule):
    """FusedSDPA as a layer."""

    def __init__(self, scale: float | None = None, attention_dropout: float = 0.0,
                 enable_recompute: bool = False) -> None:
        super().__init__()
        self.scale, self.attention_dropout = scale, attention_dropout
        self.enable_recompute = enable_recompute

    def forward(self, q, k, v, attn_mask=None, is_causal: bool = False, softmax_mode: str = "None"):
        if self._is_fp8():
            raise NotImplementedError("fp8 attention")
        return FusedSDPA.apply(q, k, v, attn_mask, self.attention_dropout if self.training else 0.0, is_causal,
                               self.scale, softmax_mode, self.enable_recompute)
