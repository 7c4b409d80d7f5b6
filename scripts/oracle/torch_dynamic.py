# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of PyTorch with dynamic sizes that torch-dynamic.py judges.

An input is a text: `b,s,8` is a tensor of floats, `i10:b,s` of integers below 10, `bool:b,s` of booleans, `mask:b,s` of
integers 1 for the tokens of each row that are there and 0 after them, `idx=s:b,4` of integers below the size s.
"""
import torch
import torch.nn.functional as F

# Of each symbol the bounds, a multiple, the size of the example, and the sizes of the buckets.
SYMBOLS = {
    "b": (1, 6, 1, 3, (2, 4, 6)),
    "s": (3, 17, 1, 7, (8, 12, 17)),
    "t": (2, 9, 1, 5, (4, 8, 9)),
    "h": (8, 24, 8, 16, (8, 16, 24)),
    "w": (8, 24, 8, 24, (16, 24)),
    "p": (9, 20, 1, 14, (12, 16, 20)),  # height of any size
    "q": (8, 19, 1, 13, (10, 16, 19)),  # width of any size
}
CASES = {}


class Function(torch.nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, *inputs):
        return self.body(*inputs)


def add(name, body, *inputs):
    assert name not in CASES, name
    CASES[name] = (lambda: Function(body), inputs)


def model(*inputs):
    """Registers a module class, or a function that makes a module."""
    def register(cls):
        CASES[cls.__name__] = (cls, inputs)
        MODELS.add(cls.__name__)
        return cls
    return register


MODELS = set()

# Shapes -----------------------------------------------------------------------
add("flatten all", lambda x: x.flatten() * 2, "b,s,4")
add("flatten first", lambda x: x.flatten(0, 1) + 1, "b,s,4")
add("flatten last", lambda x: x.flatten(1), "b,s,4")
add("flatten static batch", lambda x: x.flatten(1), "2,s,4")
add("view -1", lambda x: x.view(-1).relu(), "b,s")
add("view of sizes", lambda x: x.view(x.shape[0] * x.shape[1], x.shape[2]).exp(), "b,s,4")
add("view heads", lambda x: x.view(x.shape[0], x.shape[1], 2, 4).transpose(1, 2), "b,s,8")
add("merge heads", lambda x: x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1), "b,2,s,4")
add("split fused", lambda x: x.view(x.shape[0], -1, 3, 2)[:, :, 1], "b,s,6")
add("unflatten", lambda x: x.unflatten(-1, (2, 3)).sum(-1), "b,s,6")
add("chunk", lambda x: torch.cat(x.chunk(3, -1)[::-1], -1), "b,s,6")
add("split", lambda x: sum(x.split([2, 4], -1)[1:]), "b,s,6")
add("unbind", lambda x: x.unbind(-1)[0] * x.unbind(-1)[2], "b,s,3")
add("stack", lambda x, y: torch.stack([x, y], 1), "b,s", "b,s")
add("cat batch", lambda x, y: torch.cat([x, y], 0), "b,4", "t,4")
add("cat sequence", lambda x, y: torch.cat([x, y], 1), "b,s,4", "b,t,4")
add("cat constant", lambda x: torch.cat([torch.zeros(x.shape[0], 1, 4), x], 1), "b,s,4")
add("cat self twice", lambda x: torch.cat([x, x], 1).sum(1), "b,s,4")
add("expand", lambda x: x[:, None].expand(-1, 3, -1) * 2, "b,s")
add("expand token", lambda x: torch.cat([torch.ones(1, 1, 4).expand(x.shape[0], -1, -1), x], 1), "b,s,4")
add("repeat static dim", lambda x: x.repeat(1, 1, 3), "b,s,2")
add("repeat batch", lambda x: x.repeat(2, 1), "b,4")
add("repeat_interleave heads", lambda x: x.repeat_interleave(2, 1), "b,2,s,4")
add("repeat kv", lambda x: x[:, :, None].expand(-1, -1, 2, -1, -1).reshape(x.shape[0], 4, x.shape[2], 4), "b,2,s,4")
add("tile", lambda x: torch.tile(x, (1, 2)), "b,4")
add("permute", lambda x: x.permute(2, 0, 1).contiguous(), "b,s,4")
add("movedim", lambda x: x.movedim(1, -1) + 1, "b,s,4")
add("swap", lambda x: x.transpose(0, 1), "b,s")
add("squeeze", lambda x: x.unsqueeze(1).squeeze(1), "b,s")
add("pad", lambda x: F.pad(x, (1, 2)), "b,s")
add("pad batch", lambda x: F.pad(x, (0, 0, 1, 1), value=3.0), "b,4")
add("pad to multiple", lambda x: F.pad(x, (0, 0, 0, -x.shape[1] % 4)), "b,s,4")
add("pad reflect", lambda x: F.pad(x, (2, 1), mode="reflect"), "b,2,s")
add("pad replicate", lambda x: F.pad(x, (2, 1), mode="replicate"), "b,2,s")
add("pad circular", lambda x: F.pad(x, (2, 1), mode="circular"), "b,2,s")
add("pixel shuffle", lambda x: F.pixel_shuffle(x, 2), "b,8,h,w")
add("pixel unshuffle", lambda x: F.pixel_unshuffle(x, 2), "b,2,h,w")
add("channel shuffle", lambda x: x.view(x.shape[0], 2, 3, x.shape[2]).transpose(1, 2).flatten(1, 2), "b,6,s")
add("unfold", lambda x: F.unfold(x, 3, padding=1), "b,2,h,w")
add("windows", lambda x: x.view(x.shape[0], x.shape[1] // 4, 4, x.shape[2] // 4, 4).permute(0, 1, 3, 2, 4).reshape(-1, 16),
    "b,h,w")
add("window attention reverse", lambda x: x.view(-1, x.shape[1] // 4, 4, 3).mean(2), "b,h,3")
add("blocks of fixed size", lambda x: x.unfold(1, 3, 2), "b,s")

# Slices -----------------------------------------------------------------------
add("first token", lambda x: x[:, 0], "b,s,4")
add("last token", lambda x: x[:, -1], "b,s,4")
add("drop last", lambda x: x[:, :-1].sum(1), "b,s,4")
add("drop first", lambda x: x[:, 1:].sum(1), "b,s,4")
add("shifted difference", lambda x: (x[:, 1:] - x[:, :-1]).abs().mean(), "b,s")
add("every other", lambda x: x[:, ::2], "b,s,4")
add("odd and even", lambda x: x[..., 1::2] - x[..., ::2], "b,s,8")
add("second half", lambda x: x[:, x.shape[1] // 2:], "b,s,4")
add("first half", lambda x: x[:, :x.shape[1] // 2], "b,s,4")
add("narrow", lambda x: x.narrow(1, 1, 2), "b,s,4")
add("select batch", lambda x: x.select(0, 0), "b,s")
add("diagonal", lambda x: x.diagonal(dim1=1, dim2=2), "b,4,4")
add("table up to length", lambda x, w: x + w[:x.shape[1]], "b,s,4", "32,4")
add("table from end", lambda x, w: x + w[32 - x.shape[1]:], "b,s,4", "32,4")
add("relative positions", lambda x, w: w[torch.arange(x.shape[1])[None] - torch.arange(x.shape[1])[:, None] + 20], "b,s",
    "48,2")
add("slice assign", lambda x: x.slice_scatter(torch.zeros(x.shape[0], 2, 4), 1, 0, 2), "b,s,4")
add("select assign", lambda x: x.select_scatter(torch.ones(x.shape[0], 4), 1, 1), "b,s,4")

# Masks and ranges -------------------------------------------------------------
add("arange", lambda x: torch.arange(x.shape[1], dtype=torch.float32) * 0.5 + x, "b,s")
add("arange int", lambda x: torch.arange(x.shape[1])[None] + x, "i10:b,s")
add("arange step", lambda x: torch.arange(0, x.shape[1], 2), "b,s")
add("linspace", lambda x: torch.linspace(0, 1, 5) * x, "b,s,5")
add("ones like", lambda x: torch.ones_like(x).cumsum(1), "b,s")
add("full", lambda x: torch.full((x.shape[0], x.shape[1]), 2.5) - x, "b,s")
add("zeros new", lambda x: x.new_zeros(x.shape[0], 4) + x[:, :4], "b,8")
add("size as number", lambda x: x / x.shape[1], "b,s")
add("sqrt of size", lambda x: x * (x.shape[1] ** -0.5), "b,s")
add("numel", lambda x: x.sum() / x.numel(), "b,s")
add("tril", lambda x: torch.tril(x), "b,s,s")
add("triu", lambda x: torch.triu(x, 1), "s,s")
add("tril ones", lambda x: torch.tril(torch.ones(x.shape[1], x.shape[1]))[None] * x[:, None], "b,s")
add("causal mask", lambda x: x.masked_fill(torch.triu(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool), 1), -1e9), "b,s,s")
add("causal softmax", lambda x: torch.softmax(
    x.masked_fill(torch.arange(x.shape[1])[None] > torch.arange(x.shape[1])[:, None], float("-inf")), -1), "b,s,s")
add("eye", lambda x: torch.eye(x.shape[1]) + x, "b,s,s")
add("masked_fill", lambda x, m: x.masked_fill(m, -1.0), "b,s", "bool:b,s")
add("where", lambda x, y: torch.where(x > 0, x, y), "b,s", "b,s")
add("where scalar", lambda x: torch.where(x > 0, 1.0, x), "b,s")
add("padding mask", lambda x, m: (x * m[:, :, None]).sum(1) / m.sum(1, keepdim=True).clamp(min=1), "b,s,4", "mask:b,s")
add("extended mask", lambda x, m: x + (1.0 - m[:, None, None, :].float()) * -1e4, "b,2,s,s", "mask:b,s")
add("one_hot", lambda x: F.one_hot(x, 10).float().mean(1), "i10:b,s")
add("position ids", lambda m: (m.cumsum(1) - 1).clamp(min=0), "mask:b,s")
add("last real token", lambda x, m: x[torch.arange(x.shape[0]), m.sum(1) - 1], "b,s,4", "mask:b,s")
add("lengths to mask", lambda x, n: x * (torch.arange(x.shape[1])[None] < n[:, None]), "b,s", "i4:b")

# Elementwise and broadcasts ---------------------------------------------------
add("add", lambda x, y: x + y, "b,s", "b,s")
add("add rows", lambda x, y: x + y, "b,s", "s")
add("add columns", lambda x, y: x + y, "b,s", "b,1")
add("outer", lambda x, y: x[:, None] * y[None], "b", "s")
add("clamp", lambda x: x.clamp(-0.5, 0.5), "b,s")
add("clamp min", lambda x: x.clamp(min=0.1), "b,s")
add("gelu", lambda x: F.gelu(x) + F.gelu(x, approximate="tanh"), "b,s")
add("silu", lambda x: F.silu(x) * F.mish(x), "b,s")
add("pow", lambda x: x.pow(2) + x.abs().pow(0.5), "b,s")
add("div floor", lambda x: x // 3 + x % 3, "i10:b,s")
add("remainder", lambda x: torch.remainder(x.abs(), 0.7), "b,s")
add("compare", lambda x: (x > 0) & (x < 1), "b,s")
add("to int", lambda x: (x * 4).to(torch.int64), "b,s")
add("to half", lambda x: x.half().float(), "b,s")
add("dropout eval", lambda x: F.dropout(x, 0.5, training=False), "b,s")
add("glu", lambda x: F.glu(x, -1), "b,s,8")
add("lerp", lambda x, y: torch.lerp(x, y, 0.3), "b,s", "b,s")
add("logical any", lambda x: (x > 1.5).any(1), "b,s")
add("logical all", lambda x: (x > -1).all(1), "b,s")

# Reductions -------------------------------------------------------------------
add("sum all", lambda x: x.sum(), "b,s")
add("sum batch", lambda x: x.sum(0), "b,s")
add("mean all", lambda x: x.mean(), "b,s,4")
add("mean sequence", lambda x: x.mean(1), "b,s,4")
add("mean keepdim", lambda x: x - x.mean((1, 2), keepdim=True), "b,s,4")
add("var", lambda x: x.var(1), "b,s")
add("var biased", lambda x: x.var(1, unbiased=False), "b,s")
add("std", lambda x: x.std((0, 1)), "t,s,4")
add("max", lambda x: x.max(), "b,s")
add("max dim", lambda x: x.max(1), "b,s")
add("amax", lambda x: x.amax((1, 2)), "b,s,4")
add("amin", lambda x: x.amin(1), "b,s")
add("argmax", lambda x: x.argmax(1), "b,s")
add("argmax last", lambda x: x.argmax(-1), "b,s,5")
add("argmin", lambda x: x.argmin(0), "b,s")
add("argmax all", lambda x: x.argmax(), "b,s")
add("prod", lambda x: x.prod(1), "b,s")
add("norm", lambda x: x.norm(dim=1), "b,s")
add("normalize", lambda x: F.normalize(x, dim=1), "b,s")
add("logsumexp", lambda x: x.logsumexp(1), "b,s")
add("softmax sequence", lambda x: x.softmax(1), "b,s,4")
add("log_softmax", lambda x: x.log_softmax(-1), "b,s,4")
add("softmax last", lambda x: x.softmax(-1), "b,s")
add("cumsum", lambda x: x.cumsum(1), "b,s")
add("cumsum batch", lambda x: x.cumsum(0), "b,s")
add("cumprod", lambda x: x.cumprod(1), "b,s")
add("cosine", lambda x, y: F.cosine_similarity(x, y, dim=1), "b,s", "b,s")
add("layer norm", lambda x: F.layer_norm(x, (8,)), "b,s,8")
add("layer norm sequence", lambda x: F.layer_norm(x, x.shape[1:]), "b,s,4")
add("rms norm", lambda x: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6), "b,s,8")
add("group norm", lambda x: F.group_norm(x, 2), "b,4,h,w")
add("instance norm", lambda x: F.instance_norm(x), "b,3,h,w")
add("mse", lambda x, y: F.mse_loss(x, y), "b,s", "b,s")
add("cross entropy", lambda x, y: F.cross_entropy(x, y), "b,5", "i5:b")
add("cross entropy tokens", lambda x, y: F.cross_entropy(x.view(-1, 5), y.view(-1)), "b,s,5", "i5:b,s")
add("nll none", lambda x, y: F.nll_loss(x.log_softmax(-1), y, reduction="none"), "b,5", "i5:b")
add("bce", lambda x, y: F.binary_cross_entropy_with_logits(x, y), "b,s", "b,s")
add("smooth l1", lambda x, y: F.smooth_l1_loss(x, y), "b,s", "b,s")

# Products ---------------------------------------------------------------------
add("matmul", lambda x, y: x @ y, "b,s,4", "b,4,t")
add("matmul square", lambda x: x @ x.transpose(1, 2), "b,s,4")
add("matmul over sequence", lambda x, y: x.transpose(1, 2) @ y, "b,s,4", "b,s,3")
add("mm", lambda x, y: torch.mm(x, y), "s,b", "b,t")
add("linear", lambda x, w: F.linear(x, w), "b,s,4", "6,4")
add("einsum heads", lambda q, k: torch.einsum("bqhd,bkhd->bhqk", q, k), "b,s,2,4", "b,t,2,4")
add("einsum outer", lambda x, y: torch.einsum("bi,bj->bij", x, y), "b,s", "b,t")
add("einsum trace", lambda x, y: torch.einsum("bsd,bsd->b", x, y), "b,s,4", "b,s,4")
add("bilinear form", lambda x, y: (x * y).sum(-1), "b,s,4", "b,s,4")
add("mv", lambda x, y: x @ y, "b,s", "s")
add("dot", lambda x, y: x.flatten().dot(y.flatten()), "s", "s")
add("sdpa", lambda q, k, v: F.scaled_dot_product_attention(q, k, v), "b,2,s,4", "b,2,t,4", "b,2,t,4")
add("sdpa causal", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), "b,2,s,4", "b,2,s,4", "b,2,s,4")
add("sdpa mask", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, attn_mask=m[:, None, None].bool()), "b,2,s,4",
    "b,2,s,4", "b,2,s,4", "mask:b,s")
add("cdist by hand", lambda x, y: ((x[:, :, None] - y[:, None]) ** 2).sum(-1), "b,s,3", "b,t,3")

# Convolutions and windows -----------------------------------------------------
W = torch.randn(4, 3, 3, 3, generator=torch.Generator().manual_seed(0))
W1 = torch.randn(4, 3, 3, generator=torch.Generator().manual_seed(1))
add("conv2d", lambda x: F.conv2d(x, W, padding=1), "b,3,p,q")
add("conv2d valid", lambda x: F.conv2d(x, W), "b,3,p,q")
add("conv2d stride", lambda x: F.conv2d(x, W, stride=2, padding=1), "b,3,p,q")
add("conv2d dilated", lambda x: F.conv2d(x, W, dilation=2, padding=2), "b,3,p,q")
add("conv1d", lambda x: F.conv1d(x, W1, padding=1), "b,3,s")
add("conv1d stride", lambda x: F.conv1d(x, W1, stride=2, padding=1), "b,3,s")
add("conv1d causal", lambda x: F.conv1d(F.pad(x, (2, 0)), W1), "b,3,s")
add("depthwise", lambda x: F.conv2d(x, W[:3, :1], padding=1, groups=3), "b,3,p,q")
add("conv transpose", lambda x: F.conv_transpose2d(x, W.transpose(0, 1)[:, :2], stride=2), "b,3,p,q")
add("max pool", lambda x: F.max_pool2d(x, 2), "b,3,p,q")
add("max pool padded", lambda x: F.max_pool2d(x, 3, 2, 1), "b,3,p,q")
add("max pool ceil", lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True), "b,3,p,q")
add("avg pool", lambda x: F.avg_pool2d(x, 2), "b,3,p,q")
add("avg pool padded", lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), "b,3,p,q")
add("avg pool 1d", lambda x: F.avg_pool1d(x, 3, 1, 1), "b,3,s")
add("adaptive pool 1", lambda x: F.adaptive_avg_pool2d(x, 1).flatten(1), "b,3,p,q")
add("adaptive max pool 1", lambda x: F.adaptive_max_pool2d(x, 1).flatten(1), "b,3,p,q")
add("global mean", lambda x: x.mean((2, 3)), "b,3,p,q")
add("nearest x2", lambda x: F.interpolate(x, scale_factor=2, mode="nearest"), "b,3,p,q")
add("nearest to size", lambda x, y: F.interpolate(x, size=y.shape[2:], mode="nearest") + y, "b,3,h,w", "b,3,p,q")
add("bilinear x2", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), "b,3,p,q")
add("batch norm eval", lambda x: F.batch_norm(x, torch.zeros(3), torch.ones(3)), "b,3,p,q")
add("flatten conv", lambda x: F.conv2d(x, W, stride=2, padding=1).flatten(2).transpose(1, 2), "b,3,h,w")

# Indices ----------------------------------------------------------------------
add("embedding", lambda w, x: F.embedding(x, w), "10,4", "i10:b,s")
add("embedding mean", lambda w, x: F.embedding(x, w).mean(1), "10,4", "i10:b,s")
add("index_select", lambda x, i: x.index_select(1, i), "b,8,4", "i8:t")
add("index_select dynamic", lambda x, i: x.index_select(1, i), "b,s,4", "idx=s:t")
add("gather", lambda x, i: x.gather(1, i), "b,s", "idx=s:b,t")
add("gather logits", lambda x, i: x.log_softmax(-1).gather(-1, i[..., None]).squeeze(-1), "b,s,5", "i5:b,s")
add("take along", lambda x, i: torch.take_along_dim(x, i, 1), "b,s", "idx=s:b,2")
add("index rows", lambda x, i: x[i], "s,4", "idx=s:t")
add("index pairs", lambda x, i, j: x[i, j], "b,s", "idx=b:t", "idx=s:t")
add("scatter", lambda x, i, v: x.scatter(1, i, v), "b,s", "idx=s:b,1", "b,1")
add("scatter add", lambda x, i, v: x.scatter_add(1, i, v), "b,s", "idx=s:b,t", "b,t")
add("index_put", lambda x, i, v: x.index_put((i,), v), "8,s", "i8:1", "1,s")
add("index_put add", lambda x, i, v: x.index_put((i,), v, accumulate=True), "8,s", "i8:t", "t,s")
add("index_add", lambda x, i, v: x.index_add(0, i, v), "8,4", "i8:t", "t,4")
add("kv cache write", lambda c, i, v: c.index_put((None, i), v), "b,16,4", "i16:1", "b,1,4")
add("kv cache copy", lambda c, i, v: c.index_copy(1, i, v), "b,16,4", "i16:1", "b,1,4")
add("topk", lambda x: x.topk(3, -1), "b,s")
add("topk static", lambda x: x.topk(2, -1), "b,s,5")
add("sort", lambda x: x.sort(-1), "b,s")
add("sort descending", lambda x: x.sort(-1, descending=True)[0], "b,s")
add("argsort", lambda x: x.argsort(-1), "b,s,6")
add("roll", lambda x: x.roll(1, 1), "b,s")
add("roll two", lambda x: x.roll((-2, 1), (1, 2)), "b,h,w")
add("flip", lambda x: x.flip(1), "b,s,4")
add("flip batch", lambda x: x.flip(0), "b,s")
add("nonzero count", lambda x: (x > 0).sum(1), "b,s")
add("bincount by one hot", lambda x: F.one_hot(x, 6).sum((0, 1)), "i6:b,s")
add("rotate half", lambda x: torch.cat([-x[..., 4:], x[..., :4]], -1), "b,2,s,8")
add("rotary", lambda x: x * torch.cos(torch.arange(x.shape[1])[:, None] * torch.tensor([1.0, 0.1])).repeat(1, 2), "b,s,4")
add("complex by hand", lambda x: torch.stack([x[..., ::2] - x[..., 1::2], x[..., ::2] + x[..., 1::2]], -1).flatten(-2), "b,s,4")
add("meshgrid", lambda x, y: torch.stack(torch.meshgrid(x, y, indexing="ij"), -1).view(-1, 2), "s", "t")
add("meshgrid kept", lambda x, y: torch.stack(torch.meshgrid(x, y, indexing="ij"), -1), "s", "t")
add("sinusoid", lambda x: x + torch.cat([torch.sin(torch.arange(x.shape[1])[:, None] / 10.0 ** torch.arange(2)),
                                         torch.cos(torch.arange(x.shape[1])[:, None] / 10.0 ** torch.arange(2))], 1), "b,s,4")
add("alibi", lambda x: x - (torch.arange(x.shape[-1])[None] - torch.arange(x.shape[-1])[:, None]).abs() * 0.5, "b,2,s,s")
add("t5 bucket", lambda w, x: w[torch.minimum((torch.arange(x.shape[1])[None] - torch.arange(x.shape[1])[:, None]).abs(),
                                              torch.tensor(7))], "8,2", "b,s")
add("two results", lambda x: (x.sum(1), x.flatten(0, 1)), "b,s,4")
add("min of sizes", lambda x, y: x[:, :min(x.shape[1], 3)] + y[:, :3], "b,s", "b,s")
add("batch times heads", lambda q, k: torch.bmm(q.reshape(-1, q.shape[2], 4), k.reshape(-1, k.shape[2], 4).transpose(1, 2))
    .view(q.shape[0], 2, q.shape[2], -1).softmax(-1), "b,2,s,4", "b,2,t,4")
