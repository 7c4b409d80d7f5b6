# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of PyTorch that torch-oracle.py judges: name -> builder of (module, inputs)."""
import torch
import torch.nn.functional as F
from torch import nn


class Function(nn.Module):
    """A function as a module. With `attention` torch-mlir keeps scaled_dot_product_attention as one op."""

    def __init__(self, function, attention=False):
        super().__init__()
        self.function = function
        if attention:
            from torch_mlir.extras.fx_decomp_util import get_decomposition_table
            table = {op: f for op, f in get_decomposition_table().items() if "scaled_dot_product" not in str(op)}
            self.export_options = {"decomposition_table": table}

    def forward(self, *inputs):
        return self.function(*inputs)


def floats(*shape):
    return lambda: torch.randn(shape)


def bf16(*shape):
    return lambda: torch.randn(shape).bfloat16()


def ints(high, *shape, low=0):
    return lambda: torch.randint(low, high, shape)


def bools(*shape):
    return lambda: torch.rand(shape) > 0.3


def distinct(high, count):
    return lambda: torch.randperm(high)[:count]


def ties(*shape):
    """Floats of which many are equal."""
    return lambda: torch.randint(-3, 4, shape).float() / 2


FUNCTIONS = {}
COMPOSED = set()  # of several products, or with constants that torch-mlir rounds: scope `model`


def add(name, function, *inputs, attention=False, composed=False):
    assert name not in FUNCTIONS, name
    if composed or name.startswith("attention"):
        COMPOSED.add(name)
    FUNCTIONS[name] = lambda: (Function(function, attention), tuple(make() for make in inputs))


sdpa = F.scaled_dot_product_attention
for kept in (False, True):
    form = "fused" if kept else "decomposed"
    q, k, v = floats(2, 4, 8, 16), floats(2, 4, 6, 16), floats(2, 4, 6, 16)
    add(f"attention {form}", lambda q, k, v: sdpa(q, k, v), q, k, v, attention=kept)
    add(f"attention {form} causal", lambda q, k, v: sdpa(q, k, v, is_causal=True), q, q, q, attention=kept)
    add(f"attention {form} float mask", lambda q, k, v, m: sdpa(q, k, v, attn_mask=m), q, k, v, floats(2, 4, 8, 6),
        attention=kept)
    add(f"attention {form} bool mask", lambda q, k, v, m: sdpa(q, k, v, attn_mask=m), q, k, v, bools(2, 4, 8, 6),
        attention=kept)
    add(f"attention {form} mask of rows", lambda q, k, v, m: sdpa(q, k, v, attn_mask=m), q, k, v,
        lambda: torch.tensor([[True, True, False, True, False, False]] * 8).view(1, 1, 8, 6).repeat(2, 4, 1, 1),
        attention=kept)
    add(f"attention {form} row masked out", lambda q, k, v, m: sdpa(q, k, v, attn_mask=m), q, k, v,
        lambda: (torch.arange(8).view(1, 1, 8, 1) != 3).repeat(2, 4, 1, 6), attention=kept)
    add(f"attention {form} wide values", lambda q, k, v: sdpa(q, k, v), q, k, floats(2, 4, 6, 24), attention=kept)
    add(f"attention {form} scale", lambda q, k, v: sdpa(q, k, v, scale=0.25), q, k, v, attention=kept)
    add(f"attention {form} grouped queries", lambda q, k, v: sdpa(q, k, v, enable_gqa=True), q, floats(2, 2, 6, 16),
        floats(2, 2, 6, 16), attention=kept)
    add(f"attention {form} rank 3", lambda q, k, v: sdpa(q, k, v), floats(3, 5, 8), floats(3, 7, 8), floats(3, 7, 8),
        attention=kept)
    add(f"attention {form} bf16", lambda q, k, v: sdpa(q, k, v), bf16(2, 2, 8, 16), bf16(2, 2, 6, 16),
        bf16(2, 2, 6, 16), attention=kept)

