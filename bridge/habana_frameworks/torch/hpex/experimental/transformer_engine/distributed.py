# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of eight bits in what torch.utils.checkpoint computes again."""
import contextlib

import torch

_depth = 0


@contextlib.contextmanager
def activation_checkpointing():
    """A `with` block, or a decorator, of forward passes that torch.utils.checkpoint will compute
    again: the second time with the scales of the first, and nothing is measured."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1


def is_computed_again() -> bool:
    """Whether this is a forward pass within a backward pass."""
    return torch._C._current_graph_task_id() != -1


def will_be_computed_again() -> bool:
    """Whether this is the first one of such a pair: without gradients in the block above, or among
    hooks of torch.utils.checkpoint(use_reentrant=False)."""
    if is_computed_again():
        return False
    if _depth and not torch.is_grad_enabled():
        return True
    hooks = torch._C._autograd._top_saved_tensors_default_hooks(True)
    return bool(hooks) and getattr(hooks[0], "__module__", "") == "torch.utils.checkpoint"
