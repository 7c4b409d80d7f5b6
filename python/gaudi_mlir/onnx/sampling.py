# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GridSample: elements of an image at places that are computed, and what lies between them."""
import itertools

import numpy as np
import onnx
from onnx import TensorProto

from . import graphs
from .build import Builder, Nodes, Rules, Unsupported, known_shape, named, text_of

# The constant of the cubic convolution that ONNX prescribes.
ALPHA = -0.75


class _Sampler:
    """The places of a grid in each dimension of an image, [batch, places] in f32, and the elements
    there. Formulas of coordinates are those of PyTorch's grid_sample, which ONNX adopts."""

    def __init__(self, build: Builder, shape: list[int], places: int, aligned: bool,
                 padding: str) -> None:
        self.build, self.shape, self.sizes = build, shape, shape[2:]
        self.places, self.aligned, self.padding = places, aligned, padding
        self.flat = ""
        self.numbers: dict[float, str] = {}

    def number(self, value: float) -> str:
        if value not in self.numbers:
            self.numbers[value] = self.build.constant(value, np.float32)
        return self.numbers[value]

    def op(self, op: str, *operands: str | float) -> str:
        return self.build.add(op, *(value if isinstance(value, str) else self.number(value)
                                    for value in operands))

    def clamp(self, value: str, low: float, high: float) -> str:
        return self.op("Min", self.op("Max", value, low), high)

    def limits(self, dim: int) -> tuple[float, float]:
        """Where an image begins and ends."""
        size = self.sizes[dim]
        return (0, size - 1) if self.aligned else (-0.5, size - 0.5)

    def reflected(self, x: str, dim: int) -> str:
        """x inside the image, reflected at its ends as often as it takes."""
        low, high = self.limits(dim)
        width = high - low
        if width <= 0:  # of one element, whose ends are one place
            return self.op("Mul", x, 0.0)
        away = self.op("Abs", self.op("Sub", x, low))
        turns = self.op("Floor", self.op("Div", away, width))
        rest = self.op("Sub", away, self.op("Mul", turns, width))
        odd = self.op("Sub", turns, self.op("Mul", self.op("Floor", self.op("Mul", turns, 0.5)),
                                            2.0))
        back = self.op("Sub", width, rest)
        inside = self.op("Where", self.op("Greater", odd, 0.5), back, rest)
        # What is inside already stays as it is.
        within = self.op("And", self.op("GreaterOrEqual", x, low), self.op("LessOrEqual", x, high))
        return self.op("Where", within, x, self.op("Add", inside, low))

    def coordinate(self, grid: str, dim: int, mode: str) -> str:
        """The place in dimension `dim`; a grid counts dimensions from the last one."""
        build, size = self.build, self.sizes[dim]
        index = len(self.sizes) - 1 - dim
        x = build.add("Squeeze", build.slice(grid, 2, index, index + 1), build.constant([2]))
        one = self.op("Add", x, 1.0)
        if self.aligned:
            x = self.op("Mul", self.op("Div", one, 2.0), float(size - 1))
        else:
            x = self.op("Div", self.op("Sub", self.op("Mul", one, float(size)), 1.0), 2.0)
        if mode == "nearest":
            x = self.op("Round", x)  # halves to even
        if self.padding == "border" and mode != "cubic":
            return self.clamp(x, 0.0, float(size - 1))
        if self.padding == "reflection":
            return self.reflected(x, dim)
        # Farther away all elements are one, and integers hold the place. A cubic goes on beyond the
        # border, as in PyTorch and ONNX Runtime.
        return self.clamp(x, -4.0, float(size + 4))

    def element(self, image: str, places: list[str]) -> str:
        """The elements at whole places, one list of them per dimension: [batch, channels, places],
        zero outside where padding is."""
        build = self.build
        index, inside = "", ""
        stride = int(np.prod(self.sizes))
        for dim, (x, size) in enumerate(zip(places, self.sizes)):
            stride //= size
            if self.padding == "zeros":
                one = build.add("And", self.op("Greater", x, -0.5),
                                self.op("Less", x, size - 0.5))
                inside = build.add("And", inside, one) if inside else one
            elif self.padding == "reflection":
                x = self.op("Floor", self.clamp(self.reflected(x, dim), 0.0, float(size - 1)))
            x = self.clamp(x, 0.0, float(size - 1))
            part = build.cast(x, TensorProto.INT64)
            part = build.add("Mul", part, build.constant(stride)) if stride > 1 else part
            index = build.add("Add", index, part) if index else part
        batch, channels = self.shape[:2]
        index = build.add("Expand", build.reshape(index, [batch, 1, self.places]),
                          build.constant([batch, channels, self.places]))
        self.flat = self.flat or build.reshape(image, [batch, channels, -1])
        value = build.add("GatherElements", self.flat, index, axis=2)
        if not inside:
            return value
        inside = build.reshape(inside, [batch, 1, self.places])
        return self.op("Where", inside, value, 0.0)

    def weights(self, x: str, mode: str) -> list[tuple[int, str]]:
        """How far from the floor of a place the elements are that count, and how much they do."""
        rest = self.op("Sub", x, self.op("Floor", x))
        if mode == "linear":
            return [(0, self.op("Sub", 1.0, rest)), (1, rest)]
        far = self.op("Sub", 1.0, rest)
        return [(-1, self.outer(self.op("Add", rest, 1.0))), (0, self.inner(rest)),
                (1, self.inner(far)), (2, self.outer(self.op("Add", far, 1.0)))]

    def polynomial(self, x: str, *factors: float) -> str:
        """By Horner's rule, the highest power first."""
        result = self.op("Mul", x, factors[0])
        for factor in factors[1:-1]:
            result = self.op("Mul", self.op("Add", result, factor), x)
        return self.op("Add", result, factors[-1])

    def inner(self, x: str) -> str:
        """Of distances up to 1; R. Keys, "Cubic convolution interpolation" (1981)."""
        return self.polynomial(x, ALPHA + 2, -(ALPHA + 3), 0.0, 1.0)

    def outer(self, x: str) -> str:
        """Of distances from 1 to 2."""
        return self.polynomial(x, ALPHA, -5 * ALPHA, 8 * ALPHA, -4 * ALPHA)


