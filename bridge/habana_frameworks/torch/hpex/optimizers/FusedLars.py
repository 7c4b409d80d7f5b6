# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LARS around another optimizer: what it does to the gradients of a group is one launch."""
import torch
from torch.optim.optimizer import Optimizer

from ._steps import evaluated, mark_step, number


class FusedLars(Optimizer):
    """Multiplies gradients by the rate, and where skip_mask is 1 by the ratio of the norms of
    weight and gradient, with weight decay, before the optimizer's step."""

    def __init__(self, optimizer, skip_mask, eeta=0.001, eps=1e-8) -> None:
        self.optim, self.skip_mask, self.eeta, self.eps = optimizer, skip_mask, eeta, eps
        self.param_groups, self.defaults = optimizer.param_groups, optimizer.defaults
        self.state = optimizer.state

    def __getstate__(self):
        return {"optim": self.optim, "skip_mask": self.skip_mask, "eeta": self.eeta,
                "eps": self.eps}

    def __repr__(self) -> str:
        return f"FusedLars({self.optim!r})"

    def zero_grad(self, set_to_none=False) -> None:
        self.optim.zero_grad(set_to_none)

    def state_dict(self):
        return self.optim.state_dict()

    def load_state_dict(self, state_dict) -> None:
        self.optim.load_state_dict(state_dict)
        self.param_groups, self.state = self.optim.param_groups, self.optim.state

    def add_param_group(self, param_group) -> None:
        self.optim.add_param_group(param_group)

    @torch.no_grad()
    def step(self, closure=None):
        groups = self.optim.param_groups
        count = max(len(each["params"]) for each in groups)
        if len(self.skip_mask) < count:
            raise ValueError(f"FusedLars has a skip_mask of {len(self.skip_mask)} for a group of "
                             f"{count} parameters")
        loss = evaluated(closure)  # before: the inner step takes gradients as they are made here
        decays = [each.get("weight_decay", 0) for each in groups]
        try:
            for group, decay in zip(groups, decays):
                group["weight_decay"] = 0
                self._scale(group, decay)
            self.optim.step()
        finally:
            for group, decay in zip(groups, decays):
                group["weight_decay"] = decay
        mark_step()
        return loss

    def _scale(self, group, decay) -> None:
        rows = [(each, int(mask)) for each, mask in zip(group["params"], self.skip_mask)
                if each.grad is not None and each.numel()]
        if not rows:
            return
        params, masks = map(list, zip(*rows))
        mark_step()
        torch.ops.hpu.optimizer_lars(params, [each.grad for each in params], masks, self.eeta,
                                     float(decay), self.eps,
                                     number(float(group["lr"]), params[0]))
