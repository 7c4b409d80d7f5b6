# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of optimizers as one op, which torch.optim calls with fused=True."""
import pytest
import torch

import gaudi_mlir.torch
from gaudi_mlir.torch.sidebyside import excess

SHAPES = [(3, 4), (5,), ()]


def lists(count, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [[torch.rand(shape, generator=generator) + 0.5 for shape in SHAPES] for _ in range(count)]


def after(step, tensors, extra, wrap=lambda each: each):
    """The tensors that a step has changed."""
    tensors = [[each.clone() for each in group] for group in tensors]
    wrap(step)(tensors, extra)
    return [each for group in tensors for each in group]


def agree(step, tensors, extra=None):
    torch._dynamo.reset()
    gaudi_mlir.torch.reset()
    wanted = after(step, tensors, extra)
    got = after(step, tensors, extra, lambda each: torch.compile(each, backend="gaudi", fullgraph=True))
    assert not gaudi_mlir.torch.fallback_stats()
    assert max(map(excess, got, wanted)) <= 1
    assert any(not torch.equal(a, b) for a, b in zip(wanted, [each for group in tensors for each in group])) \
        or extra is not None


SCALED = {"grad_scale": torch.tensor(8.0), "found_inf": torch.tensor(0.0)}
INFINITE = {"grad_scale": torch.tensor(8.0), "found_inf": torch.tensor(1.0)}


@pytest.mark.parametrize("op", [torch._fused_adam_, torch._fused_adamw_], ids=["adam", "adamw"])
@pytest.mark.parametrize("decay, amsgrad, maximize, scale", [
    (0, False, False, None), (0.1, False, True, None), (0.1, True, False, None), (0, True, True, SCALED),
    (0.1, False, False, INFINITE)])
def test_adam(op, decay, amsgrad, maximize, scale):
    def step(tensors, scale):
        *states, largest, steps = tensors
        op(*states, largest if amsgrad else [], steps, lr=0.01, beta1=0.9, beta2=0.99, weight_decay=decay,
           eps=1e-6, amsgrad=amsgrad, maximize=maximize, **(scale or {}))
    agree(step, lists(5) + [[torch.tensor(3.0) for _ in SHAPES]], scale)


@pytest.mark.parametrize("momentum, nesterov, first", [
    (0, False, True), (0.9, False, True), (0.9, False, False), (0.9, True, False), (0.9, True, True)])
@pytest.mark.parametrize("scale", [None, SCALED, INFINITE], ids=["", "scaled", "infinite"])
def test_sgd(momentum, nesterov, first, scale):
    def step(tensors, scale):
        buffers = tensors[2] if momentum else []
        torch._fused_sgd_(*tensors[:2], buffers, weight_decay=0.1, momentum=momentum, lr=0.1,
                          dampening=0.0 if nesterov else 0.3, nesterov=nesterov, maximize=first, is_first_step=first, **(scale or {}))
    agree(step, lists(3), scale)


@pytest.mark.parametrize("scale", [None, SCALED, INFINITE], ids=["", "scaled", "infinite"])
def test_adagrad(scale):
    def step(tensors, scale):
        torch._fused_adagrad_(*tensors, lr=0.1, lr_decay=0.01, weight_decay=0.1, eps=1e-7, maximize=False,
                              **(scale or {}))
    agree(step, lists(3) + [[torch.tensor(3.0) for _ in SHAPES]], scale)


def test_rate_as_a_tensor():
    def step(tensors, rate):
        torch._fused_sgd_(*tensors, weight_decay=0.0, momentum=0.9, lr=rate, dampening=0.0, nesterov=False,
                          maximize=False, is_first_step=False)
    agree(step, lists(3), torch.tensor(0.1))
