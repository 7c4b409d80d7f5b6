# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops of graphs, without those of a recipe: both branches of a torch.cond are
computed and one is chosen, the steps of a scan are written one after the other, and hints left out.

What stays is for the CPU: loops whose end depends on values, and what a branch may not do if it is
not taken. `why_left` has the reason.
"""
import operator
from collections.abc import Callable, Sequence

import torch
from torch._higher_order_ops.hints_wrap import hints_wrapper
from torch.fx import Graph, GraphModule, Node

from . import distributions, draws, partition

aten, higher_order = torch.ops.aten, torch.ops.higher_order

# That all steps of a scan may have.
_MOST_OPS = 4096

_LEFT = "gaudi_left"  # where nodes have the reason
_HINTS = "gaudi_hints"
_RAISES = "it raises where an index is out of range, which the condition may rule out"
# Operands whose numbers an op refuses, by their names in schemas.
_INDICES = {"index", "indices", "target"}
_DRAWS = "it draws from the generator of the host, which then gives others other numbers"


class _Left(Exception):
    """Why a branch or loop stays."""


def inline(gm: GraphModule, random: str = "device") -> None:
    """Replaces the branches and loops of a graph, also nested ones. `random`: where
    numbers are drawn, "device" or "host"."""
    for node in list(gm.graph.nodes):
        write = _WRITERS.get(node.target) if partition.is_op(node) else None
        if write is None:
            continue
        try:
            results = write(gm, node, random)
        except _Left as reason:
            node.meta[_LEFT] = str(reason)
            continue
        for part in list(node.users):
            part.replace_all_uses_with(results[part.args[1]])
            gm.graph.erase_node(part)
        gm.graph.erase_node(node)


def why_left(node: Node) -> str | None:
    """Why `inline` has left a branch or loop, which is for the CPU then; None for other nodes."""
    return node.meta.get(_LEFT)


def hints_of(node: Node) -> dict:
    """What hints_wrapper said of an op; of one name the innermost."""
    return node.meta.get(_HINTS, {})


def _inner(gm: GraphModule, node: Node, name: str, random: str,
           is_chosen: bool = False) -> GraphModule:
    """The graph that an operand names, if it may be written out. `is_chosen`: all of it then also
    runs for nothing."""
    inner = getattr(gm, node.target)
    inline(inner, random)
    inner.graph.eliminate_dead_code()  # the names of graphs
    for each in filter(partition.is_op, inner.graph.nodes):
        reason = _why_not_inline(each)
        if is_chosen and reason is None:
            reason = _RAISES if _may_raise(each) else \
                _DRAWS if _draws_on_host(each, random) else None
        if reason:
            raise _Left(f"{name} has '{each.target}': {reason}")
    for each in inner.graph.find_nodes(op="get_attr"):
        raise _Left(f"{name} has a constant, '{each.target}'")
    return inner


def _may_raise(node: Node) -> bool:
    """Whether the op refuses numbers of an operand; masks as indices have none."""
    schema = node.target._schema.arguments
    given = [*zip((each.name for each in schema), node.args), *node.kwargs.items()]
    numbers = [each for name, value in given if name in _INDICES
               for each in (value if isinstance(value, (list, tuple)) else [value])]
    return any(isinstance(each, Node) and each.meta["val"].dtype != torch.bool and
               not each.meta["val"].is_floating_point() for each in numbers)


def _draws_on_host(node: Node, random: str) -> bool:
    return draws.draws_numbers(node) if random == "host" else distributions.is_left(node)


def _why_not_inline(node: Node) -> str | None:
    if why_left(node) or node.target is operator.getitem:
        return why_left(node)
    if not isinstance(node.target, torch._ops.OpOverload):
        return "it is no op of a library"
    return "it writes into an operand" if partition.mutates(node) else None


def _copy(graph: Graph, inner: GraphModule, operands: Sequence[Node],
          hints: dict | None = None) -> list[Node]:
    """The nodes of another graph for these operands; returns its results."""
    copies = dict(zip(inner.graph.find_nodes(op="placeholder"), operands))
    for node in inner.graph.nodes:
        if node.op == "output":
            return torch.fx.map_arg(list(node.args[0]) if isinstance(node.args[0], (list, tuple))
                                    else [node.args[0]], copies.__getitem__)
        if node.op != "placeholder":
            copies[node] = graph.node_copy(node, copies.__getitem__)
            if hints:
                copies[node].meta[_HINTS] = {**hints, **hints_of(node)}
    raise AssertionError("a graph has an output")


def call(graph: Graph, op: torch._ops.OpOverload, args: tuple, source: Node) -> Node:
    """A node of the graph, from where `source` comes."""
    node = graph.call_function(op, args)
    node.meta["val"] = op(*torch.fx.map_arg(args, lambda each: each.meta["val"]))
    node.stack_trace = source.stack_trace
    return node


def _cond(gm: GraphModule, node: Node, random: str) -> list[Node]:
    condition, yes, no, operands = node.args
    if not isinstance(condition, Node) or not isinstance(condition.meta["val"], torch.Tensor):
        raise _Left("its condition is no tensor")
    branches = [_inner(gm, each, f"its branch for {case}", random, is_chosen=True)
                for each, case in ((yes, "true"), (no, "false"))]
    with gm.graph.inserting_before(node):
        pairs = zip(*(_copy(gm.graph, each, operands) for each in branches))
        return [left if left is right else
                call(gm.graph, aten.where.self, (condition, left, right), node)
                for left, right in pairs]


def _scan(gm: GraphModule, node: Node, random: str) -> list[Node]:
    step, carried, items, further = node.args
    inner = _inner(gm, step, "its step", random)
    if not items or not all(isinstance(each, Node) for each in (*carried, *items, *further)):
        raise _Left("it has no items, or numbers for tensors")
    length = items[0].meta["val"].shape[0]
    if not isinstance(length, int):
        raise _Left("the number of its steps is not known")
    ops = sum(map(partition.is_op, inner.graph.nodes))
    if not 0 < length * ops <= _MOST_OPS:
        raise _Left(f"its {length} steps of {ops} ops are more than {_MOST_OPS} ops" if length else
                    "it has no steps")
    carried, rows = list(carried), []
    with gm.graph.inserting_before(node):
        for place in range(length):
            item = [call(gm.graph, aten.select.int, (each, 0, place), node) for each in items]
            results = _copy(gm.graph, inner, [*carried, *item, *further])
            carried = results[:len(carried)]
            rows.append(results[len(carried):])
        return carried + [call(gm.graph, aten.stack.default, (list(each), 0), node)
                          for each in zip(*rows)]


def _while(gm: GraphModule, node: Node, random: str) -> list[Node]:
    raise _Left("the number of its steps depends on values")


def _hinted(gm: GraphModule, node: Node, random: str) -> list[Node]:
    """What is within hints_wrapper; there is nothing that hints could change. `hints_of` has them."""
    body, operands, *named = node.args
    if any(named) or node.kwargs.get("kwargs"):
        raise _Left("its body has operands by name")
    inner = _inner(gm, body, "its body", random)
    with gm.graph.inserting_before(node):
        return _copy(gm.graph, inner, operands, node.kwargs.get("hints", {}))


_WRITERS: dict[object, Callable[[GraphModule, Node, str], list[Node]]] = {
    higher_order.cond: _cond, higher_order.scan: _scan, higher_order.while_loop: _while,
    hints_wrapper: _hinted,
}