for dim in (0, 1, 2):
    add(f"cumsum dim {dim}", lambda x, dim=dim: torch.cumsum(x, dim), floats(3, 5, 7))
    add(f"cumprod dim {dim}", lambda x, dim=dim: torch.cumprod(x, dim), floats(3, 5, 7))
    add(f"sort dim {dim}", lambda x, dim=dim: torch.sort(x, dim), floats(3, 5, 7))
    add(f"topk dim {dim}", lambda x, dim=dim: torch.topk(x, 2, dim), floats(3, 5, 7))
add("cumsum int", lambda x: torch.cumsum(x, 0), ints(9, 6, 4))
add("cumsum bool", lambda x: torch.cumsum(x, 1), bools(4, 9))
add("cumsum int32", lambda x: torch.cumsum(x, -1, dtype=torch.int32), lambda: torch.randint(0, 9, (2, 5)).int())
add("cumsum bf16", lambda x: torch.cumsum(x, -1), bf16(3, 8))
add("cumsum rank 1", lambda x: torch.cumsum(x, 0), floats(33))
add("cumprod int", lambda x: torch.cumprod(x, -1), ints(4, 3, 6, low=1))
add("cumprod rank 1", lambda x: torch.cumprod(x, 0), floats(17))
add("cumprod rank 6", lambda x: torch.cumprod(x, 3), floats(2, 2, 2, 5, 2, 2))
add("cummax", lambda x: torch.cummax(x, -1), floats(3, 7))
add("cummin", lambda x: torch.cummin(x, 0), floats(6, 3))
add("logcumsumexp", lambda x: torch.logcumsumexp(x, -1), floats(3, 7))
add("diff of cumsum", lambda x: torch.diff(torch.cumsum(x, 1)), floats(2, 9))

add("sort descending", lambda x: torch.sort(x, 0, descending=True), floats(6, 3))
add("sort stable ties", lambda x: torch.sort(x, stable=True, dim=1), ties(4, 12))
add("sort stable ties descending", lambda x: torch.sort(x, stable=True, dim=1, descending=True), ties(4, 12))
add("sort int", lambda x: torch.sort(x, stable=True), ints(9, 3, 8, low=-9))
add("sort rank 1", lambda x: torch.sort(x), floats(40))
add("argsort", lambda x: torch.argsort(x, -1), floats(3, 9))
add("argsort descending", lambda x: torch.argsort(x, 0, True), floats(9, 3))
add("topk smallest", lambda x: torch.topk(x, 3, 0, largest=False), floats(7, 3))
add("topk int", lambda x: torch.topk(x, 3)[0], ints(50, 2, 12))
add("kthvalue", lambda x: torch.kthvalue(x, 3), floats(4, 9))
add("median", lambda x: torch.median(x), floats(9))
add("msort", torch.msort, floats(5, 3))
add("searchsorted", lambda x, y: torch.searchsorted(torch.sort(x)[0], y), floats(9), floats(5))
add("bucketize", lambda x: torch.bucketize(x, torch.tensor([-0.5, 0.0, 0.5])), floats(3, 5))

add("index_put", lambda x, i, v: torch.index_put(x, (i,), v), floats(7, 3), distinct(7, 4), floats(4, 3))
add("index_put negative", lambda x, i, v: torch.index_put(x, (i - 7,), v), floats(7, 3), distinct(7, 4), floats(4, 3))
add("index_put accumulate", lambda x, i, v: torch.index_put(x, (i,), v, accumulate=True), floats(5, 3), ints(5, 9),
    floats(9, 3))
add("index_put two indices", lambda x, i, j, v: torch.index_put(x, (i, j), v, accumulate=True), floats(5, 3),
    ints(5, 8), ints(3, 8), floats(8))
add("index_put grid", lambda x, i, v: torch.index_put(x, (i,), v), floats(9, 2, 3),
    lambda: torch.randperm(9)[:6].view(2, 3), floats(2, 3, 2, 3))
add("index_put broadcast", lambda x, i, v: torch.index_put(x, (i,), v), floats(7, 3), distinct(7, 4), floats(3))
add("index_put second dimension", lambda x, i, v: torch.index_put(x, (None, i), v), floats(3, 7), distinct(7, 4),
    floats(3, 4))
