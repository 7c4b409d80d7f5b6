# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a segment of a graph, and asks whether single ops can be compiled."""
import dataclasses
import time

import torch
from torch.fx import GraphModule, Node

import gaudi_mlir

from . import cache, partition, places, writer
from .errors import LoweringError, nodes_of, reason_of


class Refused(gaudi_mlir.CompileError):
    """The front end does not take a graph; `nodes` has a reason for each node that it does not
    take, if it names them."""

    def __init__(self, error: Exception, nodes: dict[Node, str]) -> None:
        self.nodes = nodes
        super().__init__(reason_of(error))


@dataclasses.dataclass
class Compiled:
    """A recipe and how it was made."""
    found: cache.Found
    lower_seconds: float
    compile_seconds: float
    text: str
    places: list[str]
    """What stands for each line of the text in reports."""

    @property
    def recipe(self) -> "gaudi_mlir.Recipe":
        return self.found.recipe

    def named_recipe(self) -> "gaudi_mlir.Recipe":
        """A copy whose locations are modules and lines of the program. It is no other recipe of
        the cache: that knows of texts only, so that a script may change its lines."""
        return self.recipe.with_places(self.places) if any(self.places) else self.recipe


def compile_segment(gm: GraphModule, device: str, input_names: list[str],
                    output_names: list[str]) -> Compiled:
    """Compiles a graph. Raises Refused."""
    nodes: list[Node] = []
    begin = time.perf_counter()
    try:
        lowered, nodes = writer.write(gm.graph, input_names, output_names)
        middle = time.perf_counter()
        found = cache.recipe_of(lowered, device)
    except (LoweringError, gaudi_mlir.CompileError) as error:
        raise Refused(error, nodes_of(error, nodes)) from error
    return Compiled(found, middle - begin, time.perf_counter() - middle, lowered.text,
                    places.of_lines(nodes))


MAX_VERDICTS = 10000

_verdicts: dict[tuple, str | None] = {}


def refusal(gm: GraphModule, node: Node, device: str, known: str | None = None) -> str | None:
    """Why this op is not compiled alone, or None; remembered for each op, its attributes, and the
    types and shapes of its operands. `known`: the reason, if the caller has it."""
    key = _key(node, device)
    if known or key not in _verdicts:
        if len(_verdicts) >= MAX_VERDICTS:
            _verdicts.pop(next(iter(_verdicts)), None)
        _verdicts[key] = known or _try(gm, node, device)
    return _verdicts[key]


def _key(node: Node, device: str) -> tuple:
    return device, str(node.target), _describe(node.args), _describe(node.kwargs)


def _describe(value) -> str:
    def operand(node: Node) -> str:
        tensors = partition.values(node)
        return "|".join(f"{each.dtype}{list(each.shape)}" if isinstance(each, torch.Tensor)
                        else str(each) for each in tensors)

    if isinstance(value, Node):
        return operand(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_describe(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}={_describe(each)}" for name, each in value.items()) + "}"
    return f"{type(value).__name__} {value}"


def _try(gm: GraphModule, node: Node, device: str) -> str | None:
    nodes, outputs = [node], [node]
    if isinstance(node.meta.get("val"), (list, tuple)):
        outputs = [user for user in node.users if partition.is_op(user)]
        nodes += outputs
    if not outputs:
        return None
    single, _ = partition.extract(gm, nodes, outputs)
    try:
        lowered, _ = writer.write(single.graph)
        gaudi_mlir.check_import(lowered.text, device=device, resources=lowered.resources)
    except (LoweringError, gaudi_mlir.CompileError) as error:
        return reason_of(error)
    return None


def reset() -> None:
    _verdicts.clear()
