# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples of images at the positions of a grid, and of random windows, in ops of the device."""
import functools
import math

import torch

aten = torch.ops.aten
Tensor = torch.Tensor

_LINEAR, _NEAREST, _CUBIC = 0, 1, 2
_ZEROS, _BORDER, _REFLECTION = 0, 1, 2


def _unnormalized(x: Tensor, size: int, align: bool) -> Tensor:
    """From [-1, 1], the centers of the outer elements or their outer edges, to elements."""
    return (x + 1) * ((size - 1) / 2) if align else (x + 1) * (size / 2) - 0.5


def _padded(x: Tensor, size: int, padding: int, align: bool, dims: int) -> tuple[Tensor, Tensor]:
    """Where an image with this padding is read for x, and the slope of that. PyTorch reads the
    first element of images and the last one of volumes for what is no number."""
    slope = torch.ones_like(x)
    if padding == _REFLECTION:
        low, span = (0.0, size - 1) if align else (-0.5, size)
        if span == 0:
            return torch.zeros_like(x), torch.zeros_like(x)
        away = (x - low).abs()
        is_odd = torch.remainder((away / span).floor(), 2) != 0
        rest = torch.fmod(away, span)
        slope = torch.where((x < low) != is_odd, -1.0, slope)
        x = torch.where(is_odd, span - rest, rest) + low
    if padding != _ZEROS:
        slope = torch.where((x <= 0) | (x >= size - 1), 0.0, slope)
        x = torch.where(x.isnan(), 0 if dims == 2 else size - 1, x.clamp(0, size - 1))
    return x, slope


def _cubic(away: Tensor, is_near: bool) -> tuple[Tensor, Tensor]:
    """R. Keys' kernel with a = -3/4 at a distance of up to 1 or of up to 2, and its slope."""
    a = -0.75
    if is_near:
        return (((a + 2) * away - (a + 3)) * away * away + 1,
                (3 * (a + 2) * away - 2 * (a + 3)) * away)
    return (((away - 5) * away + 8) * away - 4) * a, ((3 * away - 10) * away + 8) * a


def _taps(x: Tensor, mode: int) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """The elements around x, their weights, and the slopes of these."""
    if mode == _NEAREST:
        return [x.round()], [torch.ones_like(x)], [torch.zeros_like(x)]
    begin = x.floor()
    part = x - begin
    if mode == _LINEAR:
        one = torch.ones_like(x)
        return [begin, begin + 1], [begin + 1 - x, part], [-one, one]
    weights, slopes = [], []
    for away, is_near, sign in ((part + 1, False, 1), (part, True, 1), (1 - part, True, -1),
                                (2 - part, False, -1)):
        weight, slope = _cubic(away, is_near)
        weights.append(weight)
        slopes.append(slope * sign)
    return [begin + offset for offset in range(-1, 3)], weights, slopes


class _Samples:
    """What a grid takes of images: along each dimension some elements for each position. Tensors
    are [batch, positions, taps of the first dimension, taps of the second, ...]."""

    def __init__(self, input: Tensor, grid: Tensor, mode: int, padding: int, align: bool) -> None:
        self.sizes, self.shape = list(input.shape[2:]), list(grid.shape[1:-1])
        self.dims = len(self.sizes)
        self.index, self.inside, self.weights, self.slopes = 0, True, [], []
        for dim, size in enumerate(self.sizes):
            x = grid[..., self.dims - 1 - dim].reshape(grid.shape[0], -1)
            slope = torch.full_like(x, (size - 1 if align else size) / 2)
            x = _unnormalized(x, size, align)
            if mode != _CUBIC:
                x, further = _padded(x, size, padding, align, self.dims)
                slope = slope * further
            places, weights, slopes = _taps(x, mode)
            if mode == _CUBIC:
                places = [_padded(each, size, padding, align, 2)[0] for each in places]
            place, weight = self._stacked(places, dim), self._stacked(weights, dim)
            inside = (place >= 0) & (place <= size - 1)
            self.inside = inside & self.inside
            self.index = self.index * size + torch.where(inside, place, 0).to(torch.int64)
            # Outside of images PyTorch computes with zeros, outside of volumes not at all.
            counts = inside | weight.isnan() if self.dims == 2 else inside
            self.weights.append(torch.where(counts, weight, 0))
            along = self._stacked([each * slope for each in slopes], dim)
            self.slopes.append(torch.where(inside, along, 0))

    def _stacked(self, taps: list[Tensor], dim: int) -> Tensor:
        shape = [len(taps) if each == dim else 1 for each in range(self.dims)]
        return torch.stack(taps, -1).reshape(*taps[0].shape, *shape)

    def weight(self, instead: int = -1) -> Tensor:
        """Of each element; of one dimension the slope of the weight."""
        factors = [*self.weights]
        if instead >= 0:
            factors[instead] = self.slopes[instead]
        return functools.reduce(torch.mul, factors)

    def flat_index(self, channels: int) -> Tensor:
        """[batch, channels, positions and taps]"""
        return self.index.reshape(self.index.shape[0], 1, -1).expand(-1, channels, -1)

    def values(self, input: Tensor) -> Tensor:
        """[batch, channels, positions, taps...]"""
        found = aten.gather(input.reshape(*input.shape[:2], -1), 2, self.flat_index(input.shape[1]))
        return found.reshape(*input.shape[:2], *self.index.shape[1:])

    def taps(self) -> list[int]:
        return list(range(-self.dims, 0))