add("index_put int", lambda x, i, v: torch.index_put(x, (i,), v, accumulate=True), ints(9, 5), ints(5, 8), ints(9, 8))
add("index_put bool", lambda x, i, v: torch.index_put(x, (i,), v), bools(7), distinct(7, 4), bools(4))
add("slice assignment", lambda x, y: torch.slice_scatter(x, y, 1, 1, 6, 2), floats(3, 7), floats(3, 3))
add("select_scatter", lambda x, y: torch.select_scatter(x, y, 1, 2), floats(3, 5), floats(3))
add("diagonal_scatter", lambda x, y: torch.diagonal_scatter(x, y), floats(4, 4), floats(4))
add("masked_scatter", lambda x, m, y: torch.masked_scatter(x, m, y), floats(3, 4), bools(3, 4), floats(12))
add("scatter", lambda x, i, v: torch.scatter(x, 1, i, v), floats(3, 7),
    lambda: torch.stack([torch.randperm(7)[:4] for _ in range(3)]), floats(3, 4))
add("scatter dim 0", lambda x, i, v: torch.scatter(x, 0, i, v), floats(7, 3),
    lambda: torch.stack([torch.randperm(7)[:4] for _ in range(3)], 1), floats(4, 3))
add("scatter value", lambda x, i: torch.scatter(x, 1, i, 2.5), floats(3, 7), ints(7, 3, 2))
add("scatter bool", lambda x, i: torch.scatter(x, 1, i, True), bools(3, 7), ints(7, 3, 2))
add("scatter_add", lambda x, i, v: torch.scatter_add(x, 0, i, v), floats(4, 5), ints(4, 6, 5), floats(6, 5))
add("scatter_add rank 3", lambda x, i, v: torch.scatter_add(x, 1, i, v), floats(2, 4, 3), ints(4, 2, 6, 3),
    floats(2, 6, 3))
for kind in ("sum", "prod", "amax", "amin", "mean"):
    add(f"scatter_reduce {kind}", lambda x, i, v, kind=kind: torch.scatter_reduce(x, 0, i, v, kind), floats(3, 5),
        ints(3, 6, 5), floats(6, 5))
    add(f"scatter_reduce {kind} without self",
        lambda x, i, v, kind=kind: torch.scatter_reduce(x, 0, i, v, kind, include_self=False), floats(3, 5),
        ints(3, 6, 5), floats(6, 5))
add("index_add", lambda x, i, v: torch.index_add(x, 0, i, v), floats(5, 3), ints(5, 8), floats(8, 3))
add("index_add second dimension", lambda x, i, v: torch.index_add(x, 1, i, v, alpha=2), floats(3, 5), ints(5, 8),
    floats(3, 8))
add("index_copy", lambda x, i, v: torch.index_copy(x, 0, i, v), floats(7, 3), distinct(7, 4), floats(4, 3))
add("index_fill", lambda x, i: torch.index_fill(x, 0, i, 1.5), floats(7, 3), distinct(7, 4))
add("index_reduce amax", lambda x, i, v: torch.index_reduce(x, 0, i, v, "amax"), floats(5, 3), ints(5, 8), floats(8, 3))
add("put", lambda x, i, v: torch.put(x, i, v), floats(4, 3), distinct(12, 5), floats(5))
add("embedding backward", lambda g, i: torch.ops.aten.embedding_dense_backward(g, i, 10, -1, False), floats(6, 3),
    ints(10, 6))
add("embedding backward padding", lambda g, i: torch.ops.aten.embedding_dense_backward(g, i, 10, 2, False),
    floats(6, 3), ints(10, 6))
