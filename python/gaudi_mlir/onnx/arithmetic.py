# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic that torch-mlir computes inexactly, at the wrong place, or not at all."""

import onnx
from onnx import TensorProto


from . import graphs
from .build import FLOATS, Builder, Nodes, Rules, changed


# Signed types that hold all values of unsigned ones. torch-mlir has no cast back to UINT16.
_WIDER = {TensorProto.UINT8: TensorProto.INT32, TensorProto.UINT32: TensorProto.INT64}
_UNSIGNED = {*_WIDER, TensorProto.UINT16}


def _unsigned(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Quotients and remainders of unsigned integers, which torch-mlir takes for signed ones."""
    kind = view.element_type(node.input[0])
    if kind not in _WIDER:
        return None
    wide = [build.cast(name, _WIDER[kind]) for name in node.input]
    return build.end("Cast", build.add(node.op_type, *wide), to=kind)


def _sign(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The sign of an unsigned integer, on which torch-mlir crashes."""
    if view.element_type(node.input[0]) not in _UNSIGNED:
        return None
    return build.end("Min", node.input[0], build.scalar(1, node.input[0]))


def _absolute(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    if view.element_type(node.input[0]) not in _UNSIGNED | {TensorProto.UINT64}:
        return None
    return build.end("Identity", node.input[0])


def _clip(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The larger and the smaller of unsigned integers, which torch-mlir compares as such."""
    if view.element_type(node.input[0]) not in _UNSIGNED:
        return None
    value = node.input[0]
    for index, op in ((1, "Max"), (2, "Min")):
        if graphs.input_of(node, index):
            value = build.add(op, value, node.input[index])
    return build.end("Identity", value)


def _sum_of_magnitudes(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The sum of unsigned integers, whose magnitudes torch-mlir takes as of signed ones."""
    if view.element_type(node.input[0]) not in _UNSIGNED | {TensorProto.UINT64}:
        return None
    axes = graphs.attribute(node, "axes")  # before version 18
    given = [build.constant(axes)] if axes else list(node.input[1:])
    flags = {key: graphs.attribute(node, key, default)
             for key, default in (("keepdims", 1), ("noop_with_empty_axes", 0))}
    return build.end("ReduceSum", node.input[0], *given, **flags)


def _has_even_pads(node: onnx.NodeProto) -> bool:
    """True for a pooling of images whose opposite sides have the same pads."""
    pads = graphs.attribute(node, "pads", [0, 0, 0, 0])
    return len(graphs.attribute(node, "kernel_shape", [])) == 2 and pads[:2] == pads[2:] \
        and graphs.attribute(node, "auto_pad", b"NOTSET") in (b"NOTSET", b"VALID")


def _top(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The largest of unsigned integers, in the order of signed ones that hold them, and of bytes
    whose pads torch-mlir makes 0, which may be the largest, in floats, which hold them, too."""
    is_pool = node.op_type == "MaxPool"
    if len(node.output) > 1 and is_pool:
        return None
    kind = view.element_type(node.input[0])
    wider = _WIDER.get(kind)
    if is_pool and kind == TensorProto.INT8 and not _has_even_pads(node):
        wider = TensorProto.FLOAT
    if wider is None:
        return None
    new = changed(node)
    new.input[0] = build.cast(node.input[0], wider)
    new.output[0] = view.fresh(f"{node.name}/wide")
    build.nodes.append(new)
    return build.end("Cast", new.output[0], to=kind)


def _mod(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The remainder of floats with the sign of the dividend (C fmod), which torch-mlir computes
    from a rounded quotient. That of the magnitudes is exact."""
    if view.element_type(node.input[0]) not in FLOATS:
        return _unsigned(node, view, build)
    if not graphs.attribute(node, "fmod", 0):
        return None
    x, y = node.input
    zero = build.scalar(0, x)
    rest = build.add("Mod", build.add("Abs", x), build.add("Abs", y))
    rest = build.add("Where", build.add("Less", x, zero), build.add("Neg", rest), rest)
    # Zeros keep their sign, unless the remainder is NaN.
    is_zero = build.add("And", build.add("Equal", x, zero), build.add("Equal", rest, zero))
    return build.end("Where", is_zero, x, rest)


def _norm(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Vectors of length one along a dimension; those of zeros stay zero."""
    x, axis = node.input[0], graphs.attribute(node, "axis", -1)
    # Of the reductions only the sum has its axes as an input in every version.
    if graphs.attribute(node, "p", 2) == 1:
        length = build.add("ReduceSum", build.add("Abs", x), build.constant([axis]), keepdims=1)
    else:
        squares = build.add("ReduceSum", build.add("Mul", x, x), build.constant([axis]), keepdims=1)
        length = build.add("Sqrt", squares)
    zero = build.scalar(0, x)
    is_zero = build.add("Equal", length, zero)
    length = build.add("Where", is_zero, build.scalar(1, x), length)
    return build.end("Where", is_zero, zero, build.add("Div", x, length))


def _cumulative_product(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Products over distances that double."""
    x, axis = node.input[0], view.array(node.input[1])
    shape = view.shape(x)
    if axis is None or shape is None or shape[int(axis.reshape(-1)[0])] is None:
        return None
    at = int(axis.reshape(-1)[0]) % len(shape)
    size, reverse = shape[at], graphs.attribute(node, "reverse", 0)
    one = build.scalar(1, x)

    def moved(value: str, distance: int) -> str:
        """The elements `distance` earlier, ones where there are none."""
        low, high = [0] * len(shape), [0] * len(shape)
        (high if reverse else low)[at] = distance
        begin, end = (distance, size) if reverse else (0, size - distance)
        return build.pad(build.slice(value, at, begin, end), low, high, one)

    if graphs.attribute(node, "exclusive", 0):
        x = moved(x, 1)
    distance = 1
    while distance < size:
        x = build.add("Mul", x, moved(x, distance))
        distance *= 2
    return build.end("Identity", x)


def _einsum(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A product of scalars, whose equation has no letters."""
    equation = graphs.attribute(node, "equation", b"")
    if not isinstance(equation, bytes) or equation.translate(None, b" ,->"):
        return None
    result = node.input[0]
    for other in node.input[1:]:
        result = build.add("Mul", result, other)
    return build.end("Identity", result)


def _loss(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Losses of classes, with weights and classes that do not count. Classes are in dimension 1;
    torch-mlir divides by a sum that overflows or is of other elements."""
    scores, labels = node.input[:2]
    shape = view.shape(scores)
    if shape is None or view.element_type(scores) not in FLOATS:
        return None
    if node.op_type == "SoftmaxCrossEntropyLoss":
        scores = build.add("LogSoftmax", scores, axis=1)
        if len(node.output) > 1 and node.output[1]:
            build.end("Identity", scores, index=1)
    weights, ignored = graphs.input_of(node, 2), graphs.attribute(node, "ignore_index")
    counted = ""
    if ignored is not None:
        counted = build.add("Not", build.add("Equal", labels, build.scalar(ignored, labels)))
        labels = build.add("Where", counted, labels, build.scalar(0, node.input[1]))
    places = build.add("Unsqueeze", labels, build.constant([1]))
    losses = build.add("GatherElements", scores, places, axis=1)
    losses = build.add("Neg", build.add("Squeeze", losses, build.constant([1])))
    zero = build.scalar(0, node.input[0])
    share = build.add("Gather", weights, labels) if weights else ""
    if counted:
        share = build.add("Where", counted, share or build.scalar(1, node.input[0]), zero)
        losses = build.add("Where", counted, losses, zero)
    if share:
        losses = build.add("Mul", losses, share)
    reduction = graphs.attribute(node, "reduction", b"mean")
    if reduction == b"none":
        return build.end("Identity", losses)
    every = build.constant(list(range(len(shape) - 1)))
    if reduction == b"mean" and not share:
        return build.end("ReduceMean", losses, keepdims=0)
    total = build.add("ReduceSum", losses, every, keepdims=0)
    if reduction == b"sum":
        return build.end("Identity", total)
    return build.end("Div", total, build.add("ReduceSum", share, every, keepdims=0))


RULES: Rules = {
    "Mod": _mod, "Div": _unsigned, "Sign": _sign, "Abs": _absolute, "Clip": _clip,
    "TopK": _top, "MaxPool": _top, "ReduceL1": _sum_of_magnitudes,
    "LpNormalization": _norm, "CumProd": _cumulative_product, "Einsum": _einsum,
    "NegativeLogLikelihoodLoss": _loss, "SoftmaxCrossEntropyLoss": _loss,
}
