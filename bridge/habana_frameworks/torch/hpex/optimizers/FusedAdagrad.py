# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adagrad, whose step is one launch."""
import torch

from ._steps import FusedOptimizer, check, number


class FusedAdagrad(FusedOptimizer):
    """The step of torch.optim.Adagrad."""

    def __init__(self, params, lr: float = 1e-2, lr_decay: float = 0, weight_decay: float = 0,
                 initial_accumulator_value: float = 0, eps: float = 1e-10) -> None:
        check("FusedAdagrad", params, lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps,
              initial_accumulator_value=initial_accumulator_value)
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps,
                                      initial_accumulator_value=initial_accumulator_value))
        for group in self.param_groups:
            for each in group["params"]:
                self._prepare(group, each)

    def _prepare(self, group: dict, param) -> dict:
        state = self.state[param]
        if "sum" not in state:
            state["sum"] = torch.full_like(param, group["initial_accumulator_value"],
                                           requires_grad=False)
        return state

    def _launch(self, group: dict, params, grads) -> None:
        group["step"] = group.get("step", 0) + 1
        torch.ops.hpu.optimizer_adagrad(
            grads, params, [self._prepare(group, each)["sum"] for each in params],
            number(group["step"], params[0], torch.int32), number(float(group["lr"]), params[0]),
            group["weight_decay"], group["lr_decay"], group["eps"])
