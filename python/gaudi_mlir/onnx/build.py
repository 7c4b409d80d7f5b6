"""Nodes that take the place of one node."""
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from . import graphs

FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE}

Nodes = list[onnx.NodeProto] | None


class Unsupported(Exception):
    """An operator whose conversion would give wrong values, or that has none."""


def named(node: onnx.NodeProto) -> str:
    """A node as errors call it."""
    return f"{node.op_type} (node '{node.name}')"


def changed(node: onnx.NodeProto, **attributes: Any) -> onnx.NodeProto:
    """A copy with other attributes; those that are None are left out."""
    new = onnx.NodeProto()
    new.CopyFrom(node)
    del new.attribute[:]
    new.attribute.extend(entry for entry in node.attribute if entry.name not in attributes)
    new.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items()
                         if value is not None)
    return new


def dtype_of(view: graphs.View, name: str) -> np.dtype:
    return helper.tensor_dtype_to_np_dtype(view.element_type(name))


def text_of(node: onnx.NodeProto, name: str, default: str) -> str:
    """An attribute that is a string."""
    value = graphs.attribute(node, name, default)
    return value.decode() if isinstance(value, bytes) else value


def known_shape(view: graphs.View, name: str) -> list[int] | None:
    """The sizes of a value if all of them are known."""
    shape = view.shape(name)
    return None if shape is None or None in shape else shape


class Builder:
    """Nodes that replace one node."""

    def __init__(self, node: onnx.NodeProto, view: graphs.View) -> None:
        self.node, self.view = node, view
        self.nodes: list[onnx.NodeProto] = []

    def add(self, op: str, *inputs: str, **attributes: Any) -> str:
        name = self.view.fresh(f"{self.node.name}/{op}")
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def constant(self, value: Any, dtype: Any = np.int64) -> str:
        name = self.view.fresh(f"{self.node.name}/constant")
        self.nodes.append(graphs.constant(name, np.array(value, dtype)))
        return name

    def scalar(self, value: Any, like: str) -> str:
        """A constant of the element type of a value."""
        return self.constant(value, dtype_of(self.view, like))

    def cast(self, value: str, to: int) -> str:
        return self.add("Cast", value, to=to)

    def reshape(self, value: str, shape: Sequence[int]) -> str:
        return self.add("Reshape", value, self.constant(list(shape)))

    def slice(self, value: str, axis: int, begin: int, end: int, step: int = 1) -> str:
        numbers = [self.constant([each]) for each in (begin, end, axis, step)]
        return self.add("Slice", value, *numbers)

    def pad(self, value: str, low: Sequence[int], high: Sequence[int], fill: str = "") -> str:
        amounts = self.constant([*low, *high])
        return self.add("Pad", value, amounts, *([fill] if fill else []))

    def end(self, op: str, *inputs: str, index: int = 0, **attributes: Any) -> list[onnx.NodeProto]:
        """The node that gives a result; all nodes."""
        self.nodes.append(helper.make_node(op, inputs, [self.node.output[index]],
                                           name=f"{self.node.name}/{op}/result", **attributes))
        return self.nodes
