# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random ops on the device: a rewrite of graphs in which each op that draws becomes ops on words of
Philox (philox.py), by a seed and an offset that are inputs of the graph.

Each op takes the blocks of words behind those of the op before, so that none depends on another.
Numbers are computed in float32 and rounded to the type of the result once.
"""
import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch._prims.rng_prims import run_and_save_rng_state, run_with_rng_state
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import _disable_current_modes

from . import checks, decompositions, draws, philox  # noqa: F401: it registers the op

aten, prims = torch.ops.aten, torch.ops.prims
f32 = torch.float32

_WORD = 0xFFFFFFFF
# Of uniform numbers, which are multiples of a power of 2 below 1, so that none is rounded to 1.
_DIGITS = {torch.float16: 11, torch.bfloat16: 8, torch.complex32: 11}

# Distributions without a closed form: how often a point is drawn at once, of which the first one
# that is accepted counts. That none is has a probability below 1e-10.
_TRIES = 16
# Those of small mean are found among this many probabilities: the rest is below 1e-12.
_TERMS = 48
_MOST_NUMBERS = 1 << 19  # of a result


class Draw:
    """What one op draws: its arguments by name, and the shape and type of its result."""

    def __init__(self, seed: Tensor, offset: Tensor, result: Tensor, arguments: dict) -> None:
        self.shape, self.dtype = list(result.shape), result.dtype
        self.blocks = 0  # that were taken
        self._state, self._arguments = (seed, offset), arguments

    def __getitem__(self, name: str):
        return self._arguments.get(name)

    def wide(self, name: str):
        """An argument, in float32 if it is a tensor."""
        value = self[name]
        return value.to(f32) if isinstance(value, Tensor) else value

    def words(self, size: list[int]) -> Tensor:
        """int32 of any value."""
        start = self.blocks
        self.blocks += -(-math.prod(size) // 4)
        return torch.ops.gaudi.philox_bits(*self._state, start, size)

    def uniform(self, size: list[int] | None = None, digits: int = 24) -> Tensor:
        """float32 in [0, 1)."""
        words = self.words(self.shape if size is None else size)
        return ((words >> (32 - digits)) & ((1 << digits) - 1)).to(f32) * 2.0 ** -digits

    def inner(self, size: list[int] | None = None) -> Tensor:
        """float32 in (0, 1)."""
        words = self.words(self.shape if size is None else size)
        return (((words >> 9) & 0x7FFFFF).to(f32) + 0.5) * 2.0 ** -23

    def exponential(self, size: list[int] | None = None) -> Tensor:
        return -self.inner(size).log()

    def normal(self, size: list[int] | None = None) -> Tensor:
        """By G. Box, M. Muller, "A note on the generation of random normal deviates", 1958."""
        radius = (self.exponential(size) * 2).sqrt()
        return radius * (self.uniform(size) * (2 * math.pi)).cos()

    def below(self, count: int) -> Tensor:
        """int64 in [0, count), as a number without a sign if count is above 2^63. Probabilities
        are equal up to a factor of 1 + 2^-16."""
        if count <= 1 << 16:
            return ((self.words(self.shape).to(torch.int64) & _WORD) * count) >> 32
        if count == 1 << 32:
            return self.words(self.shape).to(torch.int64) & _WORD
        is_power = count & (count - 1) == 0
        tries = 1 if is_power or count <= 1 << 47 else _TRIES
        low, high = self.words([2, tries, *self.shape]).to(torch.int64).unbind(0)
        number = (high << 32) | (low & _WORD)
        if count > 1 << 63:
            accepted = (number >= 0) | (number < count - (1 << 64))
        else:
            number = number & (2 ** 63 - 1)
            accepted = number <= 2 ** 63 // count * count - 1
            number = number & (count - 1) if is_power else number % count
        return number.squeeze(0) if tries == 1 else self.first(accepted, number)

    def parts(self, draw: Callable[[], Tensor]) -> Tensor:
        """Numbers, or complex ones of two each."""
        if not self.dtype.is_complex:
            return draw().to(self.dtype)
        real = self.dtype.to_real()
        return torch.complex(draw().to(real), draw().to(real))

    def between(self, low: float, high: float) -> Tensor:
        """Of the result's type, in [low, high)."""
        value = (low + self.uniform() * (high - low)).to(self.dtype)
        return torch.where(value >= high, low, value)

    def hits(self, p) -> Tensor:
        """Whether an event of probability p happened."""
        if isinstance(p, Tensor):
            return self.uniform() < p.to(f32)
        bound = round(p * 2.0 ** 32)
        words = self.words(self.shape)
        if 0 < bound <= _WORD:
            return words < bound - 2 ** 31
        return torch.full_like(words, bound > 0, dtype=torch.bool)

    def first(self, accepted: Tensor, values: Tensor) -> Tensor:
        """Of values of which the first dimension are tries."""
        place = accepted.to(torch.int32).argmax(0, keepdim=True)
        return values.gather(0, place).squeeze(0)

    def by_terms(self, probabilities: Tensor) -> Tensor:
        """The number of a term, of which the first dimension has the probabilities."""
        total = probabilities.cumsum(0)
        return (self.uniform() * total[-1] >= total).to(f32).sum(0)


