# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results whose sizes depend on values: bounded on the device, and cut by the caller."""
import pytest
import torch
from torch.nn import functional

import gaudi_mlir.torch
from gaudi_mlir.torch import bounded, decompositions
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._pytree import tree_leaves

nan = float("nan")
X = torch.randn(5, 6, generator=torch.Generator().manual_seed(1))
MASK, ROWS = X > 0.3, torch.tensor([True, False, True, True, False])
NUMBERS = torch.tensor([[3, 0, 2, 2], [3, 0, 2, 2], [0, 3, 3, 0]])
WEIGHT = torch.arange(12, dtype=torch.float32).reshape(6, 2)


@pytest.fixture(autouse=True)
def whole_graphs(monkeypatch):
    """Without graph breaks at such ops, and nothing on the CPU."""
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "none")
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True,
                                    capture_scalar_outputs=True):
        yield


def assert_same(actual, expected):
    actual, expected = tree_leaves(actual), tree_leaves(expected)
    assert len(actual) == len(expected)
    for mine, other in zip(actual, expected):
        if isinstance(other, torch.Tensor):
            assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
            torch.testing.assert_close(mine, other, equal_nan=True)
        else:
            assert mine == other


def agree(function, *inputs):
    compiled = torch.compile(function, backend="gaudi", fullgraph=True)
    for given in inputs if isinstance(inputs[0], tuple) else (inputs,):
        assert_same(compiled(*given), function(*given))


def recipes() -> int:
    return sum(len(each.segments) for graph in gaudi_mlir.torch.explain().graphs
               for each in (graph, *graph.variants))


def changed(x, mask):
    y = x.clone()
    y[mask] = y[mask] * 2
    return y


def all_of_unique(x, **options):
    return torch.unique(x, return_inverse=True, return_counts=True, **options)


