# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One model has one result by every way in: the same fusions, the same predicted time, and products
in the type of their operands."""
from __future__ import annotations

import io
import math
import tempfile
import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import gaudi_mlir
import gaudi_mlir.torch
from gaudi_mlir import importer

RANDOM = torch.Generator().manual_seed(0)
BATCH = 4


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(256, 1024), nn.Linear(1024, 256)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Block(nn.Module):
    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, mask, is_causal=self.causal)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class LanguageModel(nn.Module):
    def __init__(self, words: int = 500, width: int = 128, layers: int = 2) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.blocks = nn.Sequential(*[Block(width, 4, True) for _ in range(layers)])
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        return self.head(self.blocks(self.embedding(tokens)))


class Encoder(nn.Module):
    """Attention with a mask of keys, written as BERT writes it."""

    def __init__(self, width: int = 128, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, visible):
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        scores = scores.masked_fill(~visible[:, None, None, :], -1e9)
        y = scores.softmax(-1) @ v
        x = self.norm1(x + self.out(y.transpose(1, 2).reshape(batch, length, width)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class ConvNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem, self.norm1 = nn.Conv2d(16, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64)
        self.conv, self.norm2 = nn.Conv2d(64, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64)
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.norm1(self.stem(x)))
        x = F.relu(x + self.norm2(self.conv(x)))
        return self.head(x.mean((2, 3)))


class RmsNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * wide.to(x.dtype)


class Llama(nn.Module):
    """RMS norms, rotations of positions, grouped heads, SwiGLU."""

    def __init__(self, width: int = 128, heads: int = 4, key_heads: int = 2) -> None:
        super().__init__()
        self.heads, self.key_heads, self.size = heads, key_heads, width // heads
        self.norm1, self.norm2 = RmsNorm(width), RmsNorm(width)
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, key_heads * self.size, bias=False)
        self.v = nn.Linear(width, key_heads * self.size, bias=False)
        self.o = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, 3 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * width, width, bias=False)
        angles = torch.outer(torch.arange(64.0), 1e4 ** -(torch.arange(0, self.size, 2) / self.size))
        angles = torch.cat([angles, angles], -1)
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def _rotated(self, x):
        half = self.size // 2
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return x * self.cos.to(x.dtype) + turned * self.sin.to(x.dtype)

    def forward(self, x):
        batch, length, width = x.shape
        y = self.norm1(x)

        def split(z, heads):
            return z.view(batch, length, heads, self.size).transpose(1, 2)

        q, k = self._rotated(split(self.q(y), self.heads)), \
            self._rotated(split(self.k(y), self.key_heads))
        v = split(self.v(y), self.key_heads)
        repeats = self.heads // self.key_heads
        k, v = k.repeat_interleave(repeats, 1), v.repeat_interleave(repeats, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(batch, length, width))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def _normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=RANDOM)


NETWORKS = {
    "mlp": (Mlp, (_normal(128, 256),)),
    "language model": (LanguageModel,
                       (torch.randint(0, 500, (BATCH, 64), generator=RANDOM),)),
    "encoder": (Encoder, (_normal(BATCH, 64, 128), torch.arange(64) < torch.arange(
        8, 8 + 14 * BATCH, 14)[:, None])),
    "conv net": (ConvNet, (_normal(BATCH, 16, 28, 28),)),
    "llama": (Llama, (_normal(BATCH, 64, 128),)),
}


def _compiled(model, inputs):
    gaudi_mlir.torch.reset()
    with torch.no_grad():
        torch.compile(model, backend="gaudi")(*inputs)
    segments = [segment for graph in gaudi_mlir.torch.explain().graphs
                for segment in graph.segments]
    assert len(segments) == 1
    return segments[0].recipe


def _exported(model, inputs):
    return gaudi_mlir.torch.export(model, inputs).recipe()


def _exported_dynamic(model, inputs):
    """With a batch of any size, compiled for that of the inputs."""
    batch = torch.export.Dim("batch", min=2, max=512)
    exported = gaudi_mlir.torch.export(model, inputs,
                                       dynamic_shapes=[{0: batch} for _ in inputs])
    size = inputs[0].shape[0]
    return exported.recipe(buckets="exponential:1", shape=";".join(
        f"{name}:batch={size}..{size}" for name in exported.inputs))


def _program(model, inputs):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/model.pt2"
        torch.export.save(torch.export.export(model, inputs), path)
        return importer.import_model(path).compile()


def _onnx(model, inputs):
    pytest.importorskip("onnx")
    from gaudi_mlir import onnx as gaudi_onnx
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(model, inputs, file, dynamo=False, opset_version=20)
    import onnx
    return gaudi_onnx.compile(onnx.load_model_from_string(file.getvalue()))


ROUTES = {"export": _exported, "dynamic export": _exported_dynamic, "pt2": _program, "onnx": _onnx}


def _jax_gelu(x):
    """As PyTorch writes it: that of jax.nn has another function, erfc."""
    from jax import lax
    return 0.5 * x * (1 + lax.erf(x / x.dtype.type(math.sqrt(2))))


def _jax_mlp(weights, x):
    h = _jax_gelu(x @ weights["up.weight"].T + weights["up.bias"])
    return h @ weights["down.weight"].T + weights["down.bias"]


def _jax_encoder(w, x, visible):
    from jax import nn as jnn, numpy as jnp

    def linear(name, x):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(name, x):
        wide = x.astype(jnp.float32)
        wide = wide - wide.mean(-1, keepdims=True)
        wide = wide / jnp.sqrt((wide * wide).mean(-1, keepdims=True) + 1e-5)
        return (wide * w[f"{name}.weight"] + w[f"{name}.bias"]).astype(x.dtype)

    batch, length, width = x.shape
    q, k, v = jnp.transpose(linear("qkv", x).reshape(batch, length, 3, 4, -1), (2, 0, 3, 1, 4))
    scores = q @ k.swapaxes(-2, -1) / q.dtype.type(math.sqrt(width // 4))
    scores = jnp.where(visible[:, None, None, :], scores, -1e9)
    y = jnn.softmax(scores, -1) @ v
    x = norm("norm1", x + linear("out", y.transpose(0, 2, 1, 3).reshape(batch, length, width)))
    return norm("norm2", x + linear("down", _jax_gelu(linear("up", x))))


WIDE_IN_ONNX = {"language model", "llama"}
"""PyTorch's exporter writes scaled_dot_product_attention in bf16 with probabilities that stay f32,
and so is all that they are added to."""

JAX = {"mlp": _jax_mlp, "encoder": _jax_encoder}


def _jax(network: str, model, inputs):
    """The same network in JAX; weights are arguments there, as they are of torch.compile."""
    pytest.importorskip("jax")
    from jax import numpy as jnp
    from gaudi_mlir import jax as gaudi_jax

    def array(tensor):
        if tensor.dtype == torch.bfloat16:
            return jnp.asarray(tensor.float().numpy(), jnp.bfloat16)
        return jnp.asarray(tensor.numpy())

    weights = {name: array(value.detach()) for name, value in model.state_dict().items()}
    return gaudi_jax.compile(JAX[network], weights, *[array(each) for each in inputs]).recipe


def _summary(recipe) -> tuple[dict[str, str], float]:
    """How many candidates of each kind are fused, and the predicted time."""
    prediction = recipe.predict()
    counts = {count["kind"]: f"{count['fused']}/{count['candidates']}"
              for count in prediction.json["fusions"]["counts"]}
    return counts, prediction.time_us


@pytest.mark.parametrize("network", NETWORKS)
def test_one_result(network: str) -> None:
    """In f32, where all exporters write the same mathematics."""
    make, inputs = NETWORKS[network]
    torch.manual_seed(0)
    model = make().eval()
    counts, time = _summary(_compiled(model, inputs))
    assert counts
    found = {name: _summary(route(model, inputs)) for name, route in ROUTES.items()}
    if network in JAX:
        found["jax"] = _summary(_jax(network, model, inputs))
    for name, (other, other_time) in found.items():
        if name == "onnx":  # PyTorch's exporter has no batch norms: it scales the weights itself
            other = {**{kind: count for kind, count in counts.items() if kind == "batch_norm"},
                     **other}
        assert other == counts, name
        assert other_time == pytest.approx(time, rel=0.02), name


def _factors(recipe) -> list[str]:
    """The element types that products multiply; attention is a product of query and key."""
    types = []
    for command in recipe.predict().json["commands"]:
        if command["name"].startswith(("mme.", "attention", "sdpa")):
            types += [text.rsplit("x", 1)[1] for text in command["operands"][:2]]
    return types


def _bfloat16(network: str):
    make, inputs = NETWORKS[network]
    torch.manual_seed(0)
    model = make().eval().bfloat16()
    return model, tuple(each.bfloat16() if each.is_floating_point() else each for each in inputs)


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("route", ["compile", *ROUTES])
def test_bf16_multiplies_bf16(network: str, route: str) -> None:
    model, inputs = _bfloat16(network)
    recipe = _compiled(model, inputs) if route == "compile" else ROUTES[route](model, inputs)
    types = _factors(recipe)
    for count in recipe.predict().json["fusions"]["counts"]:
        assert count["kind"] != "narrow_product" or count["fused"] == count["candidates"]
    if route == "onnx" and network in WIDE_IN_ONNX:
        assert "bf16" in types
        return
    assert types and set(types) == {"bf16"}
    assert not [advice for advice in recipe.predict().advice if "bf16 instead" in advice.title]


@pytest.mark.parametrize("network", JAX)
def test_bf16_multiplies_bf16_in_jax(network: str) -> None:
    assert set(_factors(_jax(network, *_bfloat16(network)))) == {"bf16"}


@pytest.mark.parametrize("device", ["gaudi2", "gaudi3"])
@pytest.mark.parametrize("cast", ["bfloat16", "autocast"])
def test_bf16_is_faster(device: str, cast: str) -> None:
    """Where products dominate, in at most three quarters of the time. Autocast also rounds the
    weights in each launch."""
    model = nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)).eval()
    x = torch.randn(512, 1024, generator=RANDOM)
    options = {"device": device}

    def time(model, x) -> float:
        gaudi_mlir.torch.reset()
        with torch.no_grad():
            torch.compile(model, backend="gaudi", options=options)(x)
        return gaudi_mlir.torch.explain().graphs[0].segments[0].predicted_us

    wide = time(model, x)
    if cast == "autocast":
        with torch.autocast("cpu", torch.bfloat16):
            assert time(model, x) <= 0.95 * wide
    else:
        assert time(model.bfloat16(), x.bfloat16()) <= 0.75 * wide


def test_explain_names_wide_products() -> None:
    """bf16 and f16 have no type in common."""
    def mixed(x, w):
        return x.float() @ w.float()

    torch.compile(mixed, backend="gaudi")(torch.randn(8, 16).bfloat16(), torch.randn(16, 8).half())
    report = gaudi_mlir.torch.explain()
    assert report.graphs[0].segments[0].wide_products.startswith(
        "1 product in f32 although the operands are narrower: narrow product 0/1")
    assert "bf16 and f16: no narrow type has the numbers of both" in str(report)