# --- formulas ------------------------------------------------------------------------------------

_FORMULAS: dict[torch._ops.OpOverloadPacket, Callable[[Draw], Tensor | None]] = {}


def _of(*packets):
    """Registers what computes the result of ops; it gives None for calls that it does not take."""
    def register(function):
        _FORMULAS.update(dict.fromkeys(packets, function))
        return function
    return register


@_of(aten.rand, aten.rand_like)
def _rand(d: Draw):
    return d.parts(lambda: d.uniform(digits=_DIGITS.get(d.dtype, 24)))


@_of(aten.randn, aten.randn_like)
def _randn(d: Draw):
    scale = math.sqrt(0.5) if d.dtype.is_complex else 1
    return d.parts(lambda: d.normal() * scale)


@_of(aten.uniform)
def _uniform(d: Draw):
    if d["from"] > d["to"]:
        return None  # PyTorch refuses it
    return d.between(d["from"], d["to"])


@_of(prims.uniform)
def _uniform_of_prims(d: Draw):
    return d.between(d["low"], d["high"])


@_of(aten.normal, aten.normal_functional, prims.normal)
def _normal(d: Draw):
    if isinstance(d["std"], Tensor):
        checks.require(d["std"] >= 0, "normal: standard deviations must not be negative")
    return None if d.dtype.is_complex else d.normal() * d.wide("std") + d.wide("mean")


@_of(aten.log_normal)
def _log_normal(d: Draw):
    return (d.normal() * d["std"] + d["mean"]).exp()


@_of(aten.exponential)
def _exponential(d: Draw):
    return d.exponential() / d["lambd"]


@_of(aten.cauchy)
def _cauchy(d: Draw):
    return ((d.inner() - 0.5) * math.pi).tan() * d["sigma"] + d["median"]


@_of(aten.geometric)
def _geometric(d: Draw):
    return (d.exponential() / -math.log1p(-d["p"])).ceil()


@_of(aten.bernoulli)
def _bernoulli(d: Draw):
    if isinstance(d["p"], (int, float)) and not 0 <= d["p"] <= 1:
        return None  # PyTorch refuses it
    p = d["self"] if d["p"] is None else d["p"]
    if isinstance(p, Tensor):
        checks.require((p >= 0) & (p <= 1), "bernoulli: probabilities must be between 0 and 1")
    return d.hits(p)


@_of(aten.randint, aten.randint_like)
def _randint(d: Draw):
    low = d["low"] or 0
    return None if isinstance(d["high"], Tensor) else d.below(d["high"] - low) + low


@_of(aten.random)
def _random(d: Draw):
    low, high = d["from"] or 0, d["to"]
    if high is None and d.dtype.is_floating_point:
        high = 2 ** round(1 - math.log2(torch.finfo(d.dtype).eps)) + 1
    elif high is None:
        high = 2 if d.dtype is torch.bool else torch.iinfo(d.dtype).max + 1
    return d.below(high - low) + low


@_of(aten.randperm)
def _randperm(d: Draw):
    return d.below(1 << 63).argsort()


