# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a segment of a graph, and asks whether single ops can be compiled."""
import dataclasses
import logging
import time

import torch
from torch.fx import GraphModule, Node

import gaudi_mlir

from . import cache, partition, routes
from .errors import LoweringError
from .routes import reason_of

log = logging.getLogger("gaudi_mlir.torch")


class Refused(gaudi_mlir.CompileError):
    """No route compiles the graph; `reasons` has a line for each, `nodes` one for each node that
    our front end does not take, if it names them."""

    def __init__(self, reasons: dict[str, str], nodes: dict[Node, str] | None = None) -> None:
        self.reasons = reasons
        self.nodes = nodes or {}
        super().__init__("; ".join(f"{route}: {reason}" for route, reason in reasons.items()))

    def short(self) -> str:
        return next(iter(self.reasons.values()))


@dataclasses.dataclass
class Compiled:
    """A recipe and how it was made."""
    recipe: "gaudi_mlir.Recipe"
    route: str
    refused: dict[str, str]
    lower_seconds: float
    compile_seconds: float
    from_cache: bool
    text: str


def compile_segment(gm: GraphModule, device: str, first_route: str, input_names: list[str],
                    output_names: list[str]) -> Compiled:
    """Compiles by the first route that takes the graph, `first_route` before the others if it is
    one. Raises Refused."""
    reasons: dict[str, str] = {}
    nodes: dict[Node, str] = {}
    source = routes.Source(gm)
    for route in sorted(routes.available(), key=lambda route: route != first_route):
        begin = time.perf_counter()
        try:
            lowered = source.lower(route, input_names, output_names)
            middle = time.perf_counter()
            recipe, hit = cache.recipe_of(lowered, device)
        except (LoweringError, gaudi_mlir.CompileError) as error:
            reasons[route] = reason_of(error)
            nodes.update(source.nodes_of(route, error))
            log.info("not compiled through %s: %s", route, reasons[route])
            continue
        return Compiled(recipe, route, reasons, middle - begin, time.perf_counter() - middle, hit,
                        lowered.text)
    raise Refused(reasons, nodes)


MAX_VERDICTS = 10000

_verdicts: dict[tuple, dict[str, str]] = {}


def refusals(gm: GraphModule, node: Node, device: str, known: dict[str, str]) -> dict[str, str]:
    """The routes that do not compile this op alone, with the reasons; remembered for each op,
    its attributes, and the types and shapes of its operands. `known`: those of which that is known
    already."""
    key = _key(node, device)
    if key not in _verdicts:
        _remember(key, _try(gm, node, device, known))
    return _verdicts[key]


def refuse(node: Node, device: str, reason: str) -> None:
    """Notes that no route compiles an op, which was alone in a segment."""
    _remember(_key(node, device), dict.fromkeys(routes.available(), reason))


def _remember(key: tuple, verdict: dict[str, str]) -> None:
    if len(_verdicts) >= MAX_VERDICTS:
        _verdicts.pop(next(iter(_verdicts)), None)
    _verdicts[key] = verdict


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


def _try(gm: GraphModule, node: Node, device: str, known: dict[str, str]) -> dict[str, str]:
    nodes, outputs = [node], [node]
    if isinstance(node.meta.get("val"), (list, tuple)):
        outputs = [user for user in node.users if partition.is_op(user)]
        nodes += outputs
    reasons = dict(known)
    if not outputs:
        return reasons
    single, _ = partition.extract(gm, nodes, outputs)
    source = routes.Source(single)
    for route in routes.available():
        if route in reasons:
            continue
        try:
            lowered = source.lower(route)
            gaudi_mlir.check_import(lowered.text, device=device, resources=lowered.resources)
        except (LoweringError, gaudi_mlir.CompileError) as error:
            reasons[route] = reason_of(error)
            continue
        break
    return reasons


def reset() -> None:
    _verdicts.clear()
