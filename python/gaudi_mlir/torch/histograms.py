# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Histograms of one or several dimensions, in ops that the device has."""
import math

import torch

from . import checks
from .spacing import spaced

aten = torch.ops.aten
Tensor = torch.Tensor
_count = range  # an argument of PyTorch's has the name


def _check_finite(name: str, low: Tensor, high: Tensor) -> None:
    """Has the host raise what PyTorch raises of numbers that have no histogram."""
    checks.require(torch.isfinite(low) & torch.isfinite(high),
                   f"{name}: the range of the numbers is not finite")


def _has_range(range) -> bool:
    """Whether PyTorch takes what is given for `range`; the op itself says what it does not take."""
    ends = range or ()
    return all(map(math.isfinite, ends)) and \
        all(low <= high for low, high in zip(ends[::2], ends[1::2]))


def _outer_edges(points: Tensor, range) -> list[tuple[Tensor, Tensor]]:
    """The first and the last edge of each dimension of points, which are [count, dimensions]."""
    dims = points.shape[1]
    if range:
        ends = list(zip(range[::2], range[1::2]))
        halves = [0.5 if low == high else 0.0 for low, high in ends]
        return [(points.new_full([], low - half), points.new_full([], high + half))
                for (low, high), half in zip(ends, halves)]
    if points.shape[0] == 0:
        return [(points.new_zeros([]), points.new_ones([]))] * dims
    low, high = points.amin(0), points.amax(0)
    _check_finite("torch.histogramdd", low, high)
    half = torch.where(low == high, 0.5, torch.zeros_like(low))
    low, high = low - half, high + half
    return [(low[dim], high[dim]) for dim in _count(dims)]


def _edges(points: Tensor, bins, range) -> list[Tensor]:
    outer = _outer_edges(points, range)
    return [spaced(low, high, count + 1) for (low, high), count in zip(outer, bins)]


def _counted(points: Tensor, edges: list[Tensor], weight: Tensor | None, density: bool) -> Tensor:
    """The sums of the weights of the points between edges. The last bin has both of its edges."""
    sizes = [each.shape[0] - 1 for each in edges]
    place, inside = 0, None
    for dim, (edge, size) in enumerate(zip(edges, sizes)):
        x = points[:, dim].contiguous()
        number = (aten.searchsorted.Tensor(edge, x, right=True) - 1).clamp(0, size - 1)
        place = place * size + number
        within = (x >= edge[0]) & (x <= edge[-1])
        inside = within if inside is None else inside & within
    weights = torch.ones_like(points[:, 0]) if weight is None else weight.reshape(-1)
    weights = torch.where(inside, weights, 0).to(points.dtype)
    result = aten.scatter_add(points.new_zeros([math.prod(sizes)]), 0, place, weights)
    result = result.reshape(sizes)
    if density:
        result = result / result.sum()
        for dim, edge in enumerate(edges):
            shape = [-1 if each == dim else 1 for each in _count(len(sizes))]
            result = result / (edge[1:] - edge[:-1]).reshape(shape)
    return result


def _points(self: Tensor) -> Tensor:
    return self.reshape(-1, self.shape[-1])


def _histogram_between(self: Tensor, bins: Tensor, *, weight=None, density=False):
    return _counted(self.reshape(-1, 1), [bins], weight, density), bins.clone()


def _histogram(self: Tensor, bins: int = 100, *, range=None, weight=None, density=False):
    if not _has_range(range):
        return NotImplemented
    points = self.reshape(-1, 1)
    edges = _edges(points, [bins], range)
    return _counted(points, edges, weight, density), edges[0]


def _edges_of_dims(self: Tensor, bins, *, range=None, weight=None, density=False):
    return _edges(_points(self), bins, range) if _has_range(range) else NotImplemented


def _histogram_of_dims(self: Tensor, bins, *, range=None, weight=None, density=False) -> Tensor:
    if not _has_range(range):
        return NotImplemented
    points = _points(self)
    return _counted(points, _edges(points, bins, range), weight, density)


def _histogram_of_dims_between(self: Tensor, bins, *, weight=None, density=False) -> Tensor:
    return _counted(_points(self), list(bins), weight, density)


def checked(self: Tensor, bins: int = 100, min=0, max=0):
    """The front end has aten.histc, but no errors by values; the op stays. Accelerators also count
    integers."""
    if not self.is_floating_point() and self.device.type != "cpu":
        return aten.histc.default(self.to(torch.float32), bins, min, max).to(self.dtype)
    if min == max and self.numel():
        _check_finite("torch.histc", *(x.to(torch.float32) for x in self.aminmax()))
    return NotImplemented


TABLE = {
    aten.histogram.bins_tensor: _histogram_between,
    aten.histogram.bin_ct: _histogram,
    aten._histogramdd_bin_edges.default: _edges_of_dims,
    aten._histogramdd_from_bin_cts.default: _histogram_of_dims,
    aten._histogramdd_from_bin_tensors.default: _histogram_of_dims_between,
}
