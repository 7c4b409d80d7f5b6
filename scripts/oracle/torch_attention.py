# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention and transformers that torch-oracle.py judges, small."""
import torch
import torch.nn.functional as F
from torch import nn

from torch_case import floats, lengths, network, sequential, tokens


@network(floats(2, 6, 16))
class MultiheadAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x)


@network(floats(2, 6, 16), lengths(2, 6))
class MultiheadAttentionPadded(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)

    def forward(self, x, there):
        return self.attention(x, x, x, key_padding_mask=~there, need_weights=False)[0]


@sequential("TransformerEncoder", floats(2, 6, 16))
def encoder():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2, enable_nested_tensor=False)


@network(floats(2, 5, 16), floats(2, 7, 16))
class TransformerDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(16, 4, 32, batch_first=True, norm_first=True)

    def forward(self, x, memory):
        mask = nn.Transformer.generate_square_subsequent_mask(5)
        return self.layer(x, memory, tgt_mask=mask)


@network(floats(2, 7, 16), floats(2, 5, 16))
class TransformerBoth(nn.Module):
    def __init__(self):
        super().__init__()
        self.both = nn.Transformer(16, 4, 1, 1, 32, batch_first=True)

    def forward(self, source, target):
        return self.both(source, target)


class Block(nn.Module):
    """A pre-norm block with causal attention."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.a, self.b = heads, nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in self.qkv(self.a(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.b(x)), approximate="tanh"))


@network(tokens(50, 2, 8))
class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(50, 16), nn.Embedding(8, 16)
        self.blocks, self.norm = nn.Sequential(Block(16, 4), Block(16, 4)), nn.LayerNorm(16)

    def forward(self, x):
        h = self.tokens(x) + self.places(torch.arange(x.shape[1]))
        return self.norm(self.blocks(h)) @ self.tokens.weight.t()


@network(tokens(50, 2, 8))
class GPTGreedy(GPT):
    def forward(self, x):
        return torch.topk(super().forward(x)[:, -1], 5)


@network(tokens(50, 1, 8), tokens(50, 1, 8))
class GPTLoss(GPT):
    def forward(self, x, y):
        return F.cross_entropy(super().forward(x).view(-1, 50), y.view(-1), ignore_index=0)


@network(tokens(40, 2, 9), lengths(2, 9))
class BERT(nn.Module):
    """Positions count the tokens that are there, as in RoBERTa."""

    def __init__(self):
        super().__init__()
        self.tokens, self.places, self.norm = nn.Embedding(40, 16), nn.Embedding(12, 16), nn.LayerNorm(16)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, activation="gelu", batch_first=True)
        self.pool = nn.Linear(16, 16)

    def forward(self, x, there):
        places = torch.cumsum(there.long(), 1) * there.long() + 1
        h = self.norm(self.tokens(x) + self.places(places))
        return torch.tanh(self.pool(self.layer(h, src_key_padding_mask=~there)[:, 0]))


@network(tokens(40, 1, 6))
class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.norm, self.head = nn.Embedding(40, 16), nn.RMSNorm(16), nn.Linear(16, 40, bias=False)
        self.q, self.k, self.v = nn.Linear(16, 16, False), nn.Linear(16, 8, False), nn.Linear(16, 8, False)
        self.out, self.gate, self.up = nn.Linear(16, 16, False), nn.Linear(16, 24, False), nn.Linear(16, 24, False)
        self.down = nn.Linear(24, 16, False)

    @staticmethod
    def rotate(x):
        half = x.shape[-1] // 2
        rates = 1e4 ** (-torch.arange(half) / half)
        angles = torch.arange(x.shape[2])[:, None] * rates
        cos, sin = torch.cos(angles).repeat(1, 2), torch.sin(angles).repeat(1, 2)
        return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin

    def forward(self, x):
        h = self.tokens(x)
        n = self.norm(h)
        q, k, v = (f(n).view(1, 6, -1, 4).transpose(1, 2) for f in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(self.rotate(q), self.rotate(k), v, is_causal=True, enable_gqa=True)
        h = h + self.out(y.transpose(1, 2).reshape(1, 6, 16))
        n = self.norm(h)
        return self.head(h + self.down(F.silu(self.gate(n)) * self.up(n)))


@network(floats(10, 16))
class MixtureOfExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(16, 4)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 16)) for _ in range(4))

    def forward(self, x):
        weights, chosen = torch.topk(F.softmax(self.router(x), -1), 2)
        gates = torch.zeros(10, 4).scatter(1, chosen, weights / weights.sum(-1, keepdim=True))
        return sum(gates[:, i:i + 1] * expert(x) for i, expert in enumerate(self.experts))


@network(floats(2, 3, 16, 16))
class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.cls = nn.Conv2d(3, 16, 4, 4), nn.Parameter(torch.randn(1, 1, 16))
        self.places, self.head = nn.Parameter(torch.randn(1, 17, 16)), nn.Linear(16, 5)
        self.layer = nn.TransformerEncoderLayer(16, 4, 32, activation="gelu", batch_first=True, norm_first=True)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.places
        return self.head(self.layer(x)[:, 0])


@network(floats(1, 8, 8, 12))
class SwinWindow(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(12, 3, batch_first=True)

    def forward(self, x):
        x = torch.roll(x, (-2, -2), (1, 2))
        windows = x.view(1, 2, 4, 2, 4, 12).permute(0, 1, 3, 2, 4, 5).reshape(4, 16, 12)
        y = self.attention(windows, windows, windows, need_weights=False)[0]
        y = y.view(1, 2, 2, 4, 4, 12).permute(0, 1, 3, 2, 4, 5).reshape(1, 8, 8, 12)
        return torch.roll(y, (2, 2), (1, 2))
