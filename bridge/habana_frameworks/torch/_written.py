# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of ops that the front end lowers as they are: they need no trace, which takes most of the
time of a first call, or that functions write by calls of such ops."""
import functools
import operator

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import Graph, GraphModule, Node
from torch.fx._lazy_graph_module import _LazyGraphModule

from gaudi_mlir.torch import draws, operands, writer

from . import _ops

aten = torch.ops.aten

@functools.cache
def _known(op: torch._ops.OpOverload, table) -> torch._ops.OpOverload | None:
    """The op without side effects that gives what `op` gives or writes, if the front end has it and
    no decomposition comes before. `table`: gives the decompositions."""
    schema = op._schema
    if schema.is_mutable:
        name = op.overloadpacket.__name__
        packet = getattr(aten, name[:-1], None) if name.endswith("_") else None
        op = getattr(packet, op._overloadname, None)
        if op is None or [each.name for each in op._schema.arguments] != \
                [each.name for each in schema.arguments]:
            return None
    if writer.name_of(op) not in writer.known() or op in draws.WHOLE or \
            torch.Tag.nondeterministic_seeded in op.tags or \
            any(each.alias_info is not None or str(each.real_type) != "Tensor"
                for each in op._schema.returns) or \
            "device" in [each.name for each in op._schema.arguments]:
        return None
    # Those of numbers that change leave all others as they are.
    return op if table().get(op) is operands.table().get(op) else None


def graph_of(call, table, fakes: FakeTensorMode | None = None) -> GraphModule | None:
    """The graph of a call, as its trace would be, or None where it takes a trace. Sets what the
    results are."""
    if call.op in _ops.BY_CALLS:
        return _by_calls(call, fakes)
    op = _known(call.op, table)
    if op is None or call.written not in ([], [0]) or call.wraps_number() or \
            any(each.dtype is not each.stored or each.dtype.is_complex or
                not (each.is_contiguous or each.is_permuted) for each in call.operands):
        return None
    graph = Graph()
    with fakes or FakeTensorMode():
        views = [_input(graph, place, each) for place, each in enumerate(call.operands)]
        node, made = _call(graph, op, call, views)
    if call.written:
        target = call.operands[0]
        if made.dtype != target.dtype or tuple(made.shape) != target.sizes:
            return None  # it is converted, or PyTorch refuses it
        call.results, nodes = [made], []
        order = None if target.is_contiguous else target.order
        written = [_permuted(graph, node, order)]
    else:
        call.results, written = call.parts(made), []
        if any(not isinstance(each, torch.Tensor) for each in call.results):
            return None
        nodes = [node] if len(call.results) == 1 else \
            [_node(graph, operator.getitem, (node, place), {}, each)
             for place, each in enumerate(call.results)]
    call.node = node
    call.orders = orders = call.arrange(call.new(call.results))
    graph.output((*(_permuted(graph, each, order) for each, order in zip(nodes, orders)),
                  *written))
    return _LazyGraphModule(torch.nn.Module(), graph)


class _Emission:
    """Makes nodes of calls."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __call__(self, op, *args, **named):
        def fake(each: Node):
            return each.meta["val"]
        made = op(*torch.fx.map_arg(args, fake), **torch.fx.map_arg(named, fake))
        node = _node(self.graph, op, args, named, made)
        if not isinstance(made, (list, tuple)):
            return node
        return [_node(self.graph, operator.getitem, (node, place), {}, each)
                for place, each in enumerate(made)]

    @staticmethod
    def shape(node: Node) -> list[int]:
        return list(node.meta["val"].shape)

    @staticmethod
    def dtype(node: Node) -> torch.dtype:
        return node.meta["val"].dtype


def _by_calls(call, fakes: FakeTensorMode | None) -> GraphModule | None:
    """The same of an op that writes what a function makes by calls of ops."""
    if any(each.dtype is not each.stored or not (each.is_contiguous or each.is_permuted)
           for each in call.operands):
        return None
    graph = Graph()
    with fakes or FakeTensorMode():
        left = iter([_input(graph, place, each) for place, each in enumerate(call.operands)])

        def given(arg):
            if isinstance(arg, torch.Tensor):
                return next(left)
            return [given(each) for each in arg] if isinstance(arg, (list, tuple)) else arg
        made = _ops.BY_CALLS[call.op](_Emission(graph), *map(given, call.args))
        if made is NotImplemented:
            return None
        targets = [call.operands[number] for number in call.written]
        written = [_permuted(graph, node, None if each.is_contiguous else each.order)
                   for node, each in zip(made, targets)]
    call.results = [None]
    call.orders = call.arrange([])
    graph.output(tuple(written))
    return _LazyGraphModule(torch.nn.Module(), graph)


def _node(graph: Graph, target, args: tuple, named: dict, value) -> Node:
    node = graph.call_function(target, args, named)
    node.meta = {"val": value}
    return node


def _input(graph: Graph, place: int, operand) -> Node:
    memory = operand.memory()
    node = graph.placeholder(f"arg{place}_1")
    node.meta = {"val": memory}
    if operand.is_contiguous:
        return node
    order = operand.order
    return _permuted(graph, node, [order.index(dim) for dim in range(len(order))])


def _permuted(graph: Graph, node: Node, order: list[int] | None) -> Node:
    if order is None or order == list(range(len(order))):
        return node
    return _node(graph, aten.permute.default, (node, order), {},
                 node.meta["val"].permute(order))


def _call(graph: Graph, op, call, views: list[Node]) -> tuple[Node, object]:
    left = iter(views)
    positional, named = [], {}

    def given(arg):
        if isinstance(arg, torch.Tensor):
            return next(left)
        if isinstance(arg, (list, tuple)):
            return [given(each) for each in arg]
        return arg
    for parameter, arg in zip(op._schema.arguments, call.args):
        value = given(arg)
        if parameter.kwarg_only:
            if value != parameter.default_value:
                named[parameter.name] = value
        else:
            positional.append(value)

    def fake(each: Node):
        return each.meta["val"]
    made = op(*torch.fx.map_arg(tuple(positional), fake), **torch.fx.map_arg(named, fake))
    return _node(graph, op, tuple(positional), named, made), made
