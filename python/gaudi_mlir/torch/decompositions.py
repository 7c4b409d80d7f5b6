# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites of ATen ops that the front end has no lowering for, in ATen ops that it has."""
import contextlib
import functools
from collections.abc import Callable, Iterator

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from . import exactness, formulas, writer

aten = torch.ops.aten
Tensor = torch.Tensor


@contextlib.contextmanager
def tracing() -> Iterator[None]:
    """Keeps PyTorch from choosing kernels of the CPU while a model is traced: attention becomes
    products and a softmax, and a layer of an encoder its ops."""
    fastpath = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fastpath)


def _elements(value, dims: int) -> list[int]:
    """A parameter of a convolution, once per dimension."""
    value = list(value)
    return value * dims if len(value) == 1 else value


def _window_grad(small: Tensor, large: Tensor, window: list[int], stride: list[int],
                 padding: list[int], dilation: list[int], groups: int) -> Tensor:
    """Gradient of the weight of a convolution that reads `large` and writes `small`. The result
    is [channels of small, channels of large / groups, *window]."""
    batch, dims = large.shape[0], len(window)
    rows = list(range(2, 2 + dims))
    # Batches are contracted: they become the channels of a grouped convolution, in which stride
    # and dilation change places.
    large = large.reshape(batch, groups, -1, *large.shape[2:])
    per_group = large.shape[2]
    large = large.permute(2, 1, 0, *(row + 1 for row in rows))
    large = large.reshape(per_group, groups * batch, *large.shape[3:])
    kernel = small.transpose(0, 1)
    result = aten.convolution(large, kernel, None, dilation, padding, stride, False, [0] * dims,
                              groups)
    for row, size in zip(rows, window):
        result = aten.slice(result, row, 0, size)
    return result.transpose(0, 1)


def _spread(x: Tensor, stride: list[int]) -> Tensor:
    """Puts stride - 1 zeros after each element, but none after the last."""
    for dim, step in enumerate(stride, 2):
        if step == 1:
            continue
        size = x.shape[dim]
        x = aten.constant_pad_nd(x.unsqueeze(dim + 1), [0, 0] * (x.dim() - dim - 1) + [0, step - 1])
        x = x.reshape(*x.shape[:dim], size * step, *x.shape[dim + 2:])
        x = aten.slice(x, dim, 0, (size - 1) * step + 1)
    return x


def _convolution(input: Tensor, weight: Tensor, bias, stride, padding, dilation, transposed: bool,
                 output_padding, groups: int):
    """Transposed convolutions of several groups, as convolutions of what they read spread out."""
    if not transposed or groups == 1:
        return NotImplemented
    dims = weight.dim() - 2
    stride, padding, dilation, rest = (_elements(p, dims) for p in
                                       (stride, padding, dilation, output_padding))
    pads = []
    for row in reversed(range(dims)):
        reach = dilation[row] * (weight.shape[2 + row] - 1)
        pads += [reach - padding[row], reach - padding[row] + rest[row]]
    spread = aten.constant_pad_nd(_spread(input, stride), pads)
    kernel = weight.reshape(groups, -1, *weight.shape[1:]).transpose(1, 2)
    kernel = kernel.reshape(-1, *kernel.shape[2:]).flip(list(range(2, 2 + dims)))
    return aten.convolution(spread, kernel, bias, [1] * dims, [0] * dims, dilation, False,
                            [0] * dims, groups)


