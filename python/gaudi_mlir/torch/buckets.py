# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes of graphs with dynamic sizes for ranges of sizes.

The compiler makes a program of dynamic sizes a recipe of fixed ones that computes the real elements
whatever their padding holds, or refuses (docs/padding.md). A graph that is refused has a recipe for
each combination of sizes, and says why.
"""
import bisect
import collections
import dataclasses
import logging
import re

import sympy
import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, free_unbacked_symbols

import gaudi_mlir

from . import (affine, cache, compiler, control_flow, draws, dynamic, errors, partition, report,
               segment, symbolic, writer)
from .launch import Launch, TensorSpec, order_of
from .tracing import LOCK, tracing

log = logging.getLogger("gaudi_mlir.torch.buckets")

aten = torch.ops.aten

# Of one graph; further sizes have recipes of their own.
MAX_BUCKETS = 20
# Combinations of sizes whose launch is prepared.
MAX_PREPARED = 1000
# A larger range of a size is none.
_NO_BOUND = 10 ** 7


class Refused(Exception):
    """Why a graph has no buckets."""


class Boundaries:
    """Up to which size a bucket for `size` goes: the next of `given`, and beyond these, or without
    any, twice the size."""

    def __init__(self, given=()) -> None:
        self.given = tuple(given)

    def of(self, size: int, most: int) -> int:
        place = bisect.bisect_left(self.given, size)
        return min(self.given[place] if place < len(self.given) else 2 * size, most)

    @staticmethod
    def parse(option) -> "Boundaries | None":
        """Of the option "buckets" of torch.compile: True, or ascending sizes."""
        if option in (None, False):
            return None
        if option is True:
            return Boundaries()
        sizes = [option] if isinstance(option, int) else option
        if not isinstance(sizes, (list, tuple)) or not sizes or \
                not all(isinstance(each, int) and each > 0 for each in sizes) or \
                sorted(set(sizes)) != list(sizes):
            raise ValueError(f"backend gaudi: option 'buckets' is {option!r}; expected True, or "
                             "ascending sizes ([64, 128, 256]), to which the sizes that vary are "
                             "padded")
        return Boundaries(sizes)


def _expression(size):
    return sympy.sympify(affine.expression(size))


@dataclasses.dataclass
class _Result:
    """What the caller gets: an input, a value that is no tensor, or a result of the launch."""
    argument: int | None = None
    value: object = None
    output: int | None = None


class Program:
    """A graph, traced once more for all sizes that PyTorch calls it with."""

    def __init__(self, gm: GraphModule) -> None:
        given = gm.graph.find_nodes(op="placeholder")
        values = [node.meta.get("val") for node in given]
        tensors = [each for each in values if isinstance(each, torch.Tensor)]
        fakes = [each.fake_mode for each in tensors if getattr(each, "fake_mode", None)]
        if not fakes or any(isinstance(each, (torch.SymFloat, torch.SymBool)) for each in values):
            raise Refused("a number that is no size is an input")
        self._env = fakes[0].shape_env
        self._find_symbols(values)
        decomposed: set = set()
        while True:
            try:
                self._trace(gm, values, decomposed)
                self._check()
                self._import()
                return
            except errors.LoweringError as error:
                again = {node.target for node in error.nodes if node.target not in decomposed and
                         node.target in torch._decomp.decomposition_table}
                if not again:
                    raise Refused(str(error).splitlines()[0]) from None
                decomposed |= again

    # --- sizes -----------------------------------------------------------------------------------

    def _find_symbols(self, values) -> None:
        """The symbols of sizes, where a call has each, and their ranges."""
        self.sources: dict[sympy.Symbol, tuple[int, int | None]] = {}
        wanted: set[sympy.Symbol] = set()
        for place, value in enumerate(values):
            if isinstance(value, torch.Tensor):
                sizes = [_expression(each) for each in value.shape]
                for dim, size in enumerate(sizes):
                    wanted |= size.free_symbols
                    if size.is_Symbol:
                        self.sources.setdefault(size, (place, dim))
            elif isinstance(value, torch.SymInt) and _expression(value).is_Symbol:
                self.sources.setdefault(_expression(value), (place, None))
        if any(free_unbacked_symbols(each) for each in wanted):
            raise Refused("a size depends on values")
        missing = wanted - set(self.sources)
        if missing:
            raise Refused(f"no input has the size {min(missing, key=str)} alone")
        self.sources = {each: place for each, place in self.sources.items() if each in wanted}
        self.ranges = {}
        for each in self.sources:
            bounds = self._env.var_to_range[each]
            most = int(bounds.upper) if bounds.upper.is_Integer else _NO_BOUND
            self.ranges[each] = max(int(bounds.lower), 1), most

    def sizes_of(self, args) -> tuple[int, ...]:
        return tuple(int(args[place]) if dim is None else args[place].shape[dim]
                     for place, dim in self.sources.values())

    # --- the graph -------------------------------------------------------------------------------

    def _trace(self, gm: GraphModule, values, decomposed: set) -> None:
        """In an environment of its own: what it asks of sizes is asked of the ranges, and is no
        guard of the caller's."""
        env = ShapeEnv()
        self.symbols: dict[sympy.Symbol, sympy.Symbol] = {}
        for number, (symbol, (low, high)) in enumerate(self.ranges.items()):
            source = ConstantSource(f"size_{number}")
            hint = int(self._env.backed_var_to_val[symbol])
            mine = env.create_symbol(hint, source, dynamic_dim=DimDynamic.DYNAMIC,
                                     do_not_specialize_zero_one=True)
            env.constrain_symbol_range(mine, low, high)
            self.symbols[symbol] = mine
        hints = dict(self._env.backed_var_to_val)

        def size(given):
            expr = _expression(given)
            if expr.is_Integer:
                return int(expr)
            hint = int(expr.xreplace(hints))
            return env.create_symintnode(expr.xreplace(self.symbols), hint=hint)

        def fake(value):
            if isinstance(value, torch.Tensor):
                return torch.empty_strided([size(each) for each in value.shape],
                                           [size(each) for each in value.stride()],
                                           dtype=value.dtype, device=value.device)
            return size(value) if isinstance(value, torch.SymInt) else value

        core = torch._decomp.decomposition_table
        table = {**symbolic.table(), **{op: core[op] for op in decomposed}}
        mode = FakeTensorMode(shape_env=env, allow_non_fake_inputs=True)
        with torch.no_grad(), mode, tracing():
            self.gm = make_fx(gm, decomposition_table=table, tracing_mode="real",
                              pre_dispatch=False)(*map(fake, values))
        back = {mine: symbol for symbol, mine in self.symbols.items()}
        for guard in env.guards:
            if self._env._maybe_evaluate_static(guard.expr.xreplace(back)) is not sympy.true:
                raise Refused(f"it is another graph where not {guard.expr.xreplace(back)}")
        for node in self.gm.graph.find_nodes(op="placeholder"):
            node.meta.setdefault("val", None)

    def _check(self) -> None:
        """What a launch can do alone; writes to inputs are left to the caller."""
        graph = self.gm.graph
        compiler.clean(graph)
        control_flow.inline(self.gm)
        self._prepare(graph)
        given = {node: place for place, node in enumerate(graph.find_nodes(op="placeholder"))}
        end = next(iter(graph.find_nodes(op="output")))
        returned = list(end.args[0])
        self.writes: list[tuple[int, int]] = []  # inputs, and numbers of outputs
        outputs: dict[Node, int] = {}
        for node in list(graph.nodes):
            if node.target is aten.copy_.default and node.args[0] in given and \
                    all(user is end for user in node.users):
                target, value = node.args[:2]
                if value.meta["val"].shape != target.meta["val"].shape:
                    raise Refused("an input is written with what is broadcast")
                self.writes.append((given[target], outputs.setdefault(value, len(outputs))))
                returned = [target if each is node else each for each in returned]
                end.args = (tuple(returned),)
                graph.erase_node(node)
        self.results = []
        for each in returned:
            value = each.meta.get("val") if isinstance(each, Node) else each
            if each in given:
                self.results.append(_Result(argument=given[each]))
            elif isinstance(value, torch.Tensor):
                self.results.append(_Result(output=outputs.setdefault(each, len(outputs))))
            else:
                self.results.append(_Result(value=_expression(value) if isinstance(
                    value, torch.SymInt) else value))
        if any(each in given for each in outputs):
            raise Refused("an input is written to another one")
        with graph.inserting_before(end):
            self.orders = [_in_memory(graph, node) for node in outputs]
        end.args = (tuple(node for node, _ in self.orders),)
        graph.eliminate_dead_code()
        self.inputs = [(place, node) for node, place in given.items()
                       if isinstance(node.meta["val"], torch.Tensor)]
        for node in graph.nodes:
            if reason := self._why_outside(node):
                raise Refused(f"{reason}: {node.target}")
        for _, node in self.inputs:
            self._check_tensor(node, "an input")
        for node, _ in self.orders:
            self._check_tensor(node, "a result")
        self.count = sum(map(partition.is_op, graph.nodes))

    def _prepare(self, graph: torch.fx.Graph) -> None:
        """Rewrites what the device takes otherwise."""

    def _why_outside(self, node: Node) -> str | None:
        if not partition.is_op(node) or writer._is_of_sizes(node):
            return None
        if node.target in draws.RANDOM or node.target in draws.WHOLE or draws.draws_numbers(node):
            return "random numbers are drawn by the element, and padding would have some"
        reason = partition.host_reason(node)
        return control_flow.why_left(node) if reason is None else reason or "it is for the host"

    def _check_tensor(self, node: Node, what: str) -> None:
        """What is between may be of any device: of the host are numbers that follow from sizes."""
        value = node.meta["val"]
        if value.dtype is torch.float64 or value.dtype.is_complex:
            raise Refused(f"{what} is of {value.dtype}")
        if not self._is_on_device(value, what == "an input"):
            raise Refused(f"{what} is on {value.device}")

    def _is_on_device(self, value: torch.Tensor, is_input: bool) -> bool:
        return value.device.type == "cpu"

    # --- text ------------------------------------------------------------------------------------

    def _written(self, most: dict[sympy.Symbol, tuple[int, int]]) -> tuple:
        names = list(self.symbols.values())

        def entry(size, told: set) -> str:
            expr = _expression(size)
            if expr.is_Integer:
                return ""
            if expr.is_Symbol and expr not in told:
                told.add(expr)
                low, high = most[expr]
                return f"{expr}={low}..{high}"
            try:
                text = affine.text(size, names)
            except ValueError as error:
                raise Refused(str(error)) from None
            return re.sub(r"\bs(\d+)\b", lambda found: str(names[int(found[1])]), text)

        told: set = set()
        dims = [[entry(size, told) for size in node.meta["val"].shape] for _, node in self.inputs]
        return writer.write(self.gm.graph, [node.name for _, node in self.inputs],
                            [f"out{number}" for number, _ in enumerate(self.orders)],
                            [each if any(each) else None for each in dims])

    def _import(self) -> None:
        """Raises LoweringError if the front end does not take it."""
        bounds = {self.symbols[each]: (low, max(low, 64)) for each, (low, _) in self.ranges.items()}
        lowered, places = self._written(bounds)
        try:
            gaudi_mlir.check_import(lowered.text, resources=lowered.resources)
        except gaudi_mlir.CompileError as error:
            nodes = errors.nodes_of(error, places)
            raise errors.LoweringError(errors.reason_of(error), nodes) from None

    def compile(self, device: str, most: tuple[int, ...], fixed: tuple[bool, ...]):
        """A recipe for all sizes up to `most`, those that are fixed apart. Raises CompileError."""
        bounds = {mine: (high if is_fixed else low, high) for mine, (low, _), high, is_fixed in
                  zip(self.symbols.values(), self.ranges.values(), most, fixed)}
        lowered, _ = self._written(bounds)
        names = ",".join(map(str, self.symbols.values()))
        return cache.recipe_of(lowered, device,
                               buckets=f"{names}={'x'.join(map(str, most))}"), lowered.text


