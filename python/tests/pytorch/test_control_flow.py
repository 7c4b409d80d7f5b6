# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops of PyTorch's higher-order ops."""
import pytest
import torch
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

import gaudi_mlir.torch

from .check import excess


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    gaudi_mlir.torch.reset()


def agree(function, *inputs):
    """Compares results and gradients; returns the report of what was compiled."""
    leaves = [each.clone().requires_grad_(each.is_floating_point()) for each in inputs]
    again = [each.clone().requires_grad_(each.is_floating_point()) for each in inputs]
    expected = function(*leaves)
    got = torch.compile(function, backend="gaudi")(*again)
    for a, b in zip(*(each if isinstance(each, tuple) else (each,) for each in (got, expected))):
        assert excess(a, b) <= 1
    for results in (expected, got):
        torch.stack([each.sum() for each in
                     (results if isinstance(results, tuple) else (results,))]).sum().backward()
    for a, b in zip(again, leaves):
        if a.is_floating_point():
            assert excess(a.grad, b.grad) <= 1
    return gaudi_mlir.torch.explain()


def branches(x, y):
    return torch.cond(x.sum() > 0, lambda x, y: (x.sin() * y, y + 1),
                      lambda x, y: (x.cos(), y * y), (x, y))


@pytest.mark.parametrize("sign", [1, -1])
def test_branches(sign):
    report = agree(branches, sign * torch.ones(3, 4), torch.arange(4) / 4)
    assert not report.fallback_reasons
    assert [len(graph.segments) for graph in report.graphs] == [1, 1]


def test_branches_inside_of_branches():
    def inner(x):
        return torch.cond(x[0] > 2, lambda x: x * 2, lambda x: x * 3, (x,))

    def outer(x):
        return torch.cond(x[0] > 1, inner, lambda x: x.exp(), (x,))

    for first in (0.0, 1.5, 3.0):
        assert not agree(outer, torch.tensor([first, -1.0])).fallback_reasons


def running(start, items):
    def step(carried, item):
        return carried * 0.5 + item, (carried * item).sin()
    return scan(step, start, items)


def test_scan():
    torch.manual_seed(0)
    report = agree(running, torch.randn(3), torch.randn(5, 3))
    assert not report.fallback_reasons


def test_long_scan_is_for_the_cpu():
    got = torch.compile(running, backend="gaudi")(torch.zeros(2), torch.randn(2000, 2))
    assert got[1].shape == (2000, 2)
    assert "higher-order" in str(gaudi_mlir.torch.explain().fallback_reasons)


def test_loop_by_values_is_for_the_cpu():
    def doubled(x):
        return while_loop(lambda count, x: count < 3, lambda count, x: (count + 1, x * 2),
                          (torch.zeros((), dtype=torch.int64), x))
    x = torch.randn(4)
    count, got = torch.compile(doubled, backend="gaudi")(x)
    assert count == 3 and torch.equal(got, x * 8)
    assert "higher-order" in str(gaudi_mlir.torch.explain().fallback_reasons)


def test_export():
    class Model(torch.nn.Module):
        def forward(self, x, y):
            return branches(x, y)

    inputs = torch.ones(3, 4), torch.arange(4) / 4
    recipe = gaudi_mlir.torch.export(Model(), inputs).recipe()
    for sign in (1, -1):
        given = sign * inputs[0], inputs[1]
        for a, b in zip(recipe.run(list(given)), branches(*given)):
            assert excess(torch.as_tensor(a), b) <= 1
