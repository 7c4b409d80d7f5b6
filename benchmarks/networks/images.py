# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutional networks said once: layers on feature maps, for modules in any
order of dimensions, for PyTorch and for ONNX Runtime."""
import numpy as np

from . import layers
from .numbers import normal, rng, rounded
from .tosa import Module

ORDERS = {"nchw": (0, 1, 2, 3), "nhwc": (0, 2, 3, 1)}
LARGEST = {"f32": np.finfo(np.float32).max, "bf16": 3.3895313892515355e38}


def permutation(source, target):
    return [ORDERS[source].index(dim) for dim in ORDERS[target]]


class Layers:
    """What a network is written with; feature maps are values of the form."""

    def __init__(self, network):
        self.network = network

    def weight(self, name, shape, deviation, mean=0.0):
        key = "%s.%s" % (self.network.name, name)
        return rounded(normal(key, shape, deviation, mean), self.network.dtype)

    def filters(self, name, outputs, inputs, kernel):
        return self.weight(name + ".weight", (outputs, inputs, kernel, kernel),
                           (2 / (inputs * kernel * kernel)) ** 0.5)

    def affine(self, name, channels, scale=1.0):
        """Normalisation as exporters leave it: a scale and a shift per channel."""
        return (self.weight(name + ".scale", (channels,), 0.05 * scale, scale),
                self.weight(name + ".shift", (channels,), 0.05))


class ModuleLayers(Layers):
    """`network.tensors` is the order of feature maps between layers,
    `network.convs` that of convolutions, `network.outside` that of arguments and
    results. Where two differ there is a transpose."""

    def __init__(self, network, dialect):
        super().__init__(network)
        self.m, self.dtype = dialect("main"), network.dtype
        self.order, self.flops = network.tensors, 0
        self.convs = network.convs

    def moved(self, x, source, target):
        return x if source == target else self.m.transpose(x, permutation(source, target))

    def stored(self, shape, order):
        return [shape[dim] for dim in ORDERS[order]]

    def nchw(self, x):
        return tuple(x.shape[ORDERS[self.order].index(dim)] for dim in range(4))

    def channels(self, x):
        return self.nchw(x)[1]

    def input(self, name, shape):
        outside = self.network.outside
        return self.moved(self.m.input(name, self.stored(shape, outside), self.dtype), outside, self.order)

    def output(self, x):
        self.m.output(self.moved(x, self.order, self.network.outside) if len(x.shape) == 4 else x)

    def windows(self, x, order, kernel, stride, pad):
        """TOSA wants windows that end at the border exactly."""
        at = order.index("h")
        low = max(0, pad - (x.shape[at] + 2 * pad - kernel) % stride)
        rest = (x.shape[at] + pad + low - kernel) % stride
        if rest:
            x = self.m.slice(x, (0,) * 4, [n - rest if at <= i < at + 2 else n for i, n in enumerate(x.shape)])
        return x, (pad, low, pad, low)

    def engine(self, x, make):
        """A layer that has an order of its own."""
        order = self.convs if self.convs in self.m.orders else "nhwc"
        around = [self.order] if order == self.convs else [self.order, self.convs]
        for source, target in zip(around, around[1:] + [order]):
            x = self.moved(x, source, target)
        y = make(x, order)
        around = [order] + around[::-1]
        for source, target in zip(around, around[1:]):
            y = self.moved(y, source, target)
        return y

    def count(self, y, work):
        n, c, h, w = self.nchw(y)
        self.flops += 2 * n * c * h * w * work
        return y

    def convolved(self, x, weights, stride, depthwise=False):
        kernel = weights.shape[2]

        def make(v, order):
            v, pad = self.windows(v, order, kernel, stride, kernel // 2)
            return self.m.convolution(v, weights, stride, pad, order, depthwise)
        return self.count(self.engine(x, make), weights.shape[1] * kernel * kernel)

    def conv(self, x, name, outputs, kernel=1, stride=1):
        return self.convolved(x, self.filters(name, outputs, self.channels(x), kernel), stride)

    def depthwise(self, x, name, kernel, stride=1):
        return self.convolved(x, self.filters(name, self.channels(x), 1, kernel), stride, depthwise=True)

    def up(self, x, name, outputs):
        """Twice the size: every pixel becomes 2 x 2."""
        inputs = self.channels(x)
        weights = self.filters(name, inputs, outputs, 2)
        y = self.engine(x, lambda v, order: self.m.up_convolution(v, weights, order))
        return self.count(y, inputs)

    def norm(self, x, name, scale=1.0):
        m = self.m
        shape = self.stored((1, self.channels(x), 1, 1), self.order)

        def broadcast(values):
            return m.cast(m.constant(values.reshape(shape), self.dtype), "f32")
        gain, shift = self.affine(name, self.channels(x), scale)
        return m.cast(m.add(m.mul(m.cast(x, "f32"), broadcast(gain)), broadcast(shift)), self.dtype)

    def relu(self, x):
        return self.m.clamp(x, 0.0, LARGEST[self.dtype])

    def relu6(self, x):
        return self.m.clamp(x, 0.0, 6.0)

    def add(self, x, y):
        return self.m.add(x, y)

    def concat(self, values):
        return self.m.concat(values, ORDERS[self.order].index(1))

    def pool(self, kind, x, kernel, stride):
        x, pad = self.windows(self.moved(x, self.order, "nhwc"), "nhwc", kernel, stride, (kernel - 1) // 2)
        x = self.m.pool(kind, x, kernel, stride, pad)
        return self.moved(x, "nhwc", self.order)

    def features(self, x):
        """The mean of each channel: [N, C]."""
        n, c, h, _ = self.nchw(x)
        x = self.m.pool("avg", self.moved(x, self.order, "nhwc"), h, 1, (0, 0, 0, 0))
        return self.m.reshape(x, (n, c))

    def linear(self, x, name, outputs):
        inputs = x.shape[1]
        self.flops += 2 * x.shape[0] * inputs * outputs
        return layers.linear(self.m, x, self.weight(name + ".weight", (outputs, inputs), inputs ** -0.5),
                             self.weight(name + ".bias", (outputs,), 0.02))


class TorchLayers(Layers):
    def __init__(self, network, torch):
        super().__init__(network)
        self.torch, self.F, self.known = torch, torch.nn.functional, {}
        self.kind = torch.float32 if network.dtype == "f32" else torch.bfloat16

    def weight(self, name, shape, deviation, mean=0.0):
        if name not in self.known:
            self.known[name] = self.torch.from_numpy(super().weight(name, shape, deviation, mean)).to(self.kind)
        return self.known[name]

    def conv(self, x, name, outputs, kernel=1, stride=1):
        return self.F.conv2d(x, self.filters(name, outputs, x.shape[1], kernel), None, stride, kernel // 2)

    def depthwise(self, x, name, kernel, stride=1):
        return self.F.conv2d(x, self.filters(name, x.shape[1], 1, kernel), None, stride, kernel // 2,
                             groups=x.shape[1])

    def up(self, x, name, outputs):
        return self.F.conv_transpose2d(x, self.filters(name, x.shape[1], outputs, 2), None, 2)

    def norm(self, x, name, scale=1.0):
        gain, shift = (v.view(1, -1, 1, 1).float() for v in self.affine(name, x.shape[1], scale))
        return (x.float() * gain + shift).to(self.kind)

    def relu(self, x):
        return self.torch.relu(x)

    def relu6(self, x):
        return self.F.relu6(x)

    def add(self, x, y):
        return x + y

    def concat(self, values):
        return self.torch.cat(values, 1)

    def pool(self, kind, x, kernel, stride):
        function = self.F.max_pool2d if kind == "max" else self.F.avg_pool2d
        return function(x, kernel, stride, (kernel - 1) // 2)

    def features(self, x):
        return self.torch.flatten(self.F.adaptive_avg_pool2d(x, 1), 1)

    def linear(self, x, name, outputs):
        return self.F.linear(x, self.weight(name + ".weight", (outputs, x.shape[1]), x.shape[1] ** -0.5),
                             self.weight(name + ".bias", (outputs,), 0.02))


class OnnxLayers(Layers):
    """Values are a name and their channels."""

    def __init__(self, network, graph):
        super().__init__(network)
        self.g = graph

    def window(self, kernel, stride):
        return {"kernel_shape": [kernel, kernel], "strides": [stride, stride], "pads": [kernel // 2] * 4}

    def conv(self, x, name, outputs, kernel=1, stride=1):
        weights = self.filters(name, outputs, x[1], kernel)
        return self.g.op("Conv", x[0], weights, **self.window(kernel, stride)), outputs

    def depthwise(self, x, name, kernel, stride=1):
        weights = self.filters(name, x[1], 1, kernel)
        return self.g.op("Conv", x[0], weights, group=x[1], **self.window(kernel, stride)), x[1]

    def up(self, x, name, outputs):
        return self.g.op("ConvTranspose", x[0], self.filters(name, x[1], outputs, 2), kernel_shape=[2, 2],
                         strides=[2, 2]), outputs

    def norm(self, x, name, scale=1.0):
        gain, shift = (v.reshape(1, -1, 1, 1) for v in self.affine(name, x[1], scale))
        return self.g.op("Add", self.g.op("Mul", x[0], gain), shift), x[1]

    def relu(self, x):
        return self.g.op("Relu", x[0]), x[1]

    def relu6(self, x):
        return self.g.op("Clip", x[0], self.g.scalar(0), self.g.scalar(6)), x[1]

    def add(self, x, y):
        return self.g.op("Add", x[0], y[0]), x[1]

    def concat(self, values):
        return self.g.op("Concat", *(v[0] for v in values), axis=1), sum(v[1] for v in values)

    def pool(self, kind, x, kernel, stride):
        return self.g.op({"max": "MaxPool", "avg": "AveragePool"}[kind], x[0], kernel_shape=[kernel, kernel],
                         strides=[stride, stride], pads=[(kernel - 1) // 2] * 4), x[1]

    def features(self, x):
        return self.g.op("Flatten", self.g.op("GlobalAveragePool", x[0]), axis=1), x[1]

    def linear(self, x, name, outputs):
        return self.g.op("Gemm", x[0], self.weight(name + ".weight", (outputs, x[1]), x[1] ** -0.5),
                         self.weight(name + ".bias", (outputs,), 0.02), transB=1), outputs


class ImageNetwork:
    """A network from images of `channels` x `size` x `size` to what `body` makes
    of them."""

    name, channels = "", 3
    tensors, convs, outside = "nchw", "nhwc", "nchw"

    def __init__(self, batch=1, size=224, width=None, dtype="f32"):
        self.batch, self.size, self.dtype = batch, size, dtype
        self.width = width or self.width

    def shape(self):
        return self.batch, self.channels, self.size, self.size

    def inputs(self):
        image = rng(self.name + ".image").standard_normal(self.shape(), dtype=np.float32)
        return {"image": rounded(np.ascontiguousarray(image.transpose(ORDERS[self.outside])), self.dtype)}

    def layers(self, dialect):
        made = ModuleLayers(self, dialect)
        made.output(self.body(made, made.input("image", self.shape())))
        return made

    def module(self, dialect=Module):
        return self.layers(dialect).m

    def flops(self):
        return self.layers(Module).flops

    def weights(self):
        return {}

    def eager(self, torch):
        made = TorchLayers(self, torch)
        return lambda image: (self.body(made, image),)

    def onnx(self, g):
        made = OnnxLayers(self, g)
        g.output(self.body(made, (g.input("image", self.inputs()["image"]), self.channels))[0])


def wrapped(network, convs):
    """The network with channels-last images outside, all of whose convolutions
    are wrapped in transposes: NCHW ones between channels-last layers, or
    channels-last ones between NCHW layers."""
    tensors = {"nchw": "nhwc", "nhwc": "nchw"}[convs]
    return type(network.__name__ + "Wrapped", (network,),
                {"tensors": tensors, "convs": convs, "outside": "nhwc"})