def _in_memory(graph: torch.fx.Graph, node: Node) -> tuple[Node, list[int]]:
    """A result with its dimensions as its memory has them, and their order."""
    value = node.meta["val"]
    order = order_of([each.node.hint if isinstance(each, torch.SymInt) else each
                      for each in value.stride()])
    if order == list(range(len(order))):
        return node, order
    permuted = graph.call_function(aten.permute.default, (node, order))
    permuted.meta = {"val": value.permute(order)}
    return permuted, order


class Bucket:
    """A recipe for sizes up to `most`."""

    def __init__(self, program: Program, device: str, most: tuple[int, ...],
                 fixed: tuple[bool, ...], static: set[str], record: report.Graph) -> None:
        self.most, self.fixed = most, fixed
        self._program = program
        found, text = program.compile(device, most, fixed)
        self._recipe = found.recipe
        self._values = dict(zip(program.symbols.values(), most))
        self.count = [0]
        self._make_launch(static, record)
        self._compiled = segment.Compiled(found, 0.0, 0.0, text, [])
        record.add(self._compiled, self, program.count)

    def bound(self) -> dict[int, int] | None:
        """As launch.Launch has it; None of a card's tensors."""
        return self._launch.bound() if isinstance(self._launch, Launch) else None

    def _make_launch(self, static: set[str], record: report.Graph) -> None:
        specs = [TensorSpec(node.name, self._largest(node), (), node.meta["val"].dtype,
                            node.name in static) for _, node in self._program.inputs]
        self._launch = _Launch(self._recipe, specs, [])
        self.count = self._launch.count

    def _largest(self, node: Node) -> tuple[int, ...]:
        return self._shape(node.meta["val"].shape, self._values)

    @staticmethod
    def _shape(sizes, values) -> tuple[int, ...]:
        return tuple(int(_expression(each).xreplace(
            {name: sympy.Integer(value) for name, value in values.items()})) for each in sizes)

    def takes(self, sizes: tuple[int, ...]) -> bool:
        return all(size == most if is_fixed else size <= most
                   for size, most, is_fixed in zip(sizes, self.most, self.fixed))

    def prepared(self, sizes: tuple[int, ...]):
        """The launch for such sizes, as a function of the graph's inputs."""
        program = self._program
        values = dict(zip(program.symbols.values(), sizes))
        known = {symbol: sympy.Integer(size) for symbol, size in values.items()}
        results = [dataclasses.replace(each, value=int(each.value.xreplace(known)))
                   if isinstance(each.value, sympy.Expr) else each for each in program.results]
        launch = self._launch_at(values, sizes)

        def run(args) -> list:
            made = launch(args)
            for place, output in program.writes:
                args[place].copy_(made[output])
            return [args[each.argument] if each.argument is not None else
                    each.value if each.output is None else made[each.output] for each in results]
        return run

    def _launch_at(self, values: dict[sympy.Symbol, int], sizes: tuple[int, ...]):
        """A function of the graph's inputs that gives what the graph computes: the executable pads
        and cuts."""
        places = [place for place, _ in self._program.inputs]
        results = [(self._shape(node.meta["val"].shape, values), node.meta["val"].dtype,
                    order != sorted(order) and [order.index(dim) for dim in range(len(order))])
                   for node, order in self._program.orders]

        def launch(args) -> list[torch.Tensor]:
            made = [torch.empty(shape, dtype=dtype) for shape, dtype, _ in results]
            self._launch.fill([args[place] for place in places], made)
            return [value.permute(back) if back else value
                    for value, (_, _, back) in zip(made, results)]
        return launch


