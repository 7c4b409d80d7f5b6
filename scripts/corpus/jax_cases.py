# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as JAX programs write it: name -> (function, inputs, attentions that are fused). Inputs: (shape, element).
"""
import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

CASES = {}


@dataclasses.dataclass
class Case:
    build: object
    inputs: list
    what: str
    attentions: int = 1
    gradients: int = 0


def case(what, *inputs, attentions=1, gradients=0):
    def register(build):
        CASES[build.__name__] = Case(build, list(inputs), what, attentions, gradients)
        return build
    return register


def f32(*shape):
    return shape, "f32"


def bf16(*shape):
    return shape, "bf16"


# (N, L, H, D), as jax.nn.dot_product_attention wants them
Q, K, V = f32(2, 5, 3, 4), f32(2, 7, 3, 4), f32(2, 7, 3, 4)
SELF = (f32(2, 6, 3, 4), f32(2, 6, 3, 4), f32(2, 6, 3, 4))


@case("jax.nn.dot_product_attention", Q, K, V)
def dot_product_attention(q, k, v):
    return nn.dot_product_attention(q, k, v)


@case("jax.nn.dot_product_attention, causal", *SELF)
def dot_product_attention_causal(q, k, v):
    return nn.dot_product_attention(q, k, v, is_causal=True)


@case("jax.nn.dot_product_attention with a bias, a mask and a scale", Q, K, V, f32(2, 3, 5, 7), ((2, 1, 5, 7), "i1"))
def dot_product_attention_mask(q, k, v, bias, mask):
    return nn.dot_product_attention(q, k, v, bias=bias, mask=mask, scale=0.7)


@case("jax.nn.dot_product_attention with grouped heads", f32(2, 5, 4, 4), f32(2, 7, 2, 4), f32(2, 7, 2, 4))
def dot_product_attention_gqa(q, k, v):
    return nn.dot_product_attention(q, k, v)


@case("jax.nn.dot_product_attention with one key head, causal", f32(2, 6, 4, 4), f32(2, 6, 1, 4), f32(2, 6, 1, 4))
def dot_product_attention_mqa(q, k, v):
    return nn.dot_product_attention(q, k, v, is_causal=True)


@case("jax.nn.dot_product_attention with a window to both sides", *SELF)
def dot_product_attention_window(q, k, v):
    return nn.dot_product_attention(q, k, v, local_window_size=(2, 2))


@case("jax.nn.dot_product_attention with lengths of keys and queries", *SELF, ((2,), "i32"))
def dot_product_attention_lengths(q, k, v, lengths):
    return nn.dot_product_attention(q, k, v, key_value_seq_lengths=jnp.clip(lengths, 1, 6))


@case("jax.nn.dot_product_attention in bf16, causal", bf16(2, 6, 3, 4), bf16(2, 6, 3, 4), bf16(2, 6, 3, 4))
def dot_product_attention_bf16(q, k, v):
    return nn.dot_product_attention(q, k, v, is_causal=True)


def dense(x, w, b):
    return x @ w + b


@case("GPT-2 of a flax style: einsum with heads in the projection, where with finfo.min", f32(2, 6, 12), f32(12, 3, 3, 4),
      f32(3, 3, 4), f32(3, 4, 12))
def flax_gpt2(x, w, b, out):
    q, k, v = jnp.moveaxis(jnp.einsum("nlc,cthd->nlthd", x, w) + b, 2, 0)
    q = q / jnp.sqrt(4.0)
    scores = jnp.einsum("...qhd,...khd->...hqk", q, k)
    visible = nn_make_causal(6)
    scores = jnp.where(visible, scores, jnp.finfo(jnp.float32).min)
    y = jnp.einsum("...hqk,...khd->...qhd", nn.softmax(scores), v)
    return jnp.einsum("nlhd,hdc->nlc", y, out)


def nn_make_causal(length):
    at = jnp.arange(length)
    return jnp.greater_equal(at[None, None, :, None], at[None, None, None, :])


@case("flax.nnx.MultiHeadAttention", f32(2, 6, 12), *[f32(12, 3, 4)] * 3, f32(3, 4, 12))
def flax_nnx(x, wq, wk, wv, wo):
    from flax import nnx
    layer = nnx.MultiHeadAttention(3, 12, decode=False, use_bias=False, rngs=nnx.Rngs(0))
    for part, w in ((layer.query, wq), (layer.key, wk), (layer.value, wv), (layer.out, wo)):
        part.kernel = nnx.Param(w)
    return layer(x, mask=nnx.make_causal_mask(jnp.ones((2, 6))), deterministic=True)


@case("flax.linen.MultiHeadDotProductAttention, keys of another length", f32(2, 5, 12), f32(2, 7, 12),
      *[f32(12, 3, 4)] * 3, f32(3, 4, 12))
def flax_linen(x, memory, wq, wk, wv, wo):
    from flax import linen
    layer = linen.MultiHeadDotProductAttention(3, use_bias=False, deterministic=True)
    params = {name: {"kernel": w} for name, w in zip(("query", "key", "value", "out"), (wq, wk, wv, wo))}
    return layer.apply({"params": params}, x, memory, memory)


@case("keras.layers.MultiHeadAttention with a mask of both sequences", f32(2, 5, 12), f32(2, 7, 12), ((2, 5, 7), "i1"),
      *[f32(12, 3, 4)] * 3, f32(3, 4, 12))
def keras_multihead(x, memory, mask, wq, wk, wv, wo):
    return keras_layer()(x, memory, mask, wq, wk, wv, wo)


@functools.cache
def keras_layer():
    import os
    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    layer = keras.layers.MultiHeadAttention(3, 4, use_bias=False, flash_attention=False)
    layer.build((2, 5, 12), (2, 7, 12))

    def call(x, memory, mask, *weights):
        state = list(zip(layer.trainable_variables, weights))
        with keras.StatelessScope(state_mapping=state):
            return layer(x, memory, attention_mask=mask, return_attention_scores=False)
    return call


@case("vmap over batch and heads of attention on matrices", f32(2, 3, 5, 4), f32(2, 3, 7, 4), f32(2, 3, 7, 6))
def vmapped(q, k, v):
    def one(q, k, v):
        return nn.softmax(q @ k.T / jnp.sqrt(4.0), axis=-1) @ v
    return jax.vmap(jax.vmap(one))(q, k, v)


@case("equinox style: heads as the inner axis of vmap, the batch outside", f32(2, 5, 12), f32(12, 12), f32(12, 12),
      f32(12, 12), f32(12, 12), ((5, 5), "i1"))
def equinox_style(x, wq, wk, wv, wo, mask):
    def attention(q, k, v):
        scores = jnp.einsum("sd,Sd->sS", q / jnp.sqrt(4.0), k)
        scores = jnp.where(mask | jnp.eye(5, dtype=bool), scores, jnp.finfo(jnp.float32).min)
        return jnp.einsum("sS,Sd->sd", nn.softmax(scores), v)

    def layer(x):
        q, k, v = ((x @ w.T).reshape(5, 3, 4) for w in (wq, wk, wv))
        return jax.vmap(attention, in_axes=1, out_axes=1)(q, k, v).reshape(5, 12) @ wo.T
    return jax.vmap(layer)(x)


@case("(N, H, L, D) einsums, the scale split over q and k", f32(2, 3, 5, 4), f32(2, 3, 7, 4), f32(2, 3, 7, 4))
def einsum_nhld(q, k, v):
    scale = 4 ** -0.25
    p = nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q * scale, k * scale))
    return jnp.einsum("bhqk,bhkd->bhqd", p, v)


@case("keys before queries: the transposed scores, softmax over their first dimension", f32(2, 3, 5, 4),
      f32(2, 3, 7, 4), f32(2, 3, 7, 4))
def transposed_scores(q, k, v):
    p = nn.softmax(jnp.einsum("bhkd,bhqd->bhkq", k, q) * 0.5, axis=2)
    return jnp.einsum("bhkq,bhkd->bhqd", p, v)


@case("T5X: a bias of relative positions from a table, no scale", f32(2, 5, 3, 4), f32(2, 5, 3, 4), f32(2, 5, 3, 4),
      f32(3, 8))
def t5x(q, k, v, table):
    distance = jnp.arange(5)[None] - jnp.arange(5)[:, None]
    bucket = jnp.minimum(jnp.abs(distance), 3) + 4 * (distance > 0)
    bias = jnp.einsum("hb,qkb->hqk", table, nn.one_hot(bucket, 8))[None]
    p = nn.softmax(jnp.einsum("nqhd,nkhd->nhqk", q, k) + bias)
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


def with_slopes(q, k, v, hidden):
    slopes = 2.0 ** -(8 * jnp.arange(1, 4) / 3)
    i, j = jnp.arange(6)[:, None], jnp.arange(6)[None]
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5 + slopes[:, None, None] * (j - i)
    p = nn.softmax(jnp.where(j <= i, scores, hidden))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("ALiBi: slopes times the distance", *SELF)
def alibi(q, k, v):
    return with_slopes(q, k, v, jnp.finfo(q.dtype).min)


@case("not fused: ALiBi with hidden scores of -1e9, which a large score may be below", *SELF, attentions=0)
def alibi_finite(q, k, v):
    return with_slopes(q, k, v, -1e9)


@case("the original GPT-2: scores times a mask less 1e10 times its complement", *SELF)
def gpt2_original(q, k, v):
    visible = (jnp.arange(6)[:, None] >= jnp.arange(6)[None]).astype(q.dtype)
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * lax.rsqrt(4.0)
    p = nn.softmax(scores * visible - 1e10 * (1 - visible))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("the same with a constant mask, -1e4 and a complement of its own", *SELF)
def gpt2_constant(q, k, v):
    visible = np.tril(np.ones((6, 6), np.float32))
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    p = nn.softmax(scores * visible + (-1e4 * (1 - visible)).astype(np.float32))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("not fused: scores that are made smaller, not hidden, beside a penalty", *SELF, attentions=0)
def gpt2_soft(q, k, v):
    visible = np.tril(np.ones((6, 6), np.float32))
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    p = nn.softmax(scores * np.maximum(visible, 0.125) - 4 * (1 - visible))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("exponentials of scores less their logsumexp", Q, K, V)
def logsumexp(q, k, v):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    return jnp.einsum("nhqk,nkhd->nqhd", jnp.exp(scores - nn.logsumexp(scores, -1, keepdims=True)), v)


@case("the same, causal by -inf", *SELF)
def logsumexp_causal(q, k, v):
    scores = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5, -jnp.inf)
    return jnp.einsum("nhqk,nkhd->nqhd", jnp.exp(scores - nn.logsumexp(scores, -1, keepdims=True)), v)


@case("exponentials of log_softmax", Q, K, V)
def log_softmax(q, k, v):
    p = jnp.exp(nn.log_softmax(jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("not fused: the logarithm of a row that a finite number hides is lost beside it", *SELF, ((2, 1, 6, 6), "i1"),
      attentions=0)
def logsumexp_finite(q, k, v, mask):
    scores = jnp.where(mask, jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5, jnp.finfo(q.dtype).min)
    return jnp.einsum("nhqk,nkhd->nqhd", jnp.exp(scores - nn.logsumexp(scores, -1, keepdims=True)), v)


@case("keys hidden before and after the exponential, rows without keys are zeros", *SELF, ((2, 1, 6, 6), "i1"))
def hidden_twice(q, k, v, mask):
    scores = jnp.where(mask, jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5, -1e30)
    e = jnp.where(mask, jnp.exp(scores - scores.max(-1, keepdims=True)), 0)
    total = e.sum(-1, keepdims=True)
    return jnp.einsum("nhqk,nkhd->nqhd", e / jnp.where(total == 0, 1, total), v)


@case("a mask that selects inside one that is added; rows without keys see those that the added one shows", *SELF,
      ((2, 1, 6, 6), "i1"))
def added_after_selected(q, k, v, mask):
    scores = jnp.where(mask, jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5, -1e30)
    scores = scores + np.where(np.tril(np.ones((6, 6))), 0, -np.inf).astype(np.float32)
    return jnp.einsum("nhqk,nkhd->nqhd", nn.softmax(scores), v)


@case("not fused: rows that a factor makes zeros, which cancels in no sum that is bounded", *SELF, ((2, 1, 6, 1), "i1"),
      attentions=0)
def weighted_rows(q, k, v, row):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    e = jnp.exp(scores - scores.max(-1, keepdims=True)) * row
    total = e.sum(-1, keepdims=True)
    return jnp.einsum("nhqk,nkhd->nqhd", e / jnp.where(total == 0, 1, total), v)


@case("Llama: RoPE by complex numbers written as pairs, keys repeated per group", f32(2, 6, 4, 4), f32(2, 6, 2, 4),
      f32(2, 6, 2, 4))
def llama(q, k, v):
    def rope(x):
        angles = jnp.arange(6)[:, None] * 1e4 ** (-jnp.arange(2) / 2)
        cos, sin = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
        a, b = x[..., ::2], x[..., 1::2]
        return jnp.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)
    k, v = jnp.repeat(rope(k), 2, 2), jnp.repeat(v, 2, 2)
    scores = jnp.einsum("nqhd,nkhd->nhqk", rope(q), k) * 0.5
    scores = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), scores, -jnp.inf)
    return jnp.einsum("nhqk,nkhd->nqhd", nn.softmax(scores), v)


@case("Gemma 1: grouped heads by one einsum of five dimensions", f32(2, 6, 4, 4), f32(2, 6, 2, 4), f32(2, 6, 2, 4))
def grouped_einsum(q, k, v):
    q = q.reshape(2, 6, 2, 2, 4) * 0.5
    scores = jnp.einsum("btkgh,bskh->bkgts", q, k)
    mask = jnp.tril(jnp.ones((6, 6), bool))
    p = nn.softmax(jnp.where(mask, scores, -2.3819763e38), axis=-1)
    return jnp.einsum("bkgts,bskh->btkgh", p, v).reshape(2, 6, 4, 4)


@case("decoding: one query, a cache updated at a position that is an argument", f32(2, 1, 4, 4), f32(2, 1, 2, 4),
      f32(2, 1, 2, 4), f32(2, 8, 2, 4), f32(2, 8, 2, 4), ((), "i32"))
def decode(q, k, v, keys, values, at):
    at = jnp.minimum(at, 7)
    keys = lax.dynamic_update_slice(keys, k, (0, at, 0, 0))
    values = lax.dynamic_update_slice(values, v, (0, at, 0, 0))
    k, v = jnp.repeat(keys, 2, 2), jnp.repeat(values, 2, 2)
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    scores = jnp.where(jnp.arange(8) <= at, scores, jnp.finfo(jnp.float32).min)
    return jnp.einsum("nhqk,nkhd->nqhd", nn.softmax(scores), v), keys, values


@case("Mistral: a window of three keys", *SELF)
def sliding_window(q, k, v):
    i, j = jnp.arange(6)[:, None], jnp.arange(6)[None]
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    scores = jnp.where((j <= i) & (j > i - 3), scores, -jnp.inf)
    return jnp.einsum("nhqk,nkhd->nqhd", nn.softmax(scores), v)


@case("a mask made by the exporter from lengths: j < len, finite value", Q, K, V, ((2,), "i32"))
def lengths_finite(q, k, v, lengths):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    there = (jnp.arange(7) < jnp.clip(lengths, 1, 7)[:, None])[:, None, None]
    return jnp.einsum("nhqk,nkhd->nqhd", nn.softmax(jnp.where(there, scores, -1e9)), v)


@case("dropout by a mask that is an argument: weights kept are divided by 1 - p", Q, K, V, ((2, 3, 5, 7), "i1"))
def dropout_mask(q, k, v, keep):
    p = nn.softmax(jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5)
    p = jnp.where(keep, p / 0.75, 0.0)
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("softmax in f32 of scores in bf16, weights rounded to bf16", bf16(2, 5, 3, 4), bf16(2, 7, 3, 4), bf16(2, 7, 3, 4))
def bf16_upcast(q, k, v):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k).astype(jnp.float32) * 0.5
    p = nn.softmax(scores).astype(jnp.bfloat16)
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("products of bf16 with results in f32", bf16(2, 5, 3, 4), bf16(2, 7, 3, 4), bf16(2, 7, 3, 4))
def bf16_accumulate(q, k, v):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k, preferred_element_type=jnp.float32) * 0.5
    p = nn.softmax(scores).astype(jnp.bfloat16)
    return jnp.einsum("nhqk,nkhd->nqhd", p, v, preferred_element_type=jnp.float32).astype(jnp.bfloat16)


@case("f16", ((2, 5, 3, 4), "f16"), ((2, 7, 3, 4), "f16"), ((2, 7, 3, 4), "f16"))
def f16(q, k, v):
    p = nn.softmax(jnp.einsum("nqhd,nkhd->nhqk", q, k) * jnp.float16(0.5))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("two blocks in a scan over stacked weights", f32(2, 5, 12), f32(2, 12, 36), f32(2, 12, 12), attentions=2)
def scanned(x, qkv, out):
    def block(x, weights):
        w, o = weights
        q, k, v = (t.reshape(2, 5, 3, 4) for t in jnp.split(x @ w, 3, -1))
        p = nn.softmax(jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5)
        return x + jnp.einsum("nhqk,nkhd->nqhd", p, v).reshape(2, 5, 12) @ o, None
    return lax.scan(block, x, (qkv, out))[0]


@case("a query shared by all batches, a latent (Perceiver)", f32(5, 3, 4), f32(2, 7, 3, 4), f32(2, 7, 3, 4))
def latent_query(q, k, v):
    p = nn.softmax(jnp.einsum("qhd,nkhd->nhqk", q, k) * 0.5)
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("keys and values shared by all batches (a prompt)", f32(2, 5, 3, 4), f32(7, 3, 4), f32(7, 3, 4))
def shared_keys(q, k, v):
    p = nn.softmax(jnp.einsum("nqhd,khd->nhqk", q, k) * 0.5)
    return jnp.einsum("nhqk,khd->nqhd", p, v)


@case("Set attention: two batch dimensions besides the heads (AlphaFold rows)", f32(2, 3, 5, 2, 4), f32(2, 3, 5, 2, 4),
      f32(2, 3, 5, 2, 4), f32(2, 2, 5, 5))
def two_batches(q, k, v, pair):
    scores = jnp.einsum("bsqhd,bskhd->bshqk", q, k) * 0.5 + pair[:, None]
    return jnp.einsum("bshqk,bskhd->bsqhd", nn.softmax(scores), v)


@case("not fused: weights of a softmax times a gate, no longer a softmax", Q, K, V, f32(2, 3, 5, 7), attentions=0)
def squared_weights(q, k, v, gate):
    p = nn.softmax(jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5)
    return jnp.einsum("nhqk,nkhd->nqhd", p * p + gate, v)


@case("not fused: a learned sink in the sum of exponentials (gpt-oss)", Q, K, V, f32(3), attentions=0)
def sink(q, k, v, sinks):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    column = jnp.broadcast_to(sinks[None, :, None, None], (2, 3, 5, 1))
    p = nn.softmax(jnp.concatenate([scores, column], -1))[..., :-1]
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@case("not fused: linear attention has no softmax of a product", Q, K, V, attentions=0)
def linear_attention(q, k, v):
    q, k = nn.softmax(q), nn.softmax(k, axis=1)
    return jnp.einsum("nqhd,nhde->nqhe", q, jnp.einsum("nkhd,nkhe->nhde", k, v))


@case("gates of experts: a softmax of products with the router weighs the experts' outputs, an attention of one query",
      f32(6, 8), f32(8, 4), f32(4, 8, 8))
def gates(x, router, experts):
    p = nn.softmax(x @ router)
    return jnp.einsum("te,tec->tc", p, jnp.einsum("tc,ecd->ted", x, experts))
