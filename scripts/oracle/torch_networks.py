# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks that torch-oracle.py judges: small, with the layers of large ones."""
import math

import torch
import torch.nn.functional as F
from torch import nn

import torch_attention  # noqa: F401 (adds its networks)
from torch_case import NETWORKS, floats, network, sequential, tokens


@sequential("MLP", floats(4, 20))
def mlp():
    return nn.Sequential(nn.Linear(20, 32), nn.GELU(), nn.Dropout(), nn.Linear(32, 16), nn.SiLU(), nn.Linear(16, 5),
                         nn.Softmax(-1))


@sequential("LeNet", floats(2, 1, 28, 28))
def lenet():
    return nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 84), nn.ReLU(), nn.Linear(84, 10))


@network(floats(1, 3, 16, 16))
class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU())
        self.a, self.b = nn.Conv2d(8, 16, 3, 2, 1, bias=False), nn.Conv2d(16, 16, 3, padding=1, bias=False)
        self.na, self.nb, self.skip = nn.BatchNorm2d(16), nn.BatchNorm2d(16), nn.Conv2d(8, 16, 1, 2)
        self.head = nn.Linear(16, 7)

    def forward(self, x):
        x = self.stem(x)
        x = F.relu(self.nb(self.b(F.relu(self.na(self.a(x))))) + self.skip(x))
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))


@network(floats(1, 3, 16, 16))
class MobileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.expand, self.depth = nn.Conv2d(3, 12, 1), nn.Conv2d(12, 12, 3, 2, 1, groups=12)
        self.squeeze, self.excite, self.project = nn.Conv2d(12, 4, 1), nn.Conv2d(4, 12, 1), nn.Conv2d(12, 6, 1)
        self.norm = nn.BatchNorm2d(12)

    def forward(self, x):
        x = F.hardswish(self.norm(self.depth(F.relu6(self.expand(x)))))
        gate = F.hardsigmoid(self.excite(F.relu(self.squeeze(F.adaptive_avg_pool2d(x, 1)))))
        return self.project(x * gate)


@network(floats(1, 3, 16, 16))
class DenseNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv2d(3 + 4 * i, 4, 3, padding=1) for i in range(3))
        self.norms = nn.ModuleList(nn.BatchNorm2d(3 + 4 * i) for i in range(3))

    def forward(self, x):
        for norm, layer in zip(self.norms, self.layers):
            x = torch.cat([x, layer(F.relu(norm(x)))], 1)
        return F.avg_pool2d(x, 2)


@network(floats(1, 3, 16, 16))
class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.mid = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.up, self.out = nn.ConvTranspose2d(16, 8, 2, stride=2), nn.Conv2d(16, 2, 1)
        self.norm = nn.GroupNorm(4, 8)

    def forward(self, x):
        skip = F.silu(self.norm(self.down(x)))
        x = F.silu(self.mid(F.max_pool2d(skip, 2)))
        return self.out(torch.cat([skip, self.up(x)], 1))


@network(floats(1, 3, 8, 8))
class UpsamplingDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.norm = nn.Conv2d(3, 6, 3, padding=1), nn.Conv2d(6, 3, 3, padding=1), nn.InstanceNorm2d(6)

    def forward(self, x):
        x = F.leaky_relu(self.norm(self.a(F.interpolate(x, scale_factor=2, mode="nearest"))))
        return torch.sigmoid(self.b(F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)))


@network(floats(1, 2, 32))
class TemporalConvolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Conv1d(2, 2, 3, dilation=2 ** i, padding=2 ** i) for i in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.tanh(layer(x))
        return F.max_pool1d(x, 2)


@network(floats(1, 1, 6, 8, 8))
class Convolutions3d(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.norm, self.b = nn.Conv3d(1, 4, 3, padding=1), nn.BatchNorm3d(4), nn.Linear(4, 3)

    def forward(self, x):
        return self.b(F.max_pool3d(F.relu(self.norm(self.a(x))), 2).mean((2, 3, 4)))


@network(floats(2, 7, 6))
class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.LSTM(6, 8, 2, batch_first=True, bidirectional=True), nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.cell(x)[0])


@network(floats(2, 7, 6))
class GRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(6, 8, batch_first=True)

    def forward(self, x):
        return self.cell(x)[0]


