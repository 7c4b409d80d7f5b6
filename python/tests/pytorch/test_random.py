# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers that the device draws: their bits, distributions and seeds."""
import math

import pytest
import torch
import torch.nn.functional as F
from torch.fx._lazy_graph_module import _LazyGraphModule
from torch.utils.checkpoint import checkpoint

import gaudi_mlir.torch
from gaudi_mlir.importer import pt2
from gaudi_mlir.torch import distributions, partition
from gaudi_mlir.torch.sidebyside import excess

COUNT = 4000


def compiled(function, **options):
    return torch.compile(function, backend="gaudi", options=options or None)


def on_device():
    """Whether all that was compiled ran on the device."""
    return not gaudi_mlir.torch.fallback_stats() and any(
        graph.draws_on == ["device"] for each in gaudi_mlir.torch.explain().graphs
        for graph in (each, *each.variants))


def distance(numbers, cdf):
    """Of Kolmogorov and Smirnov, times the root of the count: above 2.4 at a chance of 2e-5."""
    x = numbers.double().flatten().sort().values
    steps = torch.arange(len(x) + 1) / len(x)
    exact = cdf(x)
    away = torch.maximum((exact - steps[:-1]).abs(), (steps[1:] - exact).abs())
    return away.max().item() * math.sqrt(len(x))


def fits(numbers, probabilities):
    """Whether whole numbers from 0 on have these probabilities, by chi-squared."""
    counts = torch.bincount(numbers.long().flatten(), minlength=len(probabilities)).double()
    assert len(counts) == len(probabilities)
    wanted = torch.as_tensor(probabilities, dtype=torch.float64) * numbers.numel()
    common = wanted >= 5
    assert counts[wanted == 0].sum() == 0
    statistic = ((counts - wanted) ** 2 / wanted)[common].sum().item()
    freedom = int(common.sum())
    return statistic < freedom + 5 * math.sqrt(2 * freedom) + 10


def normal_cdf(x):
    return (1 + torch.erf(x / math.sqrt(2))) / 2


def pmf_of(distribution, size):
    return distribution.log_prob(torch.arange(size).double()).exp()


@pytest.mark.parametrize("seed, offset, start, size", [
    (2 ** 40 + 17, 5, 0, (10,)), (-3, -2, 7, (3, 5)), (9, 0, 1, ()), (1, 2, 3, (0, 4)),
    (2 ** 62, 2 ** 63 - 1, 2, (33,))])
def test_bits_are_those_of_the_cpu(seed, offset, start, size):
    def function(seed, offset):
        return torch.ops.gaudi.philox_bits(seed, offset, start, list(size))
    words = torch.tensor(seed), torch.tensor(offset)
    actual = compiled(function)(*words)
    assert not gaudi_mlir.torch.fallback_stats()
    assert torch.equal(actual, function(*words)) and actual.shape == size


def test_bits_are_refused():
    word = torch.tensor(1)
    with pytest.raises(ValueError, match="seed and offset must be scalars of int64"):
        torch.ops.gaudi.philox_bits(word, torch.tensor(1.0), 0, [4])
    with pytest.raises(ValueError, match="start must not be negative, but is -1"):
        torch.ops.gaudi.philox_bits(word, word, -1, [4])


