# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers, networks and training steps with symbolic batch, sequence, height and width."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from dynamic_case import booleans, dynamic, floats, integers
from jax_case import NHWC, normal
from jax_networks import (PARAMETERS, ZEROS, adam_step, block, clipped_momentum_step, cnn_step,
                          mixture_of_experts, mlp, norm, rotary_embedding, token_loss,
                          transformer_block)

NCHW = ("NCHW", "OIHW", "NCHW")


# Dense layers.

dynamic("b=1..6", floats("b, 8"), normal(8, 16), normal(16), normal(16, 5))(mlp)


@dynamic("b=1..4, s=2..17", floats("b, s, 16"), normal(16), normal(16))
def layer_norm(x, gain, bias):
    return norm(x, gain, bias)


@dynamic("b=1..4, s=2..17", floats("b, s, 16"), normal(16), normal(16))
def layer_norm_grads(x, gain, bias):
    return jax.grad(lambda *a: (norm(*a) ** 3).sum(), (0, 1, 2))(x, gain, bias)


@dynamic("n=2..17", floats("3, n"))
def norm_over_n(x):
    return norm(x, 2.0, 1.0), x / jnp.linalg.norm(x, axis=1, keepdims=True)


@dynamic("b=1..4, s=2..17", floats("b, s, 16"), normal(16))
def rms_norm_grads(x, gain):
    def loss(x, gain):
        return (x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * gain).mean()
    return jax.value_and_grad(loss, (0, 1))(x, gain)


@dynamic("b=1..5, n=3..12", floats("b, n, 4"))
def activations(x):
    return [f(x) for f in (jax.nn.gelu, jax.nn.silu, jax.nn.softplus, jax.nn.elu, jax.nn.selu, jax.nn.leaky_relu,
                           jax.nn.hard_swish, jax.nn.mish, jax.nn.glu, jax.nn.log_sigmoid, jax.nn.softmax)]


@dynamic("b=2..6, s=2..9", floats("b, s, 6"), normal(6), normal(6))
def batch_norm_training(x, gain, bias):
    mean, variance = x.mean((0, 1)), x.var((0, 1))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * gain + bias, 0.9 * mean, 0.9 * variance


@dynamic("b=2..6, h=2..9", floats("b, h, h, 6"), normal(6), normal(6))
def batch_norm_grads(x, gain, bias):
    def loss(x, gain, bias):
        y = (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * gain + bias
        return (y ** 3).mean()
    return jax.grad(loss, (0, 1, 2))(x, gain, bias)


@dynamic("b=1..3, h=2..9, w=2..9", floats("b, h, w, 8"), normal(8))
def group_norm(x, gain):
    b, h, w, c = x.shape
    y = x.reshape(b, h, w, 2, c // 2)
    y = (y - y.mean((1, 2, 4), keepdims=True)) * lax.rsqrt(y.var((1, 2, 4), keepdims=True) + 1e-5)
    return y.reshape(x.shape) * gain


@dynamic("b=1..3, h=2..9, w=2..9", floats("b, 6, h, w"))
def group_norm_nchw(x):
    b, c, h, w = x.shape
    y = x.reshape(b, 2, -1)
    y = (y - y.mean(-1, keepdims=True)) / jnp.sqrt(y.var(-1, keepdims=True) + 1e-5)
    return y.reshape(b, c, h, w)


# Attention and language models.

@dynamic("b=1..3, s=2..17", floats("b, s, 4, 8"), floats("b, s, 2, 8"), floats("b, s, 2, 8"))
def causal_grouped_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@dynamic("b=1..3, s=2..9, t=3..17", floats("b, s, 4, 8"), floats("b, t, 4, 8"), floats("b, t, 4, 8"))
def cross_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v)


@dynamic("b=1..3, s=2..9", floats("b, s, 4, 8"), floats("b, s, 4, 8"), floats("b, s, 4, 8"))
def attention_grads(q, k, v):
    def loss(*a):
        return (jax.nn.dot_product_attention(*a, is_causal=True) ** 2).sum()
    return jax.grad(loss, (0, 1, 2))(q, k, v)


@dynamic("b=1..3, s=2..17", floats("b, 2, s, 8"), floats("b, 2, s, 8"), floats("b, 2, s, 8"), booleans("b, s"))
def attention_with_key_mask(q, k, v, mask):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(8)
    scores = jnp.where(mask[:, None, None, :], scores, -1e9)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), v)


