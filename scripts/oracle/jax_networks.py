# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers, attention, convolutions and loops as people write them in JAX, with their gradients."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jax_case import KEY, NHWC, case, integers, key_of, normal


# Layers.

@case(normal(4, 8), normal(8, 16), normal(16), normal(16, 5))
def mlp(x, w1, b1, w2):
    return jax.nn.softmax(jnp.tanh(x @ w1 + b1) @ w2)


def norm(x, gain, bias):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * gain + bias


@case(normal(2, 3, 16), normal(16), normal(16))
def layer_norm_grad(x, gain, bias):
    return jax.grad(lambda *a: (norm(*a) ** 3).sum(), (0, 1, 2))(x, gain, bias)


@case(normal(2, 3, 16), normal(16))
def rms_norm(x, gain):
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * gain


@case(normal(4, 8))
def activations(x):
    return [f(x) for f in (jax.nn.gelu, functools.partial(jax.nn.gelu, approximate=False), jax.nn.silu,
                           jax.nn.softplus, jax.nn.elu, jax.nn.celu, jax.nn.selu, jax.nn.leaky_relu, jax.nn.relu6,
                           jax.nn.hard_swish, jax.nn.mish, jax.nn.glu, jax.nn.log_sigmoid)]


@case(normal(4, 8))
def activation_grads(x):
    return [jax.grad(lambda x, f=f: f(x).sum())(x) for f in (jax.nn.gelu, jax.nn.silu, jax.nn.softplus, jax.nn.elu,
                                                             jax.nn.mish, jax.nn.hard_tanh)]


@case(normal(4, 7), integers(7, 4))
def cross_entropy(logits, labels):
    def loss(x):
        return -(jax.nn.log_softmax(x) * jax.nn.one_hot(labels, 7)).sum(-1).mean()
    return jax.value_and_grad(loss)(logits)


# Attention.

@case(normal(2, 6, 4, 8), normal(2, 6, 2, 8), normal(2, 6, 2, 8))
def grouped_query_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@case(normal(2, 6, 4, 8), normal(2, 6, 4, 8), normal(2, 6, 4, 8))
def attention_grad(q, k, v):
    def loss(*a):
        return (jax.nn.dot_product_attention(*a, is_causal=True) ** 2).sum()
    return jax.grad(loss, (0, 1, 2))(q, k, v)


def block(p, x):
    h = norm(x, p["g1"], p["b1"])
    batch, length, width = x.shape
    heads = [t.reshape(batch, length, 4, width // 4).transpose(0, 2, 1, 3) for t in jnp.split(h @ p["wqkv"], 3, -1)]
    scores = heads[0] @ heads[1].transpose(0, 1, 3, 2) / np.sqrt(width // 4)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -jnp.inf)
    x = x + (jax.nn.softmax(scores) @ heads[2]).transpose(0, 2, 1, 3).reshape(batch, length, width) @ p["wo"]
    return x + jax.nn.gelu(norm(x, p["g2"], p["b2"]) @ p["w1"]) @ p["w2"]


def block_parameters(width=16):
    ones, zeros = np.ones(width, np.float32), np.zeros(width, np.float32)
    return {"g1": ones, "b1": zeros, "g2": ones, "b2": zeros, "wqkv": normal(width, 3 * width, scale=0.1),
            "wo": normal(width, width, scale=0.1), "w1": normal(width, 4 * width, scale=0.1),
            "w2": normal(4 * width, width, scale=0.1), "e": normal(20, width, scale=0.1)}


def token_loss(p, tokens):
    logits = block(p, p["e"][tokens[:, :-1]]) @ p["e"].T
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1).mean()


PARAMETERS = block_parameters()
ZEROS = jax.tree.map(np.zeros_like, PARAMETERS)


@case(PARAMETERS, normal(2, 5, 16))
def transformer_block(p, x):
    return block(p, x)


@case(PARAMETERS, ZEROS, ZEROS, integers(20, 2, 9), np.float32(0))
def adam_step(p, m, v, tokens, step):
    loss, gradient = jax.value_and_grad(token_loss)(p, tokens)
    step = step + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, gradient)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, gradient)
    p = jax.tree.map(lambda p, m, v: p - 1e-2 * (m / (1 - 0.9 ** step)) / (jnp.sqrt(v / (1 - 0.999 ** step)) + 1e-3),
                     p, m, v)
    return p, m, v, step, loss


@case(PARAMETERS, ZEROS, integers(20, 2, 9))
def clipped_momentum_step(p, m, tokens):
    gradient = jax.grad(jax.checkpoint(token_loss))(p, tokens)
    size = jnp.sqrt(sum((g ** 2).sum() for g in jax.tree.leaves(gradient)))
    m = jax.tree.map(lambda m, g: 0.9 * m + g * jnp.minimum(1, 1 / size), m, gradient)
    return jax.tree.map(lambda p, m: p - 0.1 * m, p, m), m


