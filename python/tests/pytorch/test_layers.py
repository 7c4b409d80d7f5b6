# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers that torch-mlir does not convert as they are, or not their gradients: whole on the device,
forward and backward."""
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import gaudi_mlir.torch

from . import check


class Calls(nn.Module):
    """A function of a tensor."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def resize(mode, **options):
    return nn.Upsample(size=(7, 3), mode=mode, **options)


IMAGES = {
    "depthwise": lambda: nn.Conv2d(8, 8, 3, 2, 1, groups=8),
    "grouped": lambda: nn.Conv2d(8, 12, (3, 2), (2, 1), 1, dilation=(1, 2), groups=4),
    "not padded": lambda: nn.Conv2d(8, 6, 3, padding="valid"),
    "transposed": lambda: nn.ConvTranspose2d(8, 6, 4, 2, 1, output_padding=1),
    "transposed of groups": lambda: nn.ConvTranspose2d(8, 12, 3, 2, 1, output_padding=1, groups=4),
    "transposed depthwise": lambda: nn.ConvTranspose2d(8, 8, 4, 2, 1, groups=8),
    "average pool": lambda: nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False),
    "maximum pool": lambda: nn.MaxPool2d(3, 2, 1, ceil_mode=True),
    "adaptive average pool": lambda: nn.AdaptiveAvgPool2d((3, 4)),
    "adaptive maximum pool": lambda: nn.AdaptiveMaxPool2d((3, 4)),
    "power pool": lambda: nn.LPPool2d(2, 3),
    "nearest": lambda: resize("nearest"),
    "bilinear": lambda: resize("bilinear"),
    "bicubic": lambda: resize("bicubic", align_corners=True),
    "area": lambda: resize("area"),
    "reflected": lambda: nn.ReflectionPad2d((1, 2, 0, 3)),
    "replicated": lambda: nn.ReplicationPad2d((1, 2, 0, 3)),
    "circular": lambda: nn.CircularPad2d((1, 2, 0, 3)),
    "patches": lambda: nn.Unfold(3, padding=1),
    "group norm": lambda: nn.GroupNorm(2, 8),
    "instance norm": lambda: nn.InstanceNorm2d(8, affine=True),
    "response norm": lambda: nn.LocalResponseNorm(3),
    "pixels": lambda: nn.Sequential(nn.PixelShuffle(2), nn.PixelUnshuffle(2)),
}
ROWS = {
    "distances": lambda x: torch.cdist(x, x.flip(0) * 0.5),
    "city distances": lambda x: torch.cdist(x, x.flip(0) * 0.5, p=1),
    "median": lambda x: x.median(1).values,
    "third": lambda x: x.kthvalue(3, 1).values,
    "running maximum": lambda x: x.cummax(1).values,
    "running sum": lambda x: x.cumsum(0),
    "best": lambda x: x.topk(3).values,
    "sorted": lambda x: x.sort(0, descending=True).values,
    "scattered": lambda x: torch.zeros(5, 9).scatter(-1, x.argsort(1)[:, :2], x[:, :2]),
    "gathered": lambda x: x.gather(-1, x.argsort(1)),
    "triangle": lambda x: x[torch.tril_indices(5, 9, -1).unbind()],
    "similarity": lambda x: F.cosine_similarity(x, x.flip(0)),
    "norms": lambda x: torch.linalg.vector_norm(x, 3, dim=1),
}


def agrees(layer, x):
    model = nn.Sequential(nn.Conv2d(8, 8, 1) if x.dim() == 4 else nn.Linear(x.shape[1], x.shape[1]),
                          layer)
    assert check.inference(model, (x,)) <= 1
    assert check.gradients(model, (x,)) <= 1
    assert not gaudi_mlir.torch.fallback_stats()


@pytest.mark.parametrize("name", IMAGES)
def test_images(name):
    agrees(IMAGES[name](), torch.randn(2, 8, 9, 10))


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    agrees(Calls(ROWS[name]), torch.randn(5, 9))


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("shape", [(9,), (5, 9)])
def test_loss_of_several_labels(shape, reduction):
    """As PyTorch's kernel computes it; its formula for graphs takes what is behind the first -1 for class 0."""
    labels = torch.tensor([3, 1, -1, 0, 0, 0, 0, 0, 0]).expand(shape)
    model = Calls(lambda x: F.multilabel_margin_loss(x, labels, reduction=reduction))
    expected, got = (call(torch.linspace(-1, 2, 9).expand(shape))
                     for call in (model, torch.compile(model, backend="gaudi")))
    assert got.shape == expected.shape
    torch.testing.assert_close(got, expected)
    assert check.gradients(nn.Sequential(nn.Linear(9, 9), model), (torch.randn(shape),)) <= 1
