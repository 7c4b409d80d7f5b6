# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms as products with matrices of cosines and sines."""

import numpy as np
import onnx
from onnx import helper

from . import graphs
from .build import Builder, Nodes, Rules, Unsupported, dtype_of, known_shape, named

# A matrix of a longer transform has more than 16 million elements.
MAX_LENGTH = 4096


def _matrices(rows: int, columns: int, length: int, sign: int) -> tuple[np.ndarray, np.ndarray]:
    """cos and sin of sign * 2 pi k n / length, [n, k]; products are reduced before they are
    rounded, so that long transforms are as exact as short ones."""
    turns = np.outer(np.arange(rows), np.arange(columns)) % length
    angles = sign * 2 * np.pi * turns / length
    return np.cos(angles), np.sin(angles)


def _transform(build: Builder, x: str, is_complex: bool, rows: int, length: int, bins: int,
               inverse: bool, dtype: np.dtype) -> tuple[str, str]:
    """Real and imaginary part along the last dimension of x, [..., rows, 1 or 2] with `rows`
    elements that are there (others are 0) and `bins` results."""
    cos, sin = (build.constant(part / (length if inverse else 1), dtype)
                for part in _matrices(rows, bins, length, 1 if inverse else -1))
    rank_end = build.constant([-1])
    parts = [build.add("Squeeze", build.slice(x, -1, index, index + 1), rank_end)
             for index in range(2 if is_complex else 1)]
    real, imaginary = (build.add("MatMul", parts[0], table) for table in (cos, sin))
    if is_complex:
        real = build.add("Sub", real, build.add("MatMul", parts[1], sin))
        imaginary = build.add("Add", imaginary, build.add("MatMul", parts[1], cos))
    return real, imaginary


def _both(build: Builder, real: str, imaginary: str) -> str:
    end = build.constant([-1])
    return build.add("Concat", *(build.add("Unsqueeze", part, end) for part in (real, imaginary)),
                     axis=-1)


def _check(node: onnx.NodeProto, length: int) -> None:
    if not 0 < length <= MAX_LENGTH:
        raise Unsupported(f"{named(node)} has {length} elements; transforms of 1 to {MAX_LENGTH} "
                          "are converted: compute it on the host")


def name_axes(graph: onnx.GraphProto, opset: int) -> None:
    """Before version 20, the axis of a DFT is an attribute that is 1 if it is left out."""
    for node in graph.node:
        if node.op_type == "DFT" and opset < 20 and graphs.attribute(node, "axis") is None:
            node.attribute.append(helper.make_attribute("axis", 1))


def _dft(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    x = node.input[0]
    shape = known_shape(view, x)
    lengths, axes = (graphs.input_of(node, index) for index in (1, 2))
    if shape is None or any(name and view.array(name) is None for name in (lengths, axes)):
        return None
    inverse, onesided = (graphs.attribute(node, key, 0) for key in ("inverse", "onesided"))
    rank = len(shape)
    axis = int(view.array(axes).reshape(-1)[0]) if axes else graphs.attribute(node, "axis", -2)
    axis %= rank
    size = shape[axis]
    back = inverse and onesided  # from half of a spectrum to real numbers
    length = int(view.array(lengths).reshape(-1)[0]) if lengths else \
        2 * (size - 1) if back else size
    _check(node, length)
    # The transformed dimension, then real and imaginary part, are the last ones.
    order = [*(dim for dim in range(rank - 1) if dim != axis), axis, rank - 1]
    value = build.add("Transpose", x, perm=order)
    rows = min(size, length // 2 + 1 if back else length)
    if rows < size:
        value = build.slice(value, -2, 0, rows)
    is_complex = shape[-1] == 2
    if back:
        result = _to_real(build, value, is_complex, rows, length, dtype_of(view, x))
    else:
        bins = length // 2 + 1 if onesided else length
        result = _both(build, *_transform(build, value, is_complex, rows, length, bins,
                                          bool(inverse), dtype_of(view, x)))
    return build.end("Transpose", result, perm=list(np.argsort(order)))


def _to_real(build: Builder, value: str, is_complex: bool, rows: int, length: int,
             dtype: np.dtype) -> str:
    """Real numbers of half a spectrum: bins that have a conjugate count twice."""
    cos, sin = _matrices(rows, length, length, 1)
    twice = np.where((np.arange(rows) == 0) | (2 * np.arange(rows) == length), 1, 2)[:, None]
    tables = [build.constant(table * twice / length, dtype) for table in (cos, sin)]
    end = build.constant([-1])
    parts = [build.add("MatMul", build.add("Squeeze", build.slice(value, -1, i, i + 1), end), table)
             for i, table in enumerate(tables[:2 if is_complex else 1])]
    real = build.add("Sub", *parts) if is_complex else parts[0]
    return build.add("Unsqueeze", real, end)


def _stft(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    """A transform of each frame of a signal, [batch, length, 1 or 2], times a window."""
    x, window, lengths = (graphs.input_of(node, index) for index in (0, 2, 3))
    shape, step = known_shape(view, x), view.array(node.input[1])
    wide = known_shape(view, window) if window else None
    if shape is None or step is None or window and wide is None \
            or lengths and view.array(lengths) is None:
        return None
    length = int(view.array(lengths).reshape(-1)[0]) if lengths else \
        wide[0] if wide else shape[1]
    _check(node, length)
    hop = int(step.reshape(-1)[0])
    starts = np.arange(0, shape[1] - length + 1, hop)
    places = build.constant(starts[:, None] + np.arange(length)[None, :])
    frames = build.add("Gather", x, places, axis=1)
    if window:
        frames = build.add("Mul", frames, build.reshape(window, [-1, 1]))
    bins = length // 2 + 1 if graphs.attribute(node, "onesided", 1) else length
    real, imaginary = _transform(build, frames, len(shape) == 3 and shape[2] == 2, length, length,
                                 bins, False, dtype_of(view, x))
    return build.end("Identity", _both(build, real, imaginary))


RULES: Rules = {"DFT": _dft, "STFT": _stft}
