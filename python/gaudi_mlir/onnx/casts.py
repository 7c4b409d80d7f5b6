# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Casts between element types, and quantization to types that torch-mlir has no integers for."""

import numpy as np
import onnx
from onnx import TensorProto, helper

from . import graphs
from .build import FLOATS, Builder, Nodes, Rules

# Floats of eight bits that the device has.
BYTES = {TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E5M2}
_SHORTS = {TensorProto.INT16, TensorProto.UINT16}
# Integers that torch-mlir casts to by example only.
_BY_EXAMPLE = {TensorProto.INT16, TensorProto.UINT32}

# float to unsigned goes through a signed type that holds all values.
_THROUGH = {TensorProto.UINT8: TensorProto.INT32, TensorProto.UINT16: TensorProto.INT32,
            TensorProto.UINT32: TensorProto.INT64, TensorProto.UINT64: TensorProto.INT64}


def _largest(kind: int) -> float:
    import ml_dtypes
    return float(ml_dtypes.finfo(helper.tensor_dtype_to_np_dtype(kind)).max)


def _to_byte(build: Builder, value: str, kind: int, source: int, saturate: bool) -> str:
    """A float of eight bits. What is beyond its range becomes its end, unless it is not to be
    saturated: then infinity, or NaN where there is none, as the device rounds. torch-mlir knows
    these types by example only."""
    if source not in FLOATS:
        value = build.cast(value, TensorProto.FLOAT)
    if saturate:
        dtype = helper.tensor_dtype_to_np_dtype(source if source in FLOATS else TensorProto.FLOAT)
        end = _largest(kind)
        value = build.add("Clip", value, *(build.constant(each, dtype) for each in (-end, end)))
    example = build.constant(0, helper.tensor_dtype_to_np_dtype(kind))
    return build.add("CastLike", value, example, saturate=0)


def _cast(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """torch-mlir casts a float to an unsigned type as if it were signed, and one of eight bits to
    any integer as if that had eight."""
    to, source = graphs.attribute(node, "to"), view.element_type(node.input[0])
    if source == to:
        return build.end("Identity", node.input[0])
    if source in BYTES and to != TensorProto.FLOAT:
        value = build.cast(node.input[0], TensorProto.FLOAT)
        return build.end("Cast", value, to=to, saturate=graphs.attribute(node, "saturate", 1))
    if to in BYTES and source is not None:
        saturate = bool(graphs.attribute(node, "saturate", 1))
        return build.end("Identity", _to_byte(build, node.input[0], to, source, saturate))
    if to in _THROUGH and source in FLOATS:
        return build.end("Cast", build.cast(node.input[0], _THROUGH[to]), to=to)
    if to in _BY_EXAMPLE:
        example = build.constant(0, helper.tensor_dtype_to_np_dtype(to))
        return build.end("CastLike", node.input[0], example)
    return None


def _cast_like(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A cast to a type that is known, unless it is what a Cast becomes."""
    to = view.element_type(node.input[1])
    if to is None or to in _BY_EXAMPLE \
            or to in BYTES and not graphs.attribute(node, "saturate", 1):
        return None
    return build.end("Cast", node.input[0], to=to)


def _along(build: Builder, name: str, node: onnx.NodeProto) -> str | None:
    """A scale or zero point in a shape that broadcasts to the value; None if that is unknown."""
    value, shape = build.view.shape(node.input[0]), build.view.shape(name)
    if value is None or shape is None or None in shape:
        return None
    if len(shape) != 1 or len(value) == 1:
        block = graphs.attribute(node, "block_size", 0)
        return _repeated(build, name, shape, value, node, block) if block else name
    axis = graphs.attribute(node, "axis", 1) % len(value)
    if shape == [1]:
        return build.reshape(name, [])
    return build.reshape(name, [-1 if dim == axis else 1 for dim in range(len(value))])


def _repeated(build: Builder, name: str, shape: list[int | None], value: list[int | None],
              node: onnx.NodeProto, block: int) -> str | None:
    """One scale for each `block` elements along the axis."""
    axis = graphs.attribute(node, "axis", 1) % len(value)
    size = value[axis]
    if size is None or len(shape) != len(value):
        return None
    places = build.constant(np.arange(size) // block)
    return build.add("Gather", name, places, axis=axis)


def _quantize(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The quotient rounded, halves to even, plus the zero point, at most the ends of the type."""
    kind = view.element_type(node.output[0])
    source = view.element_type(node.input[0])
    blocks = graphs.attribute(node, "block_size", 0)
    if kind not in BYTES | _SHORTS and not (blocks and kind in (TensorProto.INT8,
                                                                TensorProto.UINT8)):
        return None
    scale, zero = (_along(build, name, node) if name else "" for name
                   in (node.input[1], graphs.input_of(node, 2)))
    if scale is None or zero is None or source not in FLOATS:
        return None
    value = build.cast(node.input[0], TensorProto.FLOAT)
    value = build.add("Div", value, build.cast(scale, TensorProto.FLOAT))
    if kind in BYTES:
        saturate = bool(graphs.attribute(node, "saturate", 1))
        return build.end("Identity", _to_byte(build, value, kind, TensorProto.FLOAT, saturate))
    value = build.add("Round", value)
    if zero:
        value = build.add("Add", value, build.cast(zero, TensorProto.FLOAT))
    ends = np.iinfo(helper.tensor_dtype_to_np_dtype(kind))
    value = build.add("Clip", value, *(build.constant(end, np.float32)
                                       for end in (ends.min, ends.max)))
    return build.end("Cast", value, to=kind)


def _dequantize(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    kind, to = view.element_type(node.input[0]), view.element_type(node.output[0])
    if kind not in BYTES | _SHORTS and not graphs.attribute(node, "block_size", 0):
        return None
    scale, zero = (_along(build, name, node) if name else "" for name
                   in (node.input[1], graphs.input_of(node, 2)))
    if scale is None or zero is None or to is None:
        return None
    value = build.cast(node.input[0], TensorProto.FLOAT)
    if zero and kind not in BYTES:
        value = build.add("Sub", value, build.cast(zero, TensorProto.FLOAT))
    value = build.add("Mul", value, build.cast(scale, TensorProto.FLOAT))
    return build.end("Cast", value, to=to)


RULES: Rules = {
    "Cast": _cast, "CastLike": _cast_like, "QuantizeLinear": _quantize,
    "DequantizeLinear": _dequantize,
}
