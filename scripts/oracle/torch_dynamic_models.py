# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models with dynamic sizes that torch-dynamic.py judges: small, with the layers of large ones."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from torch_dynamic import CASES, MODELS, model


def of_library(name, *inputs):
    """A model of the package transformers."""
    def register(build):
        CASES[name] = (build, inputs)
        MODELS.add(name)
        return build
    return register


class Outputs(nn.Module):
    """The tensors of a model of transformers, with keyword arguments."""

    def __init__(self, inner, names, wanted):
        super().__init__()
        self.inner, self.names, self.wanted = inner, names, wanted

    def forward(self, *inputs):
        result = self.inner(**dict(zip(self.names, inputs)), use_cache=False) if "use_cache" not in self.names else None
        return tuple(getattr(result, name) for name in self.wanted)


class Plain(Outputs):
    def forward(self, *inputs):
        result = self.inner(**dict(zip(self.names, inputs)))
        return tuple(getattr(result, name) for name in self.wanted)


@model("b,s,20")
def MLP():
    return nn.Sequential(nn.Linear(20, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 5), nn.Softmax(-1))


@model("b,3,h,w")
def ConvNet():
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5))


@model("b,3,p,q")
def ConvNetAnySize():
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5))


class Attention(nn.Module):
    def __init__(self, width=16, heads=2):
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, mask=None, causal=False):
        b, s, d = x.shape
        q, k, v = (t.view(b, s, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.heads)
        if causal:
            scores = scores.masked_fill(torch.ones(s, s, dtype=torch.bool).triu(1), float("-inf"))
        if mask is not None:
            scores = scores + (1.0 - mask[:, None, None].float()) * -1e9
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, s, d))


class Block(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.a, self.b, self.attention = nn.LayerNorm(width), nn.LayerNorm(width), Attention(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, mask=None, causal=False):
        x = x + self.attention(self.a(x), mask, causal)
        return x + self.mlp(self.b(x))


@model("i50:b,s", "mask:b,s")
class BertLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places, self.norm = nn.Embedding(50, 16), nn.Embedding(32, 16), nn.LayerNorm(16)
        self.layers, self.pool = nn.ModuleList(Block() for _ in range(2)), nn.Linear(16, 16)

    def forward(self, ids, mask):
        x = self.norm(self.tokens(ids) + self.places(torch.arange(ids.shape[1]))[None])
        for layer in self.layers:
            x = layer(x, mask)
        return x, torch.tanh(self.pool(x[:, 0])), (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


@model("i50:b,s")
class LlamaLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.head = nn.Embedding(50, 16), nn.Linear(16, 50, bias=False)
        self.q, self.k, self.v, self.o = (nn.Linear(16, n, bias=False) for n in (16, 8, 8, 16))
        self.gate, self.up, self.down = nn.Linear(16, 40, False), nn.Linear(16, 40, False), nn.Linear(40, 16, False)
        self.a, self.b = nn.RMSNorm(16), nn.RMSNorm(16)

    def forward(self, ids):
        b, s = ids.shape
        x = self.tokens(ids)
        h = self.a(x)
        angles = torch.arange(s)[:, None].float() * (10000.0 ** (-torch.arange(0, 4, 2).float() / 4))
        cos, sin = torch.cat([angles, angles], -1).cos(), torch.cat([angles, angles], -1).sin()

        def turn(t):
            return t * cos + torch.cat([-t[..., 2:], t[..., :2]], -1) * sin
        q = turn(self.q(h).view(b, s, 4, 4).transpose(1, 2))
        k = turn(self.k(h).view(b, s, 2, 4).transpose(1, 2))
        v = self.v(h).view(b, s, 2, 4).transpose(1, 2)
        k, v = (t[:, :, None].expand(b, 2, 2, s, 4).reshape(b, 4, s, 4) for t in (k, v))
        x = x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, s, 16))
        h = self.b(x)
        x = x + self.down(F.silu(self.gate(h)) * self.up(h))
        return self.head(x), self.head(x[:, -1])


