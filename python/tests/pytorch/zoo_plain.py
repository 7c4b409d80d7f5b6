# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in plain PyTorch: name -> builder of (model, inputs)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

MODELS = {}


def model(*shapes):
    """Registers a module class with the shapes of its inputs, random numbers."""
    def register(cls):
        MODELS[cls.__name__] = lambda: (cls(), tuple(
            torch.randn(shape) if isinstance(shape, tuple) else shape() for shape in shapes))
        return cls
    return register


class Block(nn.Module):
    def __init__(self, inside, outside, stride=1):
        super().__init__()
        self.a = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.b = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(outside), nn.BatchNorm2d(outside)
        self.skip = nn.Identity() if stride == 1 and inside == outside else nn.Sequential(
            nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        return F.relu(self.nb(self.b(F.relu(self.na(self.a(x))))) + self.skip(x))


@model((2, 3, 32, 32))
class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8),
                                  nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.layers = nn.Sequential(Block(8, 8), Block(8, 16, 2), Block(16, 32, 2))
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        return self.head(F.adaptive_avg_pool2d(self.layers(self.stem(x)), 1).flatten(1))


class Inverted(nn.Module):
    def __init__(self, inside, outside, stride, expand):
        super().__init__()
        hidden = inside * expand
        self.residual = stride == 1 and inside == outside
        self.layers = nn.Sequential(
            nn.Conv2d(inside, hidden, 1, bias=False), nn.BatchNorm2d(hidden), nn.ReLU6(),
            nn.Conv2d(hidden, hidden, 3, stride, 1, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden), nn.ReLU6(),
            nn.Conv2d(hidden, outside, 1, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        return x + self.layers(x) if self.residual else self.layers(x)


@model((2, 3, 32, 32))
class MobileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8),
                                    nn.ReLU6(), Inverted(8, 8, 1, 2), Inverted(8, 16, 2, 4),
                                    Inverted(16, 16, 1, 4))
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(16, 10))

    def forward(self, x):
        return self.head(self.layers(x).mean((2, 3)))


class SpatialAttention(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.GroupNorm(4, channels)
        self.qkv, self.out = nn.Conv2d(channels, 3 * channels, 1), nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(b, 3, c, h * w).transpose(2, 3).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v)
        return x + self.out(y.transpose(1, 2).reshape(b, c, h, w))


@model((2, 3, 16, 16), lambda: torch.tensor([3, 500]))
class UNet(nn.Module):
    """As in diffusion: a time embedding, residual blocks, attention, a skip connection."""

    def __init__(self):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(16, 16), nn.SiLU(), nn.Linear(16, 16))
        self.stem, self.down = nn.Conv2d(3, 8, 3, 1, 1), nn.Conv2d(8, 16, 3, 2, 1)
        self.middle, self.attention = nn.Conv2d(16, 16, 3, 1, 1), SpatialAttention(16)
        self.norm = nn.GroupNorm(4, 16)
        self.up, self.out = nn.Conv2d(16, 8, 3, 1, 1), nn.Conv2d(16, 3, 3, 1, 1)

    def forward(self, x, t):
        frequency = torch.exp(-math.log(10000) * torch.arange(8) / 8)
        angle = t[:, None].float() * frequency
        t = self.time(torch.cat([angle.sin(), angle.cos()], -1))
        skip = self.stem(x)
        y = self.down(F.silu(skip))
        y = self.attention(self.middle(F.silu(self.norm(y))) + t[:, :, None, None])
        y = self.up(F.interpolate(y, scale_factor=2.0, mode="nearest"))
        return self.out(torch.cat([skip, y], 1))


@model((3, 7, 8))
class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 16, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        y, (h, c) = self.rnn(x)
        return self.head(y[:, -1]), h, c


@model((3, 7, 8))
class GRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(8, 16, 2, batch_first=True)

    def forward(self, x):
        return self.rnn(x)


@model((2, 9, 16))
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(9)
        return self.layers(x, mask=mask, is_causal=True)