@network(floats(2, 5, 6))
class RNNCells(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(6, 4)

    def forward(self, x):
        h = c = torch.zeros(2, 4)
        for step in range(5):
            h, c = self.cell(x[:, step], (h, c))
        return h, c


@network(tokens(30, 4, 6))
class EmbeddingBag(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag, self.head = nn.EmbeddingBag(30, 8, mode="mean"), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.bag(x))


@network(floats(6, 4), tokens(6, 2, 12))
class GraphConvolution(nn.Module):
    """Messages along edges are added at their ends."""

    def __init__(self):
        super().__init__()
        self.message, self.update = nn.Linear(4, 8), nn.Linear(12, 4)

    def forward(self, x, edges):
        messages = F.relu(self.message(x[edges[0]]))
        sums = torch.zeros(6, 8).index_add(0, edges[1], messages)
        degree = torch.zeros(6).index_add(0, edges[1], torch.ones(12)).clamp(min=1)
        return self.update(torch.cat([x, sums / degree[:, None]], 1))


@network(floats(6, 4), tokens(6, 2, 12))
class GraphAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.value, self.score = nn.Linear(4, 4), nn.Linear(8, 1)

    def forward(self, x, edges):
        h = self.value(x)
        scores = F.leaky_relu(self.score(torch.cat([h[edges[0]], h[edges[1]]], -1)), 0.2)[:, 0]
        most = torch.full((6,), -1e9).scatter_reduce(0, edges[1], scores, "amax")
        weights = torch.exp(scores - most[edges[1]])
        total = torch.zeros(6).index_add(0, edges[1], weights)
        return torch.zeros(6, 4).index_add(0, edges[1], h[edges[0]] * (weights / total[edges[1]])[:, None])


@network(floats(40, 3), tokens(16, 40))
class PointPooling(nn.Module):
    """Points of one cell are pooled to their largest features."""

    def __init__(self):
        super().__init__()
        self.features = nn.Linear(3, 6)

    def forward(self, points, cells):
        x = self.features(points)
        return torch.zeros(16, 6).scatter_reduce(0, cells[:, None].expand(-1, 6), x, "amax", include_self=False)


@network(floats(1, 20, 4), floats(1, 20))
class DetectionHead(nn.Module):
    """The boxes with the best scores, best first."""

    def forward(self, boxes, scores):
        best, order = torch.sort(scores, descending=True)
        picked = torch.gather(boxes, 1, order[:, :5, None].expand(-1, -1, 4))
        center, half = picked[..., :2], picked[..., 2:] / 2
        return torch.cat([center - half, center + half], -1), best[:, :5]


@network(floats(2, 30))
class NucleusSampling(nn.Module):
    """Logits outside the nucleus are removed."""

    def forward(self, logits):
        ordered, order = torch.sort(logits, descending=True)
        removed = torch.cumsum(F.softmax(ordered, -1), -1) - F.softmax(ordered, -1) > 0.7
        return logits.masked_fill(removed.scatter(1, order, removed), -1e9)


@network(floats(2, 12, 8))
class StateSpace(nn.Module):
    """A diagonal linear recurrence, as a ratio of cumulative sums and products."""

    def __init__(self):
        super().__init__()
        self.gate, self.value = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        decay = torch.sigmoid(self.gate(x)) * 0.5 + 0.5
        total = torch.cumprod(decay, 1)
        return total * torch.cumsum(self.value(x) / total, 1)


@network(floats(1, 6, 8, 8))
class VectorQuantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.codes = nn.Embedding(10, 6)

    def forward(self, x):
        flat = x.permute(0, 2, 3, 1).reshape(-1, 6)
        codes = self.codes(torch.arange(10))
        nearest = torch.argmin((flat[:, None] - codes).square().sum(-1), 1)
        return self.codes(nearest).view(1, 8, 8, 6).permute(0, 3, 1, 2), F.one_hot(nearest, 10).float().mean(0)


@network(floats(4, 10), tokens(2, 4))
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(10, 6), nn.Linear(3, 10)

    def forward(self, x, label):
        mean, log_variance = self.encode(x).chunk(2, -1)
        y = self.decode(mean + torch.exp(0.5 * log_variance) * label[:, None])
        return y, -0.5 * torch.mean(1 + log_variance - mean ** 2 - log_variance.exp())


@network(floats(2, 16, 4))
class LinearAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(4, 12)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        state = torch.cumsum(k[..., None] * v[:, :, None], 1)
        return torch.einsum("bld,bldv->blv", q, state) / (torch.einsum("bld,bld->bl", q, k.cumsum(1))[..., None] + 1e-6)


@network(floats(2, 8, 12))
class Conformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.point = nn.LayerNorm(12), nn.Conv1d(12, 24, 1)
        self.depth = nn.Conv1d(12, 12, 3, padding=1, groups=12)
        self.batch = nn.BatchNorm1d(12)

    def forward(self, x):
        y = F.glu(self.point(self.norm(x).transpose(1, 2)), 1)
        return x + F.silu(self.batch(self.depth(y))).transpose(1, 2)


@network(floats(3, 5), tokens(20, 3, 4))
class DLRM(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense, self.tables = nn.Linear(5, 6), nn.ModuleList(nn.Embedding(20, 6) for _ in range(4))
        self.top = nn.Linear(16, 1)

    def forward(self, x, ids):
        parts = torch.stack([self.dense(x)] + [table(ids[:, i]) for i, table in enumerate(self.tables)], 1)
        products = parts @ parts.transpose(1, 2)
        rows, columns = torch.tensor([(i, j) for i in range(5) for j in range(i)]).t()
        return torch.sigmoid(self.top(torch.cat([parts[:, 0], products[:, rows, columns]], 1)))


@network(floats(2, 10), floats(2, 10))
class SineEmbedding(nn.Module):
    """Time steps of a diffusion model."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(10, 10), nn.Linear(16, 20)

    def forward(self, x, noise):
        steps = torch.tensor([3.0, 40.0])
        rates = torch.exp(-math.log(1e4) * torch.arange(8) / 8)
        angles = steps[:, None] * rates
        scale, shift = self.b(torch.cat([angles.sin(), angles.cos()], -1)).chunk(2, -1)
        return F.layer_norm(self.a(x), (10,)) * (1 + scale) + shift - noise