@case(normal(1, 5, 8))
def rotary_embedding(x):
    width = x.shape[-1]
    angles = jnp.einsum("i,j->ij", jnp.arange(x.shape[1]), 1 / 10000 ** (jnp.arange(0, width, 2) / width))
    angles = jnp.concatenate([angles, angles], -1)
    turned = jnp.concatenate([-x[..., width // 2:], x[..., :width // 2]], -1)
    return x * jnp.cos(angles) + turned * jnp.sin(angles)


@case(normal(2, 8, 4), normal(2, 8, 4), normal(2, 3, 4), np.int32(5))
def cached_decoding(keys, values, x, position):
    q, k, v = x[:, :1], x[:, 1:2], x[:, 2:]
    keys = lax.dynamic_update_slice(keys, k, (0, position, 0))
    values = lax.dynamic_update_slice(values, v, (0, position, 0))
    scores = jnp.einsum("bqd,bkd->bqk", q, keys) / 2
    scores = jnp.where(jnp.arange(8) <= position, scores, -jnp.inf)
    return jax.nn.softmax(scores) @ values, keys, values


@case(normal(2, 3, 11), normal(2, 3))
def beam_search_step(logits, scores):
    total = (scores[..., None] + jax.nn.log_softmax(logits)).reshape(2, -1)
    best, index = lax.top_k(total, 3)
    return best, index // 11, index % 11


@case(normal(2, 40), KEY)
def nucleus_sampling(logits, words):
    order = jnp.argsort(-logits, -1)
    sorted_logits = jnp.take_along_axis(logits, order, -1)
    inside = jnp.cumsum(jax.nn.softmax(sorted_logits), -1) - jax.nn.softmax(sorted_logits) < 0.8
    chosen = jax.random.categorical(key_of(words), jnp.where(inside, sorted_logits, -jnp.inf))
    return jnp.take_along_axis(order, chosen[:, None], -1)


@case(normal(6, 8), normal(8, 4), normal(4, 8, 3))
def mixture_of_experts(x, gate, experts):
    weight, index = lax.top_k(jax.nn.softmax(x @ gate), 2)
    return (jnp.einsum("bi,bkio->bko", x, experts[index]) * weight[..., None]).sum(1)


@case(normal(7, 4), normal(3, 4, 5), np.array([2, 4, 1], np.int32))
def ragged_dot(x, w, sizes):
    return lax.ragged_dot(x, w, sizes)


# Convolutions.

@case(normal(2, 9, 9, 3), normal(3, 3, 3, 4))
def convolution_grad(x, w):
    def loss(x, w):
        return (lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=NHWC) ** 2).sum()
    return jax.grad(loss, (0, 1))(x, w)


@case(normal(2, 7, 7, 4), normal(3, 3, 1, 8))
def depthwise_grad(x, w):
    def loss(x, w):
        return (lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=NHWC,
                                         feature_group_count=4) ** 2).sum()
    return jax.grad(loss, (0, 1))(x, w)


@case(normal(2, 6, 6, 4), normal(3, 3, 2, 6))
def grouped_convolution_grad(x, w):
    def loss(x, w):
        return (lax.conv_general_dilated(x, w, (1, 1), "SAME", rhs_dilation=(2, 2), dimension_numbers=NHWC,
                                         feature_group_count=2) ** 3).sum()
    return jax.grad(loss, (0, 1))(x, w)


@case(normal(2, 5, 5, 3), normal(3, 3, 3, 4))
def transposed_convolution_grad(x, w):
    return jax.value_and_grad(lambda x, w: (lax.conv_transpose(x, w, (2, 2), "SAME") ** 2).sum(), (0, 1))(x, w)


@case(normal(2, 3, 12), normal(4, 3, 3))
def dilated_convolution_1d(x, w):
    return lax.conv_general_dilated(x, w, (1,), [(2, 1)], rhs_dilation=(2,), dimension_numbers=("NCH", "OIH", "NCH"))


@case(normal(1, 4, 5, 6, 2), normal(3, 3, 3, 2, 3))
def convolution_3d(x, w):
    return lax.conv_general_dilated(x, w, (1, 2, 1), "SAME", dimension_numbers=("NDHWC", "DHWIO", "NDHWC"))


@case(integers(50, 1, 6, 6, 4, low=-50, dtype=np.int8), integers(50, 3, 3, 2, 6, low=-50, dtype=np.int8))
def integer_convolution(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC, feature_group_count=2,
                                    preferred_element_type=jnp.int32)


@case(normal(1, 8, 8, 3))
def pooling_grad(x):
    def pools(x):
        largest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return (largest ** 2).sum() + (lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2).sum()
    return jax.value_and_grad(pools)(x)


@case(normal(2, 4, 4, 3), normal(3), normal(3))
def batch_norm_grad(x, gain, bias):
    def loss(x, gain, bias):
        y = (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * gain + bias
        return (y ** 3).sum()
    return jax.grad(loss, (0, 1, 2))(x, gain, bias)


@case([normal(3, 3, 3, 8, scale=0.1), normal(3, 3, 8, 6, scale=0.1), normal(6, 5, scale=0.1)], normal(4, 10, 10, 3),
      integers(5, 4))
def cnn_step(p, x, labels):
    def loss(p):
        h = jax.nn.relu(lax.conv_general_dilated(x, p[0], (1, 1), "SAME", dimension_numbers=NHWC))
        h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
        h = jax.nn.relu(lax.conv_general_dilated(h, p[1], (2, 2), "SAME", dimension_numbers=NHWC))
        return -(jax.nn.log_softmax(h.mean((1, 2)) @ p[2]) * jax.nn.one_hot(labels, 5)).sum(-1).mean()
    value, gradient = jax.value_and_grad(loss)(p)
    return value, [a - 0.1 * b for a, b in zip(p, gradient)]


@case(normal(1, 4, 4, 2))
def image_resize(x):
    return jax.image.resize(x, (1, 8, 8, 2), "bilinear"), jax.image.resize(x, (1, 7, 3, 2), "nearest"), \
        jax.image.resize(x, (1, 6, 6, 2), "cubic")


@case(normal(1, 2, 5, 5), normal(3, 2, 3, 3))
def patches(x, w):
    return lax.conv_general_dilated_patches(x, (2, 2), (1, 1), "VALID"), \
        jnp.convolve(x[0, 0, 0], w[0, 0, 0]), jax.scipy.signal.convolve2d(x[0, 0], w[0, 0])


# Loops.

@case(normal(6, 2, 4), normal(4, 32), normal(8, 32))
def lstm_grad(x, wi, wh):
    def cell(carry, x):
        h, state = carry
        i, f, g, o = jnp.split(x @ wi + h @ wh, 4, -1)
        state = jax.nn.sigmoid(f) * state + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(state)
        return (h, state), h

    def loss(x, weights):
        nonlocal wi, wh
        wi, wh = weights
        return (lax.scan(cell, (jnp.zeros((2, 8)), jnp.zeros((2, 8))), x)[1] ** 2).sum()
    return jax.grad(loss, (0, 1))(x, (wi, wh))


@case(normal(5, 2, 4), normal(4, 24), normal(8, 24))
def gru_grad(x, wi, wh):
    def loss(wi, wh):
        def cell(h, x):
            a, b = jnp.split(x @ wi, 3, -1), jnp.split(h @ wh, 3, -1)
            r, z = jax.nn.sigmoid(a[0] + b[0]), jax.nn.sigmoid(a[1] + b[1])
            h = (1 - z) * jnp.tanh(a[2] + r * b[2]) + z * h
            return h, h
        return lax.scan(cell, jnp.zeros((2, 8)), x)[1].sum()
    return jax.grad(loss, (0, 1))(wi, wh)


@case(normal(6, 3))
def fori_loop(x):
    return lax.fori_loop(0, 5, lambda i, c: c * 1.1 + x[i], x[0])


@case(normal(3, 2))
def nested_loops(x):
    return lax.fori_loop(0, 3, lambda i, c: lax.fori_loop(0, 2, lambda j, d: d + x[i, j] * (i + 1), c), 0.)


@case(np.float32(7.3))
def newton(x):
    return lax.while_loop(lambda c: (jnp.abs(c[0] ** 2 - x) > 1e-5) & (c[1] < 50),
                          lambda c: ((c[0] + x / c[0]) / 2, c[1] + 1), (x, 0))


@case(np.int32(1), np.int32(2), normal(3))
def branches(p, i, x):
    return lax.cond(p > 0, lambda x: x * 2, jnp.sin, x), lax.switch(i, [lambda x: x, lambda x: x * 2, jnp.cos], x)


@case(normal(8, 4), normal(8, 4))
def linear_recurrence(a, b):
    def combine(x, y):
        return x[0] * y[0], y[0] * x[1] + y[1]
    return lax.associative_scan(combine, (jnp.tanh(a), b))[1]


@case(normal(4, 3))
def mapped(x):
    return lax.map(lambda r: jnp.tanh(r).sum(), x), jax.vmap(lambda r: jnp.outer(r, r))(x)
