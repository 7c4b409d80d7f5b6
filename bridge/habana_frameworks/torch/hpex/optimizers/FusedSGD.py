# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stochastic gradient descent, whose step is one launch."""
import torch

from ._steps import FusedOptimizer, check, number


class FusedSGD(FusedOptimizer):
    """The step of torch.optim.SGD. Nesterov's needs a momentum and no dampening."""

    def __init__(self, params, lr: float, momentum: float = 0, weight_decay: float = 0,
                 dampening: float = 0, nesterov: bool = False) -> None:
        check("FusedSGD", params, lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(f"FusedSGD: Nesterov momentum requires a momentum and zero dampening; they "
                             f"are {momentum} and {dampening}")
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay,
                                      dampening=dampening, nesterov=nesterov))

    def _launch(self, group: dict, params, grads) -> None:
        lr = number(float(group["lr"]), params[0])
        options = group["weight_decay"], group["dampening"], group["nesterov"]
        if not group["momentum"]:
            torch.ops.hpu.optimizer_sgd(grads, params, lr, options[0], 0.0, *options[1:])
            return
        fresh = [self.state[each].get("momentum_buffer") is None for each in params]
        for is_first in sorted(set(fresh)):
            rows = [row for row, is_fresh in zip(zip(grads, params), fresh)
                    if is_fresh == is_first]
            some_grads, some = map(list, zip(*rows))
            if is_first:
                for each in some:
                    self.state[each]["momentum_buffer"] = torch.zeros_like(each)
            torch.ops.hpu.optimizer_sgd_momentum(
                some_grads, some, [self.state[each]["momentum_buffer"] for each in some],
                number(0 if is_first else 1, some[0], torch.int32), lr, float(group["momentum"]),
                *options)
