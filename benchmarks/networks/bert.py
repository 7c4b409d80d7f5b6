# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BERT-base: embeddings, 12 encoder layers with erf GELU, pooler."""
import numpy as np

from . import layers
from .numbers import normal, rng, rounded
from .tosa import Module

HIDDEN, HEADS, FFN, EPSILON = 768, 12, 3072, 1e-12


class Bert:
    def __init__(self, batch=1, sequence=128, layers=12, vocabulary=30522, dtype="f32"):
        self.batch, self.sequence, self.layers, self.dtype = batch, sequence, layers, dtype
        self.vocabulary = vocabulary

    def weights(self):
        """f32 values that the element type holds exactly."""
        w = {}

        def add(name, shape, deviation, mean=0.0):
            w[name] = rounded(normal("bert." + name, shape, deviation, mean), self.dtype)

        def dense(name, outputs, inputs):
            add(name + ".weight", (outputs, inputs), inputs ** -0.5)
            add(name + ".bias", (outputs,), 0.02)

        def norm(name):
            add(name + ".weight", (HIDDEN,), 0.05, 1.0)
            add(name + ".bias", (HIDDEN,), 0.02)

        add("word", (self.vocabulary, HIDDEN), 0.02)
        add("position", (512, HIDDEN), 0.02)
        add("type", (2, HIDDEN), 0.02)
        norm("embedding.norm")
        for i in range(self.layers):
            for part in ("query", "key", "value", "attention"):
                dense("%d.%s" % (i, part), HIDDEN, HIDDEN)
            norm("%d.attention.norm" % i)
            dense("%d.up" % i, FFN, HIDDEN)
            dense("%d.down" % i, HIDDEN, FFN)
            norm("%d.norm" % i)
        dense("pooler", HIDDEN, HIDDEN)
        return w

    def inputs(self):
        """Token ids, and a mask that hides the last tokens of each sequence."""
        shape = (self.batch, self.sequence)
        tokens = rng("bert.tokens").integers(0, self.vocabulary, shape, dtype=np.int32)
        mask = np.ones(shape, np.int32)
        mask[:, self.sequence - max(1, self.sequence // 16):] = 0
        return {"tokens": tokens, "mask": mask}

    def flops(self):
        rows, s = self.batch * self.sequence, self.sequence
        layer = 2 * rows * (4 * HIDDEN * HIDDEN + 2 * HIDDEN * FFN) + 4 * rows * s * HIDDEN
        return self.layers * layer + 2 * self.batch * HIDDEN * HIDDEN

    def module(self, dialect=Module):
        m, w, t = dialect("main"), self.weights(), self.dtype
        b, s = self.batch, self.sequence
        tokens, mask = m.input("tokens", (b, s), "i32"), m.input("mask", (b, s), "i32")

        def norm(x, name):
            return layers.layer_norm(m, x, w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(x, name):
            return layers.linear(m, x, w[name + ".weight"], w[name + ".bias"])

        lowest = np.finfo(np.float32).min if t == "f32" else -3.3895313892515355e38
        keep = m.reshape(m.cast(mask, t), (b, 1, 1, s))
        bias = m.mul(m.sub(m.scalar(1.0, 4, t), keep), lowest)

        table = m.constant(w["word"][None], t)
        x = m.reshape(m.gather(table, m.reshape(tokens, (1, b * s))), (b, s, HIDDEN))
        x = m.add(x, m.constant(w["type"][None, :1], t))
        x = m.add(x, m.constant(w["position"][None, :s], t))
        x = norm(x, "embedding.norm")
        for i in range(self.layers):
            q, k, v = (layers.split_heads(m, dense(x, "%d.%s" % (i, part)), HEADS)
                       for part in ("query", "key", "value"))
            scores = layers.batch_matmul(m, q, m.transpose(k, (0, 1, 3, 2)))
            scores = m.mul(scores, (HIDDEN // HEADS) ** -0.5)
            p = layers.softmax(m, m.add(scores, bias))
            a = layers.merge_heads(m, layers.batch_matmul(m, p, v))
            x = norm(m.add(dense(a, "%d.attention" % i), x), "%d.attention.norm" % i)
            h = layers.gelu_erf(m, dense(x, "%d.up" % i))
            x = norm(m.add(dense(h, "%d.down" % i), x), "%d.norm" % i)
        first = m.reshape(m.slice(x, (0, 0, 0), (b, 1, HIDDEN)), (b, HIDDEN))
        pooled = m.unary("tanh", dense(first, "pooler"))
        m.output(x)
        m.output(pooled)
        return m

    def eager(self, torch):
        F, kind = torch.nn.functional, torch.float32 if self.dtype == "f32" else torch.bfloat16
        w = {name: torch.from_numpy(array).to(kind) for name, array in self.weights().items()}
        b, s, size = self.batch, self.sequence, HIDDEN // HEADS

        def norm(x, name):
            return F.layer_norm(x, (HIDDEN,), w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(x, name):
            return F.linear(x, w[name + ".weight"], w[name + ".bias"])

        def run(tokens, mask):
            bias = (1.0 - mask.reshape(b, 1, 1, s).to(kind)) * torch.finfo(kind).min
            x = F.embedding(tokens, w["word"]) + w["type"][0] + w["position"][:s]
            x = norm(x, "embedding.norm")
            for i in range(self.layers):
                q, k, v = (dense(x, "%d.%s" % (i, part)).view(b, s, HEADS, size).transpose(1, 2)
                           for part in ("query", "key", "value"))
                a = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
                a = a.transpose(1, 2).reshape(b, s, HIDDEN)
                x = norm(dense(a, "%d.attention" % i) + x, "%d.attention.norm" % i)
                x = norm(dense(F.gelu(dense(x, "%d.up" % i)), "%d.down" % i) + x, "%d.norm" % i)
            return x, torch.tanh(dense(x[:, 0], "pooler"))
        return run

    def onnx(self, g):
        w, shape = self.weights(), (self.batch, self.sequence, HIDDEN)
        b, s, _ = shape
        names = {name: g.input(name, array) for name, array in self.inputs().items()}

        def norm(x, name):
            return g.norm(x, w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(x, name):
            return g.linear(x, w[name + ".weight"], w[name + ".bias"])

        keep = g.op("Cast", g.reshape(names["mask"], (b, 1, 1, s)), to=1)
        bias = g.op("Mul", g.op("Sub", g.scalar(1), keep), g.scalar(np.finfo(np.float32).min))
        x = g.op("Gather", w["word"], names["tokens"], axis=0)
        x = g.op("Add", g.op("Add", x, w["type"][0]), w["position"][None, :s])
        x = norm(x, "embedding.norm")
        for i in range(self.layers):
            q, k, v = (g.split_heads(dense(x, "%d.%s" % (i, part)), shape, HEADS)
                       for part in ("query", "key", "value"))
            scores = g.op("MatMul", q, g.transpose(k, (0, 1, 3, 2)))
            scores = g.op("Mul", scores, g.scalar((HIDDEN // HEADS) ** -0.5))
            p = g.op("Softmax", g.op("Add", scores, bias), axis=-1)
            a = g.merge_heads(g.op("MatMul", p, v), shape)
            x = norm(g.op("Add", dense(a, "%d.attention" % i), x), "%d.attention.norm" % i)
            h = g.op("Gelu", dense(x, "%d.up" % i))
            x = norm(g.op("Add", dense(h, "%d.down" % i), x), "%d.norm" % i)
        first = g.op("Gather", x, np.array(0, np.int64), axis=1)
        g.output(x)
        g.output(g.op("Tanh", dense(first, "pooler")))
