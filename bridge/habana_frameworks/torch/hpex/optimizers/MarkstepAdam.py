# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.optim.Adam, whose step is a graph of its own in lazy mode."""
import torch
from torch.optim.adam import adam as _adam

from ._steps import as_graph

adam = as_graph(_adam)


class Adam(torch.optim.Adam):
    def step(self, closure=None):
        return as_graph(super().step)(closure)
