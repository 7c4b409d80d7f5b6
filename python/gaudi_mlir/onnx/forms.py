# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of quantized operators that torch-mlir converts otherwise or not at all: a zero point for
each channel, and padding that differs between the two ends of a dimension."""
import numpy as np
import onnx
from onnx import TensorProto, helper

from . import graphs

_BYTES = {TensorProto.INT8, TensorProto.UINT8}


def write_out_channels(edit: graphs.Editor) -> None:
    """DequantizeLinear and QuantizeLinear of bytes with a scale for each channel, as arithmetic:
    torch-mlir takes unsigned zero points of channels as signed ones."""
    for node in edit.nodes:
        if node.domain not in ("", "ai.onnx") or graphs.attribute(node, "block_size", 0):
            continue
        if node.op_type == "DequantizeLinear":
            _write_dequantize(edit, node)
        elif node.op_type == "QuantizeLinear":
            _write_quantize(edit, node)


def pad_convolutions(edit: graphs.Editor) -> None:
    """Images of integer convolutions with their padding, which is the zero point, where that
    differs between the two ends of a dimension; `auto_pad` as numbers."""
    for node in edit.nodes:
        if node.op_type != "ConvInteger" or node.domain not in ("", "ai.onnx"):
            continue
        pads = _pads_of(node, *(edit.view.shape(name) for name in node.input[:2]))
        kind = edit.view.element_type(node.input[0])
        if pads is None or kind not in _BYTES:
            continue
        attributes = {entry.name: helper.get_attribute_value(entry) for entry in node.attribute
                      if entry.name not in ("auto_pad", "pads")}
        half = len(pads) // 2
        nodes = []
        inputs = list(node.input)
        if pads[:half] != pads[half:]:
            whole = np.array([0, 0, *pads[:half], 0, 0, *pads[half:]], np.int64)
            zero = graphs.input_of(node, 2) or edit.constant(
                f"{node.name}/zero", np.array(0, helper.tensor_dtype_to_np_dtype(kind)))
            nodes.append(edit.node(node.name, "Pad", [
                inputs[0], edit.constant(f"{node.name}/pads", whole), zero]))
            inputs[0] = nodes[0].output[0]
            pads = [0] * len(pads)
        nodes.append(edit.node(node.name, "ConvInteger", inputs, pads=pads, **attributes))
        nodes[-1].output[0] = node.output[0]
        edit.replace([node], nodes)


def _pads_of(node: onnx.NodeProto, image: list[int | None] | None,
             filters: list[int | None] | None) -> list[int] | None:
    """The padding of a convolution, all lower ends first; None where it may stay as it is
    written, and where sizes are not known."""
    how = graphs.attribute(node, "auto_pad", b"NOTSET")
    how = how.decode() if isinstance(how, bytes) else how
    if how in ("NOTSET", ""):
        pads = list(graphs.attribute(node, "pads") or [])
        return pads if pads[:len(pads) // 2] != pads[len(pads) // 2:] else None
    if how == "VALID" or image is None or filters is None or None in image[2:] + filters[2:]:
        return None
    rank = len(image) - 2
    strides = graphs.attribute(node, "strides") or [1] * rank
    dilations = graphs.attribute(node, "dilations") or [1] * rank
    lower, upper = [], []
    for size, taps, stride, dilation in zip(image[2:], filters[2:], strides, dilations):
        whole = max((-(-size // stride) - 1) * stride + (taps - 1) * dilation + 1 - size, 0)
        less, more = whole // 2, whole - whole // 2
        lower.append(more if how == "SAME_LOWER" else less)
        upper.append(less if how == "SAME_LOWER" else more)
    return lower + upper


class _Channels:
    """A node whose scale is a vector along one dimension of its value."""

    def __init__(self, edit: graphs.Editor, node: onnx.NodeProto, rank: int) -> None:
        self.edit, self.node, self.rank = edit, node, rank
        self.axis = graphs.attribute(node, "axis", 1) % rank
        self.nodes: list[onnx.NodeProto] = []

    def add(self, op: str, *inputs: str, **attributes: int) -> str:
        self.nodes.append(self.edit.node(self.node.name, op, list(inputs), **attributes))
        return self.nodes[-1].output[0]

    def constant(self, array: np.ndarray) -> str:
        return self.edit.constant(f"{self.node.name}/channels", array)

    def along(self, name: str) -> str:
        """A vector in a shape that broadcasts along the other dimensions."""
        sizes = [1] * self.rank
        sizes[self.axis] = -1
        array = self.edit.array(name)
        if array is not None:
            return self.constant(array.reshape(sizes))
        return self.add("Reshape", name, self.constant(np.array(sizes, np.int64)))

    def finish(self) -> None:
        self.nodes[-1].output[0] = self.node.output[0]
        self.edit.replace([self.node], self.nodes)


def _channels(edit: graphs.Editor, node: onnx.NodeProto) -> _Channels | None:
    """None unless scale and zero point are vectors of more than one element."""
    shape = edit.view.shape(node.input[0])
    parts = [edit.view.shape(name) for name in node.input[1:] if name]
    if not shape or any(part is None or len(part) != 1 or part == [1] for part in parts):
        return None
    return _Channels(edit, node, len(shape))


def _write_dequantize(edit: graphs.Editor, node: onnx.NodeProto) -> None:
    form, zero = _channels(edit, node), graphs.input_of(node, 2)
    if form is None or edit.view.element_type(node.input[0]) not in {*_BYTES, TensorProto.INT32} \
            or edit.view.element_type(node.output[0]) != TensorProto.FLOAT:
        return
    value = form.add("Cast", node.input[0], to=TensorProto.INT32)
    if zero:
        value = form.add("Sub", value, form.add("Cast", form.along(zero), to=TensorProto.INT32))
    form.add("Mul", form.add("Cast", value, to=TensorProto.FLOAT), form.along(node.input[1]))
    form.finish()


def _write_quantize(edit: graphs.Editor, node: onnx.NodeProto) -> None:
    """Halves go to the even integer, then the zero point is added, and what is beyond the type
    becomes its end."""
    form, zero = _channels(edit, node), graphs.input_of(node, 2)
    kind = edit.view.element_type(node.output[0])
    if form is None or kind not in _BYTES \
            or edit.view.element_type(node.input[0]) != TensorProto.FLOAT:
        return
    value = form.add("Round", form.add("Div", node.input[0], form.along(node.input[1])))
    if zero:
        value = form.add("Add", value, form.add("Cast", form.along(zero), to=TensorProto.FLOAT))
    ends = np.iinfo(helper.tensor_dtype_to_np_dtype(kind))
    value = form.add("Clip", value, *(form.constant(np.array(end, np.float32))
                                      for end in (ends.min, ends.max)))
    form.add("Cast", value, to=kind)
    form.finish()
