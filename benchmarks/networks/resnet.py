# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ResNet-50, version 1.5 (the stride sits in the 3x3 convolution)."""
import numpy as np

from . import layers
from .images import LARGEST, ORDERS, ModuleLayers
from .numbers import normal, rng, rounded
from .tosa import Module

STAGES = ((3, 64), (4, 128), (6, 256), (3, 512))
EPSILON = 1e-5


class ResNet50:
    # The model is one of PyTorch; the engine and TOSA are channels-last.
    tensors, convs, outside = "nchw", "nhwc", "nchw"

    def __init__(self, batch=1, size=224, width=64, dtype="f32"):
        self.batch, self.size, self.width, self.dtype = batch, size, width, dtype

    def blocks(self):
        """name, inputs, width, stride, has a projection"""
        inputs = self.width
        for stage, (count, width) in enumerate(STAGES):
            width = width * self.width // 64
            for block in range(count):
                stride = 2 if stage and not block else 1
                yield "layer%d.%d" % (stage + 1, block), inputs, width, stride, block == 0
                inputs = 4 * width

    def weights(self):
        w = {}

        def conv(name, outputs, inputs, kernel, last=False):
            fan = inputs * kernel * kernel
            w[name + ".weight"] = rounded(
                normal("resnet." + name, (outputs, inputs, kernel, kernel), (2 / fan) ** 0.5), self.dtype)
            # The last norm of a block is small, so that the sum over blocks stays bounded.
            scale = 0.25 if last else 1.0
            for part, deviation, mean in (("gamma", 0.05, scale), ("beta", 0.05, 0.0), ("mean", 0.1, 0.0)):
                w[name + "." + part] = rounded(
                    normal("resnet.%s.%s" % (name, part), (outputs,), deviation, mean), self.dtype)
            variance = 1 + 0.2 * np.abs(normal("resnet.%s.variance" % name, (outputs,), 1.0))
            w[name + ".variance"] = rounded(variance.astype(np.float32), self.dtype)

        conv("stem", self.width, 3, 7)
        for name, inputs, width, _, projects in self.blocks():
            conv(name + ".1", width, inputs, 1)
            conv(name + ".2", width, width, 3)
            conv(name + ".3", 4 * width, width, 1, last=True)
            if projects:
                conv(name + ".projection", 4 * width, inputs, 1)
        w["fc.weight"] = rounded(normal("resnet.fc", (1000, 32 * self.width), (32 * self.width) ** -0.5), self.dtype)
        w["fc.bias"] = rounded(normal("resnet.fc.bias", (1000,), 0.02), self.dtype)
        return w

    def inputs(self):
        shape = (self.batch, 3, self.size, self.size)
        image = rng("resnet.image").standard_normal(shape, dtype=np.float32)
        return {"image": rounded(np.ascontiguousarray(image.transpose(ORDERS[self.outside])), self.dtype)}

    def flops(self):
        size, total = self.size // 2, 2 * (self.size // 2) ** 2 * self.width * 147
        size //= 2
        for _, inputs, width, stride, projects in self.blocks():
            small = size // stride
            total += 2 * size * size * inputs * width
            total += 2 * small * small * width * (9 * width + 4 * width)
            total += 2 * small * small * inputs * 4 * width if projects else 0
            size = small
        return self.batch * (total + 64 * self.width * 1000)

    def module(self, dialect=Module):
        b, w, t = ModuleLayers(self, dialect), self.weights(), self.dtype
        m = b.m
        image = b.input("image", (self.batch, 3, self.size, self.size))

        def conv(x, name, stride, pad):
            weight = w[name + ".weight"]
            outputs, _, kernel, _ = weight.shape

            def make(v, order):
                v, around = b.windows(v, order, kernel, stride, pad)
                if order == "nchw":
                    return m.convolution(v, weight, stride, around, order)
                return m.conv2d(v, m.transpose(m.constant(weight, t), (0, 2, 3, 1)),
                                m.constant(np.zeros(outputs), t), stride, around)
            return b.engine(x, make)

        def norm(x, name):
            def channels(part):
                return m.cast(m.constant(w["%s.%s" % (name, part)].reshape(b.stored((1, -1, 1, 1), b.order)), t), "f32")
            y = m.sub(m.cast(x, "f32"), channels("mean"))
            y = m.mul(y, m.unary("rsqrt", m.add(channels("variance"), EPSILON)))
            y = m.add(m.mul(y, channels("gamma")), channels("beta"))
            return m.cast(y, t)

        def relu(x):
            return m.clamp(x, 0.0, LARGEST[t])

        x = relu(norm(conv(image, "stem", 2, 3), "stem"))
        x = b.pool("max", x, 3, 2)
        for name, _, _, stride, projects in self.blocks():
            y = relu(norm(conv(x, name + ".1", 1, 0), name + ".1"))
            y = relu(norm(conv(y, name + ".2", stride, 1), name + ".2"))
            y = norm(conv(y, name + ".3", 1, 0), name + ".3")
            if projects:
                x = norm(conv(x, name + ".projection", stride, 0), name + ".projection")
            x = relu(m.add(y, x))
        x = b.features(x)
        m.output(layers.linear(m, x, w["fc.weight"], w["fc.bias"]))
        return m

    def eager(self, torch):
        F, kind = torch.nn.functional, torch.float32 if self.dtype == "f32" else torch.bfloat16
        w = {name: torch.from_numpy(array).to(kind) for name, array in self.weights().items()}

        def conv(x, name, stride, pad):
            x = F.conv2d(x, w[name + ".weight"], None, stride, pad)
            return F.batch_norm(x, *(w["%s.%s" % (name, part)] for part in ("mean", "variance", "gamma", "beta")),
                                training=False, eps=EPSILON)

        def run(image):
            x = F.max_pool2d(torch.relu_(conv(image, "stem", 2, 3)), 3, 2, 1)
            for name, _, _, stride, projects in self.blocks():
                y = torch.relu_(conv(x, name + ".1", 1, 0))
                y = torch.relu_(conv(y, name + ".2", stride, 1))
                y = conv(y, name + ".3", 1, 0)
                if projects:
                    x = conv(x, name + ".projection", stride, 0)
                x = torch.relu_(y.add_(x))
            x = torch.flatten(F.adaptive_avg_pool2d(x, 1), 1)
            return (F.linear(x, w["fc.weight"], w["fc.bias"]),)
        return run

    def onnx(self, g):
        w = self.weights()
        image = g.input("image", self.inputs()["image"])

        def conv(x, name, stride, pad):
            weight = w[name + ".weight"]
            x = g.op("Conv", x, weight, kernel_shape=list(weight.shape[2:]), strides=[stride, stride],
                     pads=[pad] * 4)
            return g.op("BatchNormalization", x, *(w["%s.%s" % (name, part)] for part in (
                "gamma", "beta", "mean", "variance")), epsilon=EPSILON)

        def relu(x):
            return g.op("Relu", x)

        x = relu(conv(image, "stem", 2, 3))
        x = g.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
        for name, _, _, stride, projects in self.blocks():
            y = relu(conv(x, name + ".1", 1, 0))
            y = relu(conv(y, name + ".2", stride, 1))
            y = conv(y, name + ".3", 1, 0)
            if projects:
                x = conv(x, name + ".projection", stride, 0)
            x = relu(g.op("Add", y, x))
        x = g.op("Flatten", g.op("GlobalAveragePool", x), axis=1)
        g.output(g.op("Gemm", x, w["fc.weight"], w["fc.bias"], transB=1))
