# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that need no lowering of their own, in other ops: those that PyTorch does not decompose, or
that decide numbers."""
import math
from collections.abc import Callable

import torch
import torch.nn.functional as F

from . import checks, grids, histograms, losses, orthogonal, sequences, spacing

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
    sizes = source.numel(), mask.numel()
    if not all(isinstance(each, int) for each in sizes) or sizes[0] < sizes[1]:
        checks.require(mask.sum() <= source.numel(), "masked_scatter: the source has fewer "
                       "elements than the mask has ones")
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
            line = pairs[begin:begin + rows - row - 1]
            lines.insert(row, aten.constant_pad_nd(line, [row + 1, 0]))
        upper = torch.stack(lines)
        return upper + upper.t()

    return aten._cdist_backward(square(grad), self, self, p, square(distances))


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
    if offsets.shape[0]:
        checks.require(offsets[0] == 0, "embedding_bag: the first of offsets must be 0")
        checks.require(offsets[-1] <= indices.shape[0], "embedding_bag: the last of offsets is "
                       "greater than the number of indices")
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
        zeros = grad.new_zeros([num_weights, grad.shape[1]])
        return aten.scatter_add(zeros, 0, maximum_indices, grad)
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


def _native_dropout(x, p, train):
    """Draws what nn.Dropout draws, which the option random="host" gives the same numbers."""
    if not train or p == 0:
        return x.clone(), torch.ones_like(x, dtype=torch.bool)
    if p == 1:
        return torch.zeros_like(x), torch.zeros_like(x, dtype=torch.bool)
    keep = aten.bernoulli.p(torch.empty_like(x), 1 - p)
    return x * (keep / (1 - p)), keep != 0


def _encoder_layer(src, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias,
                   use_gelu, norm_first, eps, norm_weight_1, norm_bias_1, norm_weight_2,
                   norm_bias_2, ffn_weight_1, ffn_bias_1, ffn_weight_2, ffn_bias_2, mask=None,
                   mask_type=None):
    """The layer of nn.TransformerEncoder that evaluation chooses as one op."""
    if src.is_nested:
        return NotImplemented

    def attention(x):
        return _attention(x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias,
                          mask, mask_type)

    def feed_forward(x):
        hidden = F.linear(x, ffn_weight_1, ffn_bias_1)
        return F.linear(F.gelu(hidden) if use_gelu else F.relu(hidden), ffn_weight_2, ffn_bias_2)

    def norm(x, weight, bias):
        return F.layer_norm(x, (embed_dim,), weight, bias, eps)

    if norm_first:
        x = src + attention(norm(src, norm_weight_1, norm_bias_1))
        return x + feed_forward(norm(x, norm_weight_2, norm_bias_2))
    x = norm(src + attention(src), norm_weight_1, norm_bias_1)
    return norm(x + feed_forward(x), norm_weight_2, norm_bias_2)


def _attention(x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, mask,
               mask_type):
    batch, length, _ = x.shape
    qkv = F.linear(x, qkv_weight, qkv_bias).reshape(batch, length, 3, num_heads, -1)
    q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        if mask_type == 1:  # of keys, [batch, length]
            mask = mask[:, None, None, :]
        elif mask_type == 0 and mask.dim() == 2:  # of queries and keys
            mask = mask[None, None]
        elif mask.dim() == 3:
            mask = mask.reshape(batch, -1, *mask.shape[1:])
        if mask.dtype == torch.bool:
            scores = scores.masked_fill(mask, float("-inf"))
        else:
            scores = scores + mask
    y = scores.softmax(-1) @ v
    return F.linear(y.transpose(1, 2).reshape(batch, length, embed_dim), proj_weight, proj_bias)


def _trilinear(i1: Tensor, i2: Tensor, i3: Tensor, expand1, expand2, expand3, sumdim,
               unroll_dim: int = 1) -> Tensor:
    """The sum over some dimensions of a product of three, each of which lacks some dimensions."""
    rank = i1.dim() + len(expand1)
    letters = [chr(ord("a") + dim) for dim in range(rank)]
    operands = ["".join(letters[dim] for dim in range(rank) if dim not in expand)
                for expand in (expand1, expand2, expand3)]
    result = "".join(letters[dim] for dim in range(rank) if dim not in sumdim)
    if not set(result) <= set("".join(operands)):
        return NotImplemented
    return torch.einsum(f"{','.join(operands)}->{result}", i1, i2, i3)


def _embedding_renorm(self: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    norms = torch.linalg.vector_norm(self, norm_type, 1, True)
    is_read = torch.zeros_like(self[:, 0], dtype=torch.bool)
    is_read = is_read.index_fill(0, indices.reshape(-1), True)[:, None]
    wide = torch.promote_types(self.dtype, torch.float32)
    scaled = self.to(wide) * (max_norm / (norms.to(wide) + 1e-7))
    return torch.where(is_read & (norms > max_norm), scaled.to(self.dtype), self)


def _sample_weights_of_bags_backward(grad: Tensor, weight: Tensor, indices: Tensor,
                                     offsets: Tensor, offset2bag: Tensor, mode: int,
                                     padding_idx: int = -1) -> Tensor:
    if offset2bag.numel() != indices.numel():
        return NotImplemented
    products = (grad[offset2bag] * weight[indices]).sum(1)
    return torch.where(indices == padding_idx, 0, products)


def _times_orthogonal(self: Tensor, tau: Tensor, other: Tensor, left: bool = True,
                      transpose: bool = False) -> Tensor:
    """By the orthogonal matrix whose reflectors are in the columns of self."""
    rows, columns = self.shape[-2:]
    more = [0, rows - columns]
    q = torch.linalg.householder_product(aten.constant_pad_nd(self, more),
                                         aten.constant_pad_nd(tau, [0, rows - tau.shape[-1]]))
    q = q.mT if transpose else q
    return q @ other if left else other @ q


def _resize(self: Tensor, size, *, memory_format=None) -> Tensor:
    """The elements in the order of memory; those behind them have any value."""
    if not self.is_contiguous() or memory_format not in (None, torch.contiguous_format):
        return NotImplemented
    more = math.prod(size) - self.numel()
    return aten.constant_pad_nd(self.reshape(-1), [0, more]).reshape(list(size))


def _empty_permuted(size, physical_layout, **options) -> Tensor:
    return aten.empty.memory_format(list(size), **options)


def _soft_margin_loss_backward(grad: Tensor, self: Tensor, target: Tensor,
                               reduction: int) -> Tensor:
    # PyTorch's formula takes 1 from a sigmoid next to 1.
    result = grad * -target * torch.sigmoid(-target * self)
    return result / self.numel() if reduction == 1 else result


def _scaled_mm(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor, bias=None,
               scale_result=None, out_dtype=None, use_fast_accum=False) -> Tensor:
    """Of matrices whose scales are one number, or one for each row of `a` and column of `b`."""
    if any(scale.numel() != 1 and tuple(scale.shape) != sizes for scale, sizes in
           ((scale_a, (a.shape[0], 1)), (scale_b, (1, b.shape[1])))):
        return NotImplemented
    result = a.float() @ b.float() * scale_a.float() * scale_b.float()
    if bias is not None:
        result = result + bias.float()
    out_dtype = out_dtype or a.dtype
    if scale_result is not None and out_dtype.itemsize == 1:
        result = result * scale_result
    return result.reshape([a.shape[0], b.shape[1]]).to(out_dtype)


TABLE: dict[torch._ops.OpOverload, Callable] = {
    aten._scaled_mm.default: _scaled_mm,
    aten.multilabel_margin_loss_forward.default: losses.multilabel_margin_loss,
    aten.multilabel_margin_loss_backward.default: losses.multilabel_margin_loss_backward,
    aten.soft_margin_loss_backward.default: _soft_margin_loss_backward,
    aten.nll_loss_backward.default: losses.nll_loss_backward,
    aten.nll_loss2d_backward.default: losses.nll_loss_backward,
    **grids.TABLE,
    **histograms.TABLE,
    **orthogonal.TABLE,
    **sequences.TABLE,
    **spacing.TABLE,
    aten._trilinear.default: _trilinear,
    aten.embedding_renorm.default: _embedding_renorm,
    aten._embedding_bag_per_sample_weights_backward.default: _sample_weights_of_bags_backward,
    aten.ormqr.default: _times_orthogonal,
    aten._efficientzerotensor.default: aten.zeros.default,
    aten.resize.default: _resize,
    aten.empty_permuted.default: _empty_permuted,
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
    aten.replication_pad1d_backward.default: _replication_pad_backward,
    aten.replication_pad2d_backward.default: _replication_pad_backward,
    aten.replication_pad3d_backward.default: _replication_pad_backward,
    aten._cdist_forward.default: _cdist,
    aten._cdist_backward.default: _cdist_backward,
    aten.kthvalue.default: _kth_value,
    aten.median.dim: _median,
    aten.embedding_bag.padding_idx: _embedding_bag,
    aten._embedding_bag.default: _embedding_bag,
    aten._embedding_bag_forward_only.default: _embedding_bag,
    aten._embedding_bag_backward.default: _embedding_bag_backward,
    aten._embedding_bag_dense_backward.default: _embedding_bag_dense_backward,
    aten._weight_norm_interface_backward.default: _weight_norm_backward,
    aten._transformer_encoder_layer_fwd.default: _encoder_layer,
    aten.native_dropout.default: _native_dropout,
}


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


def _div(a: Tensor, b: Tensor) -> Tensor:
    return a / b if a.is_floating_point() else torch.div(a, b, rounding_mode="trunc")


def _broadcast_in_dim(a: Tensor, shape, broadcast_dimensions) -> Tensor:
    sizes = [1] * len(shape)
    for size, dim in zip(a.shape, broadcast_dimensions):
        sizes[dim] = size
    return a.reshape(sizes).expand(list(shape))


def _sum(a: Tensor, dims, *, output_dtype=None) -> Tensor:
    return torch.sum(a, dims, dtype=output_dtype or a.dtype) if dims else NotImplemented


def _var(a: Tensor, dims, correction=1, *, output_dtype=None) -> Tensor:
    if not dims:
        return NotImplemented
    return aten.var.correction(a, dims, correction=correction).to(output_dtype or a.dtype)


# Ops by names, since their package may be imported later or never: "package::op", or
# "package::op.overload".
FOREIGN: dict[str, Callable] = {
    "prims::add": lambda a, b: a + b,
    "prims::broadcast_in_dim": _broadcast_in_dim,
    "prims::div": _div,
    "prims::fma": lambda a, b, c: a * b + c,
    "prims::mul": lambda a, b: a * b,
    "prims::sub": lambda a, b: a - b,
    "prims::sum": _sum,
    "prims::var": _var,
    "torch_nn::_linear_cross_entropy_batch_chunked": losses.linear_cross_entropy,
    "torch_nn::_linear_cross_entropy_batch_chunked_no_reduction": losses.linear_cross_entropies,
    "transformers::grouped_mm_fallback": _grouped_mm,
    "transformers::grouped_mm_fallback_backward": _grouped_mm_backward,
}