def _convolution_backward(grad: Tensor, input: Tensor, weight: Tensor, bias_sizes, stride, padding,
                          dilation, transposed: bool, output_padding, groups: int, output_mask):
    dims = weight.dim() - 2
    if dims < 3 and groups == 1 and not transposed:
        return NotImplemented
    stride, padding, dilation = (_elements(p, dims) for p in (stride, padding, dilation))
    window = list(weight.shape[2:])
    reach = [d * (k - 1) for d, k in zip(dilation, window)]
    grad_input = grad_weight = grad_bias = None
    if output_mask[0] and transposed:
        grad_input = aten.convolution(grad, weight, None, stride, padding, dilation, False,
                                      [0] * dims, groups)
    elif output_mask[0]:
        rest = [size - ((out - 1) * s - 2 * p + r + 1) for size, out, s, p, r in
                zip(input.shape[2:], grad.shape[2:], stride, padding, reach)]
        grad_input = aten.convolution(grad, weight, None, stride, padding, dilation, True, rest,
                                      groups)
    if output_mask[1]:
        small, large = (input, grad) if transposed else (grad, input)
        grad_weight = _window_grad(small, large, window, stride, padding, dilation, groups)
    if output_mask[2]:
        grad_bias = grad.sum([0, *range(2, 2 + dims)])
    return grad_input, grad_weight, grad_bias


def _max_pool_backward(dims: int, grad: Tensor, self: Tensor, *arguments) -> Tensor:
    indices, kept = arguments[-1], list(self.shape[:self.dim() - dims])
    zeros = torch.zeros_like(self).reshape(*kept, -1)
    places = indices.reshape(*kept, -1)
    return aten.scatter_add(zeros, len(kept), places, grad.reshape(*kept, -1)).reshape(self.shape)


