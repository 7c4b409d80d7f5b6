# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.optim.AdamW, whose step is a graph of its own in lazy mode."""
import torch

from ._steps import mark_step


class AdamW(torch.optim.AdamW):
    def step(self, closure=None):
        mark_step()
        loss = super().step(closure)
        mark_step()
        return loss


def adamw(*args, **kwargs) -> None:
    """torch.optim.adamw.adamw, as a graph of its own in lazy mode."""
    mark_step()
    torch.optim.adamw.adamw(*args, **kwargs)
    mark_step()
