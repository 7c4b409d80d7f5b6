# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers in graphs of torch.compile: on the device, as pairs of their parts."""
import copy

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import gaudi_mlir.torch

C64 = torch.complex64


@pytest.fixture(autouse=True)
def nothing_on_the_cpu(monkeypatch, fresh):
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "none")


def leaves(values):
    return [each.resolve_conj() if each.is_complex() else each
            for each in torch.utils._pytree.tree_leaves(values)]


def check(function, *args, atol=1e-5) -> list:
    """The segments of the one graph that a call makes, if it gives what PyTorch gives."""
    actual = torch.compile(function, backend="gaudi")(*args)
    for mine, expected in zip(leaves(actual), leaves(function(*args)), strict=True):
        torch.testing.assert_close(mine, expected, rtol=1e-4, atol=atol)
    graph, = gaudi_mlir.torch.explain().graphs
    return graph.segments


def rotations(width: int, length: int) -> torch.Tensor:
    frequency = 1e4 ** -(torch.arange(0, width, 2).float() / width)
    angles = torch.outer(torch.arange(length).float(), frequency)
    return torch.polar(torch.ones_like(angles), angles)


def rotated(x: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns[None, :, None]).flatten(3).type_as(x)


class Attention(nn.Module):
    """As the first Llama was published: rotations are a complex buffer."""

    def __init__(self, width: int = 32, heads: int = 4, length: int = 16) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.register_buffer("turns", rotations(width // heads, length))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).unbind(2)
        q, k = rotated(q, self.turns[:length]), rotated(k, self.turns[:length])
        q, k, v = (each.transpose(1, 2) for each in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


@pytest.mark.parametrize("length", [16, 9])
def test_rotary_embedding(length):
    """One segment in each direction, and the gradients of all parameters."""
    mine = Attention()
    other = copy.deepcopy(mine)
    x, weight = torch.randn(2, length, 32), torch.randn(2, length, 32)
    grads = []
    for model, function in ((mine, torch.compile(mine, backend="gaudi")), (other, other)):
        given = x.clone().requires_grad_()
        y = function(given)
        (y * weight).sum().backward()
        grads.append([y.detach(), given.grad, *(each.grad for each in model.parameters())])
    torch.testing.assert_close(*grads, rtol=1e-4, atol=1e-4)
    graphs = gaudi_mlir.torch.explain().graphs
    assert [graph.kind for graph in graphs] == ["forward", "backward"]
    assert [len(graph.segments) for graph in graphs] == [1, 1]


def test_rotations_made_on_the_device():
    def function(x):
        return rotated(x, rotations(8, 5))
    assert len(check(function, torch.randn(2, 5, 3, 8))) == 1


def test_rotary_embedding_of_bf16():
    x = torch.randn(2, 5, 3, 8).bfloat16()
    assert len(check(rotated, x, rotations(8, 5), atol=0.02)) == 1


FUNCTIONS = {
    "fnet": lambda x: torch.fft.fft2(x, dim=(-1, -2)).real,
    "round": lambda x: torch.fft.irfftn(torch.fft.rfftn(x, norm="ortho"), x.shape, norm="ortho"),
    "filter": lambda x: torch.fft.irfft(torch.fft.rfft(x) * torch.polar(x.abs(), x)[:, :5], 8),
    "stft": lambda x: torch.stft(x, 8, window=torch.hann_window(8), return_complex=True),
    "istft": lambda x: torch.istft(torch.stft(x, 4, window=torch.ones(4), return_complex=True), 4,
                                   window=torch.ones(4)),
    "numbers": lambda x: (x * 1j, x + (2 - 1j), torch.where(x > 0, x, 1j), x == 1j),
    "scalars": lambda x: (x.bfloat16() + torch.tensor(1 + 1e-3j), torch.tensor(1j) * x.half(),
                          torch.cat([x, x * 1j]), x.long() - torch.tensor(0.5j)),
    "constants": lambda x: x * torch.tensor([1j, 2, 0, 3 - 1j, 1, 1, 1j, -1j]),
    "filled": lambda x: torch.full((3, 8), 2j) + torch.full_like(x, 2, dtype=C64) + x,
    "many constants": lambda x: x @ torch.polar(torch.ones(8), torch.arange(8.0)).to(C64).real,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_real_inputs(name):
    assert len(check(FUNCTIONS[name], torch.randn(3, 8))) == 1


OPS = {
    "arithmetic": lambda a, b: (a * b, a + b, a - b, a / b, -a, a * 2, 2 / a, a - 1j, a * a.real),
    "conjugates": lambda a, b: (a.conj() * b, a.mH @ b, torch.conj_physical(a), a.conj().imag),
    "parts": lambda a, b: (a.real + b.imag, a.abs(), a.angle(), a.sgn(), torch.view_as_real(a)),
    "products": lambda a, b: (a @ b.T, torch.addmm(a @ a.T, a, b.T, beta=2, alpha=-1),
                              torch.bmm(a[None], b.T[None]), torch.addcmul(a, a, b, value=3),
                              torch.addcdiv(a, a, b, value=2), torch.vdot(a[0], b[0])),
    "moves": lambda a, b: (torch.cat([a, b], 1), torch.stack([a, b]), a[:, ::2], a.T, a[1], a.flip(0),
                           a.split(2, 1)[1] * 2, a.roll(1, 0), a[:, [2, 0]], a.tril(), a.unbind(0)[1]),
    "writes": lambda a, b: (torch.where(a.real > 0, a, b), a.masked_fill(b.imag > 0, 2),
                            a.index_add(0, torch.tensor([1, 1, 0]), b),
                            torch.select_scatter(a, b[0], 0, 1)),
    "sums": lambda a, b: (a.sum(), a.mean(1), a.prod(), a.prod(1), a.cumsum(0), a.cumprod(1),
                          a.var(), a.std(1), a.norm()),
    "tests": lambda a, b: (a == b, a != a, a.isnan(), a.isfinite(), a.any(), a.all(1), ~a.isinf(),
                           a.logical_not(), a.bool()),
    "made": lambda a, b: (torch.ones_like(a) * a, torch.zeros_like(a) + a, a.new_full((2,), 3) * 2,
                          a.real.to(C64), torch.linspace(0, 1, 4, dtype=C64) * a),
    "powers": lambda a, b: (a ** 2, a ** -3, a ** 0.5, a ** b, 2 ** a, a ** 0, a.sqrt(), a.rsqrt(),
                            a.reciprocal(), a.square()),
    "logarithms": lambda a, b: (a.exp(), a.log(), a.log2(), a.log10(), a.log1p(), a.expm1(),
                                a.exp2(), a.sigmoid(), F.silu(a)),
    "angles": lambda a, b: (a.sin(), a.cos(), a.tan(), a.asin(), a.acos(), a.atan(), a.sinh(),
                            a.cosh(), a.tanh(), a.asinh(), a.acosh(), a.atanh()),
}


@pytest.mark.parametrize("name", OPS)
def test_complex_inputs(name):
    """With results of both kinds."""
    a, b = torch.randn(3, 4, dtype=C64), torch.randn(3, 4, dtype=C64)
    assert len(check(OPS[name], a, b)) == 1


@pytest.mark.parametrize("form", ["conjugate", "transposed", "part", "scalar", "empty"])
def test_forms_of_inputs(form):
    x = torch.randn(4, 4, dtype=C64)
    x = {"conjugate": x.conj(), "transposed": x.T, "part": x[1:, ::2], "scalar": x[0, 0],
         "empty": x[:0]}[form]
    check(lambda x: (x * 2, x.real), x)


def test_gradients():
    def function(z, x):
        y = torch.fft.rfft(x) * z
        return y.abs().sum() + torch.view_as_real(y.exp()).sum() + (y * y.conj()).real.mean()

    results = []
    for each in (function, torch.compile(function, backend="gaudi")):
        torch.manual_seed(1)
        z = torch.randn(3, 5, dtype=C64).requires_grad_()
        x = torch.randn(3, 8).requires_grad_()
        loss = each(z, x)
        loss.backward()
        results.append((loss.detach(), z.grad, x.grad))
    torch.testing.assert_close(*results, rtol=1e-4, atol=1e-4)


def test_beside_ops_of_the_cpu(monkeypatch):
    """What goes to the CPU and comes back is complex there."""
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "linalg_eig")
    segments = check(lambda z: torch.linalg.eigvals(z * 2).abs().sort().values + z.abs().sum(),
                     torch.randn(3, 3, dtype=C64), atol=1e-4)
    assert len(segments) == 2


def test_float64_stays_on_the_cpu():
    z = torch.randn(3, dtype=torch.complex128)
    with pytest.raises(Exception, match="complex numbers of float64"):
        check(lambda z: z * 2, z)


def test_side_by_side(monkeypatch, caplog):
    monkeypatch.setenv("PT_SBS", "1")
    with caplog.at_level("INFO", logger="gaudi_mlir.torch"):
        check(lambda z: z * 2, torch.randn(3, dtype=C64))
    assert "agrees with the CPU" in caplog.text


def test_export_takes_pairs():
    """An exported model has pairs for complex inputs and results."""
    class Turn(nn.Module):
        def forward(self, x):
            return x * 1j

    z = torch.randn(3, dtype=C64)
    exported = gaudi_mlir.torch.export(Turn(), (z,))
    result, = exported.recipe().run({"x": torch.view_as_real(z).numpy()})
    torch.testing.assert_close(torch.view_as_complex(torch.from_numpy(result)), z * 1j)


@pytest.mark.parametrize("function, value", [
    (lambda z: z ** -0.5, 0), (torch.exp, 100), (torch.exp, complex(-200, 3)),
    (torch.sigmoid, -100), (torch.sigmoid, complex(100, 1)), (torch.log1p, complex(3e38, 3e38)),
    (torch.log, complex(-3e38, 3e38)), (torch.log, 1e-30), (torch.log10, 0),
], ids=str)
def test_extreme_values(function, value):
    # As vectors compute it: PyTorch's kernels of few elements differ.
    check_equal(function, torch.full((64,), complex(value), dtype=C64))


def check_equal(function, x):
    actual = torch.compile(function, backend="gaudi")(x)
    torch.testing.assert_close(actual, function(x), rtol=1e-4, atol=1e-6, equal_nan=True)
