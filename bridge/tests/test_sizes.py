# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eager ops at one size after another: types, layouts and numbers are those of PyTorch's CPU."""
import pytest
import torch

import habana_frameworks.torch as ht  # noqa: F401
from habana_frameworks.torch import _C, _sizes

SHAPES = [(3, 4), (5, 6), (7, 2), (1, 4), (3, 1), (1, 1), (4, 9), (0, 3), (8, 8)]

OPS = {
    "add": lambda a, b: a + b,
    "add of a number": lambda a, b: (a + 2, a * 1.5, 1 - a),
    "integers": lambda a, b: (a.int() + b.int(), a.int() / b.int().abs().add(1), a > b),
    "broadcast": lambda a, b: (a + b[:1], a * b[:, :1], a + b.sum(0)),
    "permuted": lambda a, b: (a.t() + b.t(), a.t() + b.reshape(b.shape[::-1]), a.t().relu()),
    "written": lambda a, b: (a.add_(b), a.t().mul_(b.t()), a.copy_(b * 2).relu_()),
    "unary": lambda a, b: (a.exp(), a.relu(), torch.nn.functional.gelu(a), a.abs(), -a),
    "narrow": lambda a, b: (a.bfloat16() + b.bfloat16(), a.half().sigmoid()),
    "products": lambda a, b: (a @ b.t(), a.t() @ b, torch.mm(b, a.t())),
    "sums": lambda a, b: (a.sum(1), a.sum(), a.mean(0, keepdim=True), a.t().sum(0)),
    "softmax": lambda a, b: (a.softmax(1), a.log_softmax(0)),
    "joined": lambda a, b: (torch.cat([a, b]), torch.cat([a, b], 1), torch.stack([a, b])),
    "chosen": lambda a, b: (torch.where(a > b, a, b), torch.maximum(a, b), a.clamp(-1, 1)),
    "parts": lambda a, b: (a.sort(1), a.cumsum(0), a.topk(1, 0) if a.shape[0] else a),
    "copies": lambda a, b: (a.t().contiguous(), a[::2].clone(), a.expand(2, *a.shape).contiguous()),
}


@pytest.mark.parametrize("name", OPS)
def test_op(name):
    torch.manual_seed(1)
    for shape in SHAPES:
        a, b = torch.randn(shape), torch.randn(shape)
        on_card = a.to("hpu"), b.to("hpu")
        expected = torch.utils._pytree.tree_leaves(OPS[name](a, b))
        results = torch.utils._pytree.tree_leaves(OPS[name](*on_card))
        for mine, other in zip(results, expected, strict=True):
            assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
            if other.numel() > 1 and 1 not in other.shape:
                assert mine.stride() == other.stride()
            torch.testing.assert_close(mine.cpu(), other, atol=1e-5, rtol=1e-4, equal_nan=True)


def test_what_is_not_made_again(monkeypatch):
    """From the third size on there is no graph to make."""
    _C.reset_eager()
    _sizes._forms.clear()
    from habana_frameworks.torch import _written
    made = []
    graph_of = _written.graph_of
    monkeypatch.setattr(_written, "graph_of",
                        lambda call, table: made.append(call) or graph_of(call, table))
    for size in range(3, 10):
        x = torch.ones(size, size, device="hpu")
        assert torch.equal((x + x).cpu(), torch.full((size, size), 2.0))
    assert [call.op for call in made].count(torch.ops.aten.add.Tensor) == 2
    x = torch.ones(2, 3, device="hpu")
    with pytest.raises(RuntimeError, match="must match the size"):
        x + torch.ones(3, 3, device="hpu")


def test_what_is_not_trusted(monkeypatch):
    """Where the second size gives another text, each size takes the long way."""
    _C.reset_eager()
    _sizes._forms.clear()
    monkeypatch.setattr(_sizes._Form, "gives", lambda self, call: False)
    for size in range(3, 7):
        x = torch.randn(size)
        assert torch.equal(x.to("hpu").abs().cpu(), x.abs())
    assert list(_sizes._forms.values()) == [None]


def test_copies_that_a_kernel_makes():
    """Ranges that overlap, and many elements."""
    x = torch.arange(12.0, device="hpu")
    x[::2].copy_(x[1::2])
    expected = torch.arange(12.0)
    expected[::2] = expected[1::2].clone()
    assert torch.equal(x.cpu(), expected)
    large = torch.randn(600, 1000)
    assert torch.equal(large.to("hpu").t().contiguous().cpu(), large.t())
    halves = torch.randn(6, 4, dtype=torch.float64)
    assert torch.equal(halves.float().to("hpu").double().t().contiguous().cpu(),
                       halves.float().double().t())
