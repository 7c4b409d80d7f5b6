# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python numbers that change from call to call: operands of one recipe where they can be."""
import pytest
import torch

import gaudi_mlir.torch
from gaudi_mlir.torch.sidebyside import excess


def check(function, calls) -> list:
    """The graphs that calls make, if each gives what PyTorch gives."""
    compiled = torch.compile(function, backend="gaudi")
    for args in calls:
        actual, expected = (torch.utils._pytree.tree_leaves(each(*args))
                            for each in (compiled, function))
        for mine, other in zip(actual, expected, strict=True):
            if not isinstance(other, torch.Tensor):
                assert mine == other and type(mine) is type(other)
                continue
            assert mine.dtype == other.dtype
            if other.dtype is torch.bfloat16:
                assert excess(mine, other) <= 1
            else:
                torch.testing.assert_close(mine, other, equal_nan=True, atol=1e-6, rtol=1e-5)
    return gaudi_mlir.torch.explain().graphs


def recipes(graphs) -> int:
    return sum(len(graph.variants) or 1 for graph in graphs)


X = torch.randn(4)


def test_a_loop_of_updates():
    """A learning rate and the number of the step."""
    def update(parameter, gradient, rate, step):
        return parameter - rate * gradient / (1 - 0.9 ** step)

    graphs = check(update, [(X, X * k, 0.1 / k, k) for k in range(1, 20)])
    assert recipes(graphs) == 2
    assert sorted(graphs[1].operands) == ["rate", "step"] and not graphs[1].constants
    assert len(graphs[1].variants[0].segments) == 1
    text = str(gaudi_mlir.torch.explain())
    assert "numbers that are operands: rate, step" in text