def _wide(x: Tensor) -> Tensor:
    return x.to(torch.float32) if x.dtype in (torch.bfloat16, torch.float16) else x


def _grid_sampler(input: Tensor, grid: Tensor, mode: int, padding: int, align: bool) -> Tensor:
    if grid.numel() == 0 or input.numel() == 0:
        return input.new_zeros([*input.shape[:2], *grid.shape[1:-1]])
    samples = _Samples(input, _wide(grid), mode, padding, align)
    result = (samples.values(_wide(input)) * samples.weight().unsqueeze(1)).sum(samples.taps())
    return result.reshape(*input.shape[:2], *samples.shape).to(input.dtype)


def _grid_sampler_backward(grad: Tensor, input: Tensor, grid: Tensor, mode: int, padding: int,
                           align: bool, output_mask):
    if grid.numel() == 0 or input.numel() == 0:
        return torch.zeros_like(input), torch.zeros_like(grid)
    samples = _Samples(input, _wide(grid), mode, padding, align)
    grads = _wide(grad).reshape(*input.shape[:2], -1, *[1] * samples.dims)
    of_input = of_grid = None
    if output_mask[0]:
        weight = torch.where(samples.inside, samples.weight(), 0)
        shares = (grads * weight.unsqueeze(1)).reshape(*input.shape[:2], -1)
        zeros = shares.new_zeros([*input.shape[:2], math.prod(samples.sizes)])
        of_input = aten.scatter_add(zeros, 2, samples.flat_index(input.shape[1]), shares)
        of_input = of_input.reshape(input.shape).to(input.dtype)
    if output_mask[1] and mode == _NEAREST:
        of_grid = torch.zeros_like(grid)
    elif output_mask[1]:
        along = (samples.values(_wide(input)) * grads).sum(1)
        parts = [(along * samples.weight(dim)).sum(samples.taps())
                 for dim in reversed(range(samples.dims))]
        of_grid = torch.stack(parts, -1).reshape(grid.shape).to(grid.dtype)
    return of_input, of_grid


def _begins(samples: Tensor, size: int, window: int, outputs: int) -> Tensor:
    """Where the windows of fractional pooling begin, the last one at the end; samples are [...]."""
    last = torch.full_like(samples, size - window, dtype=torch.int64).unsqueeze(-1)
    if outputs == 1:
        return last
    step = (size - window) / (outputs - 1)
    number = torch.arange(outputs - 1, device=samples.device).to(samples.dtype)
    samples = samples.unsqueeze(-1)
    begins = ((number + samples) * step).to(torch.int64) - (samples * step).to(torch.int64)
    return torch.cat([begins, last], -1)


def _fractional_max_pool(dims: int, self: Tensor, kernel_size, output_size, random_samples: Tensor):
    """B. Graham, "Fractional max-pooling", arXiv:1412.6071."""
    if self.numel() == 0:
        return NotImplemented
    if self.dim() == dims + 1:  # one image, of whose numbers there may be more
        random_samples = random_samples[:1]
    batch, channels = random_samples.shape[:2]
    kept, sizes = list(self.shape[:-dims]), list(self.shape[-dims:])
    index = 0
    for dim, (size, window, outputs) in enumerate(zip(sizes, kernel_size, output_size)):
        numbers = random_samples[..., dim if dims == 3 else 1 - dim]
        begins = _begins(numbers, size, window, outputs).unsqueeze(-1)
        places = begins + torch.arange(window, device=self.device)
        shape = [outputs if each == dim else 1 for each in range(dims)]
        shape += [window if each == dim else 1 for each in range(dims)]
        index = index * size + places.reshape(batch, channels, *shape)
    index = index.reshape(*kept, math.prod(output_size), -1)
    found = aten.gather(self.reshape(*kept, -1), -1, index.reshape(*kept, -1)).reshape(index.shape)
    values, place = found.max(-1, keepdim=True)
    shape = [*kept, *output_size]
    return values.reshape(shape), aten.gather(index, -1, place).reshape(shape)


def _fractional_backward(dims: int, grad: Tensor, self: Tensor, kernel_size, output_size,
                         indices: Tensor) -> Tensor:
    kept = list(self.shape[:-dims])
    zeros = torch.zeros_like(self).reshape(*kept, -1)
    flat = aten.scatter_add(zeros, -1, indices.reshape(*kept, -1), grad.reshape(*kept, -1))
    return flat.reshape(self.shape)


TABLE = {
    aten.grid_sampler_2d.default: _grid_sampler,
    aten.grid_sampler_3d.default: _grid_sampler,
    aten.grid_sampler_2d_backward.default: _grid_sampler_backward,
    aten.grid_sampler_3d_backward.default: _grid_sampler_backward,
    aten.fractional_max_pool2d.default: functools.partial(_fractional_max_pool, 2),
    aten.fractional_max_pool3d.default: functools.partial(_fractional_max_pool, 3),
    aten.fractional_max_pool2d_backward.default: functools.partial(_fractional_backward, 2),
    aten.fractional_max_pool3d_backward.default: functools.partial(_fractional_backward, 3),
}
