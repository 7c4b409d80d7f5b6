# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moving averages of a model's state, by one launch."""
import copy
import math

import torch
from torch import nn


def is_parallel(model) -> bool:
    """Whether a wrapper of several devices has the model inside."""
    return isinstance(model, (nn.parallel.DataParallel, nn.parallel.DistributedDataParallel))


def copy_attr(a, b, include=(), exclude=()) -> None:
    """Attributes of b for a: those of `include`, or all, that are not private or excluded."""
    for name, value in b.__dict__.items():
        if not (include and name not in include or name.startswith("_") or name in exclude):
            setattr(a, name, value)


class FusedEMA:
    """`ema` has the averages, which begin as the model's own values. The decay grows with the
    updates: decay * (1 - exp(-updates / 2000))."""

    def __init__(self, model: nn.Module, decay: float = 0.9999, updates: float = 0) -> None:
        self.ema = copy.deepcopy(model.module if is_parallel(model) else model).eval()
        self.updates = updates
        self.decay = lambda count: decay * (1 - math.exp(-count / 2000))
        for each in self.ema.parameters():
            each.requires_grad_(False)

    @torch.no_grad()
    def update(self, model) -> None:
        self.updates += 1
        values = (model.module if is_parallel(model) else model).state_dict()
        # Tied weights, which have several names, are one average.
        pairs = {average: values[name].detach() for name, average in
                 self.ema.state_dict(keep_vars=True).items()
                 if average.is_floating_point() and average.numel()}
        if pairs:
            averages, values = list(pairs), list(pairs.values())
            decay = torch.tensor([self.decay(self.updates)]).to(averages[0].device)
            torch.ops.hpu.optimizer_ema(values, averages, decay)

    def update_attr(self, model, include=(), exclude=("process_group", "reducer")) -> None:
        copy_attr(self.ema, model, include, exclude)
