#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the small networks of scripts/planted/models, as JAX exports them (JAX 0.10).

Usage: make.py

They have what the corpora of fusion lack: convolutions, pooling, norms, quantisation, decisions, gradients of all of
them, in f32, bf16 and f16. Sizes are small and unequal where they may be, and equal where a wrong order should keep the
types.
"""
import pathlib

import jax
import jax.numpy as jnp
from jax import lax

FOLDER = pathlib.Path(__file__).resolve().parent / "models"


def conv(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), [(1, 1), (1, 1)],
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def norm(x, scale, shift, axes=-1, eps=1e-5):
    mean = x.mean(axes, keepdims=True)
    variance = jnp.square(x - mean).mean(axes, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + eps) * scale + shift


def cnn(x, w1, b1, w2, dense):
    x = jax.nn.relu(conv(x, w1) + b1)
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.relu6(conv(x, w2, 2))
    return x.mean((1, 2)) @ dense


def mlp(x, w1, b1, w2, scale, shift):
    return norm(jax.nn.gelu(x @ w1 + b1) @ w2 + x, scale, shift)


def loss(parameters, x, labels):
    logits = cnn(x, *parameters)
    return -(jax.nn.log_softmax(logits) * labels).sum(-1).mean()


def step(w1, b1, w2, dense, x, labels):
    parameters = (w1, b1, w2, dense)
    value, gradients = jax.value_and_grad(loss)(parameters, x, labels)
    return (*(w - 0.1 * jnp.clip(g, -0.05, 0.05) for w, g in zip(parameters, gradients)), value)


def quantised(x, w, scale):
    codes = jnp.clip(jnp.round(x / 0.05), -128, 127).astype(jnp.int8)
    sums = lax.dot(codes.astype(jnp.int32), jnp.clip(jnp.round(w * 50), -127, 127).astype(jnp.int32))
    out = sums.astype(jnp.float32) * scale
    return jnp.clip(jnp.round(out * 4), -128, 127).astype(jnp.int8), jax.nn.sigmoid(out)


def decisions(x, y):
    scores = x @ y
    best = jnp.argmax(scores, -1)
    kept = jnp.where(scores > 0.1, scores, 0.25 * scores)
    return best, lax.top_k(kept, 3)[0], jnp.floor(kept * 3), jnp.minimum(jnp.abs(kept), 0.5)


def cell(x, h, c, w, u, b):
    i, f, g, o = jnp.split(x @ w + h @ u + b, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def integers(a, b):
    low = jnp.minimum(a, b) * 3 - (a >> 1)
    return jnp.cumsum(low, 0), jnp.where(a > b, low, b ^ a), (low % 5).sum(-1), low.T @ b


NETWORKS = {
    "cnn": (cnn, [(2, 8, 8, 3), (3, 3, 3, 8), (8,), (3, 3, 8, 8), (8, 10)]),
    "mlp": (mlp, [(8, 16), (16, 32), (32,), (32, 16), (16,), (16,)]),
    "mlp_grad": (lambda *a: jax.grad(lambda *b: jnp.square(mlp(*b)).sum() * 0.1, argnums=tuple(range(6)))(*a),
                 [(8, 16), (16, 32), (32,), (32, 16), (16,), (16,)]),
    "step": (step, [(3, 3, 3, 8), (8,), (3, 3, 8, 8), (8, 10), (2, 8, 8, 3), (2, 10)]),
    "cell": (cell, [(4, 16), (4, 16), (4, 16), (16, 64), (16, 64), (64,)]),
    "group_norm": (lambda x, s, b: jax.nn.silu(norm(x.reshape(2, 6, 6, 4, 4), 1.0, 0.0, (1, 2, 4)).reshape(x.shape) * s + b),
                   [(2, 6, 6, 16), (16,), (16,)]),
}


def write(name, function, arguments):
    module = jax.jit(function).lower(*arguments).compiler_ir("stablehlo")
    (FOLDER / f"{name}.mlir").write_text(module.operation.get_asm(print_generic_op_form=True))


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, (function, shapes) in NETWORKS.items():
        for kind in ("float32", "bfloat16", "float16"):
            if kind == "float16" and name not in ("mlp", "cell"):
                continue
            write(f"{name}.{kind}", function, [jax.ShapeDtypeStruct(shape, kind) for shape in shapes])
    f32 = jnp.float32
    write("quantised", quantised, [jax.ShapeDtypeStruct(s, f32) for s in ((8, 16), (16, 16), ())])
    write("decisions", decisions, [jax.ShapeDtypeStruct(s, f32) for s in ((8, 8), (8, 16))])
    write("integers", integers, [jax.ShapeDtypeStruct((8, 8), jnp.int32)] * 2)


if __name__ == "__main__":
    main()
