# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a segment of a graph, and asks whether single ops can be compiled."""
import dataclasses
import logging
import time

import torch
from torch.fx import GraphModule, Node

import gaudi_mlir
from gaudi_mlir import _text

from . import cache, lower, partition

log = logging.getLogger("gaudi_mlir.torch")


# The reason of a graph that does not come as far as the routes.
BEFORE_ROUTES = "torch-mlir"


class Refused(gaudi_mlir.CompileError):
    """No route compiles the graph; `reasons` has a line for each."""

    def __init__(self, reasons: dict[str, str]) -> None:
        self.reasons = reasons
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


def reason_of(error: Exception) -> str:
    return lower.shorten(getattr(error, "message", "") or _text.first_line(error))


def routes_from(first: str) -> list[str]:
    """All routes, `first` before the others if it is one."""
    return sorted(lower.ROUTES, key=lambda route: route != first)


def compile_segment(gm: GraphModule, device: str, first_route: str, input_names: list[str],
                    output_names: list[str]) -> Compiled:
    """Compiles by the first route that takes the graph. Raises Refused."""
    reasons: dict[str, str] = {}
    begin = time.perf_counter()
    try:
        imported = lower.Import(gm.graph)
    except lower.LoweringError as error:
        raise Refused({BEFORE_ROUTES: str(error)}) from None
    for route in routes_from(first_route):
        try:
            lowered = imported.lower(route, input_names, output_names)
            middle = time.perf_counter()
            recipe, hit = cache.recipe_of(lowered, device)
        except (lower.LoweringError, gaudi_mlir.CompileError) as error:
            reasons[route] = reason_of(error)
            log.info("not compiled through %s: %s", route, reasons[route])
            continue
        return Compiled(recipe, route, reasons, middle - begin, time.perf_counter() - middle, hit,
                        lowered.text)
    raise Refused(reasons)


MAX_VERDICTS = 10000

_verdicts: dict[tuple, dict[str, str]] = {}


def refusals(gm: GraphModule, node: Node, device: str) -> dict[str, str]:
    """The routes that do not compile this op alone, with the reasons; remembered for each op,
    its attributes, and the types and shapes of its operands."""
    key = _key(node, device)
    if key not in _verdicts:
        _remember(key, _try(gm, node, device))
    return _verdicts[key]


def refuse(node: Node, device: str, reason: str) -> None:
    """Notes that no route compiles an op, which was alone in a segment."""
    _remember(_key(node, device), dict.fromkeys(lower.ROUTES, reason))


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


def _try(gm: GraphModule, node: Node, device: str) -> dict[str, str]:
    nodes, outputs = [node], [node]
    if isinstance(node.meta.get("val"), (list, tuple)):
        outputs = [user for user in node.users if partition.is_op(user)]
        nodes += outputs
    if not outputs:
        return {}
    reasons: dict[str, str] = {}
    try:
        single, _ = partition.extract(gm, nodes, outputs)
        imported = lower.Import(single.graph)
    except lower.LoweringError as error:
        return dict.fromkeys(lower.ROUTES, str(error))
    for route in lower.ROUTES:
        try:
            lowered = imported.lower(route)
            gaudi_mlir.check_import(lowered.text, device=device, resources=lowered.resources)
        except (lower.LoweringError, gaudi_mlir.CompileError) as error:
            reasons[route] = reason_of(error)
            continue
        break
    return reasons


def reset() -> None:
    _verdicts.clear()