@dynamic("b=1..3, s=2..17", floats("b, s, 2, 8"), integers("b", "s", low=1))
def attention_with_lengths(x, lengths):
    return jax.nn.dot_product_attention(x, x, x, key_value_seq_lengths=lengths)


@dynamic("b=1..3, s=2..12", floats("b, s, 4, 8"))
def alibi_attention(x):
    s = x.shape[1]
    distance = jnp.arange(s)[None, :] - jnp.arange(s)[:, None]
    slopes = 2.0 ** -jnp.arange(1, 5)
    scores = jnp.einsum("bqhd,bkhd->bhqk", x, x) + slopes[:, None, None] * distance
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(distance <= 0, scores, -jnp.inf)), x)


@dynamic("b=1..3, s=2..17", floats("b, s, 4, 8"))
def local_attention(x):
    s = x.shape[1]
    rows, columns = lax.broadcasted_iota(jnp.int32, (s, s), 0), lax.broadcasted_iota(jnp.int32, (s, s), 1)
    mask = (columns <= rows) & (rows - columns < 4)
    return jax.nn.dot_product_attention(x, x, x, mask=mask)


dynamic("b=1..3, s=2..12", PARAMETERS, floats("b, s, 16"))(transformer_block)


@dynamic("b=1..3, s=2..12", PARAMETERS, integers("b, s", 20))
def language_model(p, tokens):
    return block(p, p["e"][tokens]) @ p["e"].T


@dynamic("b=1..3, s=3..12", PARAMETERS, integers("b, s", 20))
def language_model_loss(p, tokens):
    return token_loss(p, tokens)


@dynamic("b=1..3, s=3..12", PARAMETERS, integers("b, s", 20))
def sgd_step(p, tokens):
    loss, gradient = jax.value_and_grad(token_loss)(p, tokens)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, gradient), loss


dynamic("b=1..3, s=3..12", PARAMETERS, ZEROS, ZEROS, integers("b, s", 20), np.float32(0))(adam_step)


dynamic("b=1..3, s=3..12", PARAMETERS, ZEROS, integers("b, s", 20))(clipped_momentum_step)


@dynamic("b=1..3, s=2..12", floats("b, s, 7"), integers("b, s", 7), booleans("b, s"))
def masked_cross_entropy(logits, labels, weights):
    def loss(x):
        each = -jnp.take_along_axis(jax.nn.log_softmax(x), labels[..., None], -1)[..., 0]
        return (each * weights).sum() / jnp.maximum(weights.sum(), 1)
    return jax.value_and_grad(loss)(logits)


@dynamic("b=1..6", floats("b, 7"), integers("b", 7))
def one_hot_cross_entropy(logits, labels):
    def loss(x):
        return -(jax.nn.log_softmax(x) * jax.nn.one_hot(labels, 7)).sum(-1).mean()
    return jax.value_and_grad(loss)(logits)


@dynamic("b=1..4, s=2..9", floats("b, s, 16"), normal(16, 20))
def perplexity_of_argmax(x, w):
    logits = x @ w
    best = jnp.argmax(logits, -1)
    return best, jnp.exp(-jnp.take_along_axis(jax.nn.log_softmax(logits), best[..., None], -1).mean())


dynamic("b=1..3, s=2..17", floats("b, s, 8"))(rotary_embedding)


@dynamic("b=1..3, s=2..12", floats("b, s, 2, 8"), integers("b, s", 64))
def rotary_by_position(x, positions):
    frequencies = 1 / 10000 ** (jnp.arange(0, 8, 2) / 8)
    angles = positions[..., None] * frequencies
    a, b = x[..., ::2], x[..., 1::2]
    sin, cos = jnp.sin(angles)[:, :, None], jnp.cos(angles)[:, :, None]
    return jnp.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)


@dynamic("s=2..12", integers("2, s", 20), normal(20, 8), normal(16, 8))
def learned_positions(tokens, table, positions):
    return table[tokens] + positions[: tokens.shape[1]]


