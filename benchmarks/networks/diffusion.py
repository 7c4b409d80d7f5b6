# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The UNet of Stable Diffusion 1.5, with 128 channels instead of 320 by default: residual blocks
with group norms and a time step, transformers with self- and cross-attention and GEGLU."""
import numpy as np

from . import layers
from .images import ImageNetwork, ModuleLayers, OnnxLayers, TorchLayers
from .numbers import rng, rounded

GROUPS, HEADS, TOKENS, FEATURES = 32, 8, 77, 768
EPSILON = 1e-5
LEVELS = (1, 2, 4, 4)  # channels by width; the last one has no transformers


class _Module(ModuleLayers):
    def extra(self, name, array):
        return self.m.input(name, array.shape, self.dtype)

    def silu(self, x):
        return layers.silu(self.m, x)

    def gelu(self, x):
        return layers.gelu_erf(self.m, x)

    def mul(self, x, y):
        return self.m.mul(x, y)

    def dense(self, x, name, outputs, bias=True):
        inputs = x.shape[-1]
        self.flops += 2 * int(np.prod(x.shape)) * outputs
        return layers.linear(self.m, x, self.weight(name + ".weight", (outputs, inputs), inputs ** -0.5),
                             self.weight(name + ".bias", (outputs,), 0.02) if bias else None)

    def group_norm(self, x, name, scale=1.0):
        m, (n, c, h, w) = self.m, x.shape
        y = m.reshape(m.cast(x, "f32"), (n, GROUPS, c // GROUPS * h * w))
        y = m.sub(y, m.mean(y, 2))
        y = m.mul(y, m.unary("rsqrt", m.add(m.mean(m.mul(y, y), 2), EPSILON)))
        return self.norm(m.cast(m.reshape(y, x.shape), self.dtype), name, scale)

    def layer_norm(self, x, name):
        return layers.layer_norm(self.m, x, *self.affine(name, x.shape[2]), EPSILON)

    def tokens(self, x):
        n, c, h, w = x.shape
        return self.m.transpose(self.m.reshape(x, (n, c, h * w)), (0, 2, 1))

    def picture(self, x, size):
        n, _, c = x.shape
        return self.m.reshape(self.m.transpose(x, (0, 2, 1)), (n, c, size, size))

    def add_channels(self, x, t):
        return self.m.add(x, self.m.reshape(t, t.shape + (1, 1)))

    def halves(self, x):
        n, s, c = x.shape
        return [self.m.slice(x, (0, 0, part * c // 2), (n, s, c // 2)) for part in (0, 1)]

    def twice(self, x):
        m, (n, c, h, w) = self.m, x.shape
        x = m.tile(m.reshape(x, (n, c, h, 1, w, 1)), (1, 1, 1, 2, 1, 2))
        return m.reshape(x, (n, c, 2 * h, 2 * w))

    def attend(self, q, k, v):
        m, size = self.m, q.shape[2] // HEADS
        q, k, v = (layers.split_heads(m, each, HEADS) for each in (q, k, v))
        self.flops += 4 * int(np.prod(q.shape)) * k.shape[2]
        scores = m.mul(layers.batch_matmul(m, q, m.transpose(k, (0, 1, 3, 2))), size ** -0.5)
        return layers.merge_heads(m, layers.batch_matmul(m, layers.softmax(m, scores), v))


class _Torch(TorchLayers):
    def silu(self, x):
        return self.F.silu(x)

    def gelu(self, x):
        return self.F.gelu(x)

    def mul(self, x, y):
        return x * y

    def dense(self, x, name, outputs, bias=True):
        inputs = x.shape[-1]
        return self.F.linear(x, self.weight(name + ".weight", (outputs, inputs), inputs ** -0.5),
                             self.weight(name + ".bias", (outputs,), 0.02) if bias else None)

    def group_norm(self, x, name, scale=1.0):
        return self.F.group_norm(x, GROUPS, *self.affine(name, x.shape[1], scale), EPSILON)

    def layer_norm(self, x, name):
        return self.F.layer_norm(x, x.shape[2:], *self.affine(name, x.shape[2]), EPSILON)

    def tokens(self, x):
        return x.flatten(2).transpose(1, 2)

    def picture(self, x, size):
        return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], size, size)

    def add_channels(self, x, t):
        return x + t[:, :, None, None]

    def halves(self, x):
        return x.chunk(2, 2)

    def twice(self, x):
        return self.F.interpolate(x, scale_factor=2, mode="nearest")

    def attend(self, q, k, v):
        q, k, v = (each.unflatten(2, (HEADS, -1)).transpose(1, 2) for each in (q, k, v))
        return self.F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)


class _Onnx(OnnxLayers):
    """Values are a name and their channels or features."""

    def silu(self, x):
        return self.g.op("Mul", x[0], self.g.op("Sigmoid", x[0])), x[1]

    def gelu(self, x):
        return self.g.op("Gelu", x[0]), x[1]

    def mul(self, x, y):
        return self.g.op("Mul", x[0], y[0]), x[1]

    def dense(self, x, name, outputs, bias=True):
        return self.g.linear(x[0], self.weight(name + ".weight", (outputs, x[1]), x[1] ** -0.5),
                             self.weight(name + ".bias", (outputs,), 0.02) if bias else None), outputs

    def group_norm(self, x, name, scale=1.0):
        y = self.g.op("InstanceNormalization", self.g.reshape(x[0], (0, GROUPS, -1)),
                      np.ones(GROUPS, np.float32), np.zeros(GROUPS, np.float32), epsilon=EPSILON)
        return self.norm((self.g.op("Reshape", y, self.g.op("Shape", x[0])), x[1]), name, scale)

    def layer_norm(self, x, name):
        return self.g.norm(x[0], *self.affine(name, x[1]), EPSILON), x[1]

    def tokens(self, x):
        return self.g.transpose(self.g.reshape(x[0], (0, x[1], -1)), (0, 2, 1)), x[1]

    def picture(self, x, size):
        return self.g.reshape(self.g.transpose(x[0], (0, 2, 1)), (0, x[1], size, size)), x[1]

    def add_channels(self, x, t):
        return self.g.op("Add", x[0], self.g.reshape(t[0], (-1, x[1], 1, 1))), x[1]

    def halves(self, x):
        return [(part, x[1] // 2) for part in self.g.op("Split", x[0], outputs=2, axis=2, num_outputs=2)]

    def twice(self, x):
        return self.g.op("Resize", x[0], "", np.array([1, 1, 2, 2], np.float32), mode="nearest",
                         coordinate_transformation_mode="asymmetric", nearest_mode="floor"), x[1]

    def attend(self, q, k, v):
        g, features = self.g, q[1]
        q, k, v = (g.transpose(g.reshape(each[0], (0, -1, HEADS, features // HEADS)), (0, 2, 1, 3))
                   for each in (q, k, v))
        scores = g.op("Mul", g.op("MatMul", q, g.transpose(k, (0, 1, 3, 2))), g.scalar((features // HEADS) ** -0.5))
        y = g.transpose(g.op("MatMul", g.op("Softmax", scores, axis=-1), v), (0, 2, 1, 3))
        return g.reshape(y, (0, -1, features)), features


class DiffusionUNet(ImageNetwork):
    """`levels` of LEVELS are taken, from the first."""

    name, width, channels = "sd-unet", 128, 4

    def __init__(self, batch=1, size=64, width=None, levels=4, dtype="f32"):
        super().__init__(batch, size, width, dtype)
        self.levels = LEVELS[:levels]

    def inputs(self):
        shapes = {"time": (self.batch, self.width), "context": (self.batch, TOKENS, FEATURES)}
        return {**super().inputs(), **{
            name: rounded(rng("%s.%s" % (self.name, name)).standard_normal(shape, dtype=np.float32), self.dtype)
            for name, shape in shapes.items()}}

    def body(self, b, x, time, context):
        time = b.dense(b.silu(b.dense(time, "time.1", 4 * self.width)), "time.2", 4 * self.width)
        time = b.silu(time)

        def residual(x, name, inputs, outputs):
            y = b.conv(b.silu(b.group_norm(x, name + ".norm1")), name + ".conv1", outputs, 3)
            y = b.add_channels(y, b.dense(time, name + ".time", outputs))
            # Small, so that sums over blocks stay bounded.
            y = b.conv(b.silu(b.group_norm(y, name + ".norm2", 0.25)), name + ".conv2", outputs, 3)
            return b.add(y, x if inputs == outputs else b.conv(x, name + ".skip", outputs))

        def attention(x, y, name, channels):
            q, k, v = (b.dense(each, "%s.%s" % (name, part), channels, bias=False)
                       for each, part in ((x, "q"), (y, "k"), (y, "v")))
            return b.dense(b.attend(q, k, v), name + ".out", channels)

        def transformer(x, name, channels, size):
            y = b.tokens(b.conv(b.group_norm(x, name + ".norm"), name + ".in", channels))
            z = b.layer_norm(y, name + ".norm1")
            y = b.add(attention(z, z, name + ".self", channels), y)
            z = b.layer_norm(y, name + ".norm2")
            y = b.add(attention(z, context, name + ".cross", channels), y)
            value, gate = b.halves(b.dense(b.layer_norm(y, name + ".norm3"), name + ".up", 8 * channels))
            y = b.add(b.dense(b.mul(value, b.gelu(gate)), name + ".down", channels), y)
            return b.add(b.conv(b.picture(y, size), name + ".out", channels), x)

        def block(x, name, inputs, outputs, level, size):
            x = residual(x, name, inputs, outputs)
            return transformer(x, name + ".attention", outputs, size) if level < len(LEVELS) - 1 else x

        size, inputs = self.size, self.width
        x = b.conv(x, "in", inputs, 3)
        skips = [(x, inputs)]
        for level, scale in enumerate(self.levels):
            outputs = scale * self.width
            for i in range(2):
                x = block(x, "down%d.%d" % (level, i), inputs, outputs, level, size)
                inputs = outputs
                skips.append((x, inputs))
            if level + 1 < len(self.levels):
                x, size = b.conv(x, "down%d.half" % level, inputs, 3, 2), size // 2
                skips.append((x, inputs))
        x = residual(x, "middle.1", inputs, inputs)
        x = transformer(x, "middle.attention", inputs, size)
        x = residual(x, "middle.2", inputs, inputs)
        for level, scale in reversed(list(enumerate(self.levels))):
            outputs = scale * self.width
            for i in range(3):
                skip, more = skips.pop()
                x = block(b.concat([x, skip]), "up%d.%d" % (level, i), inputs + more, outputs, level, size)
                inputs = outputs
            if level:
                x, size = b.conv(b.twice(x), "up%d.twice" % level, inputs, 3), size * 2
        return b.conv(b.silu(b.group_norm(x, "norm")), "out", self.channels, 3)

    def layers(self, dialect):
        made, given = _Module(self, dialect), self.inputs()
        image = made.input("image", self.shape())
        extra = [made.extra(name, given[name]) for name in ("time", "context")]
        made.output(self.body(made, image, *extra))
        return made

    def eager(self, torch):
        made = _Torch(self, torch)
        return lambda *given: (self.body(made, *given),)

    def onnx(self, g):
        made = _Onnx(self, g)
        image, time, context = (g.input(name, array) for name, array in self.inputs().items())
        g.output(self.body(made, (image, self.channels), (time, self.width), (context, FEATURES))[0])
