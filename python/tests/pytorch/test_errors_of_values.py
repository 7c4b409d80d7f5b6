# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch raises of values, calls of compiled functions raise, too, and give its values of others."""
import pytest
import torch
from torch.nn import functional as F

import gaudi_mlir.torch
from gaudi_mlir.torch import checks, formulas
from gaudi_mlir.torch.sidebyside import excess

T, nan = torch.tensor, float("nan")
X = torch.randn(4, 3, generator=torch.Generator().manual_seed(1))
LINE = X[:, 0].contiguous()
MASK, ROWS = X > 0, T([True, False, True, False])
assert 2 < MASK.sum() < 9


def scattered(x, mask, source):
    return x.masked_scatter(mask, source)


def put(x, mask, values):
    return x.index_put([mask], values)


def put_behind(x, mask, values):
    return torch.ops.aten.index_put(x, [None, mask], values)


def sums(x, lengths):
    return torch.segment_reduce(x, "sum", lengths=lengths)


def bags(weight, indices, offsets):
    return F.embedding_bag(indices, weight, offsets)


def largest(x, index):
    return x.scatter_reduce(1, index, x, "amax")


def product(x, index):
    return x.index_reduce(1, index, x[:, :1], "prod")


# Function -> what it takes, what raises, and words of the error.
WRONG = {
    scattered: ([(X, MASK, torch.arange(9.0)), (X, MASK, X), (X, X > 9, torch.zeros(0))],
                [((X, MASK, torch.zeros(2)), "fewer elements than the mask"),
                 ((X, MASK, torch.zeros(0)), "fewer elements than the mask")]),
    put: ([(X, MASK, torch.arange(float(MASK.sum()))), (X, MASK, T([2.0])), (X, ROWS, X[:2]), (X, ROWS, X[0])],
          [((X, MASK, torch.zeros(2)), "selects another number of rows than the 2 of values"),
           ((X, ROWS, X[:3]), "than the 3 of values of shape")]),
    put_behind: ([(X.T, ROWS, X[:3, :2]), (X.T, ROWS, X[:3, :1]), (X.T, ROWS, X[0, :2])],
                 [((X.T, ROWS, X[0]), "than the 3 of values")]),
    sums: ([(LINE, T([1, 3]))], [((LINE, T([1, 4])), "the sum of lengths is not"),
                                 ((LINE, T([-1, 5])), "lengths must not be negative")]),
    bags: ([(X, T([0, 1, 2]), T([0, 3]))], [((X, T([0, 1, 2]), T([1, 2])), "the first of offsets must be 0"),
                                            ((X, T([0, 1, 2]), T([0, 4])), "the last of offsets is greater")]),
    largest: ([(X, T([[2], [0]]))], [((X, T([[3]])), "out of bounds")]),
    product: ([(X, T([2]))], [((X, T([3])), "out of bounds")]),
}


@pytest.fixture(autouse=True)
def nothing_on_the_cpu(monkeypatch):
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "none")
    torch._dynamo.reset()


@pytest.mark.parametrize("function", WRONG, ids=lambda each: each.__name__)
def test_values(function):
    right, wrong = WRONG[function]
    compiled = torch.compile(function, backend="gaudi", fullgraph=True, dynamic=False)
    for given in right:
        assert excess(compiled(*given), function(*given)) <= 1
    for given, words in wrong:
        with pytest.raises((RuntimeError, IndexError)):
            function(*given)
        with pytest.raises(RuntimeError, match=words):
            compiled(*given)
    assert excess(compiled(*right[0]), function(*right[0])) <= 1


@pytest.mark.parametrize("function, wrong, words", [
    (torch.bernoulli, T([0.5, 1.5]), "probabilities must be between 0 and 1"),
    (torch.bernoulli, T([nan]), "probabilities must be between 0 and 1"),
    (torch.poisson, T([2.0, -1.0]), "rates must not be negative"),
    (lambda x: torch.normal(x, -x), T([1.0]), "standard deviations must not be negative"),
    (lambda x: torch.multinomial(x, 1), T([1.0, -1.0]), "a weight is negative, infinite or NaN"),
    (lambda x: torch.multinomial(x, 1), T([1.0, nan]), "a weight is negative, infinite or NaN"),
    (lambda x: torch.multinomial(x, 1), T([[1.0, 2.0], [0.0, 0.0]]), "the sum of weights is 0"),
], ids=str)
def test_draws(function, wrong, words):
    compiled = torch.compile(function, backend="gaudi", fullgraph=True, dynamic=False)
    with pytest.raises(RuntimeError):
        function(wrong)
    with pytest.raises(RuntimeError, match=words):
        compiled(wrong)
    if "deviations" not in words:
        assert compiled(T([0.5, 0.25])).isfinite().all()


