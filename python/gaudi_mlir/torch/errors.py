# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs that a route does not take."""
from collections.abc import Mapping

from torch.fx import Node


class LoweringError(Exception):
    """A route does not take a graph. `nodes` has the nodes that it does not take, each with a
    reason, if it names them."""

    def __init__(self, message: str, nodes: Mapping[Node, str] | None = None) -> None:
        super().__init__(message)
        self.nodes = dict(nodes or {})