@_of(aten.multinomial)
def _multinomial(d: Draw):
    """Without replacement the categories whose exponential clocks, each of the rate of its weight,
    ring first (P. Efraimidis, P. Spirakis, "Weighted random sampling with a reservoir", 2006)."""
    weights = d.wide("self")
    checks.require((weights >= 0) & (weights < math.inf),
                   "multinomial: a weight is negative, infinite or NaN")
    checks.require(weights.amax(-1) > 0, "multinomial: the sum of weights is 0")
    weights = weights / weights.amax(-1, keepdim=True)
    if not d["replacement"]:
        clocks = weights / d.exponential(list(weights.shape))
        return clocks.topk(d["num_samples"], -1).indices
    total = weights.cumsum(-1)
    # A category without weight does not raise the sum, so that none is beyond it.
    return torch.searchsorted(total / total[..., -1:], d.uniform(), right=True)


@_of(aten.rrelu_with_noise_functional)
def _rrelu(d: Draw):
    x, noise = d["self"], d["noise"]
    if not d["training"]:
        return torch.nn.functional.leaky_relu(x, (d["lower"] + d["upper"]) / 2), noise.clone()
    noise = torch.where(x <= 0, d.between(d["lower"], d["upper"]), 1).to(x.dtype)
    return x * noise, noise


# --- by tries ------------------------------------------------------------------------------------

def _tail(k: Tensor) -> Tensor:
    """log k! - ((k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2)."""
    square = (k + 1) * (k + 1)
    return (1 / 12 - (1 / 360 - 1 / (1260 * square)) / square) / (k + 1)


def _log_share(k: Tensor, mean: Tensor) -> Tensor:
    """log(mean^k exp(k - mean) / k!), up to a constant and in steps that do not cancel."""
    return k * ((mean - k - 1) / (k + 1)).log1p() - (k + 1).log() / 2 - _tail(k)


@_of(aten.poisson)
def _poisson(d: Draw):
    """W. Hoermann, "The transformed rejection method for generating Poisson random variables",
    1993, above 10."""
    if math.prod(d.shape) > _MOST_NUMBERS:
        return None
    mean = d.wide("self")
    checks.require(mean >= 0, "poisson: rates must not be negative")
    term = torch.arange(_TERMS, dtype=f32).reshape(-1, *[1] * mean.dim())
    few = d.by_terms((torch.xlogy(term, mean) - mean - torch.lgamma(term + 1)).exp())
    large = mean.clamp(min=10)
    b = 0.931 + 2.53 * large.sqrt()
    a = -0.059 + 0.02483 * b
    size = [_TRIES, *d.shape]
    place, height = d.inner(size) - 0.5, d.inner(size)
    edge = 0.5 - place.abs()
    k = ((2 * a / edge + b) * place + large + 0.43).floor()
    low = k.clamp(min=0)
    bound = _log_share(low, large) + low + 1 - large - math.log(2 * math.pi) / 2
    accepted = ((height * (1.1239 + 1.1328 / (b - 3.4)) / (a / (edge * edge) + b)).log() <= bound)
    many = d.first(accepted & (k >= 0), k)
    return torch.where(mean < 10, few, many)


@_of(aten.binomial)
def _binomial(d: Draw):
    """W. Hoermann, "The generation of binomial random variates", 1993, of means above 10."""
    if math.prod(d.shape) > _MOST_NUMBERS:
        return None
    n, p = torch.broadcast_tensors(d.wide("count"), d.wide("prob"))
    is_likely = p > 0.5
    p = torch.where(is_likely, 1 - p, p)
    term = torch.arange(1, _TERMS, dtype=f32).reshape(-1, *[1] * n.dim())
    first = n * (-p).log1p()
    ratios = ((n - term + 1).clamp(min=0) / term).log() + (p / (1 - p)).log()
    few = d.by_terms(torch.cat([first[None], first + ratios.cumsum(0)]).exp())
    is_few = n * p < 10
    n, p = torch.where(is_few, 40.0, n), torch.where(is_few, 0.25, p)
    mean, rest = n * p, n * (1 - p)
    spread = (mean * (1 - p)).sqrt()
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    size = [_TRIES, *d.shape]
    place, height = d.inner(size) - 0.5, d.inner(size)
    edge = 0.5 - place.abs()
    k = ((2 * a / edge + b) * place + mean + 0.5).floor()
    inside, mode = k.clamp(min=0).minimum(n), ((n + 1) * p).floor()
    bound = _log_share(inside, mean) + _log_share(n - inside, rest) \
        - _log_share(mode, mean) - _log_share(n - mode, rest)
    height = (height * (2.83 + 5.1 / b) * spread / (a / (edge * edge) + b)).log()
    many = d.first((height <= bound) & (k == inside), k)
    found = torch.where(is_few, few, many)
    return torch.where(is_likely, d.wide("count") - found, found)