@model("b,1,16", "b,2,t,8", "b,2,t,8")
class DecodeStep(nn.Module):
    """One token over a cache to which its key and value are appended."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, x, keys, values):
        q, k, v = (t.view(x.shape[0], 1, 2, 8).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        x = (q @ keys.transpose(2, 3) / 8 ** 0.5).softmax(-1) @ values
        return self.out(x.transpose(1, 2).reshape(x.shape[0], 1, 16)), keys, values


@model("b,s,16")
def TransformerEncoder():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 2, enable_nested_tensor=False)


@model("b,3,h,w")
class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.token = nn.Conv2d(3, 16, 4, 4), nn.Parameter(torch.randn(1, 1, 16))
        self.layers, self.norm, self.head = nn.ModuleList(Block() for _ in range(2)), nn.LayerNorm(16), nn.Linear(16, 5)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x)[:, 0])


@model("b,3,16,16")
class ViTStatic(ViT):
    def __init__(self):
        super().__init__()
        self.places = nn.Parameter(torch.randn(1, 17, 16))

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x)[:, 0])


class Recurrent(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell, self.head = cell, nn.Linear(12, 3)

    def forward(self, x):
        state = torch.zeros(x.shape[0], 12)
        other = torch.zeros(x.shape[0], 12)
        for step in range(x.shape[1]):
            if isinstance(self.cell, nn.LSTMCell):
                state, other = self.cell(x[:, step], (state, other))
            else:
                state = self.cell(x[:, step], state)
        return self.head(state)


@model("b,5,6")
def LSTMCells():
    return Recurrent(nn.LSTMCell(6, 12))


@model("b,5,6")
def GRUCells():
    return Recurrent(nn.GRUCell(6, 12))


@model("b,5,6")
class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.LSTM(6, 12, batch_first=True)

    def forward(self, x):
        return self.inner(x)[0]


@model("b,5,6")
class GRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.GRU(6, 12, batch_first=True)

    def forward(self, x):
        return self.inner(x)[0]


class Basic(nn.Module):
    def __init__(self, inner, outer, stride):
        super().__init__()
        self.a, self.b = nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.Conv2d(outer, outer, 3, 1, 1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(outer), nn.BatchNorm2d(outer)
        self.skip = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer)) if stride > 1 else nn.Identity()

    def forward(self, x):
        return F.relu(self.nb(self.b(F.relu(self.na(self.a(x))))) + self.skip(x))


def resnet():
    return nn.Sequential(nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
                         Basic(8, 8, 1), Basic(8, 16, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5))


@model("b,3,p,q")
def ResNet():
    return resnet()


@model("b,3,h,w")
class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.mid = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.up, self.out, self.norm = nn.Conv2d(16, 8, 3, padding=1), nn.Conv2d(16, 2, 1), nn.BatchNorm2d(8)

    def forward(self, x):
        skip = F.relu(self.norm(self.down(x)))
        x = F.relu(self.mid(F.max_pool2d(skip, 2)))
        return self.out(torch.cat([skip, self.up(F.interpolate(x, scale_factor=2, mode="nearest"))], 1))


@model("b,3,h,w")
class UNetTransposed(UNet):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(16, 8, 2, 2)

    def forward(self, x):
        skip = F.relu(self.norm(self.down(x)))
        return self.out(torch.cat([skip, self.up(F.relu(self.mid(F.max_pool2d(skip, 2))))], 1))


@model("i20:b,s", "mask:b,s")
class BagOfWords(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(20, 8), nn.Linear(8, 3)

    def forward(self, ids, mask):
        total = (self.table(ids) * mask[..., None]).sum(1)
        return self.head(total / mask.sum(1, keepdim=True).clamp(min=1)).log_softmax(-1)


@model("b,4", "i20:b,3")
class DLRM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(20, 8) for _ in range(3))
        self.bottom, self.top = nn.Linear(4, 8), nn.Linear(8 + 6, 1)

    def forward(self, dense, ids):
        x = F.relu(self.bottom(dense))
        all_ = torch.stack([x] + [table(ids[:, i]) for i, table in enumerate(self.tables)], 1)
        products = all_ @ all_.transpose(1, 2)
        rows, columns = torch.tril_indices(4, 4, -1)
        return torch.sigmoid(self.top(torch.cat([x, products[:, rows, columns]], 1)))


@model("b,8,s")
class SpeechEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.block = nn.Conv1d(8, 16, 3, padding=1), nn.Conv1d(16, 16, 3, 2, 1), Block()

    def forward(self, x):
        return self.block(F.gelu(self.b(F.gelu(self.a(x)))).transpose(1, 2))


@model("b,s,16")
class Mixture(nn.Module):
    """Two experts of four for each token, weighted."""

    def __init__(self):
        super().__init__()
        self.gate, self.experts = nn.Linear(16, 4), nn.ModuleList(nn.Linear(16, 16) for _ in range(4))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).topk(2, -1)
        full = torch.zeros(x.shape[0], x.shape[1], 4).scatter(-1, chosen, weights)
        return sum(full[..., i:i + 1] * expert(x) for i, expert in enumerate(self.experts))


@model("b,3,h,w")
class SwinBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.block = nn.Conv2d(3, 16, 2, 2), Block()

    def forward(self, x):
        x = self.patch(x).permute(0, 2, 3, 1)
        b, h, w, c = x.shape
        x = x.view(b, h // 4, 4, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, c)
        x = self.block(x).view(b, h // 4, w // 4, 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)
        return x.mean((1, 2))


# The package transformers -----------------------------------------------------

@of_library("transformers Bert", "i50:b,s", "mask:b,s")
def bert():
    from transformers import BertConfig, BertModel
    config = BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
                        max_position_embeddings=32, attn_implementation="eager")
    return Plain(BertModel(config), ("input_ids", "attention_mask"), ("last_hidden_state", "pooler_output"))


@of_library("transformers DistilBert", "i50:b,s", "mask:b,s")
def distilbert():
    from transformers import DistilBertConfig, DistilBertModel
    config = DistilBertConfig(vocab_size=50, dim=16, n_layers=2, n_heads=2, hidden_dim=32, max_position_embeddings=32)
    return Plain(DistilBertModel(config), ("input_ids", "attention_mask"), ("last_hidden_state",))


@of_library("transformers GPT2", "i50:b,s")
def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    config = GPT2Config(vocab_size=50, n_positions=32, n_embd=16, n_layer=2, n_head=2, attn_implementation="eager")
    return Outputs(GPT2LMHeadModel(config), ("input_ids",), ("logits",))


@of_library("transformers Llama", "i50:b,s")
def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    config = LlamaConfig(vocab_size=50, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=4,
                         num_key_value_heads=2, max_position_embeddings=32, attn_implementation="eager")
    return Outputs(LlamaForCausalLM(config), ("input_ids",), ("logits",))


@of_library("transformers Llama mask", "i50:b,s", "mask:b,s")
def llama_mask():
    return Outputs(llama().inner, ("input_ids", "attention_mask"), ("logits",))


@of_library("transformers T5 encoder", "i50:b,s", "mask:b,s")
def t5():
    from transformers import T5Config, T5EncoderModel
    config = T5Config(vocab_size=50, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2)
    return Plain(T5EncoderModel(config), ("input_ids", "attention_mask"), ("last_hidden_state",))


@of_library("transformers ViT", "b,3,16,16")
def vit():
    from transformers import ViTConfig, ViTModel
    config = ViTConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=16,
                       patch_size=4)
    return Plain(ViTModel(config), ("pixel_values",), ("last_hidden_state",))


@of_library("transformers Qwen2", "i50:b,s", "mask:b,s")
def qwen2():
    from transformers import Qwen2Config, Qwen2ForCausalLM
    config = Qwen2Config(vocab_size=50, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=4,
                         num_key_value_heads=2, max_position_embeddings=32)
    return Outputs(Qwen2ForCausalLM(config), ("input_ids", "attention_mask"), ("logits",))


@of_library("transformers ResNet", "b,3,p,q")
def hf_resnet():
    from transformers import ResNetConfig, ResNetModel
    config = ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic")
    return Plain(ResNetModel(config), ("pixel_values",), ("pooler_output",))


@of_library("transformers Whisper encoder", "b,8,64")
def whisper():
    from transformers import WhisperConfig
    from transformers.models.whisper.modeling_whisper import WhisperEncoder
    config = WhisperConfig(vocab_size=50, num_mel_bins=8, d_model=16, encoder_layers=2, encoder_attention_heads=2,
                           encoder_ffn_dim=32, max_source_positions=32)
    return Plain(WhisperEncoder(config), ("input_features",), ("last_hidden_state",))
