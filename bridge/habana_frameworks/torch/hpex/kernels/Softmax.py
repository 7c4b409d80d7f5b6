# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax over the first entries of each row."""
import torch


class RaggedSoftmax(torch.autograd.Function):
    """Over the first valid_count entries along a dimension; the others are 0."""

    @staticmethod
    def forward(ctx, input, dim, half_to_float, valid_count):
        ctx.dim, ctx.dtype = dim, input.dtype
        made = torch.ops.hpu.ragged_softmax(input, dim, half_to_float, valid_count)
        ctx.save_for_backward(made)
        return made

    @staticmethod
    def backward(ctx, grad_output):
        made, = ctx.saved_tensors
        grad = torch.ops.hpu.ragged_softmax_backward(grad_output, made, ctx.dim)
        return grad.to(ctx.dtype), None, None, None


def valid_counts(p, q, device):
    """1 to q, p times: what each row of p lower triangles sees."""
    return torch.arange(1, q + 1, dtype=torch.int32, device=device).expand(p, q).contiguous()


def triu_masked_softmax(input):
    """Over each row up to the diagonal."""
    rows = input.shape[-2]
    counts = valid_counts(1, rows, input.device).expand(input.shape[:-1])
    return RaggedSoftmax.apply(input, -1, False, counts)