class _Launch(Launch):
    """A recipe of dynamic sizes: what it writes is given."""

    def fill(self, args, outputs: list[torch.Tensor]) -> None:
        current = self._current
        where = [args[index].data_ptr() for index in self._static]
        if where != current.where:
            current = self._load(args, where)
        self.count[0] += 1
        if current.executable is None:  # PT_COMPILE_ONLY_MODE
            return
        inputs: list = [None] * len(self.inputs)
        for index in current.copied:
            inputs[index] = args[index].resolve_neg()
        current.executable.run(inputs, outputs)


class Buckets:
    """A graph of dynamic sizes as a function of a list of its inputs. The sizes of the first call
    have a recipe of their own; those that differ from them later are ranges of buckets."""

    program_type: type[Program] = Program
    bucket_type: type[Bucket] = Bucket

    def __init__(self, gm: GraphModule, target, static: set[str], record: report.Graph,
                 boundaries: Boundaries = Boundaries()) -> None:
        self._gm, self._target, self._record = gm, target, record
        self._static, self._boundaries = static, boundaries
        self._exact = dynamic.Specialiser(gm, target, static, record)
        self._program: Program | None = None
        self._reason: str | None = None
        self._first: list | None = None
        self._reference: tuple[int, ...] = ()
        self._buckets: list[Bucket] = []
        self._prepared: collections.OrderedDict = collections.OrderedDict()
        self._combinations = 0

    def __call__(self, args):
        key = dynamic.signature(args)
        run = self._prepared.get(key)
        if run is None:
            with LOCK:
                run = self._prepared.get(key) or self._prepare(key, args)
        with torch.no_grad():
            return run(args)

    def _prepare(self, key: tuple, args):
        run = self._choose(args)
        self._prepared[key] = run
        self._combinations += 1
        if len(self._prepared) > MAX_PREPARED:
            self._prepared.popitem(last=False)
        self._record.dynamic = self._text()
        return run

    def _choose(self, args):
        if self._reason is not None:
            return self._exact
        if self._first is None:
            self._first = [tuple(each.shape) if isinstance(each, torch.Tensor) else each
                           for each in args]
            return self._exact
        try:
            if self._program is None:
                self._program = self.program_type(self._gm)
                self._reference = tuple(
                    self._first[place] if dim is None else self._first[place][dim]
                    for place, dim in self._program.sources.values())
            return self._of_bucket(self._program.sizes_of(args))
        except Refused as error:
            self._reason = str(error)
        except gaudi_mlir.CompileError as error:
            self._reason = errors.reason_of(error)
        log.info("%s: a recipe for each combination of sizes: %s", self._record.name, self._reason)
        return self._exact

    def _of_bucket(self, sizes: tuple[int, ...]):
        if sizes == self._reference:
            return self._exact
        fitting = [each for each in self._buckets if each.takes(sizes)]
        if fitting:
            return min(fitting, key=lambda each: sum(each.most)).prepared(sizes)
        if len(self._buckets) >= MAX_BUCKETS:
            return self._exact
        program = self._program
        # A size that is that of the first call, and of all buckets, is fixed.
        fixed = tuple(size == first and all(each.fixed[place] for each in self._buckets)
                      for place, (size, first) in enumerate(zip(sizes, self._reference)))
        most = tuple(size if is_fixed or size == 1 else self._boundaries.of(size, high)
                     for size, is_fixed, (_, high) in zip(sizes, fixed, program.ranges.values()))
        bounds = [size if is_fixed else f"{low}..{size}" for size, is_fixed, (low, _) in
                  zip(most, fixed, program.ranges.values())]
        names = [str(each) for each in program.sources]
        record = self._record.variant(dict(zip(names, bounds)))
        bucket = self.bucket_type(program, self._target.device, most, fixed, self._static, record)
        self._buckets.append(bucket)
        return bucket.prepared(sizes)

    def _text(self) -> str:
        calls = f"{self._combinations} combination{'s' * (self._combinations != 1)} of sizes"
        if self._reason is not None:
            return f"{calls}, each with its own recipe: {self._reason}"
        if not self._buckets:
            return f"{calls}"
        return f"{calls}; {len(self._buckets)} of at most {MAX_BUCKETS} buckets"
