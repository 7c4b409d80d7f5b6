# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of quantized operators that torch-mlir converts otherwise or not at all: a zero point for
each channel, and padding that differs between the two ends of a dimension."""
import numpy as np
import onnx
from onnx import TensorProto, helper

from . import graphs
from .build import Replacement, same_pads, text_of, windows

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
        form = Replacement(edit, node)
        half = len(pads) // 2
        image, *others = node.input
        if pads[:half] != pads[half:]:
            zero = graphs.input_of(node, 2) or form.constant(
                "zero", 0, helper.tensor_dtype_to_np_dtype(kind))
            whole = form.constant("pads", [0, 0, *pads[:half], 0, 0, *pads[half:]], np.int64)
            image = form.add("Pad", image, whole, zero)
            pads = [0] * len(pads)
        form.add("ConvInteger", image, *others, pads=pads, **form.attributes("auto_pad", "pads"))
        form.end()


def _pads_of(node: onnx.NodeProto, image: list[int | None] | None,
             filters: list[int | None] | None) -> list[int] | None:
    """The padding of a convolution, all lower ends first; None where it may stay as it is
    written, and where sizes are not known."""
    how = text_of(node, "auto_pad", "NOTSET")
    if how in ("NOTSET", ""):
        pads = list(graphs.attribute(node, "pads") or [])
        return pads if pads[:len(pads) // 2] != pads[len(pads) // 2:] else None
    if how == "VALID" or image is None or filters is None or None in image[2:] + filters[2:]:
        return None
    strides, dilations, _ = windows(node, len(image) - 2)
    return same_pads(image[2:], filters[2:], strides, dilations, how == "SAME_LOWER")


class _Channels(Replacement):
    """A node whose scale is a vector along one dimension of its value."""

    def __init__(self, edit: graphs.Editor, node: onnx.NodeProto, rank: int) -> None:
        super().__init__(edit, node)
        self.rank, self.axis = rank, graphs.attribute(node, "axis", 1) % rank

    def along(self, name: str) -> str:
        """A vector in a shape that broadcasts along the other dimensions."""
        sizes = [1] * self.rank
        sizes[self.axis] = -1
        array = self.edit.array(name)
        if array is not None:
            return self.constant("channels", array.reshape(sizes))
        return self.add("Reshape", name, self.constant("channels", sizes, np.int64))


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
    form.end()


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
    value = form.add("Clip", value, *(form.constant("channels", end, np.float32)
                                      for end in (ends.min, ends.max)))
    form.add("Cast", value, to=kind)
    form.end()
