# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python's numbers that change from call to call, up to those that types cannot hold."""
import pytest
import torch
from habana_frameworks.torch import _C

OPS = {
    "add": lambda x, n: x + n,
    "mul": lambda x, n: x * n,
    "rsub": lambda x, n: n - x,
    "div": lambda x, n: x / n,
    "floor_divide": lambda x, n: x // n,
    "remainder": lambda x, n: x % n,
    "add alpha": lambda x, n: torch.add(x, x, alpha=n),
    "addcmul": lambda x, n: torch.addcmul(x, x, x, value=n),
    "full": lambda x, n: torch.full((3,), n, dtype=x.dtype, device=x.device),
    "full_like": lambda x, n: torch.full_like(x, n),
    "fill_": lambda x, n: x.clone().fill_(n),
    "mul_": lambda x, n: x.clone().mul_(n),
    "masked_fill": lambda x, n: x.masked_fill(x > 2, n),
    "where": lambda x, n: torch.where(x > 2, x, n),
    "clamp": lambda x, n: x.clamp(-1, n),
    "gt": lambda x, n: x > n,
    "pow": lambda x, n: x ** n,
    "rpow": lambda x, n: n ** x,
}
TYPES = [torch.int64, torch.int32, torch.uint8, torch.float32, torch.bfloat16, torch.float16,
         torch.float64, torch.bool]


def result(function, x, number):
    try:
        return function(x, number)
    except Exception as error:
        return error


def check(function, x, number):
    expected = result(function, x, number)
    made = result(function, x.to("hpu"), number)
    if isinstance(expected, Exception) or isinstance(made, Exception):
        assert type(made) is type(expected), (x.dtype, number, expected, made)
        return
    assert made.dtype is expected.dtype, (x.dtype, number)
    made = made.cpu()
    if expected.dtype is torch.float64:  # stored as floats
        made, expected = made.float(), expected.float()
    if expected.is_floating_point():
        torch.testing.assert_close(made, expected, equal_nan=True)
    else:
        assert torch.equal(made, expected), (x.dtype, number, expected, made)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPS)
def test_numbers_that_change(name):
    for dtype in TYPES:
        x = torch.arange(6).to(dtype)
        for numbers in ([3, 5, -2, 7], [1.5, 2.5, 0.25]):
            for number in numbers:
                check(OPS[name], x, number)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["add", "add alpha", "div", "clamp", "fill_", "gt", "mul_", "pow"])
def test_numbers_beyond_types(name):
    wholes = [3, 5, 300, 2**31, 2**40 + 1, 2**53 + 1, 2**63 - 1, -2**63, 2**63, 2**64 - 1]
    floats = [1.5, 2.5, 7e4, 1e39, -1e39, float("inf"), float("nan"), 1e308]
    for dtype in TYPES:
        x = torch.arange(6).to(dtype)
        for numbers in (wholes, floats):
            for number in numbers:
                check(OPS[name], x, number)


@pytest.mark.parametrize("name", [each for each in OPS if each != "pow"])
def test_integers_that_change_are_operands(name):
    for dtype in (torch.int64, torch.float32, torch.bfloat16):
        x = torch.arange(1, 7).to("hpu", dtype)
        OPS[name](x, 3)
        OPS[name](x, 5)
        before = _C.eager_counts()
        for number in (7, 11, -4):
            OPS[name](x, number)
        after = _C.eager_counts()
        assert (after[1], after[2]) == (before[1], before[2]), dtype


def test_whole_powers_are_exact():
    x = torch.linspace(-3, 3, 50)
    for exponent in (2, 3, 2.0, 3.0, 2.5, 3.5, 2.0, 5):
        expected, made = x ** exponent, (x.to("hpu") ** exponent).cpu()
        assert torch.equal(made.isnan(), expected.isnan())
        if exponent == 2:
            assert torch.equal(made, expected)
        torch.testing.assert_close(made, expected, equal_nan=True)
    n = torch.arange(-5, 6)
    for exponent in (2, 3, 7, 20):
        assert torch.equal((n.to("hpu") ** exponent).cpu(), n ** exponent)


def test_large_integers_are_exact():
    x = torch.arange(-3, 4)
    for number in (2**53 + 1, 2**60 + 7, 2**62 + 3):
        for function in (lambda x: x + number, lambda x: x * number, lambda x: x > number,
                         lambda x: torch.add(x, x, alpha=number), lambda x: x.clamp(max=number),
                         lambda x: torch.full((3,), number, device=x.device)):
            assert torch.equal(function(x.to("hpu")).cpu(), function(x)), number


def test_remainders_stay_on_the_card():
    before = _C.eager_counts()[2]
    x = torch.arange(9, device="hpu")
    assert (x % 4).tolist() == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert (x & 3).tolist() == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert (x.float().fmod(2) + x % 2).tolist() == [0, 2] * 4 + [0]
    assert _C.eager_counts()[2] == before


def test_numbers_of_sums_of_narrow_types():
    for dtype in (torch.bfloat16, torch.float16):
        x = torch.linspace(-3, 3, 50).to(dtype)
        for number in (5.263, 257, 9.4425):  # the first is a constant, others are operands
            for function in (torch.add, torch.sub, torch.mul):
                assert torch.equal(function(x.to("hpu"), number).cpu(), function(x, number))
            assert torch.equal(torch._foreach_add([x.to("hpu")], number)[0].cpu(), x + number)
