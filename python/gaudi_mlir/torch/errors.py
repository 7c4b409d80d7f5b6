# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs that are not compiled: the reason, and the nodes that it is about."""
import re
from collections.abc import Mapping, Sequence

from torch.fx import Node

from gaudi_mlir import _text


class LoweringError(Exception):
    """A graph has no text. `nodes` has the nodes that this is about, each with a reason, if they
    are known."""

    def __init__(self, message: str, nodes: Mapping[Node, str] | None = None) -> None:
        super().__init__(message)
        self.nodes = dict(nodes or {})


# A diagnostic: the line of the text that it is about, and what it says.
_ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: error: (?:cannot convert torch\.[\w.]+: )?(.*)$", re.M)


def reason_of(error: Exception) -> str:
    """What an error of lowering or compiling says, in a line."""
    if isinstance(error, LoweringError):
        return _text.shorten(str(error))
    found = _ERROR.search(getattr(error, "details", "") or "")
    return _text.shorten(found[2] if found else getattr(error, "message", "")
                         or _text.first_line(error))


def nodes_of(error: Exception, places: Sequence[Node]) -> dict[Node, str]:
    """The nodes that an error of lowering or compiling is about, with what it says of each.
    `places`: the node of each line of the text."""
    if isinstance(error, LoweringError):
        return error.nodes
    found: dict[Node, str] = {}
    for line, message in _ERROR.findall(getattr(error, "details", "") or ""):
        if 0 < int(line) <= len(places):
            found.setdefault(places[int(line) - 1], message)
    return {node: message for node, message in found.items() if node.op == "call_function"}