@model((2, 9, 16), (2, 5, 16))
class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Transformer(16, 4, 2, 2, 32, batch_first=True)

    def forward(self, source, target):
        return self.layers(source, target)


@model(lambda: torch.randint(0, 50, (20,)), lambda: torch.tensor([0, 4, 9, 15]))
class Bags(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.EmbeddingBag(50, 8, mode="mean")
        self.sum = nn.EmbeddingBag(50, 8, mode="sum")

    def forward(self, indices, offsets):
        return self.mean(indices, offsets) * self.sum(indices, offsets)


@model((6, 12), (6, 12))
class Contrastive(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(12, 8), nn.Linear(12, 8)
        self.scale = nn.Parameter(torch.tensor(2.6))

    def forward(self, x, y):
        x, y = F.normalize(self.a(x), dim=-1), F.normalize(self.b(y), dim=-1)
        logits = self.scale.exp() * x @ y.t()
        labels = torch.arange(len(x))
        return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.round(x)

    @staticmethod
    def backward(ctx, gradient):
        x, = ctx.saved_tensors
        return gradient * (x.abs() < 1)


@model((4, 10))
class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(10, 12), nn.Linear(12, 3)

    def forward(self, x):
        return self.b(Straight.apply(self.a(x)))


@model((2, 16, 16))
class Experts(nn.Module):
    """Top-2 routing, all experts computed, and a load-balancing loss."""

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(16, 4)
        self.up, self.down = nn.Parameter(torch.randn(4, 16, 32) / 4), \
            nn.Parameter(torch.randn(4, 32, 16) / 6)

    def forward(self, x):
        probability = self.gate(x).softmax(-1)
        weight, index = probability.topk(2, -1)
        weight = weight / weight.sum(-1, keepdim=True)
        route = torch.zeros_like(probability).scatter(-1, index, weight)
        y = torch.einsum("bsd,edh->ebsh", x, self.up)
        y = torch.einsum("ebsh,ehd->ebsd", F.silu(y), self.down)
        balance = (route > 0).float().mean((0, 1)) * probability.mean((0, 1))
        return torch.einsum("ebsd,bse->bsd", y, route), balance.sum()


@model((2, 4, 20))
class TemporalConv(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.utils.parametrizations.weight_norm(
            nn.Conv1d(4, 4, 3, dilation=2 ** i)) for i in range(3))

    def forward(self, x):
        for index, layer in enumerate(self.layers):
            x = x + torch.tanh(layer(F.pad(x, (2 * 2 ** index, 0))))
        return x


@model((2, 2, 8, 8, 8))
class Volume(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv3d(2, 4, 3, 2, 1), nn.InstanceNorm3d(4), nn.LeakyReLU(),
                                    nn.ConvTranspose3d(4, 2, 2, 2), nn.AvgPool3d(2))

    def forward(self, x):
        return self.layers(x)


@model((2, 10))
class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(10, 8), nn.Linear(4, 10)

    def forward(self, x):
        mean, log_variance = self.encoder(x).chunk(2, -1)
        z = mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
        loss = -0.5 * torch.sum(1 + log_variance - mean ** 2 - log_variance.exp())
        return F.mse_loss(self.decoder(z), x) + loss


@model((2, 3, 12, 12))
class Vision(nn.Module):
    """Layers that classifiers and segmenters use besides convolutions."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1, padding_mode="reflect")
        self.gate = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 8, 1), nn.Hardsigmoid())
        self.up, self.act = nn.ConvTranspose2d(8, 4, 3, 2, 1, 1), nn.PReLU()

    def forward(self, x):
        x = self.stem(x)
        x = self.act(x * self.gate(x))
        y = self.up(F.max_pool2d(x, 2))
        y = F.interpolate(y, size=(20, 20), mode="bilinear", align_corners=False)
        return F.pixel_shuffle(x, 2), F.adaptive_avg_pool2d(y, (4, 4)).flatten(1)
