# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python numbers as operands of a recipe: a learning rate, a scale or the counter of a loop that
changes from call to call takes no recipe of its own.

Floats are tensors of float64 already when torch.compile has seen them change, and PyTorch computes
with them as such where it knows how. `table` brings numbers to the ops where it does. Integers that
only meet tensors in arithmetic are made tensors here; what is a size, a dimension or a position
stays a constant of the recipe.
"""
import dataclasses
import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

from . import writer

aten = torch.ops.aten

# PyTorch rounds a number to the type of a narrow tensor for sums, not for products and quotients.
_WIDE = frozenset((aten.mul.Tensor, aten.div.Tensor))
ARITHMETIC = _WIDE | {aten.add.Tensor, aten.sub.Tensor}
_NARROW = (torch.bfloat16, torch.float16)
_CHANGING = (torch.SymInt, torch.SymFloat)


# --- to arithmetic -------------------------------------------------------------------------------


def _tensor_of(number, dtype: torch.dtype) -> torch.Tensor:
    """A changing number as a scalar tensor, by an op that computes with it."""
    return aten.mul.Tensor(torch.ones((), dtype=dtype), number)


def _common(numbers, *tensors: torch.Tensor) -> torch.dtype:
    """The type in which PyTorch computes with numbers and tensors."""
    wrapped = 1.0 if any(isinstance(each, (float, torch.SymFloat)) for each in numbers) else 1
    dtype = functools.reduce(torch.promote_types, (each.dtype for each in tensors))
    return torch.result_type(torch.empty(1, dtype=dtype, device="meta"), wrapped)


def _lifted(target: torch._ops.OpOverload, *args, **kwargs):
    """An op with tensors for its changing numbers, by the overload that takes such."""
    parameters = writer._parameters(target)
    given = [args[place] if place < len(args) else kwargs.get(each.name, each.default)
             for place, each in enumerate(parameters)]
    numbers = [place for place, each in enumerate(parameters) if (each.is_scalar or each.is_tensor)
               and isinstance(given[place], (bool, int, float, *_CHANGING))]
    changing = [place for place in numbers if isinstance(given[place], _CHANGING)]
    if not changing:
        return NotImplemented
    if target is aten.pow.Tensor_Scalar and isinstance(given[1], torch.SymInt) and \
            not given[0].dtype.is_floating_point:
        return NotImplemented  # integers have no negative powers
    scalars = [place for place, each in enumerate(parameters) if each.is_scalar]
    for places in ([place for place in scalars if place in changing], scalars):
        other = writer._called(target, tuple(places))
        if other is not target or not places:
            break
    else:
        return NotImplemented
    tensors = [each for each in given if isinstance(each, torch.Tensor)]
    typed = [each for each in tensors if each.dtype is not torch.bool] or tensors
    dtype = _common([given[place] for place in numbers], *typed)
    for place in {*places, *changing}.intersection(numbers):
        given[place] = _tensor_of(given[place], dtype) if place in changing else \
            torch.full((), given[place], dtype=dtype)
    keywords = {each.name: value for value, each in zip(given, writer._parameters(other))
                if each.is_keyword}
    return other(*given[:len(given) - len(keywords)], **keywords)


def _direct(target: torch._ops.OpOverload, x, number, *rest):
    """An op of arithmetic, by the overload for which a number is a tensor."""
    return target(x, number) if isinstance(number, _CHANGING) and not rest else NotImplemented


def _wide(function: Callable, x: torch.Tensor, *tensors: torch.Tensor) -> torch.Tensor:
    """A function that PyTorch computes in float32 for narrow floats."""
    result = functools.reduce(torch.promote_types, (each.dtype for each in tensors), x.dtype)
    if result not in _NARROW:
        return function(x, *tensors)
    return function(*(each.to(torch.float32) for each in (x, *tensors))).to(result)


def _scaled(operation: Callable, name: str, x, *tensors, **factor):
    """x + factor * f(tensors)."""
    number = factor.get(name, 1)
    if name == "alpha" and isinstance(tensors[0], torch.SymFloat) and \
            (isinstance(number, _CHANGING) or number != 1):
        return operation(x, number, *tensors)  # PyTorch's own pass would lose the factor
    if not isinstance(number, _CHANGING) or not all(isinstance(each, torch.Tensor)
                                                    for each in (x, *tensors)):
        return NotImplemented
    if isinstance(number, torch.SymFloat) and not any(each.dtype.is_floating_point
                                                      for each in (x, *tensors)):
        return NotImplemented  # PyTorch refuses it
    return _wide(lambda x, *tensors: operation(x, number, *tensors), x, *tensors)


def _reverse(x, other, alpha=1):
    """other - alpha * x"""
    if isinstance(other, torch.Tensor):
        return aten.sub.Tensor(other, x, alpha=alpha)  # as PyTorch has it in graphs
    if not isinstance(other, _CHANGING):
        return NotImplemented
    if isinstance(other, torch.SymFloat) and not x.dtype.is_floating_point:
        x = x.to(torch.get_default_dtype())  # before an integer wraps
    negative = aten.neg.default(x) if isinstance(alpha, int) and alpha == 1 else \
        aten.mul.Tensor(x, -alpha)
    return aten.add.Tensor(negative, other)


def _full(size, number, *, dtype=None, **options):
    if not isinstance(number, _CHANGING) or dtype is torch.bool:
        return NotImplemented
    if isinstance(number, torch.SymFloat) and dtype is not None and not dtype.is_floating_point:
        return NotImplemented  # float32 does not have all integers
    if dtype is None:
        dtype = torch.get_default_dtype() if isinstance(number, torch.SymFloat) else torch.int64
    ones = torch.ones(size, dtype=dtype, device=options.get("device"))
    return aten.mul.Tensor(ones, number).to(dtype)


def _full_like(x, number, *, dtype=None, **options):
    return _full(x.shape, number, dtype=dtype or x.dtype)


def _new_full(x, size, number, *, dtype=None, **options):
    return _full(size, number, dtype=dtype or x.dtype)


def _scalar_tensor(number, *, dtype=None, **options):
    return _full((), number, dtype=dtype) if isinstance(number, torch.SymFloat) else NotImplemented


@functools.cache
def table() -> dict[torch._ops.OpOverload, Callable]:
    """Decompositions of ops whose numbers change; of others they leave everything as it is."""
    result = {}
    for name in writer.known():
        namespace, base, *kind = name.split(".")
        packet = getattr(getattr(torch.ops, namespace), base, None)
        target = getattr(packet, kind[0] if kind else "default", None)
        if isinstance(target, torch._ops.OpOverload) and \
                (any(each.is_scalar for each in writer._parameters(target)) or
                 target in (aten.floor_divide.default, aten.div.Tensor_mode)):
            result[target] = functools.partial(_lifted, target)

    def scaled(targets, name, operation):
        result.update(dict.fromkeys(targets, functools.partial(_scaled, operation, name)))

    scaled([aten.add.Tensor], "alpha", lambda x, s, y: x + y * s)
    scaled([aten.sub.Tensor], "alpha", lambda x, s, y: x - y * s)
    scaled([aten.addcmul.default], "value", lambda x, s, a, b: x + a * s * b)
    scaled([aten.addcdiv.default], "value", lambda x, s, a, b: x + a * s / b)
    for target in ARITHMETIC:
        result[target.overloadpacket.Scalar] = functools.partial(_direct, target)
    result.update(dict.fromkeys((aten.rsub.Scalar, aten.rsub.Tensor), _reverse))
    result[aten.full.default] = _full
    result[aten.new_full.default] = _new_full
    result.update(dict.fromkeys((aten.full_like.default, aten.fill.Scalar), _full_like))
    result[aten.scalar_tensor.default] = _scalar_tensor
    return result


# --- to operands ---------------------------------------------------------------------------------


@dataclasses.dataclass
class Operands:
    """A graph with tensors for its numbers, after its other inputs."""
    graph: GraphModule
    inputs: dict[int, str]
    """The inputs that are such numbers, and what the program calls them."""
    constants: dict[str, str]
    """The other numbers, and why each is a constant of a recipe."""
    _numbers: dict[Node, frozenset[Node]]
    _tensors: list[tuple[Node, torch.dtype]]
    _results: dict[int, Node]

    def inputs_of(self, args: Sequence[Any]) -> tuple[list[Any], dict[int, Any]]:
        """The inputs of `graph`, and those of its results that are numbers."""
        given = dict(zip(self._placeholders, args))
        values: dict[Node, Any] = {}
        for node in self._numbers:
            values[node] = given[node] if node.op == "placeholder" else node.target(
                *torch.fx.map_arg(node.args, values.__getitem__),
                **torch.fx.map_arg(node.kwargs, values.__getitem__))
        kept = [None if place in self.inputs else each for place, each in enumerate(args)]
        return (kept + [_as_tensor(values[node], dtype) for node, dtype in self._tensors],
                {place: values[node] for place, node in self._results.items()})

    @functools.cached_property
    def _placeholders(self) -> list[Node]:
        graph = next(iter(self._numbers)).graph
        return graph.find_nodes(op="placeholder")


def _as_tensor(number: int | float, dtype: torch.dtype) -> torch.Tensor:
    """Integers wrap, as PyTorch converts numbers."""
    wide = torch.int64 if isinstance(number, int) else torch.float64
    return torch.tensor(number, dtype=wide).to(dtype)


def find(gm: GraphModule) -> Operands | None:
    """The numbers of a graph with symbolic sizes that can be operands; None if it has none."""
    numbers, reasons = _numbers(gm)
    placeholders = gm.graph.find_nodes(op="placeholder")
    free = {node for node in placeholders if node in numbers and node not in reasons}
    constants = {_name(node): reason for node, reason in reasons.items() if not _is_of_tensor(node)}
    if not free:
        return Operands(gm, {}, constants, {}, [], {}) if constants else None
    return _rewrite(gm, numbers, free, constants)


def _numbers(gm: GraphModule) -> tuple[dict[Node, frozenset[Node]], dict[Node, str]]:
    """The inputs that are numbers and what is computed of numbers alone, with the inputs that each
    depends on; and the inputs that must be constants."""
    numbers: dict[Node, frozenset[Node]] = {}
    reasons: dict[Node, str] = {}
    sizes = {symbol: node for node in reversed(gm.graph.nodes)  # the first that has it
             for symbol in _symbols(node.meta.get("val"))}
    for node in gm.graph.nodes:
        value = node.meta.get("val")
        if node.op == "placeholder":
            if isinstance(value, _CHANGING):
                numbers[node] = frozenset((node,))
                for symbol in value.node.expr.free_symbols & sizes.keys():
                    reasons.setdefault(node, f"it is a size of {_described(sizes[symbol])}")
            continue
        given = [each for each in node.all_input_nodes if each in numbers]
        if not given or node.op == "output":
            continue
        if not isinstance(node.target, torch._ops.OpOverload) and node.op == "call_function" and \
                len(given) == len(node.all_input_nodes):
            numbers[node] = frozenset().union(*(numbers[each] for each in given))
            continue
        for each, reason in _fixed(node, numbers):
            for source in numbers[each]:
                reasons.setdefault(source, reason)
    return numbers, reasons


def _described(node: Node) -> str:
    if isinstance(node.target, torch._ops.OpOverload):
        return f"what {writer.name_of(node.target)} gives"
    return f"'{node.name}'"


def _symbols(value) -> set:
    """The symbols in the sizes of tensors."""
    if isinstance(value, (list, tuple)):
        return set().union(*map(_symbols, value))
    if not isinstance(value, torch.Tensor):
        return set()
    sizes = [each for each in (*value.shape, *value.stride()) if isinstance(each, torch.SymInt)]
    return set().union(*(each.node.expr.free_symbols for each in sizes))


def _fixed(node: Node, numbers: dict[Node, frozenset[Node]]) -> list[tuple[Node, str]]:
    """The numbers that an op needs as constants, and why."""
    if not isinstance(node.target, torch._ops.OpOverload):
        name = getattr(node.target, "__name__", str(node.target))
        return [(each, f"'{name}' takes it") for each in node.all_input_nodes if each in numbers]
    result = []
    for place, parameter in enumerate(writer._parameters(node.target)):
        leaves = torch.utils._pytree.tree_leaves([parameter.given(place, node)])
        is_operand = parameter.is_tensor and node.target in ARITHMETIC or \
            node.target is aten.scalar_tensor.default and place == 0
        result += [(each, f"it is '{parameter.name}' of {writer.name_of(node.target)}")
                   for each in leaves if isinstance(each, Node) and each in numbers
                   and not (is_operand and isinstance(each.meta["val"], _CHANGING))]
    return result


def floats(gm: GraphModule) -> list[str]:
    """What the program calls the floats that torch.compile has made tensors of a graph."""
    given = [node.meta.get("grapharg") for node in gm.graph.find_nodes(op="placeholder")
             if getattr(node.meta.get("example_value"), "shape", None) == ()]
    return [_plain(each.source) for each in given if getattr(each, "pass_arg_as_tensor", False)]


def _source(node: Node):
    """Where the program has the number of an input; None if that is not known."""
    symbolic = node.meta["val"].node
    return next(iter(symbolic.shape_env.var_to_sources.get(symbolic.expr) or ()), None)


def _is_of_tensor(node: Node) -> bool:
    """Whether an input is a size or a stride of a tensor, which programs do not pass."""
    from torch._dynamo.source import TensorPropertySource

    return isinstance(_source(node), TensorPropertySource)


def _name(node: Node) -> str:
    source = _source(node)
    return _plain(source) if source else node.name


def _plain(source) -> str:
    """The name of what a graph was given, without the marks of Dynamo: "step" for L['step']."""
    return re.sub(r"^L\['(\w+)'\]", r"\1", source.name)


def _rewrite(gm: GraphModule, numbers: dict[Node, frozenset[Node]], free: set[Node],
             constants: dict[str, str]) -> Operands:
    graph = Graph()
    copies: dict[Node, Node] = {}
    for node in gm.graph.find_nodes(op="placeholder"):
        copies[node] = graph.node_copy(node)
    end = graph.call_function(len)  # what follows the inputs
    tensors: dict[tuple[Node, torch.dtype], Node] = {}
    results: dict[int, Node] = {}

    def moves(node) -> bool:
        return isinstance(node, Node) and not free.isdisjoint(numbers.get(node, ()))

    def tensor(number: Node, dtype: torch.dtype) -> Node:
        if (number, dtype) not in tensors:
            with graph.inserting_before(end):
                tensors[number, dtype] = graph.placeholder(f"number_{len(tensors)}")
        return tensors[number, dtype]

    def converted(each, dtype: torch.dtype):
        return graph.call_function(aten._to_copy.default, (copies[each],), {"dtype": dtype}) \
            if isinstance(each, Node) else each

    for node in gm.graph.nodes:
        if node.op == "output":
            found = list(node.args[0])
            results = {place: each for place, each in enumerate(found) if moves(each)}
            graph.output(tuple(None if moves(each) else torch.fx.map_arg(each, copies.__getitem__)
                               for each in found))
        elif node in copies or moves(node):
            continue
        elif not any(map(moves, node.all_input_nodes)):
            copies[node] = graph.node_copy(node, copies.__getitem__)
        elif node.target is aten.scalar_tensor.default:
            copies[node] = tensor(node.args[0], node.meta["val"].dtype)
        else:
            dtype = node.meta["val"].dtype
            wide = torch.float32 if dtype in _NARROW and node.target in _WIDE else dtype
            args = [tensor(each, wide) if moves(each) else
                    converted(each, wide) if wide is not dtype else
                    torch.fx.map_arg(each, copies.__getitem__) for each in node.args]
            copy = graph.call_function(node.target, tuple(args), dict(node.kwargs))
            if wide is not dtype:
                copy = graph.call_function(aten._to_copy.default, (copy,), {"dtype": dtype})
            copies[node] = copy
    graph.erase_node(end)
    inputs = {place: _name(node) for place, node in
              enumerate(gm.graph.find_nodes(op="placeholder")) if node in free}
    return Operands(GraphModule(gm, graph), inputs, constants, numbers, list(tensors), results)