OF_FLOATS = {
    "arithmetic": lambda x, s: (x * s, x + s, x - s, s - x, x / s, s / x, s * 2 + x),
    "factors": lambda x, s: (x.add(x, alpha=s), x.sub(x, alpha=s), torch.addcmul(x, x, x, value=s),
                             torch.addcdiv(x, x, x, value=s), torch.lerp(x, 2 * x, s)),
    "limits": lambda x, s: (x.clamp(min=s), x.clamp(max=s), x.clamp(-1, s), x.clamp(s, 2 * s)),
    "choices": lambda x, s: (torch.where(x > s, x, s), torch.where(x < s, s, x),
                             x.masked_fill(x > 0, s), x == s),
    "values": lambda x, s: (torch.full((3,), s), torch.full_like(x, s), x.new_full((2,), s)),
    "powers": lambda x, s: (x.abs() ** s, s ** x, x % s, x // s),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32])
@pytest.mark.parametrize("name", OF_FLOATS)
def test_floats(name, dtype):
    x = (torch.randn(5) * 3).to(dtype)
    if name == "factors" and dtype is torch.int32:
        pytest.skip("PyTorch wants whole factors of integers")
    graphs = check(OF_FLOATS[name], [(x, 0.4 + 0.37 * k) for k in range(5)])
    if name == "values" and dtype is torch.int32:
        return  # float32 does not have all integers: a recipe for each
    assert recipes(graphs) == 2 and graphs[1].operands == ["s"]


OF_INTEGERS = {
    "arithmetic": lambda x, n: (x * n, x + n, x - n, n - x, x / n, n / x, x + (2 * n + 1)),
    "factors": lambda x, n: (x.add(x, alpha=n), x.sub(x, alpha=n), torch.addcmul(x, x, x, value=n)),
    "limits": lambda x, n: (x.clamp(min=n), x.clamp(-1, n)),
    "choices": lambda x, n: (torch.where(x > n, x, n), x.masked_fill(x > 0, n), x != n, x % n),
    "values": lambda x, n: (torch.full((3,), n), torch.full_like(x, n), torch.tensor(n) + x),
    "powers": lambda x, n: (x ** n, x // n),
    "numbers": lambda x, n: (x * n, n + 1, 3 * n),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32, torch.int64])
@pytest.mark.parametrize("name", OF_INTEGERS)
def test_integers(name, dtype):
    x = (torch.randn(5) * 3).to(dtype)
    x = torch.where(x == 0, 1, x)
    graphs = check(OF_INTEGERS[name], [(x, n) for n in range(3, 8)])
    if name == "powers" and not dtype.is_floating_point:
        return  # an exponent may be negative, which PyTorch refuses: a recipe for each
    assert recipes(graphs) == 2 and graphs[1].operands == ["n"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8])
def test_scalar_tensors_keep_their_type(dtype):
    x = torch.tensor(3).to(dtype)
    graphs = check(lambda x, n: (x * n, x + n, x - n), [(x, n) for n in range(2, 6)])
    assert recipes(graphs) == 2


def test_large_integers_are_exact():
    x = torch.tensor([1, -1, 2 ** 40])
    graphs = check(lambda x, n: (x + n, x * n), [(x, 2 ** 40 + n) for n in range(4)])
    assert recipes(graphs) == 2


def test_gradients():
    """Numbers go from the forward to the backward graph."""
    def function(x, n, s):
        return (x * n).sin() * s

    compiled = torch.compile(function, backend="gaudi")
    for k in range(2, 7):
        grads = []
        for each in (function, compiled):
            x = X.clone().requires_grad_()
            each(x, k, 0.1 * k).sum().backward()
            grads.append(x.grad)
        torch.testing.assert_close(*grads)
    assert recipes(gaudi_mlir.torch.explain().graphs) == 4


def test_sizes_and_positions_are_constants():
    def function(x, n, place, factor):
        return x[:, :n] * factor, x[place] + factor

    graphs = check(function, [(torch.randn(5, 9), 2 + k, k % 3, k + 3) for k in range(5)])
    dynamic = graphs[-1]
    assert dynamic.operands == ["factor"]
    assert dynamic.constants["n"].startswith("it is a size of")
    assert dynamic.constants["place"] == "it is 'index' of aten.select.int"
    assert "place is a constant of each recipe: it is 'index' of aten.select.int" in \
        str(gaudi_mlir.torch.explain())


def test_dynamic_sizes_beside_numbers():
    def function(x, n):
        return x * n + x.shape[0]

    graphs = check(function, [(torch.randn(3 + k % 2, 4), k) for k in range(2, 10)])
    assert recipes(graphs) <= 4


@pytest.mark.parametrize("name, function, calls", [
    ("reverse", lambda x, f: f - x, [(torch.tensor([5, 200], dtype=torch.uint8), f)
                                     for f in (1.5, 2.5, 3.5)]),
    ("factor of products", lambda x, f: torch.addcmul(x, x * 1e20, x * 1e20, value=f),
     [(torch.ones(2), f) for f in (1.0, 2e-30, 3e-30)]),
    ("integers of floats", lambda x, f: x + torch.full((2,), f, dtype=torch.int64),
     [(torch.zeros(2, dtype=torch.int64), f) for f in (16777217.0, 16777219.0, 3.0)]),
])
def test_extreme_numbers(name, function, calls):
    check(function, calls)


def test_powers_that_integers_do_not_have():
    compiled = torch.compile(lambda x, n: x ** n, backend="gaudi")
    for exponent in (2, 3):
        compiled(torch.tensor([2, 3]), exponent)
    with pytest.raises(RuntimeError, match="negative integer powers"):
        compiled(torch.tensor([2, 3]), -1)


@pytest.mark.parametrize("op", [torch.add, torch.sub, torch.rsub])
@pytest.mark.parametrize("dtype", [torch.int32, torch.float32, torch.bfloat16])
def test_the_factor_of_a_changing_number(op, dtype):
    """PyTorch's pass that makes tensors of floats loses alpha."""
    def function(x, number, alpha):
        return op(x, number, alpha=alpha)
    compiled = torch.compile(function, backend="gaudi", dynamic=True)
    x = torch.arange(3).to(dtype)
    for number, alpha in ((13.0, 5), (2.5, 0), (1.5, 1)):
        alpha = float(alpha) if dtype.is_floating_point else alpha
        torch.testing.assert_close(compiled(x, number, alpha), function(x, number, alpha))
