# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The norm of rows by their mean square, as one op of the card, with its gradients as another."""
from enum import IntEnum

import torch


class RmsNormBwdMode(IntEnum):
    """How the real card divides the gradient's work; the numbers are the same here."""
    DEFAULT = 0
    STATIC_CASE_WIDTH_PARTITIONING = 1


class FusedRMSNorm(torch.autograd.Function):
    """x / sqrt(mean(x^2) + eps) * gamma along the last dimension; float32 where the types of x and
    gamma differ."""

    @staticmethod
    def forward(ctx, data_in, gamma, eps, use_stages=True, bwd_mode=0, fast_math=False):
        op = torch.ops.hpu.rms_norm_fast if fast_math else torch.ops.hpu.rms_norm
        made, inverse = op(data_in, gamma, float(eps))
        ctx.save_for_backward(data_in, gamma, inverse)
        ctx.options = bool(use_stages), int(bwd_mode), fast_math
        return made

    @staticmethod
    def backward(ctx, root_mean_square_norm_grad_in):
        use_stages, bwd_mode, fast_math = ctx.options
        given = root_mean_square_norm_grad_in, *ctx.saved_tensors
        made = torch.ops.hpu.rms_norm_fast_backward(*given) if fast_math else \
            torch.ops.hpu.rms_norm_backward(*given, use_stages, bwd_mode)
        return *made, None, None, None, None
