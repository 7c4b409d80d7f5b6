# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs that measure the tools: launch, start, load, compile time."""
import numpy as np

from . import layers
from .numbers import normal, rng
from .tosa import Module


class Chain:
    """Steps `y = x - max(x, axis)` with the axis in turn: a reduction over all
    that the step before wrote cannot be one kernel with it."""

    def __init__(self, steps=1000, rows=4, columns=8, dtype="f32"):
        self.steps, self.rows, self.columns, self.dtype = steps, rows, columns, dtype

    def inputs(self):
        return {"x": rng("chain").standard_normal((self.rows, self.columns), dtype=np.float32)}

    def module(self, dialect=Module):
        m = dialect("main")
        x = m.input("x", (self.rows, self.columns), self.dtype)
        for i in range(self.steps):
            x = m.sub(x, m.reduce("max", x, i % 2))
        m.output(x)
        return m

    def eager(self, torch):
        def run(x):
            for i in range(self.steps):
                x = x - torch.amax(x, i % 2, keepdim=True)
            return (x,)
        return run

    def onnx(self, g):
        x = g.input("x", self.inputs()["x"])
        for i in range(self.steps):
            x = g.op("Sub", x, g.op("ReduceMax", x, np.array([i % 2], np.int64), keepdims=1))
        g.output(x)


class Dense:
    """Layers of `x @ W`, nothing else: constants in plenty."""

    def __init__(self, layers=100, hidden=1024, rows=8, dtype="f32"):
        self.layers, self.hidden, self.rows, self.dtype = layers, hidden, rows, dtype

    def inputs(self):
        return {"x": rng("dense").standard_normal((self.rows, self.hidden), dtype=np.float32)}

    def module(self, dialect=Module):
        m = dialect("main")
        x = m.input("x", (self.rows, self.hidden), self.dtype)
        for i in range(self.layers):
            weight = normal("dense.%d" % i, (self.hidden, self.hidden), self.hidden ** -0.5)
            x = layers.linear(m, x, weight, transposed=False)
        m.output(x)
        return m


class Scaling:
    """About `ops` ops with the proportions of a transformer, no weights in the
    file: small matrix products with biases, norms, softmax, GELU, residuals."""

    def __init__(self, ops=1000, rows=16, hidden=32, dtype="f32"):
        self.ops, self.rows, self.hidden, self.dtype = ops, rows, hidden, dtype

    def inputs(self):
        shape = (self.rows, self.hidden)
        return {"x": rng("scaling").standard_normal(shape, dtype=np.float32),
                "w": rng("scaling.w").standard_normal((self.hidden, self.hidden), dtype=np.float32) / 6}

    def module(self, dialect=Module):
        m = dialect("main")
        n = self.hidden
        x = m.input("x", (self.rows, n), self.dtype)
        w = m.input("w", (n, n), self.dtype)
        ones, zeros = np.linspace(0.9, 1.1, n), np.linspace(-0.1, 0.1, n)

        def dense(v):
            y = m.matmul(m.reshape(v, (1, self.rows, n)), m.reshape(w, (1, n, n)))
            return m.add(m.reshape(y, (self.rows, n)), m.constant(zeros, self.dtype))

        while m.count() < self.ops:
            y = layers.layer_norm(m, x, ones, zeros, 1e-5)
            y = layers.softmax(m, dense(y))
            x = m.add(x, dense(y))
            x = m.add(x, dense(layers.gelu_erf(m, dense(x))))
        m.output(x)
        return m
