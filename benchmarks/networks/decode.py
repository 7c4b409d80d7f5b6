# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A decode step of a Llama: one token per sequence against cached keys and values. It reads every
weight once, so memory bounds it."""
import numpy as np

from . import layers
from .llama import EPSILON, SIZE
from .numbers import TORCH, normal, rng, rounded
from .tosa import Module


class LlamaDecode:
    """The heads of a group are rows of one product, so nothing is repeated. `vocabulary` 0: layers
    without the head."""

    def __init__(self, batch=1, keys=512, layers=2, hidden=768, ffn=3072, heads=12, groups=12, vocabulary=32000,
                 dtype="f32"):
        self.batch, self.keys, self.layers, self.dtype = batch, keys, layers, dtype
        self.hidden, self.ffn, self.heads, self.groups = hidden, ffn, heads, groups
        self.vocabulary = vocabulary

    def shapes(self):
        """Of the weights, [outputs, inputs]."""
        inner, outer = self.heads * SIZE, self.groups * SIZE
        for i in range(self.layers):
            for name, shape in (("q", (inner, self.hidden)), ("k", (outer, self.hidden)), ("v", (outer, self.hidden)),
                                ("o", (self.hidden, inner)), ("gate", (self.ffn, self.hidden)),
                                ("up", (self.ffn, self.hidden)), ("down", (self.hidden, self.ffn))):
                yield "%d.%s" % (i, name), shape
        if self.vocabulary:
            yield "head", (self.vocabulary, self.hidden)

    def weights(self):
        w = {}
        for name, shape in self.shapes():
            w[name] = rounded(normal("decode." + name, shape, 0.7 * shape[1] ** -0.5), self.dtype)
        for name in ["%d.norm%d" % (i, n) for i in range(self.layers) for n in (1, 2)] + ["norm"]:
            w[name] = rounded(normal("decode." + name, (self.hidden,), 0.05, 1.0), self.dtype)
        return w

    def rotation(self):
        """cos and sin at the position after the cached ones, [1, 1, 1, SIZE]."""
        frequency = 10000.0 ** (-np.arange(0, SIZE, 2) / SIZE)
        angle = self.keys * np.concatenate([frequency, frequency])
        return tuple(rounded(f(angle).astype(np.float32)[None, None, None], self.dtype) for f in (np.cos, np.sin))

    def inputs(self):
        cache = (self.batch, self.groups, self.keys, SIZE)
        shapes = {"hidden": (self.batch, 1, self.hidden)}
        for i in range(self.layers):
            shapes["keys%d" % i] = shapes["values%d" % i] = cache
        return {name: rounded(rng("decode." + name).standard_normal(shape, dtype=np.float32), self.dtype)
                for name, shape in shapes.items()}

    def flops(self):
        attention = 4 * self.heads * SIZE * (self.keys + 1) * self.layers
        return self.batch * (attention + 2 * sum(n * k for _, (n, k) in self.shapes()))

    def module(self, dialect=Module):
        m, w, t = dialect("main"), self.weights(), self.dtype
        b, half, per_group = self.batch, SIZE // 2, self.heads // self.groups
        given = {name: m.input(name, array.shape, t) for name, array in self.inputs().items()}
        cos, sin = (m.constant(array, t) for array in self.rotation())

        def rotate(v):
            shape = v.shape[:3] + (half,)
            low, high = m.slice(v, (0, 0, 0, 0), shape), m.slice(v, (0, 0, 0, half), shape)
            return m.add(m.mul(v, cos), m.mul(m.concat([m.unary("negate", high), low], 3), sin))

        x, new = given["hidden"], []
        for i in range(self.layers):
            y = layers.rms_norm(m, x, w["%d.norm1" % i], EPSILON)
            q = rotate(m.reshape(layers.linear(m, y, w["%d.q" % i]), (b, self.groups, per_group, SIZE)))
            k = rotate(m.reshape(layers.linear(m, y, w["%d.k" % i]), (b, self.groups, 1, SIZE)))
            v = m.reshape(layers.linear(m, y, w["%d.v" % i]), (b, self.groups, 1, SIZE))
            keys, values = m.concat([given["keys%d" % i], k], 2), m.concat([given["values%d" % i], v], 2)
            scores = m.mul(layers.batch_matmul(m, q, m.transpose(keys, (0, 1, 3, 2))), SIZE ** -0.5)
            a = layers.batch_matmul(m, layers.softmax(m, scores), values)
            a = m.reshape(a, (b, 1, self.heads * SIZE))
            x = m.add(x, layers.linear(m, a, w["%d.o" % i]))
            y = layers.rms_norm(m, x, w["%d.norm2" % i], EPSILON)
            h = m.mul(layers.silu(m, layers.linear(m, y, w["%d.gate" % i])), layers.linear(m, y, w["%d.up" % i]))
            x = m.add(x, layers.linear(m, h, w["%d.down" % i]))
            new += [k, v]
        x = layers.rms_norm(m, x, w["norm"], EPSILON)
        m.output(layers.linear(m, x, w["head"]) if self.vocabulary else x)
        for value in new:
            m.output(value)
        return m

    def eager(self, torch):
        F, kind = torch.nn.functional, getattr(torch, TORCH[self.dtype])
        w = {name: torch.from_numpy(array).to(kind) for name, array in self.weights().items()}
        cos, sin = (torch.from_numpy(array).to(kind) for array in self.rotation())
        b, half = self.batch, SIZE // 2

        def norm(x, weight):
            y = x.float()
            return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + EPSILON)).to(kind) * weight

        def rotate(x):
            return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin

        def run(x, *caches):
            new = []
            for i in range(self.layers):
                y = norm(x, w["%d.norm1" % i])
                q, k, v = (F.linear(y, w["%d.%s" % (i, part)]).view(b, self.groups, -1, SIZE) for part in "qkv")
                q, k = rotate(q), rotate(k)
                new += [k, v]
                keys, values = (torch.cat((caches[2 * i + n], part), 2) for n, part in enumerate((k, v)))
                a = F.scaled_dot_product_attention(q, keys, values).reshape(b, 1, self.heads * SIZE)
                x = x + F.linear(a, w["%d.o" % i])
                y = norm(x, w["%d.norm2" % i])
                h = F.silu(F.linear(y, w["%d.gate" % i])) * F.linear(y, w["%d.up" % i])
                x = x + F.linear(h, w["%d.down" % i])
            x = norm(x, w["norm"])
            return (F.linear(x, w["head"]) if self.vocabulary else x, *new)
        return run

    def onnx(self, g):
        w, b, half = self.weights(), self.batch, SIZE // 2
        given = {name: g.input(name, array) for name, array in self.inputs().items()}
        cos, sin = self.rotation()

        def norm(v, weight):
            square = g.op("ReduceMean", g.op("Mul", v, v), np.array([-1], np.int64))
            root = g.op("Sqrt", g.op("Add", square, g.scalar(EPSILON)))
            return g.op("Mul", g.op("Div", v, root), weight)

        def rotate(v):
            low, high = g.op("Split", v, np.array([half, half], np.int64), outputs=2, axis=3)
            turned = g.op("Concat", g.op("Neg", high), low, axis=3)
            return g.op("Add", g.op("Mul", v, cos), g.op("Mul", turned, sin))

        x, new = given["hidden"], []
        for i in range(self.layers):
            y = norm(x, w["%d.norm1" % i])
            q, k, v = (g.reshape(g.linear(y, w["%d.%s" % (i, part)]), (b, self.groups, -1, SIZE)) for part in "qkv")
            q, k = rotate(q), rotate(k)
            new += [k, v]
            keys, values = (g.op("Concat", given["%s%d" % (name, i)], part, axis=2)
                            for name, part in (("keys", k), ("values", v)))
            scores = g.op("Mul", g.op("MatMul", q, g.transpose(keys, (0, 1, 3, 2))), g.scalar(SIZE ** -0.5))
            a = g.op("MatMul", g.op("Softmax", scores, axis=-1), values)
            x = g.op("Add", x, g.linear(g.reshape(a, (b, 1, self.heads * SIZE)), w["%d.o" % i]))
            y = norm(x, w["%d.norm2" % i])
            gate = g.linear(y, w["%d.gate" % i])
            h = g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), g.linear(y, w["%d.up" % i]))
            x = g.op("Add", x, g.linear(h, w["%d.down" % i]))
        x = norm(x, w["norm"])
        g.output(g.linear(x, w["head"]) if self.vocabulary else x)
        for value in new:
            g.output(value)