def test_continuous_distributions():
    def function(x):
        return (torch.rand(COUNT), torch.rand_like(x), torch.randn(COUNT), torch.randn_like(x),
                torch.empty(COUNT).uniform_(-3, 5), torch.normal(2.0, 3.0, (COUNT,)),
                torch.normal(x, 2.0), torch.empty(COUNT).normal_(1, 0.5),
                torch.empty(COUNT).exponential_(2.5), torch.empty(COUNT).cauchy_(1, 2),
                torch.empty(COUNT).log_normal_(0.5, 0.25), torch._standard_gamma(x + 1))

    cdfs = [lambda x: x, lambda x: x, normal_cdf, normal_cdf,
            lambda x: (x + 3) / 8, lambda x: normal_cdf((x - 2) / 3),
            lambda x: normal_cdf(x / 2), lambda x: normal_cdf((x - 1) / 0.5),
            lambda x: 1 - (-2.5 * x).exp(), lambda x: 0.5 + torch.atan((x - 1) / 2) / math.pi,
            lambda x: normal_cdf((x.log() - 0.5) / 0.25), lambda x: 1 - (-x).exp()]
    results = compiled(function)(torch.zeros(COUNT))
    assert on_device()
    for index, (numbers, cdf) in enumerate(zip(results, cdfs, strict=True)):
        assert distance(numbers, cdf) < 2.4, index
    # No two nodes draw the same.
    everything = torch.stack([cdf(each.double()) for each, cdf in zip(results, cdfs)])
    correlations = torch.corrcoef(everything) - torch.eye(len(cdfs))
    assert correlations.abs().max() < 5 / math.sqrt(COUNT)


