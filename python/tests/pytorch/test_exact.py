# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that are exact or do not overflow in PyTorch are so on the device, gradients too."""
import pytest

torch = pytest.importorskip("torch")
import gaudi_mlir.torch  # noqa: E402
from gaudi_mlir.torch.sidebyside import excess  # noqa: E402

DTYPES = [torch.float32, torch.bfloat16, torch.float16]


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("function", [torch.fmod, torch.remainder])
def test_remainders(function, dtype):
    a = torch.cat([torch.tensor([7.34, 1000.5, 60000, 8.9]), 1e4 * torch.randn(500)]).to(dtype)
    b = torch.cat([torch.tensor([0.7, 0.3, 0.37, 0.11]), torch.randn(500)]).to(dtype)
    for operands in ((a, b), (a, 0.37), (a.abs(), -2.5)):
        got = torch.compile(function, backend="gaudi")(*operands)
        assert not gaudi_mlir.torch.fallback_stats()
        if function is torch.fmod:
            assert torch.equal(got, function(*operands))
        else:  # adds the divisor once, rounded
            torch.testing.assert_close(got, function(*operands), rtol=1e-6, atol=0)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_logarithm_of_sums(dtype):
    rows = [[10000., 1, 2, 200], [-1e4, -1e4, 5, 5], [1e4, 9999, 10001, -3]]
    for values in (torch.tensor(rows), 30 * torch.randn(3, 25)):
        results = []
        for function in (torch.logcumsumexp, torch.compile(torch.logcumsumexp, backend="gaudi")):
            x = values.to(dtype).requires_grad_()
            y = function(x, 1)
            y.backward(torch.ones_like(y))
            results.append((y.detach(), x.grad))
        for wanted, got in zip(*results):
            assert excess(got, wanted) <= 1
        assert not gaudi_mlir.torch.fallback_stats()


@pytest.mark.parametrize("dim", [0, 1])
def test_gradient_of_large_logarithms_of_sums(dim):
    """Which eager PyTorch has to 0.001 only."""
    values = torch.randn(6, 5, dtype=torch.float64)
    values.select(dim, 0).fill_(1e4)
    cotangents, results = torch.randn_like(values), []
    for function, dtype in ((torch.logcumsumexp, torch.float64),
                            (torch.compile(torch.logcumsumexp, backend="gaudi"), torch.float32)):
        x = values.to(dtype, copy=True).requires_grad_()
        function(x, dim).backward(cotangents.to(dtype))
        results.append(x.grad.double())
    assert not gaudi_mlir.torch.fallback_stats()
    assert torch.allclose(results[1], results[0], rtol=1e-5, atol=1e-6)


def test_logarithms_of_many_large_terms():
    """Are rounded once each: 3000 roundings at their own size would be off by 100 of them."""
    x = torch.cat([torch.full((2, 3000), 1e4), torch.tensor([[-torch.inf, torch.inf]]).expand(2, 2)], 1)
    got = torch.compile(torch.logcumsumexp, backend="gaudi")(x, 1)
    assert torch.allclose(got, torch.logcumsumexp(x.double(), 1).float(), rtol=1e-7, atol=0)
    nothing = torch.full((2, 3002), -torch.inf)
    assert torch.equal(torch.compile(torch.logcumsumexp, backend="gaudi")(nothing, 1), nothing)


def test_random_numbers_of_another_type():
    x = torch.zeros(3, 5, dtype=torch.bfloat16)
    for function in (lambda x: torch.rand_like(x, dtype=torch.float32) + 1,
                     lambda x: torch.randn_like(x, dtype=torch.float32) * 2,
                     lambda x: torch.randint_like(x, 5, dtype=torch.int64) + 1,
                     lambda x: torch.rand_like(x) + x):
        torch.manual_seed(0)
        wanted = function(x)
        torch.manual_seed(0)
        got = torch.compile(function, backend="gaudi", options={"random": "host"})(x)
        assert got.dtype == wanted.dtype and torch.equal(got, wanted)


def test_largest_in_any_order():
    """They are sorted: torch-mlir takes gigabytes for those that need not be."""
    x = torch.randn(24, 8)
    values, places = torch.compile(lambda x: torch.topk(x, 3, sorted=False), backend="gaudi")(x)
    assert not gaudi_mlir.torch.fallback_stats()
    wanted = torch.topk(x, 3)
    assert torch.equal(values, wanted.values) and torch.equal(places, wanted.indices)


@pytest.mark.parametrize("function", [lambda x: torch.histogram(x, 4)[0], lambda x: torch.histc(x, 4),
                                      lambda x: torch.histogramdd(x.reshape(-1, 1), [4])[0]],
                         ids=["histogram", "histc", "histogramdd"])
def test_histograms_of_infinite_numbers_raise(function):
    compiled = torch.compile(function, backend="gaudi")
    for numbers in ([1.0, float("inf")], [float("nan"), 1.0]):
        with pytest.raises(RuntimeError, match="is not finite"):
            function(torch.tensor(numbers))
        with pytest.raises(RuntimeError, match="range of the numbers is not finite"):
            compiled(torch.tensor(numbers))
    x = torch.tensor([3.0, 1.0])
    assert torch.equal(compiled(x), function(x))
    assert not gaudi_mlir.torch.fallback_stats()


def test_factors_come_before_products():
    """A product of the operands alone would be infinite."""
    x, big = torch.zeros(1), torch.tensor([1e20])
    for function in (lambda x, a: torch.addcmul(x, a, a, value=1e-30),
                     lambda x, a: torch.addcmul(x, a, a * 1e-10, value=1e-20)):
        assert excess(torch.compile(function, backend="gaudi")(x, big), function(x, big)) <= 1


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("function", [torch.add, torch.sub, torch.mul, torch.div])
def test_numbers_of_narrow_types(function, dtype):
    """PyTorch's CPU rounds the number of a sum to the tensor's type, and not that of a product."""
    x = torch.randn(500).to(dtype)
    for number in (5.263, 257, -1e-3, 7e4):
        got = torch.compile(lambda x: function(x, number), backend="gaudi", dynamic=False)(x)
        assert torch.equal(got, function(x, number)), number
