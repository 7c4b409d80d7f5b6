# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops whose results have sizes that depend on values, as a bounded part for the device and a cut.

The device computes a tensor of the largest size, which the sizes of the operands give, and how many
rows of it are the result. The caller cuts it there: `first`. Where the operands give no bound, it
computes the size alone, and the caller makes the numbers below it: `numbers`. Both read one number
on the host, where graphs are divided (pieces.py).
"""
import weakref
from collections.abc import Callable

import torch
from torch.fx.experimental.proxy_tensor import get_proxy_mode
from torch.utils.weak import WeakIdKeyDictionary

from . import checks

aten = torch.ops.aten
Tensor = torch.Tensor

_LIBRARY = torch.library.Library("gaudi", "DEF")
# Of dimension `dim` the first `count` rows.
_LIBRARY.define("first(Tensor bounded, Tensor count, int dim=0) -> Tensor")
# 0 to `size` - 1; `what` is to be said of a negative size.
_LIBRARY.define("numbers(Tensor size, str what) -> Tensor")


def _first(bounded: Tensor, count: Tensor, dim: int = 0) -> Tensor:
    return bounded.narrow(dim, 0, int(count))


def _numbers(size: Tensor, what: str) -> Tensor:
    count = int(size)
    if count < 0:
        raise RuntimeError(what)
    return torch.arange(count, device=size.device)


# The sizes of results by the counts that they have been given; results of one mask have one size.
_SIZES = WeakIdKeyDictionary()


def _size_of(count: Tensor, most: int | None) -> torch.SymInt:
    known = _SIZES.get(count)
    if known is None:
        known = _SIZES[count] = torch.library.get_ctx().new_dynamic_size(max=most)
    return known


def _first_fake(bounded: Tensor, count: Tensor, dim: int = 0) -> Tensor:
    most = bounded.shape[dim]
    size = _size_of(count, most if isinstance(most, int) else None)
    return bounded.new_empty([*bounded.shape[:dim], size, *bounded.shape[dim + 1:]])


def _numbers_fake(size: Tensor, what: str) -> Tensor:
    return size.new_empty([_size_of(size, None)], dtype=torch.int64)


# No result of an op may be a view of its operand.
_LIBRARY.impl("first", lambda *args: _first(*args).clone(), "CompositeExplicitAutograd")
_LIBRARY.impl("numbers", _numbers, "CompositeExplicitAutograd")
torch.library.register_fake("gaudi::first", _first_fake, lib=_LIBRARY)
torch.library.register_fake("gaudi::numbers", _numbers_fake, lib=_LIBRARY)

first = torch.ops.gaudi.first.default
numbers = torch.ops.gaudi.numbers.default
# How the caller of a launch computes them: what it cuts is a view if that is dense.
def _cut(bounded: Tensor, count: Tensor, dim: int = 0) -> Tensor:
    result = _first(bounded, count, dim)
    # A small part would keep the memory of the whole.
    return result.clone() if 2 * result.numel() < bounded.numel() else result.contiguous()


CUTS = {first: _cut, numbers: _numbers}


# --- positions -----------------------------------------------------------------------------------

# By masks: the tracer and the version of the mask for which they hold, the count and the places.
_PLACES = WeakIdKeyDictionary()


def _selected(mask: Tensor) -> tuple[Tensor, Tensor]:
    """How many elements are not 0, and where these are in row-major order, bounded by their number.
    The same tensors for each use of a mask, so that what they select has one size."""
    mode = get_proxy_mode()
    known = _PLACES.get(mask)
    version = 0 if mask.is_inference() else mask._version
    if mode and known and known[0]() is mode.tracer and known[1] == version:
        return known[2]
    flat = mask.reshape(-1) != 0
    places = aten.nonzero_static(flat, size=flat.shape[0], fill_value=0).reshape(-1)
    result = flat.to(torch.int64).sum(), places
    if mode:
        _PLACES[mask] = weakref.ref(mode.tracer), version, result
    return result


def _columns(places: Tensor, shape) -> list[Tensor]:
    """Of places in row-major order the index of each dimension."""
    columns, inner = [], 1
    for size in reversed(shape):
        columns.insert(0, torch.div(places, max(inner, 1), rounding_mode="floor") % max(size, 1))
        inner = inner * size
    return columns


def _nonzero(self: Tensor) -> Tensor:
    if self.dtype.is_complex:
        return NotImplemented
    count, places = _selected(self)
    columns = _columns(places, self.shape)
    rows = torch.stack(columns, 1) if columns else places.new_zeros([places.shape[0], 0])
    return first(rows, count)


def _masked_select(self: Tensor, mask: Tensor) -> Tensor:
    shape = torch.broadcast_shapes(self.shape, mask.shape)
    # The mask itself, if it has the shape, so that all that it selects has one size.
    count, places = _selected(mask if mask.shape == shape else mask.expand(shape))
    return first(aten.index_select(self.expand(shape).reshape(-1), 0, places), count)


def _is_mask(index: Tensor | None) -> bool:
    return index is not None and index.dtype in (torch.bool, torch.uint8)


def _with_positions(indices: list[Tensor | None]) -> list[Tensor | None]:
    """Masks as the positions at which they are true."""
    result: list[Tensor | None] = []
    for index in indices:
        result += _nonzero(index).unbind(1) if _is_mask(index) else [index]
    return result


def _index(self: Tensor, indices: list[Tensor | None]) -> Tensor:
    masks = [place for place, index in enumerate(indices) if _is_mask(index)]
    if not masks:
        return NotImplemented
    dim, mask = masks[0], indices[masks[0]]
    if sum(index is not None for index in indices) > 1 or mask.dim() == 0:
        return aten.index.Tensor(self, _with_positions(indices))
    count, places = _selected(mask)
    flat = self.reshape(*self.shape[:dim], mask.numel(), *self.shape[dim + mask.dim():])
    return first(aten.index_select(flat, dim, places), count, dim)


def _check_rows(self: Tensor, indices: list[Tensor | None], values: Tensor) -> None:
    """That a mask which is the only index selects as many rows as there are values."""
    dim = next(place for place, index in enumerate(indices) if index is not None)
    mask = indices[dim]
    if not _is_mask(mask):
        return
    after = self.dim() - dim - mask.dim()
    rows = values.shape[-1 - after] if values.dim() > after else 1
    if isinstance(rows, int) and rows != 1:
        _require(_selected(mask)[0], rows, values)


def _require(count: Tensor, rows: int, values: Tensor) -> None:
    checks.require(count == rows, f"shape mismatch: a mask selects another number of rows than the "
                   f"{rows} of values of shape {list(values.shape)}, or of other indices")


def _put_where(self: Tensor, indices: list[Tensor | None], dim: int, values: Tensor,
               accumulate: bool) -> Tensor | None:
    """index_put with one mask, at `dim`, among indices of one dimension: no size that depends on
    values is needed. None where that is not so."""
    mask = indices[dim]
    others = [index for index in indices if index is not None and index is not mask]
    shape = self.shape[dim:dim + mask.dim()]
    if mask.dim() == 0 or any(index.dim() > 1 for index in others) or mask.shape != shape:
        return None
    taken = [place if place < dim else place + mask.dim() - 1
             for place, index in enumerate(indices) if index is not None and place != dim]
    taken = sorted([*taken, *range(dim, dim + mask.dim())])
    is_block = taken[-1] - taken[0] == len(taken) - 1
    after = self.dim() - 1 - taken[-1] if is_block else self.dim() - len(taken)
    lengths = {index.shape[0] for index in others if index.dim()}
    lengths = (lengths | {values.shape[-1 - after]} if values.dim() > after else lengths) - {1}
    if len(lengths) > 1 or not all(isinstance(each, int) for each in lengths):
        return None
    count, places = _selected(mask)
    target = self
    if lengths:
        (length,) = lengths
        _require(count, length, values)
        places = aten.nonzero_static(mask.reshape(-1) != 0, size=length, fill_value=0).reshape(-1)
    columns = _columns(places, shape)
    if not lengths:
        # What is false writes to a row behind the last one.
        is_true = torch.arange(mask.numel(), device=mask.device) < count
        columns[0] = torch.where(is_true, columns[0], shape[0])
        target = torch.cat([self, torch.zeros_like(self.narrow(dim, 0, 1))], dim)
    result = aten.index_put(target, [*indices[:dim], *columns, *indices[dim + 1:]], values,
                            accumulate)
    return result.narrow(dim, 0, shape[0])

def _index_put(self: Tensor, indices: list[Tensor | None], values: Tensor,
               accumulate: bool = False) -> Tensor:
    given = sum(index is not None for index in indices)
    if given == 1:
        _check_rows(self, indices, values)
    masks = [place for place, index in enumerate(indices) if _is_mask(index)]
    if given < 2 or not masks:
        return NotImplemented
    if len(masks) == 1:
        result = _put_where(self, indices, masks[0], values, accumulate)
        if result is not None:
            return result
    return aten.index_put(self, _with_positions(indices), values, accumulate)


# --- unique --------------------------------------------------------------------------------------


def _groups(rows: Tensor, starts: Tensor, order: Tensor | None, dim: int = 0):
    """One row of each group of equal ones, which begin at `starts`, with the group of each row
    before they were put in `order`, and the sizes of groups."""
    size = rows.shape[0]
    count = starts.to(torch.int64).sum()
    begins = aten.nonzero_static(starts, size=size, fill_value=size).reshape(-1)
    members = torch.cat([begins[1:], begins.new_full([1], size)]) - begins
    group = starts.to(torch.int64).cumsum(0) - 1
    if order is not None:
        group = aten.scatter.src(torch.zeros_like(group), 0, order, group)
    values = aten.index_select(rows, 0, begins.clamp(max=size - 1)).movedim(0, dim)
    return first(values, count, dim), group, first(members, count)


def _starts(rows: Tensor) -> Tensor:
    """Which rows differ from the one before."""
    differ = rows[1:] != rows[:-1]
    if rows.dim() > 1:
        differ = differ.any(1)
    return torch.cat([differ.new_ones([1]), differ])


def _of_elements(self: Tensor, is_sorted: bool, inverse: bool, counts: bool):
    flat = self.reshape(-1)
    none = flat.new_zeros([0], dtype=torch.int64)
    if flat.shape[0] == 0:
        return flat.clone(), none.reshape(self.shape) if inverse else none, none.clone()
    order = None
    if is_sorted:
        flat, order = aten.sort.stable(flat, stable=True, dim=0)
    values, group, members = _groups(flat, _starts(flat), order)
    return values, group.reshape(self.shape) if inverse else none, members if counts else none


def _unique(self: Tensor, sorted: bool = True, return_inverse: bool = False,
            return_counts: bool = False):
    return _of_elements(self, True, return_inverse, return_counts)


def _unique_consecutive(self: Tensor, return_inverse: bool = False, return_counts: bool = False,
                        dim: int | None = None):
    if dim is not None and self.dim() > 0:
        return _of_rows(self, dim, None)
    return _of_elements(self, False, return_inverse, return_counts)


def _ranks(keys: Tensor) -> Tensor:
    """How many different smaller keys the column has of each."""
    values, order = aten.sort.stable(keys, stable=True, dim=0)
    differ = (values[1:] != values[:-1]).to(torch.int64)
    ranks = torch.cat([differ.new_zeros([1, keys.shape[1]]), differ]).cumsum(0)
    return aten.scatter.src(torch.zeros_like(ranks), 0, order, ranks)


def _order_of_rows(rows: Tensor) -> Tensor:
    """By the first column, then by the next: pairs of columns become one until one is left."""
    keys = _ranks(rows)
    while keys.shape[1] > 1:
        if keys.shape[1] % 2:
            keys = torch.cat([keys, torch.zeros_like(keys[:, :1])], 1)
        keys = _ranks(keys[:, 0::2] * rows.shape[0] + keys[:, 1::2])
    return aten.sort.stable(keys[:, 0], stable=True, dim=0)[1]


def _of_rows(self: Tensor, dim: int, order_of: Callable[[Tensor], Tensor] | None):
    dim %= self.dim()
    moved = self.movedim(dim, 0)
    size = moved.shape[0]
    if self.numel() == 0:
        if size:
            return NotImplemented  # PyTorch refuses it
        none = self.new_zeros([0], dtype=torch.int64)
        return self.clone(), none, none.clone()
    rows = moved.reshape(size, -1)
    order = None
    if order_of:
        order = order_of(rows)
        rows = aten.index_select(rows, 0, order)
    return _groups(rows.reshape(moved.shape), _starts(rows), order, dim)


def _unique_rows(self: Tensor, dim: int, sorted: bool = True, return_inverse: bool = False,
                 return_counts: bool = False):
    return _of_rows(self, dim, _order_of_rows)


def _unique_consecutive_rows(self: Tensor, dim: int, return_inverse: bool = False,
                             return_counts: bool = False):
    return _of_rows(self, dim, None)


# --- sizes that operands do not bound ------------------------------------------------------------


def _bin_count(self: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    if self.shape[0] == 0:
        return self.new_zeros([minlength], dtype=torch.int64)
    if weights is not None and weights.dtype != torch.float32:
        return NotImplemented  # the result is float64
    index = self.to(torch.int64)
    size = torch.where(index.min() < 0, -1, (index.max() + 1).clamp(min=minlength))
    bins = numbers(size, "bincount only supports 1-d non-negative integral inputs.")
    added = torch.ones_like(index) if weights is None else weights
    return aten.scatter_add(torch.zeros_like(bins, dtype=added.dtype), 0, index, added)


def _repeats(repeats: Tensor, *, output_size: int | None = None) -> Tensor:
    if output_size is None:
        size = torch.where((repeats < 0).any(), -1, repeats.sum(dtype=torch.int64))
        places = numbers(size, "repeats can not be negative")
    else:
        places = torch.arange(output_size, device=repeats.device)
    ends = repeats.to(torch.int64).cumsum(0)
    return aten.searchsorted.Tensor(ends, places, out_int32=repeats.dtype == torch.int32,
                                    right=True)


TABLE = {
    aten.nonzero.default: _nonzero,
    aten.masked_select.default: _masked_select,
    aten.index.Tensor: _index,
    aten.index_put.default: _index_put,
    aten._unique2.default: _unique,
    aten.unique_dim.default: _unique_rows,
    aten.unique_consecutive.default: _unique_consecutive,
    aten.unique_dim_consecutive.default: _unique_consecutive_rows,
    aten.bincount.default: _bin_count,
    aten.repeat_interleave.Tensor: _repeats,
}


def depends_on_values(node: torch.fx.Node) -> bool:
    """Whether the node has a result whose size only the host knows once it has run."""
    return node.target in CUTS or bool(node.meta.get("unbacked_bindings"))