def _bounds(size: int, outputs: int) -> list[tuple[int, int]]:
    """The window of each output of an adaptive pooling."""
    return [(i * size // outputs, -(-(i + 1) * size // outputs)) for i in range(outputs)]


def _adaptive_max_pool2d(self: Tensor, output_size):
    height, width = self.shape[-2:]
    values, places = [], []
    for top, bottom in _bounds(height, output_size[0]):
        for left, right in _bounds(width, output_size[1]):
            window = aten.slice(aten.slice(self, -2, top, bottom), -1, left, right)
            value, place = window.reshape(*self.shape[:-2], -1).max(-1)
            columns = right - left
            row = torch.div(place, columns, rounding_mode="floor")
            values.append(value)
            places.append((row + top) * width + place - row * columns + left)
    shape = [*self.shape[:-2], *output_size]
    return torch.stack(values, -1).reshape(shape), torch.stack(places, -1).reshape(shape)


def _adaptive_avg_pool_backward(dims: int, grad: Tensor, self: Tensor) -> Tensor:
    for dim in range(self.dim() - dims, self.dim()):
        size, outputs = self.shape[dim], grad.shape[dim]
        row = torch.arange(outputs, device=grad.device)[:, None]
        begin = torch.div(row * size, outputs, rounding_mode="floor")
        end = torch.div((row + 1) * size + outputs - 1, outputs, rounding_mode="floor")
        column = torch.arange(size, device=grad.device)[None, :]
        shares = ((column >= begin) & (column < end)).to(grad.dtype) / (end - begin).to(grad.dtype)
        grad = (grad.transpose(dim, -1) @ shares).transpose(dim, -1)
    return grad


def _avg_pool_backward(dims: int, grad: Tensor, self: Tensor, kernel_size, stride, padding,
                       ceil_mode: bool, count_include_pad: bool, divisor_override) -> Tensor:
    window = _elements(kernel_size, dims)
    stride = _elements(stride, dims) or window
    padding = _elements(padding, dims)
    sizes, outputs = list(self.shape[-dims:]), list(grad.shape[-dims:])
    if divisor_override:
        grad = grad / divisor_override
    else:
        for dim, (size, out, k, s, p) in enumerate(zip(sizes, outputs, window, stride, padding)):
            begin = torch.arange(out, device=grad.device) * s - p
            end = (begin + k).clamp(max=size + p)
            if not count_include_pad:
                begin, end = begin.clamp(min=0), end.clamp(max=size)
            shape = [out if i == dim else 1 for i in range(dims)]
            grad = grad / (end - begin).to(grad.dtype).reshape(shape)
    images = grad.reshape(-1, 1, *outputs)
    ones = torch.ones([1, 1, *window], dtype=grad.dtype, device=grad.device)
    images = aten.convolution(images, ones, None, stride, [0] * dims, [1] * dims, True, [0] * dims,
                              1)
    for dim, (size, p) in enumerate(zip(sizes, padding), 2):
        images = aten.slice(images, dim, p, p + size)
        rest = size - images.shape[dim]
        if rest > 0:
            images = aten.constant_pad_nd(images, [0, 0] * (images.dim() - dim - 1) + [0, rest])
    return images.reshape(self.shape)


def _replication_pad_backward(grad: Tensor, self: Tensor, padding) -> Tensor:
    # What pads below 0 cut off gets nothing.
    grad = aten.constant_pad_nd(grad, [max(-each, 0) for each in padding])
    padding = [max(each, 0) for each in padding]
    for number in range(len(padding) // 2):
        dim, before = self.dim() - 1 - number, padding[2 * number]
        size = self.shape[dim]
        # The first and the last element also get what their copies got.
        parts = [aten.slice(grad, dim, 0, before + 1).sum(dim, keepdim=True),
                 aten.slice(grad, dim, before + 1, before + size - 1),
                 aten.slice(grad, dim, before + size - 1).sum(dim, keepdim=True)]
        grad = grad.sum(dim, keepdim=True) if size == 1 else torch.cat(parts, dim)
    return grad


def _cdist(x1: Tensor, x2: Tensor, p: float, compute_mode=None) -> Tensor:
    away = (x1.unsqueeze(-2) - x2.unsqueeze(-3)).abs()
    if p == 0:
        return (away != 0).to(x1.dtype).sum(-1)
    if p == float("inf"):
        return away.amax(-1)
    if p == 1:
        return away.sum(-1)
    return (away * away).sum(-1).sqrt() if p == 2 else away.pow(p).sum(-1).pow(1 / p)


def _cdist_backward(grad: Tensor, x1: Tensor, x2: Tensor, p: float, cdist: Tensor) -> Tensor:
    return _first_gradient(grad, x1, x2, p, cdist).sum_to_size(x1.shape)


def _first_gradient(grad: Tensor, x1: Tensor, x2: Tensor, p: float, cdist: Tensor) -> Tensor:
    """With respect to x1, of all batches."""
    away = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    distance, grad = cdist.unsqueeze(-1), grad.unsqueeze(-1)
    if p == 0:
        return torch.zeros_like(x1)
    if p == 1:
        return (grad * away.sign()).sum(-2)
    if p == float("inf"):
        return (grad * away.sign() * (away.abs() == distance).to(grad.dtype)).sum(-2)
    share = away if p == 2 else away.sign() * away.abs().pow(p - 1)
    share = share / distance.pow(p - 1)
    return (grad * torch.where(distance == 0, torch.zeros_like(share), share)).sum(-2)


def _kth_value(self: Tensor, k: int, dim: int = -1, keepdim: bool = False):
    if self.dim() == 0:
        return self.clone(), torch.zeros_like(self, dtype=torch.int64)
    values, places = aten.sort(self, dim)
    value, place = (aten.slice(x, dim, k - 1, k) for x in (values, places))
    return (value, place) if keepdim else (value.squeeze(dim), place.squeeze(dim))


def _median(self: Tensor, dim: int = -1, keepdim: bool = False):
    if self.dim() == 0:
        return self.clone(), torch.zeros_like(self, dtype=torch.int64)
    values, places = aten.sort(self, dim)
    middle = torch.full_like(aten.slice(places, dim, 0, 1), (self.shape[dim] - 1) // 2)
    if self.is_floating_point():  # NaNs are sorted to the end; the first of them is the median.
        numbers = (self == self).to(torch.int64).sum(dim, keepdim=True)
        middle = torch.where(numbers < self.shape[dim], numbers, middle)
    value, place = (aten.gather(x, dim, middle) for x in (values, places))
    return (value, place) if keepdim else (value.squeeze(dim), place.squeeze(dim))


def _cumulative(beats: Callable, self: Tensor, dim: int):
    """Values and places of a running maximum or minimum, by distances that double."""
    if self.dim() == 0:
        return self.clone(), torch.zeros_like(self, dtype=torch.int64)
    size = self.shape[dim]
    shape = [size if i == dim % self.dim() else 1 for i in range(self.dim())]
    values, places = self, torch.arange(size, device=self.device).reshape(shape).expand(self.shape)
    away = 1
    while away < size:
        def moved(x: Tensor) -> Tensor:
            kept = aten.slice(x, dim, 0, size - away)
            return torch.cat([aten.slice(x, dim, 0, away), kept], dim)
        earlier, earlier_places = moved(values), moved(places)
        wins = beats(earlier, values) | ((earlier != earlier) & (values == values))
        values = torch.where(wins, earlier, values)
        places = torch.where(wins, earlier_places, places)
        away *= 2
    return values, places


def _bags(indices: Tensor, offsets: Tensor, include_last: bool) -> tuple[Tensor, Tensor]:
    """Where the bags begin, and the number of the bag of each index."""
    begins = offsets[:-1] if include_last else offsets
    positions = torch.arange(indices.shape[0], device=indices.device, dtype=offsets.dtype)
    bag = (positions[:, None] >= begins[None, :]).to(torch.int64).sum(1) - 1
    return begins, bag


def _embedding_bag(weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq=False,
                   mode: int = 0, sparse=False, per_sample_weights=None,
                   include_last_offset=False, padding_idx: int | None = -1):
    if indices.dim() != 1:
        return NotImplemented
    begins, bag = _bags(indices, offsets, include_last_offset)
    counts = indices != (-1 if padding_idx is None else padding_idx)
    rows = aten.embedding(weight, indices)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    members = (bag[None, :] == torch.arange(begins.shape[0], device=bag.device)[:, None]) & counts
    if mode == 2:
        return _largest_of_bags(rows, indices, members, bag)
    members = members.to(weight.dtype)
    sizes = members.sum(1)
    result = members @ rows
    if mode == 1:
        result = result / sizes.clamp(min=1)[:, None]
    sizes = sizes.to(offsets.dtype)
    return result, bag.to(offsets.dtype), sizes, torch.zeros_like(sizes)


def _largest_of_bags(rows: Tensor, indices: Tensor, members: Tensor, bag: Tensor):
    """The largest element of each column over the rows of a bag; 0 for a bag without rows."""
    if rows.numel() == 0 or members.numel() == 0:
        return NotImplemented
    low = torch.where(members[:, :, None], rows[None], float("-inf"))
    values, places = low.max(1)
    sizes = members.to(indices.dtype).sum(1)
    values = torch.where(sizes[:, None] > 0, values, 0)
    return values, bag.to(indices.dtype), sizes, indices[places]


def _embedding_bag_backward(grad, indices, offsets, offset2bag, bag_size, maximum_indices,
                            num_weights: int, scale_grad_by_freq: bool, mode: int, sparse: bool,
                            per_sample_weights, padding_idx: int = -1):
    return _embedding_bag_dense_backward(grad, indices, offset2bag, bag_size, maximum_indices,
                                         num_weights, scale_grad_by_freq, mode,
                                         per_sample_weights, padding_idx)


def _embedding_bag_dense_backward(grad, indices, offset2bag, bag_size, maximum_indices,
                                  num_weights: int, scale_grad_by_freq: bool, mode: int,
                                  per_sample_weights, padding_idx: int = -1):
    if mode == 2:
        grad = torch.where(bag_size[:, None] > 0, grad, 0)
        return aten.scatter_add(grad.new_zeros([num_weights, grad.shape[1]]), 0, maximum_indices, grad)
    if offset2bag.numel() != indices.numel():
        return NotImplemented
    if mode == 1:
        grad = grad / bag_size.clamp(min=1).to(grad.dtype)[:, None]
    rows = aten.index_select(grad, 0, offset2bag)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    return aten.embedding_dense_backward(rows, indices, num_weights, padding_idx,
                                         scale_grad_by_freq)


def _weight_norm_backward(grad: Tensor, v: Tensor, g: Tensor, norms: Tensor, dim: int):
    others = [i for i in range(v.dim()) if i != dim]
    along = (grad * v).sum(others, keepdim=True)
    return g / norms * (grad - v * along / (norms * norms)), along / norms


def _histc(self: Tensor, bins: int = 100, min=0, max=0):
    if min == max:
        return NotImplemented  # The bounds are those of the data.
    x = self.reshape(-1)
    place = (x.to(torch.float32) - min) * bins / (max - min)
    place = place.floor().to(torch.int64)
    place = torch.where(x == max, bins - 1, place)
    inside = (x >= min) & (x <= max)
    hits = (place[:, None] == torch.arange(bins, device=x.device)[None, :]) & inside[:, None]
    return hits.to(torch.int64).sum(0).to(self.dtype)


def _members(rows: int, ends: Tensor) -> Tensor:
    """[groups, rows]: which rows belong to which group, given where each ends."""
    positions = torch.arange(rows, device=ends.device, dtype=ends.dtype)[None, :]
    ends = ends[:, None]
    begins = torch.cat([torch.zeros_like(ends[:1]), ends[:-1]])
    return (positions >= begins) & (positions < ends)


def _grouped_mm(input: Tensor, weight: Tensor, offs: Tensor) -> Tensor:
    members = _members(input.shape[0], offs).to(input.dtype)[:, :, None]
    return aten.bmm(input[None] * members, weight).sum(0)


def _grouped_mm_backward(input: Tensor, weight: Tensor, offs: Tensor, grad: Tensor):
    members = _members(input.shape[0], offs).to(input.dtype)[:, :, None]
    grads = grad[None] * members
    rows = input[None].expand(weight.shape[0], -1, -1).transpose(1, 2)
    return aten.bmm(grads, weight.transpose(1, 2)).sum(0), aten.bmm(rows, grads)


def _to_copy(self: Tensor, *, dtype=None, **options) -> Tensor:
    """A float as a byte without sign: torch-mlir converts it to one with sign."""
    if dtype != torch.uint8 or not self.is_floating_point():
        return NotImplemented
    return aten._to_copy(aten._to_copy(self, dtype=torch.int32), dtype=dtype, **options)


def _fmod(x: Tensor, y) -> Tensor:
    """The remainder with the sign of x, which torch-mlir computes from a rounded quotient. That of
    the magnitudes, without a sign to choose, is exact."""
    dtype = torch.result_type(x, y)
    if not dtype.is_floating_point:
        return NotImplemented
    x, y = (aten._to_copy(each, dtype=dtype) if isinstance(each, Tensor) else
            torch.full((), each, dtype=dtype, device=x.device) for each in (x, y))
    rest = aten.remainder.Tensor(x.abs(), y.abs())
    rest = torch.where(x < 0, -rest, rest)
    return torch.where((x == 0) & (rest == 0), x, rest)  # zeros keep their sign


def _log_add_exp(a: Tensor, b: Tensor) -> Tensor:
    """log(e^a + e^b), from the larger one on, so that nothing overflows."""
    apart = torch.where(a == b, torch.zeros_like(a), -(a - b).abs())  # also of equal infinities
    return torch.where(a > b, a, b) + apart.exp().log1p()


def _log_cum_sum_exp(self: Tensor, dim: int) -> Tensor:
    """Over distances that double; sums of exponentials would overflow."""
    if self.dim() == 0:
        return self.clone()
    x = self.to(torch.float32) if self.dtype in (torch.bfloat16, torch.float16) else self
    size, away = self.shape[dim], 1
    while away < size:
        sums = _log_add_exp(aten.slice(x, dim, 0, size - away), aten.slice(x, dim, away, size))
        x = torch.cat([aten.slice(x, dim, 0, away), sums], dim)
        away *= 2
    return x.to(self.dtype)


_WITH_DIM = (aten.scatter.src, aten.scatter.value, aten.scatter_add.default,
             aten.scatter_reduce.two, aten.gather.default)


_COMPARISONS = {getattr(aten, name).Scalar for name in ("eq", "ne", "lt", "le", "gt", "ge")}

# Where the weight and the lists of a number per dimension are.
_CONVOLUTIONS = {aten.convolution.default: (1, (3, 4, 5, 7)),
                 aten.convolution_backward.default: (2, (4, 5, 6, 8))}


def simplify(graph: torch.fx.Graph) -> None:
    """Writes nodes in the forms that torch-mlir takes. Decompositions cannot: they make such nodes
    themselves."""
    exactness.rewrite(graph)
    for node in graph.nodes:
        value = node.meta.get("val")
        if node.target in _COMPARISONS and type(node.args[1]) is int and \
                node.args[0].meta["val"].dtype.is_floating_point:
            node.update_arg(1, float(node.args[1]))  # it folds them wrongly
        elif node.target in (aten.empty_strided.default, aten.empty_permuted.default):
            node.target = aten.empty.memory_format  # torch-mlir has no strides
            node.args = node.args[:1]
            node.kwargs = {"dtype": value.dtype, "device": value.device}
        elif node.target in _CONVOLUTIONS:  # it reads past the end of shorter lists
            weight, lists = _CONVOLUTIONS[node.target]
            dims = node.args[weight].meta["val"].dim() - 2
            for place in lists:
                node.update_arg(place, _elements(node.args[place], dims))
        elif node.target in _WITH_DIM and node.args[1] < 0:  # it crashes on a scatter at -1
            node.update_arg(1, node.args[1] + node.args[0].meta["val"].dim())
        elif node.target is aten.topk.default:  # it has no form without an order: sorted, then
            node.args = node.args[:4]
            node.kwargs = {name: value for name, value in node.kwargs.items() if name != "sorted"}
    _read_literals_once(graph)


def _read_literals_once(graph: torch.fx.Graph) -> None:
    """Its importer takes a literal at one place only; a weight may be read at several."""
    for node in list(graph.nodes):
        if node.op == "output" or not any(each.op == "get_attr" for each in node.all_input_nodes):
            continue

        def own(literal: torch.fx.Node) -> torch.fx.Node:
            if literal.op != "get_attr":
                return literal
            with graph.inserting_before(node):
                copy = graph.create_node("get_attr", literal.target)
            copy.meta = literal.meta
            return copy

        node.args = torch.fx.map_arg(node.args, own)
        node.kwargs = torch.fx.map_arg(node.kwargs, own)
    for node in graph.find_nodes(op="get_attr"):
        if not node.users:
            graph.erase_node(node)


_OWN = {
    aten.convolution.default: _convolution,
    aten.convolution_backward.default: _convolution_backward,
    aten.max_pool3d_with_indices_backward.default: functools.partial(_max_pool_backward, 3),
    aten.adaptive_max_pool2d_backward.default: functools.partial(_max_pool_backward, 2),
    aten.adaptive_max_pool3d_backward.default: functools.partial(_max_pool_backward, 3),
    aten.adaptive_max_pool2d.default: _adaptive_max_pool2d,
    aten._adaptive_avg_pool2d_backward.default: functools.partial(_adaptive_avg_pool_backward, 2),
    aten._adaptive_avg_pool3d_backward.default: functools.partial(_adaptive_avg_pool_backward, 3),
    aten.avg_pool2d_backward.default: functools.partial(_avg_pool_backward, 2),
    aten.avg_pool3d_backward.default: functools.partial(_avg_pool_backward, 3),
    aten.replication_pad1d_backward.default: _replication_pad_backward,
    aten.replication_pad2d_backward.default: _replication_pad_backward,
    aten.replication_pad3d_backward.default: _replication_pad_backward,
    aten._cdist_forward.default: _cdist,
    aten._cdist_backward.default: _cdist_backward,
    aten.kthvalue.default: _kth_value,
    aten.median.dim: _median,
    aten.cummax.default: functools.partial(_cumulative, torch.gt),
    aten.cummin.default: functools.partial(_cumulative, torch.lt),
    aten.embedding_bag.padding_idx: _embedding_bag,
    aten._embedding_bag.default: _embedding_bag,
    aten._embedding_bag_forward_only.default: _embedding_bag,
    aten._embedding_bag_backward.default: _embedding_bag_backward,
    aten._embedding_bag_dense_backward.default: _embedding_bag_dense_backward,
    aten._to_copy.default: _to_copy,
    aten.fmod.Tensor: _fmod,
    aten.fmod.Scalar: _fmod,
    aten.logcumsumexp.default: _log_cum_sum_exp,
    aten._weight_norm_interface_backward.default: _weight_norm_backward,
    aten.histc.default: _histc,
}


def _div(a: Tensor, b: Tensor) -> Tensor:
    return a / b if a.is_floating_point() else torch.div(a, b, rounding_mode="trunc")


def _broadcast_in_dim(a: Tensor, shape, broadcast_dimensions) -> Tensor:
    sizes = [1] * len(shape)
    for size, dim in zip(a.shape, broadcast_dimensions):
        sizes[dim] = size
    return a.reshape(sizes).expand(list(shape))


# Ops of other packages, by name, since the package may be imported later or never.
_FOREIGN = {
    "prims::add": lambda a, b: a + b,
    "prims::broadcast_in_dim": _broadcast_in_dim,
    "prims::div": _div,
    "prims::fma": lambda a, b, c: a * b + c,
    "prims::mul": lambda a, b: a * b,
    "prims::sub": lambda a, b: a - b,
    "transformers::grouped_mm_fallback": _grouped_mm,
    "transformers::grouped_mm_fallback_backward": _grouped_mm_backward,
}


@functools.cache
def _of_pytorch(programs: bool) -> dict:
    """To core ATen ops, of some that PyTorch takes for core ones, and the formulas it lacks.
    `programs` of torch.export also have ops that torch.compile takes apart before, of which making
    the list takes 0.1 s."""
    further = (aten.native_group_norm, aten.upsample_bilinear2d.vec, aten.native_layer_norm,
               aten.addmm, aten._native_batch_norm_legit_functional,
               aten._native_batch_norm_legit_no_training, aten._native_batch_norm_legit,
               aten.squeeze.dims, aten._euclidean_dist, aten.grid_sampler_2d,
               aten._adaptive_avg_pool2d, aten.full, aten.logsumexp, aten._log_softmax,
               aten._to_copy, aten.diag, aten._scaled_dot_product_flash_attention_for_cpu,
               aten.scaled_dot_product_attention)
    core = torch._decomp.core_aten_decompositions if programs else \
        torch._decomp._core_aten_decompositions_post_autograd
    # What writes into its operands is made functional instead, and what lifts a literal gets a
    # tensor of the host, which no other op may see. An op that only has another name in prims keeps
    # the name that users know.
    prims = frozenset(torch._prims.__all__)
    other = {op: function for op, function in torch._decomp.decomposition_table.items()
             if isinstance(op, torch._ops.OpOverload) and not op._schema.is_mutable and
             op not in (aten.lift.default, aten.lift_fresh.default) and
             op.overloadpacket.__name__ not in prims}
    return {**other, **core(),
            **torch._decomp.get_decompositions(further), **formulas.TABLE}


@functools.cache
def _of_torch_mlir() -> dict:
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    return get_decomposition_table()


@functools.cache
def _unknown(programs: bool) -> dict:
    """Decompositions of ops that the front end does not lower."""
    known = writer.known()
    return {op: function for op, function in {**_of_pytorch(programs), **_OWN}.items()
            if not isinstance(op, torch._ops.OpOverload) or writer.name_of(op) not in known}


def table(*, programs: bool = False,
          torch_mlir: bool = False) -> dict[torch._ops.OpOverload, Callable]:
    """Decompositions of PyTorch and of this file, but of ops that the front end lowers itself; with
    `programs`, those for programs of torch.export; with `torch_mlir`, all that torch-mlir needs."""
    result = {**_of_torch_mlir(), **_OWN} if torch_mlir else dict(_unknown(programs))
    for name, rewrite in _FOREIGN.items():
        namespace, op = name.split("::")
        packet = getattr(getattr(torch.ops, namespace), op, None)
        if packet is not None:
            result[packet.default] = rewrite
    return result
