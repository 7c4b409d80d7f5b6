# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that move memory: by default 64 MB in and 64 MB out as f32."""
import numpy as np

from . import layers
from .numbers import TORCH, normal, rng, rounded
from .tosa import Module


SIZES = {"f32": 4, "bf16": 2, "f16": 2, "f8E4M3FN": 1}


class Stream:
    """Several rows of 1,024 elements. 8-bit floats are computed in f32: no dialect computes in
    them."""

    types = tuple(SIZES)
    distinct = 16384  # rows; more repeat them

    def __init__(self, rows=16384, columns=1024, dtype="f32"):
        self.rows, self.columns, self.dtype = rows, columns, dtype

    def weights(self):
        return {name: rounded(normal("stream." + name, (self.columns,), 0.1, mean), self.dtype)
                for name, mean in (("scale", 1.0), ("bias", 0.0))}

    def inputs(self):
        shape = (min(self.rows, self.distinct), self.columns)
        x = rounded(rng("stream.x").standard_normal(shape, dtype=np.float32), self.dtype)
        return {"x": x if len(x) == self.rows else np.resize(x, (self.rows, self.columns))}

    def bytes(self):
        return 2 * self.rows * self.columns * SIZES[self.dtype]

    def computed_in(self):
        return "f32" if SIZES[self.dtype] == 1 else self.dtype

    def module(self, dialect=Module):
        m = dialect("main")
        x = m.input("x", (self.rows, self.columns), self.dtype)
        m.output(m.cast(self.body(m, m.cast(x, self.computed_in()), self.weights()), self.dtype))
        return m

    def eager(self, torch):
        own, used = (getattr(torch, TORCH[dtype]) for dtype in (self.dtype, self.computed_in()))
        compute = self.function(torch, {name: torch.from_numpy(array).to(used)
                                        for name, array in self.weights().items()})
        return lambda x: (compute(x.to(used)).to(own),)


class Cluster(Stream):
    """Bias, scale, hard swish and a residual sum."""

    def body(self, m, x, w):
        bias, scale = (m.constant(w[name].reshape(1, -1), x.element) for name in ("bias", "scale"))
        y = m.mul(m.add(x, bias), scale)
        gate = m.mul(m.clamp(m.add(y, 3.0), 0.0, 6.0), 1 / 6)
        return m.add(m.mul(y, gate), x)

    def function(self, torch, w):
        return lambda x: torch.nn.functional.hardswish((x + w["bias"]) * w["scale"]) + x

    def onnx(self, g):
        w, x = self.weights(), g.input("x", self.inputs()["x"])
        y = g.op("Mul", g.op("Add", x, w["bias"]), w["scale"])
        g.output(g.op("Add", g.op("HardSwish", y), x))


class Softmax(Stream):
    def body(self, m, x, w):
        return layers.softmax(m, x)

    def function(self, torch, w):
        return lambda x: torch.softmax(x, 1)

    def onnx(self, g):
        g.output(g.op("Softmax", g.input("x", self.inputs()["x"]), axis=-1))


class LayerNorm(Stream):
    def body(self, m, x, w):
        return layers.layer_norm(m, x, w["scale"], w["bias"], 1e-5)

    def function(self, torch, w):
        return lambda x: torch.nn.functional.layer_norm(x, (self.columns,), w["scale"], w["bias"], 1e-5)

    def onnx(self, g):
        w = self.weights()
        g.output(g.norm(g.input("x", self.inputs()["x"]), w["scale"], w["bias"], 1e-5))
