# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tells what became of the graphs that hpu_backend compiled: two logs, and whoever counts ops."""
import dataclasses
import itertools
import operator
from collections.abc import Iterator

import torch
from gaudi_mlir.torch import compiler, control_flow, draws, formulas, fused

from ... import _ops
from . import passes, shared_layer
from .random_utils import HABANA_CHECKPOINT_OPS

aten = torch.ops.aten

formulas.FOREIGN.update(_ops.DECOMPOSED)
fused.IN_PLACE.update(_ops.WRITING)
fused.IN_PLACE.update({op.overloadpacket: function for op, function in _ops.WRITING.items()
                       if op._overloadname == "default"})


def _parts(x: torch.Tensor, sizes: list[int], dim: int = 0) -> list[torch.Tensor]:
    ends = itertools.accumulate(sizes)
    return [aten.slice.Tensor(x, dim, end - size, end) for size, end in zip(sizes, ends)]


def _equal_parts(x: torch.Tensor, size: int, dim: int = 0) -> list[torch.Tensor]:
    length = x.shape[dim]
    if size == 0:
        return [aten.slice.Tensor(x, dim)]
    count = max(int((length + size - 1) // size), 1)  # a guard of the number alone
    return _parts(x, [size] * (count - 1) + [length - size * (count - 1)], dim)


# What is split is slices.
formulas.FOREIGN.update({"aten::split.Tensor": _equal_parts,
                         "aten::split_with_sizes.default": _parts})

listeners: list = []
"""Functions that get the Op of each graph and how many launches it has become."""


@dataclasses.dataclass(frozen=True)
class Op:
    node: torch.fx.Node
    is_compiled: bool
    """Part of a launch; else it is called by itself."""
    is_fallback: bool
    """Called by itself because the compiler does not take it, or may not."""


class Given:
    """A graph as the compiler gets it, without what computes nothing; then it may change."""

    def __init__(self, gm: torch.fx.GraphModule, random: str, kind: str) -> None:
        self.graph = gm.graph
        compiler.clean(gm.graph)
        control_flow.inline(gm, random)
        gm.graph.eliminate_dead_code()
        self.linear = set(filter(_is_linear, gm.graph.nodes)) if kind == "inference" else set()
        _widen(gm.graph)
        self.nodes = _ops(gm.graph)

    def compiled(self, launches: list[list[torch.fx.Node]], refused) -> None:
        """The graph has become these `launches`; `refused` are the nodes that could not be part of
        one."""
        inside = {node for nodes in launches for node in nodes}
        left = set(self.graph.nodes)
        given = set(self.nodes)
        parts = [node for node in refused if node not in given]
        # What is nowhere any more was written as other ops, which are in launches if all are.
        gone = [] if parts else [node for node in self.nodes if node not in left]
        inside.update(gone)
        ops = [Op(node, node in inside, node in refused)
               for node in [*self.nodes, *parts] if node in left or node in inside]
        for op in ops:
            shared_layer.logger.debug(f"Node: {op.node.name} requires fallback: {op.is_fallback}")
        names = dict.fromkeys(name for node in gone for name in _names(node))
        written = {"PyTorch-generated": None}
        if any(map(control_flow.hints_of, self.nodes)):
            written["Annotated"] = itertools.count()
        for nodes in launches:
            for title, order in written.items():
                lines = [f"# of {name}()" for name in names] + self._lines(nodes, order)
                passes.logger.debug("\n".join([f"####{title} JIT IR graph:", *lines]))
        for listener in list(listeners):
            listener(ops, len(launches))

    def _lines(self, nodes: list[torch.fx.Node], order: Iterator[int] | None) -> list[str]:
        """A launch as TorchScript would write it: "%add = aten::add(%x, 1)", with an `order` also
        what hints_wrapper said of each op. Of ops that were taken apart a comment has the one that
        was called."""
        def operand(value) -> str:
            if isinstance(value, torch.fx.Node):
                return f"%{value.name}"
            if isinstance(value, (list, tuple)):
                return "[" + ", ".join(map(operand, value)) + "]"
            return str(value)

        lines, last = [], None
        for node in nodes:
            hints = _hints(node, order)
            origin = node.meta.get("original_aten")
            # PyTorch may have copied it: of the same op there are several.
            if origin not in (None, last) and str(origin) != str(node.target):
                lines.append(f"# of {origin._schema.name}{hints}()")
            last = origin
            if node in self.linear:
                lines.append(f"# of aten::linear{hints}()")
            if isinstance(node.target, torch._ops.OpOverload):
                operands = [*map(operand, node.args),
                            *(f"{name}={operand(value)}" for name, value in node.kwargs.items())]
                lines.append(f"%{node.name} = {node.target._schema.name}{hints}"
                             f"({', '.join(operands)})")
        return lines


def _is_linear(node: torch.fx.Node) -> bool:
    """A product with a transposed matrix."""
    places = {aten.mm.default: 1, aten.addmm.default: 2}
    if node.target not in places:
        return False
    return not node.kwargs and node.args[places[node.target]].target is aten.t.default


def _ops(graph: torch.fx.Graph) -> list[torch.fx.Node]:
    return [node for node in graph.nodes
            if node.op == "call_function" and node.target is not operator.getitem]


def _widen(graph: torch.fx.Graph) -> None:
    """Of two ops for one thing a graph has the wider one: randint with both ends, and full for what
    takes its type from another tensor."""
    for node in graph.find_nodes(op="call_function", target=aten.randint.default):
        node.target, node.args = aten.randint.low, (0, *node.args)
    for target, number in ((aten.new_zeros.default, 0), (aten.new_ones.default, 1)):
        for node in graph.find_nodes(op="call_function", target=target):
            value = node.meta["val"]
            node.target, node.args = aten.full.default, (node.args[1], number)
            node.kwargs = {"dtype": value.dtype, "device": value.device, "pin_memory": False}


def _names(node: torch.fx.Node) -> list[str]:
    """Of an op that was taken apart, and of the one that it was part of; of what draws by the seed
    of a graph also the name of the real card's op, which has the seed as an operand."""
    target = rng_op(node)
    if not isinstance(target, torch._ops.OpOverload):
        return []
    if target is not node.target:
        return [f"hpu::{HABANA_CHECKPOINT_OPS.get(str(target), _drawn(target))}"
                if node.target is draws.run_and_save_rng_state else f"hpu::{_drawn(target)}"]
    ops = [target, *filter(None, [node.meta.get("original_aten")])]
    return [each._schema.name for each in ops] + \
        [f"hpu::{_drawn(each)}" for each in ops if draws.draws_numbers(node)]


def rng_op(node: torch.fx.Node):
    """What a node calls; of one that keeps or takes the state of a generator the op within."""
    places = {draws.run_and_save_rng_state: 0, draws.run_with_rng_state: 1}
    return node.args[places[node.target]] if node.target in places else node.target


def _drawn(op: torch._ops.OpOverload) -> str:
    return f"habana_{op.overloadpacket.__name__.removesuffix('_like')}"


def _hints(node: torch.fx.Node, order: Iterator[int] | None) -> str:
    """What hints_wrapper said of an op, with its number if that was to keep the order."""
    hints = control_flow.hints_of(node) if order else {}
    if str(hints.get("preserve_order", "")).lower() == "true":
        hints = {**hints, "exec_order": next(order)}
    text = "".join(f"{name}:{value};" for name, value in hints.items())
    return f'[hints="{text}"]' if text else ""
