# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AdamW in the form that torch.distributed.optim takes: gradients are given."""
import torch

from .._steps import check, mark_step
from ..FusedAdamW import Moments, launch, step_size


class FusedAdamW:
    """Without options of groups: all parameters are one. A parameter that is given twice is stepped
    once, by its first gradient."""

    def __init__(self, params: list[torch.Tensor], lr: float = 1e-3,
                 betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-6,
                 weight_decay: float = 0.0, _allow_empty_param_list: bool = False,
                 moments_dtype=None) -> None:
        check("FusedAdamW", params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        if not params and not _allow_empty_param_list:
            raise ValueError("FusedAdamW got an empty list of parameters")
        self.defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        self.moments = Moments(moments_dtype)
        self.param_group = {"params": list(params)}
        self.state: dict = {}

    def get_moment_dtypes(self, param_dtype):
        return self.moments.of(param_dtype)

    def check_moments_in_fp8(self):
        return tuple(name in self.moments.names for name in ("exp_avg", "exp_avg_sq"))

    @torch.no_grad()
    def step_param(self, param: torch.Tensor, grad: torch.Tensor | None) -> None:
        self._step([param], [grad])

    @torch.no_grad()
    def step(self, gradients: list[torch.Tensor | None]) -> None:
        params = self.param_group["params"]
        if len(gradients) != len(params):
            raise ValueError(f"FusedAdamW got {len(gradients)} gradients for {len(params)} "
                             "parameters")
        self._step(params, gradients)

    def _step(self, params, gradients) -> None:
        by_count: dict = {}
        first: dict = {}
        for param, grad in zip(params, gradients):
            if grad is not None and param.numel():
                first.setdefault(param, grad)
        for param, grad in first.items():
            state = self.state.setdefault(param, {"step": 0})
            state["step"] += 1
            by_count.setdefault(state["step"], []).append((param, grad, state))
        mark_step()
        options = self.defaults
        for count, rows in by_count.items():
            given = map(list, zip(*rows))
            launch(*given, self.moments, step_size(options["lr"], options["betas"], count, True),
                   options["betas"], options["eps"], 1 - options["weight_decay"] * options["lr"])
        mark_step()