_MODES = {"nearest": "nearest", "linear": "linear", "bilinear": "linear", "cubic": "cubic",
          "bicubic": "cubic"}


def _grid_sample(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    image, grid = node.input
    shape, wanted = known_shape(view, image), known_shape(view, grid)
    if shape is None or wanted is None:
        raise Unsupported(f"{named(node)} needs sizes that are known; fix them with sizes=")
    kind = view.element_type(image)
    mode = _MODES[text_of(node, "mode", "linear")]
    places = int(np.prod(wanted[1:-1], dtype=np.int64))
    sampler = _Sampler(build, shape, places, bool(graphs.attribute(node, "align_corners", 0)),
                       text_of(node, "padding_mode", "zeros"))
    # In f32: places of f16 are few.
    if kind != TensorProto.FLOAT:
        image = build.cast(image, TensorProto.FLOAT)
    if view.element_type(grid) != TensorProto.FLOAT:
        grid = build.cast(grid, TensorProto.FLOAT)
    grid = build.reshape(grid, [wanted[0], places, wanted[-1]])
    at = [sampler.coordinate(grid, dim, mode) for dim in range(len(shape) - 2)]
    if mode == "nearest":
        total = sampler.element(image, at)
    else:
        floors = [sampler.op("Floor", x) for x in at]
        choices = [sampler.weights(x, mode) for x in at]
        total = ""
        for choice in itertools.product(*choices):
            corner = [sampler.op("Add", floor, float(offset)) if offset else floor
                      for floor, (offset, _) in zip(floors, choice)]
            share = choice[0][1]
            for _, other in choice[1:]:
                share = build.add("Mul", share, other)
            share = build.reshape(share, [shape[0], 1, places])
            part = build.add("Mul", sampler.element(image, corner), share)
            total = build.add("Add", total, part) if total else part
    if kind != TensorProto.FLOAT:
        total = build.cast(total, kind)
    return build.end("Reshape", total, build.constant([*shape[:2], *wanted[1:-1]]))


RULES: Rules = {"GridSample": _grid_sample}