def test_discrete_distributions():
    def function(p):
        return (torch.bernoulli(p), torch.empty(COUNT).bernoulli_(0.3),
                torch.empty(COUNT, dtype=torch.int32).bernoulli_(p), torch.randint(7, (COUNT,)),
                torch.randint(-2, 9, (COUNT,), dtype=torch.int32) + 2,
                torch.randint_like(p, 2, 5) - 2, torch.empty(COUNT).geometric_(0.4) - 1,
                torch.poisson(p * 10), torch.poisson(p + 30), torch.binomial(p * 0 + 12, p),
                torch.binomial(p * 0 + 200, p), torch.empty(COUNT, dtype=torch.bool).random_(),
                torch.randint(0, 3 << 40, (COUNT,)) // (1 << 40))

    p = torch.full((COUNT,), 0.75)
    results = compiled(function)(p)
    assert on_device()
    pmfs = [[0.25, 0.75], [0.7, 0.3], [0.25, 0.75], [1 / 7] * 7, [1 / 11] * 11, [1 / 3] * 3,
            pmf_of(torch.distributions.Geometric(torch.tensor(0.4).double()), 100),
            pmf_of(torch.distributions.Poisson(torch.tensor(7.5).double()), 48),
            pmf_of(torch.distributions.Poisson(torch.tensor(30.75).double()), 120),
            pmf_of(torch.distributions.Binomial(12, torch.tensor(0.75).double()), 13),
            pmf_of(torch.distributions.Binomial(200, torch.tensor(0.75).double()), 201),
            [0.5, 0.5], [1 / 3] * 3]
    for index, (numbers, pmf) in enumerate(zip(results, pmfs, strict=True)):
        assert fits(numbers, pmf), index


def test_seeds():
    function = compiled(lambda x: (F.dropout(x), F.dropout(x), torch.rand(64)))
    x = torch.ones(64, 64)
    torch.manual_seed(5)
    first, second = function(x), function(x)
    torch.manual_seed(5)
    again = function(x)
    assert on_device()
    assert all(torch.equal(a, b) for a, b in zip(first, again))
    assert not any(torch.equal(a, b) for a, b in zip(first, second))
    assert not torch.equal(first[0], first[1])
    # Masks of two calls, and of two nodes, agree as often as they differ.
    for a, b in ((first[0], second[0]), (first[0], first[1])):
        assert abs(((a == 0) == (b == 0)).double().mean() - 0.5) < 5 * 0.5 / 64


def test_numbers_without_a_choice():
    def function(x, none):
        return (torch.bernoulli(x), x.bernoulli(0.0), x.bernoulli(1.0), F.dropout(x, 0.0),
                F.dropout(x, 1.0), torch.randint(4, 5, (3,)), torch.rand(0, 3),
                torch.randperm(0), torch.randperm(1), F.dropout(none), torch.randn_like(none),
                torch.empty(5).uniform_(2, 2), torch.poisson(x * 0))

    x = torch.tensor([0.0, 1.0, 1.0, 0.0])
    wanted = [x, x * 0, x * 0 + 1, x, x * 0, torch.full((3,), 4), torch.empty(0, 3),
              torch.empty(0).long(), torch.zeros(1).long(), torch.empty(2, 0), torch.empty(2, 0),
              torch.full((5,), 2.0), x * 0]
    for actual, expected in zip(compiled(function)(x, torch.empty(2, 0)), wanted, strict=True):
        assert actual.dtype == expected.dtype and torch.equal(actual, expected)
    assert not gaudi_mlir.torch.fallback_stats()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_narrow_floats_are_below_their_bound(dtype):
    def function(x):
        return (torch.rand(1 << 16, dtype=dtype), x.clone().uniform_(0, 1),
                x.clone().uniform_(-1, 3), torch.rand_like(x), torch.randn_like(x),
                x.clone().exponential_())

    x = torch.zeros(1 << 16, dtype=dtype)
    ones = compiled(function)(x)
    assert on_device()
    for numbers, low, high in zip(ones[:4], (0, 0, -1, 0), (1, 1, 3, 1)):
        assert numbers.dtype == dtype and low <= numbers.min() and numbers.max() < high
        assert abs(numbers.double().mean() - (low + high) / 2) < 0.02
    assert ones[4].dtype == dtype and abs(ones[4].double().std() - 1) < 0.02
    assert ones[5].dtype == dtype and ones[5].min() > 0 and abs(ones[5].double().mean() - 1) < 0.02


def test_types_and_shapes_are_those_of_pytorch():
    def function(x, whole):
        return (torch.rand(()), torch.randn(2, 3, dtype=torch.float16), torch.randint(9, ()),
                torch.rand_like(x), torch.randn_like(x, dtype=torch.bfloat16),
                torch.randint_like(x, 5, dtype=torch.uint8),
                torch.randint(2, (4,), dtype=torch.bool), torch.randperm(6, dtype=torch.int32),
                torch.randperm(5, dtype=torch.float32),
                whole.random_(), whole.random_(10), whole.bernoulli(0.5),
                torch.empty(3, dtype=torch.int8).random_(), torch.empty(3).random_(),
                torch.multinomial(x.abs(), 2), torch.multinomial(x[0].abs(), 9, True),
                F.dropout(x), F.feature_alpha_dropout(x), F.alpha_dropout(x), F.dropout1d(x))

    x, whole = torch.randn(4, 3).t(), torch.zeros(2, 2, dtype=torch.int64)
    results, wanted = compiled(function)(x, whole.clone()), function(x, whole.clone())
    assert on_device()
    for index, (actual, expected) in enumerate(zip(results, wanted, strict=True)):
        assert (actual.dtype, actual.shape, actual.stride()) == \
            (expected.dtype, expected.shape, expected.stride()), index


def test_whole_numbers_of_all_sizes():
    ends = [(-2 ** 63, 2 ** 63 - 1), (-2 ** 62, 2 ** 63 - 1), (0, 2 ** 63 - 1), (5, 5 + 2 ** 50),
            (-3, 2 ** 16 - 3), (-3, 2 ** 16 - 2)]

    def function():
        return [torch.randint(low, high, (COUNT,)) for low, high in ends]

    for numbers, (low, high) in zip(compiled(function)(), ends):
        assert low <= numbers.min() and numbers.max() < high
        assert distance((numbers.double() - low) / (high - low), lambda x: x) < 2.4
    assert on_device()


def test_permutations():
    function = compiled(lambda: (torch.randperm(500), torch.stack([torch.randperm(3) for _ in
                                                                   range(40)])))
    large, small = function()
    assert torch.equal(large.sort().values, torch.arange(500))
    assert abs(torch.corrcoef(torch.stack([large, torch.arange(500)]).double())[0, 1]) < 0.25
    orders = (small * torch.tensor([9, 3, 1])).sum(1)
    for _ in range(14):
        orders = torch.cat([orders, (function()[1] * torch.tensor([9, 3, 1])).sum(1)])
    assert fits(orders.unique(return_inverse=True)[1], [1 / 6] * 6)
    assert on_device()


def test_categories():
    weights = torch.tensor([0.0, 1.0, 3.0, 0.0, 4.0, 0.0])
    rows = torch.stack([weights, weights.flip(0), weights * 1e30])

    def function(weights, rows):
        many = weights.expand(COUNT, 6)
        return (torch.multinomial(weights, COUNT, replacement=True), torch.multinomial(many, 1),
                torch.multinomial(many, 3), torch.multinomial(rows, 2 * COUNT, replacement=True),
                torch.multinomial(weights.bfloat16(), COUNT, replacement=True))

    drawn, once, thrice, of_rows, of_narrow = compiled(function)(weights, rows)
    assert on_device()
    shares = weights / weights.sum()
    assert fits(drawn, shares) and fits(once, shares) and fits(of_narrow, shares)
    assert fits(of_rows[0], shares) and fits(5 - of_rows[1], shares) and fits(of_rows[2], shares)
    assert torch.equal(thrice.sort(1).values, torch.tensor([1, 2, 4]).expand(COUNT, 3))
    assert fits(thrice[:, 0], shares)
    # The second of those that begin by the heaviest.
    assert fits(thrice[thrice[:, 0] == 4, 1], [0, 0.25, 0.75])


MASKED = {
    "dropout": (lambda x: F.dropout(x, 0.3), lambda x, y: (y / x).detach()),
    "rrelu": (lambda x: F.rrelu(x, training=True), lambda x, y: (y / x).detach()),
    "noise": (lambda x: x * torch.rand_like(x) + torch.randn_like(x).detach() * 0,
              lambda x, y: (y / x).detach()),
}


@pytest.mark.parametrize("name", MASKED)
def test_gradients_use_the_numbers_of_the_forward_graph(name):
    function, slope = MASKED[name]
    x = torch.randn(32, 32, requires_grad=True)
    y = compiled(function)(x)
    y.sum().backward()
    assert excess(x.grad, slope(x, y)) <= 1
    assert on_device()


@pytest.mark.parametrize("dynamic", [False, True])
def test_checkpoints_draw_the_same_again(dynamic):
    def layer(x):
        return F.dropout(torch.rand_like(x) + F.dropout(x, 0.5), 0.5).sin()
    function = torch.compile(lambda x: checkpoint(layer, x, use_reentrant=False), backend="gaudi",
                             dynamic=dynamic)
    x = torch.randn(32, 8, requires_grad=True)
    y = function(x)
    y.sum().backward()
    # The sum behind the masks is the arc sine of y, as far as that is a function.
    inner = x.grad[(y == 0).detach()]
    assert torch.equal(inner, torch.zeros_like(inner)) and 0.3 < len(inner) / y.numel() < 0.7
    slopes = x.grad[(x.grad != 0)].abs()
    wanted = 4 * torch.sqrt(1 - y.detach() ** 2)[x.grad != 0]
    assert excess(slopes, wanted) <= 1 and 0.1 < len(slopes) / y.numel() < 0.4
    assert on_device()


def test_attention_with_dropout():
    q = torch.randn(1, 2, 8, 4, requires_grad=True)
    v = torch.eye(8).expand(1, 2, 8, 8).clone().requires_grad_()
    weights = compiled(lambda q, v: F.scaled_dot_product_attention(q, q, v, dropout_p=0.5))(q, v)
    exact = (q @ q.transpose(-2, -1) / 2).softmax(-1)
    kept = weights != 0
    assert on_device() and 0.3 < kept.double().mean() < 0.7
    assert excess(weights, exact * kept * 2) <= 1
    weights.sum().backward()
    assert excess(v.grad, weights.detach().transpose(-2, -1).sum(-1, keepdim=True)
                  .expand(1, 2, 8, 8)) <= 1


def test_same_numbers_as_pytorch():
    def function(x):
        return (F.dropout(x, 0.3), torch.rand(3), F.gumbel_softmax(x),
                torch.multinomial(x.exp(), 2), torch.bernoulli(x.sigmoid()),
                x.clone().exponential_())
    host, x = compiled(function, random="host"), torch.randn(4, 5)
    torch.manual_seed(2)
    actual = host(x)
    torch.manual_seed(2)
    for mine, other in zip(actual, function(x), strict=True):
        assert excess(mine, other) <= 1
    assert "fx_graph_000: random numbers are drawn on the host" in str(gaudi_mlir.torch.explain())


def test_where_is_said():
    with pytest.raises(Exception, match="option 'random' is 'card'; expected 'device' or 'host'"):
        compiled(lambda x: x + 1, random="card")(torch.ones(2))
    compiled(lambda x: torch.linalg.inv(x) + 1)(torch.eye(2))  # which may hold a higher-order op
    assert "random numbers" not in str(gaudi_mlir.torch.explain())
    compiled(lambda x: x + torch.rand(2))(torch.ones(2))
    assert "fx_graph_001: random numbers are drawn on the device" in \
        str(gaudi_mlir.torch.explain())


def test_dynamic_sizes():
    function = torch.compile(lambda x: F.dropout(x), backend="gaudi", dynamic=True)
    for size in (30, 50):
        y = function(torch.ones(size, 40))
        assert y.shape == (size, 40) and abs(y.mean() - 1) < 0.15
    assert on_device()


class Noisy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor([2.0]))

    def forward(self, features):
        return features + self.scale * torch.rand_like(features)


