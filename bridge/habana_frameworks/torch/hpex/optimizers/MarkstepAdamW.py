# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.optim.AdamW, whose step is a graph of its own in lazy mode."""
import torch
from torch.optim.adamw import adamw as _adamw

from ._steps import as_graph

adamw = as_graph(_adamw)


class AdamW(torch.optim.AdamW):
    def step(self, closure=None):
        return as_graph(super().step)(closure)
