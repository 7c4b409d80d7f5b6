# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in eight bits. Here: its measurements, of operands that are wider."""
import torch

from .FusedSDPA import FusedSDPA

_EIGHT_BITS = (torch.float8_e4m3fn, torch.float8_e5m2)


def fp8_fused_sdpa(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                   softmax_mode="None", recompute_mode=None, d_scale_q=None, d_scale_k=None,
                   d_scale_v=None, q_scale_s=None, q_scale_o=None, d_scale_s=None,
                   is_amax_s=False, is_amax_o=False, valid_seq_len=None, seq_padding_type="left"):
    """The output, and, where asked for, the largest magnitudes of the probabilities and of the
    output, from which scales are chosen."""
    scales = d_scale_q, d_scale_k, d_scale_v, q_scale_s, q_scale_o, d_scale_s
    if any(each.dtype in _EIGHT_BITS for each in (q, k, v)) or \
            any(each is not None for each in scales):
        raise NotImplementedError("gaudi-mlir does not emulate fp8_fused_sdpa of tensors of 8 "
                                  "bits, or with scales; it takes bfloat16 and float32 without")
    largest = []
    if is_amax_s:
        _, shares = FusedSDPA.apply(q.detach(), k.detach(), v.detach(), attn_mask, 0.0, is_causal,
                                    scale, softmax_mode, False, valid_seq_len, seq_padding_type,
                                    False, True)
        largest.append(shares.abs().amax().float())
    out = FusedSDPA.apply(q, k, v, attn_mask, dropout_p, is_causal, scale, softmax_mode,
                          recompute_mode, valid_seq_len, seq_padding_type)
    if is_amax_o:
        largest.append(out.detach().abs().amax().float())
    left = iter(largest)
    return out, *(next(left) if asked else torch.empty(0, device=q.device)
                  for asked in (is_amax_s, is_amax_o))