@_of(aten._standard_gamma)
def _gamma(d: Draw):
    """G. Marsaglia, W. Tsang, "A simple method for generating gamma variables", 2000."""
    if math.prod(d.shape) > _MOST_NUMBERS:
        return None
    shape = d.wide("self")
    large = torch.where(shape < 1, shape + 1, shape) - 1 / 3
    size = [_TRIES, *d.shape]
    x = d.normal(size)
    v = 1 + x / (9 * large).sqrt()
    cube = (v * v * v).clamp(min=1e-30)
    accepted = d.inner(size).log() < x * x / 2 + large * (1 - cube + cube.log())
    raised = torch.where(shape < 1, d.inner() ** (1 / shape), 1)
    return (large * d.first(accepted & (v > 0), cube) * raised).clamp(min=torch.finfo(f32).tiny)


@_of(aten._sample_dirichlet)
def _dirichlet(d: Draw):
    parts = _gamma(d)
    if parts is None:
        return None
    return (parts / parts.sum(-1, keepdim=True)).clamp(torch.finfo(f32).tiny, 1 - 2.0 ** -24)


# --- graphs --------------------------------------------------------------------------------------

# Activation checkpoints: an op draws, and keeps the state of the generator; another draws the same
# again. On the device the state is a tensor of seed and offset.
_KEEPS, _AGAIN = run_and_save_rng_state, run_with_rng_state


