# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in eight bits, and its measurement, of operands that are wider."""
import torch

from ... import _attention
from ..._fp8 import EIGHT_BITS, amax
from ..._fp8_attention import check_scales
from ...hpu._switches import recompute_sdp_enabled
from .FusedSDPA import FusedSDPA, gqa_input_reshape_fwd, gqa_output_reshape, is_gqa


def fp8_fused_sdpa(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                   softmax_mode="None", recompute_mode=None, d_scale_q=None, d_scale_k=None,
                   d_scale_v=None, q_scale_s=None, q_scale_o=None, d_scale_s=None,
                   is_amax_s=False, is_amax_o=False, valid_seq_len=None, seq_padding_type="left"):
    """The output, and, where asked for, the largest magnitudes of the probabilities and of the
    output, from which scales are chosen. Scales are tensors of one element or numbers, of which 0
    is none. The output of eight bits is bfloat16 without q_scale_o."""
    recompute = recompute_sdp_enabled() if recompute_mode is None else bool(recompute_mode)
    softmax_mode, seq_padding_type = softmax_mode.lower(), seq_padding_type.lower()
    scales = [None if isinstance(each, (int, float)) and each == 0 else each for each in
              (d_scale_q, d_scale_k, d_scale_v, q_scale_s, q_scale_o, d_scale_s)]
    check_scales(q, scales)
    if q.dtype not in EIGHT_BITS and torch.is_grad_enabled() and \
            any(each.requires_grad for each in (q, k, v)):
        return _measured(q, k, v, attn_mask, dropout_p, is_causal, scale, softmax_mode, recompute,
                         is_amax_s, is_amax_o, valid_seq_len, seq_padding_type)
    if valid_seq_len is not None and not (is_causal and attn_mask is None):
        raise ValueError("fp8_fused_sdpa takes valid_seq_len only with is_causal=True, and without "
                         "attn_mask")
    scale = _attention.default_scale(q) if scale is None else float(scale)
    gqa = is_gqa(q, k)
    if gqa:
        q, k, v, attn_mask = gqa_input_reshape_fwd(q, k, v, attn_mask)
    ops, suffix, dropout_p = torch.ops.hpu, "_dropout" if dropout_p > 0 else "_non_dropout", \
        float(dropout_p)
    numbers = [isinstance(each, (int, float)) for each in scales if each is not None]
    if recompute and numbers and all(numbers):
        scales = [0.0 if each is None else float(each) for each in scales]
    else:
        scales = [torch.tensor([float(each)], device=q.device) if isinstance(each, (int, float))
                  else each for each in scales]
    given = q, k, v, attn_mask, dropout_p, scale, is_causal
    rest = valid_seq_len, seq_padding_type
    if recompute:
        out, _, _, _, amax_s, amax_o = getattr(ops, "fp8_sdpa_recomp_fwd" + suffix)(
            *given, False, softmax_mode, *scales, is_amax_s, is_amax_o, *rest)
    else:
        out, _, _, amax_s, amax_o = getattr(ops, "fp8_sdpa_fwd" + suffix).amax_o(
            *given, softmax_mode, *scales, is_amax_s, is_amax_o, *rest)
    return gqa_output_reshape(out) if gqa else out, amax_s, amax_o


def _measured(q, k, v, attn_mask, dropout_p, is_causal, scale, softmax_mode, recompute, is_amax_s,
              is_amax_o, valid_seq_len, seq_padding_type):
    """Of operands that are trained."""
    shares = q.detach()
    if is_amax_s:
        _, shares = FusedSDPA.apply(q.detach(), k.detach(), v.detach(), attn_mask, 0.0, is_causal,
                                    scale, softmax_mode, False, valid_seq_len, seq_padding_type,
                                    False, True)
    out = FusedSDPA.apply(q, k, v, attn_mask, dropout_p, is_causal, scale, softmax_mode,
                          recompute, valid_seq_len, seq_padding_type)
    return out, amax(shares, is_amax_s), amax(out.detach(), is_amax_o)
