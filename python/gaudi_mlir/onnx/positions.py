# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that put elements to other places, where torch-mlir has another rule or none."""
import itertools

import numpy as np
import onnx

from . import budget, graphs
from .build import Builder, Nodes, Rules, Unsupported, changed, known_shape, named, text_of, windows


def _blocks(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """DepthToSpace and SpaceToDepth: a block of an image as channels, which count before (CRD) or
    after (DCR) the positions in the block."""
    shape = view.shape(node.input[0])
    block = graphs.attribute(node, "blocksize")
    if shape is None or len(shape) != 4 or None in shape[1:]:
        raise Unsupported(f"{named(node)} needs channels and sizes that are known; fix them with "
                          "sizes=")
    batch, channels, height, width = shape
    batch = -1 if batch is None else batch
    first = text_of(node, "mode", "DCR") == "CRD"
    if node.op_type == "DepthToSpace":
        rest = channels // (block * block)
        parts = [rest, block, block] if first else [block, block, rest]
        value = build.reshape(node.input[0], [batch, *parts, height, width])
        order = [0, 1, 4, 2, 5, 3] if first else [0, 3, 4, 1, 5, 2]
        result = [batch, rest, height * block, width * block]
    else:
        value = build.reshape(node.input[0], [batch, channels, height // block, block,
                                              width // block, block])
        order = [0, 1, 3, 5, 2, 4] if first else [0, 3, 5, 1, 2, 4]
        result = [batch, channels * block * block, height // block, width // block]
    value = build.add("Transpose", value, perm=order)
    return build.end("Reshape", value, build.constant(result))


def _pad(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    mode = text_of(node, "mode", "constant")
    return _wrap(node, view, build) if mode == "wrap" else \
        _crop(node, view, build) if mode == "constant" else None


def _crop(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Negative pads as a slice of what they leave; torch-mlir drops a Pad whose result has the
    shape of its operand, as one that shifts the elements has."""
    pads, axes = (view.array(graphs.input_of(node, index)) for index in (1, 3))
    if pads is None or np.all(pads >= 0):
        return None
    if graphs.input_of(node, 3) and axes is None:
        return None
    half = len(pads) // 2
    axes = np.arange(half) if axes is None else axes
    starts, cut = np.maximum(-pads[:half], 0), np.maximum(-pads[half:], 0)
    shape = view.shape(node.input[0])
    for axis, start, end in zip(axes, starts, cut):
        size = shape[int(axis)] if shape is not None else None
        if size is not None and (start or end) and start + end >= size:
            raise Unsupported(f"{named(node)} cuts {start} and {end} of the {size} elements of "
                              f"dimension {int(axis) % len(shape)}, which leaves none; write the "
                              "result as a constant")
    ends = np.where(cut > 0, -cut, np.iinfo(np.int64).max)
    rest = build.add("Slice", node.input[0], build.constant(starts), build.constant(ends),
                     build.constant(axes))
    new = changed(node)
    new.input[0], new.input[1] = rest, build.constant(np.maximum(pads, 0))
    return [*build.nodes, new]


def _wrap(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Padding by the other end of each dimension, as elements at known places."""
    shape, pads = known_shape(view, node.input[0]), view.array(graphs.input_of(node, 1))
    axes = view.array(graphs.input_of(node, 3))
    if shape is None or pads is None or graphs.input_of(node, 3) and axes is None:
        return None
    dims = range(len(shape)) if axes is None else [int(axis) % len(shape) for axis in axes]
    half = len(pads) // 2
    value = node.input[0]
    for dim, low, high in zip(dims, pads[:half], pads[half:]):
        if low or high:
            budget.check_padding(named(node), shape, dim, int(low) + int(high))
            # What negative pads leave is what repeats.
            first, last = max(0, -int(low)), shape[dim] - max(0, -int(high))
            if last <= first:
                raise Unsupported(f"{named(node)}: negative pads leave nothing of dimension {dim} "
                                  "that could be repeated; pad by less, or write the result as a "
                                  "constant")
            places = first + np.arange(-max(int(low), 0), last - first + max(int(high), 0)) \
                % (last - first)
            value = build.add("Gather", value, build.constant(places), axis=dim)
    return build.end("Identity", value)


def _reverse_sequence(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Step t of a sequence of n steps is step n - 1 - t; later ones stay."""
    shape = known_shape(view, node.input[0])
    if shape is None:
        return None
    batch, time = graphs.attribute(node, "batch_axis", 1), graphs.attribute(node, "time_axis", 0)

    def along(axis: int) -> list[int]:
        return [-1 if dim == axis else 1 for dim in range(len(shape))]

    steps = build.constant(np.arange(shape[time]).reshape(along(time)))
    lengths = build.reshape(node.input[1], along(batch))
    last = build.add("Sub", lengths, build.constant(1))
    places = build.add("Where", build.add("Less", steps, lengths),
                       build.add("Sub", last, steps), steps)
    places = build.add("Expand", places, build.constant(shape))
    return build.end("GatherElements", node.input[0], places, axis=time)


def _compress(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Elements that a constant chooses."""
    chosen, axis = view.array(node.input[1]), graphs.attribute(node, "axis")
    if chosen is None:
        return None
    value = node.input[0]
    if axis is None:
        value, axis = build.reshape(value, [-1]), 0
    return build.end("Gather", value, build.constant(np.flatnonzero(chosen)), axis=axis)


def _max_unpool(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """Elements at their places in an image of zeros; a larger `output_shape` adds zeros."""
    shape, wanted = known_shape(view, node.input[0]), graphs.input_of(node, 2)
    given = view.array(wanted)
    if shape is None or wanted and given is None:
        return None
    kernel = graphs.attribute(node, "kernel_shape")
    rank = len(kernel)
    strides, _, pads = windows(node, rank)
    sizes = [(size - 1) * stride - low - high + window for size, stride, low, high, window
             in zip(shape[2:], strides, pads[:rank], pads[rank:], kernel)]
    image = [*shape[:2], *sizes]
    zeros = build.add("Expand", build.scalar(0, node.input[0]),
                      build.constant([int(np.prod(image, dtype=np.int64))]))
    places, values = (build.reshape(name, [-1]) for name in node.input[:2][::-1])
    flat = build.add("ScatterElements", zeros, places, values, axis=0)
    whole = build.reshape(flat, image)
    if given is None:
        return build.end("Identity", whole)
    more = [int(want) - have for want, have in zip(given, image)]
    return build.end("Pad", whole, build.constant([0] * len(image) + more))


def _columns_to_image(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """The sum of what each element of a block adds to an image: the positions of the block, apart
    by the strides, from the place of that element on."""
    shape = known_shape(view, node.input[0])
    image, block = (view.array(name) for name in node.input[1:3])
    if shape is None or image is None or block is None:
        return None
    image, block = ([int(size) for size in sizes] for sizes in (image, block))
    rank = len(image)
    strides, dilations, pads = windows(node, rank)
    padded = [size + low + high for size, low, high in zip(image, pads[:rank], pads[rank:])]
    counts = [(size - dilation * (window - 1) - 1) // stride + 1 for size, dilation, window, stride
              in zip(padded, dilations, block, strides)]
    channels = shape[1] // int(np.prod(block))
    columns = build.reshape(node.input[0], [shape[0] * channels, int(np.prod(block)), *counts])
    total = ""
    for number, place in enumerate(itertools.product(*map(range, block))):
        part = build.add("Gather", columns, build.constant(number), axis=1)
        for dim, (count, stride) in enumerate(zip(counts, strides), 1):
            part = _spread(build, part, [shape[0] * channels, *counts], dim, stride)
            counts = [*counts[:dim - 1], (count - 1) * stride + 1, *counts[dim:]]
        low = [offset * dilation for offset, dilation in zip(place, dilations)]
        high = [size - count - start for size, count, start in zip(padded, counts, low)]
        part = build.pad(part, [0, *low], [0, *high])
        total = build.add("Add", total, part) if total else part
        counts = [(count - 1) // stride + 1 for count, stride in zip(counts, strides)]
    for dim, (low, size) in enumerate(zip(pads[:rank], image), 1):
        if padded[dim - 1] != size:
            total = build.slice(total, dim, low, low + size)
    return build.end("Reshape", total, build.constant([shape[0], channels, *image]))


def _spread(build: Builder, value: str, shape: list[int], dim: int, stride: int) -> str:
    """stride - 1 zeros after each element of a dimension but the last."""
    if stride == 1:
        return value
    apart = build.add("Unsqueeze", value, build.constant([dim + 1]))
    more = [0] * (len(shape) + 1)
    more[dim + 1] = stride - 1
    apart = build.pad(apart, [0] * (len(shape) + 1), more)
    whole = build.reshape(apart, [*shape[:dim], shape[dim] * stride, *shape[dim + 1:]])
    return build.slice(whole, dim, 0, (shape[dim] - 1) * stride + 1)


RULES: Rules = {
    "DepthToSpace": _blocks, "SpaceToDepth": _blocks, "Pad": _pad,
    "ReverseSequence": _reverse_sequence, "Compress": _compress, "MaxUnpool": _max_unpool,
    "Col2Im": _columns_to_image,
}
