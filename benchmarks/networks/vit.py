# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ViT-B/16: patches of 16 x 16, a class token, 12 pre-norm encoder layers with erf GELU, head."""
import numpy as np

from . import layers
from .images import ORDERS
from .numbers import TORCH, normal, rng, rounded
from .tosa import Module

HIDDEN, HEADS, PATCH, EPSILON = 768, 12, 16, 1e-6


class ViT:
    def __init__(self, batch=1, size=224, layers=12, dtype="f32"):
        self.batch, self.size, self.layers, self.dtype = batch, size, layers, dtype
        self.patches = (size // PATCH) ** 2

    def weights(self):
        w = {}

        def add(name, shape, deviation, mean=0.0):
            w[name] = rounded(normal("vit." + name, shape, deviation, mean), self.dtype)

        def dense(name, outputs, inputs, scale=1.0):
            add(name + ".weight", (outputs, inputs), scale * inputs ** -0.5)
            add(name + ".bias", (outputs,), 0.02)

        def norm(name):
            add(name + ".weight", (HIDDEN,), 0.05, 1.0)
            add(name + ".bias", (HIDDEN,), 0.02)

        add("patch.weight", (HIDDEN, 3, PATCH, PATCH), (3 * PATCH * PATCH) ** -0.5)
        add("patch.bias", (HIDDEN,), 0.02)
        add("class", (1, 1, HIDDEN), 0.02)
        add("position", (1, self.patches + 1, HIDDEN), 0.02)
        for i in range(self.layers):
            norm("%d.norm1" % i)
            dense("%d.qkv" % i, 3 * HIDDEN, HIDDEN)
            dense("%d.attention" % i, HIDDEN, HIDDEN, 0.3)
            norm("%d.norm2" % i)
            dense("%d.up" % i, 4 * HIDDEN, HIDDEN)
            dense("%d.down" % i, HIDDEN, 4 * HIDDEN, 0.3)
        norm("norm")
        dense("head", 1000, HIDDEN)
        return w

    def inputs(self):
        shape = (self.batch, 3, self.size, self.size)
        return {"image": rounded(rng("vit.image").standard_normal(shape, dtype=np.float32), self.dtype)}

    def flops(self):
        s = self.patches + 1
        layer = 24 * s * HIDDEN * HIDDEN + 4 * s * s * HIDDEN
        return self.batch * (self.layers * layer + 2 * self.patches * HIDDEN * 3 * PATCH * PATCH + 2000 * HIDDEN)

    def module(self, dialect=Module):
        m, w, t = dialect("main"), self.weights(), self.dtype
        b, s = self.batch, self.patches + 1
        image = m.transpose(m.input("image", (b, 3, self.size, self.size), t), ORDERS["nhwc"])

        def norm(v, name):
            return layers.layer_norm(m, v, w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(v, name):
            return layers.linear(m, v, w[name + ".weight"], w[name + ".bias"])

        x = m.convolution(image, w["patch.weight"], PATCH, (0, 0, 0, 0), "nhwc")
        x = m.add(x, m.constant(w["patch.bias"].reshape(1, 1, 1, HIDDEN), t))
        first = m.constant(np.repeat(w["class"], b, 0), t)
        x = m.concat([first, m.reshape(x, (b, self.patches, HIDDEN))], 1)
        x = m.add(x, m.constant(w["position"], t))
        for i in range(self.layers):
            qkv = dense(norm(x, "%d.norm1" % i), "%d.qkv" % i)
            q, k, v = (layers.split_heads(m, m.slice(qkv, (0, 0, part * HIDDEN), (b, s, HIDDEN)), HEADS)
                       for part in range(3))
            scores = m.mul(layers.batch_matmul(m, q, m.transpose(k, (0, 1, 3, 2))), (HIDDEN // HEADS) ** -0.5)
            a = layers.merge_heads(m, layers.batch_matmul(m, layers.softmax(m, scores), v))
            x = m.add(dense(a, "%d.attention" % i), x)
            h = layers.gelu_erf(m, dense(norm(x, "%d.norm2" % i), "%d.up" % i))
            x = m.add(dense(h, "%d.down" % i), x)
        x = m.reshape(m.slice(norm(x, "norm"), (0, 0, 0), (b, 1, HIDDEN)), (b, HIDDEN))
        m.output(dense(x, "head"))
        return m

    def eager(self, torch):
        F, kind = torch.nn.functional, getattr(torch, TORCH[self.dtype])
        w = {name: torch.from_numpy(array).to(kind) for name, array in self.weights().items()}
        b, s = self.batch, self.patches + 1

        def norm(v, name):
            return F.layer_norm(v, (HIDDEN,), w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(v, name):
            return F.linear(v, w[name + ".weight"], w[name + ".bias"])

        def run(image):
            x = F.conv2d(image, w["patch.weight"], w["patch.bias"], PATCH).flatten(2).transpose(1, 2)
            x = torch.cat([w["class"].expand(b, -1, -1), x], 1) + w["position"]
            for i in range(self.layers):
                qkv = dense(norm(x, "%d.norm1" % i), "%d.qkv" % i).split(HIDDEN, 2)
                q, k, v = (part.view(b, s, HEADS, HIDDEN // HEADS).transpose(1, 2) for part in qkv)
                a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, s, HIDDEN)
                x = dense(a, "%d.attention" % i) + x
                x = dense(F.gelu(dense(norm(x, "%d.norm2" % i), "%d.up" % i)), "%d.down" % i) + x
            return (dense(norm(x, "norm")[:, 0], "head"),)
        return run

    def onnx(self, g):
        w, shape = self.weights(), (self.batch, self.patches + 1, HIDDEN)
        image = g.input("image", self.inputs()["image"])

        def norm(v, name):
            return g.norm(v, w[name + ".weight"], w[name + ".bias"], EPSILON)

        def dense(v, name):
            return g.linear(v, w[name + ".weight"], w[name + ".bias"])

        x = g.op("Conv", image, w["patch.weight"], w["patch.bias"], kernel_shape=[PATCH] * 2, strides=[PATCH] * 2)
        x = g.transpose(g.reshape(x, (self.batch, HIDDEN, self.patches)), (0, 2, 1))
        x = g.op("Concat", np.repeat(w["class"], self.batch, 0), x, axis=1)
        x = g.op("Add", x, w["position"])
        for i in range(self.layers):
            qkv = g.op("Split", dense(norm(x, "%d.norm1" % i), "%d.qkv" % i), outputs=3, axis=2, num_outputs=3)
            q, k, v = (g.split_heads(part, shape, HEADS) for part in qkv)
            scores = g.op("Mul", g.op("MatMul", q, g.transpose(k, (0, 1, 3, 2))), g.scalar((HIDDEN // HEADS) ** -0.5))
            a = g.merge_heads(g.op("MatMul", g.op("Softmax", scores, axis=-1), v), shape)
            x = g.op("Add", dense(a, "%d.attention" % i), x)
            h = g.op("Gelu", dense(norm(x, "%d.norm2" % i), "%d.up" % i))
            x = g.op("Add", dense(h, "%d.down" % i), x)
        g.output(dense(g.op("Gather", norm(x, "norm"), np.array(0, np.int64), axis=1), "head"))
