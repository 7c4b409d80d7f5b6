# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax along the last dimension, of bfloat16."""
import torch


class CustomSoftmax(torch.autograd.Function):
    """Flavor 0 is exact; 1 is the approximation of the real card, for which the numbers are the
    same here."""

    @staticmethod
    def forward(ctx, inp, flavor):
        if inp.dtype is not torch.bfloat16:
            raise TypeError(f"CustomSoftmax takes bfloat16, not {inp.dtype}")
        ctx.flavor = flavor
        made = torch.ops.hpu.custom_softmax(inp, flavor)
        ctx.save_for_backward(made)
        return made

    @staticmethod
    def backward(ctx, grad_output):
        made, = ctx.saved_tensors
        return torch.ops.hpu.custom_softmax_backward(grad_output, made, ctx.flavor), None
