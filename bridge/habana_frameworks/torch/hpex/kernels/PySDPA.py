# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in PyTorch's ops, by slices: batch and heads are one dimension, of which a slice has
one element, or all."""
import math

import torch

ops = torch.ops.hpu


def _slices(with_slice: bool, *tensors):
    flat = [each.flatten(0, -3) for each in tensors]
    count = flat[0].shape[0] if with_slice else 1
    return zip(*(each.chunk(count) for each in flat))


def _joined(parts, like):
    return torch.cat(parts).reshape([*like.shape[:-2], *parts[0].shape[-2:]])


def sdpa_fwd(ctx, q, k, v, is_causal, with_slice):
    """The output, and of a causal attention what gives its probabilities again."""
    scale = 1 / math.sqrt(q.shape[-1])
    outputs, sums, maxima = [], [], []
    for a, b, c in _slices(with_slice, q, k, v):
        scores = a @ b.transpose(-2, -1)
        if is_causal:
            shares, total, largest = ops.scaled_triangular_softmax_retain(scores, scale)
            sums.append(total)
            maxima.append(largest)
        else:
            shares = torch.softmax(scores * scale, -1)
        outputs.append(shares @ c)
    return (_joined(outputs, q), *(_joined(each, q) if is_causal else None
                                   for each in (sums, maxima)))


def sdpa_bwd(do, q, k, v, O, is_causal, retain_exp, retain_max, with_slice):
    """The gradients of query, key and value."""
    scale = 1 / math.sqrt(q.shape[-1])
    kept = (retain_exp, retain_max) if is_causal else ()
    columns = [], [], []
    for grad, a, b, c, out, *rest in _slices(with_slice, do, q, k, v, O, *kept):
        scores = a @ b.transpose(-2, -1)
        shares = ops.scaled_triangular_softmax(scores, scale, *rest) if is_causal else \
            torch.softmax(scores * scale, -1)
        along = (grad * out).sum(-1, keepdim=True)
        inner = shares * (grad @ c.transpose(-2, -1) - along) * scale
        for column, value in zip(columns, (inner @ b, inner.transpose(-2, -1) @ a,
                                           shares.transpose(-2, -1) @ grad)):
            column.append(value)
    return tuple(_joined(column, like) for column, like in zip(columns, (q, k, v)))


class PySDPA(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, is_causal=False, with_slice=False):
        out, *kept = sdpa_fwd(ctx, q, k, v, is_causal, with_slice)
        ctx.options = is_causal, with_slice
        ctx.save_for_backward(q, k, v, out, *(kept if is_causal else ()))
        return out

    @staticmethod
    def backward(ctx, grad_out):
        q, k, v, out, *kept = ctx.saved_tensors
        is_causal, with_slice = ctx.options
        made = sdpa_bwd(grad_out, q, k, v, out, is_causal, *(kept or (None, None)), with_slice)
        return *made, None, None


class PySDPAHinted(torch.autograd.Function):
    """The same; the order of slices, which the real card's compiler is told, is that of the
    program."""

    @staticmethod
    def forward(ctx, q, k, v, is_causal=False, with_slice=True):
        return PySDPA.forward(ctx, q, k, v, is_causal, with_slice)

    @staticmethod
    def backward(ctx, grad_out):
        return PySDPA.backward(ctx, grad_out)
