# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export with dynamic sizes: the forms of ops in which sizes are operands.

A recipe computes with padded sizes, so that a number that follows from a size, as the count of a
variance, has to be an operand of the program. Lowerings in C++ have such numbers as constants.
"""
import functools
import math
from collections.abc import Callable
from typing import Any

import torch

from . import decompositions

aten = torch.ops.aten
Tensor = torch.Tensor


def _counted(x: Tensor, dims) -> tuple[list[int], Any]:
    dims = list(range(x.dim())) if not dims else [each % x.dim() for each in dims]
    return dims, math.prod([x.shape[each] for each in dims])


def _var_mean(x: Tensor, dim=None, *, correction=None, keepdim: bool = False):
    dims, count = _counted(x, dim)
    wide = x.to(torch.float32)
    mean = wide.mean(dims, keepdim=True)
    away = wide - mean
    correction = 1 if correction is None else correction
    divisor = torch.ones((), dtype=torch.float32) * count - correction
    variance = (away * away).sum(dims, keepdim=True) / divisor.clamp(min=0)
    results = variance.to(x.dtype), mean.to(x.dtype)
    return results if keepdim else tuple(each.squeeze(dims) for each in results)


def _var(x: Tensor, dim=None, **options) -> Tensor:
    return _var_mean(x, dim, **options)[0]


def _std(x: Tensor, dim=None, **options) -> Tensor:
    return _var(x, dim, **options).sqrt()


def _rows(x: Tensor, indices,
          is_checked: bool = True) -> tuple[Tensor, Tensor, list[int], list[int]] | None:
    """A tensor whose indexed dimensions are one, the first; the index of its rows; the order of
    dimensions that has them in front; the sizes of the index."""
    if any(each is not None and each.dtype in (torch.bool, torch.uint8) for each in indices):
        return None
    places = [dim for dim, each in enumerate(indices) if each is not None]
    order = places + [dim for dim in range(x.dim()) if dim not in places]
    rows, inside = None, None
    given = torch.broadcast_tensors(*[indices[dim].to(torch.int64) for dim in places])
    for dim, index in zip(places, given):
        size = x.shape[dim]
        index = torch.where(index < 0, index + size, index)  # from the end
        within = (index >= 0) & (index < size)
        rows = index if rows is None else rows * size + index
        inside = within if inside is None else inside & within
    if is_checked and len(places) > 1:  # an index outside would be one of another row
        rows = torch.where(inside, rows, -1)
    data = x.permute(order)
    count = math.prod([x.shape[dim] for dim in places])
    return data.reshape([count, *data.shape[len(places):]]), rows.reshape(-1), order, \
        list(given[0].shape)


def _index(x: Tensor, indices, is_checked: bool = True) -> Tensor:
    found = _rows(x, indices, is_checked)
    if found is None:
        return NotImplemented
    data, rows, order, shape = found
    result = data.index_select(0, rows).reshape([*shape, *data.shape[1:]])
    places = order[:x.dim() - data.dim() + 1]
    first = places[0]
    if places != list(range(first, first + len(places))):
        return result
    # Adjacent indices leave their dimensions where they are.
    count, rest = len(shape), list(range(len(shape), result.dim()))
    return result.permute([*rest[:first], *range(count), *rest[first:]])


def _put_where(x: Tensor, indices, values: Tensor, accumulate: bool) -> Tensor:
    """index_put by one mask, if all that it selects get the same values."""
    (dim, mask), *others = [(dim, each) for dim, each in enumerate(indices) if each is not None]
    behind = x.dim() - dim - mask.dim()
    place = values.dim() - 1 - behind  # of the dimension that counts what is selected
    if others or (place >= 0 and not (type(values.shape[place]) is int and
                                      values.shape[place] == 1)):
        return NotImplemented
    if place >= 0:
        values = values.reshape([*values.shape[:place], *[1] * mask.dim(),
                                 *values.shape[place + 1:]])
    mask = (mask != 0).reshape([*mask.shape, *[1] * behind])
    return torch.where(mask, x + values if accumulate else values, x)


def _index_put(x: Tensor, indices, values: Tensor, accumulate: bool = False) -> Tensor:
    found = _rows(x, indices)
    if found is None:
        return _put_where(x, indices, values, accumulate)
    data, rows, order, shape = found
    places = order[:x.dim() - data.dim() + 1]
    first, count, rest = places[0], len(shape), list(data.shape[1:])
    if places == list(range(first, first + len(places))):
        values = values.expand([*rest[:first], *shape, *rest[first:]])
        values = values.permute([*range(first, first + count), *range(first),
                                 *range(first + count, values.dim())])
    else:
        values = values.expand([*shape, *rest])
    values = values.reshape([rows.shape[0], *rest])
    rows = rows.reshape([-1, *[1] * len(rest)]).expand(values.shape)
    write = aten.scatter_add.default if accumulate else aten.scatter.src
    result = write(data, 0, rows, values).reshape([x.shape[dim] for dim in order])
    return result.permute([order.index(dim) for dim in range(x.dim())])


def _repeat(x: Tensor, counts) -> Tensor:
    x = x.reshape([1] * (len(counts) - x.dim()) + list(x.shape))
    for dim, count in enumerate(counts):
        if not isinstance(count, int) or count != 1:
            apart = x.unsqueeze(dim)
            shape = list(apart.shape)
            shape[dim] = count
            x = apart.expand(shape).reshape([*x.shape[:dim], count * x.shape[dim],
                                             *x.shape[dim + 1:]])
    return x


def _full(size, value, *, dtype=None, **options) -> Tensor:
    if not isinstance(value, (torch.SymInt, torch.SymFloat)):
        return NotImplemented
    whole = isinstance(value, torch.SymInt)
    dtype = dtype or (torch.int64 if whole else torch.get_default_dtype())
    return aten.scalar_tensor(value, dtype=dtype).expand(size)


def _arange(start, end, step=1, *, dtype=None, **options) -> Tensor:
    if not isinstance(start, torch.SymInt):
        return NotImplemented
    return aten.arange.start_step(0, end - start, step, dtype=dtype, **options) + start


def _split(x: Tensor, sizes, dim: int = 0):
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    return [aten.slice(x, dim, start, start + size) for start, size in zip(starts, sizes)]


def _equal_parts(x: Tensor, size, dim: int = 0):
    whole = x.shape[dim]
    count = max(int(-(-whole // size)), 1)
    return [aten.slice(x, dim, size * place, whole if place == count - 1 else size * (place + 1))
            for place in range(count)]


def _whole_mean(x: Tensor, sizes) -> Tensor:
    if any(size != 1 for size in sizes):
        return NotImplemented
    return x.mean(list(range(-len(sizes), 0)), keepdim=True)


def _whole_maximum(x: Tensor, sizes):
    if any(size != 1 for size in sizes):
        return NotImplemented
    shape = [*x.shape[:-len(sizes)], *[1] * len(sizes)]
    return tuple(each.reshape(shape) for each in x.flatten(-len(sizes)).max(-1))


_FORMULAS: dict[torch._ops.OpOverload, Callable] = {
    aten.var_mean.correction: _var_mean,
    aten.var.correction: _var,
    aten.std.correction: _std,
    aten.index.Tensor: _index,
    aten._unsafe_index.Tensor: functools.partial(_index, is_checked=False),
    aten.index_put.default: _index_put,
    aten._unsafe_index_put.default: _index_put,
    aten.repeat.default: _repeat,
    aten.full.default: _full,
    aten.arange.start: _arange,
    aten.arange.start_step: _arange,
    aten.split_with_sizes.default: _split,
    aten.split.Tensor: _equal_parts,
    aten.adaptive_avg_pool1d.default: _whole_mean,
    aten.adaptive_avg_pool2d.default: _whole_mean,
    aten.adaptive_avg_pool3d.default: _whole_mean,
    aten.adaptive_max_pool2d.default: _whole_maximum,
    aten.adaptive_max_pool3d.default: _whole_maximum,
}
# Of which PyTorch's decompositions have sizes as operands.
_OF_PYTORCH = (aten.upsample_linear1d, aten.upsample_bilinear2d, aten.upsample_nearest1d,
               aten.upsample_nearest2d, aten.slice_scatter, aten.select_scatter,
               aten._adaptive_avg_pool2d, aten.native_group_norm)


@functools.cache
def _decompositions() -> dict[torch._ops.OpOverload, Callable]:
    return {**torch._decomp.get_decompositions(_OF_PYTORCH), **_FORMULAS}


def table() -> dict[torch._ops.OpOverload, Callable]:
    """The decompositions of programs with dynamic sizes."""
    return {**decompositions.table(programs=True), **_decompositions()}
