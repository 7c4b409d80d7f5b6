# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tells what became of the graphs that hpu_backend compiled: two logs, and whoever counts ops."""
import dataclasses
import operator

import torch
from gaudi_mlir.torch import formulas

from ... import _ops
from . import passes, shared_layer

formulas.FOREIGN.update(_ops.DECOMPOSED)

listeners: list = []
"""Functions that get the Op of each graph and how many launches it has become."""


@dataclasses.dataclass(frozen=True)
class Op:
    node: torch.fx.Node
    is_compiled: bool
    """Part of a launch; else it is called by itself."""
    is_fallback: bool
    """Called by itself because the compiler does not take it, or may not."""


def compiled(graph: torch.fx.Graph, launches: list[list[torch.fx.Node]], refused) -> None:
    """A graph has become these `launches`; `refused` are the nodes that could not be part of one."""
    inside = {node for nodes in launches for node in nodes}
    ops = [Op(node, node in inside, node in refused) for node in graph.nodes
           if node.op == "call_function" and node.target is not operator.getitem]
    for op in ops:
        shared_layer.logger.debug(f"Node: {op.node.name} requires fallback: {op.is_fallback}")
    for nodes in launches:
        passes.logger.debug("####PyTorch-generated JIT IR graph:\n" + _text(nodes))
    for listener in list(listeners):
        listener(ops, len(launches))


def _text(nodes: list[torch.fx.Node]) -> str:
    """A launch as TorchScript would write it: "%add = aten::add(%x, 1)". Where ops were taken apart, a
    comment has the one that was called."""
    def operand(value) -> str:
        if isinstance(value, torch.fx.Node):
            return f"%{value.name}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(operand, value)) + "]"
        return str(value)

    lines, called = [], None
    for node in nodes:
        origin = node.meta.get("original_aten")
        if origin not in (None, node.target, called):
            lines.append(f"# of {origin._schema.name}()")
        called = origin
        if isinstance(node.target, torch._ops.OpOverload):
            operands = [*map(operand, node.args),
                        *(f"{name}={operand(value)}" for name, value in node.kwargs.items())]
            lines.append(f"%{node.name} = {node.target._schema.name}({', '.join(operands)})")
    return "\n".join(lines)
