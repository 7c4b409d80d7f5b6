# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary position embeddings as one op of the card, with its gradient as another one."""
from enum import IntEnum

import torch


class RotaryPosEmbeddingMode(IntEnum):
    """Which elements are pairs: those of both halves, or neighbours."""
    BLOCKWISE = 0
    PAIRWISE = 1


def match_data_types(input: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor):
    """All in float32 if one of them is, else the tables in the type of the input."""
    dtype = torch.float32 if torch.float32 in (input.dtype, cos.dtype, sin.dtype) else input.dtype
    return input.to(dtype), cos.to(dtype), sin.to(dtype)


def parse_rope_cache(p: torch.Tensor, rope_cache: torch.Tensor):
    """Of p [L, N, H, D] and cosines with sines [.., R / 2, 2]: the first R elements, the others,
    cosines and sines, each number twice."""
    pairs = rope_cache.shape[-2]
    cache = rope_cache[:p.shape[0]].reshape(p.shape[0], -1, 1, pairs, 2)
    cos, sin = (cache[..., place].repeat_interleave(2, -1) for place in (0, 1))
    return p[..., :2 * pairs], p[..., 2 * pairs:], cos, sin


def apply_rotary_pos_emb(p: torch.Tensor, *args):
    """The arguments are cos, sin, and then position_ids, offset and mode, or a rope_cache."""
    if len(args) == 1:
        turned, rest, cos, sin = parse_rope_cache(p, args[0])
        made = _forward(turned, cos, sin, None, 0, RotaryPosEmbeddingMode.PAIRWISE)
        return torch.cat((made, rest.to(made.dtype)), -1)
    defaults = (None, 0, RotaryPosEmbeddingMode.BLOCKWISE)
    return _forward(p, *args, *defaults[len(args) - 2:])


def _forward(p, cos, sin, position_ids, offset, mode):
    p, cos, sin = match_data_types(p, cos, sin)
    return torch.ops.hpu.rotary_pos_embedding(p, sin, cos, position_ids, int(offset), int(mode))


def apply_rotary_pos_emb_bwd(p_grad_in: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor,
                             position_ids: torch.LongTensor = None, offset: int = 0,
                             mode: RotaryPosEmbeddingMode = RotaryPosEmbeddingMode.BLOCKWISE):
    p_grad_in, cos, sin = match_data_types(p_grad_in, cos, sin)
    return torch.ops.hpu.rotary_pos_embedding_backward(p_grad_in, sin, cos, position_ids,
                                                       int(offset), int(mode))


class RotaryPosEmbeddingHelperV1(torch.autograd.Function):
    """Tables from an offset along their last dimension."""

    @staticmethod
    def forward(ctx, p, cos, sin, offset):
        ctx.save_for_backward(cos, sin)
        ctx.offset, ctx.dtype = offset, p.dtype
        return apply_rotary_pos_emb(p, cos, sin, None, offset)

    @staticmethod
    def backward(ctx, p_grad_in):
        cos, sin = ctx.saved_tensors
        made = apply_rotary_pos_emb_bwd(p_grad_in, cos, sin, None, ctx.offset)
        return made.to(ctx.dtype), None, None, None


class RotaryPosEmbeddingHelperV2(torch.autograd.Function):
    """Rows of tables by the positions of tokens."""

    @staticmethod
    def forward(ctx, p, cos, sin, position_ids):
        ctx.save_for_backward(cos, sin, position_ids)
        ctx.dtype = p.dtype
        return apply_rotary_pos_emb(p, cos, sin, position_ids, 0)

    @staticmethod
    def backward(ctx, p_grad_in):
        cos, sin, position_ids = ctx.saved_tensors
        made = apply_rotary_pos_emb_bwd(p_grad_in, cos, sin, position_ids, 0)
        return made.to(ctx.dtype), None, None, None


class RotaryPosEmbeddingHelperV3(torch.autograd.Function):
    """Pairs of neighbours in the first part of the last dimension; the rest passes."""

    @staticmethod
    def forward(ctx, p, rope_cache):
        ctx.save_for_backward(rope_cache)
        ctx.dtype = p.dtype
        return apply_rotary_pos_emb(p, rope_cache)

    @staticmethod
    def backward(ctx, p_grad_in):
        turned, rest, cos, sin = parse_rope_cache(p_grad_in, *ctx.saved_tensors)
        made = apply_rotary_pos_emb_bwd(turned, cos, sin, None, 0, RotaryPosEmbeddingMode.PAIRWISE)
        return torch.cat((made.to(ctx.dtype), rest.to(ctx.dtype)), -1), None
