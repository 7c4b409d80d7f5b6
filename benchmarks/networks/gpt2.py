# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPT-2 small: 12 blocks with causal attention and tanh GELU, final norm."""
import numpy as np

from . import layers
from .numbers import normal, rng, rounded
from .tosa import Module

HIDDEN, HEADS, EPSILON = 768, 12, 1e-5


class Gpt2:
    def __init__(self, batch=1, sequence=128, layers=12, dtype="f32"):
        self.batch, self.sequence, self.layers, self.dtype = batch, sequence, layers, dtype

    def weights(self):
        w = {}

        def add(name, shape, deviation, mean=0.0):
            w[name] = rounded(normal("gpt2." + name, shape, deviation, mean), self.dtype)

        def dense(name, inputs, outputs, scale=1.0):
            # [in, out], as this model stores them.
            add(name + ".weight", (inputs, outputs), scale * inputs ** -0.5)
            add(name + ".bias", (outputs,), 0.02)

        def norm(name):
            add(name + ".weight", (HIDDEN,), 0.05, 1.0)
            add(name + ".bias", (HIDDEN,), 0.02)

        for i in range(self.layers):
            norm("%d.norm1" % i)
            dense("%d.qkv" % i, HIDDEN, 3 * HIDDEN)
            dense("%d.attention" % i, HIDDEN, HIDDEN, 0.3)
            norm("%d.norm2" % i)
            dense("%d.up" % i, HIDDEN, 4 * HIDDEN)
            dense("%d.down" % i, 4 * HIDDEN, HIDDEN, 0.3)
        norm("norm")
        return w

    def inputs(self):
        shape = (self.batch, self.sequence, HIDDEN)
        return {"hidden": rounded(rng("gpt2.hidden").standard_normal(shape, dtype=np.float32), self.dtype)}

    def flops(self):
        """The whole score matrix counts, also what the mask hides."""
        rows, s = self.batch * self.sequence, self.sequence
        return self.layers * (24 * rows * HIDDEN * HIDDEN + 4 * rows * s * HIDDEN)

    def module(self, dialect=Module):
        m, w, t = dialect("main"), self.weights(), self.dtype
        b, s = self.batch, self.sequence
        x = m.input("hidden", (b, s, HIDDEN), t)
        causal = m.constant(np.tril(np.ones((s, s), bool)).reshape(1, 1, s, s), "i1")
        hidden_score = m.scalar(np.finfo(np.float32).min if t == "f32" else -3.3895313892515355e38, 4, t)

        def norm(v, name):
            return layers.layer_norm(m, v, w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(v, name):
            return layers.linear(m, v, w[name + ".weight"], w[name + ".bias"], transposed=False)

        for i in range(self.layers):
            qkv = dense(norm(x, "%d.norm1" % i), "%d.qkv" % i)
            q, k, v = (layers.split_heads(m, m.slice(qkv, (0, 0, part * HIDDEN), (b, s, HIDDEN)), HEADS)
                       for part in range(3))
            scores = layers.batch_matmul(m, q, m.transpose(k, (0, 1, 3, 2)))
            scores = m.mul(scores, (HIDDEN // HEADS) ** -0.5)
            p = layers.softmax(m, m.select(causal, scores, hidden_score))
            a = layers.merge_heads(m, layers.batch_matmul(m, p, v))
            x = m.add(dense(a, "%d.attention" % i), x)
            h = layers.gelu_tanh(m, dense(norm(x, "%d.norm2" % i), "%d.up" % i))
            x = m.add(dense(h, "%d.down" % i), x)
        m.output(norm(x, "norm"))
        return m

    def eager(self, torch):
        F, kind = torch.nn.functional, torch.float32 if self.dtype == "f32" else torch.bfloat16
        w = {name: torch.from_numpy(array).to(kind) for name, array in self.weights().items()}
        b, s = self.batch, self.sequence

        def norm(x, name):
            return F.layer_norm(x, (HIDDEN,), w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(x, name):
            y = torch.addmm(w[name + ".bias"], x.reshape(-1, x.shape[-1]), w[name + ".weight"])
            return y.view(x.shape[:-1] + (-1,))

        def run(x):
            for i in range(self.layers):
                qkv = dense(norm(x, "%d.norm1" % i), "%d.qkv" % i)
                q, k, v = (y.view(b, s, HEADS, -1).transpose(1, 2) for y in qkv.split(HIDDEN, 2))
                a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
                x = dense(a.transpose(1, 2).reshape(b, s, HIDDEN), "%d.attention" % i) + x
                h = F.gelu(dense(norm(x, "%d.norm2" % i), "%d.up" % i), approximate="tanh")
                x = dense(h, "%d.down" % i) + x
            return (norm(x, "norm"),)
        return run

    def onnx(self, g):
        w, shape = self.weights(), (self.batch, self.sequence, HIDDEN)
        s = self.sequence
        x = g.input("hidden", self.inputs()["hidden"])
        causal = np.tril(np.ones((s, s), bool)).reshape(1, 1, s, s)

        def norm(v, name):
            return g.norm(v, w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(v, name):
            return g.linear(v, w[name + ".weight"], w[name + ".bias"], transposed=False)

        for i in range(self.layers):
            qkv = g.op("Split", dense(norm(x, "%d.norm1" % i), "%d.qkv" % i), outputs=3, axis=2, num_outputs=3)
            q, k, v = (g.split_heads(part, shape, HEADS) for part in qkv)
            scores = g.op("MatMul", q, g.transpose(k, (0, 1, 3, 2)))
            scores = g.op("Mul", scores, g.scalar((HIDDEN // HEADS) ** -0.5))
            p = g.op("Softmax", g.op("Where", causal, scores, g.scalar(np.finfo(np.float32).min)), axis=-1)
            x = g.op("Add", dense(g.merge_heads(g.op("MatMul", p, v), shape), "%d.attention" % i), x)
            h = g.op("Gelu", dense(norm(x, "%d.norm2" % i), "%d.up" % i), approximate="tanh")
            x = g.op("Add", dense(h, "%d.down" % i), x)
        g.output(norm(x, "norm"))
