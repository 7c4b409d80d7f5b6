# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops of graphs, without those of a recipe: both branches of a torch.cond are
computed and one is chosen, and the steps of a scan are written one after the other.

What stays is for the CPU: loops whose end depends on values, and what a branch may not do if it is
not taken.
"""
import operator
from collections.abc import Callable, Sequence

import torch
from torch.fx import Graph, GraphModule, Node

from . import partition

aten, higher_order = torch.ops.aten, torch.ops.higher_order

# That all steps of a scan may have.
_MOST_OPS = 4096


def inline(gm: GraphModule) -> None:
    """Replaces the branches and loops of a graph, also those inside of others."""
    for node in list(gm.graph.nodes):
        write = _WRITERS.get(node.target) if partition.is_op(node) else None
        results = write(gm, node) if write else None
        if results is None:
            continue
        for part in list(node.users):
            part.replace_all_uses_with(results[part.args[1]])
            gm.graph.erase_node(part)
        gm.graph.erase_node(node)


def _inner(gm: GraphModule, node: Node) -> GraphModule | None:
    """The graph that an operand names, if all of it may run for nothing."""
    inner = getattr(gm, node.target)
    inline(inner)
    inner.graph.eliminate_dead_code()  # the names of graphs
    for each in inner.graph.nodes:
        if not partition.is_op(each) or each.target is operator.getitem:
            continue
        if not isinstance(each.target, torch._ops.OpOverload) or partition.mutates(each):
            return None
    return inner


def _copy(graph: Graph, inner: GraphModule, operands: Sequence[Node]) -> list[Node]:
    """The nodes of another graph for these operands; returns its results."""
    copies = dict(zip(inner.graph.find_nodes(op="placeholder"), operands))
    for node in inner.graph.nodes:
        if node.op == "output":
            return torch.fx.map_arg(list(node.args[0]) if isinstance(node.args[0], (list, tuple))
                                    else [node.args[0]], copies.__getitem__)
        if node.op != "placeholder":
            copies[node] = graph.node_copy(node, copies.__getitem__)
    raise AssertionError("a graph has an output")


def _call(graph: Graph, op: torch._ops.OpOverload, args: tuple, source: Node) -> Node:
    node = graph.call_function(op, args)
    node.meta["val"] = op(*torch.fx.map_arg(args, lambda each: each.meta["val"]))
    node.stack_trace = source.stack_trace
    return node


def _has_constants(inner: GraphModule) -> bool:
    return bool(inner.graph.find_nodes(op="get_attr"))


def _cond(gm: GraphModule, node: Node) -> list[Node] | None:
    condition, yes, no, operands = node.args
    branches = [_inner(gm, each) for each in (yes, no)]
    if None in branches or any(map(_has_constants, branches)) or \
            not isinstance(condition, Node) or \
            not isinstance(condition.meta["val"], torch.Tensor):
        return None
    with gm.graph.inserting_before(node):
        pairs = zip(*(_copy(gm.graph, each, operands) for each in branches))
        return [left if left is right else
                _call(gm.graph, aten.where.self, (condition, left, right), node)
                for left, right in pairs]


def _scan(gm: GraphModule, node: Node) -> list[Node] | None:
    step, carried, items, further = node.args
    inner = _inner(gm, step)
    if inner is None or _has_constants(inner) or not items or not all(
            isinstance(each, Node) for each in (*carried, *items, *further)):
        return None
    length = items[0].meta["val"].shape[0]
    if not isinstance(length, int) or not 0 < length * len(inner.graph.nodes) <= _MOST_OPS:
        return None
    carried, rows = list(carried), []
    with gm.graph.inserting_before(node):
        for place in range(length):
            item = [_call(gm.graph, aten.select.int, (each, 0, place), node) for each in items]
            results = _copy(gm.graph, inner, [*carried, *item, *further])
            carried = results[:len(carried)]
            rows.append(results[len(carried):])
        return carried + [_call(gm.graph, aten.stack.default, (list(each), 0), node)
                          for each in zip(*rows)]


_WRITERS: dict[object, Callable[[GraphModule, Node], list[Node] | None]] = {
    higher_order.cond: _cond, higher_order.scan: _scan,
}