FUNCTIONS = {
    "nonzero": (torch.nonzero, MASK),
    "nonzero of a number": (torch.nonzero, torch.tensor(2.0)),
    "nonzero of nothing": (torch.nonzero, X[:0]),
    "nonzero in parts": (lambda x: torch.nonzero(x > 0, as_tuple=True), X),
    "where": (lambda x: torch.where(x < 0), X),
    "argwhere": (torch.argwhere, NUMBERS),
    "masked_select": (torch.masked_select, X, MASK),
    "masked_select that repeats": (torch.masked_select, X[:, :1], MASK),
    "mask": (lambda x, m: (x[m], x.bfloat16()[m], m[m]), X, MASK),
    "mask of all": (lambda x, m: x[m], X, torch.ones_like(MASK)),
    "mask of none": (lambda x, m: (x[m], x[m].sum(), x[m].mean()), X, torch.zeros_like(MASK)),
    "mask of rows": (lambda x, m: x[m], X, ROWS),
    "mask of columns": (lambda x, m: x.t()[:, m], X, ROWS),
    "mask with an index": (lambda x, m, i: x[m, i], X, ROWS, torch.tensor([5])),
    "two masks of one size": (lambda x, m: x[m] * 2 + x.exp()[m], X, MASK),
    "assignment": (changed, X, MASK),
    "assignment of a number": (lambda x, m: x.index_put((m,), x[0, 0]), X, MASK),
    "assignment with an index": (lambda x, m, i: x.index_put((m, i), x[0, :3]), X, ROWS,
                                 torch.tensor([5, 0, 2])),
    "unique": (torch.unique, NUMBERS),
    "unique with NaN": (all_of_unique, torch.tensor([3.0, nan, 1, -0.0, 0.0, nan, 3])),
    "unique of bool": (all_of_unique, MASK),
    "unique of bf16": (all_of_unique, X.round().bfloat16()),
    "unique of nothing": (all_of_unique, X[:, :0]),
    "unique of a number": (all_of_unique, torch.tensor(7)),
    "unique rows": (lambda x: all_of_unique(x, dim=0), NUMBERS),
    "unique columns": (lambda x: all_of_unique(x, dim=1), NUMBERS),
    "unique matrices": (lambda x: all_of_unique(x, dim=0), NUMBERS.reshape(3, 2, 2) - 1),
    "consecutive": (lambda x: torch.unique_consecutive(x, True, True), NUMBERS),
    "consecutive rows": (lambda x: torch.unique_consecutive(x, True, True, dim=0), NUMBERS),
    "bincount": (lambda x: torch.bincount(x.reshape(-1)), NUMBERS),
    "bincount of nothing": (lambda x: torch.bincount(x, minlength=2), NUMBERS[0, :0]),
    "bincount of weights": (lambda x, w: torch.bincount(x, w, minlength=6), NUMBERS[0], X[0, :4]),
    "repeat_interleave": (lambda x, n: torch.repeat_interleave(x, n, dim=1), X[:, :4], NUMBERS[0]),
    "repeat_interleave to a size": (
        lambda x, n: torch.repeat_interleave(x, n, dim=1, output_size=7), X[:, :4], NUMBERS[0]),
    "sums": (lambda x, m: (x[m].sum(0), x[m].mean(1), x.bfloat16()[m].mean(), m[m].sum()), X, ROWS),
    "loss": (lambda x, m, y: functional.cross_entropy(x[m], y[m]), X, ROWS, torch.arange(5)),
    "lookup": (lambda x: functional.embedding(torch.unique(x), WEIGHT), NUMBERS),
    "rows": (lambda x, m: (x[m] @ WEIGHT, x[m].softmax(1).t(), x[m][:, 1:3, None]), X, ROWS),
    "size": (lambda x, m: x * x[m].shape[0], X, MASK),
    "number": (lambda x, n: x * n.sum().item(), X, NUMBERS),
    "number of float64": (lambda x, m, f: (x * f)[m].sort().values * f, X, MASK,
                          torch.tensor(2.5, dtype=torch.float64)),
    "histogram": (lambda x: torch.histogram(x, 4), X),
    "histogram of weights": (
        lambda x: torch.histogram(x, WEIGHT[:, 0], weight=x.abs(), density=True), X),
    "histogram of points": (lambda x: torch.histogramdd(x, [2, 3], range=[-1.0, 1, -2, 1]),
                            X.reshape(-1, 2)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name):
    function, *inputs = FUNCTIONS[name]
    agree(function, *inputs)


@pytest.mark.parametrize("function", [
    lambda x, m: x[m], lambda x, m: torch.where(m), lambda x, m: (x[m] - x[m].mean()).relu(),
    changed,
], ids=["mask", "where", "mean", "assignment"])
def test_one_recipe_for_all_counts(function):
    gaudi_mlir.torch.reset()
    agree(function, *((X, X > limit) for limit in (-9, 0, 0.5, 9)))
    assert recipes() == 1


def test_results_are_views_of_the_bound():
    compiled = torch.compile(lambda x, m: x[m], backend="gaudi")
    result = compiled(X, X > -2)
    assert result.is_contiguous()
    assert result.untyped_storage().nbytes() == X.untyped_storage().nbytes()
    # A small part is copied, so that the rest is free.
    result = compiled(X, X == X.max())
    assert result.untyped_storage().nbytes() == 4


def test_gradients():
    def loss(x, m, select):
        return (select(x * 2, m) ** 2).sum()

    for mask in (MASK, ~MASK, torch.zeros_like(MASK)):
        for select in (torch.masked_select, lambda x, m: x[m], changed):
            gradients = []
            for function in (loss, torch.compile(loss, backend="gaudi", fullgraph=True)):
                x = X.clone().requires_grad_()
                function(x, mask, select).backward()
                gradients.append(x.grad)
            assert_same(*gradients)


def products(x, m):
    rows = m[:, 0]
    return (x[rows] @ (x[rows].t() @ x[rows])).tanh().sum()


def cross_entropy(x, m):
    return functional.cross_entropy(x[m[:, 0]], torch.arange(5)[m[:, 0]])


@pytest.mark.parametrize("loss", [
    lambda x, m: (x[m] ** 2).mean(), lambda x, m: (x.t()[:, m[:, 0]] * 2).sum(),
    products, cross_entropy, lambda x, m: changed(x, m).exp().mean(),
], ids=["mean", "sum", "products", "cross entropy", "assignment"])
def test_one_recipe_for_all_gradients(loss):
    gaudi_mlir.torch.reset()
    compiled = torch.compile(loss, backend="gaudi", fullgraph=True)
    for limit in (-9, 0, 0.5):
        gradients = []
        for function in (loss, compiled):
            x = X[:, :5].clone().requires_grad_()
            function(x, X[:, :5] > limit).backward()
            gradients.append(x.grad)
        assert_same(*gradients)
    assert recipes() == 2


def test_sizes_that_vary():
    compiled = torch.compile(lambda x: x[x > 0].sum(), backend="gaudi", dynamic=True)
    for size in (3, 7, 40):
        x = torch.randn(size)
        assert_same(compiled(x), x[x > 0].sum())


def test_negative_counts():
    compiled = torch.compile(torch.bincount, backend="gaudi")
    with pytest.raises(RuntimeError, match="non-negative"):
        compiled(torch.tensor([1, -2]))
    compiled = torch.compile(lambda x, n: x.repeat_interleave(n), backend="gaudi")
    with pytest.raises(RuntimeError, match="repeats can not be negative"):
        compiled(torch.ones(2), torch.tensor([1, -1]))


def test_float64_is_for_the_cpu(monkeypatch):
    with pytest.raises(Exception, match="aten::bincount .*PT_HPU_PLACE_ON_CPU"):
        agree(lambda n, w: torch.bincount(n, w), NUMBERS[0], NUMBERS[1])
    monkeypatch.delenv("PT_HPU_PLACE_ON_CPU")
    gaudi_mlir.torch.reset()
    agree(lambda n, w: torch.bincount(n, w).float() + 1, NUMBERS[0], NUMBERS[1])
    assert "depends on values" in gaudi_mlir.torch.explain().fallback_reasons["aten::bincount"]
    assert gaudi_mlir.torch.fallback_stats()["aten::bincount"] == 1


def test_without_decompositions(monkeypatch):
    monkeypatch.setenv("PT_HPU_COMPILE_DECOMPOSITION_MODE", "none")
    monkeypatch.delenv("PT_HPU_PLACE_ON_CPU")
    gaudi_mlir.torch.reset()
    agree(lambda x: torch.nonzero(x).float() * 2, X)
    assert "depends on values" in gaudi_mlir.torch.explain().fallback_reasons["aten::nonzero"]


def test_graph_breaks_are_reported():
    gaudi_mlir.torch.reset()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=False):
        assert_same(torch.compile(lambda x: torch.nonzero(x + 1) + 1, backend="gaudi")(X),
                    torch.nonzero(X + 1) + 1)
    assert "nonzero" in str(gaudi_mlir.torch.explain().graph_breaks)


class Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x, mask):
        return self.function(x, mask)


def test_export():
    model = Model(lambda x, m: x[m].mean())
    exported = gaudi_mlir.torch.export(model, (X, MASK))
    for mask in (MASK, ~MASK):
        result, = exported.recipe().run([X.numpy(), mask.numpy()])
        assert_same(torch.as_tensor(result), X[mask].mean())
    with pytest.raises(gaudi_mlir.CompileError, match="a size depends on values.*test_sizes.py"):
        gaudi_mlir.torch.export(Model(lambda x, m: x[m] + 1), (X, MASK))


@pytest.mark.parametrize("function", [
    lambda ids: functional.embedding(ids[ids >= 0], WEIGHT),
    lambda ids: WEIGHT.index_select(0, ids[ids >= 0]),
    lambda ids: WEIGHT[ids[ids >= 0]].sum(0),
    lambda ids: X[ids >= 0].log_softmax(1).gather(1, ids[ids >= 0].unsqueeze(1)),
], ids=["embedding", "index_select", "index", "gather"])
def test_indices_that_a_mask_leaves_out(function):
    ids = torch.tensor([-100, 2, 0, -1, 5])
    agree(function, ids)
    agree(function, torch.full_like(ids, -1))


def test_random_numbers_beside_cuts_are_not_merged():
    def function(x):
        return x[x > 0] * 2, torch.randn_like(x) * 1, torch.randn_like(x) * 1
    _, first, second = torch.compile(function, backend="gaudi", fullgraph=True)(X)
    assert not torch.equal(first, second)


def test_equal_results_stay_apart():
    def function(x, mask):
        return x[mask], x + 1, (x + 1).view(-1), x + 1, (x + 2) * 2, (x + 2) * 3
    graph = make_fx(function, decomposition_table=decompositions.table())(X, MASK)
    bounded.move_cuts(graph)
    results = next(iter(graph.graph.find_nodes(op="output"))).args[0]
    view = torch.ops.aten.view.default
    sources = [each.args[0] if each.target is view else each for each in results[1:4]]
    assert len(set(sources)) == 3
    assert results[4].args[0] is results[5].args[0]  # no result: computed once
    _, *got = torch.compile(function, backend="gaudi", fullgraph=True)(X, MASK)
    got[0].zero_()
    assert torch.equal(got[1], (X + 1).view(-1)) and torch.equal(got[2], X + 1)


def test_results_have_memory_of_their_own():
    first, second = torch.compile(lambda x: (x[x > 0.3], x[x > 0.3]), backend="gaudi",
                                  fullgraph=True)(X)
    first.add_(100)
    assert torch.equal(second, X[MASK])
