# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which decompositions a graph is traced with, and those that decide numbers or follow a flag."""
import math
from collections.abc import Callable

import torch
import torch.nn.functional as F

from . import decompositions, flags, writer

aten = torch.ops.aten


def _native_dropout(x, p, train):
    """Draws what nn.Dropout draws without torch.compile, so seeds give the same numbers."""
    if not train or p == 0:
        return x.clone(), torch.ones_like(x, dtype=torch.bool)
    if p == 1:
        return torch.zeros_like(x), torch.zeros_like(x, dtype=torch.bool)
    keep = aten.bernoulli.p(torch.empty_like(x), 1 - p)
    return x * (keep / (1 - p)), keep != 0


def _var_mean(x, dim=None, *, correction=None, keepdim=False):
    """In float32: the device has no float64, in which torch-mlir computes a variance."""
    if not x.dtype.is_floating_point or x.dtype == torch.float64:
        return NotImplemented
    dims = list(range(x.ndim)) if dim is None or len(dim) == 0 else [d % x.ndim for d in dim]
    count = 1
    for each in dims:
        count *= x.shape[each]
    wide = x.to(torch.float32)
    mean = torch.mean(wide, dims, keepdim=True)
    difference = wide - mean
    total = torch.sum(difference * difference, dims, keepdim=True)
    correction = 1.0 if correction is None else float(correction)
    variance = total / max(count - correction, 0.0)
    if not keepdim:
        kept = [size for index, size in enumerate(x.shape) if index not in dims]
        mean, variance = mean.reshape(kept), variance.reshape(kept)
    return variance.to(x.dtype), mean.to(x.dtype)


def _var(x, dim=None, *, correction=None, keepdim=False):
    result = _var_mean(x, dim, correction=correction, keepdim=keepdim)
    return result if result is NotImplemented else result[0]


def _std(x, dim=None, *, correction=None, keepdim=False):
    result = _var_mean(x, dim, correction=correction, keepdim=keepdim)
    return result if result is NotImplemented else torch.sqrt(result[0])


def _tanh_gelu(x, *, approximate="none"):
    del approximate
    return 0.5 * x * (1 + torch.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))


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


def _constant_pad(x, pad, value=0):
    """Padding by less than nothing cuts; torch-mlir does not."""
    if min(pad, default=0) >= 0:
        return NotImplemented
    for index, each in enumerate(pad):
        if each < 0:
            dim = x.dim() - 1 - index // 2
            begin, end = (-each, x.shape[dim]) if index % 2 == 0 else (0, x.shape[dim] + each)
            x = aten.slice(x, dim, begin, end)
    pad = [max(each, 0) for each in pad]
    return aten.constant_pad_nd(x, pad, value) if any(pad) else x.clone()


_OWN = {
    aten.constant_pad_nd.default: _constant_pad,
    aten._transformer_encoder_layer_fwd.default: _encoder_layer,
    aten.native_dropout.default: _native_dropout,
    aten.var_mean.correction: _var_mean,
    aten.var.correction: _var,
    aten.std.correction: _std,
}


def table(*, programs: bool = False,
          torch_mlir: bool = False) -> dict[torch._ops.OpOverload, Callable]:
    """The decompositions that PT_HPU_COMPILE_DECOMPOSITION_MODE asks for. `programs`: of
    torch.export; `torch_mlir`: for models that only torch-mlir takes."""
    mode = flags.text("PT_HPU_COMPILE_DECOMPOSITION_MODE", "habana")
    if mode == "none":
        return {}
    if mode == "core_aten":
        return dict(torch._decomp.core_aten_decompositions())
    if mode != "habana":
        raise ValueError(f"PT_HPU_COMPILE_DECOMPOSITION_MODE={mode}: "
                         "expected habana, core_aten or none")
    known = frozenset() if torch_mlir else writer.known()
    result = decompositions.table(programs=programs, torch_mlir=torch_mlir)
    result.update((op, function) for op, function in _OWN.items()
                  if writer.name_of(op) not in known)
    if flags.enabled("PT_HPU_FORCE_TANH_FOR_GELU"):
        result[aten.gelu.default] = _tanh_gelu
    return result
