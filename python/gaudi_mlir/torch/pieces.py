# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs in which sizes depend on values, in pieces that are called one after the other.

A piece ends where the host must read a number to know a size: what needs that size belongs to a
later piece, which is compiled for the sizes that it is called with.
"""
import collections
import dataclasses
from collections.abc import Callable, Sequence

import torch
from torch.fx import GraphModule, Node

from . import draws, fallback, partition, sizes

aten = torch.ops.aten


@dataclasses.dataclass
class Piece:
    """Ops of one graph, and those behind it of which the host learns a size."""
    gm: GraphModule | None
    inputs: list[Node]
    outputs: list[Node]
    reads: list[Node]


def is_divided(gm: GraphModule) -> bool:
    return any(map(sizes.depends_on_values, gm.graph.nodes))


def divide(gm: GraphModule) -> list[Piece]:
    """The pieces of a graph, in the order in which they are called. What changes an operand is in
    the last one, since all others read the old values; random ops keep their order."""
    places: dict[Node, int] = {}
    drawn = 0
    for node in gm.graph.nodes:
        if not partition.is_op(node):
            continue
        place = max((places[each] + sizes.depends_on_values(each)
                     for each in node.all_input_nodes if each in places), default=0)
        if draws.seeded(node):
            place = drawn = max(place, drawn)
        places[node] = place
    count = max((place + sizes.depends_on_values(node) for node, place in places.items()),
                default=0) + 1
    groups = collections.defaultdict(list)
    for node, place in places.items():
        groups[count - 1 if partition.mutates(node) else place].append(node)
    return [_piece(gm, groups[place]) for place in range(count)]


def _piece(gm: GraphModule, nodes: list[Node]) -> Piece:
    reads = [node for node in nodes if sizes.depends_on_values(node)]
    inside = [node for node in nodes if not sizes.depends_on_values(node)]
    members = set(inside)
    outputs = [node for node in inside if any(user not in members for user in node.users)]
    if not outputs and not any(node.is_impure() for node in inside):  # updates and checks
        return Piece(None, [], [], reads)
    module, inputs = partition.extract(gm, inside, outputs)
    for place, node in zip(module.graph.find_nodes(op="placeholder"), inputs):
        place.meta = dict(node.meta)  # the caller's types, not those of the device
    return Piece(module, inputs, outputs, reads)


class Divided:
    """A graph as the functions of its pieces: of lists, which `compile_piece` makes of graphs.
    `compiler`: the class that permits, and tells of, ops between them."""

    def __init__(self, gm: GraphModule, compile_piece: Callable[[GraphModule], Callable],
                 compiler: type) -> None:
        self._pieces = [(piece, piece.gm and compile_piece(piece.gm)) for piece in divide(gm)]
        self._attributes = {node: getattr(gm, node.target)
                            for node in gm.graph.find_nodes(op="get_attr")}
        self._placeholders = [node for node in gm.graph.nodes if node.op == "placeholder"]
        self._results = next(iter(gm.graph.find_nodes(op="output"))).args[0]
        self._executed = compiler.executed
        self._counted = collections.Counter(
            fallback.call(node) for piece, _ in self._pieces for node in piece.reads
            if not is_read(node))
        for piece, _ in self._pieces:
            for node in piece.reads:
                if not is_read(node):
                    compiler.permit(node, "the size of its result depends on values")

    def __call__(self, args: Sequence):
        values = {**self._attributes, **dict(zip(self._placeholders, args))}
        self._executed(self._counted)
        with torch.no_grad():
            for piece, function in self._pieces:
                if function:
                    given = [values[each] for each in piece.inputs]
                    values.update(zip(piece.outputs, function(given)))
                for node in piece.reads:
                    operands = torch.fx.map_arg((node.args, node.kwargs), values.__getitem__)
                    read = sizes.CUTS.get(node.target, node.target)
                    values[node] = read(*operands[0], **operands[1])
        return _apart(torch.fx.map_arg(tuple(self._results), values.__getitem__))


def _apart(results: Sequence) -> list:
    """The results, of which none shares memory with one before it."""
    taken: set[int] = set()
    copies = []
    for each in results:
        if isinstance(each, torch.Tensor) and each.numel():
            memory = each.untyped_storage().data_ptr()
            each = each.clone() if memory in taken else each
            taken.add(memory)
        copies.append(each)
    return copies


def is_read(node: Node) -> bool:
    """Whether the host only reads a number of the device."""
    return node.target in (*sizes.CUTS, aten._local_scalar_dense.default, aten.item.default)