add("bincount", lambda x: torch.bincount(x, minlength=7), ints(6, 12))
add("histogram by one_hot", lambda x: F.one_hot(x, 7).sum(0), ints(7, 12))
add("one_hot", lambda x: F.one_hot(x, 7), ints(7, 2, 5))
add("gather", lambda x, i: torch.gather(x, 1, i), floats(3, 7), ints(7, 3, 5))
add("gather dim 0", lambda x, i: torch.gather(x, 0, i), floats(7, 3), ints(7, 5, 3))
add("take_along_dim", lambda x, i: torch.take_along_dim(x, i, 1), floats(3, 7), ints(7, 3, 5))
add("take", torch.take, floats(3, 7), ints(21, 5))
add("index_select", lambda x, i: torch.index_select(x, 1, i), floats(3, 7), ints(7, 5))
add("index", lambda x, i, j: x[i, :, j], floats(4, 3, 5), ints(4, 6), ints(5, 6))
add("index grid", lambda x, i, j: x[i, j], floats(4, 5, 3), ints(4, 6, 1), ints(5, 1, 2))
add("masked_fill", lambda x, m: x.masked_fill(m, -1e9), floats(3, 5), bools(3, 5))
add("where", torch.where, bools(3, 5), floats(3, 5), floats(3, 1))
add("tril", torch.tril, floats(5, 5))
add("triu", lambda x: torch.triu(x, 1), floats(3, 4, 6))
add("tril_indices", lambda x: x[:, torch.tril_indices(4, 4)[0]], floats(3, 4))
add("roll", lambda x: torch.roll(x, (1, -2), (0, 1)), floats(4, 5))
add("flip", lambda x: torch.flip(x, [0, 2]), floats(3, 4, 5))
add("argmax", lambda x: torch.argmax(x, -1), floats(3, 7))
add("max with indices", lambda x: torch.max(x, 1), floats(3, 7))
add("unfold", lambda x: F.unfold(x, 2, stride=2), floats(1, 3, 6, 6))
add("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2), floats(1, 8, 3, 3))
add("interpolate nearest", lambda x: F.interpolate(x, scale_factor=2), floats(1, 3, 4, 4))
add("interpolate bilinear", lambda x: F.interpolate(x, size=(7, 5), mode="bilinear"), floats(1, 3, 4, 4))
add("grid_sample", lambda x, g: F.grid_sample(x, g, align_corners=False), floats(1, 2, 5, 5),
    lambda: torch.rand(1, 3, 3, 2) * 1.6 - 0.8)
add("max_pool2d indices", lambda x: F.max_pool2d(x, 2, return_indices=True), floats(1, 2, 6, 6))
add("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, (3, 2)), floats(1, 3, 7, 5))
add("avg_pool2d padded", lambda x: F.avg_pool2d(x, 3, 2, 1), floats(1, 3, 7, 7))
add("cross_entropy", lambda x, t: F.cross_entropy(x, t), floats(6, 5), ints(5, 6))
add("cross_entropy smoothing", lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1), floats(6, 5), ints(5, 6))
add("nll_loss 2d", lambda x, t: F.nll_loss(F.log_softmax(x, 1), t), floats(2, 4, 3, 3), ints(4, 2, 3, 3))
add("kl_div", lambda x, y: F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean"), floats(4, 6),
    floats(4, 6))
add("huber_loss", F.huber_loss, floats(4, 6), floats(4, 6))
add("bce_with_logits", lambda x, y: F.binary_cross_entropy_with_logits(x, torch.sigmoid(y)), floats(4, 6),
    floats(4, 6))
add("cosine_similarity", F.cosine_similarity, floats(4, 6), floats(4, 6))
add("cdist", torch.cdist, floats(4, 6), floats(5, 6))
add("einsum", lambda x, y: torch.einsum("bhid,bjhd->bhij", x, y), floats(2, 3, 4, 5), floats(2, 6, 3, 5))
add("std", lambda x: torch.std(x, 1), floats(3, 7))
add("norm", lambda x: torch.linalg.vector_norm(x, dim=-1), floats(3, 7))
add("softmax bf16", lambda x: F.softmax(x, -1), bf16(3, 9))
add("erf gelu", lambda x: F.gelu(x), floats(3, 9))
add("tanh gelu", lambda x: F.gelu(x, approximate="tanh"), floats(3, 9), composed=True)
add("mish", F.mish, floats(3, 9))
add("remainder", torch.remainder, floats(3, 9), lambda: torch.rand(3, 9) + 0.5)
add("floor_divide", lambda x: torch.floor_divide(x, 3), ints(20, 3, 5, low=-20))
add("bitwise", lambda x, y: (x & y) ^ (x << 1), ints(99, 3, 5), ints(99, 3, 5))
add("meshgrid", lambda x, y: torch.stack(torch.meshgrid(x, y, indexing="ij")), floats(3), floats(4))
add("repeat_interleave", lambda x: torch.repeat_interleave(x, 3, 1), floats(2, 4))
