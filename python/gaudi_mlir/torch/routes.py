# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways from a graph of torch.fx to MLIR text: our front end's, and three through torch-mlir,
which is imported only for a graph that ours refuses."""
import functools
import importlib.util
import re
from collections.abc import Sequence

from torch.fx import GraphModule, Node

import gaudi_mlir
from gaudi_mlir import _text, weights

from . import writer
from .errors import LoweringError

OWN = "torch"

# In the order they are tried: linalg takes most models, TOSA and StableHLO some others.
OF_TORCH_MLIR = ("linalg", "tosa", "stablehlo")


@functools.cache
def available() -> tuple[str, ...]:
    """The routes, in the order they are tried."""
    return (OWN, *(OF_TORCH_MLIR if importlib.util.find_spec("torch_mlir") else ()))


class Source:
    """A graph as each route lowers it. `is_program`: of torch.export, with the decompositions that
    torch-mlir needs; errors then name the op that it dies of."""

    def __init__(self, gm: GraphModule, is_program: bool = False) -> None:
        self._gm, self._is_program = gm, is_program
        self._imported: "lower.Import | LoweringError | None" = None
        self._places: Sequence[Node] = ()

    def lower(self, route: str, inputs: Sequence[str] | None = None,
              outputs: Sequence[str] = ()) -> weights.Text:
        """The text of a route. Raises LoweringError."""
        if route == OWN:
            text, self._places = writer.write(self._gm.graph, inputs, outputs)
            return text
        if self._imported is None:
            from . import lower
            try:
                gm = self._gm if self._is_program else lower.decomposed(self._gm)
                self._imported = lower.Import(lower.simplified(gm), blame=self._is_program)
            except LoweringError as error:
                self._imported = error
        if isinstance(self._imported, LoweringError):
            raise self._imported
        return self._imported.lower(route, inputs, outputs)

    def nodes_of(self, route: str, error: Exception) -> dict[Node, str]:
        """The nodes that an error of lowering or compiling is about, with what it says of each."""
        if isinstance(error, LoweringError):
            return error.nodes
        if route != OWN or not isinstance(error, gaudi_mlir.CompileError):
            return {}
        found: dict[Node, str] = {}
        for line, message in _ERROR.findall(error.details):
            if 0 < int(line) <= len(self._places):
                found.setdefault(self._places[int(line) - 1], message)
        return {node: message for node, message in found.items() if node.op == "call_function"}


# A diagnostic: the line of the text that it is about, and what it says.
_ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: error: (?:cannot convert torch\.[\w.]+: )?(.*)$", re.M)


def reason_of(error: Exception) -> str:
    """What an error says, in a line."""
    found = _ERROR.search(getattr(error, "details", "") or "")
    return _text.shorten(found[2] if found else getattr(error, "message", "")
                         or _text.first_line(error))
