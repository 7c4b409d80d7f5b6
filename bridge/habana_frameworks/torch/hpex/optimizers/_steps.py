# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the optimizers share."""
import functools

import torch

from ...core.step_closure import mark_step as _cut
from ...utils.internal import is_lazy


def mark_step() -> None:
    """In lazy mode the ops until here are a graph, so that a step is one of its own."""
    if not torch.compiler.is_compiling() and is_lazy():
        _cut()


def as_graph(function):
    """A function whose ops are a graph of their own in lazy mode."""
    @functools.wraps(function)
    def run(*args, **kwargs):
        mark_step()
        made = function(*args, **kwargs)
        mark_step()
        return made
    return run


def evaluated(closure):
    """What a closure gives, with gradients."""
    if closure is None:
        return None
    with torch.enable_grad():
        return closure()


def gradients_of(group: dict, name: str):
    """The parameters of a group that have gradients and elements, each once, and the gradients."""
    params = [each for each in dict.fromkeys(group["params"])
              if each.grad is not None and each.numel()]
    for each in params:
        if each.device.type == "cpu":
            raise RuntimeError(f"{name} steps parameters of hpu, and one of the sizes "
                               f"{list(each.shape)} is on the CPU: call model.to(\"hpu\") before "
                               "the optimizer is made")
    if any(each.grad.is_sparse for each in params):
        raise RuntimeError(f"{name} takes no sparse gradients; make the embedding with sparse=False")
    return params, [each.grad for each in params]


def number(value: float, like: torch.Tensor, dtype=torch.float32) -> torch.Tensor:
    """One number where `like` is, made there: its value is an operand of the graph."""
    return torch.full([1], value, dtype=dtype, device=like.device)


def check(name: str, params, **values) -> None:
    """None of the options may be negative or no number, and factors of averages are below 1."""
    if isinstance(params, torch.nn.Module):
        raise TypeError(f"{name} takes the parameters of a module: pass model.parameters()")
    for option, value in values.items():
        pair = isinstance(value, (list, tuple)) and len(value) == 2
        for each in value if option == "betas" and pair else [value]:
            if not isinstance(each, (int, float, torch.Tensor)) or option == "betas" and not pair:
                expected = "two numbers" if option == "betas" else "a number"
                raise TypeError(f"{name}: invalid {option}: {value!r}; expected {expected}")
            if not each >= 0 or option == "betas" and each >= 1:
                below = " and less than 1" if option == "betas" else ""
                raise ValueError(f"{name}: invalid {option}: {value}; expected 0 or more{below}")


class FusedOptimizer(torch.optim.Optimizer):
    """A step is a launch for each group: `_launch(group, params, grads)` makes it."""

    @torch.no_grad()
    def step(self, closure=None):
        loss = evaluated(closure)
        for group in self.param_groups:
            params, grads = gradients_of(group, type(self).__name__)
            if params:
                mark_step()
                self._launch(group, params, grads)
        mark_step()
        return loss