@dynamic("b=1..3, t=4..17", floats("b, t, 4"), floats("b, t, 4"), floats("b, 1, 4"), integers("", "t"))
def cached_decoding(keys, values, x, position):
    keys = lax.dynamic_update_slice(keys, x, (0, position, 0))
    values = lax.dynamic_update_slice(values, x, (0, position, 0))
    scores = jnp.einsum("bqd,bkd->bqk", x, keys) / 2
    scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -jnp.inf)
    return jax.nn.softmax(scores) @ values, keys, values


@dynamic("b=1..3, s=2..6, t=8..17", floats("b, t, 4"), floats("b, s, 4"), integers("", 3))
def cached_prefill(keys, x, position):
    keys = lax.dynamic_update_slice(keys, x, (0, position, 0))
    scores = jnp.einsum("bqd,bkd->bqk", x, keys)
    seen = jnp.arange(keys.shape[1])[None, :] <= position + jnp.arange(x.shape[1])[:, None]
    return jax.nn.softmax(jnp.where(seen, scores, -jnp.inf)) @ keys, keys


@dynamic("b=1..3, t=4..17", floats("b, t, 4"), floats("b, 4"), integers("b", "t"))
def cache_update_by_row(cache, x, positions):
    return cache.at[jnp.arange(cache.shape[0]), positions].set(x)


@dynamic("b=1..3, s=1..9", floats("b, s, 4"), floats("b, 1, 4"))
def growing_cache(cache, x):
    keys = jnp.concatenate([cache, x], 1)
    return jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", x, keys)) @ keys, keys


@dynamic("b=1..3, s=2..9", floats("b, s, 8"), integers("b", "s"))
def last_token(x, ends):
    return x[jnp.arange(x.shape[0]), ends], x[:, -1], x[:, -1:]


@dynamic("b=1..3, s=2..9", floats("b, s, 8"), booleans("b, s"))
def mean_pooling(x, mask):
    return (x * mask[..., None]).sum(1) / jnp.maximum(mask.sum(1, keepdims=True), 1), x.mean(1), x.max(1)


dynamic("n=2..12", floats("n, 8"), normal(8, 4), normal(4, 8, 3))(mixture_of_experts)


@dynamic("b=1..4", floats("b, 40"))
def nucleus_of_logits(logits):
    order = jnp.argsort(-logits, -1)
    ranked = jnp.take_along_axis(logits, order, -1)
    inside = jnp.cumsum(jax.nn.softmax(ranked), -1) - jax.nn.softmax(ranked) < 0.8
    return jnp.where(inside, ranked, -jnp.inf), order


# Convolutions and pooling.

@dynamic("b=1..3, h=4..13, w=4..13", floats("b, h, w, 3"), normal(3, 3, 3, 4))
def conv_same(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC)


@dynamic("b=1..3, h=4..13", floats("b, h, h, 3"), normal(3, 3, 3, 4))
def conv_same_stride_2(x, w):
    return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=NHWC)


@dynamic("b=1..3, h=5..13, w=5..13", floats("b, 3, h, w"), normal(4, 3, 3, 3))
def conv_valid_nchw(x, w):
    return jax.nn.relu(lax.conv_general_dilated(x, w, (2, 2), "VALID", dimension_numbers=NCHW))


@dynamic("b=1..3, h=6..13", floats("b, h, h, 4"), normal(3, 3, 1, 8))
def depthwise_conv(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), [(1, 1), (1, 1)], dimension_numbers=NHWC, feature_group_count=4)


@dynamic("b=1..4", floats("b, 9, 9, 3"), normal(3, 3, 3, 4))
def conv_grads_of_batch(x, w):
    def loss(x, w):
        return (lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=NHWC) ** 2).sum()
    return jax.grad(loss, (0, 1))(x, w)


@dynamic("b=1..3, h=4..12", floats("b, h, h, 3"), normal(3, 3, 3, 4))
def conv_grads_of_height(x, w):
    def loss(x, w):
        return (lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC) ** 2).sum()
    return jax.grad(loss, (0, 1))(x, w)


