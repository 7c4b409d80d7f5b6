# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""float64 beside other types: it stays on the CPU, exact, and the rest is on the device."""
import pytest
import torch

import gaudi_mlir.torch

f64 = torch.float64
X, D = torch.randn(3, 4), torch.randn(3, 4, dtype=f64)


@pytest.fixture(autouse=True)
def fresh_graphs():
    torch._dynamo.reset()
    gaudi_mlir.torch.reset()


def agree(function, *inputs, gradients=False):
    """Compares with PyTorch, float64 to 14 digits; returns the ops of segments, and reasons."""
    leaves = [[each.clone().requires_grad_(gradients) for each in inputs] for _ in range(2)]
    wanted = function(*leaves[0])
    got = torch.compile(function, backend="gaudi")(*leaves[1])
    wanted, got = (list(each) if isinstance(each, tuple) else [each] for each in (wanted, got))
    if gradients:
        for each in (wanted, got):
            torch.stack([result.double().sum() for result in each]).sum().backward()
        wanted += [each.grad for each in leaves[0]]
        got += [each.grad for each in leaves[1]]
    for mine, other in zip(got, wanted, strict=True):
        rtol = 1e-14 if other.dtype is f64 else 1e-5
        torch.testing.assert_close(mine, other, rtol=rtol, atol=rtol)
    report = gaudi_mlir.torch.explain()
    return [[segment.ops for segment in graph.segments] for graph in report.graphs], \
        report.fallback_reasons


@pytest.mark.parametrize("function, segments, on_cpu", [
    (lambda x, d: ((x * 2).sin(), d * 3 + 1), [[2]], {"mul", "add"}),
    (lambda x, d: (x + 1).to(f64) * d, [[1]], {"_to_copy", "mul"}),
    (lambda x, d: x * (d.mean() * 2).float(), [[2]], {"mean"}),  # a number, narrowed once
    (lambda x, d: torch.where(d > x, x.exp(), x), [[2]], {"gt"}),
    (lambda x, d: (x * 2).sum(dtype=f64) + 1, [[1]], {"sum"}),
    (lambda x, d: (torch.arange(4, dtype=f64) / 3).float() + x, [[1]],
     {"arange", "div", "_to_copy"}),
    (lambda x, d: d.t()[1:].clone(), [[]], {"clone"}),  # views cost nothing
], ids=["apart", "widened", "number", "mask", "sum", "made", "views"])
def test_divided(function, segments, on_cpu):
    found, reasons = agree(function, X, D)
    assert found == segments
    assert set(reasons) == {f"aten::{name}" for name in on_cpu}
    assert all(reason.startswith("float64 stays on the CPU, since the device has float32 (convert the "
                                 "model and its inputs: .float()); aten.")
               and "test_float64.py" in reason for reason in reasons.values())
    assert "float64 stays on the CPU" in str(gaudi_mlir.torch.explain())


def test_gradients():
    found, reasons = agree(lambda x, d: ((x.double() * d).sum(1), x.exp()), X, D, gradients=True)
    assert [len(each) for each in found] == [1, 1]
    assert set(reasons) == {"aten::_to_copy", "aten::mul", "aten::sum"}


def test_numbers_are_no_fallback():
    _, reasons = agree(lambda x, s: (x * s, s * 2), X, torch.tensor(1.1, dtype=f64))
    assert not reasons


@pytest.mark.parametrize("a, b", [
    (torch.tensor(0.1), torch.tensor(0.1, dtype=torch.float64)),
    (torch.tensor([2 ** 24 + 1, 2 ** 24, 3]), torch.tensor(16777216.5, dtype=torch.float64)),
    (torch.tensor([0.1, 0.2]), torch.tensor(0.1, dtype=torch.float64)),
])
def test_scalars_are_compared_in_the_common_type(a, b):
    def compared(a, b):
        return a < b, a > b, a == b, torch.isinf(b * 1e60)
    for got, expected in zip(torch.compile(compared, backend="gaudi")(a, b), compared(a, b)):
        assert torch.equal(got, expected)
