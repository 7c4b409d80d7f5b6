# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks in which the order of tensors is all: the same arithmetic on tensors
as frameworks store them, and on tensors as the engines want them."""
import numpy as np

from . import layers
from .images import ImageNetwork
from .numbers import rng, rounded
from .tosa import Module


class Convolutions(ImageNetwork):
    """`depth` convolutions by 3 x 3, each with relu; `first` is 1 if channels
    are outermost in every tensor and convolution."""

    name, channels, width = "convolutions", 64, 64

    def __init__(self, batch=1, size=56, width=None, depth=4, first=1, dtype="f32"):
        super().__init__(batch, size, width, dtype)
        self.channels, self.depth = self.width, depth
        self.tensors = self.convs = self.outside = "nchw" if first else "nhwc"

    def body(self, b, x):
        for i in range(self.depth):
            x = b.relu(b.conv(x, "conv%d" % i, self.width, 3))
        return x


class Heads:
    """Attention. With `split` 1 query, key and value are [batch, sequence,
    heads * size], as a linear layer makes them, and heads come of reshapes and
    transposes; with 0 they are [batch, heads, sequence, size]."""

    def __init__(self, batch=16, sequence=128, heads=12, size=64, split=1, dtype="f32"):
        self.batch, self.sequence, self.heads, self.size = batch, sequence, heads, size
        self.split, self.dtype = split, dtype

    def shape(self):
        if self.split:
            return self.batch, self.sequence, self.heads * self.size
        return self.batch, self.heads, self.sequence, self.size

    def inputs(self):
        made = {}
        for name in "qkv":
            x = rng("heads." + name).standard_normal((self.batch, self.sequence, self.heads, self.size),
                                                     dtype=np.float32)
            x = x if self.split else np.ascontiguousarray(x.transpose(0, 2, 1, 3))
            made[name] = rounded(x.reshape(self.shape()), self.dtype)
        return made

    def flops(self):
        return 4 * self.batch * self.heads * self.sequence * self.sequence * self.size

    def module(self, dialect=Module):
        m = dialect("main")
        q, k, v = (m.input(name, self.shape(), self.dtype) for name in "qkv")
        if self.split:
            q, k, v = (layers.split_heads(m, x, self.heads) for x in (q, k, v))
        scores = m.mul(layers.batch_matmul(m, q, m.transpose(k, (0, 1, 3, 2))), self.size ** -0.5)
        y = layers.batch_matmul(m, layers.softmax(m, scores), v)
        m.output(layers.merge_heads(m, y) if self.split else y)
        return m

    def eager(self, torch):
        def run(q, k, v):
            if self.split:
                q, k, v = (x.view(self.batch, self.sequence, self.heads, self.size).transpose(1, 2)
                           for x in (q, k, v))
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v)
            return (y.transpose(1, 2).reshape(self.shape()) if self.split else y,)
        return run

    def onnx(self, g):
        q, k, v = (g.input(name, array) for name, array in self.inputs().items())
        if self.split:
            q, k, v = (g.split_heads(x, self.shape(), self.heads) for x in (q, k, v))
        scores = g.op("Mul", g.op("MatMul", q, g.transpose(k, (0, 1, 3, 2))), g.scalar(self.size ** -0.5))
        y = g.op("MatMul", g.op("Softmax", scores, axis=-1), v)
        if self.split:
            y = g.merge_heads(y, self.shape())
        g.output(y)
