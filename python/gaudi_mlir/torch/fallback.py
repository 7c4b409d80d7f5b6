# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that run on the CPU: named once, counted, listed at the end of the program."""
import atexit
import collections
import json
import logging
import os
import re

import torch

from .. import _core
from . import flags, places

log = logging.getLogger("gaudi_mlir.torch.fallback")

# Of all ops that ran on the CPU, in graphs and on hpu.
_metric = _core.start_metric("cpu_fallback")
_reasons: dict[str, str] = {}
# Of both, also of before a reset: what was decided then still holds, and is not decided again.
_first_reasons: dict[str, str] = {}
_unsaid: dict[str, str] = {}


def op_name(target) -> str:
    """The name of an op as the bridge writes it, "aten::digamma"."""
    if isinstance(target, torch._ops.OpOverload):
        return target._schema.name
    return getattr(target, "__name__", str(target))


def require(node: torch.fx.Node, reason: str) -> str:
    """Notes that `node` runs on the CPU; raises if the environment forbids that. Returns the reason
    with the call and its place in the user's program."""
    op = op_name(node.target)
    reason = f"{reason}; {call_text(node)}"
    if not flags.enabled("PT_HPU_USE_EAGER_FALLBACK", True):
        raise RuntimeError(f"{op} (node {node.name}) cannot be compiled: {reason}. It would run on "
                           "the CPU, which PT_HPU_USE_EAGER_FALLBACK=0 forbids; unset that, or write "
                           "the model without the op")
    if not flags.may_run_on_cpu(op):
        raise RuntimeError(f"{op} is not yet supported on HPU. (node {node.name}: {reason}; "
                           "PT_HPU_PLACE_ON_CPU does not name it: add it there, or unset that)")
    if op not in _reasons:
        log.warning("Fallback required. Node: %s Target: %s runs on the CPU: %s", node.name,
                    node.target, reason)
    note(op, reason)
    return reason


def note_silently(op: str, reason: str, file: str, line: int) -> None:
    """Of an op at that line, of which nothing is said before the end of the program."""
    note(op, reason)
    of_compiler = re.match(r"'gaudi[.\w]*' op ", reason)
    words = reason[of_compiler.end():] if of_compiler else f"ran on the CPU: {reason}"
    where = f" at {os.path.basename(file)}:{line}" if file else ""
    more = "" if file else "; python -m gaudi_mlir.explain SCRIPT names the line"
    _unsaid.setdefault(op, f"{op}{where} {words}{more}")


def note(op: str, reason: str) -> None:
    """Keeps the first reason why an op runs on the CPU."""
    _first_reasons.setdefault(op, reason)
    _reasons.setdefault(op, reason)


def call_text(node: torch.fx.Node) -> str:
    """An op with the types of what it is given, and the line of the program that called it:
    "aten.mm.default(f32[2, 3], f32[3, 4]) at model.py:12 in forward"."""
    operands = ", ".join(describe(each.meta.get("val")) for each in node.all_input_nodes)
    frames = re.findall(r'File "([^"]*)", line (\d+), in (\S+)', node.stack_trace or "")
    where = " at {}:{} in {}".format(*frames[-1]) if frames else ""
    if not where and (module := places.place(node).module):
        where = f" in module {module}"
    return f"{node.target}({operands}){where}"


def describe(value) -> str:
    """Type and shape of a value of a graph: "f32[2, 3]"."""
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(describe(each) for each in value) + ")"
    return str(value)


# As the bridge names element types.
_TYPES = {torch.bfloat16: "BFloat16", torch.float16: "Half", torch.float32: "Float",
          torch.float64: "Double", torch.int8: "Char", torch.uint8: "Byte", torch.int16: "Short",
          torch.int32: "Int", torch.int64: "Long", torch.bool: "Bool"}


def call(node: torch.fx.Node) -> tuple[str, str]:
    """The name of an op, and its tensors as the bridge logs them: "self=HPUBFloat16Type"."""
    given = {**dict(enumerate(node.args)), **node.kwargs}
    if isinstance(node.target, torch._ops.OpOverload):
        names = [each.name for each in node.target._schema.arguments]
        given = {names[name] if isinstance(name, int) else name: each
                 for name, each in given.items()}
    tensors = [f"{name}=HPU{_TYPES.get(value.dtype, str(value.dtype))}Type"
               for name, each in given.items() if isinstance(each, torch.fx.Node)
               for value in [each.meta.get("val")] if isinstance(value, torch.Tensor)]
    return op_name(node.target), ", ".join(tensors)


def executed(calls: collections.Counter) -> None:
    """Tells the metrics one execution of each of `calls`."""
    for (op, operands), count in calls.items():
        for _ in range(count):
            _core.cpu_fallback(op, operands)


def stats() -> dict[str, int]:
    """How often each op ran on the CPU."""
    counted = json.loads(_metric.stats())["FallbackOps"]
    return dict(collections.Counter(counted).most_common())


def reasons() -> dict[str, str]:
    """Why each op was placed on the CPU the first time."""
    ran = {op: _first_reasons[op] for op in stats() if op in _first_reasons}
    return {**ran, **_reasons}


def table() -> str:
    """The table that the bridge prints at the end, empty without fallbacks."""
    lines = [f"{count}\t{op}" for op, count in stats().items()]
    if not lines:
        return ""
    return "\n".join(["CPU Fallback stats:", *lines])


def lines() -> list[str]:
    """Why and where the ops of the table ran on the CPU, of which nothing was said before."""
    said = [_unsaid[op] for op in stats() if op in _unsaid]
    if more := said[10:]:
        said[10:] = [f"... and {len(more)} more; gaudi_mlir.torch.explain().fallback_reasons has all"]
    return said


def reset() -> None:
    _metric.reset()
    _reasons.clear()


@atexit.register
def _print_table() -> None:
    if counted := table():
        log.critical("%s", "\n".join([counted, *lines()]))
    _core.log_cpu_fallbacks()
