# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of optimizers that PyTorch has as one op over lists of tensors, torch._fused_*, in other
ops: what torch.optim computes with fused=True."""
import math
from collections.abc import Callable

import torch
from torch.fx import GraphModule

aten = torch.ops.aten
Tensor = torch.Tensor


def _steps(step: Callable, lists: int) -> Callable:
    """An op of lists by the step of one tensor of each, which gives the new values of as many. What
    `found_inf` says is not stepped; gradients are kept without `grad_scale`. `lists` is how many
    the op returns; of an empty one it returns an empty one."""
    def run(*operands, grad_scale=None, found_inf=None, maximize, **options):
        results = []
        for place in range(len(operands[0])):
            given = [each[place] if each else None for each in operands]
            if grad_scale is not None:
                given[1] = given[1] / grad_scale
            gradient = -given[1] if maximize else given[1]
            made = step(given[0], gradient, *given[2:], **options)
            made = [made[0], given[1], *made[1:]]
            if found_inf is not None:
                made = [new if new is None else torch.where(found_inf == 1, each[place], new)
                        for new, each in zip(made, operands)]
            results.append(made)
        columns = zip(*results) if results else [()] * lists
        return tuple([each for each in column if each is not None]
                     for column in list(columns)[:lists])
    return run


def _correction(beta, step: Tensor) -> Tensor:
    """1 - beta ** step, of which float32 would keep few digits where beta is close to 1."""
    if type(beta) is not float or not 0 < beta < 1:
        return 1 - torch.pow(beta, step)
    return -torch.expm1(step * math.log(beta))


def _adam(x, gradient, mean, square, largest, step, *, lr, beta1, beta2, weight_decay, eps, amsgrad,
          is_decoupled):
    if weight_decay:
        if is_decoupled:
            x = x - lr * weight_decay * x
        else:
            gradient = gradient + weight_decay * x
    mean = mean + (1 - beta1) * (gradient - mean)
    square = beta2 * square + (1 - beta2) * gradient * gradient
    if amsgrad:
        largest = torch.maximum(largest, square)
    correction1, correction2 = _correction(beta1, step), torch.sqrt(_correction(beta2, step))
    length = torch.sqrt(largest if amsgrad else square) / correction2 + eps
    return x - lr / correction1 * mean / length, mean, square, largest


def _adam_of(is_decoupled: bool) -> Callable:
    return _steps(lambda *given, **options: _adam(*given, **options, is_decoupled=is_decoupled), 5)


def _sgd(x, gradient, velocity, *, lr, weight_decay, momentum, dampening, nesterov, is_first_step):
    if weight_decay:
        gradient = gradient + weight_decay * x
    if momentum:
        velocity = gradient.clone() if is_first_step else \
            momentum * velocity + (1 - dampening) * gradient
        gradient = gradient + momentum * velocity if nesterov else velocity
    return x - lr * gradient, velocity


def _adagrad(x, gradient, sums, step, *, lr, lr_decay, weight_decay, eps):
    if weight_decay:
        gradient = gradient + weight_decay * x
    sums = sums + gradient * gradient
    rate = lr / (1 + (step - 1) * lr_decay)
    return x - rate * gradient / (torch.sqrt(sums) + eps), sums, step.clone()


TABLE = {
    **{op: _adam_of(False) for op in (aten._fused_adam.default, aten._fused_adam.tensor_lr)},
    **{op: _adam_of(True) for op in (aten._fused_adamw.default, aten._fused_adamw.tensor_lr)},
    **{op: _steps(_sgd, 3) for op in (aten._fused_sgd.default, aten._fused_sgd.tensor_lr)},
    aten._fused_adagrad.default: _steps(_adagrad, 4),
    aten._fused_adagrad.tensor_lr: _steps(_adagrad, 3),
}


def _in_place(op: Callable) -> Callable:
    def run(*operands, **options) -> None:
        for old, new in zip(operands, op(*operands, **options)):
            for each, value in zip(old, new):
                if each is not value:
                    each.copy_(value)
    return run


IN_PLACE = {
    torch._fused_adam_: _in_place(TABLE[aten._fused_adam.default]),
    torch._fused_adamw_: _in_place(TABLE[aten._fused_adamw.default]),
    torch._fused_sgd_: _in_place(TABLE[aten._fused_sgd.default]),
    torch._fused_adagrad_: _in_place(TABLE[aten._fused_adagrad.default]),
}
"""What functions that write to lists of tensors are in others; there may be further ones."""


def inline(gm: GraphModule) -> None:
    """Writes such steps in other ops before AOTAutograd sees them, which makes no functional ones
    of those with an empty list."""
    found = [node for node in gm.graph.nodes if node.target in IN_PLACE]
    for node in found:
        node.target = IN_PLACE[node.target]
    if found:
        gm.recompile()
