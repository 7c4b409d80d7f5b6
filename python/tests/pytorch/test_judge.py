# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the judge of PyTorch's suites takes for equal."""
import pathlib
import sys
from types import SimpleNamespace

import pytest
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts" / "oracle"))
import torch_judge  # noqa: E402
import torch_suites  # noqa: E402

nan = float("nan")


def positions(operand, dim, given):
    return torch_judge.first_equals(torch.tensor(operand), dim, torch.tensor(given)).tolist()


def test_positions_of_equal_elements():
    row = [5.0, 3, 5, nan, nan]
    assert positions(row, 0, [2, 0, 1]) == [0, 0, 1]
    assert positions(row, 0, [4, 3]) == [3, 3]
    assert positions([row, row[::-1]], 1, [[2], [4]]) == [[0], [2]]
    assert positions([[1, 1], [1, 2]], 0, [1, 1]) == [0, 1]
    assert positions(7, 0, 0) == 0


@pytest.mark.parametrize("given", ([0, 0], [5, 1], [-1, 1]), ids=str)
def test_positions_that_no_op_gives(given):
    assert positions([5.0, 3, 5, 3, 1], 0, given) == [-1, -1]


def test_only_ties_may_differ():
    x = torch.tensor([[2, 1, 2, 0], [3, 3, 3, 1]])

    def function(x):
        return list(torch.topk(x, 2))

    def other(x, swapped=(2, 0)):
        values, found = torch.topk(x, 2)
        return [values, torch.stack([torch.tensor(swapped), found[1]])]

    def verdict(made):
        return torch_judge.judge(function, [x], through=lambda *_: made, positions_along=-1)[0]

    assert verdict(function) == verdict(other) == "right"
    assert verdict(lambda x: other(x, (2, 1))) == "wrong"
    assert verdict(lambda x: other(x, (2, 2))) == "wrong"


def test_numbers_from_nothing_are_those_of_f64():
    def spaced(dtype):
        return lambda: [torch.linspace(-2, 1, 50, dtype=dtype)]

    def verdict(made, wide=None):
        def through(_, __, compiler):
            compiler.calls = 1
            return made
        return torch_judge.judge(spaced(torch.bfloat16), [], through=through, wide=wide)[0]

    def rounded_once():
        return [each.bfloat16() for each in spaced(torch.double)()]

    assert verdict(rounded_once) == "wrong"  # PyTorch rounds the step
    assert verdict(rounded_once, spaced(torch.double)) == "right"
    assert verdict(lambda: [each + 1 for each in rounded_once()], spaced(torch.double)) == "wrong"


def test_which_calls_have_such_positions():
    def along(op, *args, **kwargs):
        return torch_suites.positions_along(SimpleNamespace(name=op),
                                            SimpleNamespace(args=args, kwargs=kwargs))

    assert along("topk", 3) == -1
    assert along("topk", 3, 1) == 1
    assert along("sort", 0, True) == 0
    assert along("sort", dim=1, stable=True) is None
    assert along("median") is None
    assert along("cumsum", 0) is None


def test_values_that_the_trace_loses():
    """The mean of losses of lengths that are lists, which PyTorch divides by a tensor made of them."""
    def verdict(**options):
        return torch_judge.judge(
            lambda x, targets: [torch.nn.functional.ctc_loss(x, targets, (5, 5), (2, 1), **options)],
            [torch.randn(5, 2, 4).log_softmax(-1), torch.ones(2, 2, dtype=torch.int64)],
            through=torch_judge.differentiable)[0]

    assert verdict() == "no graph"
    assert verdict(reduction="sum") == "right"


def test_traces_that_only_begin_with_empty_memory(monkeypatch):
    """All of which they write before they read it: what is wrong there is the device's."""
    def function(x):
        y = torch.empty(3, 4)
        y[:1], y[1:] = x, 2 * x
        return [y + 1]

    operand = torch.randn(1, 4)
    assert torch_judge.judge(function, [operand])[0] == "right"
    tensor_of = torch_judge.tensor_of
    monkeypatch.setattr(torch_judge, "tensor_of", lambda *given: tensor_of(*given) + 1)
    assert torch_judge.judge(function, [operand])[0] == "wrong"


def test_how_much_a_rounded_gradient_may_be_off():
    exact = torch.tensor([1e4, 1.0], dtype=torch.double)
    assert torch_judge.own_error(exact + 1e-6, exact) == pytest.approx(2e-6, rel=1e-3)
    assert torch_judge.own_error(exact + 10, exact) == pytest.approx(0.1)
    assert torch_judge.own_error(exact / 1e6 + 1, exact / 1e6) == pytest.approx(1e-5)


def test_how_much_a_rounded_operand_moves_a_result():
    def function(x):
        return [x.softmax(0)]

    x = torch.tensor([900.0, 899.0], dtype=torch.float16)
    exact = function(x.double())
    moved, = torch_judge.moved_by_roundings(function, [x.double()], [x], exact, None)
    assert 0.01 < moved < 0.3  # half a unit is 0.25
    own = exact[0] + 0.02
    assert torch_judge.own_error(own.half(), exact[0], moved) == pytest.approx(min(0.04, moved), rel=0.05)
    assert torch_judge.own_error(own.half(), exact[0]) < 0.01
    assert torch_judge.moved_by_roundings(function, [x.double()], [x.float()], exact, None) == [0.0]

    def share(x):  # refuses what is moved beyond 1
        return [torch.nn.functional.binary_cross_entropy(x, torch.ones_like(x), reduction="none")]

    ones = torch.ones(8, dtype=torch.float16)
    assert torch_judge.moved_by_roundings(share, [ones.double()], [ones], share(ones.double()), None) == [0.0]


def test_how_much_rounding_between_steps_may_be_off():
    exact = torch.tensor([241.0, 1.0], dtype=torch.bfloat16)
    assert torch_judge.own_error(exact + torch.tensor([35.0, 0.0]), exact) == pytest.approx(0.00241)
    off = torch.tensor([9.0, 0.0])
    assert torch_judge.own_error((exact + off).bfloat16(), exact) == 9
    # Beyond some roundings of the largest it is no rounding.
    assert torch_judge.own_error((exact + 4 * off).bfloat16(), exact) == 8 * 2 ** -7 * 241
    assert torch_judge.own_error(exact, exact) == 0
