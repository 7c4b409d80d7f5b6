# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs with dynamic sizes on hpu: recipes by bucket or by size, with the numbers of the CPU."""
import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import gaudi_mlir.torch
import habana_frameworks.torch as ht

LENGTHS = [61, 16, 84, 17, 100, 4, 23, 44, 101, 12, 95, 42, 103, 92, 106, 30, 60, 18, 32, 109,
           99, 81, 47, 73, 72, 57, 37, 29, 74, 52]


class Language(nn.Module):
    """A small transformer over tokens."""

    def __init__(self, tokens=50, width=32):
        super().__init__()
        self.embedding = nn.Embedding(tokens, width)
        self.positions = nn.Embedding(128, width)
        self.layer = nn.TransformerEncoderLayer(width, 4, 64, batch_first=True, dropout=0.0)
        self.head = nn.Linear(width, tokens)

    def forward(self, x):
        length = x.shape[1]
        x = self.embedding(x) + self.positions(torch.arange(length, device=x.device))
        mask = torch.full((length, length), float("-inf"), device=x.device).triu(1)
        return self.head(self.layer(x, src_mask=mask))


@pytest.fixture(autouse=True)
def switched():
    gaudi_mlir.torch.reset()
    ht.hpu.enable_dynamic_shape()
    yield
    ht.hpu.disable_dynamic_shape()
    gaudi_mlir.torch.reset()


def graphs():
    return gaudi_mlir.torch.explain().graphs


@pytest.mark.slow
@pytest.mark.parametrize("dynamic", [True, None])
def test_lengths_of_a_transformer(dynamic):
    torch.manual_seed(1)
    model = Language().eval()
    compiled = torch.compile(copy.deepcopy(model).to("hpu"), backend="hpu_backend",
                             dynamic=dynamic)
    with torch.no_grad():
        for length in LENGTHS:
            x = torch.randint(0, 50, (2, length))
            expected, result = model(x), compiled(x.to("hpu"))
            assert result.stride() == expected.stride()
            torch.testing.assert_close(result.cpu(), expected, atol=1e-5, rtol=1e-5)
    # One, or the static one of the first call and one more.
    assert len(graphs()) == (1 if dynamic else 2)
    graph = graphs()[-1]
    assert graph.compiled <= 4  # recipes
    assert "of at most 20 buckets" in graph.dynamic
    assert graph.dynamic in str(gaudi_mlir.torch.explain())


@pytest.mark.slow
def test_training():
    torch.manual_seed(1)
    model = Language()
    mine = copy.deepcopy(model).to("hpu")
    compiled = torch.compile(mine, backend="hpu_backend", dynamic=True)
    for length in LENGTHS[:8]:
        x = torch.randint(0, 50, (2, length))
        model.zero_grad()
        mine.zero_grad()
        F.cross_entropy(model(x).flatten(0, 1), x.flatten()).backward()
        on_card = x.to("hpu")
        F.cross_entropy(compiled(on_card).flatten(0, 1), on_card.flatten()).backward()
        for one, other in zip(model.parameters(), mine.parameters()):
            torch.testing.assert_close(other.grad.cpu(), one.grad, atol=1e-5, rtol=1e-4)
    assert [graph.kind for graph in graphs()] == ["forward", "backward"]
    assert all("buckets" in graph.dynamic and graph.compiled <= 3 for graph in graphs())


