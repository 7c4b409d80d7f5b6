# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.optim.Adam, whose step is a graph of its own in lazy mode."""
import torch

from ._steps import mark_step


class Adam(torch.optim.Adam):
    def step(self, closure=None):
        mark_step()
        loss = super().step(closure)
        mark_step()
        return loss


def adam(*args, **kwargs) -> None:
    """torch.optim.adam.adam, as a graph of its own in lazy mode."""
    mark_step()
    torch.optim.adam.adam(*args, **kwargs)
    mark_step()
