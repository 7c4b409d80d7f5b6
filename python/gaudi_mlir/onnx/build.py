# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes that take the place of one node."""
from collections.abc import Callable, Iterator, Sequence
import contextlib
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from . import budget, graphs

FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE}

Nodes = list[onnx.NodeProto] | None

# By operator what gives the nodes that replace one, or None where it stays.
Rules = dict[str, Callable[[onnx.NodeProto, graphs.View, "Builder"], Nodes]]


class Unsupported(Exception):
    """An operator whose conversion would give wrong values, or that has none."""


def named(node: onnx.NodeProto) -> str:
    """A node as errors call it: by the node of the model that it comes from."""
    op, name = graphs.origin(node)
    return f"{op} (node '{name}')"


@contextlib.contextmanager
def naming(node: onnx.NodeProto) -> Iterator[None]:
    """Names the node and its attributes in what stops a rule on a node that is not valid."""
    try:
        yield
    except (Unsupported, budget.Oversized):
        raise
    except Exception as error:  # rules read attributes and inputs as ONNX defines them
        given = ", ".join(f"{one.name}={_brief(helper.get_attribute_value(one))}"
                          for one in node.attribute) or "none"
        raise Unsupported(f"{named(node)} is not valid: {type(error).__name__} ({error}) with "
                          f"{len(node.input)} inputs and the attributes: {given}; compare them "
                          f"with the definition of {node.op_type} in ONNX") from error


def _brief(value: Any) -> str:
    if isinstance(value, (onnx.GraphProto, onnx.TensorProto)):
        return f"'{value.name}'"
    text = repr(value.decode(errors="replace") if isinstance(value, bytes) else value)
    return text if len(text) <= 60 else text[:57] + "..."


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


def windows(node: onnx.NodeProto, rank: int) -> tuple[list[int], list[int], list[int]]:
    """Strides, dilations, and pads: all lower ends, then all upper ones."""
    def numbers(name: str, absent: list[int]) -> list[int]:
        return list(graphs.attribute(node, name) or absent)

    return (numbers("strides", [1] * rank), numbers("dilations", [1] * rank),
            numbers("pads", [0] * (2 * rank)))


def same_pads(sizes: Sequence[int], windows: Sequence[int], strides: Sequence[int],
              dilations: Sequence[int], more_first: bool) -> list[int]:
    """The pads of SAME_UPPER, or of SAME_LOWER, which pads more at the beginning: all lower ends,
    then all upper ones."""
    lower, upper = [], []
    for size, window, stride, dilation in zip(sizes, windows, strides, dilations):
        whole = max(0, (-(-size // stride) - 1) * stride + (window - 1) * dilation + 1 - size)
        lower.append(whole - whole // 2 if more_first else whole // 2)
        upper.append(whole - lower[-1])
    return lower + upper


class Replacement:
    """Nodes that take the place of one node, or of it and others, in a graph that is edited."""

    def __init__(self, edit: graphs.Editor, node: onnx.NodeProto) -> None:
        self.edit, self.node = edit, node
        self.nodes: list[onnx.NodeProto] = []

    def add(self, op: str, *inputs: str, **attributes: Any) -> str:
        name = self.edit.view.fresh(f"{self.node.name}/{op}")
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def constant(self, what: str, value: Any, dtype: Any = None) -> str:
        return self.edit.constant(f"{self.node.name}/{what}", np.asarray(value, dtype))

    def attributes(self, *without: str) -> dict[str, Any]:
        return {entry.name: helper.get_attribute_value(entry) for entry in self.node.attribute
                if entry.name not in without}

    def end(self, *others: onnx.NodeProto) -> None:
        """The last node makes the result, that of the last one of the others if there are some."""
        replaced = [self.node, *others]
        self.nodes[-1].output[0] = replaced[-1].output[0]
        self.edit.replace(replaced, self.nodes)


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
