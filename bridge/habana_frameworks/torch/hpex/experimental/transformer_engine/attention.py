# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention whose products are of eight bits."""
import torch

from .... import _attention
from ...kernels import FusedSDPA
from ...kernels.FusedSDPA import (
    gqa_input_reshape_fwd, gqa_output_reshape, is_gqa)
from .base import TransformerEngineBaseModule
from .fp8 import get_fp8_te_dtype, get_fp8_te_sr
from .utils import AttentionGradients, AttentionTensors


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, mask, layer, step, p, is_causal, scale, softmax_mode):
        dtype, is_random = get_fp8_te_dtype(step.recipe), get_fp8_te_sr(step.recipe)
        is_measured = step.is_measured_forward
        casts = [torch.ops.hpu.cast_to_fp8_v2(x, step.scale[column], is_random, is_measured, dtype)
                 for column, x in enumerate((q, k, v))]
        narrow = [x for x, _ in casts]
        op = torch.ops.hpu.fp8_sdpa_fwd_dropout if p > 0 else \
            torch.ops.hpu.fp8_sdpa_fwd_non_dropout
        shares = AttentionTensors.SHARES
        out, probabilities, kept, amax = op(
            *narrow, mask, p, scale, is_causal, softmax_mode, *step.scale_inv[:3].split(1),
            step.scale[shares], None, step.scale_inv[shares], is_measured, None, "left")
        if is_measured:
            layer._measured("scaling_fwd", "FWD", step, {
                **{column: each for column, (_, each) in enumerate(casts)}, shares: amax})
        ctx.save_for_backward(*narrow, probabilities, kept, out)
        ctx.state = layer, step, p, is_causal, scale, [x.dtype for x in (q, k, v)]
        return out.to(q.dtype)

    @staticmethod
    def backward(ctx, grad):
        layer, step, p, is_causal, scale, dtypes = ctx.state
        *narrow, probabilities, kept, out = ctx.saved_tensors
        meta = layer._begin_backward(step)
        output, scores = AttentionGradients
        given, amax = torch.ops.hpu.cast_to_fp8_v2(
            grad, meta.scale[output], get_fp8_te_sr(step.recipe, False), step.is_measured,
            get_fp8_te_dtype(step.recipe, False))
        shares = AttentionTensors.SHARES
        *made, of_scores = torch.ops.hpu.fp8_sdpa_bwd(
            given, *narrow, probabilities, kept if p > 0 else None, is_causal, p, scale,
            *step.scale_inv[:3].split(1), step.scale_inv[shares], meta.scale_inv[output],
            meta.scale_inv[scores], step.scale[shares], meta.scale[scores], step.is_measured, out)
        if step.is_measured:
            layer._measured("scaling_bwd", "BWD", step, {output: amax, scores: of_scores})
        return *(each.to(dtype) for each, dtype in zip(made, dtypes)), *[None] * 7


class FusedAttention(TransformerEngineBaseModule):
    """hpex.kernels.FusedSDPA as a layer. In fp8_autocast(enabled=True) query, key, value, the
    probabilities and the gradients are of eight bits; that has a backward pass without
    recomputation only."""
    forward_tensors = len(AttentionTensors)
    backward_tensors = len(AttentionGradients)

    def __init__(self, scale: float | None = None, attention_dropout: float = 0.0,
                 enable_recompute: bool = False) -> None:
        super().__init__()
        self.scale, self.attention_dropout = scale, float(attention_dropout)
        self.enable_recompute = enable_recompute

    def forward(self, q, k, v, attn_mask=None, is_causal: bool = False,
                softmax_mode: str = "None"):
        p = self.attention_dropout if self.training else 0.0
        if not self._is_fp8():
            return FusedSDPA.apply(q, k, v, attn_mask, p, is_causal, self.scale, softmax_mode,
                                   self.enable_recompute)
        return self._run(q, k, v, attn_mask, p, is_causal, softmax_mode.lower())

    @torch._dynamo.disable
    def _run(self, q, k, v, mask, p, is_causal, softmax_mode):
        if q.device.type != "hpu":
            raise ValueError("transformer_engine.FusedAttention in fp8_autocast computes on hpu; "
                             f"the query is on {q.device}: move it, .to(\"hpu\")")
        if self.enable_recompute and torch.is_grad_enabled() and \
                any(each.requires_grad for each in (q, k, v)):
            raise ValueError("transformer_engine.FusedAttention of eight bits trains without "
                             "recomputation: enable_recompute=False")
        step = self._begin(q.device)
        scale = _attention.default_scale(q) if self.scale is None else float(self.scale)
        gqa = is_gqa(q, k)
        if gqa:
            q, k, v, mask = gqa_input_reshape_fwd(q, k, v, mask)
        with torch.autocast("hpu", enabled=False):
            out = _Attention.apply(q, k, v, mask, self, step, p, is_causal, scale, softmax_mode)
        return gqa_output_reshape(out) if gqa else out

    def extra_repr(self) -> str:
        return (f"scale={self.scale}, attention_dropout={self.attention_dropout}, "
                f"enable_recompute={self.enable_recompute}")
