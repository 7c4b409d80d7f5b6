#!/usr/bin/env python3
"""Writes the decode step of a Llama with a cache of keys and values.

usage: make.py [FOLDER]     (needs JAX 0.10; scripts/jax-oracle.py installs one)

Two sizes: `llama-68m` has the shapes of that model (2 layers, 12 heads of 64,
2,048 positions, 32,000 words) and `small` those of a test. The caches are
donated: the step writes one position of each.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp

SIZES = {
    "llama-68m": dict(layers=2, heads=12, head=64, inner=3072, words=32000, positions=2048),
    "small": dict(layers=2, heads=4, head=8, inner=48, words=40, positions=32),
}


def rms_norm(x, gain):
    return x * jax.lax.rsqrt(jnp.mean(x * x) + 1e-6) * gain


def rotate(x, position):
    """Rotary embedding of [heads, head]."""
    half = x.shape[-1] // 2
    angles = position.astype(jnp.float32) * 10000.0 ** (-jnp.arange(half) / half)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    left, right = x[:, :half], x[:, half:]
    return jnp.concatenate([left * cos - right * sin, right * cos + left * sin], axis=1)


def step(caches, weights, token, position):
    """One token at `position`: its logits, and the caches with it."""
    x = weights["words"][token]
    updated = []
    for (keys, values), layer in zip(caches, weights["layers"]):
        heads, positions, head = keys.shape
        y = rms_norm(x, layer["norm1"])
        query = rotate((y @ layer["query"]).reshape(heads, head), position)
        key = rotate((y @ layer["key"]).reshape(heads, head), position)
        value = (y @ layer["value"]).reshape(heads, head)
        keys = jax.lax.dynamic_update_slice(keys, key[:, None, :], (0, position, 0))
        values = jax.lax.dynamic_update_slice(values, value[:, None, :], (0, position, 0))
        scores = jnp.einsum("hd,htd->ht", query, keys) * head ** -0.5
        scores = jnp.where(jnp.arange(positions) <= position, scores, -1e9)
        mixed = jnp.einsum("ht,htd->hd", jax.nn.softmax(scores), values)
        x = x + mixed.reshape(-1) @ layer["out"]
        y = rms_norm(x, layer["norm2"])
        x = x + (jax.nn.silu(y @ layer["gate"]) * (y @ layer["up"])) @ layer["down"]
        updated.append((keys, values))
    return rms_norm(x, weights["norm"]) @ weights["logits"], updated


def lowered(layers, heads, head, inner, words, positions):
    f32 = lambda *sizes: jax.ShapeDtypeStruct(sizes, jnp.float32)
    hidden = heads * head
    layer = dict(norm1=f32(hidden), norm2=f32(hidden), query=f32(hidden, hidden),
                 key=f32(hidden, hidden), value=f32(hidden, hidden), out=f32(hidden, hidden),
                 gate=f32(hidden, inner), up=f32(hidden, inner), down=f32(inner, hidden))
    weights = dict(words=f32(words, hidden), norm=f32(hidden), logits=f32(hidden, words),
                   layers=[layer] * layers)
    caches = [(f32(heads, positions, head),) * 2] * layers
    index = jax.ShapeDtypeStruct((), jnp.int32)
    return jax.jit(step, donate_argnums=0).lower(caches, weights, index, index)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    for name, sizes in SIZES.items():
        module = lowered(**sizes).compiler_ir("stablehlo")
        text = module.operation.get_asm(print_generic_op_form=True)
        (folder / f"{name}.generic.mlir").write_text(text)


if __name__ == "__main__":
    main()
