"""Kernels that move memory: 64 MB in and 64 MB out as f32."""
import numpy as np

from . import layers
from .numbers import normal, rng, rounded
from .tosa import Module


class Stream:
    def __init__(self, rows=16384, columns=1024, dtype="f32"):
        self.rows, self.columns, self.dtype = rows, columns, dtype

    def weights(self):
        return {name: rounded(normal("stream." + name, (self.columns,), 0.1, mean), self.dtype)
                for name, mean in (("scale", 1.0), ("bias", 0.0))}

    def inputs(self):
        shape = (self.rows, self.columns)
        return {"x": rounded(rng("stream.x").standard_normal(shape, dtype=np.float32), self.dtype)}

    def bytes(self):
        return 2 * self.rows * self.columns * (4 if self.dtype == "f32" else 2)

    def module(self, dialect=Module):
        m = dialect("main")
        x = m.input("x", (self.rows, self.columns), self.dtype)
        m.output(self.body(m, x, self.weights()))
        return m

    def tensors(self, torch):
        kind = torch.float32 if self.dtype == "f32" else torch.bfloat16
        return {name: torch.from_numpy(array).to(kind) for name, array in self.weights().items()}


class Cluster(Stream):
    """Bias, scale, hard swish and a residual sum."""

    def body(self, m, x, w):
        bias, scale = (m.constant(w[name].reshape(1, -1), self.dtype) for name in ("bias", "scale"))
        y = m.mul(m.add(x, bias), scale)
        gate = m.mul(m.clamp(m.add(y, 3.0), 0.0, 6.0), 1 / 6)
        return m.add(m.mul(y, gate), x)

    def eager(self, torch):
        w = self.tensors(torch)

        def run(x):
            return (torch.nn.functional.hardswish((x + w["bias"]) * w["scale"]) + x,)
        return run

    def onnx(self, g):
        w, x = self.weights(), g.input("x", self.inputs()["x"])
        y = g.op("Mul", g.op("Add", x, w["bias"]), w["scale"])
        g.output(g.op("Add", g.op("HardSwish", y), x))


class Softmax(Stream):
    def body(self, m, x, w):
        return layers.softmax(m, x)

    def eager(self, torch):
        return lambda x: (torch.softmax(x, 1),)

    def onnx(self, g):
        g.output(g.op("Softmax", g.input("x", self.inputs()["x"]), axis=-1))


class LayerNorm(Stream):
    def body(self, m, x, w):
        return layers.layer_norm(m, x, w["scale"], w["bias"], 1e-5)

    def eager(self, torch):
        w = self.tensors(torch)
        return lambda x: (torch.nn.functional.layer_norm(x, (self.columns,), w["scale"], w["bias"], 1e-5),)

    def onnx(self, g):
        w = self.weights()
        g.output(g.norm(g.input("x", self.inputs()["x"]), w["scale"], w["bias"], 1e-5))
