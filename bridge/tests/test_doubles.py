# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doubles, which a card stores as floats, in compiled graphs."""
import pytest
import torch
from habana_frameworks.torch.dynamo.compile_backend import graphs


@pytest.fixture
def compiled():
    """All ops of the graphs that are compiled, and in how many launches they are."""
    found, launches = [], []

    def listen(ops, count):
        found.extend(ops)
        launches.append(count)

    graphs.listeners.append(listen)
    torch._dynamo.reset()
    yield found, launches
    graphs.listeners.remove(listen)


def same(function, *operands, result_on="hpu"):
    call = torch.compile(function, backend="hpu_backend")
    made = call(*(each.to("hpu") for each in operands))
    wanted = function(*operands)
    made, wanted = ([each] if isinstance(each, torch.Tensor) else each for each in (made, wanted))
    for result, expected in zip(made, wanted, strict=True):
        assert result.device.type == result_on
        assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
        torch.testing.assert_close(result.cpu(), expected, rtol=1e-5, atol=1e-5)
    return made


X = torch.linspace(-2, 3, 12, dtype=torch.float64).reshape(3, 4)
N = torch.arange(4)


@pytest.mark.parametrize("function, operands", [
    (lambda x, y: torch.tanh(x) * y + 2.5, (X, X + 1)),
    (lambda x, y: (x @ y.t(), x.sum(), x.softmax(-1), x.t()), (X, X + 1)),
    (lambda x, y: x * y, (X, X.float())),
    (lambda x, y: (x + y, x.mean(0), x / 3), (X.bfloat16(), X)),
    (lambda x, n: (x + n, n.double() / 3, n.sum(dtype=torch.float64)), (X, N)),
    (lambda x: (x.float(), x.long(), x > 0.1, x.float().double(), x.argmax()), (X,)),
    (lambda x: x + torch.arange(4, dtype=torch.float64, device=x.device), (X,)),
    (lambda x: x * torch.full((4,), 0.1, dtype=torch.float64, device=x.device), (X.float(),)),
    (lambda x: (x.new_ones(3), torch.zeros_like(x), x[1:, ::2] * 2, x[0]), (X,)),
    (lambda x, s: (x * s, x.float() * s, s + 1), (X, X[0, 0])),
    (lambda z: (z * z.conj(), z.abs(), z + 1), (torch.complex(X, X + 1),)),
])
def test_graphs_of_doubles_are_one_launch(compiled, function, operands):
    same(function, *operands)
    ops, launches = compiled
    assert [op.node.target for op in ops if not op.is_compiled] == []
    assert launches == [1]


def test_a_model_of_doubles_learns(compiled):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8),
                                torch.nn.Linear(8, 1)).double()
    there = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8),
                                torch.nn.Linear(8, 1)).double()
    there.load_state_dict(model.state_dict())
    there = there.to("hpu")
    for call, device in ((model, "cpu"), (torch.compile(there, backend="hpu_backend"), "hpu")):
        call(X.to(device)).square().mean().backward()
    for expected, made in zip(model.parameters(), there.parameters()):
        assert made.grad.dtype is torch.float64
        torch.testing.assert_close(made.grad.cpu(), expected.grad, rtol=1e-4, atol=1e-5)
    assert all(op.is_compiled for op in compiled[0])


def test_doubles_that_leave_the_card_are_doubles():
    same(lambda x: (x * 2).cpu() + 1, X, result_on="cpu")
    x = X.to("hpu")
    call = torch.compile(lambda x, y: (x, y.to("hpu") * 2, x * y[0, 0]), backend="hpu_backend")
    passed, moved, scaled = call(x, X)
    assert passed.data_ptr() == x.data_ptr()
    assert moved.dtype is scaled.dtype is torch.float64
    torch.testing.assert_close(moved.cpu(), X * 2, rtol=1e-6, atol=0)


def test_ops_between_launches_see_doubles():
    def function(x):
        made = torch.linalg.eigvalsh(x @ x.t() + 1)  # by itself
        return made, (x @ x.t()) @ made, x + made.sum()
    same(function, X)


def test_doubles_are_written_in_place():
    x = X.to("hpu")
    call = torch.compile(lambda x: x.mul_(2).add_(1), backend="hpu_backend")
    assert call(x) is x
    assert x.dtype is torch.float64
    torch.testing.assert_close(x.cpu(), X * 2 + 1, rtol=1e-6, atol=1e-6)


def test_doubles_are_drawn():
    call = torch.compile(lambda x: (torch.rand_like(x), torch.nn.functional.dropout(x, 0.5)),
                         backend="hpu_backend")
    drawn, dropped = call(torch.ones(1000, dtype=torch.float64, device="hpu"))
    assert drawn.dtype is dropped.dtype is torch.float64
    assert 0 <= drawn.min() and drawn.max() < 1 and abs(drawn.mean() - 0.5) < 0.05
    assert set(dropped.tolist()) == {0, 2}
