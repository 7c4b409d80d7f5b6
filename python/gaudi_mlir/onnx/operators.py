# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single operators whose conversion by torch-mlir is missing or differs from ONNX Runtime."""
from collections.abc import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper

from . import graphs
from .build import FLOATS, Builder, Nodes, Rules, Unsupported, changed, named, naming, windows

_INTEGERS = {TensorProto.INT32, TensorProto.INT64}
# The end of the name of a MaxPool whose indices count within one plane, as torch-mlir has them.
_IN_PLANE = "/in_plane"


def _gemm(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """torch-mlir ignores alpha where there is no C."""
    alpha = graphs.attribute(node, "alpha", 1.0)
    if graphs.input_of(node, 2) or alpha == 1.0:
        return None
    kind = view.element_type(node.input[0])
    if kind is None:
        return None
    if kind not in FLOATS and alpha != np.floor(alpha):
        raise Unsupported(f"{named(node)} multiplies integers by alpha={alpha:g}; ONNX does not "
                          "say how the result is rounded: cast its operand to FLOAT in the model")
    flags = {key: graphs.attribute(node, key, 0) for key in ("transA", "transB")}
    product = build.add("Gemm", node.input[0], node.input[1], **flags)
    return build.end("Mul", product, build.scalar(alpha, node.input[0]))


# What an element becomes when it is reduced alone.
_ALONE = {"ReduceL1": "Abs", "ReduceL2": "Abs", "ReduceLogSum": "Log",
          "ReduceSumSquare": "Mul"}


def _reduce(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A reduction over no dimension, of which some stop torch-mlir with an assertion."""
    axes = graphs.input_of(node, 1)
    empty = not axes or view.shape(axes) == [0]
    if not graphs.attribute(node, "noop_with_empty_axes", 0) or not empty:
        return None
    op = _ALONE.get(node.op_type, "Identity")
    return build.end(op, *[node.input[0]] * (2 if op == "Mul" else 1))


def old_hardmax(graph: onnx.GraphProto, opset: int) -> None:
    """Before version 13, Hardmax was over all dimensions from its axis on."""
    view = graphs.View(graph)
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        for entry in node.attribute:
            if entry.type == onnx.AttributeProto.GRAPH:
                old_hardmax(entry.g, opset)
        if node.op_type != "Hardmax" or node.domain not in ("", "ai.onnx") or opset >= 13:
            nodes.append(node)
            continue
        build = Builder(node, view)
        flat = build.add("Flatten", node.input[0], axis=graphs.attribute(node, "axis", 1))
        largest = build.add("Hardmax", flat, axis=1)
        nodes.extend(build.end("Reshape", largest, build.add("Shape", node.input[0])))
    del graph.node[:]
    graph.node.extend(nodes)


def _pool_ends(node: onnx.NodeProto, view: graphs.View) -> tuple[list[int], list[int]] | None:
    """Pads of a pooling: as given, and so that rounding down gives what ceil_mode asks for."""
    shape = view.shape(node.input[0])
    kernel = graphs.attribute(node, "kernel_shape")
    if shape is None or kernel is None or None in shape[2:]:
        return None
    rank = len(kernel)
    strides, dilations, pads = windows(node, rank)
    given = list(pads)
    if not graphs.attribute(node, "ceil_mode", 0):
        return given, pads
    for axis, size in enumerate(shape[2:]):
        window = (kernel[axis] - 1) * dilations[axis] + 1
        room = size + pads[axis] + pads[rank + axis] - window
        count = -(-room // strides[axis]) + 1
        # No window starts in the padding at the end.
        if (count - 1) * strides[axis] >= size + pads[axis]:
            count -= 1
        if room // strides[axis] + 1 != count:
            pads[rank + axis] = max(0, (count - 1) * strides[axis] + window - size - pads[axis])
    return given, pads


def round_down(graph: onnx.GraphProto) -> bool:
    """Replaces ceil_mode of poolings by pads; whether shapes are to be inferred anew, which is
    where ONNX's inference counts windows that start in the padding at the end."""
    view = graphs.View(graph)
    nodes: list[onnx.NodeProto] = []
    wrong = False
    for node in graph.node:
        with naming(node):
            new = None if wrong or node.domain not in ("", "ai.onnx") else _rounded_down(node, view)
        graphs.mark_origins(new or [], node)
        nodes.extend([node] if new is None else new)
        wrong = wrong or new is not None
    if wrong:
        del graph.node[:], graph.value_info[:]
        graph.node.extend(nodes)
        for value in graph.output:
            value.type.tensor_type.ClearField("shape")
    return wrong


def _rounded_down(node: onnx.NodeProto, view: graphs.View) -> Nodes:
    if not node.op_type.endswith("Pool") or not graphs.attribute(node, "ceil_mode", 0) \
            or graphs.attribute(node, "auto_pad", b"NOTSET") != b"NOTSET":
        return None
    ends = _pool_ends(node, view)
    if ends is None:
        return None
    given, pads = ends
    larger = any(new > old for old, new in zip(given, pads))
    if node.op_type == "AveragePool" and larger and graphs.attribute(node, "count_include_pad", 0):
        # The mean is over the padding that was given, not over what rounding up adds to it.
        build = Builder(node, view)
        rank = len(given) // 2
        given = [min(old, new) for old, new in zip(given, pads)]
        amounts = [0, 0, *given[:rank], 0, 0, *given[rank:]]
        padded = build.add("Pad", node.input[0], build.constant(amounts))
        new = changed(node, ceil_mode=None, count_include_pad=None,
                       pads=[new - old for old, new in zip(given, pads)])
        new.input[:] = [padded, *node.input[1:]]
        return [*build.nodes, new]
    return [changed(node, ceil_mode=None, pads=pads)]


def _indices(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Indices of a MaxPool count through all planes."""
    shape = view.shape(node.input[0])
    if len(node.output) < 2 or not node.output[1] or node.name.endswith(_IN_PLANE) \
            or graphs.attribute(node, "storage_order", 0) or shape is None or None in shape:
        return None
    new = changed(node)
    new.name += _IN_PLANE
    new.output[1] = view.fresh(f"{new.name}/indices")
    build.nodes.append(new)
    places, rank = new.output[1], len(shape) - 2
    _, _, pads = windows(node, rank)
    if pads[:rank] != pads[rank:]:
        places = _without_padding(build, places, shape[2:], pads)
    planes = np.arange(shape[0] * shape[1]).reshape(shape[:2] + [1] * (len(shape) - 2))
    starts = build.constant(planes * int(np.prod(shape[2:], dtype=np.int64)))
    return build.end("Add", places, starts, index=1)


def _without_padding(build: Builder, places: str, sizes: list[int], pads: list[int]) -> str:
    """Places in an image of those in the padded one, which torch-mlir makes where its padding
    differs between the two ends of a dimension."""
    rank = len(sizes)
    padded = [size + low + high for size, low, high in zip(sizes, pads[:rank], pads[rank:])]
    total = ""
    for dim in range(rank):
        step = build.constant(int(np.prod(padded[dim + 1:], dtype=np.int64)))
        at = build.add("Sub", build.add("Div", places, step), build.constant(pads[dim]))
        part = build.add("Mul", at, build.constant(int(np.prod(sizes[dim + 1:], dtype=np.int64))))
        total = build.add("Add", total, part) if total else part
        places = build.add("Mod", places, step)
    return total


def _lp_pool(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The root of a sum of powers, which is a mean times the size of the window."""
    ends = _pool_ends(node, view)
    dilations = graphs.attribute(node, "dilations", [1])
    if ends is None or any(one != 1 for one in dilations) \
            or view.element_type(node.input[0]) not in FLOATS:
        return None
    x, power = node.input[0], graphs.attribute(node, "p", 2)
    kernel = graphs.attribute(node, "kernel_shape")
    powers = build.add("Abs", x)
    if power != 1:
        powers = build.add("Pow", powers, build.scalar(power, x))
    mean = build.add("AveragePool", powers, kernel_shape=kernel, pads=ends[1], count_include_pad=1,
                     strides=graphs.attribute(node, "strides", [1] * len(kernel)))
    total = build.add("Mul", mean, build.scalar(int(np.prod(kernel)), x))
    return build.end("Pow", total, build.scalar(1 / power, x))


def _clip(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Comparisons, which are false for NaN, so that NaN stays."""
    x = node.input[0]
    bounds = [graphs.input_of(node, 1), graphs.input_of(node, 2)]
    if view.element_type(x) not in FLOATS or not any(bounds):
        return None
    for bound, compare in zip(bounds, ("Less", "Greater")):
        if bound:
            x = build.add("Where", build.add(compare, x, bound), bound, x)
    return build.end("Identity", x)


def _extremum(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The maximum or minimum, NaN if one of the operands is."""
    if view.element_type(node.input[0]) not in FLOATS or len(node.input) < 2:
        return None
    compare = "Greater" if node.op_type == "Max" else "Less"
    # A constant first: whether it is NaN is known.
    names = sorted(node.input, key=lambda name: view.array(name) is None)
    result = names[0]
    for index, other in enumerate(names[1:]):
        better = build.add(compare, result, other)
        known = view.array(result) if index == 0 else None
        if known is None or np.isnan(known.astype(np.float32)).any():
            better = build.add("Or", better, build.add("IsNaN", result))
        result = build.add("Where", better, result, other)
    return build.end("Identity", result)


def _sign(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    [x] = node.input
    if view.element_type(x) not in FLOATS:
        return None
    zero, one, minus = (build.scalar(value, x) for value in (0, 1, -1))
    negative = build.add("Where", build.add("Less", x, zero), minus, x)  # or zero, or NaN
    return build.end("Where", build.add("Greater", x, zero), one, negative)


def _equal(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """torch-mlir takes a value to be equal to itself, which NaN is not."""
    if node.input[0] != node.input[1] or view.element_type(node.input[0]) not in FLOATS:
        return None
    return build.end("Not", build.add("IsNaN", node.input[0]))


def _pow(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Powers of integers by squaring; torch-mlir computes them with f64."""
    base, power = node.input
    if view.element_type(base) not in _INTEGERS:
        return None
    if view.element_type(power) in FLOATS:
        known = view.array(power)
        if known is None or not np.all(known == np.floor(known)):
            root = build.add("Cast", base, to=TensorProto.FLOAT)
            exponent = build.add("Cast", power, to=TensorProto.FLOAT)
            return build.end("Cast", build.add("Pow", root, exponent), to=view.element_type(base))
    to = view.element_type(base)
    if view.element_type(power) != to:
        power = build.add("Cast", power, to=to)
    zero, one, two, sixty_two, limit = (build.scalar(value, base) for value in (0, 1, 2, 62, 64))
    # A negative power is 0 unless the base is 1 or -1; powers of 64 and more differ in parity.
    unit = build.add("Equal", build.add("Abs", base), one)
    stays = build.add("Or", unit, build.add("Not", build.add("Less", power, zero)))
    factor = build.add("Where", stays, base, zero)
    rest = build.add("Abs", power)
    parity = build.add("Add", build.add("Mod", rest, two), sixty_two)
    rest = build.add("Where", build.add("Less", rest, limit), rest, parity)
    result = one
    for bit in range(6):
        odd = build.add("Equal", build.add("Mod", rest, two), one)
        result = build.add("Mul", result, build.add("Where", odd, factor, one))
        if bit < 5:
            rest, factor = build.add("Div", rest, two), build.add("Mul", factor, factor)
    return build.end("Identity", result)


def _zero_point(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    shape = view.shape(node.input[1])
    if graphs.input_of(node, 2) or shape is None or None in shape:
        return None
    kind = graphs.attribute(node, "output_dtype", 0) or TensorProto.UINT8
    if node.op_type == "DequantizeLinear":
        kind = view.element_type(node.input[0])
    zero = build.constant(np.zeros(shape), helper.tensor_dtype_to_np_dtype(kind))
    new = changed(node)
    new.input[:] = [node.input[0], node.input[1], zero]
    return [*build.nodes, new]


def _slice(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The dimensions of a slice that names none but has steps; a slice that goes backwards from
    beyond the end starts at the last element."""
    starts, shape = view.shape(graphs.input_of(node, 1)), view.shape(node.input[0])
    given, axes, steps = (view.array(graphs.input_of(node, index)) for index in (1, 3, 4))
    if shape is not None and all(one is not None for one in (given, axes, steps)):
        sizes = [shape[int(axis)] for axis in axes]
        last = [size - 1 if size is not None and step < 0 and start >= size else start
                for size, start, step in zip(sizes, given, steps)]
        if not np.array_equal(last, given):
            new = changed(node)
            new.input[1] = build.constant(np.array(last, given.dtype))
            return [*build.nodes, new]
    if graphs.input_of(node, 3) or not graphs.input_of(node, 4) or not starts or starts[0] is None:
        return None
    new = changed(node)
    new.input[3] = build.constant(np.arange(starts[0]))
    return [*build.nodes, new]


def _resize(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A nearest neighbour of modes that torch-mlir does not have: elements at known places."""
    transform = graphs.attribute(node, "coordinate_transformation_mode", b"half_pixel")
    shape = view.shape(node.input[0])
    if shape is None \
            or graphs.attribute(node, "keep_aspect_ratio_policy", b"stretch") != b"stretch":
        return None
    scales, sizes = (view.array(graphs.input_of(node, index)) for index in (2, 3))
    axes = graphs.attribute(node, "axes", list(range(len(shape))))
    sized = sizes is not None and sizes.size
    given = sizes if sized else scales
    if given is None or given.size != len(axes) or any(shape[axis] is None for axis in axes):
        return None
    if transform == b"align_corners" and not sized:
        for axis, scale in zip(axes, given.astype(np.float32)):
            length = np.float32(shape[axis]) * scale
            if length != np.floor(length):
                raise Unsupported(
                    f"{named(node)} has corners aligned and a scale of {scale:g} for {shape[axis]} "
                    f"elements: the reference of ONNX places the last corner at {length:g} "
                    "elements, other runtimes at a whole number of them; give the sizes of the "
                    "result in place of scales")
    if graphs.attribute(node, "mode", b"nearest") != b"nearest" \
            or transform not in (b"align_corners", b"pytorch_half_pixel"):
        return None
    result = node.input[0]
    for axis, value in zip(axes, given):
        size = shape[axis]
        count = int(value) if sized else int(np.floor(np.float32(size) * np.float32(value)))
        scale = np.float32(count) / np.float32(size) if sized else np.float32(value)
        if count == size and scale == 1:
            continue
        places = _nearest(transform, graphs.attribute(node, "nearest_mode", b"round_prefer_floor"),
                          size, count, scale)
        result = build.add("Gather", result, build.constant(places), axis=axis)
    return build.end("Identity", result)


def _nearest(transform: bytes, rounding: bytes, size: int, count: int,
             scale: np.float32) -> np.ndarray:
    """The element that each of `count` results of a dimension takes."""
    out = np.arange(count, dtype=np.float32)
    if transform == b"align_corners":
        at = out * np.float32(size - 1) / np.float32(max(count - 1, 1))
    else:
        at = (out + np.float32(0.5)) / scale - np.float32(0.5) if count > 1 else out * 0
    rules: dict[bytes, Callable] = {
        b"floor": np.floor, b"ceil": np.ceil,
        b"round_prefer_floor": lambda x: np.ceil(x - np.float32(0.5)),
        b"round_prefer_ceil": lambda x: np.floor(x + np.float32(0.5))}
    return np.clip(rules[rounding](at), 0, size - 1)


def _transposed_convolution(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """All of the result, of which the part is taken that padding and sizes ask for."""
    shape, weights = view.shape(node.input[0]), view.shape(node.input[1])
    wanted = graphs.attribute(node, "output_shape")
    mode = graphs.attribute(node, "auto_pad", b"NOTSET")
    added = graphs.attribute(node, "output_padding")
    if not (wanted or mode != b"NOTSET" or any(added or [])) or shape is None \
            or weights is None or None in shape[2:] or None in weights:
        return None
    rank = len(shape) - 2
    added = added or [0] * rank
    strides, dilations, pads = windows(node, rank)
    starts, ends = [], []
    for axis in range(rank):
        full = (shape[2 + axis] - 1) * strides[axis] \
            + (weights[2 + axis] - 1) * dilations[axis] + 1
        if wanted or mode in (b"SAME_UPPER", b"SAME_LOWER"):
            size = wanted[len(wanted) - rank + axis] if wanted else shape[2 + axis] * strides[axis]
            total = max(0, full + added[axis] - size)
            start = total // 2 if mode == b"SAME_UPPER" else total - total // 2
        else:
            explicit = pads if mode == b"NOTSET" else [0] * (2 * rank)
            start = explicit[axis]
            size = full + added[axis] - start - explicit[rank + axis]
        starts.append(-start)
        ends.append(size - (full - start))
    new = changed(node, output_shape=None, auto_pad=None, output_padding=None, pads=None)
    new.input[:] = node.input[:2]
    new.output[:] = [view.fresh(f"{node.name}/full")]
    build.nodes.append(new)
    amounts = build.constant([0, 0, *starts, 0, 0, *ends])
    if not graphs.input_of(node, 2):
        return build.end("Pad", new.output[0], amounts)
    part = build.add("Pad", new.output[0], amounts)
    bias = build.add("Reshape", node.input[2], build.constant([1, -1] + [1] * rank))
    return build.end("Add", part, bias)


def _matmul(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A vector with a batch of matrices, or these with a vector."""
    ranks = [len(shape) if shape is not None else 0 for shape in map(view.shape, node.input)]
    if 1 not in ranks or max(ranks) < 3:
        return None
    first = ranks[0] == 1
    operands = list(node.input)
    operands[0 if first else 1] = build.add("Unsqueeze", operands[0 if first else 1],
                                            build.constant([0 if first else 1]))
    return build.end("Squeeze", build.add("MatMul", *operands),
                     build.constant([-2 if first else -1]))


def _optional_inputs(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A recurrent layer without lengths and peepholes that change nothing."""
    new = changed(node)
    shape = view.shape(node.input[0])
    lengths = view.array(graphs.input_of(node, 4))
    steps = shape[1 if graphs.attribute(node, "layout", 0) else 0] if shape else None
    if lengths is not None and steps is not None and np.all(lengths == steps):
        new.input[4] = ""
    peepholes = view.array(graphs.input_of(node, 7))
    if peepholes is not None and not peepholes.any():
        new.input[7] = ""
    return [new] if list(new.input) != list(node.input) else None


def _log_sum_exp(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """log(sum(exp(x - m))) + m for the largest element m, so that no exponential overflows."""
    alone = _reduce(node, view, build)
    if alone is not None or view.element_type(node.input[0]) not in FLOATS:
        return alone
    value, axes = node.input[0], graphs.input_of(node, 1)
    if axes and view.shape(axes) == [0]:
        axes = ""
    given = graphs.attribute(node, "axes")
    kept = {"keepdims": 1}
    largest = build.add("ReduceMax", value, *([axes] if axes else []), **kept,
                        **({"axes": given} if given else {}))
    # Of infinities, x - m is no number.
    largest = build.add("Where", build.add("IsInf", largest), build.scalar(0, value), largest)
    powers = build.add("Exp", build.add("Sub", value, largest))
    axes = axes or (build.constant(given) if given else "")
    sums = build.add("ReduceSum", powers, *([axes] if axes else []), **kept)
    if graphs.attribute(node, "keepdims", 1):
        return build.end("Add", build.add("Log", sums), largest)
    result = build.add("Add", build.add("Log", sums), largest)
    return build.end("Squeeze", result, *([axes] if axes else []))


def refuse(graph: onnx.GraphProto) -> None:
    """Refuses what is left and would give wrong values."""
    view = graphs.View(graph)
    for node in graph.node:
        if node.domain in ("", "ai.onnx"):
            with naming(node):
                _refuse_attributes(node, view)


def _refuse_attributes(node: onnx.NodeProto, view: graphs.View) -> None:
    what = named(node)
    if node.op_type == "Where" and node.name.endswith(graphs.OF_BRANCHES) and \
            view.sizes(node.input[1]) != view.sizes(node.input[2]):
        raise Unsupported(f"{what}: the branches of an If give results of different sizes, "
                          "which depends on data; make both of one size in the model")
    if node.op_type == "LRN" and graphs.attribute(node, "size", 1) % 2 == 0:
        raise Unsupported(f"{what} has an even size, whose window torch-mlir puts elsewhere; "
                          "use an odd one")
    if node.op_type in ("LSTM", "GRU", "RNN"):
        for name in graphs.attribute(node, "activations", []):
            if name.decode() not in ("Sigmoid", "Tanh", "Relu"):
                raise Unsupported(f"{what} has the activation {name.decode()}, of which "
                                  "torch-mlir makes Relu; use Sigmoid, Tanh or Relu, or write "
                                  "the layer as a Scan")
        if graphs.attribute(node, "clip") is not None:
            raise Unsupported(f"{what} has clip, which torch-mlir ignores; write the layer "
                              "as a Scan")
        if graphs.input_of(node, 4):
            raise Unsupported(f"{what} has sequence_lens other than the length of the whole "
                              "sequence, which torch-mlir ignores; mask the results instead")
        if graphs.input_of(node, 7):
            raise Unsupported(f"{what} has peepholes (input P), which torch-mlir ignores; "
                              "write the layer as a Scan")
    if node.op_type == "MaxPool" and len(node.output) > 1 and node.output[1] \
            and not node.name.endswith(_IN_PLANE):
        raise Unsupported(f"{what}: indices need storage_order 0 and sizes that are known; fix "
                          "the sizes with sizes=")
    if graphs.attribute(node, "ceil_mode", 0) and any(graphs.attribute(node, "pads", [])):
        raise Unsupported(f"{what}: ceil_mode with pads needs sizes that are known; fix the "
                          "sizes with sizes=")


RULES: Rules = {
    "Gemm": _gemm, "MaxPool": _indices, "LpPool": _lp_pool, "Clip": _clip,
    "Max": _extremum, "Min": _extremum, "Sign": _sign, "Equal": _equal, "Pow": _pow,
    "QuantizeLinear": _zero_point, "DequantizeLinear": _zero_point, "Slice": _slice,
    "Resize": _resize, "ConvTranspose": _transposed_convolution, "MatMul": _matmul,
    "LSTM": _optional_inputs, "GRU": _optional_inputs, "RNN": _optional_inputs,
    "ReduceLogSumExp": _log_sum_exp,
    **{f"Reduce{kind}": _reduce for kind in ("L1", "L2", "LogSum", "Max", "Mean", "Min", "Prod",
                                             "Sum", "SumSquare")},
}
