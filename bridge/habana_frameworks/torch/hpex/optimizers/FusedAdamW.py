# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AdamW, whose step is one launch."""
import math

import torch
from gaudi_mlir import _callers

from ..._optimizers import rescaled
from ._steps import FusedOptimizer, as_graph, check, number

_EIGHT_BITS = (torch.float8_e4m3fn, torch.float8_e5m2)


def step_size(lr: float, betas, step: int, bias_correction: bool) -> float:
    """The rate with both corrections of the bias. eps is added to the second moment's root as it
    is, unlike in torch.optim.AdamW, where the root is corrected first."""
    if not bias_correction:
        return lr
    return lr * math.sqrt(1 - betas[1] ** step) / (1 - betas[0] ** step)


class Moments:
    """The types of both moments: those of the parameter unless others are asked for."""

    def __init__(self, dtypes) -> None:
        self.dtypes = tuple(dtypes) if isinstance(dtypes, (list, tuple)) else (dtypes, dtypes)
        if len(self.dtypes) != 2:
            raise ValueError(f"moments_dtype is {dtypes}; expected a type, or two")
        self.names = [name for name, dtype in zip(("exp_avg", "exp_avg_sq"), self.dtypes)
                      if dtype in _EIGHT_BITS]

    def of(self, dtype: torch.dtype):
        return tuple(each or dtype for each in self.dtypes)

    def prepare(self, state: dict, param) -> None:
        for name, dtype in zip(("exp_avg", "exp_avg_sq"), self.of(param.dtype)):
            if name not in state:
                state[name] = torch.zeros_like(param, dtype=dtype,
                                               memory_format=torch.preserve_format)
            scale = f"{name}_scale"
            is_fresh = name in self.names and scale not in state
            if is_fresh:
                state[scale] = torch.ones(1, device=param.device)
            elif name not in self.names and scale in state:  # a checkpoint of eight bits
                state[name] = state[name].float() / state.pop(scale).float()
            if state[name].dtype != dtype:  # as a checkpoint has it, times its scale if it has one
                given, state[name] = state[name], state[name].to(dtype)
                if is_fresh:
                    rescaled(given.float(), state[scale])(state[name])

    def scales(self, states: list[dict]):
        return [[each[f"{name}_scale"] for each in states] if name in self.names else None
                for name in ("exp_avg", "exp_avg_sq")]


def launch(params, grads, states, moments: Moments, size: float, betas, eps: float,
           decay: float) -> None:
    """The step of all of a list."""
    for param, state in zip(params, states):
        moments.prepare(state, param)
    dtypes = {each.dtype for each in params}
    neg_step = number(-size, params[0], dtypes.pop() if len(dtypes) == 1 else torch.float32)
    torch.ops.hpu.optimizer_adamw(
        grads, params, [each["exp_avg"] for each in states],
        [each["exp_avg_sq"] for each in states], neg_step, *betas, eps,
        number(decay, params[0]), decay != 1, *moments.scales(states))


class FusedAdamW(FusedOptimizer):
    """moments_dtype: the type of the moments, or of each; with 8 bits they have scales."""

    def __init__(self, params, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-6, weight_decay: float = 0.0, bias_correction: bool = True,
                 moments_dtype=None) -> None:
        check("FusedAdamW", params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        self.moments = Moments(moments_dtype)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay,
                                      bias_correction=bias_correction))

    def __setstate__(self, state) -> None:
        super().__setstate__(state)
        self.__dict__.setdefault("moments", Moments(None))

    def step_wrap(self, step_func):
        """A step that lazy mode runs as a graph of its own."""
        return as_graph(step_func)

    def is_bias_correction(self, group) -> bool:
        """By the names of this optimizer, of transformers' AdamW, or of PyTorch's, which always
        corrects."""
        if "bias_correction" in group:
            return group["bias_correction"]
        if "correct_bias" in group:
            _callers.warn("FusedAdamW: a checkpoint says correct_bias, which is taken for "
                          "bias_correction")
            group["bias_correction"] = group["correct_bias"]
            return group["correct_bias"]
        return True

    def get_moment_dtypes(self, param_dtype):
        return self.moments.of(param_dtype)

    def check_moments_in_fp8(self):
        """Whether each moment has 8 bits."""
        return tuple(name in self.moments.names for name in ("exp_avg", "exp_avg_sq"))

    def _launch(self, group: dict, params, grads) -> None:
        states = [self.state[each] for each in params]
        group["step"] = _steps_before(group, states) + 1
        size = step_size(float(group["lr"]), group["betas"], group["step"],
                         self.is_bias_correction(group))
        launch(params, grads, states, self.moments, size, group["betas"], group["eps"],
               1 - group["weight_decay"] * float(group["lr"]))


def _steps_before(group: dict, states: list[dict]) -> int:
    """Of a checkpoint of PyTorch's AdamW each parameter has the number."""
    if "step" in group:
        return group["step"]
    steps = [int(each["step"]) for each in states if "step" in each]
    return max(steps) if steps else 0