FUNCTIONS = {
    "sums": lambda x: (x.sum(1), x.mean(0), x.amax((0, 1)), x.var(1), x.cumsum(1), x.prod(1)),
    "softmax": lambda x: (x.softmax(1), x.log_softmax(0), x.logsumexp((0, 1))),
    "ordered": lambda x: (x.sort(1)[0], x.argmax(1), x.topk(2, 1)[0], x.flip(0)),
    "joined": lambda x: (torch.cat([x, x * 2], 1), x.flatten(0, 1), x.mT @ x, x[:, 1:]),
    "permuted": lambda x: (x.permute(2, 0, 1) + 1).permute(1, 2, 0),
    "sizes as numbers": lambda x: (x * x.shape[1] / x.shape[0], x.shape[1] + 1, x),
    "made": lambda x: torch.ones(x.shape[1], device=x.device).cumsum(0) + x.sum(2),
    "pooled": lambda x: (F.max_pool1d(x.mT, 2), F.avg_pool1d(x.mT, 3, 1, 1)),
    "convolved": lambda x: F.conv1d(x.mT, torch.ones(4, 8, 3, device=x.device), padding=1),
    "normalized": lambda x: (F.layer_norm(x, [8]), F.instance_norm(x.mT)),
    "masked": lambda x: torch.where(x > 0, x, x.mean()).masked_fill(x > 1, float("-inf")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    """Equal, in buckets or with a recipe for each combination of sizes."""
    function = FUNCTIONS[name]
    compiled = torch.compile(function, backend="hpu_backend", dynamic=True)
    for batch, length in [(3, 7), (3, 12), (6, 17), (2, 5), (5, 14), (3, 7)]:
        x = torch.randn(batch, length, 8)
        expected = torch.utils._pytree.tree_leaves(function(x))
        results = torch.utils._pytree.tree_leaves(compiled(x.to("hpu")))
        assert len(results) == len(expected)
        for mine, other in zip(results, expected):
            if isinstance(other, torch.Tensor):
                torch.testing.assert_close(mine.cpu(), other, atol=1e-5, rtol=1e-4)
            else:
                assert mine == other
    assert all(graph.dynamic for graph in graphs())


@pytest.mark.slow
def test_inputs_that_are_written():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4))
    mine = copy.deepcopy(model).to("hpu")
    compiled = torch.compile(mine, backend="hpu_backend", dynamic=True)
    for batch in (5, 9, 14, 6):
        x = torch.randn(batch, 8)
        torch.testing.assert_close(compiled(x.to("hpu")).cpu(), model(x), atol=1e-5, rtol=1e-4)
    for one, other in zip(model.buffers(), mine.buffers()):
        torch.testing.assert_close(other.cpu(), one, atol=1e-5, rtol=1e-4)


def test_views_of_the_caller():
    compiled = torch.compile(lambda x: x.softmax(0), backend="hpu_backend", dynamic=True)
    for length in (5, 9, 7):
        x = torch.randn(4, length, 6)
        for view in (x[1:, :, ::2], x.permute(1, 2, 0), x[..., :1].expand(4, length, 3)):
            torch.testing.assert_close(compiled(view.to("hpu")).cpu(), view.softmax(0))


def test_why_there_are_no_buckets():
    def drawn(x):
        return F.dropout(x, 0.5) * 0 + x

    compiled = torch.compile(drawn, backend="hpu_backend", dynamic=True)
    for length in (5, 9, 7):
        compiled(torch.randn(length, device="hpu"))
    graph, = graphs()
    assert graph.compiled == 3
    assert "3 combinations of sizes, each with its own recipe: random numbers are drawn" in \
        graph.dynamic


def test_without_the_switch():
    ht.hpu.disable_dynamic_shape()
    compiled = torch.compile(lambda x: x.sum(0), backend="hpu_backend", dynamic=True)
    for length in (5, 9, 7):
        assert compiled(torch.ones(length, device="hpu")).item() == length
    graph, = graphs()
    assert graph.compiled == 3 and not graph.dynamic


@pytest.mark.slow
def test_number_of_buckets():
    compiled = torch.compile(lambda x: x.softmax(0), backend="hpu_backend", dynamic=True)
    for length in range(2, 200):
        x = torch.randn(length)
        torch.testing.assert_close(compiled(x.to("hpu")).cpu(), x.softmax(0))
    graph, = graphs()
    assert graph.compiled <= 9  # each bucket is twice as large as what the last one did not take
