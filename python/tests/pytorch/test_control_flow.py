# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops of PyTorch's higher-order ops."""
import re

import pytest
import torch
from torch._higher_order_ops.hints_wrap import hints_wrapper
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


def reasons():
    return "\n".join(gaudi_mlir.torch.explain().fallback_reasons.values())


def test_long_scan_is_for_the_cpu():
    got = torch.compile(running, backend="gaudi")(torch.zeros(2), torch.randn(2000, 2))
    assert got[1].shape == (2000, 2)
    assert re.search("its 2000 steps of . ops are more than 4096 ops.*test_control_flow.py", reasons())


def doubled(x):
    return while_loop(lambda count, x: count < 3, lambda count, x: (count + 1, x * 2),
                      (torch.zeros((), dtype=torch.int64), x))


def test_loop_by_values_is_for_the_cpu():
    x = torch.randn(4)
    count, got = torch.compile(doubled, backend="gaudi")(x)
    assert count == 3 and torch.equal(got, x * 8)
    assert "the number of its steps depends on values" in reasons()
    assert "the number of its steps depends on values" in str(gaudi_mlir.torch.explain())


def test_loop_in_a_branch_is_for_the_cpu():
    def function(x):
        return torch.cond(x[0] > 0, lambda x: doubled(x)[1], lambda x: x.sin(), (x,))
    for first in (1.0, -1.0):
        x = torch.tensor([first, 2])
        got = torch.compile(function, backend="gaudi")(x)
        assert torch.allclose(got, function(x))
    assert "its branch for true has 'while_loop': the number of its steps depends" in reasons()


def drawn(x):
    return torch.cond(x[0] > 0, lambda x: x + torch.rand_like(x), lambda x: x - 1, (x,)), \
        torch.rand_like(x)


def test_branches_that_draw_on_the_device():
    x = torch.tensor([1.0, 2])
    got, _ = torch.compile(drawn, backend="gaudi")(x)
    assert ((got - x >= 0) & (got - x < 1)).all()
    assert not reasons()


@pytest.mark.parametrize("sign", [1, -1])
def test_branches_that_draw_on_the_host(sign):
    """A branch that is not taken takes no numbers of the generator."""
    x = sign * torch.tensor([1.0, 2])
    torch.manual_seed(3)
    expected = drawn(x)
    torch.manual_seed(3)
    got = torch.compile(drawn, backend="gaudi", options={"random": "host"})(x)
    for a, b in zip(got, expected):
        assert torch.allclose(a, b)
    assert "its branch for true has 'aten.rand_like.default': it draws from the generator" in \
        reasons()


def test_scans_that_draw_on_the_host():
    """Every step is taken."""
    def noisy(start, items):
        def step(carried, item):
            drawn = carried + item + torch.rand_like(item)
            return drawn, drawn * 2
        return scan(step, start, items)

    inputs, options = (torch.zeros(2), torch.randn(4, 2)), {"random": "host"}
    results = []
    for function in (noisy, torch.compile(noisy, backend="gaudi", options=options)):
        torch.manual_seed(3)
        results.append(function(*inputs))
    for a, b in zip(*results):
        assert torch.allclose(a, b)
    assert not reasons()


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


def test_export_names_what_stays():
    class Model(torch.nn.Module):
        def forward(self, x):
            return doubled(x)

    with pytest.raises(gaudi_mlir.CompileError, match="the number of its steps depends on values"):
        gaudi_mlir.torch.export(Model(), (torch.ones(3),))


@pytest.mark.parametrize("read", [
    lambda a, b: a[b], lambda a, b: a.index_select(0, b), lambda a, b: torch.gather(a, 0, b),
    lambda a, b: torch.nn.functional.embedding(b, a.reshape(-1, 1)).reshape(-1),
], ids=["index", "index_select", "gather", "embedding"])
def test_a_condition_may_guard_an_index(read):
    def guarded(a, b):
        return torch.cond((b < a.shape[0]).all(), lambda a, b: read(a, b) + 1,
                          lambda a, b: a.exp(), (a, b))
    a = torch.randn(3)
    for b in (torch.tensor([2, 0, 1]), torch.tensor([7, 0, 1])):
        assert excess(torch.compile(guarded, backend="gaudi")(a, b), guarded(a, b)) <= 1
    assert "it raises where an index is out of range" in \
        str(gaudi_mlir.torch.explain().fallback_reasons)


def test_hints_are_left_out():
    def inner(x, y):
        return torch.relu(x @ y), y + 1

    def function(x, y):
        first, second = hints_wrapper(inner, (x, y), {}, hints={"speed": 1})
        return first * 2, second

    x, y = torch.randn(3, 3), torch.randn(3, 3)
    for mine, theirs in zip(torch.compile(function, backend="gaudi")(x, y), function(x, y)):
        assert excess(mine, theirs) <= 1
    assert not gaudi_mlir.torch.explain().fallback_reasons
