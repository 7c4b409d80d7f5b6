# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One Llama block: RMS norms, rotary embedding, grouped causal attention, SwiGLU."""
import numpy as np

from . import layers
from .numbers import normal, rng, rounded
from .tosa import Module

SIZE, EPSILON = 64, 1e-5  # of a head


class Llama:
    def __init__(self, batch=1, sequence=512, hidden=2048, dtype="f32"):
        self.batch, self.sequence, self.hidden, self.dtype = batch, sequence, hidden, dtype
        self.heads, self.ffn = hidden // SIZE, 4 * hidden
        self.groups = max(1, self.heads // 4)

    def weights(self):
        w = {}
        shapes = {"q": (self.hidden, self.hidden), "k": (self.groups * SIZE, self.hidden), "v": (self.groups * SIZE, self.hidden),
                  "o": (self.hidden, self.hidden), "gate": (self.ffn, self.hidden), "up": (self.ffn, self.hidden), "down": (self.hidden, self.ffn)}
        for name, shape in shapes.items():
            w[name] = rounded(normal("llama." + name, shape, shape[1] ** -0.5), self.dtype)
        for name in ("norm1", "norm2"):
            w[name] = rounded(normal("llama." + name, (self.hidden,), 0.05, 1.0), self.dtype)
        return w

    def rotation(self):
        """cos and sin, [1, 1, S, SIZE], the two halves alike."""
        frequency = 10000.0 ** (-np.arange(0, SIZE, 2) / SIZE)
        angle = np.outer(np.arange(self.sequence), np.concatenate([frequency, frequency]))
        return tuple(rounded(f(angle).astype(np.float32)[None, None], self.dtype) for f in (np.cos, np.sin))

    def inputs(self):
        shape = (self.batch, self.sequence, self.hidden)
        return {"hidden": rounded(rng("llama.hidden").standard_normal(shape, dtype=np.float32), self.dtype)}

    def flops(self):
        """The whole score matrix counts, also what the mask hides."""
        rows, s = self.batch * self.sequence, self.sequence
        return 2 * rows * (self.hidden * (2 * self.hidden + 2 * self.groups * SIZE) + 3 * self.hidden * self.ffn) + 4 * rows * s * self.hidden

    def module(self, dialect=Module):
        m, w, t = dialect("main"), self.weights(), self.dtype
        b, s, half = self.batch, self.sequence, SIZE // 2
        x = m.input("hidden", (b, s, self.hidden), t)
        cos, sin = (m.constant(array, t) for array in self.rotation())
        causal = m.constant(np.tril(np.ones((s, s), bool)).reshape(1, 1, s, s), "i1")
        lowest = m.scalar(np.finfo(np.float32).min if t == "f32" else -3.3895313892515355e38, 4, t)

        def rotate(v):
            shape = v.shape[:3] + (half,)
            low, high = m.slice(v, (0, 0, 0, 0), shape), m.slice(v, (0, 0, 0, half), shape)
            turned = m.concat([m.unary("negate", high), low], 3)
            return m.add(m.mul(v, cos), m.mul(turned, sin))

        def repeat(v):
            v = m.reshape(v, (b * self.groups, 1, s, SIZE))
            return m.reshape(m.tile(v, (1, self.heads // self.groups, 1, 1)), (b, self.heads, s, SIZE))

        y = layers.rms_norm(m, x, w["norm1"], EPSILON)
        q = rotate(layers.split_heads(m, layers.linear(m, y, w["q"]), self.heads))
        k = repeat(rotate(layers.split_heads(m, layers.linear(m, y, w["k"]), self.groups)))
        v = repeat(layers.split_heads(m, layers.linear(m, y, w["v"]), self.groups))
        scores = m.mul(layers.batch_matmul(m, q, m.transpose(k, (0, 1, 3, 2))), SIZE ** -0.5)
        p = layers.softmax(m, m.select(causal, scores, lowest))
        a = layers.merge_heads(m, layers.batch_matmul(m, p, v))
        x = m.add(x, layers.linear(m, a, w["o"]))
        y = layers.rms_norm(m, x, w["norm2"], EPSILON)
        h = m.mul(layers.silu(m, layers.linear(m, y, w["gate"])), layers.linear(m, y, w["up"]))
        m.output(m.add(x, layers.linear(m, h, w["down"])))
        return m

    def eager(self, torch):
        F, kind = torch.nn.functional, torch.float32 if self.dtype == "f32" else torch.bfloat16
        w = {name: torch.from_numpy(array).to(kind) for name, array in self.weights().items()}
        cos, sin = (torch.from_numpy(array).to(kind) for array in self.rotation())
        b, s, half = self.batch, self.sequence, SIZE // 2

        def norm(x, weight):
            y = x.float()
            y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + EPSILON)
            return y.to(kind) * weight

        def heads(x, count):
            return x.view(b, s, count, SIZE).transpose(1, 2)

        def rotate(x):
            return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin

        def run(x):
            y = norm(x, w["norm1"])
            q = rotate(heads(F.linear(y, w["q"]), self.heads))
            k = rotate(heads(F.linear(y, w["k"]), self.groups))
            v = heads(F.linear(y, w["v"]), self.groups)
            k, v = (part.repeat_interleave(self.heads // self.groups, 1) for part in (k, v))
            a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + F.linear(a.transpose(1, 2).reshape(b, s, self.hidden), w["o"])
            y = norm(x, w["norm2"])
            return (x + F.linear(F.silu(F.linear(y, w["gate"])) * F.linear(y, w["up"]), w["down"]),)
        return run

    def onnx(self, g):
        w, shape, half = self.weights(), (self.batch, self.sequence, self.hidden), SIZE // 2
        b, s, _ = shape
        x = g.input("hidden", self.inputs()["hidden"])
        cos, sin = self.rotation()

        def norm(v, weight):
            square = g.op("ReduceMean", g.op("Mul", v, v), np.array([-1], np.int64))
            root = g.op("Sqrt", g.op("Add", square, g.scalar(EPSILON)))
            return g.op("Mul", g.op("Div", v, root), weight)

        def rotate(v):
            low, high = g.op("Split", v, np.array([half, half], np.int64), outputs=2, axis=3)
            turned = g.op("Concat", g.op("Neg", high), low, axis=3)
            return g.op("Add", g.op("Mul", v, cos), g.op("Mul", turned, sin))

        def repeat(v):
            v = g.reshape(v, (b, self.groups, 1, s, SIZE))
            v = g.op("Expand", v, np.array((b, self.groups, self.heads // self.groups, s, SIZE), np.int64))
            return g.reshape(v, (b, self.heads, s, SIZE))

        y = norm(x, w["norm1"])
        small = (b, s, self.groups * SIZE)
        q = rotate(g.split_heads(g.linear(y, w["q"]), shape, self.heads))
        k = repeat(rotate(g.split_heads(g.linear(y, w["k"]), small, self.groups)))
        v = repeat(g.split_heads(g.linear(y, w["v"]), small, self.groups))
        scores = g.op("Mul", g.op("MatMul", q, g.transpose(k, (0, 1, 3, 2))), g.scalar(SIZE ** -0.5))
        causal = np.tril(np.ones((s, s), bool)).reshape(1, 1, s, s)
        p = g.op("Softmax", g.op("Where", causal, scores, g.scalar(np.finfo(np.float32).min)), axis=-1)
        x = g.op("Add", x, g.linear(g.merge_heads(g.op("MatMul", p, v), shape), w["o"]))
        y = norm(x, w["norm2"])
        gate = g.linear(y, w["gate"])
        h = g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), g.linear(y, w["up"]))
        g.output(g.op("Add", x, g.linear(h, w["down"])))