def test_dynamic_sizes():
    compiled = torch.compile(scattered, backend="gaudi", fullgraph=True, dynamic=True)
    for rows in (4, 5):
        x = torch.randn(rows, 3)
        source = torch.arange(float((x > 0).sum()) + 1)
        assert torch.equal(compiled(x, x > 0, source), scattered(x, x > 0, source))
        with pytest.raises(RuntimeError, match="fewer elements than the mask"):
            compiled(x, x < 9, source[:2])


STEPS = torch.randn(5, 2, 4, generator=torch.Generator().manual_seed(2)).log_softmax(2)
LABELS = T([[1, 2, 3], [3, 1, 1]])


@pytest.mark.parametrize("inputs, lengths, targets, words", [
    ([6, 5], [2, 3], LABELS, "input lengths must be between 0 and the 5 steps"),
    ([5, -1], [2, 3], LABELS, "input lengths must be between"),
    ([5, 5], [2, 4], LABELS, "a target length is greater"),
    ([5, 5], [-2, 3], LABELS, "target lengths must not be negative"),
    ([5, 5], [2, 3], LABELS.reshape(-1), "the sum of target lengths is not"),
    ([5, 5], [3, 4], LABELS.reshape(-1), "the sum of target lengths is not"),
])
@pytest.mark.parametrize("kind", ["default", "Tensor"])
def test_lengths_of_ctc(inputs, lengths, targets, words, kind):
    """By the formula: torch.compile breaks a graph at this op, so that PyTorch's own kernel raises."""
    op = getattr(torch.ops.aten._ctc_loss, kind)
    given = (inputs, lengths) if kind == "default" else (T(inputs), T(lengths))
    with pytest.raises(RuntimeError):
        op(STEPS, targets, *given)
    with pytest.raises(RuntimeError, match=words):
        formulas.TABLE[op](STEPS, targets, *given)


def test_gradients():
    """The check is in the forward graph."""
    for function, number in ((scattered, 9), (put, int(MASK.sum()))):
        compiled = torch.compile(function, backend="gaudi", fullgraph=True, dynamic=False)
        results = []
        for each in (function, compiled):
            x, values = X.clone().requires_grad_(), torch.arange(float(number)).requires_grad_()
            y = each(x, MASK, values)
            y.backward(X)
            results.append((y.detach(), x.grad, values.grad))
        for wanted, got in zip(*results):
            assert excess(got, wanted) <= 1
        with pytest.raises(RuntimeError, match="mask"):
            compiled(X.clone().requires_grad_(), MASK, torch.zeros(2, requires_grad=True))


def test_checks_of_numbers():
    checks.require(True, "right")
    with pytest.raises(RuntimeError, match="wrong"):
        checks.require(False, "wrong")


def test_exported_programs_do_not_raise():
    class Model(torch.nn.Module):
        def forward(self, x, mask, source):
            return x.masked_scatter(mask, source)

    recipe = gaudi_mlir.torch.export(Model(), (X, MASK, torch.arange(9.0))).recipe()
    got = recipe.run([X.numpy(), MASK.numpy(), torch.arange(9.0).numpy()])[0]
    assert torch.equal(T(got), X.masked_scatter(MASK, torch.arange(9.0)))


def test_index_beyond_a_table():
    model = torch.nn.Sequential(torch.nn.Embedding(100, 16), torch.nn.Linear(16, 4)).eval()
    with pytest.raises(gaudi_mlir.LaunchError, match=r"module '0': index 100 is out of bounds for dimension "
                       r"0 of a tensor of \[100, 16\] \(size 100\); give indices from 0 to 99$"):
        torch.compile(model, backend="gaudi")(torch.tensor([[1, 5, 100]]))
