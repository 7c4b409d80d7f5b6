# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as models of PyTorch write it: name -> (module or function, inputs, attentions that are fused).

Inputs are (shape, element). `forms` are the dialects of torch-mlir that the case is exported to; `whole` keeps
scaled_dot_product_attention as one op (tm_tensor.attention in linalg), which torch-mlir decomposes otherwise.
"""
import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn

CASES = {}
ALL = ("linalg", "tosa", "stablehlo")


@dataclasses.dataclass
class Case:
    build: object
    inputs: list
    what: str
    attentions: int = 1
    gradients: int = 0
    forms: tuple = ALL
    whole: bool = False


def case(what, *inputs, attentions=1, gradients=0, forms=ALL, whole=False):
    def register(build):
        CASES[build.__name__] = Case(build, list(inputs), what, attentions, gradients, forms, whole)
        return build
    return register


def f32(*shape):
    return shape, "f32"


def linear(width, out=None, bias=True):
    return nn.Linear(width, out or width, bias)


def heads(x, count):
    """(N, L, H * D) -> (N, H, L, D)"""
    return x.view(x.shape[0], x.shape[1], count, -1).transpose(1, 2)


def merged(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


@case("BERT: a mask of tokens becomes 0 or finfo.min, added after the division by sqrt(D)", f32(2, 7, 12),
      ((2, 7), "i64"))
class bert(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = linear(12), linear(12), linear(12), linear(12)

    def forward(self, x, mask):
        mask = (1.0 - mask.clamp(max=1)[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        q, k, v = (heads(f(x), 3) for f in (self.q, self.k, self.v))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(4)
        p = nn.functional.softmax(scores + mask, dim=-1)
        y = torch.matmul(p, v).permute(0, 2, 1, 3).contiguous()
        return self.out(y.view(2, 7, 12))


@case("GPT-2: one projection split in three, a causal buffer selects finfo.min", f32(2, 6, 12))
class gpt2(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn, self.proj = linear(12, 36), linear(12)
        self.register_buffer("visible", torch.tril(torch.ones(8, 8, dtype=torch.bool)).view(1, 1, 8, 8))

    def forward(self, x):
        q, k, v = (heads(part, 2) for part in self.attn(x).split(12, dim=2))
        scores = torch.matmul(q, k.transpose(-1, -2))
        scores = scores / torch.full([], v.size(-1) ** 0.5, dtype=scores.dtype)
        lowest = torch.full([], torch.finfo(scores.dtype).min, dtype=scores.dtype)
        scores = torch.where(self.visible[:, :, :6, :6], scores, lowest)
        return self.proj(merged(torch.matmul(F.softmax(scores, dim=-1), v)))


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rope(x, positions):
    half = x.shape[-1] // 2
    rates = 1e4 ** (-torch.arange(half).float() / half)
    angles = (positions.float()[:, None] * rates).repeat(1, 2)
    return x * angles.cos() + rotate_half(x) * angles.sin()


def repeat_kv(x, times):
    n, h, length, d = x.shape
    return x[:, :, None].expand(n, h, times, length, d).reshape(n, h * times, length, d)


class LlamaAttention(nn.Module):
    def __init__(self, width=16, q_heads=4, kv_heads=2):
        super().__init__()
        self.q_heads, self.kv_heads, self.d = q_heads, kv_heads, width // q_heads
        kv = kv_heads * self.d
        self.q, self.k, self.v = linear(width, bias=False), linear(width, kv, False), linear(width, kv, False)
        self.out = linear(width, bias=False)

    def rotated(self, x):
        positions = torch.arange(x.shape[1])
        q, k = heads(self.q(x), self.q_heads), heads(self.k(x), self.kv_heads)
        return rope(q, positions), rope(k, positions), heads(self.v(x), self.kv_heads)

    def attend(self, q, k, v, mask):
        k, v = (repeat_kv(t, self.q_heads // self.kv_heads) for t in (k, v))
        scores = torch.matmul(q, k.transpose(2, 3)) * self.d ** -0.5
        scores = scores + mask
        p = F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype)
        return self.out(merged(torch.matmul(p, v)))


@case("Llama: grouped heads by expand and reshape, RoPE, a causal mask made of finfo.min", f32(2, 6, 16))
class llama(LlamaAttention):
    def forward(self, x):
        mask = torch.full((6, 6), torch.finfo(torch.float32).min).triu(1)[None, None]
        return self.attend(*self.rotated(x), mask)


@case("Mistral: a window of three keys", f32(1, 8, 16))
class mistral(LlamaAttention):
    def forward(self, x):
        i, j = torch.arange(8)[:, None], torch.arange(8)[None]
        visible = (j <= i) & (i - j < 3)
        mask = torch.zeros(8, 8).masked_fill(~visible, torch.finfo(torch.float32).min)
        return self.attend(*self.rotated(x), mask[None, None])


@case("Llama in bf16: softmax in f32, rounded to bf16 before the second product", ((2, 6, 16), "bf16"),
      forms=("linalg", "stablehlo"))
class llama_bf16(LlamaAttention):
    def __init__(self):
        super().__init__()
        self.to(torch.bfloat16)

    def forward(self, x):
        q, k, v = heads(self.q(x), 4), heads(self.k(x), 2), heads(self.v(x), 2)
        mask = torch.full((6, 6), torch.finfo(torch.bfloat16).min, dtype=torch.bfloat16).triu(1)[None, None]
        return self.attend(q, k, v, mask)


@case("decoding: one query, keys and values updated in a cache, the keys after the position hidden", f32(2, 1, 16),
      f32(2, 2, 8, 4), f32(2, 2, 8, 4), forms=("linalg", "stablehlo"))
class decode(LlamaAttention):
    def forward(self, x, keys, values):
        at = torch.tensor([5])
        q, k, v = heads(self.q(x), 4), heads(self.k(x), 2), heads(self.v(x), 2)
        keys, values = (torch.slice_scatter(old, new, 2, 5, 6) for old, new in ((keys, k), (values, v)))
        mask = torch.where(torch.arange(8) <= at, 0.0, float("-inf"))[None, None, None]
        return self.attend(q, keys, values, mask), keys, values


@case("T5: a learned bias per pair of positions, no scale", f32(2, 5, 12), f32(8, 3))
class t5(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (linear(12, bias=False) for _ in range(4))

    def forward(self, x, table):
        distance = torch.arange(5)[None] - torch.arange(5)[:, None]
        bucket = torch.clamp(distance.abs(), max=3) + 4 * (distance > 0).long()
        bias = F.embedding(bucket, table).permute(2, 0, 1).unsqueeze(0)
        q, k, v = (heads(f(x), 3) for f in (self.q, self.k, self.v))
        scores = torch.matmul(q, k.transpose(3, 2))
        scores = scores + bias
        p = F.softmax(scores.float(), dim=-1).type_as(scores)
        return self.o(merged(torch.matmul(p, v)))


@case("Whisper: cross attention, the scale on q, heads merged into the batch for bmm", f32(2, 5, 12), f32(2, 7, 12))
class whisper(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = linear(12), linear(12, bias=False), linear(12), linear(12)

    def forward(self, x, memory):
        def shape(t, length):
            return t.view(2, length, 3, 4).transpose(1, 2).contiguous().view(6, -1, 4)
        q, k, v = shape(self.q(x) * 4 ** -0.5, 5), shape(self.k(memory), 7), shape(self.v(memory), 7)
        p = F.softmax(torch.bmm(q, k.transpose(1, 2)), dim=-1)
        y = torch.bmm(p, v).view(2, 3, 5, 4).transpose(1, 2).reshape(2, 5, 12)
        return self.out(y)


@case("CLIP: causal mask of -inf added to (N, H, L, S) scores, viewed as three dimensions", f32(2, 5, 12))
class clip(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = linear(12), linear(12), linear(12), linear(12)

    def forward(self, x):
        q = (self.q(x) * 0.5).view(2, 5, 3, 4).transpose(1, 2).reshape(6, 5, 4)
        k, v = (f(x).view(2, 5, 3, 4).transpose(1, 2).reshape(6, 5, 4) for f in (self.k, self.v))
        causal = torch.full((5, 5), float("-inf")).triu_(1)
        scores = torch.bmm(q, k.transpose(1, 2)).view(2, 3, 5, 5) + causal[None, None]
        p = F.softmax(scores.view(6, 5, 5), dim=-1)
        return self.out(torch.bmm(p, v).view(2, 3, 5, 4).transpose(1, 2).reshape(2, 5, 12))


@case("ViT: qkv as one product, permuted to (3, N, H, L, D), with the token of the class", f32(2, 3, 8, 8))
class vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.cls = nn.Conv2d(3, 12, 4, 4), nn.Parameter(torch.randn(1, 1, 12))
        self.norm, self.qkv, self.proj = nn.LayerNorm(12), linear(12, 36), linear(12)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(2, -1, -1), x], 1)
        qkv = self.qkv(self.norm(x)).reshape(2, 5, 3, 2, 6).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        p = ((q * 6 ** -0.5) @ k.transpose(-2, -1)).softmax(dim=-1)
        return x + self.proj((p @ v).transpose(1, 2).reshape(2, 5, 12))


@case("MQA of Falcon: one key head, broadcast in the product", f32(2, 5, 12))
class mqa(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.kv, self.out = linear(12), linear(12, 8), linear(12)

    def forward(self, x):
        q = heads(self.q(x), 3)
        k, v = (t[:, None] for t in self.kv(x).split(4, -1))
        p = F.softmax(q @ k.transpose(-1, -2) / 2.0, -1)
        return self.out(merged(p @ v))


@case("Bloom: ALiBi through baddbmm, masked_fill with finfo.min", f32(2, 5, 12))
class bloom(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.dense = linear(12, 36), linear(12)

    def forward(self, x):
        q, k, v = self.qkv(x).view(2, 5, 3, 3, 4).unbind(3)
        slopes = torch.tensor([2.0 ** -(8 * (h + 1) / 3) for h in range(3)])
        alibi = (slopes[:, None] * torch.arange(5)).repeat(2, 1).view(6, 1, 5)
        q, v = (t.transpose(1, 2).reshape(6, 5, 4) for t in (q, v))
        scores = torch.baddbmm(alibi.expand(6, 5, 5), q, k.permute(0, 2, 3, 1).reshape(6, 4, 5), beta=1.0, alpha=0.5)
        scores = scores.view(2, 3, 5, 5).float()
        hidden = torch.ones(5, 5, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, torch.finfo(torch.float32).min)
        p = F.softmax(scores, -1, dtype=torch.float32).view(6, 5, 5)
        return self.dense(torch.bmm(p, v).view(2, 3, 5, 4).permute(0, 2, 1, 3).reshape(2, 5, 12))


@case("OPT: the masked scores are clamped from below by finfo.min", f32(2, 5, 12), ((2, 5), "i1"))
class opt(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = linear(12), linear(12), linear(12), linear(12)

    def forward(self, x, there):
        lowest = torch.finfo(torch.float32).min
        q, k, v = (heads(f(x), 3) for f in (self.q, self.k, self.v))
        there = there | (torch.arange(5) == 0)
        mask = torch.full((5, 5), lowest).triu(1)[None, None].masked_fill(~there[:, None, None], lowest)
        scores = torch.max((q * 0.5) @ k.transpose(-1, -2) + mask, torch.tensor(lowest))
        return self.out(merged(scores.softmax(-1) @ v))


@case("DistilBERT: masked_fill with -inf", f32(2, 8, 12), ((2, 8), "i1"))
class distilbert(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = linear(12), linear(12), linear(12), linear(12)

    def forward(self, x, there):
        there = there | (torch.arange(8) == 0)
        q, k, v = (heads(f(x), 2) for f in (self.q, self.k, self.v))
        scores = torch.matmul(q / math.sqrt(6), k.transpose(2, 3))
        hidden = (there == 0).view(2, 1, 1, 8).expand_as(scores)
        return self.out(merged(torch.matmul(F.softmax(scores.masked_fill(hidden, -float("inf")), -1), v)))


@case("Swin: windows, a relative bias from a table, and the mask of shifted windows", f32(1, 8, 8, 12), f32(49, 3))
class swin(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.proj = linear(12, 36), linear(12)

    def forward(self, x, table):
        y, place = torch.meshgrid(torch.arange(4), torch.arange(4), indexing="ij"), None
        place = torch.stack(y).flatten(1)
        distance = (place[:, :, None] - place[:, None] + 3).permute(1, 2, 0)
        bias = table[(distance[..., 0] * 7 + distance[..., 1]).view(-1)].view(16, 16, 3).permute(2, 0, 1)
        x = torch.roll(x, (-2, -2), (1, 2)).view(1, 2, 4, 2, 4, 12).permute(0, 1, 3, 2, 4, 5).reshape(4, 16, 12)
        zone = (torch.arange(8) // 2 + 1) // 2
        zone = (zone[:, None] * 3 + zone).view(2, 4, 2, 4).permute(0, 2, 1, 3).reshape(4, 16)
        mask = (zone[:, None] != zone[:, :, None]).float() * -100.0
        q, k, v = self.qkv(x).reshape(4, 16, 3, 3, 4).permute(2, 0, 3, 1, 4).unbind(0)
        scores = (q * 0.5) @ k.transpose(-2, -1) + bias[None]
        scores = (scores.view(1, 4, 3, 16, 16) + mask[None, :, None]).view(4, 3, 16, 16)
        return self.proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(4, 16, 12))


Q, K, V = f32(2, 3, 5, 4), f32(2, 3, 7, 4), f32(2, 3, 7, 6)


@case("scaled_dot_product_attention as one op", Q, f32(2, 3, 7, 4), f32(2, 3, 7, 4), forms=("linalg",), whole=True)
def sdpa(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


@case("scaled_dot_product_attention, Dv of its own", Q, K, V)
def sdpa_math(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


@case("scaled_dot_product_attention with is_causal", Q, f32(2, 3, 5, 4), f32(2, 3, 5, 4))
def sdpa_math_causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@case("scaled_dot_product_attention with is_causal as one op", Q, f32(2, 3, 5, 4), f32(2, 3, 5, 4), forms=("linalg",), whole=True)
def sdpa_causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@case("scaled_dot_product_attention with a mask of booleans and a scale", Q, K, V, ((2, 1, 5, 7), "i1"))
def sdpa_math_mask(q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask | (torch.arange(7) == 1), scale=0.3)


@case("scaled_dot_product_attention with an additive mask as one op", Q, f32(2, 3, 7, 4), f32(2, 3, 7, 4),
      f32(2, 1, 5, 7), forms=("linalg",), whole=True)
def sdpa_bias(q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@case("scaled_dot_product_attention with grouped heads", f32(1, 4, 5, 4), f32(1, 2, 7, 4), f32(1, 2, 7, 4))
def sdpa_math_gqa(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)


@case("MultiheadAttention that also gives the mean weights over the heads", f32(2, 5, 12), forms=("linalg", "tosa"))
class multihead_weights(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(12, 3, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)


@case("a decoder layer: causal self attention, cross attention", f32(2, 5, 12), f32(2, 7, 12), attentions=2)
class decoder_layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(12, 3, 16, batch_first=True, norm_first=True)

    def forward(self, x, memory):
        return self.layer(x, memory, tgt_mask=nn.Transformer.generate_square_subsequent_mask(5))


@case("einsum over (N, L, H, D), all sizes equal", f32(4, 4, 4, 4), f32(4, 4, 4, 4), f32(4, 4, 4, 4))
def einsum_equal_sizes(q, k, v):
    p = torch.einsum("nlhd,nshd->nhls", q, k).mul(0.5).softmax(-1)
    return torch.einsum("nhls,nshd->nlhd", p, v)


@case("softmax written out, without a maximum", Q, K, V)
def written_out(q, k, v):
    e = torch.exp(q @ k.mT * 0.5)
    return (e / e.sum(-1, keepdim=True)) @ v


@case("exponentials of scores less their logsumexp", Q, K, V)
def logsumexp(q, k, v):
    s = q @ k.mT * 0.5
    return torch.exp(s - torch.logsumexp(s, -1, keepdim=True)) @ v


@case("exponentials of log_softmax, causal", Q, f32(2, 3, 5, 4), f32(2, 3, 5, 6))
def log_softmax(q, k, v):
    s = (q @ k.mT * 0.5).masked_fill(torch.ones(5, 5, dtype=torch.bool).triu(1), float("-inf"))
    return s.log_softmax(-1).exp() @ v


@case("the division by the sum after the second product", Q, K, V)
def late_division(q, k, v):
    s = q @ k.mT * 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return (e @ v) / e.sum(-1, keepdim=True)


@case("one head, three dimensions", f32(2, 5, 4), f32(2, 7, 4), f32(2, 7, 3))
def three_dimensions(q, k, v):
    return (q @ k.mT / 2.0).softmax(-1) @ v


@case("no batch, one head", f32(5, 4), f32(7, 4), f32(7, 3))
def two_dimensions(q, k, v):
    return (q @ k.T / 2.0).softmax(-1) @ v


@case("not fused: the scores pass a tanh (a soft cap)", Q, K, V, attentions=0)
def soft_cap(q, k, v):
    return (torch.tanh(q @ k.mT / 10) * 5).softmax(-1) @ v


@case("not fused: softmax over the queries", Q, K, V, attentions=0)
def over_queries(q, k, v):
    return (q @ k.mT / 2).softmax(-2) @ v


@case("not fused: the heads are mixed between softmax and product", Q, K, V, f32(3, 3), attentions=0)
def talking_heads(q, k, v, mix):
    p = (q @ k.mT / 2).softmax(-1)
    return torch.einsum("gh,nhls->ngls", mix, p) @ v
