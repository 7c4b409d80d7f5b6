# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an ONNX model may grow to: functions inside functions, loops inside loops, and tensors that
name the same bytes multiply."""
from collections.abc import Iterable, Iterator
import math
import os
from typing import Any

import onnx

# Nodes that functions may become: this, and for each node of the file so many.
FREE_NODES, NODES_PER_NODE = 10_000, 100

# Nodes that one pass may make by unrolling loops and taking branches.
MAX_MADE = 100_000

# Functions inside functions.
MAX_DEPTH = 200

# Bytes that tensors may have beyond those of their files: this, and so many times the files.
FREE_BYTES, BYTES_PER_BYTE = 256 << 20, 4


class Oversized(Exception):
    """A model that becomes too large; the message names what multiplies."""


def nodes_of(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """Nodes, and those of the graphs inside them."""
    for node in nodes:
        yield node
        for entry in node.attribute:
            if entry.type == onnx.AttributeProto.GRAPH:
                yield from nodes_of(entry.g.node)
            for graph in entry.graphs:
                yield from nodes_of(graph.node)


def check_functions(proto: onnx.ModelProto) -> None:
    """Raises Oversized if inlining the functions of a model does not end, or makes too much."""
    functions = {_key(function): function for function in proto.functions}
    written = sum(1 for _ in nodes_of(proto.graph.node)) + \
        sum(1 for function in proto.functions for _ in nodes_of(function.node))
    limit = FREE_NODES + NODES_PER_NODE * written
    sizes: dict[Any, int] = {}
    path: list[Any] = []

    def size(nodes: Iterable[onnx.NodeProto]) -> int:
        total = 0
        for node in nodes_of(nodes):
            key = (node.domain, node.op_type, node.overload)
            total += of_function(key) if key in functions else 1
        return total

    def of_function(key: Any) -> int:
        if key in sizes:
            return sizes[key]
        name = f"'{key[1]}' of domain '{key[0]}'"
        if key in path:
            raise Oversized(f"function {name} calls itself, which models must not; write it as a "
                            "Loop")
        if len(path) == MAX_DEPTH:
            raise Oversized(f"function {name} is inside {MAX_DEPTH} others, and so many are read; "
                            "inline them with onnx.inliner")
        path.append(key)
        sizes[key] = size(functions[key].node)
        path.pop()
        return sizes[key]

    total = size(proto.graph.node)
    if total > limit:
        largest = max(sizes, key=lambda key: sizes[key])
        raise Oversized(f"the functions of the model become {total} nodes where {limit} are "
                        f"allowed (a model of {written} nodes); the largest is '{largest[1]}' of "
                        f"domain '{largest[0]}' with {sizes[largest]}; write the model with "
                        "fewer calls")


def _key(function: onnx.FunctionProto) -> tuple[str, str, str]:
    return function.domain, function.name, function.overload


class Made:
    """Counts nodes that a pass makes."""

    def __init__(self) -> None:
        self._left = MAX_MADE

    def charge(self, graph: onnx.GraphProto, prefix: str) -> None:
        """Counts the nodes of a graph that is about to be copied."""
        self._left -= 1 + sum(1 for _ in nodes_of(graph.node))
        if self._left < 0:
            raise Oversized(f"node '{prefix[:100]}': loops and branches become more than "
                            f"{MAX_MADE} nodes when they are unrolled; give the outer loop fewer "
                            "iterations, or run it on the host")


def check_external(tensors: Iterable[onnx.TensorProto], folder: str) -> None:
    """Raises Oversized if tensors outside the file have far more bytes than the files there."""
    sizes: dict[str, int] = {}
    total = 0
    for tensor in tensors:
        entries = {entry.key: entry.value for entry in tensor.external_data}
        path = os.path.join(folder, entries.get("location", ""))
        if path not in sizes:
            sizes[path] = os.path.getsize(path) if os.path.isfile(path) else 0
        offset, length = (_number(entries.get(key)) for key in ("offset", "length"))
        if offset is None or length is None:
            raise Oversized(f"tensor '{tensor.name}' has external data with an offset or a length "
                            "that is no number from 0; save the model again")
        total += length or max(0, sizes[path] - offset)
        if total > FREE_BYTES + BYTES_PER_BYTE * sum(sizes.values()):
            raise Oversized(f"tensor '{tensor.name}' brings the external data to {total} bytes, "
                            f"and the files have {sum(sizes.values())}; save the model again, with "
                            "the bytes of each tensor")


def _number(text: str | None) -> int | None:
    if not text:
        return 0
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def check_padding(what: str, shape: list[int], dim: int, added: int) -> None:
    """Raises Oversized if padding of a dimension has far more elements than a model may make."""
    count = math.prod(shape[:dim] + shape[dim + 1:]) * max(0, shape[dim] + added)
    if max(count, added) * 8 > FREE_BYTES:
        raise Oversized(f"{what} pads dimension {dim} of size {shape[dim]} by {added} elements, "
                        f"and a result of {FREE_BYTES // 8} is allowed; pad on the host, or by "
                        "less")


def check_dense(sparse: onnx.SparseTensorProto) -> None:
    """Raises Oversized if a sparse tensor is too large when its zeros are written."""
    count = math.prod(max(0, dim) for dim in sparse.dims)
    if count * 8 > FREE_BYTES:
        raise Oversized(f"sparse tensor '{sparse.values.name}' has {count} elements with its "
                        f"zeros, and {FREE_BYTES // 8} are read; compute with it on the host")
