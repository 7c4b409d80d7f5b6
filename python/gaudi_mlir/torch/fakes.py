# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes of results that PyTorch does not tell torch.compile, which would end the graph."""
import torch
from torch._subclasses import fake_impls
from torch._subclasses.fake_tensor import DynamicOutputShapeException

aten = torch.ops.aten


def _ctc_loss(mode, op: torch._ops.OpOverload, log_probs: torch.Tensor, *rest,
              **options) -> tuple[torch.Tensor, torch.Tensor]:
    """The losses, and the states that are kept for the gradient: as many as the longest target
    has, by a size that nobody else sees."""
    sizes = mode.shape_env
    if sizes is None or not sizes.allow_dynamic_output_shape_ops:
        raise DynamicOutputShapeException(op)
    with sizes.ignore_fresh_unbacked_symbols():
        states = sizes.create_unbacked_symint()
    steps, batch, _ = log_probs.shape
    return log_probs.new_empty([batch]), log_probs.new_empty([batch, steps, states])


def register() -> None:
    op = aten._ctc_loss.Tensor
    if op not in fake_impls.op_implementations_dict:  # PyTorch may say it one day
        fake_impls.register_op_impl(op)(_ctc_loss)