@dynamic("b=1..3, s=3..17", floats("b, s, 4"), normal(3, 4, 6))
def causal_conv_1d(x, w):
    return lax.conv_general_dilated(x, w, (1,), [(4, 0)], rhs_dilation=(2,), dimension_numbers=("NHC", "HIO", "NHC"))


@dynamic("b=1..2, h=3..9", floats("b, h, h, 3"), normal(3, 3, 3, 4))
def conv_transpose(x, w):
    return lax.conv_transpose(x, w, (2, 2), "SAME")


@dynamic("b=1..3, h=4..13, w=4..13", floats("b, h, w, 3"))
def pools(x):
    largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    total = lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    count = lax.reduce_window(jnp.ones_like(x), 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    return largest, total / count, x.mean((1, 2)), x.max((1, 2))


@dynamic("b=1..4", floats("b, 8, 8, 3"))
def pool_grads_of_batch(x):
    def loss(x):
        largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return (largest ** 2).sum() + (lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2).sum()
    return jax.value_and_grad(loss)(x)


dynamic("b=1..4", [normal(3, 3, 3, 8, scale=0.1), normal(3, 3, 8, 6, scale=0.1),
                   normal(6, 5, scale=0.1)],
        floats("b, 10, 10, 3"), integers("b", 5))(cnn_step)


@dynamic("b=1..3, h=4..12", floats("b, h, h, 3"), normal(3, 3, 3, 4), normal(3, 3, 4, 4))
def residual_block(x, w1, w2):
    y = lax.conv_general_dilated(x, w1, (1, 1), "SAME", dimension_numbers=NHWC)
    z = lax.conv_general_dilated(jax.nn.relu(y), w2, (1, 1), "SAME", dimension_numbers=NHWC)
    return jax.nn.relu(y + z).mean((1, 2))


@dynamic("b=1..3, h=4..12/4, w=4..16/4", floats("b, h, w, 3"), normal(48, 8))
def patch_embedding(x, w):
    b, height, width, c = x.shape
    patches = x.reshape(b, height // 4, 4, width // 4, 4, c).transpose(0, 1, 3, 2, 4, 5)
    return patches.reshape(b, -1, 48) @ w


@dynamic("b=1..3, h=2..6", floats("b, h, h, 4"))
def nearest_upsampling(x):
    b, h, w, c = x.shape
    x = jnp.broadcast_to(x[:, :, None, :, None], (b, h, 2, w, 2, c))
    return x.reshape(b, 2 * h, 2 * w, c)


# Recurrences.

@dynamic("b=1..4", floats("6, b, 4"), normal(4, 32), normal(8, 32))
def lstm_of_batch(x, wi, wh):
    def cell(carry, x):
        h, state = carry
        i, f, g, o = jnp.split(x @ wi + h @ wh, 4, -1)
        state = jax.nn.sigmoid(f) * state + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(state)
        return (h, state), h
    start = jnp.zeros((x.shape[1], 8))
    return lax.scan(cell, (start, start), x)


@dynamic("b=1..4", floats("5, b, 4"), normal(4, 8), normal(8, 8))
def rnn_grads_of_batch(x, wi, wh):
    def loss(wi, wh):
        def cell(h, x):
            h = jnp.tanh(x @ wi + h @ wh)
            return h, h
        return (lax.scan(cell, jnp.zeros((x.shape[1], 8)), x)[1] ** 2).sum()
    return jax.grad(loss, (0, 1))(wi, wh)


@dynamic("s=2..9", floats("s, 2, 4"), normal(4, 8), normal(8, 8))
def rnn_of_length(x, wi, wh):
    def cell(h, x):
        h = jnp.tanh(x @ wi + h @ wh)
        return h, h
    return lax.scan(cell, jnp.zeros((2, 8)), x)


@dynamic("s=2..9", floats("s, 4"))
def fori_of_length(x):
    return lax.fori_loop(0, x.shape[0], lambda i, c: c * 0.9 + x[i], jnp.zeros(4))


@dynamic("n=2..9", floats("n, 3"))
def mapped(x):
    return jax.vmap(lambda r: jnp.outer(r, r))(x), jax.vmap(functools.partial(jnp.dot, x))(x)