@pytest.mark.parametrize("convert", ["export", "import"])
def test_programs_have_seed_and_offset_as_inputs(convert):
    x = torch.zeros(3, 50)
    if convert == "export":
        exported = gaudi_mlir.torch.export(Noisy(), (x,))
        assert exported.inputs == ["features", "seed", "offset"]
        recipe = exported.recipe()
    else:
        recipe = pt2.of_program(torch.export.export(Noisy(), (x,)), {}).compile()

    def run(seed, offset):
        result, = recipe.run({"features": x, "seed": torch.tensor(seed),
                              "offset": torch.tensor(offset)})
        return torch.as_tensor(result)
    first = run(7, 0)
    assert 0 <= first.min() and first.max() < 2 and abs(first.mean() - 1) < 0.3
    assert torch.equal(first, run(7, 0))
    assert not torch.equal(first, run(8, 0))
    # Blocks of four numbers.
    assert torch.equal(first.flatten()[4:], run(7, 1).flatten()[:-4])


def test_what_is_left_to_the_host():
    ops = torch.ops.aten
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    x.meta["val"] = torch.empty(1 << 20)
    nodes = [graph.call_function(ops.poisson.default, (x,)),
             graph.call_function(ops.rand_like.generator, (x,),
                                 {"generator": torch.Generator()}),
             graph.call_function(ops.randint_like.Tensor, (x, x)),
             graph.call_function(ops.rand_like.default, (x,))]
    for node in nodes:
        node.meta["val"] = torch.empty(1 << 20)
    unread = graph.call_function(ops.randn_like.default, (x,))
    unread.meta["val"] = torch.empty(1 << 20)
    graph.output(tuple(nodes))
    gm = _LazyGraphModule({}, graph)  # a generator has no code
    assert distributions.rewrite(gm) == ["seed", "offset"]
    left = [node.target for node in gm.graph.nodes if partition.is_op(node)]
    assert ops.poisson.default in left and ops.rand_like.generator in left
    assert ops.randint_like.Tensor in left
    assert ops.rand_like.default not in left and ops.randn_like.default not in left


@pytest.mark.parametrize("draw, words", [
    (lambda x: x.bernoulli(1.5), "p in \\[0, 1\\]|to be in"),
    (lambda x: torch.empty_like(x).uniform_(3, 1), "from"),
])
def test_what_pytorch_refuses(draw, words):
    with pytest.raises(RuntimeError, match=words):
        torch.compile(draw, backend="gaudi")(torch.ones(4))