class _Call:
    """A node that draws. `formula` is None if it is not among the above."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.target, self.args = node.target, list(node.args)
        self.state = self.args.pop(0) if node.target is _AGAIN else None
        self.formula = None
        if node.target in (_KEEPS, _AGAIN):
            self.target = self.args.pop(0)
        if node.op != "call_function" or not isinstance(self.target, torch._ops.OpOverload) or \
                self.target.overloadpacket not in _FORMULAS or self.target._schema.is_mutable:
            return
        parameters = self.target._schema.arguments
        given = {each.name: each.default_value for each in parameters}
        self.arguments = {**given, **dict(zip(given, self.args)), **node.kwargs}
        self.operands = list(dict.fromkeys(each for each in node.all_input_nodes
                                           if each is not self.state))
        self.result = node.meta["val"][1] if node.target is _KEEPS else node.meta["val"]
        self.is_pair = isinstance(self.result, (list, tuple))
        if self.arguments.get("generator") is None and \
                not (self.is_pair and node.target in (_KEEPS, _AGAIN)):
            self.formula = _FORMULAS[self.target.overloadpacket]

    def trace(self, table) -> tuple[GraphModule, int] | None:
        """A graph of seed, offset and the operands, and the number of its blocks."""
        blocks = 0

        def drawn(seed, offset, *values):
            nonlocal blocks
            of = dict(zip(self.operands, values))
            draw = Draw(seed, offset, self.result[0] if self.is_pair else self.result,
                        torch.fx.node.map_arg(self.arguments, of.__getitem__))
            made = self.formula(draw)
            blocks = draw.blocks
            return made if self.is_pair or made is None else (made.to(draw.dtype),)

        with _disable_current_modes(), torch.no_grad(), FakeTensorMode():
            fakes = [torch.empty((), dtype=torch.int64) for _ in range(2)]
            fakes += [torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
                      for value in (each.meta["val"] for each in self.operands)]
            graph = make_fx(drawn, decomposition_table=table, tracing_mode="real")(*fakes)
        result = next(iter(graph.graph.find_nodes(op="output"))).args[0]
        return None if result is None else (graph, blocks)

    def key(self) -> str:
        """What the graph depends on."""
        def described(each: Node) -> str:
            value = each.meta["val"]
            return f"operand {self.operands.index(each)} {value.dtype} {list(value.shape)} " \
                f"{value.stride()}"
        results = self.result if self.is_pair else [self.result]
        return f"{self.target} {[(each.dtype, each.shape) for each in results]} " \
            f"{torch.fx.node.map_arg(self.arguments, described)}"

    def put_in(self, made: GraphModule, words: list[Node], start: int) -> None:
        """Replaces the node by its graph, whose words begin at block `start`."""
        node, graph = self.node, self.node.graph
        copies = dict(zip(made.graph.find_nodes(op="placeholder"), [*words, *self.operands]))
        results = []
        with graph.inserting_before(node):
            for each in made.graph.nodes:
                if each.op == "output":
                    results = [copies[result] for result in each.args[0]]
                elif each.op != "placeholder":
                    copy = copies[each] = graph.node_copy(each, copies.__getitem__)
                    if each.target is torch.ops.gaudi.philox_bits.default:
                        copy.update_arg(2, each.args[2] + start)
                    copy.stack_trace = node.stack_trace
                    if "place" in node.meta:
                        copy.meta["place"] = node.meta["place"]
            if node.target is _KEEPS:
                results.insert(0, _state_at(graph, words, start))
        for user in list(node.users) if len(results) > 1 else [node]:
            place = user.args[1] if len(results) > 1 else 0
            if node.target is not _KEEPS or place == 1:
                results[place].meta["val"] = user.meta["val"]  # with its order in memory
            user.replace_all_uses_with(results[place])
            graph.erase_node(user)
        if len(results) > 1:
            graph.erase_node(node)


def is_left(node: Node) -> bool:
    """Whether the node draws, and `rewrite` leaves it."""
    call = _Call(node)
    if call.formula is None:
        return draws.draws_numbers(node)
    return call.trace(decompositions.table()) is None


def rewrite(gm: GraphModule, is_left: Callable[[Node], bool] = lambda node: False) -> list[str]:
    """Replaces what draws, but not nodes that are left. The graph gets two inputs, behind its own, if there is something: seed
    and offset, scalars of int64. Returns their names."""
    graph, table = gm.graph, None
    made: dict[str, tuple[GraphModule, int] | None] = {}
    inputs: list[Node] = []
    start = 0
    for node in list(graph.nodes):
        call = _Call(node)
        if call.formula is None or is_left(node):
            continue
        if not node.users:
            graph.erase_node(node)
            continue
        table = table or decompositions.table()
        key = call.key()
        if key not in made:
            made[key] = call.trace(table)
        if made[key] is None:
            continue
        part, blocks = made[key]
        if call.state is not None:
            call.put_in(part, _words_of(graph, call), 0)
            continue
        inputs = inputs or _inputs(graph)
        call.put_in(part, inputs, start)
        start += blocks
    return [each.name for each in inputs]


def _fake(*shape: int) -> Tensor:
    with _disable_current_modes(), FakeTensorMode():
        return torch.empty(shape, dtype=torch.int64)


def _state_at(graph: torch.fx.Graph, words: list[Node], start: int) -> Node:
    """Seed and offset of block `start` as one tensor."""
    moved = graph.call_function(aten.add.Scalar, (words[1], start))
    moved.meta["val"] = _fake()
    state = graph.call_function(aten.stack.default, ([words[0], moved],))
    state.meta["val"] = _fake(2)
    return state


def _words_of(graph: torch.fx.Graph, call: _Call) -> list[Node]:
    """Seed and offset of the state that a call is given."""
    call.state.meta["val"] = _fake(2)
    with graph.inserting_before(call.node):
        words = [graph.call_function(aten.select.int, (call.state, 0, place)) for place in range(2)]
    for each in words:
        each.meta["val"] = _fake()
    return words


def _inputs(graph: torch.fx.Graph) -> list[Node]:
    last = next(iter(reversed(graph.find_nodes(op="placeholder"))), graph._root)
    with graph.inserting_after(last):
        offset = graph.placeholder("offset")
        seed = graph.placeholder("seed")
    for each in (seed, offset):
        each.meta["val"] = _fake()
    return [seed, offset]


def state() -> list[Tensor]:
    """Seed and offset of a call: the seed is drawn by PyTorch's generator of the CPU, so that
    torch.manual_seed makes a program reproducible and no two calls draw the same."""
    return [torch.empty((), dtype=torch.int64).random_(), torch.zeros((), dtype=torch.int64)]
