# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loss of connectionist temporal classification."""
import torch

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


class CTCLoss(torch.autograd.Function):
    """As torch.nn.functional.ctc_loss, of log probabilities [T, N, C]."""

    @staticmethod
    def forward(ctx, log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean",
                zero_infinity=False):
        if reduction not in _REDUCTIONS:
            raise ValueError(f"CTCLoss has reductions {', '.join(_REDUCTIONS)}, not {reduction!r}")
        input_lengths, target_lengths = (
            torch.as_tensor(each, dtype=torch.int64).to(log_probs.device)
            for each in (input_lengths, target_lengths))
        targets = targets.to(log_probs.device)
        ctx.options = blank, _REDUCTIONS[reduction], zero_infinity
        loss, alpha = torch.ops.hpu.ctc_loss_custom(log_probs, targets, input_lengths,
                                                    target_lengths, *ctx.options)
        ctx.save_for_backward(log_probs, targets, input_lengths, target_lengths, alpha)
        return loss

    @staticmethod
    def backward(ctx, loss_grad_in):
        made = torch.ops.hpu.ctc_loss_custom_backward(loss_grad_in, *ctx.saved_tensors,
                                                      *ctx.options)
        return made, *[None] * 6
