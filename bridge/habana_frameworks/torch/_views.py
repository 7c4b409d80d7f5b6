# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of memory as ops of a graph: what strides and an offset reach of it, and a new memory in
which that is replaced.

Memory is a value that is dense and row-major. A view is found as a reshape into the dimensions that
its strides are made of, slices of these, and a permutation.
"""
import math

import torch
from torch.fx import Graph, Node

aten = torch.ops.aten


def emit(graph: Graph, target, *args) -> Node:
    """A call, with its value. The strides of values say nothing."""
    node = graph.call_function(target, args)
    given = torch.fx.map_arg(args, lambda each: each.meta["val"].contiguous())
    node.meta = {"val": target(*given).contiguous()}
    return node


def reshape(graph: Graph, node: Node, sizes) -> Node:
    if tuple(node.meta["val"].shape) == tuple(sizes):
        return node
    return emit(graph, aten.view.default, node, list(sizes))


def _permuted(graph: Graph, node: Node, order) -> Node:
    order = list(order)
    return node if order == sorted(order) else emit(graph, aten.permute.default, node, order)


class View:
    """Sizes, strides and offset in memory of `count` elements."""

    def __init__(self, count: int, sizes, strides, offset: int) -> None:
        self.count, self.sizes, self.strides, self.offset = count, sizes, strides, offset
        self.is_whole = offset == 0 and math.prod(sizes) == count and \
            strides == _row_major(sizes)
        self._divide()

    def _divide(self) -> None:
        """The dimensions of memory that the view is made of, and which part of each it has."""
        # Dimensions of the view that move in memory, the slowest first.
        moving = sorted((dim for dim, size in enumerate(self.sizes)
                         if size > 1 and self.strides[dim]),
                        key=lambda dim: (-self.strides[dim], -self.sizes[dim]))
        self.moving = moving
        self.repeated = any(size > 1 and not self.strides[dim]
                            for dim, size in enumerate(self.sizes))
        self.parts: list[tuple[int, int, int]] | None = []  # size, begin, length
        self.begin, length, left = 0, self.count, self.offset
        if moving:
            outer = self.strides[moving[0]]
            # What is before and behind the view need not be a multiple of its first stride.
            self.begin = left % outer if self.count % outer else 0
            length = (self.count - self.begin) // outer * outer
            left -= self.begin
            needed = left + 1 + sum((self.sizes[dim] - 1) * self.strides[dim] for dim in moving)
            if length < needed and self.count - self.begin >= needed:
                self.parts = None
                return
        self.length = length
        extent = length
        for dim in moving:
            stride, size = self.strides[dim], self.sizes[dim]
            if extent % stride:
                self.parts = None
                return
            begin, left = divmod(left, stride)
            if begin + size > extent // stride:
                self.parts = None
                return
            self.parts.append((extent // stride, begin, size))
            extent = stride
        if extent > 1:
            self.parts.append((extent, left, 1))
        elif left:
            self.parts = None

    def _memory(self, graph: Graph, node: Node) -> Node:
        """With the dimensions of the parts."""
        if self.begin or self.length != self.count:
            node = reshape(graph, node, [self.count])
            node = emit(graph, aten.slice.Tensor, node, 0, self.begin, self.begin + self.length)
        return reshape(graph, node, [size for size, _, _ in self.parts])

    def _slices(self):
        return [(dim, begin, begin + length)
                for dim, (size, begin, length) in enumerate(self.parts) if length != size]

    def read(self, graph: Graph, node: Node) -> Node:
        if self.is_whole:
            return reshape(graph, node, self.sizes)
        if self.parts is None:
            return emit(graph, aten.as_strided.default, reshape(graph, node, [self.count]),
                        list(self.sizes), list(self.strides), self.offset)
        node = self._memory(graph, node)
        for dim, begin, end in self._slices():
            node = emit(graph, aten.slice.Tensor, node, dim, begin, end)
        moved = [self.sizes[dim] for dim in self.moving]
        node = reshape(graph, node, moved)
        order = [dim for dim in range(len(self.sizes)) if dim in self.moving]
        node = _permuted(graph, node, [self.moving.index(dim) for dim in order])
        node = reshape(graph, node, [size if dim in self.moving else 1
                                     for dim, size in enumerate(self.sizes)])
        if self.repeated:
            node = emit(graph, aten.expand.default, node, list(self.sizes))
        return node

    def write(self, graph: Graph, node: Node, value: Node) -> Node:
        """Memory like `node`, in which the view has the value."""
        shape = list(node.meta["val"].shape)
        if self.is_whole:
            return reshape(graph, value, shape)
        if self.repeated:  # all of them are equal
            for dim, size in enumerate(self.sizes):
                if size > 1 and not self.strides[dim]:
                    value = emit(graph, aten.slice.Tensor, value, dim, 0, 1)
        if self.parts is None:
            sizes = [size if stride else 1 for size, stride in zip(self.sizes, self.strides)]
            made = emit(graph, aten.as_strided_scatter.default, reshape(graph, node, [self.count]),
                        value, sizes, list(self.strides), self.offset)
            return reshape(graph, made, shape)
        value = reshape(graph, value, [self.sizes[dim] for dim in sorted(self.moving)])
        order = sorted(self.moving)
        value = _permuted(graph, value, [order.index(dim) for dim in self.moving])
        value = reshape(graph, value, [length for _, _, length in self.parts])
        memory = self._memory(graph, node)
        slices = self._slices()
        nested = [memory]
        for dim, begin, end in slices[:-1]:
            nested.append(emit(graph, aten.slice.Tensor, nested[-1], dim, begin, end))
        for around, (dim, begin, end) in zip(reversed(nested), reversed(slices)):
            value = emit(graph, aten.slice_scatter.default, around, value, dim, begin, end)
        if self.begin or self.length != self.count:
            value = reshape(graph, value, [self.length])
            value = emit(graph, aten.slice_scatter.default, reshape(graph, node, [self.count]),
                         value, 0, self.begin, self.begin + self.length)
        return reshape(graph, value, shape)


def _row_major(sizes) -> tuple[int, ...]:
    """As PyTorch has it, whatever the strides of single elements are."""
    return tuple(math.prod(sizes[dim + 1:]) for dim in range(len(sizes)))


def order_in_memory(sizes, strides) -> list[int] | None:
    """The dimensions, the slowest first, of a dense tensor without elements twice; else None."""
    order = sorted(range(len(sizes)), key=lambda dim: (-strides[dim], -sizes[dim], dim))
    wanted = 1
    for dim in reversed(order):
        if sizes[dim] != 1:
            if strides[dim] != wanted:
                return None
            wanted *= sizes[dim]
    return order
