# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a program asked for the nodes of a graph: modules and lines."""
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch.fx import Node

_FRAME = re.compile(r'File "([^"]*)", line (\d+)')
_TORCH = os.path.dirname(torch.__file__) + os.sep
_SELF = re.compile(r"^(L\['(?:self|fn)'\]|L__self__|self)\.?")


def text(module: str, is_backward: bool, file: str, line: int) -> str:
    """As locations have it: "encoder.layers.3 backward at train.py:12:1". All may be missing."""
    name = " ".join([*([module] if module else []), *(["backward"] if is_backward else [])])
    where = f"{os.path.basename(file)}:{line}:1" if file else ""
    return " at ".join(filter(None, [name, where]))


class Place(NamedTuple):
    """Of a node: what `text` makes a text of. The file has its folder where that is known."""
    module: str = ""
    is_backward: bool = False
    file: str = ""
    line: int = 0


def place(node: Node) -> Place:
    """Of a node, which says it as meta["place"], or as torch.compile and torch.export do."""
    meta = node.meta
    if "place" in meta:
        return meta["place"]
    is_backward = "fwd_nn_module_stack" in meta
    stack = meta.get("fwd_nn_module_stack" if is_backward else "nn_module_stack")
    module = ""
    if stack:
        path, kind = list(stack.values())[-1]
        kind = kind if isinstance(kind, str) else kind.__qualname__
        module = _SELF.sub("", path) or kind.rpartition(".")[2]
    frames = _FRAME.findall(meta.get("stack_trace") or "")
    # Of a program that was saved on another machine, PyTorch is elsewhere.
    own = [frame for frame in frames if not frame[0].startswith(_TORCH)
           and "/site-packages/torch/" not in frame[0]]
    file, line = (own or frames or [("", 0)])[-1]
    return Place(module, is_backward, file, int(line))


def of(node: Node) -> str:
    """The place of a node as text."""
    return text(*place(node))


def of_lines(nodes: Sequence[Node]) -> list[str]:
    """Of the lines of a text, given the node of each; those of the module and of the function are
    nobody's."""
    texts = {node: of(node) for node in dict.fromkeys(nodes)}
    return ["", "", *(texts[node] for node in nodes[2:])]
