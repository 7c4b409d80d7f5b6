# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors that depend on values: the device computes a truth value, by which the host raises.
Exported programs, which have no way to raise, leave them out."""
import torch
from torch import Tensor


def require(is_right: Tensor | bool, message: str) -> None:
    """Has the caller of a graph raise RuntimeError unless all of `is_right` holds."""
    if isinstance(is_right, Tensor):
        torch.ops.aten._assert_async.msg(is_right.all(), message)
    elif not is_right:
        raise RuntimeError(message)
