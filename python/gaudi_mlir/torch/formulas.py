# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that PyTorch does not decompose and that need no lowering of their own, in other ops."""
import math

import torch

aten = torch.ops.aten
Tensor = torch.Tensor


def _last_nan_sorted(self: Tensor, dim: int) -> tuple[Tensor, Tensor, Tensor]:
    """Sorted values with their places, and how many of them are numbers."""
    values, places = aten.sort(self, dim)
    return values, places, (self == self).to(torch.int64).sum(dim, keepdim=True)


def _at(place: Tensor, tensors: tuple[Tensor, ...], dim: int, keepdim: bool) -> tuple[Tensor, ...]:
    found = tuple(aten.gather(each, dim, place) for each in tensors)
    return found if keepdim else tuple(each.squeeze(dim) for each in found)


def _nan_median(self: Tensor, dim: int = -1, keepdim: bool = False):
    if self.dim() == 0:
        return self.clone(), torch.zeros_like(self, dtype=torch.int64)
    values, places, numbers = _last_nan_sorted(self, dim)
    middle = torch.div(numbers - 1, 2, rounding_mode="floor").clamp(min=0)
    return _at(middle, (values, places), dim, keepdim)


def _median_of_all(self: Tensor) -> Tensor:
    if self.numel() == 0:
        return NotImplemented
    return aten.median.dim(self.reshape(-1), 0)[0]


def _nan_median_of_all(self: Tensor) -> Tensor:
    if self.numel() == 0:
        return NotImplemented
    return _nan_median(self.reshape(-1), 0)[0]


def _mode(self: Tensor, dim: int = -1, keepdim: bool = False):
    """The smallest of the most frequent values, and the last place it is at."""
    if self.dim() == 0:
        return self.clone(), torch.zeros_like(self, dtype=torch.int64)
    dim %= self.dim()
    values, places = aten.sort(self, dim)
    moved = values.movedim(dim, -1)
    counts = (moved.unsqueeze(-1) == moved.unsqueeze(-2)).to(torch.int64).sum(-1)
    most, first = counts.max(-1, keepdim=True)
    last = (first + most.clamp(min=1) - 1).movedim(-1, dim)  # no NaN equals another
    return _at(last, (values, places), dim, keepdim)


def _put(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    flat = aten.index_put(self.reshape(-1), [index.reshape(-1)], source.reshape(-1), accumulate)
    return flat.reshape(self.shape)


def _masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    self, mask = torch.broadcast_tensors(self, mask)
    if source.numel() == 0:
        return self.clone()
    place = (mask.reshape(-1).to(torch.int64).cumsum(0) - 1).clamp(0, source.numel() - 1)
    return torch.where(mask, source.reshape(-1)[place].reshape(self.shape), self)


def _masked_scatter_backward(grad: Tensor, mask: Tensor, sizes) -> Tensor:
    count = math.prod(sizes)
    mask = mask.expand(grad.shape).reshape(-1)
    place = torch.where(mask, mask.to(torch.int64).cumsum(0) - 1, count).clamp(max=count)
    # What goes nowhere goes behind the end.
    filled = aten.scatter.src(grad.new_zeros([count + 1]), 0, place, grad.reshape(-1))
    return filled[:count].reshape(list(sizes))


def _index_reduce(self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *,
                  include_self: bool = True) -> Tensor:
    flat, source = (each.reshape(each.shape or [1]) for each in (self, source))
    shape = [-1 if each == dim % flat.dim() else 1 for each in range(flat.dim())]
    index = index.reshape(shape).expand(source.shape)
    result = aten.scatter_reduce.two(flat, dim, index, source, reduce, include_self=include_self)
    return result.reshape(self.shape)


def _shrink_backward(grad: Tensor, self: Tensor, lambd: float) -> Tensor:
    return torch.where((self >= -lambd) & (self <= lambd), 0, grad)


def _copy(self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    return src.to(self.dtype).expand(self.shape).clone()


_MOST_ROWS = 512  # each is ops of its own


def _pair_distances(self: Tensor, p: float = 2.0) -> Tensor:
    """Of each row to the rows behind it."""
    rows = self.shape[0]
    if rows < 2:
        return self.new_zeros([0])
    if rows > _MOST_ROWS:
        return NotImplemented
    all_pairs = aten._cdist_forward(self, self, p, None)
    return torch.cat([all_pairs[row, row + 1:] for row in range(rows - 1)])


def _pair_distances_backward(grad: Tensor, self: Tensor, p: float, distances: Tensor) -> Tensor:
    rows = self.shape[0]
    if rows < 2:
        return torch.zeros_like(self)
    if rows > _MOST_ROWS:
        return NotImplemented

    def square(pairs: Tensor) -> Tensor:
        lines = [pairs.new_zeros([rows])]
        for row in range(rows - 1):
            begin = row * rows - row * (row + 1) // 2
            lines.insert(row, aten.constant_pad_nd(pairs[begin:begin + rows - row - 1], [row + 1, 0]))
        upper = torch.stack(lines)
        return upper + upper.t()

    return aten._cdist_backward(square(grad), self, self, p, square(distances))


TABLE = {
    aten.copy.default: _copy,
    aten.nanmedian.dim: _nan_median,
    aten.nanmedian.default: _nan_median_of_all,
    aten.median.default: _median_of_all,
    aten.mode.default: _mode,
    aten.put.default: _put,
    aten.masked_scatter.default: _masked_scatter,
    aten.masked_scatter_backward.default: _masked_scatter_backward,
    aten.index_reduce.default: _index_reduce,
    aten.softshrink_backward.default: _shrink_backward,
    aten.hardshrink_backward.default: _shrink_backward,
    aten._pdist_forward.default: _pair_distances,
    aten._pdist_backward.default: _pair_distances_backward,
}
